"""What no game may break, whatever the players choose, and whoever breaks a rule when.

The agreement tests keep the books of their games as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import Ledger
from loops import for_each
from positions import plain

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.events import Event
from acquire.game.board import lay_out
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.game.state import State
from acquire.game.tiles import connected, near
from reference.drivers import refereed
from reference.random_players import VARIED, RandomPlayers

EVERY_RULEBOOK = for_each("rulebook", RULEBOOKS.values(), ids=lambda book: book.id)


def games(rulebook: Rulebook, *, many: bool) -> Iterator[RandomPlayers]:
    """Games at every size of table, with players that often break a rule."""
    for seed in range(2_000_000, 2_000_200 if many else 2_000_005):
        tendencies = VARIED[seed % len(VARIED)]._replace(breaks=0.01 * (seed % 4))
        yield RandomPlayers(rulebook, seed, tendencies)


@EVERY_RULEBOOK
def test_no_tile_certificate_or_dollar_appears_or_is_lost(rulebook: Rulebook, soak: bool) -> None:
    ejected = 0
    for players in games(rulebook, many=soak):
        ledger = Ledger(rulebook, players.names)
        outcome, _ = refereed(players, ledger)
        assert ledger.turns == outcome.turns > 0
        ejected += len(outcome.ejected)
    assert ejected


@EVERY_RULEBOOK
def test_hotels_hang_together_and_touch_no_other_and_no_loose_tile(
    rulebook: Rulebook, soak: bool
) -> None:
    for players in games(rulebook, many=soak):
        for state, _ in positions(players):
            board = state.board
            for hotel in filter(None, board.hotels):
                assert connected(hotel & -hotel, hotel) == hotel
                assert hotel.bit_count() >= 2
                assert near(hotel) & board.occupied & ~hotel == 0
            assert board == lay_out(rulebook, board.loose, board.hotels)


@EVERY_RULEBOOK
def test_positions_stay_as_they_were_while_the_game_goes_on(rulebook: Rulebook, soak: bool) -> None:
    for players in games(rulebook, many=soak):
        for state, shown in positions(players):
            assert plain(state) == shown


def positions(players: RandomPlayers) -> list[tuple[State, object]]:
    """Play a game; return every position between two turns, with what it was then."""
    found: list[tuple[State, object]] = []

    def read(event: Event) -> None:
        if isinstance(event, events.TurnBegan | events.Ended):
            found.append((event.state, plain(event.state)))

    refereed(players, read)
    assert len(found) > 1
    return found
