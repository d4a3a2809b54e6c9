"""The placements that break a rule, of the mover's own tiles and of the market's."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from game.placement import (
    Kind,
    Placement,
    equal_acquired,
    hotel_choices,
    kind_of,
    playable,
)
from game.rulebook import (
    EighthHotel,
    EqualAcquired,
    ForbiddenMerger,
    Hands,
    LooseNeighbours,
    Rulebook,
    StuckHand,
)
from game.state import State
from game.tiles import GRID, NEIGHBOURS, Mask, Tile, mask_of, tiles_in
from game.violation import Violation
from player.fouls import MOST_ACQUIRED, Foul, Moment
from protocol import messages
from protocol.messages import PlayerMessage

_V = Violation


def _bare(tiles: Iterable[Tile]) -> Iterator[PlayerMessage]:
    for tile in tiles:
        yield messages.Pbuy(Placement(tile), ())


def _hand(state: State, kind: Kind) -> Iterator[Tile]:
    """List the tiles that the mover can place and that do this."""
    for tile in tiles_in(playable(state)):
        if kind_of(state.board, tile) is kind:
            yield tile


def _others_hands(state: State) -> Mask:
    return mask_of([tile for player in state.players[1:] for tile in tiles_in(player.hand)])


def _not_in_hand(state: State) -> Iterator[PlayerMessage]:
    known = state.board.occupied | _others_hands(state) | state.mover.hand
    return _bare(tiles_in(GRID & ~known))


def _of_another(state: State) -> Iterator[PlayerMessage]:
    return _bare(tiles_in(_others_hands(state)))


def _on_board(state: State) -> Iterator[PlayerMessage]:
    return _bare(tiles_in(state.board.occupied))


def _beside_loose(state: State) -> Iterator[PlayerMessage]:
    for tile in tiles_in(state.mover.hand):
        if NEIGHBOURS[tile] & state.board.loose and len(state.board.touched(tile)) == 1:
            yield messages.Pbuy(Placement(tile), ())


def _safe_merger(state: State) -> Iterator[PlayerMessage]:
    size, rulebook = state.board.size, state.rulebook
    at_once = rulebook.loose_neighbours is LooseNeighbours.REFUSED
    for tile in tiles_in(state.mover.hand):
        touched = sorted(state.board.touched(tile), key=size)
        if len(touched) < 2 or (at_once and NEIGHBOURS[tile] & state.board.loose):
            continue
        least = touched[-1 if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE else -2]
        if size(least) >= rulebook.safe_size:
            yield messages.Merge(Placement(tile, touched[-1]))


def _places_an_eighth(state: State) -> Iterator[PlayerMessage]:
    if 0 not in state.board.sizes:
        for tile in tiles_in(state.mover.hand & ~state.board.beside):
            if NEIGHBOURS[tile] & state.board.loose:
                yield messages.Pbuy(Placement(tile), ())


def _founds_unnamed(state: State) -> Iterator[PlayerMessage]:
    return _bare(_hand(state, Kind.FOUNDING))


def _names_for_growing(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.GROWING):
        yield messages.Pbuy(Placement(tile, state.board.touched(tile)[0]), ())


def _names_for_nothing(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.SINGLETON):
        if not NEIGHBOURS[tile] & state.board.loose:
            yield messages.Pbuy(Placement(tile, 0), ())


def _founds_an_eighth(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.SINGLETON):
        if NEIGHBOURS[tile] & state.board.loose:
            yield messages.Pbuy(Placement(tile, 0), ())


def _founds_again(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.FOUNDING):
        for hotel, tiles in enumerate(state.board.hotels):
            if tiles:
                yield messages.Pbuy(Placement(tile, hotel), ())


def _merges_nothing(state: State) -> Iterator[PlayerMessage]:
    for tile in tiles_in(playable(state)):
        if kind_of(state.board, tile) is not Kind.MERGING:
            yield messages.Merge(Placement(tile, hotel_choices(state.board, tile)[0]))


def _merges_with_order(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.MERGING):
        yield messages.Pbuy(Placement(tile, hotel_choices(state.board, tile)[0]), ())


def _unnamed(state: State, tile: Tile) -> Iterator[PlayerMessage]:
    yield messages.Merge(Placement(tile))


def _not_involved(state: State, tile: Tile) -> Iterator[PlayerMessage]:
    for hotel in range(len(state.board.hotels)):
        if hotel not in state.board.touched(tile):
            yield messages.Merge(Placement(tile, hotel))


def _not_largest(state: State, tile: Tile) -> Iterator[PlayerMessage]:
    for hotel in state.board.touched(tile):
        if hotel not in hotel_choices(state.board, tile):
            yield messages.Merge(Placement(tile, hotel))


def _wrong_equals(state: State, tile: Tile) -> Iterator[PlayerMessage]:
    survivor = hotel_choices(state.board, tile)[0]
    assert survivor is not None, "a merger has one"
    due = equal_acquired(state.board, tile, survivor)
    for wrong in ((survivor,), tuple(due[:1]), tuple(due + due[:1])):
        if wrong and len(wrong) <= MOST_ACQUIRED:
            yield messages.Merge(Placement(tile, survivor, wrong))


def _places_none(state: State) -> Iterator[PlayerMessage]:
    if playable(state):
        yield messages.Pbuy(None, ())


Find: TypeAlias = Callable[[Moment], Iterator[PlayerMessage]]
ByTile: TypeAlias = Callable[[State, Tile], Iterator[PlayerMessage]]
"""From a position and a tile that merges in it to placements of that tile."""


def _in(find: Callable[[State], Iterator[PlayerMessage]]) -> Find:
    """Look in the position before the turn."""
    return lambda moment: find(moment.position)


def _by_hand(find: ByTile) -> Find:
    """Merge by a tile of the hand."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        for tile in _hand(moment.position, Kind.MERGING):
            yield from find(moment.position, tile)

    return answers


