"""Placements that break a rule, of the mover's own tiles and of the market's."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from ...game.placement import Kind, Placement, equal_acquired, hotel_choices, kind_of, playable
from ...game.rulebook import (
    EighthHotel,
    EqualAcquired,
    ForbiddenMerger,
    Hands,
    LooseNeighbours,
    Rulebook,
    StuckHand,
)
from ...game.state import State
from ...game.tiles import GRID, NEIGHBOURS, Mask, Tile, mask_of, tiles_in
from ...game.violation import Violation
from ...protocol import messages
from ...protocol.messages import PlayerMessage
from .illegal_move import MAX_ACQUIRED, Find, IllegalMove, Moment

_V = Violation


def _unnamed_placements(tiles: Iterable[Tile]) -> Iterator[PlayerMessage]:
    for tile in tiles:
        yield messages.Pbuy(Placement(tile), ())


def _playable_of_kind(state: State, kind: Kind) -> Iterator[Tile]:
    """List the mover's playable tiles with this effect."""
    for tile in tiles_in(playable(state)):
        if kind_of(state.board, tile) is kind:
            yield tile


def _visible_hands_of_others(state: State) -> Mask:
    return mask_of([tile for player in state.players[1:] for tile in tiles_in(player.hand)])


def _in_no_hand(state: State) -> Iterator[PlayerMessage]:
    known = state.board.occupied | _visible_hands_of_others(state) | state.mover.hand
    return _unnamed_placements(tiles_in(GRID & ~known))


def _in_hand_of_another(state: State) -> Iterator[PlayerMessage]:
    return _unnamed_placements(tiles_in(_visible_hands_of_others(state)))


def _on_board(state: State) -> Iterator[PlayerMessage]:
    return _unnamed_placements(tiles_in(state.board.occupied))


def _beside_loose(state: State) -> Iterator[PlayerMessage]:
    for tile in tiles_in(state.mover.hand):
        if NEIGHBOURS[tile] & state.board.loose and len(state.board.touched(tile)) == 1:
            yield messages.Pbuy(Placement(tile), ())


def _forbidden_mergers(state: State) -> Iterator[PlayerMessage]:
    size, rulebook = state.board.size, state.rulebook
    for tile in tiles_in(state.mover.hand):
        touched = sorted(state.board.touched(tile), key=size)
        if len(touched) < 2 or (_loose_refused(rulebook) and NEIGHBOURS[tile] & state.board.loose):
            continue
        # The merger is forbidden when its largest hotel is safe, or when its two largest are.
        decisive = touched[-1 if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE else -2]
        if size(decisive) >= rulebook.safe_size:
            yield messages.Merge(Placement(tile, touched[-1]))


def _places_an_eighth(state: State) -> Iterator[PlayerMessage]:
    if 0 not in state.board.sizes:
        for tile in tiles_in(state.mover.hand & ~state.board.beside):
            if NEIGHBOURS[tile] & state.board.loose:
                yield messages.Pbuy(Placement(tile), ())


def _founds_unnamed(state: State) -> Iterator[PlayerMessage]:
    return _unnamed_placements(_playable_of_kind(state, Kind.FOUNDING))


def _names_for_growing(state: State) -> Iterator[PlayerMessage]:
    for tile in _playable_of_kind(state, Kind.GROWING):
        yield messages.Pbuy(Placement(tile, state.board.touched(tile)[0]), ())


def _names_for_nothing(state: State) -> Iterator[PlayerMessage]:
    for tile in _playable_of_kind(state, Kind.SINGLETON):
        if not NEIGHBOURS[tile] & state.board.loose:
            yield messages.Pbuy(Placement(tile, 0), ())


def _founds_an_eighth(state: State) -> Iterator[PlayerMessage]:
    for tile in _playable_of_kind(state, Kind.SINGLETON):
        if NEIGHBOURS[tile] & state.board.loose:
            yield messages.Pbuy(Placement(tile, 0), ())


def _founds_again(state: State) -> Iterator[PlayerMessage]:
    for tile in _playable_of_kind(state, Kind.FOUNDING):
        for hotel, tiles in enumerate(state.board.hotels):
            if tiles:
                yield messages.Pbuy(Placement(tile, hotel), ())


def _merges_nothing(state: State) -> Iterator[PlayerMessage]:
    for tile in tiles_in(playable(state)):
        if kind_of(state.board, tile) is not Kind.MERGING:
            yield messages.Merge(Placement(tile, hotel_choices(state.board, tile)[0]))


def _merges_with_order(state: State) -> Iterator[PlayerMessage]:
    for tile in _playable_of_kind(state, Kind.MERGING):
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
    assert survivor is not None, "a merger has a survivor"
    expected = equal_acquired(state.board, tile, survivor)
    for wrong in ((survivor,), tuple(expected[:1]), tuple(expected + expected[:1])):
        if wrong and len(wrong) <= MAX_ACQUIRED:
            yield messages.Merge(Placement(tile, survivor, wrong))


def _places_none(state: State) -> Iterator[PlayerMessage]:
    if playable(state):
        yield messages.Pbuy(None, ())


FindByTile: TypeAlias = Callable[[State, Tile], Iterator[PlayerMessage]]
"""From a position and a tile that merges in it to illegal placements of that tile."""


def _in(find: Callable[[State], Iterator[PlayerMessage]]) -> Find:
    """Look in the position before the turn."""
    return lambda moment: find(moment.position)


