"""What a match shows as a whole: the form of messages, sign-ups, names, clocks."""

import math
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from lxml import etree

from ....game.state import State, deal
from ....game.tiles import Tile, mask_of, tile_names
from ....protocol.faults import Reason
from ....protocol.framing import WHITESPACE
from ....protocol.messages import Ejected, Players, PlayersView
from ....protocol.writing import Writer
from ...refereeing.table.clocks import Clocks, in_seconds
from .breaches import Breach
from .exchanges import MatchTrace, SeatTrace
from .plans import MatchPlan
from .sent_messages import SCORES, TURNS, drawn_by, hand_of, shown, twice

EARLY = 0.7  # a clock of S seconds has run out no sooner than EARLY x S

LAST = (Ejected, *SCORES)  # after these messages the connection is closed


def latest(clock: float) -> float:
    """Return after how many seconds a clock has certainly run out, on a busy machine, too."""
    return 1.5 * clock + 1.0


def of_whole_match(plan: MatchPlan, trace: MatchTrace, clocks: Clocks) -> Iterator[Breach]:
    """Yield the findings that are not about a step of the game."""
    forms = [*_of_forms(trace)]
    yield from forms
    yield from _of_sign_ups(trace)
    yield from _of_names(plan, trace)
    yield from _of_resets(trace)
    yield from _of_bag(plan, trace)
    in_step = all(each.case != "conversation/one-at-a-time" for each in forms)
    if in_step and not trace.late:  # else which answer was awaited is not known
        yield from _of_clocks(trace, clocks)


def _of_forms(trace: MatchTrace) -> Iterator[Breach]:
    """Yield what is wrong with the form of messages, once for each kind of mistake."""
    writer = Writer(trace.rulebook)
    schema = order = False
    for seat in trace.seats:
        for at, each in enumerate(seat.exchanges):
            if each.form and not schema:
                schema = True
                yield Breach.of("messages/schema", each.form, seat, each)
            elif each.message is not None and not each.form and not order:
                if isinstance(each.message, Ejected):
                    continue
                due = writer.write(each.message)
                if each.data != due and _compact(each.data) != _compact(due):
                    order = True
                    words = "Not in the order or form of the protocol."
                    yield Breach.of("messages/sorted", words, seat, each)
            after = next(iter(seat.exchanges[at + 1 : at + 2]), None)
            ejected = after is not None and isinstance(after.message, Ejected)
            ejected = ejected or each.early.lstrip(WHITESPACE).startswith(b"<ejected")
            if each.early.strip(WHITESPACE) and not ejected:
                sent = "More" if after is None else shown(after)
                words = f"{sent} was sent to {seat.name} before the answer to {shown(each)}."
                if after is not None and after.data == each.data:
                    words = twice(after, seat.name)
                yield Breach.of("conversation/one-at-a-time", words, seat, each)
                return


def _compact(data: bytes) -> bytes:
    """Return a document without what may differ in any two programs."""
    root = etree.fromstring(data)
    for element in root.iter():
        element.text = (element.text or "").strip() or None
        element.tail = None
    return etree.tostring(root, method="c14n")


_ALWAYS = (
    *("sign-up/seat", "messages/schema", "messages/sorted", "conversation/one-at-a-time"),
    *("conversation/position", "conversation/hidden", "buying/nothing"),
)


def reached_as_whole(plan: MatchPlan, trace: MatchTrace, reached: Counter[str]) -> Iterator[str]:
    """Yield the cases that a match is for as a whole, if it went well."""
    for seat in trace.turned_away:
        if not seat.name and seat.cheat is not None:
            yield f"ejection/{seat.cheat.name}"
    if "set-up/state" in reached:
        yield from _ALWAYS
        if trace.turned_away:
            yield "sign-up/seat-stays-open"
    if "ejection/honest" in reached:
        yield from (seat.point for seat in trace.seats if seat.point)
        yield "robustness/reset"
    if any(seat.silent_at for seat in trace.seats):
        yield "clocks/not-early"
    if any(seat.silent_at and seat.ended for seat in trace.seats) and not trace.late:
        yield "clocks/not-late"
    if any(_thought_before(seat) and seat.ended for seat in trace.seats) and not trace.late:
        yield "clocks/whole-turn"
    if "conversation/players" not in reached and "buying/after-merger" in reached:
        yield "conversation/players"
    if "mergers/asked" in reached:
        yield from ("mergers/kept", "mergers/held")
    if plan.case and (plan.and_then or "set-up/state" in reached):
        yield plan.case


