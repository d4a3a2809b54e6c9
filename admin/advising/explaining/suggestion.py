"""One correct answer: close to the one given, if that could be parsed."""

from ....game.disposal import TRADED_FOR_ONE
from ....game.placement import Kind, Placement, kind_of, legal_placements, place
from ....game.purchase import Order, verify_order
from ....game.state import State
from ....game.turn import verify_declaration
from ....protocol import messages
from ....protocol.messages import PlayerMessage
from .alternatives import NEW_HAND, VOID, Situation, market_placements


def suggest(situation: Situation, received: PlayerMessage | None) -> PlayerMessage:
    """Return a correct answer, close to the one received, which is ``None`` if not parsed."""
    state = situation.state
    match situation.question:
        case messages.Turn() | messages.TurnView():
            return _turn(state, received)
        case messages.Replace():
            return received if isinstance(received, messages.ReplaceAnswer) else NEW_HAND
        case messages.Players() | messages.PlayersView():
            hotels, end = _order_in(received)
            return messages.Order(affordable(state, hotels), _may_end(state, state, end))
        case messages.Keep(hotels):
            return _keep(len(hotels), received)
        case messages.Dispose() as question:
            return _disposal(state, situation.name, question, received)
        case messages.MarketMerger(tile):
            options = market_placements(state, tile)
            return messages.Merge(_nearest(options, _placement_in(received)))
    return VOID


def affordable(state: State, order: Order) -> Order:
    """Return as much of an order, from its beginning, as is legal."""
    kept: Order = ()
    for hotel in order:
        if verify_order(state, (*kept, hotel)) is None:
            kept = (*kept, hotel)
    return kept


def _may_end(state: State, begun: State, end: bool) -> bool:
    return end and verify_declaration(state, begun) is None


def _placement_in(received: PlayerMessage | None) -> Placement | None:
    return received.placement if isinstance(received, messages.Pbuy | messages.Merge) else None


def _order_in(received: PlayerMessage | None) -> tuple[Order, bool]:
    match received:
        case messages.Pbuy(_, order, end):
            return order, end
        case messages.Order(hotels, end):
            return hotels, end
    return (), False


def _nearest(options: list[Placement], wanted: Placement | None) -> Placement:
    """Return the very placement if it is legal, else one with its hotel, or its tile, or any."""
    if wanted is None:
        return options[0]
    return max(
        options,
        key=lambda option: (
            option.tile == wanted.tile,
            option.hotel == wanted.hotel,
            option.equals == wanted.equals,
            not option.equals,
        ),
    )


def _turn(state: State, received: PlayerMessage | None) -> PlayerMessage:
    order, end = _order_in(received)
    options = legal_placements(state)
    if not options:
        return messages.Pbuy(None, affordable(state, order), _may_end(state, state, end))
    placement = _nearest(options, _placement_in(received))
    if kind_of(state.board, placement.tile) is Kind.MERGING:
        return messages.Merge(placement)
    placed = place(state, placement)
    return messages.Pbuy(placement, affordable(placed, order), _may_end(placed, state, end))


def _keep(count: int, received: PlayerMessage | None) -> PlayerMessage:
    decisions = received.decisions if isinstance(received, messages.KeepAnswer) else ()
    return messages.KeepAnswer((decisions + (True,) * count)[:count])


def _disposal(
    state: State, player: str, question: messages.Dispose, received: PlayerMessage | None
) -> PlayerMessage:
    wanted = messages.DisposeAnswer(0, 0)
    if isinstance(received, messages.DisposeAnswer):
        wanted = received
    owned = state.player(player).shares[question.hotel]
    pairs = min(wanted.trade, owned) // TRADED_FOR_ONE
    trade = TRADED_FOR_ONE * min(pairs, state.bank[question.survivor])
    return messages.DisposeAnswer(min(wanted.sell, owned - trade), trade)