def _by_market(find: ByTile) -> Find:
    """Merge by the market's tile, which is asked about."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        question = moment.question
        assert isinstance(question, messages.MarketMerger)
        return find(moment.position._replace(board=question.view.board), question.tile)

    return answers


def _loose_refused(rulebook: Rulebook) -> bool:
    return rulebook.loose_neighbours is LooseNeighbours.REFUSED


def _eighth_refused(rulebook: Rulebook) -> bool:
    return rulebook.eighth_hotel is EighthHotel.REFUSED


def _others_are_seen(rulebook: Rulebook) -> bool:
    return rulebook.hands is Hands.OPEN


def _orders_equals(rulebook: Rulebook) -> bool:
    return rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS


def _mergers(by: Callable[[ByTile], Find]) -> tuple[Foul, ...]:
    """Return the wrong ways to name the hotels of a merger."""
    return (
        Foul("merges-unnamed", _V.NO_HOTEL_NAMED, by(_unnamed), "merges hotels and names none"),
        Foul(
            "survivor-not-involved",
            _V.NOT_INVOLVED,
            by(_not_involved),
            "names a survivor not involved",
        ),
        Foul(
            "survivor-not-largest",
            _V.NOT_LARGEST,
            by(_not_largest),
            "names a survivor not the largest",
        ),
        Foul(
            "equals-wrong",
            _V.WRONG_EQUALS,
            by(_wrong_equals),
            "orders hotels that are not the equal acquired ones",
            _orders_equals,
        ),
    )


PLACEMENTS: tuple[Foul, ...] = (
    Foul(
        "tile-not-in-hand",
        _V.NOT_IN_HAND,
        _in(_not_in_hand),
        "places a tile that is nowhere to be seen",
    ),
    Foul(
        "tile-of-another",
        _V.NOT_IN_HAND,
        _in(_of_another),
        "places another player's tile",
        _others_are_seen,
    ),
    Foul("tile-on-board", _V.NOT_IN_HAND, _in(_on_board), "places a tile that is on the board"),
    Foul(
        "beside-loose",
        _V.BESIDE_LOOSE,
        _in(_beside_loose),
        "joins a loose tile to a hotel",
        _loose_refused,
    ),
    Foul(
        "safe-merger",
        _V.SAFE_MERGER,
        _in(_safe_merger),
        "merges a safe hotel",
        lambda rulebook: rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE,
    ),
    Foul(
        "merges-two-safe",
        _V.TWO_SAFE,
        _in(_safe_merger),
        "merges two safe hotels",
        lambda rulebook: rulebook.forbidden_merger is ForbiddenMerger.TWO_SAFE,
    ),
    Foul(
        "places-an-eighth",
        _V.EIGHTH_HOTEL,
        _in(_places_an_eighth),
        "places a tile that would found one more than there are",
        _eighth_refused,
    ),
    Foul(
        "founds-unnamed", _V.NO_HOTEL_NAMED, _in(_founds_unnamed), "founds a hotel and names none"
    ),
    Foul(
        "names-for-growing", _V.HOTEL_NOT_DUE, _in(_names_for_growing), "names the hotel that grows"
    ),
    Foul(
        "names-for-nothing",
        _V.HOTEL_NOT_DUE,
        _in(_names_for_nothing),
        "names a hotel for a loose tile",
    ),
    Foul(
        "founds-an-eighth",
        _V.HOTEL_NOT_DUE,
        _in(_founds_an_eighth),
        "founds one more than there are",
        lambda rulebook: not _eighth_refused(rulebook),
    ),
    Foul(
        "founds-again", _V.HOTEL_ON_BOARD, _in(_founds_again), "founds a hotel that is on the board"
    ),
    Foul(
        "merges-nothing",
        _V.NOT_A_MERGER,
        _in(_merges_nothing),
        "sends a placement alone, no merger",
    ),
    Foul(
        "merges-with-order",
        _V.MERGER_WITH_ORDER,
        _in(_merges_with_order),
        "orders along with a merger",
    ),
    *_mergers(_by_hand),
    Foul(
        "places-none",
        _V.PLACEMENT_DUE,
        _in(_places_none),
        "places nothing although it can",
        lambda rulebook: rulebook.stuck_hand is not StuckHand.ENDS_GAME,
    ),
)

# -- placements of the market's tile ------------------------------------------------------------


def _another_tile(state: State, tile: Tile) -> Iterator[PlayerMessage]:
    for other in tiles_in(state.mover.hand):
        yield messages.Merge(Placement(other, hotel_choices(state.board, tile)[0]))


MARKET: tuple[Foul, ...] = (
    Foul("another-tile", _V.OTHER_TILE, _by_market(_another_tile), "places a tile of its own"),
    *_mergers(_by_market),
)
