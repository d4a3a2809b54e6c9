"""Why a player was ejected, as a value: the question, the answer, and a correct one.

It knows nothing of terminals and pages.
"""

import base64
from dataclasses import dataclass
from typing import Any, NamedTuple

from lxml import etree

from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import Mask, Tile, tile_name, tiles_in
from ....game.turn import Ending, worth, worth_in_merger
from ....game.violation import Violation
from ....protocol import messages
from ....protocol.faults import Reason
from ....protocol.messages import PlayerMessage
from ....protocol.reading import parser
from ....protocol.writing import Writer
from ...refereeing.log.reader import RecordedGame
from ...refereeing.log.verifier import Verification, Verifier
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.play.questions import Ask
from .alternatives import Legal, legal_in, suggest
from .sources import RuleSource, sources_of

NO_TILE = (
    "No tile was left to draw, so <score> came where <tile> comes after other turns. Programs of "
    "2013 expect <tile>: accept both."
)
"""The hint for a player that fails at the score after its own move, with an empty bag."""
NO_FORM = "The schema has no form for more, so the message is invalid."
"""What follows upon a rule of the game that the schema enforces."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one player was ejected."""

    name: str
    turn: int  # 0 at the set-up
    occasion: str  # at which question it happened, in words
    ask: Ask
    reason: Reason
    violation: Violation | None
    detail: str  # what broke the rule
    rule: str  # in one sentence
    sources: tuple[RuleSource, ...]
    received: bytes
    exact: bool  # whether `received` are the very bytes, not rebuilt from the parsed message
    understood: PlayerMessage | None  # the parsed message, if it broke only a rule of the game
    expected: str  # the kind of answer to the question
    legal: Legal  # the legal answers in place of an illegal move
    suggestion: PlayerMessage  # one correct answer
    keeps_score: bool  # whether the game was over, so that the player lost only the connection
    hint: str  # the probable mistake and what to do about it; `""` where none is known

    @property
    def position(self) -> State:
        """The position in which the question was answered."""
        return self.ask.state

    @property
    def net_worth(self) -> dict[str, int]:
        """Each player's net worth in dollars in that position."""
        asked, merger = self.ask.message, self.ask.merger
        market = {asked.hotel: asked.count} if isinstance(asked, messages.MarketTile) else {}
        if merger is None:
            return worth(self.position, market)
        return worth_in_merger(merger, market)

    @property
    def tried(self) -> Tile | None:
        """The tile that the player wanted to place, if it was one."""
        if not isinstance(self.understood, messages.Pbuy | messages.Merge):
            return None
        placement = self.understood.placement
        return None if placement is None else placement.tile

    @property
    def send(self) -> bytes:
        """The suggestion as it is sent."""
        return self.written(self.suggestion)

    def written(self, message: PlayerMessage) -> bytes:
        """Return the bytes to send for an answer: the suggestion, or one of those legal."""
        return Writer(self.position.rulebook).write(message)


class Findings(NamedTuple):
    """What a log shows: the ejections, and how far the log follows the rules."""

    explanations: list[Explanation]
    verdict: Verification


def findings(record: RecordedGame, seat: str | None = None) -> Findings:
    """Play a log again, as far as it holds, and explain each ejection, or that of ``seat`` alone.

    The ejections are in their order, ``seat`` is the name of a player.
    """
    explainer, verdict = Explainer(seat), Verifier(record).verify()
    for event in verdict.events:
        explainer.take(event)
    return Findings(explainer.explanations, verdict)


class Explainer:
    """Explains the ejections of a game, or that of one player: ``take`` all events, in order."""

    def __init__(self, seat: str | None = None) -> None:
        self.explanations: list[Explanation] = []
        self._seat = seat
        self._answers: dict[str, PlayerMessage] = {}
        self._turn, self._mover = 0, ""
        self._ending: Ending | None = None

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.TurnBegan(number, name):
                self._turn, self._mover = number, name
            case events.Ended(how):
                self._ending = how
            case events.Answered(name, _, message):
                self._answers[name] = message
            case events.Ejected(name) if self._seat in (None, name):
                at_score = self._ending is Ending.BAG_EMPTY and name == self._mover
                hint = NO_TILE if at_score else event.hint
                self.explanations.append(
                    _explained(self._turn, event, self._answers.get(name), hint)
                )


