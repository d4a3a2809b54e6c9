"""What a position is worth to a player in the long run, in dollars.

The money that would be paid out now is only a part of it. While much of the board is free,

- cash is worth more than its amount, because it buys certificates that rise; the first few
  thousand dollars are worth most, because without them a turn's order is lost;
- a certificate is worth more than its price, above all where its hotel is still small, or was
  acquired and can be founded again;
- a bonus is worth more than today's, because the hotel grows;
- a hotel that a tile in somebody's hand can merge into another probably goes: its bonuses are then
  paid in cash, and its certificates are sold, or kept or traded as the rulebook has it.

How much more was found by experiment (docs/project/benchmarks.md).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ...game.board import Board
from ...game.disposal import TRADED_FOR_ONE
from ...game.merger import bonuses_for
from ...game.records import add
from ...game.rulebook import DisposalRule, Rulebook
from ...game.state import Player, State
from ...game.tiles import TILES, tiles_in

FREE_AT_THE_END = 0.3  # the part of the board that is still free when most games end
RESERVE = 2500  # dollars that a player needs to buy for a few turns
UNIT = 1000  # a price; bonuses are multiples of it

# How much more things are worth than today in a game that has just begun. It is that much less
# later, and nothing when the board is nearly full: prices rise to that of a safe hotel.
CASH = 1.6  # dollars for each dollar
FIRST_CASH = 1.5  # dollars for each of the first `RESERVE` dollars, besides
REFOUNDED = 2.0  # worth of a certificate of a hotel off the board, in prices of a safe one
REFOUNDED_BONUS = 0.25  # the same for the price that its bonuses follow
WILLING = 0.5  # how likely a player with the tile merges a hotel if it gets the largest bonus
RELUCTANT = 0.35  # the same if another player gets it, or if it is not known who has the tile


@lru_cache(maxsize=1 << 15)
def bonus_amounts(rulebook: Rulebook, price: int, held: tuple[int, ...]) -> tuple[int, ...]:
    """Return the bonus of each holder of so many certificates that cost ``price``, 0 for none.

    They are remembered, because a player that looks ahead asks for the same often.

    >>> from acquire.game.rulebooks import CLASSIC
    >>> bonus_amounts(CLASSIC, 300, (5, 3, 0, 1))
    (3000, 1500, 0, 0)
    """
    players = [Player(str(at), 0, (count,), 0) for at, count in enumerate(held)]
    amounts = [0] * len(held)
    for _, name, amount in bonuses_for(rulebook, 0, price, players):
        amounts[int(name)] = amount
    return tuple(amounts)


class MergerChance(NamedTuple):
    """How a hotel can be merged into another by a tile in somebody's hand."""

    survivor: int  # the hotel into which it is merged
    holders: tuple[int, ...]  # the players, by place, that are known to have such a tile
    unseen: float  # the chance that a player does it with a tile that is not seen


