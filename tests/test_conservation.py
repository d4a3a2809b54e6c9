"""What no game may break, whatever the players choose, and whoever breaks a rule when.

That no tile, certificate or dollar appears or is lost, the agreement tests see in their games.
"""

from __future__ import annotations

from collections.abc import Iterator

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
def test_hotels_hang_together_and_positions_stay_as_they_were(
    rulebook: Rulebook, soak: bool
) -> None:
    """A hotel touches no other and no loose tile, and what follows changes no earlier position."""
    for players in games(rulebook, many=soak):
        for state, shown in positions(players):
            board = state.board
            for hotel in filter(None, board.hotels):
                assert connected(hotel & -hotel, hotel) == hotel
                assert hotel.bit_count() >= 2
                assert near(hotel) & board.occupied & ~hotel == 0
            assert board == lay_out(rulebook, board.loose, board.hotels)
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