def _of_sign_ups(trace: MatchTrace) -> Iterator[Breach]:
    """Yield who was given a seat although it did not sign up."""
    for seat in trace.turned_away:
        if seat.name and seat.cheat is not None:
            yield Breach.of(
                f"ejection/{seat.cheat.name}",
                f"This was accepted: the answer was a seat for {seat.name!r}. "
                f"{seat.cheat.description} ({seat.cheat.reason.value})",
                seat,
            )


def _of_names(plan: MatchPlan, trace: MatchTrace) -> Iterator[Breach]:
    given = [seat.name for seat in trace.seats if seat.name]
    twice = [name for name, count in Counter(given).items() if count > 1]
    if twice:
        yield Breach.of("sign-up/taken-name", f"Two players were given the name {twice[0]!r}.")
    if plan.names and len(set(plan.names)) == len(plan.names):
        for seat in trace.seats:
            if seat.name and seat.asked_name not in seat.name:
                words = f"{seat.asked_name!r} was given the name {seat.name!r}."
                yield Breach.of("sign-up/odd-names", words, seat)


def _of_resets(trace: MatchTrace) -> Iterator[Breach]:
    """Yield the first connection that was reset after its last message."""
    for seat in trace.seats:
        last = next(reversed(seat.exchanges), None)
        if seat.reset and last is not None and isinstance(last.message, LAST):
            words = (
                f"The connection of {seat.name} was reset after {shown(last)}, as "
                "close() does with unread input, and what was sent last may be lost. Shut down "
                "sending, and read until the player closes, before you close."
            )
            yield Breach.of("robustness/reset", words, seat, last)
            return


def _of_bag(plan: MatchPlan, trace: MatchTrace) -> Iterator[Breach]:
    """Yield the first tiles that were not drawn in the order of a bag that was given."""
    names = [seat.name for seat in trace.seats]
    if plan.bag is None or not all(names) or len({*names}) < len(names):
        return
    due = deal(trace.rulebook, names, plan.bag)
    for seat in trace.seats:
        for each in seat.exchanges[:1]:
            hand, expected = hand_of(each.message, seat.name), due.player(seat.name).hand
            if hand is not None and hand != expected:
                words = (
                    f"The hand of {seat.name} is {tile_names(hand)}. From the bag that was given "
                    f"it draws {tile_names(expected)}.{_seats_dealt(trace, plan.bag, due)}"
                )
                yield Breach.of("set-up/tiles", words, seat, each, "not in the bag's order")
                return
    # an ejection would shuffle the bag, at any time after the last question to whoever has left:
    # that it was told of it may have been read later than what the others were sent afterwards
    left = [
        max(
            (each.at for each in seat.exchanges if not isinstance(each.message, Ejected)), default=0
        )
        for seat in trace.seats
        if seat.exchanges and not isinstance(seat.exchanges[-1].message, SCORES)
    ]
    until = min(left, default=math.inf)
    first: dict[Tile, float] = {}  # when it was shown to anybody: the market's are shown to all
    for at, tile in sorted(draw for seat in trace.seats for draw in drawn_by(seat)):
        if at < until:
            first.setdefault(tile, at)
    left_in_bag = list(due.bag)
    for _, at_once in groupby(first, key=lambda tile: first[tile]):  # their order is not known
        tiles = [*at_once]
        right = [left_in_bag.pop(0) for _ in tiles[: len(left_in_bag)]]
        if {*tiles} != {*right}:
            words = (
                f"{tile_names(mask_of(tiles))} was drawn. The bag that was given has "
                f"{tile_names(mask_of(right)) or 'nothing'} there: its first tile is drawn first."
            )
            yield Breach.of("drawing/tile", words, rule="not in the bag's order")
            return


