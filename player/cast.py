"""The misbehaving players, each named for the step and the way in which it breaks, as data.

A member plays as ``ordered`` until it is at its step and its misdeed is possible there, misbehaves
once, and plays on as before if it may. Steps times ways (:data:`player.misdeeds.WAYS`) times the
messages that are not due there, and the moves that break a rule: a combination that no answer at
that step has room for does not come about, so nothing has to be excepted.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

from game.placement import Kind, Placement, hotel_choices, kind_of, playable
from game.purchase import Order, cost
from game.rulebook import REVISED
from game.state import State
from game.tiles import GRID, NEIGHBOURS, Mask, Tile, mask_of, tiles_in
from game.violation import Violation
from player.misdeeds import WAYS, Misdeed, Send, Way
from protocol import conversation, messages
from protocol.conversation import Side, allowed
from protocol.faults import Reason
from protocol.messages import TAGS, PlayerMessage
from protocol.writing import Writer

# -- the steps ----------------------------------------------------------------------------------


class Step(NamedTuple):
    """Where a player answers: when that is, in words and in the conversation.

    ``answer`` is a right answer that has every part which one can have there.
    """

    name: str
    when: str
    stands: conversation.Step
    answer: PlayerMessage


SIGNUP = Step("signup", "Signing up", conversation.Step.CONNECTED, messages.SignUp("x"))
SETUP = Step("setup", "Told the first state", conversation.Step.INFORMED, messages.Void())
FULL_TURN = messages.Pbuy(Placement(0, 0), (0, 0))
TURN = Step("turn", "Asked to move", conversation.Step.MOVING, FULL_TURN)
KEEP = Step("keep", "Asked what to keep", conversation.Step.KEEPING, messages.Kept((True,)))
ORDER = Step("order", "Asked to order", conversation.Step.ORDERING, messages.Order((0, 0)))
TILE = Step("tile", "Handed a tile", conversation.Step.DRAWING, messages.Void())
STATE = Step("state", "Told a later state", conversation.Step.INFORMED, messages.Void())
SCORE = Step("score", "Told the scores", conversation.Step.SCORED, messages.Void())

STEPS = (SIGNUP, SETUP, TURN, KEEP, ORDER, TILE, STATE, SCORE)


# -- a member -----------------------------------------------------------------------------------


class Moment(NamedTuple):
    """What a player knows when it is to answer.

    ``position`` is the one in which the mover places; ``ordering`` the one in which the order is
    given, after the placement. ``answer`` is the right one.
    """

    position: State
    ordering: State
    answer: PlayerMessage


Act: TypeAlias = Callable[[Moment], PlayerMessage | Misdeed | None]
"""What a member does at its moment; ``None`` where its misdeed is not possible."""


class Member(NamedTuple):
    """One misbehaving player; ``reason`` and ``violation`` are what it is to be ejected for."""

    step: Step
    way: str
    reason: Reason
    violation: Violation | None
    summary: str
    act: Act

    @property
    def name(self) -> str:
        """The step and the way: ``turn-silent``."""
        return f"{self.step.name}-{self.way}"

    @property
    def description(self) -> str:
        """When it does what, in one sentence."""
        return f"{self.step.when}, {self.summary}."


# -- ways that need no knowledge of the game ----------------------------------------------------

_WRITER = Writer(REVISED)


def _spoiling(way: Way) -> Act:
    return lambda moment: way.act(_WRITER.write(moment.answer))


def _wire_members(step: Step) -> Iterator[Member]:
    for way in WAYS:
        if way.act(_WRITER.write(step.answer)) is not None:
            yield Member(step, way.name, way.reason, None, way.summary, _spoiling(way))


def _saying(message: PlayerMessage) -> Act:
    return lambda _: Send(_WRITER.write(message))


def _not_due_members(step: Step) -> Iterator[Member]:
    known = [*(other.answer for other in STEPS), messages.Merge(Placement(0))]
    for tag, message in {TAGS[type(message)]: message for message in known}.items():
        if tag not in allowed(step.stands, Side.PLAYER):
            summary = f"says <{tag}>, which is not due"
            yield Member(step, f"says-{tag}", Reason.OUT_OF_TURN, None, summary, _saying(message))


# -- placements that break a rule ---------------------------------------------------------------


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
    size = state.board.size
    for tile in tiles_in(state.mover.hand):
        touched = sorted(state.board.touched(tile), key=size)
        if len(touched) > 1 and not NEIGHBOURS[tile] & state.board.loose:
            survivor = touched[-1]
            if size(survivor) >= state.rulebook.safe_size:
                yield messages.Merge(Placement(tile, survivor))


def _founds_unnamed(state: State) -> Iterator[PlayerMessage]:
    return _bare(_hand(state, Kind.FOUNDING))


def _merges_unnamed(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.MERGING):
        yield messages.Merge(Placement(tile))


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


def _not_involved(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.MERGING):
        for hotel in range(len(state.board.hotels)):
            if hotel not in state.board.touched(tile):
                yield messages.Merge(Placement(tile, hotel))


def _not_largest(state: State) -> Iterator[PlayerMessage]:
    for tile in _hand(state, Kind.MERGING):
        for hotel in state.board.touched(tile):
            if hotel not in hotel_choices(state.board, tile):
                yield messages.Merge(Placement(tile, hotel))


PlacementFoul: TypeAlias = tuple[str, Violation, Callable[[State], Iterator[PlayerMessage]], str]

_V = Violation

PLACEMENTS: tuple[PlacementFoul, ...] = (
    ("tile-not-in-hand", _V.NOT_IN_HAND, _not_in_hand, "places a tile that is in the bag"),
    ("tile-of-another", _V.NOT_IN_HAND, _of_another, "places another player's tile"),
    ("tile-on-board", _V.NOT_IN_HAND, _on_board, "places a tile that is on the board"),
    ("beside-loose", _V.BESIDE_LOOSE, _beside_loose, "joins a loose tile to a hotel"),
    ("safe-merger", _V.SAFE_MERGER, _safe_merger, "merges a safe hotel"),
    ("founds-unnamed", _V.NO_HOTEL_NAMED, _founds_unnamed, "founds a hotel and names none"),
    ("merges-unnamed", _V.NO_HOTEL_NAMED, _merges_unnamed, "merges hotels and names none"),
    ("names-for-growing", _V.HOTEL_NOT_DUE, _names_for_growing, "names the hotel that grows"),
    ("names-for-nothing", _V.HOTEL_NOT_DUE, _names_for_nothing, "names a hotel for a loose tile"),
    ("founds-an-eighth", _V.HOTEL_NOT_DUE, _founds_an_eighth, "founds one more than there are"),
    ("founds-again", _V.HOTEL_ON_BOARD, _founds_again, "founds a hotel that is on the board"),
    ("merges-nothing", _V.NOT_A_MERGER, _merges_nothing, "sends a placement alone, no merger"),
    ("merges-with-order", _V.MERGER_WITH_ORDER, _merges_with_order, "orders along with a merger"),
    ("survivor-not-involved", _V.NOT_INVOLVED, _not_involved, "names a survivor not involved"),
    ("survivor-not-largest", _V.NOT_LARGEST, _not_largest, "names a survivor not the largest"),
)
"""Way, the rule broken, the answers that break it in a position, and the way in words."""


def _placing(find: Callable[[State], Iterator[PlayerMessage]]) -> Act:
    return lambda moment: next(find(moment.position), None)


# -- orders that break a rule -------------------------------------------------------------------


def _priced(state: State) -> list[int]:
    return [hotel for hotel in range(len(state.bank)) if state.price(hotel)]


def _mixed(state: State) -> Iterator[Order]:
    for order in combinations(_priced(state), 2):
        if all(state.bank[hotel] for hotel in order) and cost(state, order) <= state.mover.cash:
            yield order


def _unpriced(state: State) -> Iterator[Order]:
    for hotel in range(len(state.bank)):
        if not state.price(hotel):
            yield (hotel,)


def _sold_out(state: State) -> Iterator[Order]:
    for hotel in _priced(state):
        order = (hotel,) * (state.bank[hotel] + 1)
        if len(order) <= state.rulebook.order_limit and cost(state, order) <= state.mover.cash:
            yield order


def _too_dear(state: State) -> Iterator[Order]:
    for hotel in _priced(state):
        for count in range(1, min(state.bank[hotel], state.rulebook.order_limit) + 1):
            if count * state.price(hotel) > state.mover.cash:
                yield (hotel,) * count


OrderFoul: TypeAlias = tuple[str, Violation, Callable[[State], Iterator[Order]], str]

ORDERS: tuple[OrderFoul, ...] = (
    ("mixed", _V.MIXED_ORDER, _mixed, "orders certificates of two hotels"),
    ("no-price", _V.NO_PRICE, _unpriced, "orders a certificate that has no price"),
    ("sold-out", _V.SOLD_OUT, _sold_out, "orders more than the bank has"),
    ("too-dear", _V.TOO_DEAR, _too_dear, "orders more than the cash can pay"),
)
"""As for the placements; an order goes with a placement, or by itself after a merger."""


def _ordering(find: Callable[[State], Iterator[Order]]) -> Act:
    def act(moment: Moment) -> PlayerMessage | None:
        for order in find(moment.ordering):
            match moment.answer:
                case messages.Pbuy(placement):
                    return messages.Pbuy(placement, order)
                case messages.Order():
                    return messages.Order(order)
        return None

    return act


# -- decisions that break a rule ----------------------------------------------------------------

MOST_ACQUIRED = 3
"""A tile has four neighbours, and one of the hotels beside it survives."""


def _deciding(by: int) -> Act:
    """Decide on more hotels than were acquired, or less, where the schema takes it."""

    def act(moment: Moment) -> PlayerMessage | None:
        assert isinstance(moment.answer, messages.Kept)
        count = len(moment.answer.decisions) + by
        return messages.Kept((True,) * count) if 1 <= count <= MOST_ACQUIRED else None

    return act


# -- the cast -----------------------------------------------------------------------------------


def _illegal_members() -> Iterator[Member]:
    illegal = Reason.ILLEGAL
    for way, violation, find, summary in PLACEMENTS:
        yield Member(TURN, way, illegal, violation, summary, _placing(find))
    for step in (TURN, ORDER):
        for way, violation, find_order, summary in ORDERS:
            yield Member(step, way, illegal, violation, summary, _ordering(find_order))
    for way, by, than in (("one-too-many", 1, "more"), ("one-too-few", -1, "less")):
        summary = f"decides on one hotel {than} than was acquired"
        yield Member(KEEP, way, illegal, _V.KEEP_COUNT, summary, _deciding(by))


def _members() -> Iterator[Member]:
    for step in STEPS:
        yield from _wire_members(step)
        yield from _not_due_members(step)
    yield from _illegal_members()


CAST: dict[str, Member] = {member.name: member for member in _members()}
"""Every misbehaving player, by name."""

EXPECTED: dict[str, Reason] = {name: member.reason for name, member in CAST.items()}
"""What each of them is to be ejected for."""

VIOLATIONS: dict[str, Violation] = {
    name: member.violation for name, member in CAST.items() if member.violation is not None
}
"""The rule that each of those breaks whose move is illegal."""
