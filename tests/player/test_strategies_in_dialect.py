"""The built-in players where certificates are sold and traded and the end is declared.

What they choose is legal under every rulebook, `revised` included.
"""

from collections import Counter

from loops import for_each
from positions import by_initials, crossing, hotels, scene
from quick_players import QUICK, greeted
from quiet_games import play_quietly

from acquire.admin.refereeing.play.outcome import Outcome
from acquire.game.disposal import Disposal
from acquire.game.notation import parse_player
from acquire.game.placement import Placement, verify_placement
from acquire.game.purchase import verify_order
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, WIKIPEDIA
from acquire.game.state import State
from acquire.game.tiles import Tile, parse_tile
from acquire.player.strategies.investor import Investor
from acquire.player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.messages import RefereeMessage
from acquire.protocol.player_view import view_for

DIALECT = (CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST)
every_dialect_rulebook = for_each("rulebook", DIALECT, ids=lambda r: r.id)
every_player = for_each("name", QUICK)
VOID = messages.Void()


# -- whole games --------------------------------------------------------------------------------

IN_THE_DIALECT = {
    "sold", "traded", "held", "sold, traded and held", "declared", "played on",
}  # fmt: skip
HIDING = with_hidden_assets(CORPORATIONS)
MARKET_MERGES = 78
"""A game of two players under `classic` in which a tile of the market's merges hotels."""


class ChoiceCounter(Random):
    """Plays as `random`, and counts what it chooses."""

    def __init__(self, rulebook: Rulebook, seed: int, chosen: Counter[str]) -> None:
        super().__init__(rulebook, seed)
        self._chosen = chosen

    def dispose(self, state: State, question: messages.Dispose) -> Disposal:
        disposed = super().dispose(state, question)
        held = state.player(self.name).shares[question.hotel] - sum(disposed)
        counts = {
            "sold": disposed.sell,
            "traded": disposed.trade,
            "held": held,
            "sold, traded and held": disposed.sell * disposed.trade * held,
        }
        self._chosen.update([what for what, count in counts.items() if count])
        return disposed

    def declare(self, state: State) -> bool:
        declared = super().declare(state)
        self._chosen["declared" if declared else "played on"] += 1
        return declared

    def survivor(self, state: State, tile: Tile) -> Placement:
        self._chosen["named the market's survivor"] += 1
        return super().survivor(state, tile)


