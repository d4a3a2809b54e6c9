"""The referee of a game, as a generator: it yields questions and is sent the replies.

    asks = next(questions)                  {name: Ask}
    asks = questions.send({name: Reply | Fault})

A turn asks one player, a position is sent to all at once, and a merger asks player after player.
The referee has no clock, no socket and no randomness of its own: the bag's order, the seats and a
shuffle are passed in. The same generator is driven by a table of connections, by strategies in this
process, by a recorded log and by tests.

Drivers detect faults; the referee judges answers. A turn is committed as a whole or not at all: the
judge's ``state`` is the committed position, and a turn works on a position of its own until the
mover has drawn.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from ....game import market
from ....game.drawing import DrawResult, refill, replace_hand
from ....game.placement import (
    GROWING,
    MERGING,
    Kind,
    Placement,
    kind_of,
    place,
    verify_no_placement,
    verify_placement,
)
from ....game.purchase import Order, buy, cost, verify_order
from ....game.rulebook import EmptyBag, Rulebook, StuckHand
from ....game.state import State, deal, start_tiles
from ....game.tiles import Tile, tile_name
from ....game.turn import Ending, declared_ending, ending, pass_turn, pay_out, verify_declaration
from ....game.violation import Illegal, Violation
from ....protocol import messages
from ....protocol.faults import Fault
from ....protocol.player_view import view_for
from ....protocol.position_messages import PositionMessages
from . import events
from .judge import Emit, Judge, Shuffle, fault_of
from .merger_conversation import MergerConversation
from .outcome import Outcome, standings
from .questions import Asking

Questions: TypeAlias = Asking[Outcome]


class Segment(NamedTuple):
    """A part of a game: a position, and how many turns are played from it.

    With ``None`` the game is played to its end.
    """

    position: State
    turns: int | None = 1


_TurnResult: TypeAlias = tuple[State, bool]
"""The position before the draw, and whether the mover declared the end."""


class Referee:
    """Judges one game: drive ``play()`` or ``play_segments()`` once."""

    def __init__(
        self,
        rulebook: Rulebook,
        names: Sequence[str],
        bag: Sequence[Tile],
        shuffle: Shuffle,
        emit: Emit,
    ) -> None:
        """Deal the first position; ``ValueError`` as :func:`acquire.game.state.deal`."""
        self._judge = Judge(deal(rulebook, names, bag), shuffle, emit)
        self._emit = emit
        self._start = start_tiles(rulebook, names, bag)
        self._messages = PositionMessages(rulebook)
        self._empty_bag = rulebook.empty_bag
        self._with_market = market.takes_part(rulebook, len(names))
        self.turns = 0

    @property
    def state(self) -> State:
        """The committed position; before the game begins another can be laid out."""
        return self._judge.state

    @state.setter
    def state(self, state: State) -> None:
        self._judge.state = state

    def play(self) -> Questions:
        """Play the game from the set-up to the scores."""
        return self.play_segments([Segment(self.state, None)])

    def play_segments(self, segments: Iterable[Segment], subject: str | None = None) -> Questions:
        """Play parts of a game one after another, then send the scores.

        Where a segment does not continue from the end of the one before it, its position is laid
        out and sent to all. The game ends early when ``subject``, if given, has been ejected. The
        players of all positions are among those that the game was set up with.
        """
        over: Ending | None = None
        for number, (position, turns) in enumerate(segments):
            if subject is not None and not self._has(subject):
                break
            yield from self._begin(position, at_once=number == 0)
            over = yield from self._turns(turns, subject)
            if over is not None:
                break
        return (yield from self._end(over or ending(self.state) or Ending.NO_MORE_TURNS))

    def _has(self, name: str) -> bool:
        return any(player.name == name for player in self.state.players)

    def _begin(self, position: State, *, at_once: bool) -> Asking[None]:
        """Lay out the position of a segment, and send it unless all have it already."""
        before, self.state = self.state, position
        if position != before:
            self._emit(events.LaidOut(position))
        elif at_once:
            for name, tile in self._start:
                self._emit(events.StartTile(name, tile, position))
        unseen = {"bag": (), "idle": 0}
        if at_once or position._replace(**unseen) != before._replace(**unseen):
            yield from self._inform()

    def _turns(self, turns: int | None, subject: str | None) -> Asking[Ending | None]:
        for _ in count() if turns is None else range(turns):
            if subject is not None and not self._has(subject):
                break
            over = ending(self._judge.state)
            if over is None:
                over = yield from self._turn()
            if over is not None:
                return over
        return None

    def _inform(self) -> Asking[None]:
        """Send the position to all at once; those at fault are ejected in turn order."""
        state = self._judge.state
        names = [player.name for player in state.players]
        yield from self._judge.notify(self._messages.states(state, names), state, self._judge.eject)

    # -- a turn ---------------------------------------------------------------------------------

    def _turn(self) -> Asking[Ending | None]:
        self.turns += 1
        self._judge.begin_turn()
        state = self._judge.state
        mover = state.players[0].name
        self._emit(events.TurnBegan(self.turns, mover, state))
        begun = yield from self._replace_hand(mover)
        if begun is None:
            return None
        state, undo = begun.state, bool(begun.aside)
        answer = yield from self._judge.ask(mover, self._messages.turn(state), state, thinking=True)
        done: _TurnResult | Illegal | None
        if isinstance(answer, messages.Pbuy):
            if answer.placement is None:
                done = self._only_buy(state, answer.order, answer.end)
            else:
                done = self._place_and_buy(state, answer.placement, answer.order, answer.end)
        elif isinstance(answer, messages.Merge):
            done = yield from self._merge_and_buy(state, answer.placement)
        else:
            self._judge.eject_mover(fault_of(answer), undo=undo)
            return None
        if isinstance(done, Illegal):
            self._judge.eject_mover(done, undo=undo)
            return None
        return None if done is None else (yield from self._end_turn(*done))

    def _replace_hand(self, mover: str) -> Asking[DrawResult | None]:
        """Replace a hand without a playable tile; ``None`` when the mover is ejected.

        Where the rulebook leaves it to the mover, it is asked first.
        """
        state = self._judge.state
        begun = replace_hand(state)
        if begun.state is state:
            return begun
        if state.rulebook.stuck_hand is StuckHand.MAY_REPLACE:
            question = messages.Replace(view_for(state, mover))
            answer = yield from self._judge.ask(mover, question, state)
            if not isinstance(answer, messages.ReplaceAnswer):
                self._judge.eject_mover(fault_of(answer))
                return None
            if not answer.replaces:
                self._emit(events.HandKept(mover, state))
                return DrawResult(state)
        self._report_draw(mover, begun, begun.state)
        return begun

    def _only_buy(self, state: State, order: Order, end: bool) -> _TurnResult | Illegal:
        illegal = verify_no_placement(state) or self._verify_purchase(state, order, end)
        if illegal is not None:
            return illegal
        self._emit(events.NothingPlaced(state.mover.name, state))
        return self._buy(state, order, end)

    def _place_and_buy(
        self, state: State, placement: Placement, order: Order, end: bool
    ) -> _TurnResult | Illegal:
        illegal = verify_placement(state, placement)
        kind = kind_of(state.board, placement.tile)
        if illegal is None and kind is MERGING:
            name = tile_name(placement.tile)
            illegal = Illegal(Violation.MERGER_WITH_ORDER, f"Tile {name} merges hotels.")
        if illegal is not None:
            return illegal
        placed = place(state, placement)
        illegal = self._verify_purchase(placed, order, end)
        if illegal is not None:
            return _with_founders_share(illegal, state, placed, order)
        self._report_placement(state, placed, placement, kind)
        return self._buy(placed, order, end)

    def _report_placement(
        self, before: State, after: State, placement: Placement, kind: Kind
    ) -> None:
        name, tile, hotel = before.players[0].name, placement.tile, placement.hotel
        if kind is GROWING:
            (hotel,) = before.board.touched(tile)
        for event in events.of_placement(name, tile, kind, hotel, before.bank, after):
            self._emit(event)

    def _verify_purchase(self, state: State, order: Order, end: bool) -> Illegal | None:
        illegal = verify_order(state, order)
        if illegal is None and end:
            illegal = verify_declaration(state, begun=self.state)
        return illegal

    def _buy(self, state: State, order: Order, end: bool) -> _TurnResult:
        name = state.players[0].name
        for hotel in sorted(set(order)):
            count = order.count(hotel)
            part = (hotel,) * count
            amount, state = cost(state, part), buy(state, part)
            self._emit(events.Bought(name, hotel, count, amount, state))
        if end:
            self._emit(events.Declared(name, state))
        return state, end

    def _merge_and_buy(
        self, state: State, placement: Placement
    ) -> Asking[_TurnResult | Illegal | None]:
        illegal = verify_placement(state, placement)
        if illegal is None and kind_of(state.board, placement.tile) is not MERGING:
            name = tile_name(placement.tile)
            illegal = Illegal(Violation.NOT_A_MERGER, f"Tile {name} merges nothing.")
        if illegal is not None:
            return illegal
        merging = MergerConversation(self._judge, with_market=self._with_market)
        settled = yield from merging.run(state, placement)
        if settled is None:
            return None
        mover = settled.mover.name
        question = self._messages.players(settled)
        answer = yield from self._judge.ask(mover, question, settled, thinking=True)
        fault: Fault | Illegal | None
        if isinstance(answer, messages.Order):
            fault = self._verify_purchase(settled, answer.hotels, answer.end)
            if fault is None:
                return self._buy(settled, answer.hotels, answer.end)
        else:
            fault = fault_of(answer)
        self._judge.eject_mover(fault, undo=True)
        return None

    # -- the end of a turn ----------------------------------------------------------------------

    def _report_draw(self, name: str, drawn: DrawResult, state: State) -> None:
        for tile in drawn.tiles:
            self._emit(events.Drew(name, tile, state))
        if drawn.aside:
            self._emit(events.SetAside(name, drawn.aside, state))
        for tile in drawn.replacements:
            self._emit(events.Drew(name, tile, state))

    def _end_turn(self, state: State, declared: bool) -> Asking[Ending | None]:
        """Commit the turn: the mover draws, and the new position is sent to all."""
        begun = self._judge.state
        mover, hand = state.players[0].name, begun.players[0].hand
        if declared:
            over = declared_ending(state, begun)
            self._judge.state = pass_turn(state)
            return over
        drawn = refill(state)
        idle = drawn.state.players[0].hand == hand
        self._judge.state = after = pass_turn(drawn.state, idle=idle)
        self._report_draw(mover, drawn, after)
        for tile in (*drawn.tiles, *drawn.replacements):
            answer = yield from self._judge.ask(mover, messages.NewTile(tile), after)
            if isinstance(answer, Fault):
                self._judge.eject(mover, answer)
                break
        if drawn.lacking and self._empty_bag is EmptyBag.ENDS_GAME:
            over = ending(self._judge.state)
            by_rule = over is not None and (over.regular or over is Ending.NOBODY_LEFT)
            return over if by_rule else Ending.BAG_EMPTY
        yield from self._inform()
        return None

    # -- the end --------------------------------------------------------------------------------

    def _end(self, over: Ending) -> Asking[Outcome]:
        """Pay out, rank the players, and send the results to those at the table.

        The results are final before they are sent: a player at fault from here on loses only the
        connection, because the others have been sent its score.
        """
        state = self.state
        self._emit(events.Ended(over, self.turns, state))
        held: list[market.Holding] = []
        draws = market.draw_final_holdings(state) if self._with_market and state.players else ()
        for holding, state in draws:
            held.append(holding)
            self._emit(events.MarketDrew(*holding, holding.shares, state))
        final = pay_out(state, {one.hotel: one.shares for one in held})
        for bonus in final.bonuses:
            self._emit(events.BonusPaid(bonus.name, bonus.hotel, bonus.amount, state))
        ranking = standings(final.scores, [left.name for left in self._judge.ejected])
        for standing in ranking:
            self._emit(events.Ranked(*standing))
        results = tuple((place.name, place.score) for place in ranking if place.finished)
        yield from self._send_results(state, held, results)
        return Outcome(over, self.turns, ranking, tuple(self._judge.ejected))

    def _send_results(
        self, state: State, held: list[market.Holding], results: tuple[tuple[str, int], ...]
    ) -> Asking[None]:
        names = [player.name for player in state.players]

        def at_fault(name: str, fault: Fault) -> None:
            names.remove(name)
            self._judge.disconnect(name, fault, state)

        for holding in held:
            message = messages.MarketTile(*holding, holding.shares)
            yield from self._judge.notify(dict.fromkeys(names, message), state, at_fault)
        yield from self._judge.notify(self._messages.scores(results, state, names), state, at_fault)


def _with_founders_share(illegal: Illegal, before: State, placed: State, order: Order) -> Illegal:
    """Add what the founder has just got, where an order is illegal because of it."""
    if illegal.violation is not Violation.SOLD_OUT or (
        verify_order(placed._replace(bank=before.bank), order) is not None
    ):
        return illegal
    received = sum(before.bank) - sum(placed.bank)
    how_many = "one" if received == 1 else str(received)
    return illegal._replace(detail=f"{illegal.detail} The founder has just received {how_many}.")
