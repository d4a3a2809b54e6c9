"""Administrators with one planted fault each: our own server, in which one function is replaced.

    python tests/faulty_administrator.py FAULT serve --port 51234 --players 3 [--bag FILE]

FAULT may be `none`.

A fault has the case of ``acquire check-server`` that is to find it, and a pattern of what that has
to say. It is a changed rule, or a function that is called instead of a right one, with the right
one first. They are what students get wrong.
"""

import dataclasses
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from acquire.admin.refereeing.play import judge, merger_conversation, outcome, referee
from acquire.admin.refereeing.table import seat
from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.refereeing.table.table import Table
from acquire.game import disposal, drawing, merger, placement, purchase, state, turn
from acquire.game.board import lay_out
from acquire.game.drawing import DrawResult
from acquire.game.merger import Bonus, Merger
from acquire.game.placement import Placement
from acquire.game.purchase import Order
from acquire.game.rulebook import LooseNeighbours, Rounding, Rulebook, SoleHolder
from acquire.game.state import Player, State
from acquire.game.tiles import parse_tile, tiles_in
from acquire.game.violation import Illegal, Violation
from acquire.protocol import conversation, faults, framing, inbox, messages, player_names, writing
from acquire.protocol.faults import Reason
from acquire.protocol.position_messages import PositionMessages


class Fault(NamedTuple):
    """A planted fault: how, the case that is to find it, and a pattern of what names the cause."""

    plant: Callable[[], None]
    case: str
    words: str
    rulebook: str = "revised"
    wire: bool = False
    """Whether it shows on a real connection only, or with a chosen bag."""
    more: str = ""
    """Other cases that lead to the one that finds it."""


FAULTS: dict[str, Fault] = {}


