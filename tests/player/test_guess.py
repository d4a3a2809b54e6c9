"""The position that a player thinks about: what is visible is exact, what is hidden adds up."""

from collections.abc import Iterator

from loops import for_each
from positions import held, scene
from quiet_games import play_quietly

from acquire.admin.refereeing.play import in_process as local
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, WIKIPEDIA
from acquire.game.state import State
from acquire.player.strategies.guess import guess
from acquire.player.strategies.simple import Random
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_view import PlayerView, view_for
from acquire.protocol.question import Known

HIDING = with_hidden_assets(CORPORATIONS)
TABLE = ("bob 1A A7 S1 $100", "ann 2A 3A A2 $700", "cyd 4A A6 F2 $900", "dan A3 $0")


def table(rulebook: Rulebook) -> State:
    return scene(rulebook, "AAAFF", *TABLE, bag="9I 10I")


# -- what is seen -------------------------------------------------------------------------------


def test_open_position_is_exact_but_for_the_bag_and_the_tiles_of_others() -> None:
    state = table(CLASSIC)
    seen = guess(Known.seen(CLASSIC, view_for(state, "ann")))
    assert (seen.board, seen.bank, seen.aside, seen.bag) == (state.board, state.bank, 0, ())
    assert seen.player("ann") == state.player("ann")
    for name in ("bob", "cyd", "dan"):
        assert seen.player(name) == state.player(name)._replace(hand=0)


def test_tiles_set_aside_are_known() -> None:
    state = table(CLASSIC)._replace(aside=1 << 5)
    assert guess(Known.seen(CLASSIC, view_for(state, "ann"))).aside == 1 << 5


def test_order_of_the_players_is_kept() -> None:
    seen = guess(Known.seen(HIDING, view_for(table(HIDING), "cyd")))
    assert [player.name for player in seen.players] == ["bob", "ann", "cyd", "dan"]


def test_own_assets_are_not_guessed() -> None:
    state = table(HIDING)
    assert guess(Known.seen(HIDING, view_for(state, "ann"))).player("ann") == state.player("ann")


# -- what is hidden -----------------------------------------------------------------------------


def test_hidden_certificates_are_divided_evenly_with_the_remainder_first() -> None:
    # 16 of A are hidden among three, 2 of F and one of S
    seen = guess(Known.seen(HIDING, view_for(table(HIDING), "ann")))
    assert {player.name: held(player, HIDING) for player in seen.players} == {
        "bob": {"America": 6, "Fusion": 1, "Sackson": 1},
        "ann": {"America": 2},
        "cyd": {"America": 5, "Fusion": 1},
        "dan": {"America": 5},
    }


def test_hidden_cash_is_guessed_as_the_starting_cash() -> None:
    seen = guess(Known.seen(HIDING, view_for(table(HIDING), "ann")))
    assert {player.name: player.cash for player in seen.players} == {
        "bob": 6_000, "ann": 700, "cyd": 6_000, "dan": 6_000,
    }  # fmt: skip


def views(message: RefereeMessage) -> Iterator[PlayerView]:
    match message:
        case (
            messages.StateView(view)
            | messages.TurnView(view)
            | messages.PlayersView(view)
            | messages.Dispose(view=view)
        ):
            yield view


@for_each("rulebook", [CORPORATIONS, WIKIPEDIA, DIGEST], ids=lambda r: r.id)
@for_each("players", [3, 6])
def test_guessed_certificates_of_each_hotel_always_add_up_to_25(
    rulebook: Rulebook, players: int
) -> None:
    hiding, judged = with_hidden_assets(rulebook), 0

    def looking(name: str, strategy: Random) -> local.Strategy:
        def answer(message: RefereeMessage) -> PlayerMessage:
            nonlocal judged
            for view in views(message):
                state = guess(Known.seen(hiding, view))
                shares = [player.shares for player in state.players]
                assert [sum(all_of) for all_of in zip(state.bank, *shares, strict=True)] == [25] * 7
                assert min(map(min, shares)) >= 0
                own = next(player for player in view.players if player.name == name)
                assert tuple(state.player(name)) == own[:-1]
                judged += 1
            return strategy(message)

        return answer

    for seed in range(3):
        names = "abcdef"[:players]
        seats = {n: looking(n, Random(hiding, seed + at)) for at, n in enumerate(names)}
        assert not play_quietly(hiding, seats, seed).ejected
    assert judged > 500
