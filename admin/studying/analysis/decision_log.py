"""The decisions of a recorded game: its answers, each with what else would have been legal.

A question with a single legal answer is none. Left out are the answers for which a player was
ejected, and what follows an ejection in the same turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from ....game.disposal import TRADED_FOR_ONE
from ....game.drawing import replace_hand
from ....game.placement import Kind, Placement, kind_of
from ....game.purchase import Order, buy
from ....game.rulebook import StuckHand
from ....game.state import State
from ....game.tiles import Mask, Tile, tile_name
from ....protocol import messages
from ....protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ....protocol.question import Question
from ...refereeing.log.reader import RecordedGame
from ...refereeing.log.verifier import Replay, segments
from ...refereeing.play import events
from ...refereeing.play.events import Event, TableEvent
from ...refereeing.play.outcome import OutcomeSoFar

Given: TypeAlias = tuple[str, str, PlayerMessage]
"""An answer that a player gives again: its name, the question (a root element), the answer."""
Choice: TypeAlias = Placement | PlayerMessage  # a placement without its order, or an answer


class What(Enum):
    """What is decided; the value is its code for pages and programs."""

    PLACEMENT = "placement"
    SURVIVOR = "survivor"
    KEEP = "keep"
    DISPOSAL = "disposal"
    ORDER = "order"
    END = "end"
    REPLACE = "replace"


class Option(NamedTuple):
    """A legal choice."""

    choice: Choice
    text: str

    @property
    def tile(self) -> Tile | None:
        """The tile that it places."""
        match self.choice:
            case (Placement() as placement) | messages.Merge(placement):
                return placement.tile
        return None


class DecisionStart(NamedTuple):
    """The position in which the mover was asked for its turn, and what has happened since."""

    position: State
    placed: Placement | None = None  # the mover's placement
    given: tuple[Given, ...] = ()  # the answers after it
    drawn: tuple[Tile, ...] = ()  # tiles drawn from the bag since, all of them public
    revealed: Mask = 0  # tiles from hands that have become public since


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with all its legal options."""

    turn: int
    step: int  # the frame of the page that shows the position
    name: str
    what: What
    asked: RefereeMessage  # the message that asks for it
    state: State  # the position in which it is made
    start: DecisionStart
    options: tuple[Option, ...]
    recorded: int  # the place of the option that was chosen

    def start_with(self, option: int) -> DecisionStart:
        """Return what has happened in the turn once this option is chosen."""
        choice = self.options[option].choice
        if isinstance(choice, Placement):
            return self.start._replace(placed=choice)
        given = (self.name, TAGS[type(self.asked)], choice)
        return self.start._replace(given=(*self.start.given, given))


_PLACED = (events.Placed, events.FoundersShare, events.NothingPlaced)
"""What happens before a mover that merges nothing chooses its order."""
_BOUGHT = (*_PLACED, events.Bought)  # what happens before it declares the end


