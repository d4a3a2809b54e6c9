"""The one story of a match, as a generator: it yields questions and is sent what came back.

    asks = next(story)                      {name: Ask}
    asks = story.send({name: Reply | Fault})

A turn is a batch of one question; informing the table is a batch of all; a merger asks seat by
seat. No clock, socket or shuffle is in here: the bag's order, the seats and a way to shuffle come
in. Strategies in this process, connections, a recorded log and tests all drive this same story.

Drivers observe faults; the judgement is here. A turn commits whole or not at all: the judge's
``state`` is the committed position, and a turn works on one of its own until the mover has drawn.
"""

from collections.abc import Generator, Iterable, Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from admin.match import events
from admin.match.judge import Emit, Judge, Shuffle, fault_of
from admin.match.merging import Merging
from admin.match.outcome import Outcome, standings
from admin.match.questions import Asks, Replies
from game import market
from game.drawing import DrawResult, refill, replace_hand
from game.placement import (
    Kind,
    Placement,
    kind_of,
    place,
    verify_no_placement,
    verify_placement,
)
from game.purchase import Order, buy, cost, verify_order
from game.rulebook import EmptyBag, Rulebook
from game.state import State, deal, start_tiles
from game.tiles import Tile, tile_name
from game.turn import (
    Ending,
    ending,
    pass_turn,
    pay_out,
    regular_ending,
    verify_declaration,
)
from game.violation import Illegal, Violation
from protocol import messages
from protocol.faults import Fault
from protocol.position_messages import position_messages_for

Story: TypeAlias = Generator[Asks, Replies, Outcome]


class Segment(NamedTuple):
    """A part of a match: a position, and how many turns are played from it.

    ``None`` is to the end of the match.
    """

    position: State
    turns: int | None = 1


class _Done(NamedTuple):
    """A turn up to the draw: the position, and whether the mover declared the end."""

    state: State
    declared: bool