def _explained(
    turn: int, event: events.Ejected, answer: PlayerMessage | None, hint: str
) -> Explanation:
    ask, illegal = event.ask, event.violation is not None
    rulebook, understood = ask.state.rulebook, answer if illegal else None
    question = ask.question(event.name)
    suggestion: PlayerMessage = messages.VOID if question is None else suggest(question, understood)
    expected = "<void/>" if question is None else question.describe()
    if event.absent:
        suggestion, expected = messages.SignUp(event.name), "<signup>"
    received, rule = event.data, (event.violation or event.reason).sentence
    limit = rule_in_schema(rulebook, received) if event.reason is Reason.INVALID else None
    if understood is not None and not received:
        received = Writer(rulebook).write(understood)
    return Explanation(
        name=event.name,
        turn=turn,
        occasion=event.occasion,
        ask=ask,
        reason=event.reason,
        violation=event.violation,
        detail=event.detail.removesuffix(rule).rstrip() if illegal else event.detail,
        rule=rule if limit is None else f"{limit.sentence} {NO_FORM}",
        sources=sources_of(rulebook, event.reason, event.violation or limit),
        received=received,
        exact=not illegal or bool(event.data),
        understood=understood,
        expected=expected,
        legal=legal_in(question, understood) if question and illegal else Legal(),
        suggestion=suggestion,
        keeps_score=event.bag is None,
        hint=hint,
    )


def rule_in_schema(rulebook: Rulebook, message: bytes) -> Violation | None:
    """Return the rule for which the schema rejects a message, ``None`` if it is a matter of form.

    >>> from acquire.game.rulebooks import REVISED
    >>> rule_in_schema(REVISED, b"<order><hotel/><hotel/><hotel/></order>")
    <Violation.TOO_MANY: 'order-too-large'>
    >>> rule_in_schema(REVISED, b"<order><hotel/><hotel/></order>")
    """
    try:
        root = etree.fromstring(message, parser())
    except etree.XMLSyntaxError:
        return None
    orders = [len(order.findall("hotel")) for order in root.iter("order")]
    return Violation.TOO_MANY if max(orders, default=0) > rulebook.order_limit else None


# -- for programs -------------------------------------------------------------------------------


def as_json(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as values that JSON has.

    Tiles are written like ``12I``, money is in dollars. ``received`` is text, ``null`` where the
    bytes are not UTF-8; ``received_base64`` has them all.
    """
    legal, received, position = explanation.legal, explanation.received, explanation.position
    writer, text = Writer(position.rulebook), received.decode(errors="replace")
    return {
        "name": explanation.name,
        "turn": explanation.turn,
        "question": explanation.ask.tag,
        "reason": explanation.reason.value,
        "rule": explanation.violation.value if explanation.violation else None,
        "sentence": explanation.rule,
        "detail": explanation.detail,
        "sources": [source._asdict() for source in explanation.sources],
        "rulebook": position.rulebook.id,
        "position": _position_fields(position),
        "tried": None if explanation.tried is None else tile_name(explanation.tried),
        "received": text if text.encode() == received else None,
        "received_base64": base64.b64encode(received).decode(),
        "byte_for_byte": explanation.exact,
        "expected": explanation.expected,
        "legal": legal._asdict()
        | {
            "alternatives": [
                each._asdict() | {"messages": [*map(writer.text, each.messages)]}
                for each in legal.alternatives
            ]
        },
        "suggestion": explanation.send.decode(),
        "keeps_score": explanation.keeps_score,
        "hint": explanation.hint,
    }


def _position_fields(state: State) -> dict[str, Any]:
    """Return a position as values that JSON has; without the bag, which no player knows."""
    return {
        "unincorporated": _tiles(state.board.loose),
        "hotels": {
            state.rulebook.hotel_name(hotel): _tiles(mask)
            for hotel, mask in enumerate(state.board.hotels)
            if mask
        },
        "set_aside": _tiles(state.aside),
        "bank": _by_name(state, state.bank),
        "players": [
            {
                "name": player.name,
                "cash": player.cash,
                "certificates": _by_name(state, player.shares),
                "tiles": _tiles(player.hand),
            }
            for player in state.players
        ],
    }


def _by_name(state: State, counts: tuple[int, ...]) -> dict[str, int]:
    return {state.rulebook.hotel_name(hotel): n for hotel, n in enumerate(counts) if n}


def _tiles(mask: Mask) -> list[str]:
    return list(map(tile_name, tiles_in(mask)))
