"""Hints for a first game: what a choice would do, in figures, by what the player knows.

Nothing is recommended here; :mod:`acquire.admin.pages.seat.adviser` asks a built-in player for
that. Where certificates or cash of others are hidden, the figures that depend on them are left out.
"""

from ....game.disposal import TRADED_FOR_ONE
from ....game.market import takes_part
from ....game.merger import bonuses_for, merge
from ....game.placement import Kind, Placement, hotel_choices, kind_of
from ....game.placement import place as placed
from ....game.records import add
from ....game.rulebook import BONUS_PLACES, DeadTiles, End, Hands, StuckHand
from ....game.state import State
from ....game.tiles import NEIGHBOURS, Tile, near, tile_name, tile_names, tiles_in
from ....game.turn import pay_out, regular_ending
from ....protocol.question import Known
from ...refereeing.play.outcome import standings
from ...refereeing.view.plain_text import dollars, listed, plural

HAND = (
    "Founding may bring free certificates, a merger bonuses for its largest holders; growing "
    "raises the price."
)
"""What to look for in one's tiles."""
FEW = 2  # playable tiles, of which fewer in a hand may end the game
ALONE = "stays alone"  # what a tile does that founds, grows and merges nothing


class Hints:
    """Hints for a player called ``name`` in the position that it knows, of ``seats`` players."""

    def __init__(self, known: Known, name: str, seats: int, after: State | None = None) -> None:
        self._known, self._name, self._seats = known, name, seats
        self.state = known.state if after is None else after
        self.rulebook = known.rulebook
        self._certificates_open = known.certificates_are_open
        self._market = takes_part(self.rulebook, seats)
        self._own = self.state.player(name).shares
        self._hotel = self.rulebook.hotel_name

    def at(self, state: State) -> "Hints":
        """Return the hints in a position that the player can reach."""
        return Hints(self._known, self._name, self._seats, state)

    # -- tiles ----------------------------------------------------------------------------------

    def tile(self, tile: Tile) -> tuple[str, str]:
        """Say what a legal tile would do, shortly and in figures."""
        hotels = hotel_choices(self.state.board, tile)
        match kind_of(self.state.board, tile):
            case Kind.FOUNDING if hotels == [None]:
                return ALONE, "All hotels are on the board, so none is founded."
            case Kind.FOUNDING:
                only = "a hotel" if hotels[1:] else self._hotel(hotels[0] or 0)
                return f"founds {only}", self._founding(tile)
            case Kind.GROWING:
                return f"{self._hotel(self.state.board.grown_by(tile))} grows", self._growing(tile)
            case Kind.MERGING:
                merged = " and ".join(map(self._hotel, self.state.board.touched(tile)))
                told = " Or: ".join(self.survivor(Placement(tile, hotel)) for hotel in hotels)
                return f"merges {merged}", told
            case Kind.SINGLETON:
                return ALONE, self._alone(tile)

    def _founding(self, tile: Tile) -> str:
        free = [hotel for hotel, size in enumerate(self.state.board.sizes) if not size]
        size = placed(self.state, Placement(tile, free[0])).board.sizes[free[0]]
        gift = self.rulebook.founders_certificates
        left = "" if all(self.state.bank[hotel] >= gift for hotel in free) else ", if any is left"
        chosen = "you choose which" if free[1:] else "the last one"
        got = "a free certificate" if gift == 1 else f"{gift} free certificates"
        gets = f"{', and' if free[1:] else ', of which you'} get {got}{left}" if gift else ""
        return f"A new hotel of {size} tiles: {chosen}{gets}."

    def _growing(self, tile: Tile) -> str:
        state, hotel = self.state, self.state.board.grown_by(tile)
        after = placed(state, Placement(tile))
        sizes = state.board.sizes[hotel], after.board.sizes[hotel]
        prices = dict.fromkeys(dollars(each.price(hotel)) for each in (state, after))
        text = f"{sizes[0]} → {sizes[1]} tiles; price {' → '.join(prices)}."
        if own := self._own[hotel]:
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
        return "It can never be placed, and stays in your hand."

    # -- hotels ---------------------------------------------------------------------------------

    def founded(self, hotel: int) -> str:
        """Say what a hotel founded now is worth, what the founder gets free, and who held it."""
        price, before = self.state.price(hotel), self._known.state
        had = before.player(self._name).shares[hotel]
        got, nothing = (
            self._own[hotel] - had,
            "left" if self.rulebook.founders_certificates else "free",
        )
        free = f"you get {'one' if got == 1 else got} free" if got else f"none {nothing}"
        multiples = self.rulebook.bonus_multiples
        paid = " and ".join(dollars(multiple * price) for multiple in multiples)
        held = [f"you {had}"] if had else []
        if self._certificates_open:
            held += [
                f"{player.name} {player.shares[hotel]}"
                for player in before.players
                if player.name != self._name and player.shares[hotel]
            ]
        told = f"; held already by {listed(held)}" if held else ""
        return f"{dollars(price)} each, {free}; bonuses {paid}{told}"

    def survivor(self, placement: Placement) -> str:
        """Say what a merger would bring."""
        merger = merge(self.state, placement)
        acquired = " and ".join(map(self._hotel, merger.acquired))
        old, new = self.state.price(merger.survivor), merger.state.price(merger.survivor)
        rise = "" if old == new else f" and rises from {dollars(old)} to {dollars(new)}"
        text = f"{self._hotel(merger.survivor)} acquires {acquired}{rise}."
        if self._market or not self._certificates_open:
            held = [
                plural(self._own[hotel], f"{self._hotel(hotel)} certificate")
                for hotel in merger.acquired
                if self._own[hotel]
            ]
            return f"{text} You hold {listed(held) if held else 'none of it'}."
        paid: dict[str, int] = {}
        for bonus in merger.bonuses:
            paid[bonus.name] = paid.get(bonus.name, 0) + bonus.amount
        own = paid.pop(self._name, 0)
        who = [f"you {dollars(own)}"] if own else []
        who += [f"{name} {dollars(amount)}" for name, amount in paid.items()]
        return f"{text} {f'Bonuses: {listed(who)}.' if who else 'Nobody gets a bonus.'}"

    def held(self, hotel: int, count: int) -> str:
        """Say what a number of certificates would mean for a hotel's bonuses, at this price."""
        state = self.state
        if not self._certificates_open:
            return f"you would hold {count}" if count else ""
        own = state.player(self._name)
        mine = own._replace(shares=add(own.shares, hotel, count - own.shares[hotel]))
        players = [mine if one is own else one for one in state.players]
        others = sorted((one.shares[hotel] for one in players if one is not mine), reverse=True)
        most, second = (*others, 0, 0)[:2]
        holders = [one.name for one in players if one is not mine and one.shares[hotel] == most]
        whose = f"most: {listed(holders)} {most}{' each' if holders[1:] else ''}"
        if not count:
            return f"none held ({whose})" if most else ""
        if count < second:
            place = "no bonus"
        else:
            tied = "shared " if count in (most, second) else ""
            place = f"{tied}{'majority' if count >= most else 'minority'}"
        lead = f" ({whose})" if count < most else ""
        if not state.board.sizes[hotel]:
            return f"{count} held: {place}, once it is founded{lead}"
        if self._market:
            return f"{count} held: {place}{lead}"
        paid = bonuses_for(self.rulebook, hotel, state.price(hotel), players)
        amount = next((bonus.amount for bonus in paid if bonus.name == self._name), 0)
        return f"{count} held: {place}{f' {dollars(amount)}' if amount else ''}{lead}"

    # -- decisions ------------------------------------------------------------------------------

    def purchase(self) -> str:
        """Say what to look for when buying."""
        paid = [
            f"its {place} gets {'' if multiple == 1 else f'{multiple} times '}the price"
            for place, multiple in zip(BONUS_PLACES, self.rulebook.bonus_multiples, strict=False)
        ]
        told = f"When a hotel is acquired, and at the end, {', '.join(paid)}."
        if self.last_turn():
            return told
        return f"{told} Small hotels are acquired soonest; keep some cash for the turns after."

    def stuck(self, spent: int = 0) -> str:
        """Warn of hands that may end the game, as far as they are open.

        ``spent`` is how many of the player's own tiles are about to be placed.
        """
        rules = self.rulebook
        if rules.stuck_hand is not StuckHand.ENDS_GAME or rules.hands is not Hands.OPEN:
            return ""
        left = {
            player.name: (player.hand & ~self.state.board.unplayable).bit_count()
            for player in self.state.players
            if player.hand
        }
        own = left.pop(self._name, FEW) - spent
        few = [f"{name} has {count or 'none'}" for name, count in left.items() if count < FEW]
        if own < FEW:
            few.append(f"you will have {max(own, 0) or 'none'} besides the tile that you draw")
        told = "The game ends when the next player has no playable tile left"
        return f"{told}; {listed(few)}." if few else ""

    def last_turn(self) -> str:
        """Say why the game ends after the mover's turn; empty if it goes on, as far as is known."""
        rules, state = self.rulebook, self.state
        if rules.end is End.ADMINISTRATOR and (found := regular_ending(state)) is not None:
            return found.sentence
        following = state.players[1:2] if rules.stuck_hand is StuckHand.ENDS_GAME else ()
        for player in following:
            if player.hand and not player.hand & ~state.board.unplayable:
                return f"{player.name}, who is next, has no playable tile."
        return ""

    def ending(self) -> str:
        """Say who would win if the game ended now; empty if it cannot be known."""
        if not (self._certificates_open and self._known.cash_is_open) or self._market:
            return ""
        places = standings(pay_out(self.state).scores, ())
        own = next(each for each in places if each.name == self._name)
        tied = len([each for each in places if each.won]) > 1
        how = "not win" if not own.won else "share first place" if tied else "win"
        others = [f", and {one.name} {dollars(one.score)}" for one in places if one is not own]
        return f"You would {how} now: {dollars(own.score)}{''.join(others[:1])}."

    def kept(self, hotel: int, count: int, price: int) -> str:
        """Compare what acquired certificates bring that are returned, or kept."""
        if not count:
            return ""
        given = f"{count} returned {'brings' if count == 1 else 'bring'} {dollars(count * price)}"
        return f"{self._hotel(hotel)}: {given}. {self._kept_for(hotel)}"

    def _kept_for(self, hotel: int) -> str:
        return f"What you hold is worth nothing unless {self._hotel(hotel)} is founded again."

    def disposal(self, hotel: int, price: int, survivor: int) -> str:
        """Compare what acquired certificates can become, as far as the hand and the bank go."""
        count, left, name = self._own[hotel], self.state.bank[survivor], self._hotel(survivor)
        gained = min(count // TRADED_FOR_ONE, left)
        told = [f"{count} sold {'brings' if count == 1 else 'bring'} {dollars(count * price)}."]
        if gained:
            worth = dollars(gained * self.state.price(survivor))
            told.append(f"{gained * TRADED_FOR_ONE} traded bring {gained} {name}, now {worth}.")
        else:
            told.append("A trade needs 2." if left else f"The bank has no {name} to trade for.")
        return " ".join([*told, self._kept_for(hotel)])

    def replacement(self) -> str:
        """Say what a new hand would mean."""
        hand = tile_names(self.state.player(self._name).hand)
        return f"A new hand costs nothing; {hand} are set aside for good."
