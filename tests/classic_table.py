"""A table of ours at which the recorded moves of another program are made again.

Everything that it tells after a move must be so here as well. Where its rules differ, in the ways
of `classic_oracle.Reason`, the table follows that program, each time only if the condition of that
difference holds, and notes it.
"""

from collections.abc import Sequence

from classic_oracle import HOTELS, NAMES, UNKNOWN, Due, Move, Over, Reason, Sheet, drawing, signs

from acquire.game.board import lay_out, with_loose
from acquire.game.disposal import Disposal, dispose, holders, legal_disposals, verify_disposal
from acquire.game.drawing import refill
from acquire.game.merger import Merger, join, merge
from acquire.game.placement import (
    Kind,
    Placement,
    equal_acquired,
    hotel_choices,
    kind_of,
    legal_placements,
    place,
    playable,
    verify_placement,
)
from acquire.game.purchase import Order, buy, legal_orders, verify_order
from acquire.game.rulebooks import CLASSIC
from acquire.game.state import Player, State, position
from acquire.game.tiles import GRID, TILES, Mask, Tile, mask_of, parse_tile, tile_name, tiles_in
from acquire.game.turn import ending, pass_turn, pay_out, verify_declaration

NO_CERTIFICATES = (0,) * len(CLASSIC.hotels)