def fault(
    right: Callable[..., Any] | None,
    case: str,
    words: str,
    rulebook: str = "revised",
    *,
    wire: bool = False,
    more: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a fault under the name of the function that is called instead of a right one.

    Without a right one, the function is called to plant the fault.
    """

    def register(wrong: Callable[..., Any]) -> Callable[..., Any]:
        plant = wrong if right is None else partial(replace, right, wrong)
        FAULTS[wrong.__name__.replace("_", "-")] = Fault(plant, case, words, rulebook, wire, more)
        return wrong

    return register


def replace(right: Callable[..., Any], wrong: Callable[..., Any]) -> None:
    """Replace a method, or a function in all modules that have imported it.

    The misbehaving players still know the rules, also where they play in this process.
    """

    def called(*given: Any, **more: Any) -> Any:
        return wrong(right, *given, **more)

    *owner, name = right.__qualname__.split(".")
    if owner:
        setattr(getattr(sys.modules[right.__module__], owner[0]), name, called)
        return
    for module in [*sys.modules.values()]:
        ours = module.__name__.startswith("acquire.")
        ours = ours and not module.__name__.startswith("acquire.player.misbehaving")
        if ours and name in vars(module):
            setattr(module, name, called)


def in_all_rulebooks(**changes: Any) -> None:
    """Play by another rule, under the name of the right rulebook."""
    from acquire.game import rulebooks
    from acquire.protocol import rulebook_file

    for id_, book in [*rulebooks.RULEBOOKS.items()]:
        new = {k: v(getattr(book, k)) if callable(v) else v for k, v in changes.items()}
        rulebooks.RULEBOOKS[id_] = dataclasses.replace(book, **new)
    vars(rulebook_file)["RULEBOOKS"] = rulebooks.RULEBOOKS


def with_bag(file: str) -> None:
    """Play with the bag in a file, which the server of ours cannot be given."""
    from acquire.admin.refereeing.play.dealer import Dealer

    tiles = tuple(parse_tile(line) for line in Path(file).read_text().split())
    tiles_ = property(lambda _: tiles, lambda *_: None)
    setattr(Dealer, "bag", tiles_)  # noqa: B010  # mypy refuses an assignment


def rule(name: str, case: str, words: str, **changes: Any) -> None:
    """Register a fault that is another rule: what the rulebook says instead."""
    FAULTS[name] = Fault(partial(in_all_rulebooks, **changes), case, words)


rule(
    *("bonus-rounded-to-hundreds", "mergers/rounding", r"rounded up to \$100"),
    rounding=Rounding.UP,
    rounding_step=100,
)
rule("no-minority", "mergers/bonuses", "minority bonus is missing", bonus_multiples=(10,))
rule("majority-and-minority-swapped", "mergers/bonuses", "5 and 10 times", bonus_multiples=(5, 10))
rule("sole-holder-gets-both", "mergers/sole-holder", "got all", sole_holder=SoleHolder.ALL_BONUSES)
rule(
    "safe-at-13", "ejection/turn-smallest-safe-merger", "accepted", safe_size=lambda size: size + 1
)
rule("safe-at-11", "ejection/honest", "safe from 12 tiles on", safe_size=lambda size: size - 1)
rule("too-much-cash", "set-up/cash", "begins with", cash=9000)
rule("five-tiles", "set-up/tiles", "begins with 6 different tiles", hand_size=5)
rule("ends-too-early", "end/moment", "ended too early: no hotel is large enough", final_size=15)
rule("mixed-orders-accepted", "ejection/turn-mixed", "accepted", mixed_orders=True)
rule(
    *("loose-neighbours-accepted", "ejection/turn-beside-loose", "accepted"),
    loose_neighbours=LooseNeighbours.ABSORBED,
)


def mover_as(after: State, **changes: Any) -> State:
    """Return a position with another mover."""
    return after._replace(players=(after.mover._replace(**changes), *after.players[1:]))


def ranked(players: Sequence[Player], hotel: int) -> list[Player]:
    """Return the holders of a hotel, the one with the most certificates first."""
    order = sorted(players, key=lambda player: -player.shares[hotel])
    return [player for player in order if player.shares[hotel]]


# -- bonuses ------------------------------------------------------------------------------------


@fault(Rounding.share, "mergers/rounding", "rounded down to whole dollars")
def bonus_truncated(_: Any, rounding: Rounding, amount: int, holders: int, step: int) -> int:
    return amount // holders


@fault(merger.bonuses_for, "mergers/bonuses", "they were not paid")
def no_bonus(*_: Any) -> list[Bonus]:
    return []


@fault(merger.bonuses_for, "mergers/bonuses", "they were paid twice")
def bonuses_paid_twice(right: Any, *due: Any) -> list[Bonus]:
    return [*right(*due), *right(*due)]


@fault(merger.bonuses_for, "mergers/tied-majority", "everybody who tied got a whole bonus")
def ties_not_shared(
    _: Any, book: Rulebook, hotel: int, price: int, players: Sequence[Player], market: int = 0
) -> list[Bonus]:
    counts = sorted({each.shares[hotel] for each in ranked(players, hotel)}, reverse=True)
    paid = dict(zip(counts, (10 * price, 5 * price), strict=False))
    due = [each for each in players if each.shares[hotel] in paid]
    return [Bonus(hotel, each.name, paid[each.shares[hotel]]) for each in due]


@fault(merger.bonuses_for, "mergers/tied-majority", "each of those who tied got both whole bonuses")
def both_bonuses_to_all_who_tie(
    right: Any, book: Rulebook, hotel: int, price: int, players: Sequence[Player], market: int = 0
) -> Any:
    most = max(each.shares[hotel] for each in players)
    first = [each.name for each in players if each.shares[hotel] == most > 0]
    if len(first) < 2:
        return right(book, hotel, price, players, market)
    return [Bonus(hotel, name, 15 * price) for name in first]


@fault(merger.bonuses_for, "mergers/tied-majority", "of those who tied only the first got a bonus")
def first_of_ties_wins(
    _: Any, book: Rulebook, hotel: int, price: int, players: Sequence[Player], market: int = 0
) -> list[Bonus]:
    order = ranked(players, hotel)
    return [Bonus(hotel, each.name, m * price) for each, m in zip(order, (10, 5), strict=False)]


@fault(merger.bonuses_for, "mergers/tied-majority", "shared the majority bonus only")
def tie_shares_the_majority_only(
    right: Any, book: Rulebook, hotel: int, price: int, players: Sequence[Player], market: int = 0
) -> Any:
    held = [each.shares[hotel] for each in players]
    if held.count(max(held)) > 1:
        book = dataclasses.replace(book, bonus_multiples=book.bonus_multiples[:1])
    return right(book, hotel, price, players, market)


@fault(merger.bonuses_for, "mergers/bonuses", "every other holder got a whole minority bonus")
def minority_for_all_others(
    _: Any, book: Rulebook, hotel: int, price: int, players: Sequence[Player], market: int = 0
) -> list[Bonus]:
    holders = ranked(players, hotel)
    firsts = [one for one in holders if one.shares[hotel] == holders[0].shares[hotel]]
    won = [Bonus(hotel, one.name, 10 * price // len(firsts)) for one in firsts]
    return won + [Bonus(hotel, one.name, 5 * price) for one in holders[len(firsts) :]]


@fault(merger.bonuses_for, "mergers/tied-minority", "everybody who tied for second")
def tie_for_second_not_shared(
    right: Any, book: Rulebook, hotel: int, price: int, players: Sequence[Player], market: int = 0
) -> list[Bonus]:
    paid: list[Bonus] = right(book, hotel, price, players, market)
    counts = [0, 0, *sorted(one.shares[hotel] for one in players)]
    tied = [one.name for one in players if one.shares[hotel] == counts[-2] > 0]
    if counts[-1] == counts[-2] or len(tied) < 2:
        return paid
    return [one._replace(amount=5 * price) if one.name in tied else one for one in paid]


@fault(
    *(merger_conversation.MergerConversation._settle, "mergers/bonuses"),
    "by what was held after certificates had been given up",
)
def bonuses_after_the_returns(_: Any, self: Any, before: State, merging: Merger) -> Any:
    settled = yield from self._ask_to_keep(merging)
    return None if settled is None else self._pay(settled, merging.acquired).state


def at_price(joined: Merger, price_of: Callable[[int], int]) -> Merger:
    return joined._replace(prices=tuple(map(price_of, joined.acquired)))


@fault(merger.join, "mergers/price", "price with the placed tile")
def price_with_the_tile(right: Any, before: State, placed: Placement) -> Merger:
    sizes, price = before.board.sizes, before.rulebook.price
    return at_price(right(before, placed), lambda hotel: price(hotel, sizes[hotel] + 1))


@fault(merger.join, "mergers/price", "it was the survivor's price")
def price_of_the_survivor(right: Any, before: State, placed: Placement) -> Merger:
    found = right(before, placed)
    return at_price(found, lambda _: before.price(found.survivor))


@fault(merger.join, "mergers/price", "the price of one tile less")
def price_of_a_smaller_hotel(right: Any, before: State, placed: Placement) -> Merger:
    sizes, price = before.board.sizes, before.rulebook.price
    return at_price(right(before, placed), lambda hotel: price(hotel, sizes[hotel] - 1))


# -- certificates -------------------------------------------------------------------------------


@fault(placement.place, "placing/founders-share", "got no free certificate")
def no_founders_share(right: Any, before: State, placed: Placement) -> Any:
    after = right(before, placed)
    if placed.hotel is None or after.bank == before.bank:
        return after
    return mover_as(after, shares=before.mover.shares)._replace(bank=before.bank)


@fault(placement.place, "placing/founders-share", "got one free certificate too many")
def two_founders_shares(right: Any, before: State, placed: Placement) -> Any:
    after = right(before, placed)
    if placed.hotel is None or after.bank == before.bank or not after.bank[placed.hotel]:
        return after
    shares, bank = [*after.mover.shares], [*after.bank]
    shares[placed.hotel] += 1
    bank[placed.hotel] -= 1
    return mover_as(after, shares=tuple(shares))._replace(bank=tuple(bank))


@fault(placement.place, "placing/founders-share", "paid for what is free")
def founder_pays(right: Any, before: State, placed: Placement) -> Any:
    after = right(before, placed)
    if placed.hotel is None or after.bank == before.bank:
        return after
    return mover_as(after, cash=max(0, after.mover.cash - after.price(placed.hotel)))


@fault(purchase.buy, "buying/price", "for nothing")
def certificates_for_nothing(right: Any, before: State, order: Order) -> State:
    return mover_as(right(before, order), cash=before.mover.cash)


@fault(purchase.buy, "buying/price", "twice the price")
def certificates_paid_twice(right: Any, before: State, order: Order) -> State:
    after = right(before, order)
    return mover_as(after, cash=2 * after.mover.cash - before.mover.cash)


@fault(purchase.buy, "buying/price", "certificates are wrong after this: .* buys")
def only_one_certificate(right: Any, before: State, order: Order) -> Any:
    after = right(before, order)
    if len(order) < 2:
        return after
    shares = [*after.mover.shares]
    shares[order[0]] -= 1
    return mover_as(after, shares=tuple(shares))


@fault(purchase.buy, "buying/price", r"at a price of \$300")
def every_certificate_costs_300(right: Any, before: State, order: Order) -> State:
    return mover_as(right(before, order), cash=before.mover.cash - 300 * len(order))


def as_before(before: Any, after: Any, field: str) -> Any:
    """Return a merger in which all players have what they had."""
    had = {each.name: getattr(each, field) for each in before.state.players}
    players = tuple(each._replace(**{field: had[each.name]}) for each in after.state.players)
    return after._replace(state=after.state._replace(players=players))


@fault(disposal.keep, "mergers/returned", "for nothing")
def returned_for_nothing(right: Any, merging: Any, name: str, kept: Any) -> Any:
    return as_before(merging, right(merging, name, kept), "cash")


@fault(disposal.keep, "mergers/returned", "did not change hands")
def returned_and_kept(right: Any, merging: Any, name: str, kept: Any) -> Any:
    return as_before(merging, right(merging, name, kept), "shares")


# -- placing ------------------------------------------------------------------------------------


@fault(placement.place, "placing/board", "still has")
def tile_stays_in_hand(right: Any, before: State, placed: Placement) -> State:
    return mover_as(right(before, placed), hand=before.mover.hand)


@fault(placement.place, "placing/alone", "The board is wrong after this: .* plays")
def tile_not_on_the_board(right: Any, before: State, placed: Placement) -> Any:
    return right(before, placed)._replace(board=before.board)


@fault(placement.place, "placing/founding", "The board is wrong after this: .* founds")
def founded_without_the_neighbours(right: Any, before: State, placed: Placement) -> Any:
    after = right(before, placed)
    if placed.hotel is None:
        return after
    hotels, bit = [*after.board.hotels], 1 << placed.tile
    rest = hotels[placed.hotel] & ~bit
    first = rest & -rest
    hotels[placed.hotel] = bit | first
    board = lay_out(after.rulebook, after.board.loose | (rest & ~first), tuple(hotels))
    return after._replace(board=board)


@fault(merger.join, "mergers/joining", "The board is wrong after this: .* merge into")
def merged_without_the_tile(right: Any, before: State, placed: Placement) -> Any:
    found = right(before, placed)
    board = found.state.board
    hotels = tuple(mask & ~(1 << placed.tile) for mask in board.hotels)
    bare = lay_out(before.rulebook, board.loose, hotels)
    return found._replace(state=found.state._replace(board=bare))


# -- the set-up and the turn order --------------------------------------------------------------


@fault(state.deal, "set-up/tiles", "begins with 6 different tiles")
def same_tile_twice(right: Any, *setup: Any, **more: Any) -> State:
    dealt: State = right(*setup, **more)
    first, second, *others = dealt.players
    twice = second._replace(hand=second.hand & (second.hand - 1) | first.hand & -first.hand)
    return dealt._replace(players=(first, twice, *others))


@fault(state.deal, "set-up/order", "Who is to begin: the first to sign up")
def last_seat_first(right: Any, *setup: Any, **more: Any) -> State:
    dealt: State = right(*setup, **more)
    return dealt._replace(players=(dealt.players[-1], *dealt.players[:-1]))


@fault(turn.pass_turn, "conversation/turn-order", "turn order")
def turns_backwards(right: Any, before: State, *, idle: bool = False) -> State:
    players = (before.players[-1], *before.players[:-1])
    return right(before, idle=idle)._replace(players=players)  # type: ignore[no-any-return]


@fault(turn.pass_turn, "conversation/turn-order", "turn order")
def mover_moves_again(right: Any, before: State, *, idle: bool = False) -> Any:
    return right(before, idle=idle)._replace(players=before.players)


@fault(PositionMessages.states, "set-up/tiles", "is not shown")
def hands_of_others_hidden(right: Any, self: Any, position: State, names: Sequence[str]) -> Any:
    def seen_by(name: str) -> State:
        seats = [one if one.name == name else one._replace(hand=0) for one in position.players]
        return position._replace(players=tuple(seats))

    return {name: right(self, seen_by(name), [name])[name] for name in names}


@fault(referee.Referee._inform, "conversation/state-to-all", "of a later turn was sent")
def state_to_the_mover_only(right: Any, self: referee.Referee) -> Any:
    if not self.turns:
        yield from right(self)
        return
    position = self.state
    sent = self._messages.states(position, [position.mover.name])
    yield from self._judge.notify(sent, position, self._judge.eject)


@fault(
    judge.Judge.notify, "conversation/one-at-a-time", "The same <state> was sent to player1 twice"
)
def state_sent_twice(right: Any, *notified: Any, **more: Any) -> Any:
    yield from right(*notified, **more)
    yield from right(*notified, **more)


@fault(judge.Judge.ask, "conversation/one-at-a-time", "The same <keep> was sent to player. twice")
def keep_sent_twice(
    right: Any, self: Any, name: str, message: Any, *more: Any, **other: Any
) -> Any:
    if isinstance(message, messages.Keep):
        yield from right(self, name, message, *more, **other)
    return (yield from right(self, name, message, *more, **other))


@fault(referee.Referee._merge_and_buy, "conversation/players", "before the merger")
def players_before_the_merger(
    right: Any, self: referee.Referee, before: State, placed: Placement
) -> Any:
    """As the course's own administrator sent it."""
    own = self._messages

    class Stale(PositionMessages):
        def players(self, state: State) -> Any:
            return own.players(before)

    self._messages = Stale(before.rulebook)
    try:
        return (yield from right(self, before, placed))
    finally:
        self._messages = own


# -- drawing ------------------------------------------------------------------------------------


@fault(drawing.refill, "drawing/tile", "did not get the tile that it drew")
def draws_nothing(_: Any, before: State) -> DrawResult:
    return DrawResult(before, before.bag[:1])


@fault(drawing.refill, "end/moment", "too early: a tile is left to draw")
def bag_is_short(right: Any, before: State) -> Any:
    short = before._replace(bag=()) if len(before.bag) <= 60 else before
    return right(short)


@fault(drawing.refill, "drawing/new-tile", "not in the bag")
def draws_a_tile_again(right: Any, before: State) -> DrawResult:
    drawn: DrawResult = right(before)
    if not drawn.tiles or len(before.players) < 2:
        return drawn
    other = tiles_in(before.players[1].hand)[0]
    after = mover_as(before, hand=before.mover.hand | 1 << other)
    return DrawResult(after, (other,))


@fault(drawing.refill, "drawing/tile", "has too many tiles")
def draws_two(right: Any, before: State) -> DrawResult:
    first: DrawResult = right(before)
    if not first.state.bag:
        return first
    extra, *bag = first.state.bag
    after = mover_as(first.state, hand=first.state.mover.hand | 1 << extra)
    return DrawResult(after._replace(bag=tuple(bag)), first.tiles)


@fault(None, "drawing/tile", "<tile> was due")
def no_tile_message() -> None:
    def ask(
        right: Any, self: judge.Judge, name: str, message: Any, *more: Any, **other: Any
    ) -> Any:
        if isinstance(message, messages.NewTile):
            return messages.VOID
        return (yield from right(self, name, message, *more, **other))

    replace(judge.Judge.ask, ask)
    for step in ("MOVED", "MERGED"):
        row = (conversation.Step[step], "state")
        conversation._STEPS[next(iter(conversation._STEPS))][conversation.Side.REFEREE][row] = (
            conversation.Step.INFORMED
        )


# -- mergers: who is asked ----------------------------------------------------------------------


def ask_to_keep(self: Any, found: Any, names: Sequence[str]) -> Any:
    for name in names:
        question = messages.Keep(found.acquired)
        answer = yield from self._judge.ask(name, question, found.state, merger=found)
        if not isinstance(answer, messages.KeepAnswer):
            return self._without(found, name, answer)
        found = self._keep(found, name, answer.decisions)
    return found


ASK = merger_conversation.MergerConversation._ask_to_keep


@fault(ASK, "mergers/asked", "<keep> was due")
def only_holders_are_asked(right: Any, self: Any, found: Any) -> Any:
    everybody = found.state.players
    held = [p for p in everybody if any(p.shares[h] for h in found.acquired)]
    if len(held) == len(everybody) or held[:1] != [*everybody[:1]]:
        return (yield from right(self, found))
    return (yield from ask_to_keep(self, found, [each.name for each in held]))


OTHER_FIRST = "<keep> was due to player., but <keep> was sent to player. first, and answered"


@fault(ASK, "mergers/asked", OTHER_FIRST)
def mover_is_asked_last(_: Any, self: Any, found: Any) -> Any:
    mover, *others = [each.name for each in found.state.players]
    return (yield from ask_to_keep(self, found, [*others, mover]))


@fault(ASK, "mergers/asked", OTHER_FIRST)
def others_are_asked_in_reverse(_: Any, self: Any, found: Any) -> Any:
    mover, *others = [each.name for each in found.state.players]
    return (yield from ask_to_keep(self, found, [mover, *others[::-1]]))


DISPOSE = merger_conversation.MergerConversation._dispose_of_each


def ask_to_dispose(self: Any, found: Merger, hotel: int, names: Sequence[str]) -> Any:
    for name in names:
        if found is not None:
            found = yield from self._ask_to_dispose(found, name, hotel)
    return found


@fault(DISPOSE, "mergers/asked", OTHER_FIRST.replace("keep", "dispose"), "classic")
def mover_disposes_last(_: Any, self: Any, found: Any) -> Any:
    for hotel in found.acquired:
        found = self._pay(found, (hotel,))
        mover = found.state.mover.name
        names = sorted(disposal.holders(found, hotel), key=lambda name: name == mover)
        found = yield from ask_to_dispose(self, found, hotel, names)
    return found


@fault(DISPOSE, "mergers/several", "bonuses of .* were paid before another", "classic")
def all_bonuses_are_paid_first(_: Any, self: Any, found: Any) -> Any:
    found = self._pay(found, found.acquired)
    for hotel in found.acquired:
        names = disposal.holders(found, hotel)
        found = yield from ask_to_dispose(self, found, hotel, names)
    return found


@fault(DISPOSE, "mergers/several", "comes before .*: <dispose> was due to", "classic")
def holders_dispose_of_all_hotels_at_once(_: Any, self: Any, found: Any) -> Any:
    for name in [each.name for each in found.state.players]:
        for hotel in found.acquired:
            if found is not None and name in disposal.holders(found, hotel):
                if all(each.hotel != hotel for each in found.bonuses):
                    found = self._pay(found, (hotel,))
                found = yield from self._ask_to_dispose(found, name, hotel)
    return found


@fault(merger.join, "mergers/several", "The acquired hotels are not in their order")
def smallest_hotel_first(right: Any, *merging: Any) -> Any:
    found = right(*merging)
    return found._replace(acquired=found.acquired[::-1], prices=found.prices[::-1])


@fault(merger.join, "mergers/several", "The acquired hotels are not in their order", wire=True)
def acquired_hotels_by_name(right: Any, *merging: Any) -> Any:
    found = right(*merging)
    by_name = sorted(zip(found.acquired, found.prices, strict=True))
    acquired, prices = zip(*by_name, strict=True)
    return found._replace(acquired=acquired, prices=prices)


@fault(merger.join, "mergers/equals-named", "not in their order|comes before", "classic")
def order_of_equals_is_ignored(right: Any, before: State, placed: Placement) -> Any:
    return right(before, Placement(placed.tile, placed.hotel))


@fault(disposal.keep, "mergers/returned", "kept was returned")
def keep_and_return_mixed_up(right: Any, merging: Any, name: str, kept: Any) -> Any:
    return right(merging, name, [not each for each in kept])


# -- the end ------------------------------------------------------------------------------------


@fault(turn.ending, "end/all-hotels-safe", "should have ended: every hotel")
def never_ends_regularly(right: Any, position: State) -> Any:
    over = right(position)
    return None if over is not None and over.regular else over


LATE: list[object] = []


@fault(turn.ending, "end/all-hotels-safe", "should have ended: every hotel")
def ends_a_turn_late(right: Any, position: State) -> Any:
    over = right(position)
    if over is not None and over.regular and not LATE:
        LATE.append(over)
        return None
    return over


@fault(turn.ending, "end/moment", "too early: no hotel is on the board, and a tile can be placed")
def all_of_no_hotels_are_safe(right: Any, position: State) -> Any:
    return right(position) if position.board.largest else turn.Ending.ALL_SAFE


@fault(turn.ending, "end/moment", "too early: nobody has rightly declared the end", "classic")
def ends_undeclared(right: Any, position: State) -> Any:
    return right(position) or turn.regular_ending(position)


@fault(turn.ending, "end/no-placeable-tile", "the next player has no playable tile")
def nobody_is_stuck(right: Any, position: State) -> Any:
    over = right(position)
    return None if over is turn.Ending.NOTHING_PLACEABLE else over


def scored(paid: Any, more: Callable[[str], int]) -> Any:
    return paid._replace(scores=tuple((name, score + more(name)) for name, score in paid.scores))


def bonuses_of(paid: Any) -> Counter[str]:
    found = Counter[str]()
    for each in paid.bonuses:
        found[each.name] += each.amount
    return found


@fault(turn.pay_out, "end/scores", "not sold")
def certificates_not_sold(right: Any, position: State, *more: Any) -> Any:
    paid = right(position, *more)
    scores, bonus = dict(paid.scores), bonuses_of(paid)
    return scored(paid, lambda name: position.player(name).cash + bonus[name] - scores[name])


@fault(turn.pay_out, "end/scores", "without the cash")
def cash_not_counted(right: Any, position: State, *more: Any) -> Any:
    return scored(right(position, *more), lambda name: -position.player(name).cash)


@fault(PositionMessages.scores, "end/scores", "<score> shows the cash after the pay-out")
def score_shows_the_cash_paid_out(
    right: Any, self: Any, results: Any, position: State, names: Sequence[str]
) -> Any:
    paid = dict(results)
    players = tuple(each._replace(cash=paid[each.name]) for each in position.players)
    return right(self, results, position._replace(players=players), names)


@fault(turn.pay_out, "end/scores", "sold at a price of")
def certificates_sold_at_300(right: Any, position: State, *more: Any) -> Any:
    sizes = position.board.sizes

    def more_for(name: str) -> int:
        held = enumerate(position.player(name).shares)
        return sum(count * (300 - position.price(hotel)) for hotel, count in held if sizes[hotel])

    return scored(right(position, *more), more_for)


@fault(turn.pay_out, "end/bonuses", "only the mover")
def bonuses_at_the_end_for_the_mover_only(right: Any, position: State, *more: Any) -> Any:
    paid = right(position, *more)
    bonus, mover = bonuses_of(paid), position.mover.name
    return scored(paid, lambda name: 0 if name == mover else -bonus[name])


@fault(turn.pay_out, "end/bonuses", "they were not paid")
def no_bonuses_at_the_end(right: Any, *final: Any) -> Any:
    paid = right(*final)
    return scored(paid, lambda name: -bonuses_of(paid)[name])


@fault(turn.pay_out, "end/not-on-board", "not on the board")
def hotels_off_the_board_are_worth_money(right: Any, position: State, *more: Any) -> Any:
    off = [hotel for hotel, size in enumerate(position.board.sizes) if not size]

    def worth(name: str) -> int:
        return sum(position.player(name).shares[hotel] * position.price(hotel) for hotel in off)

    return scored(right(position, *more), worth)


@fault(outcome.standings, "end/order", "falling score")
def results_by_rising_score(right: Any, *results: Any) -> Any:
    table = right(*results)
    finished = [each for each in table if each.finished]
    return (*finished[::-1], *table[len(finished) :])


# -- ejections ----------------------------------------------------------------------------------


@fault(judge.Judge.eject_mover, "ejection/turn-tile-not-in-hand", "was not ejected")
def nobody_is_ever_ejected(right: Any, self: judge.Judge, what: Any, *, undo: bool = False) -> None:
    """An illegal move is answered as if nothing had been placed or bought."""
    if hasattr(what, "violation"):
        self.state = turn.pass_turn(self.state)
    else:
        right(self, what, undo=undo)


@fault(purchase.verify_order, "ejection/turn-mixed", "accepted")
def orders_are_not_checked(*_: Any) -> None:
    return None


@fault(placement.verify_placement, "ejection/turn-tile-not-in-hand", "accepted")
def tiles_of_others_accepted(right: Any, before: State, placed: Placement) -> Any:
    return right(mover_as(before, hand=before.mover.hand | 1 << placed.tile), placed)


@fault(placement.verify_placement, "ejection/turn-smallest-safe-merger", "accepted")
def hotels_just_safe_may_be_acquired(right: Any, before: State, placed: Placement) -> Any:
    found, safe = right(before, placed), before.rulebook.safe_size
    touched = before.board.touched(placed.tile)
    is_just_safe = max(map(before.board.size, touched), default=0) == safe
    is_wrong = found is not None and found.violation is Violation.SAFE_MERGER
    return None if is_wrong and is_just_safe else found


@fault(turn.eject, "ejection/goods", "certificates of .* are not back in the bank", "classic")
def certificates_of_the_ejected_are_lost(right: Any, before: State, name: str, bag: Any) -> Any:
    return right(before, name, bag)._replace(bank=before.bank)


@fault(judge.Judge.eject_mover, "ejection/undone", "was not undone as a whole")
def turn_of_the_ejected_is_kept(
    right: Any, self: judge.Judge, what: Any, *, undo: bool = False
) -> None:
    others = len(self.state.players) > 1
    right(self, what, undo=undo)
    if others and self.state.players:
        self.state = mover_as(self.state, cash=self.state.mover.cash + 1000)


@fault(judge.Judge.eject, "ejection/twice", "is back")
def ejected_player_comes_back(
    right: Any, self: judge.Judge, name: str, what: Any, within: Any = None
) -> Any:
    before = self.state
    after = right(self, name, what, within)
    if within is not None:
        self.state = before
    return after


@fault(
    judge.Judge.eject,
    "ejection/tiles",
    "No tile .* was drawn again",
    more="ejection/goods ejection/twice",
)
def tiles_of_the_ejected_are_lost(
    right: Any, self: judge.Judge, name: str, what: Any, within: Any = None
) -> Any:
    bag = self.state.bag
    after = right(self, name, what, within)
    self.state = self.state._replace(bag=bag)
    return self.state if within is None else after._replace(bag=within.bag)


@fault(disposal.verify_keep, "ejection/honest", "did nothing wrong")
def honest_player_ejected(right: Any, found: Any, decisions: Any) -> Any:
    if not any(decisions):
        return Illegal(Violation.KEEP_COUNT, "Nothing was kept.")
    return right(found, decisions)


@fault(framing.Framer._take, "ejection/setup-speaks-ahead", "player1 was not ejected", wire=True)
def trailing_bytes_ignored(right: Any, self: Any, end: int) -> bytes:
    document: bytes = right(self, end)
    self._buffer.clear()
    return document


@fault(inbox.Inbox.receive, "answers/white-space", "malformed, .* White space", wire=True)
def white_space_refused(right: Any, self: Any, data: bytes) -> Any:
    if data[:1] in b"\n " and data.strip():
        return faults.Fault(Reason.MALFORMED, "White space.", data)
    return right(self, data)


@fault(framing.Framer.feed, "answers/halves", "malformed, .* Not a whole message", wire=True)
def one_read_is_one_message(right: Any, self: Any, data: bytes) -> Any:
    found = right(self, data)
    return self._malformed("Not a whole message.") if found is None and data else found


def with_clocks(*clocks: float) -> None:
    right = Clocks.for_seats
    setattr(Clocks, "for_seats", lambda seats, *_: right(seats, *clocks))  # noqa: B010


@fault(None, "clocks/slow", r"timed-out, .* was 0\.3 s", wire=True)
def clocks_too_short() -> None:
    with_clocks(0.3, 3.0)


@fault(None, "ejection/tile-silent", "although timed-out was due", wire=True)
def clocks_too_long() -> None:
    with_clocks(600.0, 600.0)


@fault(None, "clocks/not-late", "was ejected after 3 s, due after 1 s", wire=True)
def clocks_three_times_too_long() -> None:
    with_clocks(3.0, 36.0)


@fault(Table._receive, "ejection/setup-dribble", "although timed-out was due", wire=True)
def every_byte_restarts_the_clock(right: Any, self: Any, of: Any, now: float) -> None:
    right(self, of, now)
    self._asked_at, self._deadline = now, now + self._limit


@fault(Table._limit_for, "clocks/whole-turn", "At the second question of its turn", wire=True)
def full_clock_at_every_question(right: Any, self: Any, *asked: Any) -> float:
    self._turn_time_used = 0.0
    return float(right(self, *asked))


@fault(outcome.standings, "end/tie", "not by falling score, ties by name", wire=True)
def ties_by_turn(right: Any, scores: Sequence[tuple[str, int]], ejected: Any) -> Any:
    turns = [name for name, _ in scores] + [*ejected]
    table = right(scores, ejected)
    return tuple(sorted(table, key=lambda each: (each.rank, turns.index(each.name))))


# -- forms, sign-up, robustness -----------------------------------------------------------------


@fault(writing.Writer.text, "messages/schema", "'count': .* '0' is less than the minimum")
def shares_of_zero_are_sent(right: Any, self: Any, message: Any) -> str:
    zero = '<share name="Tower" count="0"/><share name="Tower"'
    return str(right(self, message).replace('<share name="Tower"', zero))


@fault(writing.Writer.text, "messages/schema", "The attribute 'round' is not allowed")
def unknown_attribute(right: Any, self: Any, message: Any) -> str:
    return str(right(self, message).replace("<board>", '<board round="1">'))


@fault(writing.tiles_xml, "messages/sorted", "order or form")
def tiles_not_sorted(right: Any, mask: int) -> str:
    return "/>".join(reversed(right(mask).split("/>")[:-1])) + "/>" if mask else ""


@fault(player_names.free_name, "sign-up/taken-name", "Two players were given the name", wire=True)
def taken_names_given_again(_: Any, wanted: str, taken: Any) -> str:
    return wanted


@fault(merger.join, "robustness/answers", "closed; <keep> was due", wire=True)
def crashes_at_the_first_merger(*_: Any) -> Any:
    print("ZeroDivisionError: division by zero", file=sys.stderr, flush=True)
    os._exit(1)


@fault(merger.join, "robustness/answers", "<keep> was due .* a merger of four", wire=True)
def crashes_at_a_merger_of_four_hotels(right: Any, before: State, placed: Placement) -> Merger:
    found: Merger = right(before, placed)
    return os._exit(1) if len(found.acquired) == 3 else found


@fault(None, "robustness/reset", "was reset", more="ejection/setup-speaks-ahead", wire=True)
def closes_with_unread_input() -> None:
    """It reads a few bytes at a time, and never those behind a mistake."""

    async def finish(_: Any, self: seat.RemoteSeat, last: bytes = b"") -> None:
        self.socket.send(last)
        self.close()

    vars(seat)["CHUNK"] = 8
    replace(seat.RemoteSeat.finish, finish)


@fault(judge.Judge.eject, "ejection/turn-mixed", "although illegal was due", wire=True)
def hangs_at_an_ejection(*_: Any, **__: Any) -> Any:
    time.sleep(3600)


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
