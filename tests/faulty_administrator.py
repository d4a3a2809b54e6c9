"""Administrators with one planted fault each: our own server, in which one function is replaced.

    python tests/faulty_administrator.py FAULT serve --port 51234 --players 3 [--bag FILE]

FAULT may be `none`.

A fault is a function that plants it, with the cases of ``acquire check-server`` that may find it
and words that its sentence has to have. They are what students get wrong.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from acquire.admin.refereeing.play import judge, merger_conversation, outcome, referee
from acquire.game import disposal, drawing, merger, placement, purchase, rulebook, state, turn
from acquire.game.merger import Bonus
from acquire.game.rulebook import Rounding, Rulebook, SoleHolder
from acquire.game.state import Player, State
from acquire.game.tiles import parse_tile, tiles_in
from acquire.protocol import conversation, framing, inbox, messages, writing
from acquire.protocol.position_messages import PositionMessages


class Fault(NamedTuple):
    """A planted fault: how, the sections that may find it, and words that name the cause."""

    plant: Callable[[], None]
    cases: str
    words: str
    rulebook: str = "revised"
    wire: bool = False
    """Whether it shows on a real connection only."""


FAULTS: dict[str, Fault] = {}


def fault(
    cases: str, words: str, rulebook: str = "revised", *, wire: bool = False
) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register a fault under the name of its function."""

    def register(plant: Callable[[], None]) -> Callable[[], None]:
        FAULTS[plant.__name__.replace("_", "-")] = Fault(plant, cases, words, rulebook, wire)
        return plant

    return register


def everywhere(name: str, replacement: Any) -> None:
    """Replace a function in all modules that have imported it."""
    for module in [*sys.modules.values()]:
        if (module.__name__.startswith("acquire.")) and name in vars(module):
            setattr(module, name, replacement)


def patch(owner: object, name: str, replacement: Any) -> None:
    """Replace an attribute."""
    setattr(owner, name, replacement)


def in_all_rulebooks(**changes: Any) -> None:
    """Play by another rule, under the name of the right rulebook."""
    from acquire.game import rulebooks
    from acquire.protocol import rulebook_file

    for book in [*rulebooks.RULEBOOKS]:
        rulebooks.RULEBOOKS[book] = changed(rulebooks.RULEBOOKS[book], **changes)
    vars(rulebook_file)["RULEBOOKS"] = rulebooks.RULEBOOKS


def changed(book: Rulebook, **changes: Any) -> Rulebook:
    """Return a rulebook with some values changed; a function is given the old value."""
    new = {k: v(getattr(book, k)) if callable(v) else v for k, v in changes.items()}
    return dataclasses.replace(book, **new)


def with_bag(file: str) -> None:
    """Play with the bag in a file, which the server of ours cannot be given."""
    from acquire.admin.refereeing.play.dealer import Dealer

    tiles = tuple(parse_tile(line) for line in Path(file).read_text().split())
    patch(Dealer, "bag", property(lambda _: tiles, lambda *_: None))


# -- bonuses ------------------------------------------------------------------------------------


