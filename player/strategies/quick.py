"""Quick, simple choices, to see where a position leads, and the players for the analysis of a game.

In a playout each player takes the tile that promises the largest lead before any order, then the
most profitable orders one after the other; likely mergers are not looked for. A round costs about
as much as a single decision of ``planner``.

Analysts play on from a decision, and estimate its options: ``Careful`` chooses as ``planner``,
``Quick`` by the quick choices, about as well and in a fifth of the time. Neither is listed among
the built-in players.

In each game each ``Quick`` has opinions of its own: it takes some hotels to be worth more than they
are, others less. If all thought alike, one certificate more or less would decide most games, and
the chances to win would jump with every purchase.
"""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp

from ...game.drawing import refill, replace_hand
from ...game.merger import merge
from ...game.placement import (
    Kind,
    Placement,
    free_certificates,
    hotel_choices,
    kind_of,
    legal_placements,
    place,
    playable,
)
from ...game.purchase import Order, buy
from ...game.records import add
from ...game.rulebook import NUMBER_OF_HOTELS, EmptyBag, Hands, Rulebook
from ...game.state import State
from ...game.tiles import connected, tiles_in
from ...game.turn import declared_ending, ending, pass_turn, pay_out
from .outlook import Outlook, lead_of
from .planner import Planner, orders, plans, settle

EVEN = (1.0,) * NUMBER_OF_HOTELS  # opinions that take every hotel for what it is worth
SPREAD = 0.5  # how much opinions differ: the standard deviation of their logarithm


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
        placed = quick_choice(outlook, begun)[1] if playable(begun) else begun
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
    after = pass_turn(drawn.state, idle=drawn.state.mover.hand == begun.mover.hand)
    over = drawn.lacking > 0 and state.rulebook.empty_bag is EmptyBag.ENDS_GAME
    return after, over or ending(after) is not None


def quick_choice(outlook: Outlook, state: State) -> tuple[Placement, State]:
    """Return the placement that promises most, and the position after it.

    A tile that merges nothing changes one hotel at most, so the position after it is only made if
    it is chosen.
    """
    board, players = state.board, state.players
    held = list(zip(*[player.shares for player in players], strict=True))
    parts = list(map(outlook.part, range(len(held)), board.sizes, held))
    unchanged = lead_of([outlook.cash(player.cash) for player in players], 0) + sum(parts)
    best: tuple[float, Placement, State | None] | None = None
    for tile in tiles_in(playable(state)):
        kind = kind_of(board, tile)
        size = connected(1 << tile, board.loose).bit_count()
        for hotel in hotel_choices(board, tile):
            placement, after, lead = Placement(tile, hotel), None, unchanged
            if kind is Kind.MERGING:
                after = settle(outlook, merge(state, placement))
                lead = outlook.lead(after, players[0].name)
            elif kind is Kind.GROWING:
                (grown,) = board.touched(tile)
                lead += outlook.part(grown, board.sizes[grown] + size, held[grown]) - parts[grown]
            elif hotel is not None:
                founder = add(held[hotel], 0, free_certificates(state, hotel))
                lead += outlook.part(hotel, size, founder) - parts[hotel]
            if best is None or lead > best[0]:
                best = (lead, placement, after)
    assert best is not None, "a tile is playable"
    _, placement, after = best
    return placement, place(state, placement) if after is None else after


def quick_order(outlook: Outlook, state: State, opinions: Sequence[float] = EVEN) -> Order:
    """Return an order for the mover: hotel by hotel, the most profitable first."""
    options = [
        (gain / count, count, hotel, price)
        for gain, count, hotel, price in purchases(outlook, state, opinions)
    ]
    order: Order = ()
    rulebook, cash = state.rulebook, state.mover.cash
    for gain, count, hotel, price in sorted(options, reverse=True):
        left = cash - count * price
        if left < 0 or hotel in order or len(order) + count > rulebook.order_limit:
            continue
        if gain * count > outlook.cash(cash) - outlook.cash(left):
            order, cash = order + (hotel,) * count, left
            if not rulebook.mixed_orders:
                break
    return order


