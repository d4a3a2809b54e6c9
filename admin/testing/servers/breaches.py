"""Breaches of the rules and of the protocol, as findings in words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import tile_names
from ....game.turn import pay_out
from ....protocol import messages
from ....protocol.messages import TAGS
from ...refereeing.play import events
from ...refereeing.play.questions import Ask
from .causes import cause_of
from .differences import SentDifference
from .exchanges import Exchanged, MatchTrace, SeatTrace
from .game_moment import GameMoment
from .sent_messages import SCORES, CannotGoOn, SentMessages, shown
from .table_seen import hand_of, parts

MOST_WORDS = 4
"""How many differences of one message are listed."""
_CASE_OF = {
    "tile": "drawing/tile",
    "keep": "mergers/asked",
    "dispose": "mergers/asked",
    "holders": "mergers/asked",
    "players": "conversation/players",
    "market": "mergers/market",
    "merger": "mergers/markets-merger",
    "replace": "drawing/new-hand",
    "state": "conversation/state-to-all",
}
"""The case that fails where a message is not sent."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach: the case that it fails, what was sent and what would have been right.

    ``turn`` counts from 1, 0 is the set-up. ``seat`` was sent it, in ``exchange``.
    """

    case: str
    sentence: str
    expected: str = ""
    turn: int = 0
    seat: SeatTrace | None = None
    exchange: Exchanged | None = None
    position: State | None = None


class Breaches:
    """The findings of a match; ``reached`` counts the cases that it came to with all right.

    ``out`` has who was ejected by the referee.
    """

    def __init__(self, trace: MatchTrace) -> None:
        self.findings: list[Breach] = []
        self.reached: Counter[str] = Counter()
        self.out: set[str] = set()
        self.sent = SentMessages(trace)
        self.moment = GameMoment(
            cheats={seat.name: seat.cheat.name for seat in trace.seats if seat.cheat},
            points={seat.name: seat.point for seat in trace.seats if seat.point},
        )

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook, with what the table hides."""
        return self.sent.rulebook

    def note(
        self,
        case: str,
        sentence: str,
        expected: str = "",
        *,
        to: str = "",
        exchange: Exchanged | None = None,
        position: State | None = None,
    ) -> None:
        """Note a finding about what was sent ``to`` a player."""
        seat, turn = self.sent.seats.get(to), self.moment.number
        self.findings.append(Breach(case, sentence, expected, turn, seat, exchange, position))

    def not_begun(self) -> None:
        """Note why the match did not begin."""
        for seat in self.sent.trace.seats:
            first = seat.exchanges[0] if seat.exchanges else None
            if not seat.name:
                said = seat.refusal
                why = seat.end if said is None else f"<ejected>: {said.sentence}"
                words = f"{seat.asked_name} signed up and got no seat. {why or 'Nothing was sent.'}"
                before = self.sent.trace.turned_away
                case = "sign-up/seat-stays-open" if before else "sign-up/seat"
                self.findings.append(Breach(case, words, seat=seat))
                return
            if first is None or not isinstance(first.message, messages.State | messages.StateView):
                came = "nothing was sent" if first is None else f"{shown(first)} came first"
                words = f"{seat.name} was not sent <state> at the beginning: {came}. {seat.end}"
                self.note("set-up/state", words.rstrip(), to=seat.name, exchange=first)
                return

    def differ(
        self, name: str, ask: Ask, exchange: Exchanged, found: Sequence[SentDifference]
    ) -> None:
        """Note the differences in one message."""
        cause = cause_of(found, ask, self.moment, self.rulebook)
        words = [each.words(self.rulebook) for each in found]
        more = len(words) - MOST_WORDS
        listed = "; ".join(words[:MOST_WORDS]) + (f"; and {more} more" if more > 0 else "")
        tag = TAGS[type(ask.message)]
        where = "the scores" if tag == "score" else f"<{tag}> to {name}"
        right = self.moment.told(self.rulebook, found)
        sentence = f"{cause.sentence} In {where}, {listed}.".lstrip()
        self.note(cause.case, sentence, right, to=name, exchange=exchange, position=ask.state)

    def left_out(self, name: str, ask: Ask) -> None:
        """Note that a player is sent nothing more; ``CannotGoOn`` if nobody is."""
        seat, last, trace = self.sent.seats[name], self.sent.last(name), self.sent.trace
        tag, after = TAGS[type(ask.message)], self._after_cheat()
        said = last.message if last is not None else None
        why = f": {said.reason}, {said.sentence}" if isinstance(said, messages.Ejected) else ""
        silent = all(self.sent.peek(each) is None for each in self.sent.seats)
        trouble, stops = trace.stalled or trace.trouble, False
        if seat.gave_up:
            case, what = "conversation/position", "Our player could not answer what it was sent: "
            what, last, stops = f"{what}{seat.gave_up}", seat.exchanges[-1], True
        elif silent and trouble and not seat.end:
            case, what, stops = "robustness/answers", f"{after}nothing more came. {trouble}", True
        elif silent and not isinstance(said, messages.Ejected):
            case, what = "robustness/answers", f"{after}all connections were closed"
        elif isinstance(ask.message, SCORES):
            case, what = "conversation/state-to-all", f"{name} was sent no scores{why}"
        else:
            case, what = "ejection/honest", f"{name} did nothing wrong and was ejected{why}"
            case = self.moment.points.get(name, case)
        if after and case == "robustness/answers":
            left = next(iter(self._just_ejected()))
            case = f"ejection/{self.moment.cheats[left]}"
        words = f"{what[:1].upper()}{what[1:].rstrip('.')}; <{tag}> was due to {name}. {seat.end}"
        self.note(case, words.rstrip(), to=name, exchange=last, position=ask.state)
        if stops:
            raise CannotGoOn

    def _just_ejected(self) -> list[str]:
        """Return the cheats that the referee has ejected since the last message that was right."""
        left = [each.name for each in self.moment.pending if isinstance(each, events.Ejected)]
        return [name for name in left if name in self.moment.cheats]

    def _after_cheat(self) -> str:
        for name in self._just_ejected():
            cheat = self.sent.seats[name].cheat
            assert cheat is not None
            return f"After this: {cheat.description} {cheat.reason.value} was due, but "
        return ""

    def other_sent(self, name: str, ask: Ask, exchange: Exchanged) -> None:
        """Note that another message was sent; ``CannotGoOn`` after scores."""
        tag, message = TAGS[type(ask.message)], exchange.message
        case = _CASE_OF.get(tag, "conversation/turn")
        words = f"<{tag}> was due to {name}, but {shown(exchange)} was sent."
        if isinstance(message, SCORES):
            case = "end/moment"
            words = (
                "The game was ended too early: no hotel is large enough, not all are safe, and a "
                f"tile can be placed. {words}"
            )
        elif isinstance(ask.message, SCORES):
            over = self.moment.over
            case = f"end/{over.value}" if over is not None else "end/moment"
            why = "" if over is None else f" {over.sentence}"
            words = f"The game should have ended.{why} {words}"
        elif tag == "tile" and (stays := self._still_in_hand(name, exchange)):
            case, words = "placing/board", f"{name} still has {stays}, which it placed. {words}"
        elif message is None:
            case, words = "messages/schema", f"{words} {exchange.form}"
        self.note(case, words, to=name, exchange=exchange, position=ask.state)
        if isinstance(message, SCORES):
            self._scores_alone(name, exchange)
            raise CannotGoOn

    def _still_in_hand(self, name: str, exchange: Exchanged) -> str:
        """Return the tile that a player has placed and still has; empty if it has none."""
        hand = hand_of(exchange.message, name) or 0
        placed = [each for each in self.moment.turn if isinstance(each, events.Placed)]
        return tile_names(1 << placed[0].tile & hand) if placed else ""

    def _scores_alone(self, name: str, exchange: Exchanged) -> None:
        """Judge the scores of a game that ended at a wrong moment, from the position with them."""
        message, seats = exchange.message, self.sent.seats
        assert isinstance(message, messages.Score | messages.ScoreView)
        sent = {each: found for each in seats if (found := self.sent.peek(each)) is not None}
        scores = {each: one for each, one in sent.items() if isinstance(one.message, SCORES)}
        try:
            state = self.sent.position(scores)
        except ValueError:
            return
        right = dict(pay_out(state, {}).scores)
        for player, score in message.results:
            if right.get(player, score) != score:
                words = f"{player}'s score is {score}; the position gives {right[player]}."
                self.note("end/scores", words, to=name, exchange=exchange, position=state)
                return

    def wrong_mover(self, name: str, exchange: Exchanged, state: State) -> None:
        """Note that a turn was given to a player whose turn it is not."""
        listed = ", ".join(player.name for player in state.players)
        words = (
            f"It is the turn of {state.mover.name}, but {shown(exchange)} was sent to {name}. The "
            f"players in turn order are {listed}."
        )
        self.note("conversation/turn", words, to=name, exchange=exchange, position=state)

    def unexpected(self, name: str, exchange: Exchanged, state: State) -> None:
        """Note a message that was not due: most often somebody was not ejected."""
        listed = [seat.name for seat in parts(exchange.message)[3]]
        kept = [each for each in (name, *listed) if each in self.out]
        if kept:
            self._accepted(kept[0], name, exchange, state)
        elif listed != [player.name for player in state.players]:
            self.wrong_mover(name, exchange, state)

    def _accepted(self, name: str, to: str, exchange: Exchanged, state: State) -> None:
        """Note that a player was not ejected that the referee has ejected."""
        seat = self.sent.seats[name]
        if seat.cheat is None:
            return  # what it was sent was wrong already
        how = f"{to} was sent {shown(exchange)}" + (f" with {name} in it" if to != name else "")
        words = (
            f"This was accepted, and {name} was not ejected: {seat.cheat.description} "
            f"({seat.cheat.reason.value}) Afterwards {how}."
        )
        right = f"{name} is ejected, and is missing from the next position."
        deed = seat.cheated or self.sent.taken(name) or exchange
        self.note(
            f"ejection/{seat.cheat.name}", words, right, to=name, exchange=deed, position=state
        )