def _by_hand(find: FindByTile) -> Find:
    """Merge with a tile from the hand."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        for tile in _playable_of_kind(moment.position, Kind.MERGING):
            yield from find(moment.position, tile)

    return answers


def _by_market(find: FindByTile) -> Find:
    """Merge with the market's tile, which is the question."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        question = moment.question
        assert isinstance(question, messages.MarketMerger)
        return find(moment.position._replace(board=question.view.board), question.tile)

    return answers


def _loose_refused(rulebook: Rulebook) -> bool:
    return rulebook.loose_neighbours is LooseNeighbours.REFUSED


def _eighth_refused(rulebook: Rulebook) -> bool:
    return rulebook.eighth_hotel is EighthHotel.REFUSED


def _hands_are_open(rulebook: Rulebook) -> bool:
    return rulebook.hands is Hands.OPEN


def _placer_orders_equals(rulebook: Rulebook) -> bool:
    return rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS


def _mergers(by: Callable[[FindByTile], Find]) -> tuple[IllegalMove, ...]:
    """Return the illegal ways to name the hotels of a merger."""
    return (
        IllegalMove(
            "merges-unnamed", _V.NO_HOTEL_NAMED, by(_unnamed), "merges hotels and names none"
        ),
        IllegalMove(
            "survivor-not-involved",
            _V.NOT_INVOLVED,
            by(_not_involved),
            "names a survivor that does not take part in the merger",
        ),
        IllegalMove(
            "survivor-not-largest",
            _V.NOT_LARGEST,
            by(_not_largest),
            "names a survivor that is not the largest hotel",
        ),
        IllegalMove(
            "equals-wrong",
            _V.WRONG_EQUALS,
            by(_wrong_equals),
            "orders hotels that are not acquired and equal in size",
            _placer_orders_equals,
        ),
    )


ILLEGAL_PLACEMENTS: tuple[IllegalMove, ...] = (
    IllegalMove(
        "tile-not-in-hand",
        _V.NOT_IN_HAND,
        _in(_in_no_hand),
        "places a tile that is in no visible hand",
    ),
    IllegalMove(
        "tile-of-another",
        _V.NOT_IN_HAND,
        _in(_in_hand_of_another),
        "places another player's tile",
        _hands_are_open,
    ),
    IllegalMove(
        "tile-on-board", _V.NOT_IN_HAND, _in(_on_board), "places a tile that is on the board"
    ),
    IllegalMove(
        "beside-loose",
        _V.BESIDE_LOOSE,
        _in(_beside_loose),
        "places a tile beside a hotel and a loose tile",
        _loose_refused,
    ),
    IllegalMove(
        "safe-merger",
        _V.SAFE_MERGER,
        _in(_forbidden_mergers),
        "merges a safe hotel",
        lambda rulebook: rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE,
    ),
    IllegalMove(
        "merges-two-safe",
        _V.TWO_SAFE,
        _in(_forbidden_mergers),
        "merges two safe hotels",
        lambda rulebook: rulebook.forbidden_merger is ForbiddenMerger.TWO_SAFE,
    ),
    IllegalMove(
        "places-an-eighth",
        _V.EIGHTH_HOTEL,
        _in(_places_an_eighth),
        "places a tile that would found an eighth hotel",
        _eighth_refused,
    ),
    IllegalMove(
        "founds-unnamed", _V.NO_HOTEL_NAMED, _in(_founds_unnamed), "founds a hotel and names none"
    ),
    IllegalMove(
        "names-for-growing", _V.HOTEL_NOT_DUE, _in(_names_for_growing), "names the hotel that grows"
    ),
    IllegalMove(
        "names-for-nothing",
        _V.HOTEL_NOT_DUE,
        _in(_names_for_nothing),
        "names a hotel for a loose tile",
    ),
    IllegalMove(
        "founds-an-eighth",
        _V.HOTEL_NOT_DUE,
        _in(_founds_an_eighth),
        "names a hotel to found when all seven are on the board",
        lambda rulebook: not _eighth_refused(rulebook),
    ),
    IllegalMove(
        "founds-again", _V.HOTEL_ON_BOARD, _in(_founds_again), "founds a hotel that is on the board"
    ),
    IllegalMove(
        "merges-nothing",
        _V.NOT_A_MERGER,
        _in(_merges_nothing),
        "sends a bare placement that is not a merger",
    ),
    IllegalMove(
        "merges-with-order",
        _V.MERGER_WITH_ORDER,
        _in(_merges_with_order),
        "sends an order together with a merger",
    ),
    *_mergers(_by_hand),
    IllegalMove(
        "places-none",
        _V.PLACEMENT_DUE,
        _in(_places_none),
        "places nothing although it has a playable tile",
        lambda rulebook: rulebook.stuck_hand is not StuckHand.ENDS_GAME,
    ),
)

# -- placements of the market's tile ------------------------------------------------------------


def _another_tile(state: State, tile: Tile) -> Iterator[PlayerMessage]:
    for other in tiles_in(state.mover.hand):
        yield messages.Merge(Placement(other, hotel_choices(state.board, tile)[0]))


ILLEGAL_MARKET_MERGERS: tuple[IllegalMove, ...] = (
    IllegalMove(
        "another-tile", _V.OTHER_TILE, _by_market(_another_tile), "places a tile of its own"
    ),
    *_mergers(_by_market),
)