@fault("mergers end", "rounded down to whole dollars")
def bonus_truncated() -> None:
    patch(rulebook.Rounding, "share", lambda self, amount, holders, step: amount // holders)


@fault("mergers end", "rounded up to \\$100|rounded nearest to \\$100")
def bonus_rounded_to_hundreds() -> None:
    in_all_rulebooks(rounding=Rounding.UP, rounding_step=100)


def with_bonuses(change: Callable[[list[Bonus], Sequence[Player], int, int], list[Bonus]]) -> None:
    right = merger.bonuses_for

    def bonuses_for(
        book: Rulebook, hotel: int, price: int, players: Sequence[Player], market: int = 0
    ) -> list[Bonus]:
        return change(right(book, hotel, price, players, market), players, hotel, price)

    everywhere("bonuses_for", bonuses_for)


@fault("mergers end", "not paid")
def no_bonus() -> None:
    with_bonuses(lambda *_: [])


@fault("mergers end", "minority bonus is missing")
def no_minority() -> None:
    in_all_rulebooks(bonus_multiples=(10,))


@fault("mergers end", "5 and 10 times")
def majority_and_minority_swapped() -> None:
    in_all_rulebooks(bonus_multiples=(5, 10))


@fault("mergers end", "sole holder")
def sole_holder_gets_both() -> None:
    in_all_rulebooks(sole_holder=SoleHolder.ALL_BONUSES)


@fault("mergers end", "paid twice|20 and 10 times")
def bonuses_paid_twice() -> None:
    with_bonuses(lambda due, *_: [*due, *due])


@fault("mergers end", "tie")
def ties_not_shared() -> None:
    def change(due: list[Bonus], players: Sequence[Player], hotel: int, price: int) -> list[Bonus]:
        ranks = sorted({each.shares[hotel] for each in players if each.shares[hotel]}, reverse=True)
        multiples = dict(zip(ranks, (10, 5), strict=False))
        return [
            Bonus(hotel, each.name, multiples[each.shares[hotel]] * price)
            for each in players
            if multiples.get(each.shares[hotel])
        ]

    with_bonuses(change)


@fault("mergers end", "tie")
def first_of_ties_wins() -> None:
    def change(due: list[Bonus], players: Sequence[Player], hotel: int, price: int) -> list[Bonus]:
        order = [
            each for each in sorted(players, key=lambda p: -p.shares[hotel]) if each.shares[hotel]
        ]
        return [Bonus(hotel, each.name, m * price) for each, m in zip(order, (10, 5), strict=False)]

    with_bonuses(change)


def at_price(price_of: Callable[[State, int, int, int], int]) -> None:
    """Take acquired hotels at another price: of a state, a hotel, its size, and the survivor."""
    right = merger.join

    def join(before: State, placed: placement.Placement) -> merger.Merger:
        found = right(before, placed)
        prices = [
            price_of(before, hotel, before.board.sizes[hotel], found.survivor)
            for hotel in found.acquired
        ]
        return found._replace(prices=tuple(prices))

    everywhere("join", join)


@fault("mergers", "price with the placed tile")
def price_with_the_tile() -> None:
    at_price(lambda before, hotel, size, _: before.rulebook.price(hotel, size + 1))


@fault("mergers", "survivor's price|price of \\$")
def price_of_the_survivor() -> None:
    at_price(lambda before, hotel, size, survivor: before.price(survivor))


@fault("mergers", "price")
def price_of_a_smaller_hotel() -> None:
    at_price(lambda before, hotel, size, _: before.rulebook.price(hotel, size - 1))


# -- certificates -------------------------------------------------------------------------------


@fault("placing", "did not get the free certificate")
def no_founders_share() -> None:
    right = placement.place

    def place(before: State, placed: placement.Placement) -> State:
        after = right(before, placed)
        if placed.hotel is None or after.bank == before.bank:
            return after
        mover = after.players[0]._replace(shares=before.players[0].shares)
        return after.with_players((mover, *after.players[1:]), before.bank)

    everywhere("place", place)


@fault("placing", "founder's certificate|free certificate")
def two_founders_shares() -> None:
    right = placement.place

    def place(before: State, placed: placement.Placement) -> State:
        after = right(before, placed)
        if placed.hotel is None or after.bank == before.bank or not after.bank[placed.hotel]:
            return after
        mover, bank = after.players[0], list(after.bank)
        bank[placed.hotel] -= 1
        shares = tuple(n + (h == placed.hotel) for h, n in enumerate(mover.shares))
        return after.with_players((mover._replace(shares=shares), *after.players[1:]), tuple(bank))

    everywhere("place", place)


def with_buy(change: Callable[[State, State, tuple[int, ...]], State]) -> None:
    right = purchase.buy
    everywhere("buy", lambda before, order: change(before, right(before, order), order))


def mover_cash(after: State, cash: int) -> State:
    return after._replace(players=(after.players[0]._replace(cash=cash), *after.players[1:]))


@fault("buying", "for nothing")
def certificates_for_nothing() -> None:
    with_buy(lambda before, after, order: mover_cash(after, before.mover.cash))


@fault("buying", "twice the price")
def certificates_paid_twice() -> None:
    with_buy(
        lambda before, after, order: mover_cash(after, 2 * after.mover.cash - before.mover.cash)
    )


@fault("buying", "certificates do not show this: .* buys")
def only_one_certificate() -> None:
    def change(before: State, after: State, order: tuple[int, ...]) -> State:
        if len(order) < 2:
            return after
        shares = list(after.mover.shares)
        shares[order[0]] -= 1
        mover = after.mover._replace(shares=tuple(shares))
        return after._replace(players=(mover, *after.players[1:]))

    with_buy(change)


@fault("buying", "price")
def every_certificate_costs_300() -> None:
    with_buy(lambda before, after, order: mover_cash(after, before.mover.cash - 300 * len(order)))


def with_players_after_keep(change: Callable[[Any, Any, str], Any]) -> None:
    right = disposal.keep
    everywhere("keep", lambda m, name, kept: change(m, right(m, name, kept), name))


@fault("mergers", "for nothing")
def returned_for_nothing() -> None:
    def change(before: Any, after: Any, name: str) -> Any:
        cash = {each.name: each.cash for each in before.state.players}
        players = tuple(each._replace(cash=cash[each.name]) for each in after.state.players)
        return after._replace(state=after.state._replace(players=players))

    with_players_after_keep(change)


@fault("mergers", "did not change hands")
def returned_and_kept() -> None:
    def change(before: Any, after: Any, name: str) -> Any:
        shares = {each.name: each.shares for each in before.state.players}
        players = tuple(each._replace(shares=shares[each.name]) for each in after.state.players)
        return after._replace(state=after.state._replace(players=players))

    with_players_after_keep(change)


# -- placing ------------------------------------------------------------------------------------


@fault("placing mergers ejection", "joins|SAFE|safe")
def safe_at_13() -> None:
    in_all_rulebooks(safe_size=lambda size: size + 1)


@fault("placing mergers ejection", "safe|did nothing wrong")
def safe_at_11() -> None:
    in_all_rulebooks(safe_size=lambda size: size - 1)


@fault("placing", "still has")
def tile_stays_in_hand() -> None:
    right = placement.place

    def place(before: State, placed: placement.Placement) -> State:
        after = right(before, placed)
        return after._replace(
            players=(after.players[0]._replace(hand=before.mover.hand), *after.players[1:])
        )

    everywhere("place", place)


@fault("placing", "The board does not show this: .* plays")
def tile_not_on_the_board() -> None:
    right = placement.place
    everywhere("place", lambda before, placed: right(before, placed)._replace(board=before.board))


@fault("placing", "founds")
def founded_without_the_neighbours() -> None:
    right = placement.place

    def place(before: State, placed: placement.Placement) -> State:
        from acquire.game.board import lay_out

        after = right(before, placed)
        if placed.hotel is None:
            return after
        bit = 1 << placed.tile
        hotels = list(after.board.hotels)
        rest = hotels[placed.hotel] & ~bit
        first = rest & -rest
        hotels[placed.hotel] = bit | first
        board = lay_out(after.rulebook, after.board.loose | (rest & ~first), tuple(hotels))
        return after._replace(board=board)

    everywhere("place", place)


@fault("mergers", "The board does not show this: .* merge into")
def merged_without_the_tile() -> None:
    right = merger.join

    def join(before: State, placed: placement.Placement) -> merger.Merger:
        from acquire.game.board import lay_out

        found = right(before, placed)
        board = found.state.board
        hotels = tuple(mask & ~(1 << placed.tile) for mask in board.hotels)
        bare = lay_out(before.rulebook, board.loose, hotels)
        return found._replace(state=found.state._replace(board=bare))

    everywhere("join", join)


# -- the set-up and the turn order --------------------------------------------------------------


@fault("set-up", "begins with")
def too_much_cash() -> None:
    in_all_rulebooks(cash=9000)


@fault("set-up", "tiles")
def five_tiles() -> None:
    in_all_rulebooks(hand_size=5)


@fault("set-up", "tiles|dealt|distinct|impossible")
def same_tile_twice() -> None:
    right = state.deal

    def deal(*setup: Any, **more: Any) -> State:
        dealt = right(*setup, **more)
        first, second, *others = dealt.players
        twice = second._replace(hand=second.hand & (second.hand - 1) | first.hand & -first.hand)
        return dealt._replace(players=(first, twice, *others))

    everywhere("deal", deal)


@fault("set-up", "first")
def last_seat_first() -> None:
    right = state.deal

    def deal(*setup: Any, **more: Any) -> State:
        dealt = right(*setup, **more)
        return dealt._replace(players=(dealt.players[-1], *dealt.players[:-1]))

    everywhere("deal", deal)


@fault("conversation", "turn order")
def turns_backwards() -> None:
    right = turn.pass_turn

    def pass_turn(before: State, *, idle: bool = False) -> State:
        after = right(before, idle=idle)
        players = (before.players[-1], *before.players[:-1])
        return after._replace(players=players)

    everywhere("pass_turn", pass_turn)


@fault("conversation", "turn order")
def mover_moves_again() -> None:
    right = turn.pass_turn
    everywhere(
        "pass_turn",
        lambda before, *, idle=False: right(before, idle=idle)._replace(players=before.players),
    )


@fault("conversation", "Nobody|players|was due|order")
def state_to_the_mover_only() -> None:
    right = referee.Referee._inform

    def inform(self: referee.Referee) -> Any:
        if not self.turns:
            yield from right(self)
            return
        position = self.state
        names = [position.mover.name]
        yield from self._judge.notify(
            self._messages.states(position, names), position, self._judge.eject
        )

    patch(referee.Referee, "_inform", inform)


@fault("conversation", "before the merger")
def players_before_the_merger() -> None:
    """As the course's own administrator sent it."""
    right = referee.Referee._merge_and_buy

    def merge_and_buy(self: referee.Referee, before: State, placed: placement.Placement) -> Any:
        own = self._messages

        class Stale(PositionMessages):
            def players(self, state: State) -> Any:
                return own.players(before)

        self._messages = Stale(before.rulebook)
        try:
            return (yield from right(self, before, placed))
        finally:
            self._messages = own

    patch(referee.Referee, "_merge_and_buy", merge_and_buy)


# -- drawing ------------------------------------------------------------------------------------


@fault("drawing", "did not get the tile|was due")
def draws_nothing() -> None:
    def refill(before: State) -> drawing.DrawResult:
        return drawing.DrawResult(before, before.bag[:1])

    everywhere("refill", refill)


@fault("drawing", "not in the bag")
def draws_a_tile_again() -> None:
    right = drawing.refill

    def refill(before: State) -> drawing.DrawResult:
        drawn = right(before)
        if not drawn.tiles or len(before.players) < 2:
            return drawn
        other = tiles_in(before.players[1].hand)[0]
        mover = before.mover._replace(hand=before.mover.hand | 1 << other)
        after = before._replace(players=(mover, *before.players[1:]))
        return drawing.DrawResult(after, (other,))

    everywhere("refill", refill)


@fault("drawing", "did not get|too many|hand")
def draws_two() -> None:
    right = drawing.refill

    def refill(before: State) -> drawing.DrawResult:
        first = right(before)
        if len(first.state.bag) < 1:
            return first
        extra = first.state.bag[0]
        mover = first.state.mover._replace(hand=first.state.mover.hand | 1 << extra)
        after = first.state._replace(
            players=(mover, *first.state.players[1:]), bag=first.state.bag[1:]
        )
        return drawing.DrawResult(after, first.tiles)

    everywhere("refill", refill)


@fault("drawing conversation", "<tile> was due")
def no_tile_message() -> None:
    right = referee.Referee._end_turn

    def end_turn(self: referee.Referee, *done: Any) -> Any:
        ask = self._judge.ask

        def silent(name: str, message: Any, *more: Any, **other: Any) -> Any:
            if isinstance(message, messages.NewTile):
                return messages.VOID
            return (yield from ask(name, message, *more, **other))

        patch(self._judge, "ask", silent)
        try:
            return (yield from right(self, *done))
        finally:
            patch(self._judge, "ask", ask)

    patch(referee.Referee, "_end_turn", end_turn)
    for step in ("MOVED", "MERGED"):
        row = (conversation.Step[step], "state")
        conversation._STEPS[next(iter(conversation._STEPS))][conversation.Side.REFEREE][row] = (
            conversation.Step.INFORMED
        )


# -- mergers: who is asked ----------------------------------------------------------------------


@fault("mergers", "<keep> was due|was due")
def only_holders_are_asked() -> None:
    right = merger_conversation.MergerConversation._ask_to_keep

    def ask(self: Any, found: Any) -> Any:
        everybody = found.state.players
        held = [p for p in everybody if any(p.shares[h] for h in found.acquired)]
        if len(held) == len(everybody) or held[:1] != [*everybody[:1]]:
            return (yield from right(self, found))
        asked = found
        for each in held:
            question = messages.Keep(asked.acquired)
            answer = yield from self._judge.ask(each.name, question, asked.state, merger=asked)
            if not isinstance(answer, messages.KeepAnswer):
                return self._without(asked, each.name, answer)
            asked = self._keep(asked, each.name, answer.decisions)
        return asked

    patch(merger_conversation.MergerConversation, "_ask_to_keep", ask)


@fault("mergers", "order")
def smallest_hotel_first() -> None:
    right = merger.join

    def join(before: State, placed: placement.Placement) -> merger.Merger:
        found = right(before, placed)
        return found._replace(acquired=found.acquired[::-1], prices=found.prices[::-1])

    everywhere("join", join)


@fault("mergers", "kept was returned")
def keep_and_return_mixed_up() -> None:
    right = disposal.keep
    everywhere("keep", lambda m, name, kept: right(m, name, [not each for each in kept]))


# -- the end ------------------------------------------------------------------------------------


def with_ending(change: Callable[[Any, State], Any]) -> None:
    right = turn.ending
    everywhere("ending", lambda position: change(right(position), position))


@fault("end", "should have ended")
def never_ends_regularly() -> None:
    with_ending(lambda over, _: None if over is not None and over.regular else over)


@fault("end", "should have ended")
def ends_a_turn_late() -> None:
    seen: list[object] = []

    def change(over: Any, position: State) -> Any:
        if over is not None and over.regular and not seen:
            seen.append(over)
            return None
        return over

    with_ending(change)


@fault("end", "too early")
def ends_too_early() -> None:
    in_all_rulebooks(final_size=15)


@fault("end", "should have ended|playable")
def nobody_is_stuck() -> None:
    with_ending(lambda over, _: None if over is turn.Ending.NOTHING_PLACEABLE else over)


def with_scores(change: Callable[[State, Any], Any]) -> None:
    right = turn.pay_out
    everywhere("pay_out", lambda position, *more: change(position, right(position, *more)))


@fault("end", "not sold")
def certificates_not_sold() -> None:
    def change(position: State, paid: Any) -> Any:
        cash = {each.name: each.cash for each in position.players}
        bonus: dict[str, int] = {}
        for each in paid.bonuses:
            bonus[each.name] = bonus.get(each.name, 0) + each.amount
        return paid._replace(scores=tuple((n, cash[n] + bonus.get(n, 0)) for n, _ in paid.scores))

    with_scores(change)


@fault("end", "bonuses")
def no_bonuses_at_the_end() -> None:
    def change(position: State, paid: Any) -> Any:
        bonus: dict[str, int] = {}
        for each in paid.bonuses:
            bonus[each.name] = bonus.get(each.name, 0) + each.amount
        return paid._replace(scores=tuple((n, s - bonus.get(n, 0)) for n, s in paid.scores))

    with_scores(change)


@fault("end", "not on the board")
def hotels_off_the_board_are_worth_money() -> None:
    def change(position: State, paid: Any) -> Any:
        worth = {
            each.name: sum(
                n * position.price(h)
                for h, n in enumerate(each.shares)
                if not position.board.sizes[h]
            )
            for each in position.players
        }
        return paid._replace(scores=tuple((n, s + worth[n]) for n, s in paid.scores))

    with_scores(change)


@fault("end", "falling score")
def results_by_rising_score() -> None:
    right = outcome.standings

    def standings(scores: Any, ejected: Any) -> Any:
        table = right(scores, ejected)
        return (
            *[each for each in table if each.finished][::-1],
            *[each for each in table if not each.finished],
        )

    everywhere("standings", standings)


# -- ejections ----------------------------------------------------------------------------------


@fault("ejection", "was not ejected|accepted|crash|closed")
def nobody_is_ever_ejected() -> None:
    """An illegal move is answered as if nothing had been placed or bought."""
    right = judge.Judge.eject_mover

    def eject_mover(self: judge.Judge, what: Any, *, undo: bool = False) -> None:
        if hasattr(what, "violation"):
            self.state = turn.pass_turn(self.state)
        else:
            right(self, what, undo=undo)

    patch(judge.Judge, "eject_mover", eject_mover)


@fault("ejection", "accepted")
def orders_are_not_checked() -> None:
    everywhere("verify_order", lambda *_: None)


@fault("ejection", "accepted|certificate|not ejected")
def mixed_orders_accepted() -> None:
    in_all_rulebooks(mixed_orders=True)


@fault("ejection", "accepted")
def tiles_of_others_accepted() -> None:
    right = placement.verify_placement

    def verify(before: State, placed: placement.Placement) -> Any:
        own = before._replace(
            players=(
                before.mover._replace(hand=before.mover.hand | 1 << placed.tile),
                *before.players[1:],
            )
        )
        return right(own, placed)

    everywhere("verify_placement", verify)


@fault("ejection", "accepted|beside|grow")
def loose_neighbours_accepted() -> None:
    in_all_rulebooks(loose_neighbours=rulebook.LooseNeighbours.ABSORBED)


@fault("ejection", "certificates of .* are not back|bank", "classic")
def certificates_of_the_ejected_are_lost() -> None:
    right = turn.eject

    def eject(before: State, name: str, bag: Any) -> State:
        return right(before, name, bag)._replace(bank=before.bank)

    everywhere("eject", eject)


@fault("ejection", "not undone|undone")
def turn_of_the_ejected_is_kept() -> None:
    right = judge.Judge.eject_mover

    def eject_mover(self: judge.Judge, what: Any, *, undo: bool = False) -> None:
        first = self.state.players[1:2]
        right(self, what, undo=undo)
        if first and self.state.players:
            rich = self.state.players[0]._replace(cash=self.state.players[0].cash + 1000)
            self.state = self.state._replace(players=(rich, *self.state.players[1:]))

    patch(judge.Judge, "eject_mover", eject_mover)


@fault("ejection", "did nothing wrong")
def honest_player_ejected() -> None:
    right = disposal.verify_keep

    def verify_keep(found: Any, decisions: Any) -> Any:
        from acquire.game.violation import Illegal, Violation

        if not any(decisions):
            return Illegal(Violation.KEEP_COUNT, "Nothing was kept.")
        return right(found, decisions)

    everywhere("verify_keep", verify_keep)


@fault("ejection", "accepted", wire=True)
def trailing_bytes_ignored() -> None:
    right = inbox.Inbox._framed

    def framed(self: Any, data: bytes) -> Any:
        found = right(self, data)
        self._framer = framing.Framer(self._limit)
        self._idle = True
        return found

    everywhere("surplus_fault", lambda *_: None)
    patch(inbox.Inbox, "_framed", framed)


@fault("answers ejection", "white|did nothing wrong|ejected", wire=True)
def white_space_refused() -> None:
    right = framing.Framer.feed

    def feed(self: Any, data: bytes) -> Any:
        if data[:1] in b"\n " and data.strip():
            return self._malformed("White space.")
        return right(self, data)

    patch(framing.Framer, "feed", feed)


@fault("answers ejection", "did nothing wrong", wire=True)
def one_read_is_one_message() -> None:
    right = framing.Framer.feed

    def feed(self: Any, data: bytes) -> Any:
        found = right(self, data)
        return self._malformed("Not a whole message.") if found is None and data else found

    patch(framing.Framer, "feed", feed)


@fault("clocks ejection", "was ejected after|slow|did nothing wrong", wire=True)
def clocks_too_short() -> None:
    from acquire.admin.refereeing.table.clocks import Clocks

    right = Clocks.for_seats
    patch(Clocks, "for_seats", lambda seats, *_: right(seats, 0.3, 3.0))


@fault("clocks ejection", "only after|nothing more came|Nothing was sent", wire=True)
def clocks_too_long() -> None:
    from acquire.admin.refereeing.table.clocks import Clocks

    right = Clocks.for_seats
    patch(Clocks, "for_seats", lambda seats, *_: right(seats, 600.0, 600.0))


# -- forms, sign-up, robustness -----------------------------------------------------------------


@fault("messages", "schema|not allowed|count|expected")
def shares_of_zero_are_sent() -> None:
    right = writing.Writer.text

    def text(self: Any, message: Any) -> str:
        return right(self, message).replace(
            '<share name="Tower"', '<share name="Tower" count="0"/><share name="Tower"'
        )

    patch(writing.Writer, "text", text)


@fault("messages", "attribute|not allowed")
def unknown_attribute() -> None:
    right = writing.Writer.text

    def text(self: Any, message: Any) -> str:
        return right(self, message).replace("<board>", '<board round="1">')

    patch(writing.Writer, "text", text)


@fault("messages", "order or form")
def tiles_not_sorted() -> None:
    right = writing.tiles_xml
    everywhere(
        "tiles_xml",
        lambda mask: "/>".join(reversed(right(mask).split("/>")[:-1])) + "/>" if mask else "",
    )


@fault("sign-up", "same|Two players", wire=True)
def taken_names_given_again() -> None:
    everywhere("free_name", lambda wanted, taken: wanted)


@fault("robustness set-up", "crash|ended|closed", wire=True)
def crashes_at_the_first_merger() -> None:
    def join(*_: Any) -> Any:
        import os

        print("ZeroDivisionError: division by zero", file=sys.stderr, flush=True)
        os._exit(1)

    everywhere("join", join)


@fault("robustness ejection", "nothing more came|Nothing was sent", wire=True)
def hangs_at_an_ejection() -> None:
    def eject(*_: Any, **__: Any) -> Any:
        time.sleep(3600)

    patch(judge.Judge, "eject", eject)


if __name__ == "__main__":
    name = sys.argv.pop(1)
    from acquire.admin.cli import serve_run
    from acquire.admin.cli.main import main

    assert serve_run, "everything is imported, so that it can be replaced"
    if name != "none":
        FAULTS[name].plant()
    if "--bag" in sys.argv:
        with_bag(sys.argv.pop(sys.argv.index("--bag") + 1))
        sys.argv.remove("--bag")
    sys.argv[0] = "acquire"
    main()