def play_game(rulebook: Rulebook, game: int, chosen: Counter[str]) -> Outcome:
    """Play one of many games, at tables of every size; `investor` is at every fifth."""
    sizes = range(rulebook.min_players, rulebook.max_players + 1)
    players: dict[str, Strategy] = {}
    for at in range(sizes[game // 5 % len(sizes)]):
        seed = 10 * game + at
        others = (LargestAlpha, Ordered, SmallestAnti, Investor if game % 5 == 0 else Ordered)
        kind = (game + at) % (len(others) + 1)
        one = others[kind](rulebook, seed) if kind < 4 else ChoiceCounter(rulebook, seed, chosen)
        players[f"player-{at}"] = one
    return play_quietly(rulebook, players, game)


@for_each(
    ("rulebook", "reached"),
    [
        (REVISED, set[str]()),
        (CORPORATIONS, IN_THE_DIALECT),
        (CLASSIC, {*IN_THE_DIALECT, "named the market's survivor"}),
        (WIKIPEDIA, IN_THE_DIALECT),
        (DIGEST, IN_THE_DIALECT),
        (HIDING, IN_THE_DIALECT),
    ],
    ids=["revised", "corporations", "classic", "wikipedia", "digest", "assets hidden"],
)
def test_in_many_games_no_player_is_ejected_and_random_tries_everything(
    rulebook: Rulebook, reached: set[str], soak: bool
) -> None:
    chosen: Counter[str] = Counter()
    games = range(500) if soak else [*range(25), MARKET_MERGES]
    for game in games:
        outcome = play_game(rulebook, game, chosen)
        assert outcome.ejected == (), game
        assert all(place.finished and place.score >= 0 for place in outcome.standings)
    assert {*chosen} == reached


# -- what each chooses --------------------------------------------------------------------------

ASKED = ("bob 4A A5", "ann 1A A7 S2", "cyd A3")


def asked_to_dispose(rulebook: Rulebook, *seats: str) -> messages.Dispose:
    """Ask ann about certificates of A that sold at 300 dollars; S, of seven tiles, survives."""
    view = view_for(scene(rulebook, "SSSSSSS", *seats), "ann")
    (acquired, survivor) = by_initials("AS", rulebook)
    return messages.Dispose(acquired, 300, survivor, view)


@every_dialect_rulebook
@for_each("strategy", [Ordered, LargestAlpha, SmallestAnti])
def test_simple_players_hold_acquired_certificates_that_can_be_sold_and_traded(
    strategy: type[Strategy], rulebook: Rulebook
) -> None:
    one = greeted(strategy, rulebook)
    assert one(asked_to_dispose(rulebook, *ASKED)) == messages.DisposeAnswer(0, 0)


@every_dialect_rulebook
@for_each(("others_survivors", "most_traded"), [(0, 6), (21, 4), (22, 2), (23, 0)])
def test_random_disposes_in_every_legal_way(
    rulebook: Rulebook, others_survivors: int, most_traded: int
) -> None:
    seats = ("bob 4A A5", "ann 1A A7 S2", f"cyd A3 S{others_survivors}")
    one, question = greeted(Random, rulebook), asked_to_dispose(rulebook, *seats)
    found = {one(question) for _ in range(1_000)}
    assert found == {
        messages.DisposeAnswer(sell, trade)
        for sell in range(8)
        for trade in range(0, most_traded + 1, 2)
        if sell + trade <= 7
    }


@every_player
def test_survivor_of_the_markets_merger_is_one_of_the_largest(name: str) -> None:
    laid = scene(CLASSIC, crossing(Tower=3, Sackson=2, American=3), "ann 1A", "bob")
    message = messages.MarketMerger(parse_tile("6E"), view_for(laid, "ann"))
    one = greeted(QUICK[name], CLASSIC)
    state = laid._replace(players=(parse_player(CLASSIC, "ann 6E"), *laid.players[1:]))
    survivors: set[int | None] = set()
    for _ in range(50):
        answer = one(message)
        assert isinstance(answer, messages.Merge)
        assert verify_placement(state, answer.placement) is None
        survivors.add(answer.placement.hotel)
    assert survivors <= {*hotels("American Tower")}
    assert len(survivors) == (2 if name == "random" else 1)


@every_dialect_rulebook
@every_player
def test_player_without_a_playable_tile_buys_nevertheless(name: str, rulebook: Rulebook) -> None:
    # 1B would join two safe hotels
    drawing = "SSSSSSSSSSS\n.\nAAAAAAAAAAA"
    laid = scene(rulebook, drawing, "ann 1B $5000", "bob S1", "cyd A1")
    one = greeted(QUICK[name], rulebook)
    most = 0
    for _ in range(30):
        answer = one(messages.TurnView(view_for(laid, "ann")))
        assert isinstance(answer, messages.Pbuy)
        assert answer.placement is None
        assert verify_order(laid, answer.order) is None
        most = max(most, len(answer.order))
    assert most == 3


ALL_SAFE = "SSSSSSSSSSS"
LARGE = "\n".join(["AAAAAAAAAAAA"] * 3 + ["AAAAA", ".", "SS"])
NOT_OVER = "SSSSSSSSSSS\n.\nAA"


@every_dialect_rulebook
@for_each(
    ("drawing", "declared"), [(ALL_SAFE, True), (LARGE, True), (NOT_OVER, False), ("", False)]
)
@for_each("strategy", [Ordered, LargestAlpha, SmallestAnti])
def test_simple_players_declare_the_end_as_soon_as_they_may(
    strategy: type[Strategy], drawing: str, declared: bool, rulebook: Rulebook
) -> None:
    laid = scene(rulebook, drawing, "ann 12I S1", "bob", "cyd A9")
    told = view_for(laid, "ann")
    answer = greeted(strategy, rulebook)(messages.TurnView(told))
    assert isinstance(answer, messages.Pbuy) and answer.end is declared
    after_merger = greeted(strategy, rulebook)(messages.PlayersView(told))
    assert isinstance(after_merger, messages.Order) and after_merger.end is declared


@every_dialect_rulebook
@for_each("strategy", [Ordered, LargestAlpha, SmallestAnti])
def test_simple_players_declare_an_end_that_their_founding_would_undo(
    strategy: type[Strategy], rulebook: Rulebook
) -> None:
    laid = scene(rulebook, f"{ALL_SAFE}\n.\no", "ann 2C", "bob", "cyd")
    answer = greeted(strategy, rulebook)(messages.TurnView(view_for(laid, "ann")))
    assert isinstance(answer, messages.Pbuy) and answer.end
    assert answer.placement is not None and answer.placement.hotel is not None


def test_random_declares_the_end_about_every_other_time() -> None:
    laid = scene(CLASSIC, ALL_SAFE, "ann 12I", "bob", "cyd")
    one = greeted(Random, CLASSIC)
    answers = [one(messages.PlayersView(view_for(laid, "ann"))) for _ in range(400)]
    ended = [answer.end for answer in answers if isinstance(answer, messages.Order)]
    assert len(ended) == 400 and 160 < sum(ended) < 240


def test_nobody_declares_the_end_under_revised() -> None:
    laid = scene(REVISED, "SSSSSSSSSSSS", "ann 12I", "bob", "cyd")
    for strategy in (Random, Ordered, LargestAlpha, SmallestAnti):
        answer = strategy(REVISED, 0)(messages.Turn(laid.board, laid.players))
        assert isinstance(answer, messages.Pbuy) and not answer.end


@for_each(("strategy", "order"), [(Ordered, "AAA"), (LargestAlpha, "AAA"), (SmallestAnti, "SSS")])
@every_dialect_rulebook
def test_three_certificates_of_one_hotel_on_the_board_are_ordered(
    strategy: type[Strategy], order: str, rulebook: Rulebook
) -> None:
    laid = scene(rulebook, "AA.SS", "ann 12I $6000", "bob", "cyd")
    assert strategy(rulebook, 0).order(laid) == by_initials(order, rulebook)


@every_player
@for_each("rulebook", [REVISED, *DIALECT])
def test_messages_that_only_inform_are_acknowledged(name: str, rulebook: Rulebook) -> None:
    laid = scene(rulebook, "AA.SS", "bob 1I", "ann 12I", "cyd")
    view, results = view_for(laid, "ann"), (("ann", 1),)
    state: RefereeMessage = messages.StateView(view)
    score: RefereeMessage = messages.ScoreView(results, view)
    if rulebook is REVISED:
        state = messages.State(laid.board, laid.players)
        score = messages.Score(results, laid.board, laid.players)
    informing: list[RefereeMessage] = [
        messages.SignUp("ann", rulebook.id),
        state,
        messages.NewTile(0),
        messages.MarketTile(0, 3, 4),
        messages.MarketTile(0, None, 0),
        score,
        messages.Ejected("invalid", "So it was."),
    ]
    one = QUICK[name](rulebook, 0)
    assert [one(message) for message in informing] == [VOID] * len(informing)