class DecisionLog:
    """The decisions of a game whose log verifies.

    ``turns`` has for every turn its first frame and its position, ``drew`` the tiles that its mover
    drew. ``done`` has what was answered in a turn, for the turns in which nobody was ejected.
    """

    def __init__(self, record: RecordedGame) -> None:
        self.decisions: list[Decision] = []
        self.turns: dict[int, tuple[int, State]] = {}
        self.drew: dict[int, list[Tile]] = {}
        self.done: dict[int, DecisionStart] = {}
        self.so_far = OutcomeSoFar()
        # The page shows one frame before the first of these events, and one after each. So the
        # number of events before a moment is the number of the frame that shows it.
        self._events: list[TableEvent] = []
        self._turn = 0
        self._start: DecisionStart | None = None
        self._ejected = False
        self._answer: PlayerMessage | None = None
        replay = Replay(record.header, self._take, record.elements)
        replay.start(segments(record, replay.state))
        for element in record.elements:
            asked, step = replay.pending, len(self._events)
            self._answer = None
            replay.take(element)
            if self._answer is not None and not self._ejected:
                name, ask = next(iter(asked.items()))
                if question := ask.question(name):
                    self._note(question, self._answer, step)

    def _take(self, event: Event) -> None:
        self.so_far(event)
        match event:
            case events.Answered(message=answer):
                self._answer = answer
            case events.TurnBegan(number, _, state):
                self._turn, self._start, self._ejected = number, None, False
                self.turns[number] = (len(self._events) + 1, state)
            case events.Drew(tile=tile):
                self.drew.setdefault(self._turn, []).append(tile)
            case events.Ejected():  # the next turn may begin before this answer is noted
                self._start, self._ejected, self._answer = None, True, None
                self.done.pop(self._turn, None)
        if isinstance(event, events.TABLE_EVENTS):
            self._events.append(event)

    def _note(self, question: Question, answer: PlayerMessage, step: int) -> None:
        """Note the decisions in an answer; ``step`` is the frame that shows the question."""
        state, name = question.state, question.name
        if isinstance(answer, messages.ReplaceAnswer):
            self._start = DecisionStart(state)
            self._add(step, What.REPLACE, question, question.legal(), answer)
        elif isinstance(question.message, messages.Turn | messages.TurnView):
            self._note_turn(question, answer, step)
        elif self._start is not None:
            now = len(self._start.position.bag) - len(state.bag)
            self._start = self._start._replace(drawn=self._start.position.bag[:now])
            match answer:
                case messages.Order(hotels, end):
                    self._note_order(question, None, hotels, end, step)
                case messages.Merge():
                    self._add(step, What.SURVIVOR, question, question.legal(), answer)
                case messages.KeepAnswer(kept):
                    self._add(step, What.KEEP, question, _keeps(question, kept), answer)
                case messages.DisposeAnswer():
                    self._add(step, What.DISPOSAL, question, question.legal(), answer)
            given = (*self._start.given, (name, TAGS[type(question.message)], answer))
            self._start = self._start._replace(given=given)
            if isinstance(answer, messages.Order):
                self.done[self._turn] = self._start

    def _note_turn(self, question: Question, answer: PlayerMessage, step: int) -> None:
        state = question.state
        if state.rulebook.stuck_hand is StuckHand.REPLACED and replace_hand(state).aside:
            return  # it would be replaced once more
        self._start = DecisionStart(state)
        match answer:
            case messages.Merge(placement):
                self._note_placement(question, placement, step)
                revealed = 1 << placement.tile
                self._start = DecisionStart(state, placement, revealed=revealed)
            case messages.Pbuy(placed, order, end):
                if placed is not None:
                    self._note_placement(question, placed, step)
                self._note_order(question, placed, order, end, step)
                given = ((question.name, TAGS[type(question.message)], answer),)
                self.done[self._turn] = DecisionStart(state, given=given)

    def _note_placement(self, question: Question, recorded: Placement, step: int) -> None:
        placements: dict[tuple[int, int | None], Placement] = {}
        for placement in question.placements():
            key = (placement.tile, placement.hotel)
            if placement == recorded or key not in placements:
                placements[key] = placement  # whichever order of equal hotels
        self._add(step, What.PLACEMENT, question, [*placements.values()], recorded)

    def _note_order(
        self, question: Question, placement: Placement | None, order: Order, end: bool, step: int
    ) -> None:
        """Note the order, and whether the end was declared, if it could be."""
        answer, state = question.turn_answer, question.ordering(placement)
        recorded = answer(placement, order, end)
        found = [answer(placement, each, end) for each in question.orders(placement)]
        self._add(self._after(step, _PLACED), What.ORDER, question, found, recorded, state)
        if question.ending(placement) is not None:
            found = [answer(placement, order, ends) for ends in (True, False)]
            step, after = self._after(step, _BOUGHT), buy(state, order)
            self._add(step, What.END, question, found, recorded, after)

    def _after(self, step: int, happened: tuple[type[TableEvent], ...]) -> int:
        """Return the frame after the events of these kinds that followed upon an answer."""
        while step < len(self._events) and isinstance(self._events[step], happened):
            step += 1
        return step

    def _add(
        self,
        step: int,
        what: What,
        question: Question,
        choices: Sequence[Choice],
        choice: Choice,
        state: State | None = None,
    ) -> None:
        if len(choices) < 2 or choice not in choices:
            return
        assert self._start is not None, "a question within a turn"
        name, asked = question.name, question.message
        made = (self._turn, step, name, what, asked, state or question.state, self._start)
        options = tuple(Option(each, _words(what, question, each)) for each in choices)
        self.decisions.append(Decision(*made, options, choices.index(choice)))


def _keeps(question: Question, recorded: tuple[bool, ...]) -> list[PlayerMessage]:
    """Return the answers to *keep*; for hotels of which the player has none, as recorded."""
    assert isinstance(question.message, messages.Keep)
    shares = question.state.player(question.name).shares
    owned = [shares[hotel] > 0 for hotel in question.message.hotels]
    return [
        messages.KeepAnswer(kept)
        for kept in question.keeps()
        if all(own or one == other for own, one, other in zip(owned, kept, recorded, strict=True))
    ]


# -- choices in words ---------------------------------------------------------------------------


def _words(what: What, question: Question, choice: Choice) -> str:
    """Return a choice in words that fit in a line of a list."""
    state = question.state
    own, name = state.player(question.name).shares, state.rulebook.hotel_name
    match question.message, choice:
        case _, (Placement() as placement) | messages.Merge(placement):
            return _placement_words(state, placement)
        case _, messages.Pbuy(_, _, end) | messages.Order(_, end) if what is What.END:
            return "declare the end" if end else "play on"
        case _, messages.Pbuy(_, order) | messages.Order(order):
            bought = [f"{order.count(hotel)} {name(hotel)}" for hotel in sorted({*order})]
            return f"buy {', '.join(bought) or 'nothing'}"
        case messages.Keep(hotels), messages.KeepAnswer(kept):
            return ", ".join(
                f"{'keep' if keeps else 'return'} {name(hotel)}"
                for hotel, keeps in zip(hotels, kept, strict=True)
                if own[hotel]
            )
        case messages.Dispose(hotel), messages.DisposeAnswer(sell, trade):
            held = own[hotel] - sell - trade
            traded = f"trade {trade} for {trade // TRADED_FOR_ONE}"
            done = ((held, f"hold {held}"), (sell, f"sell {sell}"), (trade, traded))
            return ", ".join(words for count, words in done if count)
        case _, messages.ReplaceAnswer(replaces):
            return "replace the hand" if replaces else "keep the hand"
    raise AssertionError(f"{choice} does not answer {question.message}")


def _placement_words(state: State, placement: Placement) -> str:
    """Return a placement in words; the order of equal acquired hotels is left out."""
    tile, name = tile_name(placement.tile), state.rulebook.hotel_name
    kind = kind_of(state.board, placement.tile)
    if kind is Kind.GROWING:
        return f"{tile}: {name(state.board.touched(placement.tile)[0])} grows"
    if placement.hotel is None:
        return tile
    if kind is Kind.FOUNDING:
        return f"{tile}: found {name(placement.hotel)}"
    return f"{tile}: merge into {name(placement.hotel)}"