class Outlook:
    """Values the positions that can follow from one."""

    def __init__(self, state: State) -> None:
        self.rulebook = state.rulebook
        free = 1 - (state.board.occupied | state.aside).bit_count() / len(TILES)
        self.rest = max(0.0, (free - FREE_AT_THE_END) / (1 - FREE_AT_THE_END))
        """How much of the game is left: from 1 to 0."""
        self.spending = 1 + self.rest * (CASH + FIRST_CASH / 2)
        """What a dollar that is paid out in a merger is worth."""
        self._values: dict[tuple[object, ...], tuple[float, ...]] = {}
        self._rates: dict[tuple[int, int], tuple[float, float]] = {}

    def lead(self, state: State, name: str, chances: "Chances | None" = None) -> float:
        """Return how much more a player has in a position than the mean of the others."""
        board, players = state.board, state.players
        worths = [self.cash(player.cash) for player in players]
        for hotel, held in enumerate(zip(*[player.shares for player in players], strict=True)):
            if any(held):
                values = self.values(board, hotel, held, chances)
                worths = [worth + value for worth, value in zip(worths, values, strict=True)]
        return lead_of(worths, [player.name for player in players].index(name))

    def part(self, hotel: int, size: int, held: tuple[int, ...]) -> float:
        """Return what a hotel adds to the lead of the first player, likely mergers apart."""
        each, bonus = self._rates.get((hotel, size)) or self._worth(hotel, size)
        shares, bonuses = _leads(self.rulebook, held)[0]
        return shares * each + bonuses * bonus

    def parts_with_more(self, hotel: int, size: int, held: tuple[int, ...]) -> list[float]:
        """Return the part of a hotel if the first player has 0, 1, 2 .. certificates more."""
        each, bonus = self._rates.get((hotel, size)) or self._worth(hotel, size)
        leads = _leads(self.rulebook, held)
        return [shares * each + bonuses * bonus for shares, bonuses in leads]

    def cash(self, dollars: float) -> float:
        """Return what cash is worth."""
        return dollars + self.rest * (CASH * dollars + FIRST_CASH * min(dollars, RESERVE))

    def values(
        self, board: Board, hotel: int, held: tuple[int, ...], chances: "Chances | None"
    ) -> tuple[float, ...]:
        """Return what the players' certificates of a hotel are worth, with its bonuses."""
        size = board.sizes[hotel]
        chance = chances.get(hotel) if chances else None
        key = (hotel, size, held, chance, chance and board.sizes[chance.survivor])
        found = self._values.get(key)
        if found is None:
            each, bonus = self._rates.get((hotel, size)) or self._worth(hotel, size)
            paid = bonus_amounts(self.rulebook, UNIT, held)
            found = tuple([n * each + m / UNIT * bonus for n, m in zip(held, paid, strict=True)])
            if chance is not None:
                found = self._may_go(board, hotel, held, chance, found)
            self._values[key] = found
        return found

    def _worth(self, hotel: int, size: int) -> tuple[float, float]:
        """Return what a certificate is worth, and the price that the bonuses follow."""
        rest, prices = self.rest, self.rulebook.prices[hotel]
        price, later = prices[size], prices[self.rulebook.safe_size]
        if size:
            rising = price + rest * max(0, later - price)
            found = rising, rising
        else:
            found = rest * REFOUNDED * later, rest * REFOUNDED_BONUS * later
        self._rates[hotel, size] = found
        return found

    def _may_go(
        self,
        board: Board,
        hotel: int,
        held: tuple[int, ...],
        chance: MergerChance,
        stays: tuple[float, ...],
    ) -> tuple[float, ...]:
        sizes, paid = board.sizes, bonus_amounts(self.rulebook, UNIT, held)
        most, unlikely = max(paid), 1 - chance.unseen
        for at in chance.holders:
            unlikely *= 1 - (WILLING if paid[at] == most else RELUCTANT)
        cash = self.rulebook.prices[hotel][sizes[hotel]] * self.spending
        each = max(cash, self.kept(hotel, chance.survivor, sizes[hotel] + sizes[chance.survivor]))
        return tuple(
            [
                unlikely * value + (1 - unlikely) * (n * each + m / UNIT * cash)
                for value, n, m in zip(stays, held, paid, strict=True)
            ]
        )

    def kept(self, hotel: int, survivor: int, size: int) -> float:
        """Return what an acquired certificate is worth that is not sold, but kept or traded."""
        if self.rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
            return self._worth(hotel, 0)[0]
        return self._worth(survivor, size)[0] / TRADED_FOR_ONE

    def chances(self, state: State) -> "Chances":
        """Return how the hotels of a position can be acquired; hands that are empty are hidden."""
        board, players = state.board, state.players
        seen = board.occupied | state.aside
        for player in players:
            seen |= player.hand
        unseen = len(TILES) - seen.bit_count()
        hidden = sum(not player.hand for player in players) * state.rulebook.hand_size
        dealt = min(1.0, hidden / unseen) * RELUCTANT if unseen else 0.0
        found: dict[int, MergerChance] = {}
        for tile in tiles_in(board.joining & ~board.unplayable):
            bit = 1 << tile
            holders = [at for at, player in enumerate(players) if player.hand & bit]
            if not holders and (seen & bit or not dealt):
                continue
            touched = board.touched(tile)
            survivor = max(touched, key=board.sizes.__getitem__)
            for hotel in touched:
                if hotel == survivor:
                    continue
                known = found.get(hotel, MergerChance(survivor, (), 0.0))
                found[hotel] = MergerChance(
                    survivor,
                    (*known.holders, *holders),
                    known.unseen if holders else 1 - (1 - known.unseen) * (1 - dealt),
                )
        return found


Chances: TypeAlias = Mapping[int, MergerChance]


@lru_cache(maxsize=1 << 15)
def _leads(rulebook: Rulebook, held: tuple[int, ...]) -> tuple[tuple[float, float], ...]:
    """Return the first player's lead in certificates, and in bonuses of a price of 1.

    The first is that of now; the others are those with 1, 2 .. certificates more, up to an order.
    """
    more = [add(held, 0, count) for count in range(rulebook.order_limit + 1)]
    return tuple(
        (lead_of(each, 0), lead_of(bonus_amounts(rulebook, UNIT, each), 0) / UNIT) for each in more
    )


def lead_of(worths: Sequence[float], at: int) -> float:
    """Return how much more a player has than the mean of the others, given what each has."""
    own, others = worths[at], len(worths) - 1
    return own - (sum(worths) - own) / others if others else own