def _seats_dealt(trace: MatchTrace, bag: tuple[Tile, ...], due: State) -> str:
    """Return that the hands were dealt in sign-up order, as a sentence, empty if they were not."""
    at, size = due.board.loose.bit_count(), trace.rulebook.hand_size  # the starting tiles are loose
    dealt = [mask_of(bag[n : n + size]) for n in range(at, at + size * len(trace.seats), size)]
    sent = [hand_of(each.exchanges[0].message, each.name) for each in trace.seats if each.exchanges]
    words = f" The hands were dealt in sign-up order; {due.mover.name}, who begins, draws first."
    return words if sent == dealt else ""


def _thought_before(seat: SeatTrace) -> float:
    """Return the seconds that a player took in a turn before it fell silent in it."""
    if not (asked := seat.silent_at) or not isinstance(asked.message, Players | PlayersView):
        return 0.0
    turns = (each for each in reversed(seat.exchanges) if isinstance(each.message, TURNS))
    turn = next(turns, None)  # None: it was asked for an order without a turn
    return 0.0 if turn is None else turn.answered - turn.at


def _of_clocks(trace: MatchTrace, clocks: Clocks) -> Iterator[Breach]:
    """Yield who was ejected too early or too late for an answer that did not come."""
    for seat in trace.turned_away:
        if (cheat := seat.cheat) and cheat.reason is Reason.TIMED_OUT and not seat.end:
            most, due = in_seconds(latest(clocks.reply)), in_seconds(clocks.reply)
            words = f"It was not turned away in {most}, due after {due}."
            yield Breach.of(f"ejection/{cheat.name}", words, seat, None, "waits")
    for seat in trace.seats:
        asked, cheat = seat.silent_at, seat.cheat
        if asked is None or cheat is None:
            continue
        thinking = cheat.step.name in ("turn", "order", "merger")
        before = _thought_before(seat)
        limit = clocks.turn - before if thinking else clocks.reply
        told = seat.exchanges[-1]
        why = told.message.reason if isinstance(told.message, Ejected) else ""
        if why == Reason.INTERRUPTED.value:
            continue  # everybody was, as the administrator stopped
        ended = told.at if isinstance(told.message, Ejected) else seat.ended
        if not ended:
            continue  # what the others were sent shows whether it was ejected
        took, shown = ended - asked.at, in_seconds(limit)
        if took < EARLY * limit and why == Reason.MALFORMED.value:
            words = f"{seat.name} was ejected for the first part of an answer ({why})"
            words += f", although it has {shown} to send the rest."
            yield Breach.of("answers/halves", words, seat, asked)
        elif took < EARLY * limit and not thinking:
            words = f"{seat.name} was ejected after {in_seconds(took)}; it has {shown}."
            yield Breach.of("clocks/not-early", words, seat, asked)
        elif took > latest(limit) and _is_first_sign(trace, seat, asked.at, ended):
            words = f"{seat.name} was ejected after {in_seconds(took)}, due after {shown}."
            if before > clocks.turn / 2:
                words = (
                    f"At the second question of its turn {seat.name} was ejected only after "
                    f"{in_seconds(took)}, although it had used {in_seconds(before)} at the first: "
                    f"it has {in_seconds(clocks.turn)} for the whole turn."
                )
                yield Breach.of("clocks/whole-turn", words, seat, asked)
            else:
                dribbles = cheat.way == "dribble"  # which may restart a clock that is right
                case = f"ejection/{cheat.name}" if dribbles else "clocks/not-late"
                yield Breach.of(case, words, seat, asked, "waits")


def _is_first_sign(trace: MatchTrace, seat: SeatTrace, asked: float, ended: float) -> bool:
    """Whether nobody else was sent anything between a question and its end."""
    others = (each for other in trace.seats if other is not seat for each in other.exchanges)
    return not any(asked + 0.5 < each.at < ended - 0.5 for each in others)