class Referee:
    """Judges one match. ``story()``, or ``story_of()``, is to be driven once."""

    def __init__(
        self,
        rulebook: Rulebook,
        names: Sequence[str],
        bag: Sequence[Tile],
        shuffle: Shuffle,
        emit: Emit,
    ) -> None:
        """Deal the first position; ``ValueError`` as :func:`game.state.deal`."""
        self._judge = Judge(deal(rulebook, names, bag), shuffle, emit)
        self._emit = emit
        self._start = start_tiles(rulebook, names, bag)
        self._teller = position_messages_for(rulebook)
        self._empty_bag = rulebook.empty_bag
        self._with_market = market.takes_part(rulebook, len(names))
        self.turns = 0

    @property
    def state(self) -> State:
        """The committed position; before the story begins another can be laid out."""
        return self._judge.state

    @state.setter
    def state(self, state: State) -> None:
        self._judge.state = state

    def story(self) -> Story:
        """Tell the match from the set-up to the scores."""
        return self.story_of([Segment(self.state, None)])

    def story_of(self, segments: Iterable[Segment], subject: str | None = None) -> Story:
        """Tell parts of a match one after another, then the scores.

        Where a segment does not go on from where the one before it ended, its position is laid
        out, and all are told. The story goes on while ``subject``, if one is given, is at the
        table; the others' names are those that the match was set up with.
        """
        over: Ending | None = None
        for number, (position, turns) in enumerate(segments):
            if over is not None or not (subject is None or self._has(subject)):
                break
            yield from self._begin(position, at_once=number == 0)
            over = yield from self._turns(turns, subject)
        return (yield from self._end(over or ending(self.state) or Ending.NO_MORE_TURNS))

    def _has(self, name: str) -> bool:
        return any(player.name == name for player in self.state.players)

    def _begin(self, position: State, *, at_once: bool) -> Generator[Asks, Replies, None]:
        """See to it that all know the position with which a segment begins."""
        before, self.state = self.state, position
        if position != before:
            self._emit(events.LaidOut(position))
        elif at_once:
            for name, tile in self._start:
                self._emit(events.StartTile(name, tile, position))
        if at_once or _seen(position) != _seen(before):
            yield from self._inform()

    def _turns(
        self, turns: int | None, subject: str | None
    ) -> Generator[Asks, Replies, Ending | None]:
        """Play so many turns; return the ending when one of them ends the game."""
        for _ in count() if turns is None else range(turns):
            if subject is not None and not self._has(subject):
                break
            over = ending(self.state)
            if over is None:
                over = yield from self._turn()
            if over is not None:
                return over
        return None

    def _inform(self) -> Generator[Asks, Replies, None]:
        """Tell all the position at once; whoever is at fault leaves, in turn order."""
        state = self.state
        names = [player.name for player in state.players]
        yield from self._judge.notify(self._teller.states(state, names), state, self._judge.eject)

    # -- a turn ---------------------------------------------------------------------------------

    def _turn(self) -> Generator[Asks, Replies, Ending | None]:
        """Play one turn; return the ending when it ends the game."""
        self.turns += 1
        mover = self.state.mover.name
        self._emit(events.TurnBegan(self.turns, mover, self.state))
        begun = replace_hand(self.state)
        self._tell_drawn(mover, begun, begun.state)
        state, undo = begun.state, bool(begun.aside)
        answer = yield from self._judge.ask(mover, self._teller.turn(state), state, thinking=True)
        done: _Done | Illegal | None
        match answer:
            case messages.Pbuy(placed, order, end):
                if placed is None:
                    done = self._only_buy(state, order, end)
                else:
                    done = self._place_and_buy(state, placed, order, end)
            case messages.Merge(placement):
                done = yield from self._merge_and_buy(state, placement)
            case _:
                self._judge.eject_mover(fault_of(answer), undo=undo)
                return None
        if isinstance(done, Illegal):
            self._judge.eject_mover(done, undo=undo)
            return None
        return None if done is None else (yield from self._end_turn(done))

    def _only_buy(self, state: State, order: Order, end: bool) -> _Done | Illegal:
        """Judge and do a turn in which no tile can be placed."""
        illegal = verify_no_placement(state) or _verify_purchase(state, order, end)
        if illegal is not None:
            return illegal
        self._emit(events.NothingPlaced(state.mover.name, state))
        return self._buy(state, order, end)

    def _place_and_buy(
        self, state: State, placement: Placement, order: Order, end: bool
    ) -> _Done | Illegal:
        """Judge and do a turn without a merger."""
        illegal = verify_placement(state, placement)
        kind = kind_of(state.board, placement.tile)
        if illegal is None and kind is Kind.MERGING:
            name = tile_name(placement.tile)
            illegal = Illegal(Violation.MERGER_WITH_ORDER, f"Tile {name} merges hotels.")
        if illegal is not None:
            return illegal
        placed = place(state, placement)
        illegal = _verify_purchase(placed, order, end)
        if illegal is not None:
            return _with_founders_share(illegal, state, placed)
        self._tell_placement(state, placed, placement, kind)
        return self._buy(placed, order, end)

    def _tell_placement(
        self, before: State, after: State, placement: Placement, kind: Kind
    ) -> None:
        name, tile, hotel = before.mover.name, placement.tile, placement.hotel
        if kind is Kind.GROWING:
            (hotel,) = before.board.touched(tile)
        self._emit(events.Placed(name, tile, kind, hotel, after))
        if hotel is not None and after.bank[hotel] < before.bank[hotel]:
            self._emit(events.FoundersShare(name, hotel, after))

    def _buy(self, state: State, order: Order, end: bool) -> _Done:
        name = state.mover.name
        for hotel in sorted(set(order)):
            count = order.count(hotel)
            part = (hotel,) * count
            amount, state = cost(state, part), buy(state, part)
            self._emit(events.Bought(name, hotel, count, amount, state))
        if end:
            self._emit(events.Declared(name, state))
        return _Done(state, end)

    def _merge_and_buy(
        self, state: State, placement: Placement
    ) -> Generator[Asks, Replies, _Done | Illegal | None]:
        """Judge and do a turn with a merger; ``None`` when the mover was ejected in it."""
        illegal = verify_placement(state, placement)
        if illegal is None and kind_of(state.board, placement.tile) is not Kind.MERGING:
            name = tile_name(placement.tile)
            illegal = Illegal(Violation.NOT_A_MERGER, f"Tile {name} merges nothing.")
        if illegal is not None:
            return illegal
        merging = Merging(self._judge, with_market=self._with_market)
        settled = yield from merging.story(state, placement)
        if settled is None:
            return None
        mover = settled.mover.name
        question = self._teller.players(settled)
        answer = yield from self._judge.ask(mover, question, settled, thinking=True)
        fault: Fault | Illegal | None
        if isinstance(answer, messages.Order):
            fault = _verify_purchase(settled, answer.hotels, answer.end)
            if fault is None:
                return self._buy(settled, answer.hotels, answer.end)
        else:
            fault = fault_of(answer)
        self._judge.eject_mover(fault, undo=True)
        return None

    # -- the end of a turn ----------------------------------------------------------------------

    def _tell_drawn(self, name: str, drawn: DrawResult, state: State) -> None:
        for tile in drawn.tiles:
            self._emit(events.Drew(name, tile, state))
        if drawn.aside:
            self._emit(events.SetAside(name, drawn.aside, state))
        for tile in drawn.replacements:
            self._emit(events.Drew(name, tile, state))

    def _end_turn(self, done: _Done) -> Generator[Asks, Replies, Ending | None]:
        """Commit the turn: the mover draws, and all are told the new position."""
        state, declared = done
        mover, hand = state.mover.name, self.state.mover.hand
        if declared:
            self._judge.state = pass_turn(state)
            return regular_ending(state)
        drawn = refill(state)
        idle = drawn.state.mover.hand == hand
        self._judge.state = pass_turn(drawn.state, idle=idle)
        self._tell_drawn(mover, drawn, self.state)
        due = not drawn.tiles and _is_short(drawn.state)
        if due and self._empty_bag is EmptyBag.ENDS_GAME:
            over = ending(self.state)
            return over if over is not None and over.regular else Ending.BAG_EMPTY
        for tile in (*drawn.tiles, *drawn.replacements):
            answer = yield from self._judge.ask(mover, messages.NewTile(tile), self.state)
            if isinstance(answer, Fault):
                self._judge.eject(mover, answer)
                break
        yield from self._inform()
        return None

    # -- the end --------------------------------------------------------------------------------

    def _end(self, over: Ending) -> Generator[Asks, Replies, Outcome]:
        """Pay out, rank all, and tell those who are left.

        All is decided before anybody is told: whoever is at fault here has lost the connection,
        not the score, for the others know it.
        """
        state = self.state
        self._emit(events.Ended(over, self.turns, state))
        held: list[market.Holding] = []
        draws = market.draw_final_holdings(state) if self._with_market and state.players else ()
        for holding, state in draws:
            held.append(holding)
            self._emit(events.MarketDrew(*holding, holding.shares, state))
        final = pay_out(state, market.shares_by_hotel(held))
        for hotel, name, amount in final.bonuses:
            self._emit(events.BonusPaid(name, hotel, amount, state))
        ranking = standings(final.scores, [left.name for left in self._judge.ejected])
        for standing in ranking:
            self._emit(events.Ranked(*standing))
        results = tuple((place.name, place.score) for place in ranking if place.finished)
        yield from self._tell_the_end(state, held, results)
        return Outcome(over, self.turns, ranking, tuple(self._judge.ejected))

    def _tell_the_end(
        self, state: State, held: list[market.Holding], results: tuple[tuple[str, int], ...]
    ) -> Generator[Asks, Replies, None]:
        """Tell what the market held at the end, and the scores."""
        names = [player.name for player in state.players]

        def gone(name: str, fault: Fault) -> None:
            names.remove(name)
            self._judge.disconnect(name, fault, state)

        for holding in held:
            told = messages.MarketTile(*holding, holding.shares)
            yield from self._judge.notify(dict.fromkeys(names, told), state, gone)
        yield from self._judge.notify(self._teller.scores(results, state, names), state, gone)


def _seen(state: State) -> State:
    """Return a position without what nobody can see."""
    return state._replace(bag=(), idle=0)


def _is_short(state: State) -> bool:
    """Whether the mover has fewer tiles than a hand should have."""
    return state.mover.hand.bit_count() < state.rulebook.hand_size


def _verify_purchase(state: State, order: Order, end: bool) -> Illegal | None:
    """Say what is wrong with an order, or with a declaration that came with it."""
    illegal = verify_order(state, order)
    if illegal is None and end:
        illegal = verify_declaration(state)
    return illegal


def _with_founders_share(illegal: Illegal, before: State, placed: State) -> Illegal:
    """Say that the bank has one less than before the tile, where that is why an order was wrong."""
    if illegal.violation is not Violation.SOLD_OUT or before.bank == placed.bank:
        return illegal
    return illegal._replace(detail=f"{illegal.detail} The founder has just received one.")
