"""The decisions of a recorded game: its answers, each with what else would have been legal.

A question with a single legal answer is none. Left out are the answers for which a player was
ejected, and what follows an ejection in the same turn.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from lxml import etree

from ....game.disposal import legal_disposals
from ....game.drawing import replace_hand
from ....game.placement import (
    Placement,
    equals_choices,
    hotel_choices,
    legal_placements,
    place,
)
from ....game.purchase import buy, legal_orders
from ....game.rulebook import StuckHand
from ....game.state import State
from ....game.turn import declared_ending
from ....protocol import messages
from ....protocol.messages import PlayerMessage
from ...refereeing.log.reader import AnswerReader, RecordedGame
from ...refereeing.log.replay import Replay, segments
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.play.questions import Ask
from ...refereeing.view.frame_kinds import FrameKind
from ...refereeing.view.frames import recorded_frames
from .decision import Decision, DecisionStart, Option, What, found_in
from .option_words import (
    disposal_words,
    end_words,
    keep_words,
    order_words,
    placement_words,
)

_PLACED = (
    FrameKind.PLACED,
    FrameKind.GROWN,
    FrameKind.FOUNDED,
    FrameKind.SHARE,
    FrameKind.NOTHING,
)
"""The frames after which a mover that merges nothing chooses its order."""
_BOUGHT = (*_PLACED, FrameKind.BOUGHT)
_ACKNOWLEDGED = ("state", "tile", "holders", "market", "score")
"""Messages with nothing to decide."""


class DecisionLog:
    """The decisions of a game whose log verifies.

    ``turns`` has for every turn its first frame and its position. ``done`` has what was answered in
    a turn, for the turns in which nobody was ejected.
    """

    def __init__(self, record: RecordedGame) -> None:
        self.decisions: list[Decision] = []
        self.turns: dict[int, tuple[int, State]] = {}
        self.done: dict[int, DecisionStart] = {}
        self._frames = recorded_frames(record.header)
        self._kinds = [self._frames.begin()["kind"]]
        self._turn = 0
        self._start: DecisionStart | None = None
        self._ejected = False
        replay, reader = Replay(record.header, self._take), AnswerReader(record.header)
        replay.start(segments(record, replay.state))
        for element in record.elements:
            asked = _asked(replay, reader, element)
            before = len(self._kinds)
            replay.take(element)
            if asked is not None and not self._ejected:
                self._note(*asked, before)

    def _take(self, event: Event) -> None:
        match event:
            case events.TurnBegan(number, _, state):
                self._turn, self._start, self._ejected = number, None, False
                self.turns[number] = (len(self._kinds), state)
            case events.Ejected():
                self._start, self._ejected = None, True
                self.done.pop(self._turn, None)
        self._kinds += [frame["kind"] for frame in self._frames.take(event)]

    def _note(self, name: str, ask: Ask, answer: PlayerMessage, before: int) -> None:
        """Note the decisions in an answer; ``before`` is how many frames there were before it."""
        shown = before - 1
        if isinstance(answer, messages.ReplaceAnswer):
            self._start = DecisionStart(ask.state)
            self._add(shown, name, What.REPLACE, ask, _replacements(), answer)
        elif ask.tag == "turn":
            self._note_turn(name, ask, answer, before)
        elif self._start is not None:
            now = len(self._start.position.bag) - len(ask.state.bag)
            self._start = self._start._replace(drawn=self._start.position.bag[:now])
            match answer:
                case messages.Order(hotels, end):
                    self._add(shown, name, What.ORDER, ask, _orders(ask.state, end), answer)
                    place = self._last(before, _BOUGHT)
                    self._note_end(place, name, ask, messages.Order(hotels), answer)
                case messages.Merge():
                    found = _survivors(ask)
                    self._add(shown, name, What.SURVIVOR, ask, found, answer)
                case messages.KeepAnswer(kept):
                    found = _keeps(ask, name, kept)
                    self._add(shown, name, What.KEEP, ask, found, answer)
                case messages.DisposeAnswer():
                    self._add(shown, name, What.DISPOSAL, ask, _disposals(ask, name), answer)
            given = (*self._start.given, (name, ask.tag, answer))
            self._start = self._start._replace(given=given)
            if isinstance(answer, messages.Order):
                self.done[self._turn] = self._start

    def _note_turn(self, name: str, ask: Ask, answer: PlayerMessage, before: int) -> None:
        state = ask.state
        if state.rulebook.stuck_hand is StuckHand.REPLACED and replace_hand(state).aside:
            return  # it would be replaced once more
        self._start = DecisionStart(state)
        match answer:
            case messages.Merge(placement):
                self._note_placement(before - 1, name, ask, placement)
                revealed = 1 << placement.tile
                self._start = DecisionStart(state, placement, revealed=revealed)
            case messages.Pbuy(placed, order, end):
                if placed is not None:
                    self._note_placement(before - 1, name, ask, placed)
                after = state if placed is None else place(state, placed)
                found = tuple(
                    option._replace(choice=messages.Pbuy(placed, option.choice.hotels, end))
                    for option in _orders(after, end)
                    if isinstance(option.choice, messages.Order)
                )
                step = self._last(before, _PLACED)
                self._add(step, name, What.ORDER, ask, found, answer, after)
                step = self._last(before, _BOUGHT)
                self._note_end(step, name, ask, messages.Pbuy(placed, order), answer)
                self.done[self._turn] = DecisionStart(state, given=((name, ask.tag, answer),))

    def _note_placement(self, step: int, name: str, ask: Ask, recorded: Placement) -> None:
        placements: dict[tuple[int, int | None], Placement] = {}
        for placement in legal_placements(ask.state):
            key = (placement.tile, placement.hotel)
            if placement == recorded or key not in placements:
                placements[key] = placement  # whichever order of equal hotels
        found = tuple(
            Option(each, placement_words(ask.state, each), each.tile)
            for each in placements.values()
        )
        self._add(step, name, What.PLACEMENT, ask, found, recorded)

    def _note_end(
        self,
        step: int,
        name: str,
        ask: Ask,
        unended: messages.Pbuy | messages.Order,
        answer: PlayerMessage,
    ) -> None:
        """Note whether the end was declared, if it could be."""
        state = ask.state
        if isinstance(unended, messages.Pbuy):
            begun, bought = state, unended.order
            state = state if unended.placement is None else place(state, unended.placement)
        else:
            assert self._start is not None, "a turn has begun"
            begun, bought = self._start.position, unended.hotels
        if declared_ending(state, begun) is None:
            return
        found = tuple(
            Option(replace(unended, end=ends), end_words(ends=ends)) for ends in (True, False)
        )
        self._add(step, name, What.END, ask, found, answer, buy(state, bought))

    def _last(self, before: int, kinds: Sequence[str]) -> int:
        """Return the last of the latest frames that is of one of these kinds, without a gap."""
        step = before
        while step < len(self._kinds) and self._kinds[step] in kinds:
            step += 1
        return step - 1

    def _add(
        self,
        step: int,
        name: str,
        what: What,
        ask: Ask,
        options: tuple[Option, ...],
        answer: Placement | PlayerMessage,
        state: State | None = None,
    ) -> None:
        recorded = found_in(options, answer)
        if len(options) < 2 or recorded is None:
            return
        assert self._start is not None, "a question within a turn"
        self.decisions.append(
            Decision(
                self._turn,
                step,
                name,
                what,
                ask.tag,
                ask.state if state is None else state,
                self._start,
                options,
                recorded,
            )
        )


def _asked(
    replay: Replay, reader: AnswerReader, element: etree._Element
) -> tuple[str, Ask, PlayerMessage] | None:
    """Return who answers which question in a record, if there was something to decide."""
    if element.tag != "answer" or not replay.pending:
        return None
    name, ask = next(iter(replay.pending.items()))
    return None if ask.tag in _ACKNOWLEDGED else (name, ask, reader.message(element))


def _orders(state: State, end: bool) -> tuple[Option, ...]:
    rulebook = state.rulebook
    return tuple(
        Option(messages.Order(order, end), order_words(rulebook, order))
        for order in legal_orders(state)
    )


def _survivors(ask: Ask) -> tuple[Option, ...]:
    assert isinstance(ask.message, messages.MarketMerger)
    state, tile = ask.state, ask.message.tile
    placements = [
        Placement(tile, hotel, equals)
        for hotel in hotel_choices(state.board, tile)
        for equals in equals_choices(state.rulebook, state.board, tile, hotel)
    ]
    return tuple(
        Option(messages.Merge(each), placement_words(state, each), tile) for each in placements
    )


def _keeps(ask: Ask, name: str, recorded: Sequence[bool]) -> tuple[Option, ...]:
    """Return the answers to *keep*; for hotels of which the player has none, as recorded."""
    assert isinstance(ask.message, messages.Keep)
    hotels, shares = ask.message.hotels, ask.state.player(name).shares
    choices = [
        (True, False) if shares[hotel] else (kept,)
        for hotel, kept in zip(hotels, recorded, strict=True)
    ]
    held = [at for at, hotel in enumerate(hotels) if shares[hotel]]
    return tuple(
        Option(
            messages.KeepAnswer(kept),
            keep_words(ask.state.rulebook, [(hotels[at], kept[at]) for at in held]),
        )
        for kept in product(*choices)
    )


def _disposals(ask: Ask, name: str) -> tuple[Option, ...]:
    question = ask.message
    assert isinstance(question, messages.Dispose)
    owned = ask.state.player(name).shares[question.hotel]
    return tuple(
        Option(
            messages.DisposeAnswer(disposal.sell, disposal.trade),
            disposal_words(owned, disposal.sell, disposal.trade),
        )
        for disposal in legal_disposals(owned, ask.state.bank[question.survivor])
    )


def _replacements() -> tuple[Option, ...]:
    return (
        Option(messages.ReplaceAnswer(replaces=True), "replace the hand"),
        Option(messages.ReplaceAnswer(replaces=False), "keep the hand"),
    )
