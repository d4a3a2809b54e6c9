"""Hints for a first game: what a choice would do, in figures, by what the player knows.

Nothing is recommended here; :mod:`acquire.admin.pages.seat.adviser` asks a built-in player for
that. Where certificates or cash of others are hidden, the figures that depend on them are left out.
"""

from collections.abc import Sequence

from ....game.disposal import TRADED_FOR_ONE
from ....game.market import takes_part
from ....game.merger import Merger, bonuses_for, merge
from ....game.placement import Kind, Placement, hotel_choices, kind_of, legal_placements
from ....game.placement import place as placed
from ....game.rulebook import DeadTiles
from ....game.state import State
from ....game.tiles import NEIGHBOURS, Tile, near, tile_name, tile_names, tiles_in
from ....game.tuples import add
from ....game.turn import pay_out
from ....game.worth import worth, worth_in_merger
from ....protocol.known import Known
from ...refereeing.view.plain_text import dollars, listed, plural


class Hints:
    """Hints for a player called ``name`` in the position that it knows, of ``seats`` players."""

    def __init__(self, known: Known, name: str, seats: int, after: State | None = None) -> None:
        self._known, self._seats = known, seats
        self.state = known.state if after is None else after
        self.rulebook = known.rulebook
        self._name = name
        self.certificates_open = known.certificates_are_open
        self.worth_open = self.certificates_open and known.cash_is_open
        self._market = takes_part(self.rulebook, seats)

    def at(self, state: State) -> "Hints":
        """Return the hints in a position that the player can reach."""
        return Hints(self._known, self._name, self._seats, state)

    # -- tiles ----------------------------------------------------------------------------------

    def tile(self, tile: Tile) -> str:
        """Say what a legal tile would do."""
        board = self.state.board
        match kind_of(board, tile):
            case Kind.FOUNDING:
                if hotel_choices(board, tile) == [None]:
                    return "All hotels are on the board, so none is founded."
                return self._founding(tile)
            case Kind.GROWING:
                return self._growing(tile)
            case Kind.MERGING:
                return " ".join(
                    self.survivor(Placement(tile, hotel)) for hotel in hotel_choices(board, tile)
                )
            case Kind.SINGLETON:
                return self._alone(tile)

    def _founding(self, tile: Tile) -> str:
        hotel = next(hotel for hotel, size in enumerate(self.state.board.sizes) if not size)
        size = placed(self.state, Placement(tile, hotel)).board.sizes[hotel]
        return f"A new hotel of {size} tiles: you choose which, and get a certificate of it free."

    def _growing(self, tile: Tile) -> str:
        state, hotel = self.state, self.state.board.grown_by(tile)
        after = placed(state, Placement(tile))
        sizes = state.board.sizes[hotel], after.board.sizes[hotel]
        prices = state.price(hotel), after.price(hotel)
        text = f"{sizes[0]} → {sizes[1]} tiles; "
        if prices[0] == prices[1]:
            text += f"the price of {dollars(prices[0])} stays."
        else:
            text += f"price {dollars(prices[0])} → {dollars(prices[1])}."
        if own := self._own(hotel):
            text += f" You hold {own}."
        if sizes[0] < self.rulebook.safe_size <= sizes[1]:
            text += " It is safe then."
        return text

    def _alone(self, tile: Tile) -> str:
        """Say which other tiles of the hand would found a hotel together with this one."""
        board = self.state.board
        if NEIGHBOURS[tile] & board.loose:
            return "It touches unincorporated tiles, but no hotel is left to found."
        beside = near(1 << tile) & self.state.player(self._name).hand & ~board.unplayable
        beside &= ~board.beside
        if beside and not NEIGHBOURS[tile] & board.occupied and 0 in board.sizes:
            others = " or ".join(map(tile_name, tiles_in(beside)))
            return (
                f"It touches nothing yet; next turn {others} of yours could found a hotel with it."
            )
        return "It touches nothing yet."

    def barred(self, tile: Tile) -> str:
        """Say for how long a tile cannot be placed."""
        if not self.state.board.closed >> tile & 1:
            return "Not now, perhaps later."
        if self.rulebook.dead_tiles is DeadTiles.REPLACED:
            return "Never: it is replaced after your turn."
        return "It can never be placed."

    # -- hotels ---------------------------------------------------------------------------------

    def founded(self, hotel: int) -> str:
        """Say what a certificate and the bonuses of a hotel are that was founded now."""
        price = self.state.price(hotel)
        multiples = self.rulebook.bonus_multiples
        paid = " and ".join(dollars(multiple * price) for multiple in multiples)
        return f"{dollars(price)} each, bonuses {paid}"

    def survivor(self, placement: Placement) -> str:
        """Say what a merger would bring."""
        merger, name = merge(self.state, placement), self.rulebook.hotel_name
        acquired = " and ".join(map(name, merger.acquired))
        return f"{name(merger.survivor)} acquires {acquired}. {self._paid(merger)}"

    def _paid(self, merger: Merger) -> str:
        if self._market or not self.certificates_open:
            held = [
                plural(count, f"{self._hotel(hotel)} certificate")
                for hotel in merger.acquired
                if (count := self._own(hotel))
            ]
            return f"You hold {listed(held)}." if held else "You hold none of it."
        paid: dict[str, int] = {}
        for bonus in merger.bonuses:
            paid[bonus.name] = paid.get(bonus.name, 0) + bonus.amount
        own = paid.pop(self._name, 0)
        others = [f"{name} {dollars(amount)}" for name, amount in paid.items()]
        who = [f"you {dollars(own)}"] if own else []
        return f"Bonuses: {listed(who + others)}." if who + others else "Nobody gets a bonus."

    def held(self, hotel: int, counts: Sequence[int]) -> list[str]:
        """Say for each number of certificates what it would mean for the bonuses of a hotel.

        The price is the present one.
        """
        return [self._standing(hotel, count) if count else "" for count in counts]

    def _standing(self, hotel: int, count: int) -> str:
        state = self.state
        if not self.certificates_open:
            return f"you would hold {count}"
        own = state.player(self._name)
        mine = own._replace(shares=add(own.shares, hotel, count - own.shares[hotel]))
        players = [mine if one is own else one for one in state.players]
        most = max((one.shares[hotel] for one in players if one is not mine), default=0)
        place = self._place(hotel, count)
        lead = f" (most: {most})" if count < most else ""
        if not state.board.sizes[hotel]:
            return f"{count} held: {place}, once it is founded{lead}"
        if self._market:
            return f"{count} held: {place}{lead}"
        paid = bonuses_for(self.rulebook, hotel, state.price(hotel), players)
        amount = next((bonus.amount for bonus in paid if bonus.name == self._name), 0)
        return f"{count} held: {place}{f' {dollars(amount)}' if amount else ''}{lead}"

    def _place(self, hotel: int, count: int) -> str:
        others = sorted(
            (one.shares[hotel] for one in self.state.players if one.name != self._name),
            reverse=True,
        )
        most, second = (*others, 0, 0)[:2]
        if count >= most:
            return "majority" if count > most else "shared majority"
        if count < second:
            return "no bonus"
        return "minority" if count > second else "shared minority"

    # -- decisions ------------------------------------------------------------------------------

    def hand(self) -> str:
        """Say what to look for in one's tiles."""
        return (
            "Founding brings a free certificate, a merger bonuses for its largest holders; growing "
            "raises the price."
        )

    def purchase(self) -> str:
        """Say what to look for when buying."""
        places = ("majority", "minority")
        paid = [
            f"its {place} gets {multiple} times the price"
            for place, multiple in zip(places, self.rulebook.bonus_multiples, strict=False)
        ]
        return (
            f"When a hotel is acquired, and at the end, {', '.join(paid)}. Small hotels are "
            "acquired soonest; keep some cash for the turns after."
        )

    def ending(self) -> str:
        """Say who would win if the game ended now; empty if it cannot be known."""
        if not self.worth_open or self._market:
            return ""
        scores = sorted(pay_out(self.state).scores, key=lambda each: -each[1])
        own = dict(scores)[self._name]
        name, best = next(each for each in scores if each[0] != self._name)
        if own > best:
            return f"You would win now: {dollars(own)}, {dollars(own - best)} more than {name}."
        if own == best:
            return f"You would share first place with {name} now, with {dollars(own)}."
        return f"You would not win now: {dollars(own)}, and {name} {dollars(best)}."

    def kept(self, hotel: int, count: int, price: int) -> str:
        """Compare what acquired certificates bring that are returned, or kept."""
        if not count:
            return ""
        given = f"{count} returned {'brings' if count == 1 else 'bring'} {dollars(count * price)}"
        return f"{self._hotel(hotel)}: {given}. {self._held(hotel)}"

    def _held(self, hotel: int) -> str:
        return f"What you hold is worth nothing unless {self._hotel(hotel)} is founded again."

    def disposal(self, hotel: int, price: int, survivor: int) -> str:
        """Compare what acquired certificates can become."""
        sold = f"{TRADED_FOR_ONE} sold bring {dollars(TRADED_FOR_ONE * price)}"
        traded = f"1 {self._hotel(survivor)}, now at {dollars(self.state.price(survivor))}"
        return f"{sold}; {TRADED_FOR_ONE} traded bring {traded}. {self._held(hotel)}"

    def replacement(self) -> str:
        """Say what a new hand would mean."""
        hand = tile_names(self.state.player(self._name).hand)
        return f"A new hand costs nothing; {hand} are set aside for good."

    def worth(self, after: State | Merger) -> str:
        """Say how a move changes the player's net worth; empty if it cannot be known."""
        if not self.worth_open or self._market:
            return ""
        now = worth_in_merger(after) if isinstance(after, Merger) else worth(after)
        was = worth(self.state)
        change = f"{dollars(was[self._name])} → {dollars(now[self._name])}"
        return f"Your net worth, if the game ended now: {change}."

    def leads(self) -> str:
        """Compare the tiles by how they change the player's lead; empty if it cannot be known."""
        if not self.worth_open or self._market:
            return ""
        was = self._lead(worth(self.state))
        best: dict[Tile, int] = {}
        for one in legal_placements(self.state):
            merging = kind_of(self.state.board, one.tile) is Kind.MERGING
            now = (
                worth_in_merger(merge(self.state, one))
                if merging
                else worth(placed(self.state, one))
            )
            change = self._lead(now) - was
            best[one.tile] = max(change, best.get(one.tile, change))
        found = sorted(best.items(), key=lambda each: -each[1])
        if not any(best.values()):
            return ""
        changes = listed([f"{tile_name(tile)} {_signed(change)}" for tile, change in found])
        return f"What each tile alone gains you now, compared with the others: {changes}."

    def _lead(self, worths: dict[str, int]) -> int:
        """Return the player's net worth less the mean of the others, in whole dollars."""
        others = [amount for name, amount in worths.items() if name != self._name]
        return round(worths[self._name] - sum(others) / max(1, len(others)))

    def _own(self, hotel: int) -> int:
        return self.state.player(self._name).shares[hotel]

    def _hotel(self, hotel: int) -> str:
        return self.rulebook.hotel_name(hotel)


def _signed(amount: int) -> str:
    sign = "\N{MINUS SIGN}" if amount < 0 else "+" if amount else ""
    return f"{sign}{dollars(abs(amount))}"