def purchases(
    outlook: Outlook, state: State, opinions: Sequence[float]
) -> Iterator[tuple[float, int, int, int]]:
    """Yield what the mover can buy of one hotel: its gain, the number, the hotel and the price.

    The gain does not count what the cash was worth, nor likely mergers. It is multiplied by the
    mover's opinion of the hotel.
    """
    rulebook, sizes, cash = state.rulebook, state.board.sizes, state.mover.cash
    for hotel, left in enumerate(state.bank):
        price = rulebook.prices[hotel][sizes[hotel]]
        most = min(left, rulebook.order_limit, cash // price) if price else 0
        if most:
            held = tuple([player.shares[hotel] for player in state.players])
            parts = outlook.parts_with_more(hotel, sizes[hotel], held)
            for count in range(1, most + 1):
                yield (parts[count] - parts[0]) * opinions[hotel], count, hotel, price


# -- analysts -----------------------------------------------------------------------------------


class Careful(Planner):
    """Plays as ``planner``; its next placement can be prescribed."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self._prescribed: Placement | None = None

    def place_next(self, placement: Placement) -> None:
        """Prescribe the placement of the next turn; what is ordered after it is still chosen."""
        self._prescribed = placement

    def place(self, state: State) -> Placement:
        """Choose the placement that promises the largest lead, unless one is prescribed."""
        prescribed, self._prescribed = self._prescribed, None
        return prescribed or self._placement(state)

    def _placement(self, state: State) -> Placement:
        return super().place(state)

    def estimate_placements(self, state: State, placements: Sequence[Placement]) -> list[float]:
        """Return the lead that each placement promises, with the best order after it."""
        state = _as_seen(state)
        outlook = Outlook(state)
        return [plans(outlook, state, placement)[0].lead for placement in placements]

    def estimate_orders(self, state: State, found: Sequence[Order]) -> list[float]:
        """Return the lead that each of these legal orders promises."""
        state = _as_seen(state)
        leads = {order: lead for lead, order in orders(Outlook(state), state)}
        return [leads[order] for order in found]

    def scores_from(self, state: State) -> dict[str, int]:
        """Play for all seats from between two turns to the end; return the money of each player.

        The stock market takes no part. Acquired certificates go where they are worth most.
        """
        over = False
        while not over:
            begun = replace_hand(state).state
            state, over = end_turn(self._after_turn(begun), state)
        return dict(pay_out(state).scores)

    def _after_turn(self, begun: State) -> State:
        """Return the position after a turn, before the draw."""
        hands = {player.name: player.hand for player in begun.players[1:]}
        after = self._buying(_as_seen(begun))
        mover, *others = after.players
        known = tuple([player._replace(hand=hands[player.name]) for player in others])
        return after._replace(players=(mover, *known))

    def _buying(self, begun: State) -> State:
        """Return the position after the best turn in one, before the draw."""
        outlook = Outlook(begun)
        if not playable(begun):
            return buy(begun, orders(outlook, begun)[0][1])
        found = [plans(outlook, begun, each)[0] for each in legal_placements(begun)]
        best = max(found, key=lambda plan: plan.lead)
        return buy(best.after, best.order)


class Quick(Careful):
    """Places and orders by quick choices, which do not look for likely mergers."""

    def _placement(self, state: State) -> Placement:
        return quick_choice(Outlook(state), state)[0]

    def order(self, state: State) -> Order:
        """Choose the order that promises most; a mixed one hotel by hotel."""
        return _order(Outlook(state), state, opinions_of(self.seed, state.mover.name))

    def _after_turn(self, begun: State) -> State:
        outlook = Outlook(begun)
        placed = quick_choice(outlook, begun)[1] if playable(begun) else begun
        opinions = opinions_of(self.seed, begun.mover.name)
        return buy(placed, _order(outlook, placed, opinions))  # the outlook has hardly changed


@lru_cache(1_000)
def opinions_of(seed: int, name: str) -> tuple[float, ...]:
    """Return what a player takes a hotel to be worth, relative to what it is, in one game."""
    chance = random.Random(f"acquire opinions {seed} {name}")
    return tuple([exp(chance.gauss(0, SPREAD)) for _ in EVEN])


def _order(outlook: Outlook, state: State, opinions: Sequence[float]) -> Order:
    """Return the order that adds most to the mover's lead, likely mergers apart."""
    if state.rulebook.mixed_orders:
        return quick_order(outlook, state, opinions)
    cash, best = state.mover.cash, 0.0
    worth = outlook.cash(cash)
    order: Order = ()
    for added, count, hotel, price in purchases(outlook, state, opinions):
        gain = added + outlook.cash(cash - count * price) - worth
        if gain > best:
            best, order = gain, (hotel,) * count
    return order


def _as_seen(state: State) -> State:
    """Return the position without the hands that its mover cannot see."""
    if state.rulebook.hands is Hands.OPEN:
        return state
    others = [player._replace(hand=0) for player in state.players[1:]]
    return state._replace(players=(state.mover, *others))