class Table:
    """A game of ours that follows the recorded moves, one by one.

    ``bag`` are the tiles in the order in which they are drawn, as far as they are told; ``None``
    stands for one that is not known, and who is dealt such tiles shows one only by placing it or
    setting it aside. While hotels merge ``state`` is the position before. ``differences`` are the
    numbers of moves, from 1, and how they differ.
    """

    def __init__(self, players: int, bag: Sequence[Tile | None]) -> None:
        self.differences: list[tuple[int, Reason]] = []
        self.over: Over | None = None
        self.merger: Merger | None = None
        self.laid: Tile | None = None
        """The tile that founds or merges, until the hotel is named."""
        self.asked: list[str] = []
        """Who has still to dispose of the hotel that is dealt with."""
        size = CLASSIC.hand_size
        self._bag = bag
        self._next = players + size * players
        hands = [bag[begin : begin + size] for begin in range(players, self._next, size)]
        self._unseen = {seat: size for seat, hand in enumerate(hands) if None in hand}
        self._begun = self._state = position(
            CLASSIC,
            lay_out(CLASSIC, _mask(bag[:players]), NO_CERTIFICATES),
            [
                Player(str(seat), CLASSIC.cash, NO_CERTIFICATES, _mask(hand))
                for seat, hand in enumerate(hands)
            ],
        )
        self._left: list[int] = []
        self._named: list[int] = []
        self._number = 0
        self._skips: list[bool] = []
        self._begin()

    @property
    def state(self) -> State:
        """The position, before the current placement."""
        return self._state

    @property
    def now(self) -> State:
        """The position as far as the merger has come."""
        return self._state if self.merger is None else self.merger.state

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return int(self._state.mover.name)

    # -- what is due ----------------------------------------------------------------------------

    @property
    def due(self) -> Due:
        """Who has to choose next."""
        seat = self.seat
        if self.over is not None:
            return Due(seat, "GameOver")
        if self.laid is not None:
            merges = kind_of(self._state.board, self.laid) is Kind.MERGING
            choices = hotel_choices(self._state.board, self.laid)
            action = "SelectMergerSurvivor" if merges else "SelectNewChain"
            return Due(seat, action, frozenset(NAMES[h] for h in choices if h is not None))
        if self.asked:
            return Due(int(self.asked[0]), "DisposeOfShares", frozenset(NAMES[self.defunct]))
        if self._left:
            tied = frozenset(NAMES[hotel] for hotel in self._tied())
            return Due(seat, "SelectChainToDisposeOfNext", tied)
        return Due(seat, "PurchaseShares" if self._placed else "PlayTile")

    @property
    def defunct(self) -> int:
        """The acquired hotel that is dealt with."""
        return self._named[-1]

    def placement(self, hotel: int) -> Placement:
        """The current placement, if this hotel were the next that is named in it.

        The hotel is the one founded, the survivor, or the next of those equal in size.
        """
        if self.laid is not None:
            return Placement(self.laid, hotel)
        assert self.merger is not None
        tile, survivor, _ = self.merger.placement
        assert survivor is not None
        equal = equal_acquired(self._state.board, tile, survivor)
        named = [*[other for other in self._named if other in equal], hotel]
        others = [other for other in equal if other not in named]
        return Placement(tile, survivor, (*named, *others)[: len(equal)])

    def _tied(self) -> list[int]:
        sizes = self._state.board.sizes
        return [hotel for hotel in self._left if sizes[hotel] == sizes[self._left[0]]]

    # -- moves ----------------------------------------------------------------------------------

    def make(self, move: Move) -> None:
        """Make a move that was not refused, and compare what was told of it."""
        due = self.due
        assert (move.player, move.action) == due[:2]
        self._number += 1
        self._shows = {player: mask_of([*tiles]) for player, tiles in move.shows.items()}
        self._able = move.able
        match move.action:
            case "PlayTile":
                self._play(parse_tile(move.tile))
            case "SelectNewChain" | "SelectMergerSurvivor":
                (chain,) = move.chains
                assert chain in due.chains
                self._carry_out(self.placement(HOTELS[chain]))
            case "SelectChainToDisposeOfNext":
                (chain,) = move.chains
                assert chain in due.chains
                self._deal_with(HOTELS[chain])
            case "DisposeOfShares":
                self._dispose(Disposal(move.sell, move.trade))
            case "PurchaseShares":
                self._purchase(tuple(HOTELS[chain] for chain in move.chains), move.end)
            case other:
                raise AssertionError(f"no such action: {other}")
        self._go_on()
        if move.told is not None:
            self.compare(move.told)

    def _play(self, tile: Tile) -> None:
        seat, state = self.seat, self._state
        if seat in self._unseen:
            assert self._shows[seat] >> tile & 1
            self._shows[seat] ^= 1 << tile
            self._unseen[seat] -= 1
            mover = state.mover._replace(hand=1 << tile)
            self._state = state = state._replace(players=(mover, *state.players[1:]))
        else:
            legal = {choice.tile for choice in legal_placements(state)}
            assert legal == {*tiles_in(playable(state))}
        choices = hotel_choices(state.board, tile)
        if len(choices) > 1:
            assert any(choice.tile == tile for choice in legal_placements(state))
            self.laid = tile
        else:
            self._carry_out(Placement(tile, choices[0]))

    def _carry_out(self, choice: Placement) -> None:
        """Place a tile; in a merger pay the bonuses of all the acquired hotels at once."""
        state = self._state
        assert verify_placement(state, choice) is None and choice in legal_placements(state)
        self.laid, self._placed = None, True
        if kind_of(state.board, choice.tile) is Kind.MERGING:
            self.merger = merge(state, choice)
            self._left = [*self.merger.acquired]
        else:
            self._state = place(state, choice)

    def _deal_with(self, hotel: int) -> None:
        """Take an acquired hotel next, which may be the placer's choice."""
        assert self.merger is not None
        if len(self._tied()) > 1:
            choice = self.placement(hotel)
            assert verify_placement(self._state, choice) is None
            assert self._can_be_next(choice) == {*self._tied()}
            joined = join(self._state, choice)
            self.merger = self.merger._replace(acquired=joined.acquired, prices=joined.prices)
            self._left = [*joined.acquired[len(self._named) :]]
        assert self._left[0] == hotel
        self._named.append(self._left.pop(0))
        self.asked = holders(self.merger, hotel)

    def _can_be_next(self, choice: Placement) -> set[int]:
        """The hotels that a legal placement can name where this one names the hotel chosen now."""
        alphabetical = tuple(sorted(choice.equals))
        orders = [
            legal.equals or alphabetical
            for legal in legal_placements(self._state)
            if (legal.tile, legal.hotel) == (choice.tile, choice.hotel)
        ]
        now = len(choice.equals) - len(self._tied())
        return {order[now] for order in orders if order[:now] == choice.equals[:now]}

    def _dispose(self, disposed: Disposal) -> None:
        assert self.merger is not None
        name, hotel = self.asked.pop(0), self.defunct
        assert verify_disposal(self.merger, name, hotel, disposed) is None
        owned = self.merger.state.player(name).shares[hotel]
        left = self.merger.state.bank[self.merger.survivor]
        assert disposed in legal_disposals(owned, left)
        self.merger = dispose(self.merger, name, hotel, disposed)

    def _purchase(self, order: Order, end: bool) -> None:
        state = self._state
        assert verify_order(state, order) is None
        assert tuple(sorted(order)) in legal_orders(state)
        self._state = buy(state, order)
        declared = end and verify_declaration(state, self._begun) is None
        if end and not declared:
            self._differ(Reason.DECLARATION)
        self._end_turn(declared)

    def _differ(self, reason: Reason) -> None:
        self.differences.append((self._number, reason))

    # -- what nobody chooses --------------------------------------------------------------------

    def _go_on(self) -> None:
        """Go on until somebody has a choice, or the game is over."""
        while self.over is None and self.laid is None:
            if self.merger is not None:
                if self.asked or len(self._tied()) > 1:
                    return
                if self._left:
                    self._deal_with(self._left[0])
                    continue
                self._state, self.merger, self._named = self.merger.state, None, []
            if not self._placed:
                able = bool(playable(self._state))
                if self.seat in self._unseen:
                    able = self._able == self.seat
                elif self._able is not None:
                    assert able == (self._able == self.seat)
                if able:
                    self._skips = []
                    return
                self._placed = True
                self._skips.append(False)
            declarable = verify_declaration(self._state, self._begun) is None
            if legal_orders(self._state) != [()] or declarable:
                return
            self._end_turn(declared=False)

    def _begin(self) -> None:
        """Begin a turn; the tiles that come next in the bag are those that are known."""
        self._placed = False
        known = [*self._bag[self._next :], None]
        bag = [tile for tile in known[: known.index(None)] if tile is not None]
        self._state = self._begun = self._state._replace(bag=tuple(bag))

    def _end_turn(self, declared: bool) -> None:
        state, round_ = self._state, len(self._state.players)
        if declared:
            self.over = Over.DECLARED
        elif self._all_placed():
            self._end_without_tiles()
        else:
            dead_round = len(self._skips) == round_
            drawn = self._draw(again=not dead_round)
            idle = bool(self._skips) and drawn == state
            after = pass_turn(drawn, idle=idle)
            if self._skips:
                self._skips[-1] = not idle
            if dead_round:  # that program ends the game before it draws
                self.over = Over.DEAD_ROUND
                if ending(after) is None:
                    assert any(self._skips) and after.idle < round_
                    self._differ(Reason.CHANGED_HAND)
                return
            assert ending(after) is None
            self._state = drawn
            if self._all_placed():
                self._end_without_tiles()
            else:
                self._state = after
                self._begin()

    def _all_placed(self) -> bool:
        return self._state.board.occupied | self._state.aside == GRID

    def _end_without_tiles(self) -> None:
        self.over = Over.ALL_TILES
        assert self._next == len(TILES) and not any(self._unseen.values())
        assert not any(player.hand for player in self._state.players)
        assert ending(pass_turn(self._state)) is None
        self._differ(Reason.ALL_TILES)

    def _draw(self, again: bool) -> State:
        """Fill the mover's hand; with `again` what replaced dead tiles is replaced as well."""
        if self.seat in self._unseen:
            return self._draw_unseen()
        drawn = refill(self._state)
        more = refill(drawn.state)
        if again and more.aside:
            self._differ(Reason.REPLACED_AGAIN)
        while again and more.aside:
            assert not more.aside & ~mask_of(drawn.replacements) and not more.tiles
            drawn, more = more, refill(more.state)
        if again:
            self._next += len(self._state.bag) - len(drawn.state.bag)
        return drawn.state

    def _draw_unseen(self) -> State:
        """Draw tiles that stay unknown, but for those set aside at once, which must be dead."""
        seat, state = self.seat, self._state
        aside = self._shows.pop(seat, 0)
        replacing = self._next + CLASSIC.hand_size - self._unseen[seat]
        self._unseen[seat] -= aside.bit_count()
        while self._unseen[seat] < CLASSIC.hand_size and self._next < len(TILES):
            tile = self._bag[self._next]
            if tile is None:
                self._unseen[seat] += 1
            else:
                aside |= 1 << tile
                if self._next >= replacing:
                    self._differ(Reason.REPLACED_AGAIN)
                    replacing = len(TILES)
            self._next += 1
        assert not aside & ~state.board.closed
        return state._replace(aside=state.aside | aside)

    # -- what is told ---------------------------------------------------------------------------

    def compare(self, told: Sheet) -> None:
        """Assert that this is what was told of the table."""
        ours = self.sheet()
        for field in Sheet._fields:
            if (theirs := getattr(told, field)) is not None or field == "over":
                assert getattr(ours, field) == theirs, field

    def sheet(self) -> Sheet:
        """This table as that program would tell it."""
        now, merger = self.now, self.merger
        players = sorted(now.players, key=lambda player: int(player.name))
        sizes, prices = [*now.board.sizes], [now.price(hotel) for hotel in sorted(NAMES)]
        worth = dict(pay_out(now).scores)
        if merger is not None:  # it shows the acquired hotels until all is disposed of
            for hotel, price in zip(merger.acquired, merger.prices, strict=True):
                sizes[hotel], prices[hotel] = self._state.board.sizes[hotel], price
                for player in players:
                    worth[player.name] += player.shares[hotel] * price
        board, gone = now.board, 0
        if self.laid is not None:
            gone = 1 << self.laid
            board = with_loose(CLASSIC, board, gone)
        hands = [player.hand & ~gone for player in players]
        return Sheet(
            drawing(board, now.aside),
            tuple(player.cash for player in players),
            tuple(worth[player.name] for player in players),
            tuple(player.shares for player in players),
            now.bank,
            tuple(sizes),
            tuple(prices),
            tuple(self._rack(seat, hand) for seat, hand in enumerate(hands)),
            self.over,
            None if self.over is not None else self.seat,
            self.due,
            tuple({} if seat in self._unseen else signs(board, hand)
                  for seat, hand in enumerate(hands)),
        )  # fmt: skip

    def _rack(self, seat: int, hand: Mask) -> tuple[str, ...]:
        if seat in self._unseen:
            return (UNKNOWN,) * self._unseen[seat]
        return tuple(sorted(map(tile_name, tiles_in(hand))))


def _mask(tiles: Sequence[Tile | None]) -> Mask:
    return mask_of([tile for tile in tiles if tile is not None])
