"""Playing on from a position by quick, simple choices, to see where it leads.

Each player takes the tile that promises the largest lead before any order, then the most profitable
orders one after the other; likely mergers are not looked for. A round costs about as much as a
single decision of ``planner``.
"""

from ...game.drawing import refill, replace_hand
from ...game.merger import merge
from ...game.placement import Kind, Placement, hotel_choices, kind_of, place, playable
from ...game.purchase import Order, buy
from ...game.rulebook import EmptyBag
from ...game.state import State
from ...game.tiles import tiles_in
from ...game.tuples import add
from ...game.turn import declared_ending, ending, pass_turn, pay_out
from .outlook import Outlook, lead_of
from .planner import settle


def playout(outlook: Outlook, state: State, order: Order, begun: State) -> float:
    """Return the mover's lead after an order, when it is to move again or the game is over.

    ``state`` is after the placement, with all hands and a bag; ``begun`` is before it.
    """
    name = state.mover.name
    state, over = end_turn(buy(state, order), begun)
    for _ in range(len(state.players) - 1):
        if over:
            break
        begun = replace_hand(state).state
        placed = after_quick_placement(outlook, begun) if playable(begun) else begun
        state, over = end_turn(buy(placed, quick_order(outlook, placed)), begun)
    if not over:
        return outlook.lead(state, name, outlook.chances(state))
    scores = dict(pay_out(state).scores)
    return lead_of([*scores.values()], [*scores].index(name))


def end_turn(state: State, begun: State) -> tuple[State, bool]:
    """Let the mover declare the end or draw; return the next position, and whether it is the end.

    The mover declares the end if nobody would have more money.
    """
    if declared_ending(state, begun) is not None:
        (_, own), *others = pay_out(state).scores
        if all(own >= score for _, score in others):
            return state, True
    drawn = refill(state)
    hand = drawn.state.mover.hand
    after = pass_turn(drawn.state, idle=hand == begun.mover.hand)
    rulebook = state.rulebook
    short = not drawn.tiles and hand.bit_count() < rulebook.hand_size
    over = short and rulebook.empty_bag is EmptyBag.ENDS_GAME
    return after, over or ending(after) is not None


def after_quick_placement(outlook: Outlook, state: State) -> State:
    """Return the position after the placement that promises the mover the largest lead."""
    return _quick_choice(outlook, state)[1]


def quick_placement(outlook: Outlook, state: State) -> Placement:
    """Return the placement that promises the mover the largest lead before any order."""
    return _quick_choice(outlook, state)[0]


def _quick_choice(outlook: Outlook, state: State) -> tuple[Placement, State]:
    board, name = state.board, state.mover.name
    unchanged: float | None = None
    best: tuple[float, Placement, State] | None = None
    for tile in tiles_in(playable(state)):
        kind = kind_of(board, tile)
        for hotel in hotel_choices(board, tile):
            placement = Placement(tile, hotel)
            if kind is Kind.MERGING:
                after = settle(outlook, merge(state, placement))
            else:
                after = place(state, placement)
            if kind is not Kind.SINGLETON:
                lead = outlook.lead(after, name)
            elif unchanged is None:
                lead = unchanged = outlook.lead(after, name)
            else:
                lead = unchanged  # such a tile changes no hotel
            if best is None or lead > best[0]:
                best = (lead, placement, after)
    assert best is not None, "a tile is playable"
    return best[1:]


def quick_order(outlook: Outlook, state: State) -> Order:
    """Return an order for the mover: hotel by hotel, the most profitable first."""
    rulebook, sizes, players = state.rulebook, state.board.sizes, state.players
    options = []
    for hotel, left in enumerate(state.bank):
        price = rulebook.prices[hotel][sizes[hotel]]
        most = min(left, rulebook.order_limit, players[0].cash // price) if price else 0
        if not most:
            continue
        held = tuple([player.shares[hotel] for player in players])
        before = lead_of(outlook.values(state.board, hotel, held, None), 0)
        for count in range(1, most + 1):
            more = outlook.values(state.board, hotel, add(held, 0, count), None)
            options.append(((lead_of(more, 0) - before) / count, count, hotel, price))
    order: Order = ()
    cash = players[0].cash
    for gain, count, hotel, price in sorted(options, reverse=True):
        left = cash - count * price
        if left < 0 or hotel in order or len(order) + count > rulebook.order_limit:
            continue
        if gain * count > outlook.cash(cash) - outlook.cash(left):
            order, cash = order + (hotel,) * count, left
            if not rulebook.mixed_orders:
                break
    return order
