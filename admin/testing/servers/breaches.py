"""Breaches of the rules and of the protocol, as findings in words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ....game.placement import Kind, Placement, kind_of, playable
from ....game.rulebook import EmptyBag, End
from ....game.state import State
from ....game.tiles import tile_name, tile_names
from ....game.turn import Ending, pay_out, regular_ending
from ....protocol import messages
from ....protocol.faults import Reason
from ...refereeing.diagnosis.placements import effect_of, rule_of_safety
from ...refereeing.play import events
from ...refereeing.play.questions import Ask
from .causes import Suspicion, causes_of
from .exchanges import Exchanged, SeatTrace
from .game_moment import GameMoment
from .sent_messages import (
    SCORES,
    STATES,
    CannotGoOn,
    SentDifference,
    SentMessages,
    hand_of,
    parts,
    shown,
)

MOST_WORDS = 4  # how many differences of one message are listed
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
    """A breach: what may have caused it, what was sent and what would have been right."""

    causes: tuple[Suspicion, ...]  # those that explain it; without better evidence, the first
    sent: str = ""
    expected: str = ""
    turn: int = 0  # from 1; 0 is the set-up
    seat: SeatTrace | None = None  # who was sent it, in `exchange`
    exchange: Exchanged | None = None
    position: State | None = None

    @classmethod
    def of(
        cls,
        case: str,
        sentence: str,
        seat: SeatTrace | None = None,
        exchange: Exchanged | None = None,
        rule: str = "",
    ) -> "Breach":
        """Return a breach of which only the case and a sentence are known."""
        return cls((Suspicion(case, rule or case, sentence),), seat=seat, exchange=exchange)

    @property
    def case(self) -> str:
        """The case that fails."""
        return self.causes[0].case

    @property
    def sentence(self) -> str:
        """The cause, and what was sent."""
        return f"{self.causes[0].sentence} {self.sent}".strip()


class Breaches:
    """The findings of a match; ``reached`` counts the cases that it came to with all right."""

    def __init__(self, sent: SentMessages, moment: GameMoment) -> None:
        self.findings: list[Breach] = []
        self.reached: Counter[str] = Counter()
        self._wronged: set[str] = set()
        self._sent, self._moment = sent, moment

    def note(
        self,
        case: str,
        sentence: str,
        to: str = "",
        exchange: Exchanged | None = None,
        position: State | None = None,
        *,
        expected: str = "",
        rule: str = "",
        weight: int = 1,
    ) -> None:
        """Note a finding about what was sent ``to`` a player."""
        cause = Suspicion(case, rule or case, sentence, weight)
        seat, turn = self._sent.seats.get(to), self._moment.number
        self.findings.append(Breach((cause,), "", expected, turn, seat, exchange, position))

    def not_begun(self) -> None:
        """Note why the match did not begin."""
        for seat in self._sent.trace.seats:
            if not seat.name:
                why = seat.end or self._sent.trace.trouble or "Nothing was sent."
                did = "signed up and got" if seat.sign_up else "got"
                words = f"{seat.asked_name} {did} no seat. {why}"
                before = self._sent.trace.turned_away
                case = "sign-up/seat-stays-open" if before else "sign-up/seat"
                for other in before:
                    if other.name and other.cheat is not None:  # it has the seat
                        case = f"ejection/{other.cheat.name}"
                self.findings.append(Breach.of(case, words, seat))
                return
        for seat in self._sent.trace.seats:
            first = seat.exchanges[0] if seat.exchanges else None
            if first is None or not isinstance(first.message, STATES):
                came = "nothing was sent" if first is None else f"{shown(first)} came first"
                words = f"{seat.name} was not sent <state> at the beginning: {came}. {seat.end}"
                self.note("set-up/state", words.rstrip(), seat.name, first)
                return

    def ejects_honest(self, state: State) -> bool:
        """Note who did nothing wrong and was ejected: it explains what the others are sent."""
        found = False
        for name, seat in self._sent.seats.items():
            last = self._sent.last(name)
            said = None if last is None else last.message
            known = seat.cheat is not None or name in self._moment.out or name in self._wronged
            if isinstance(said, messages.Ejected) and not known:
                found = True
                self._wronged.add(name)
                self._innocent(name, said, last, state)
        return found

    def _innocent(
        self, name: str, said: messages.Ejected, exchange: Exchanged | None, state: State
    ) -> None:
        if said.reason == Reason.INTERRUPTED.value:  # what caused it weighs more
            words = f"The administrator stopped before the end: {said.reason}, {said.sentence}"
            case, weight = "robustness/answers", 0
        else:
            words = f"{name} did nothing wrong and was ejected: {said.reason}, {said.sentence}"
            words += self._placed_before(name)
            case, weight = self._sent.seats[name].point or "ejection/honest", 1
        self.note(case, words, name, exchange, state, weight=weight)

    def _placed_before(self, name: str) -> str:
        """Return what the tile does that a player has placed last, as a sentence, or nothing."""
        state = self._moment.before
        answers = [each.answer for each in self._sent.seats[name].exchanges if each.answer]
        match answers[-1:]:
            case [messages.Merge(Placement(tile)) | messages.Pbuy(Placement(tile))]:
                if any(each.name == name and each.hand >> tile & 1 for each in state.players):
                    merges = kind_of(state.board, tile) is Kind.MERGING
                    rule = f"; {rule_of_safety(self._sent.rulebook)}" if merges else ""
                    return f" {tile_name(tile)}: {effect_of(state, tile)}{rule}."
        return ""

    def differ(
        self, name: str, ask: Ask, exchange: Exchanged, found: Sequence[SentDifference]
    ) -> None:
        """Note the differences in one message, or who is in it that should have been ejected."""
        seated = [seat.name for seat in parts(exchange.message)[3]]
        kept = [each for each in self._moment.out if each in seated]
        if kept and self._accepted(kept[0], name, exchange, ask.state):
            return
        words = [each.words(self._sent.rulebook) for each in found]
        if (more := len(words) - MOST_WORDS) > 0:
            words[MOST_WORDS:] = [f"and {more} more"]
        where = "the scores" if ask.tag == "score" else f"<{ask.tag}> to {name}"
        causes = tuple(causes_of(found, ask, self._moment))
        right = self._moment.told([each.who for each in found if each.field in ("cash", "score")])
        seat, turn = self._sent.seats[name], self._moment.number
        told = f"In {where}, {'; '.join(words)}."
        self.findings.append(Breach(causes, told, right, turn, seat, exchange, ask.state))

    def left_out(self, name: str, ask: Ask) -> None:
        """Note that a player is sent nothing more; ``CannotGoOn`` if nobody is."""
        seat, last, trouble = (
            self._sent.seats[name],
            self._sent.last(name),
            self._sent.trace.trouble,
        )
        left = [each.name for each in self._moment.pending if isinstance(each, events.Ejected)]
        cheats = [cheat for each in left if (cheat := self._sent.seats[each].cheat)]
        due, if_silent = "", "robustness/answers"
        if cheats:
            what = cheats[0].description.rstrip(".")
            due = f", although {cheats[0].reason.value} was due after this: {what}"
            if_silent = f"ejection/{cheats[0].name}"
        said = last.message if last is not None else None
        why = f": {said.reason}, {said.sentence}" if isinstance(said, messages.Ejected) else ""
        silent = all(self._sent.peek(each) is None for each in self._sent.seats)
        stops = bool(seat.gave_up or (silent and trouble and not seat.end))
        if seat.gave_up:
            case, last = "conversation/position", seat.exchanges[-1]
            what = f"Our player could not answer what it was sent: {seat.gave_up}"
        elif stops:
            case, what = if_silent, f"Nothing more came{due}. {trouble}"
        elif silent and not why:
            case, what = if_silent, f"All connections were closed{due}"
        elif isinstance(ask.message, SCORES):
            case, what = "conversation/state-to-all", f"{name} was sent no scores{why}"
        elif seat.cheated is not None and why:
            case, what = "ejection/twice", f"{name} was ejected, and is back at the table"
        elif isinstance(said, messages.Ejected):
            self._innocent(name, said, last, ask.state)
            return
        elif cheats and any(self._sent.peek(each) is not None for each in left):
            guilty = next(each for each in left if self._sent.seats[each].cheat is cheats[0])
            case, what = if_silent, f"{guilty} was not ejected{due}"
        else:
            case = seat.point or "ejection/honest"
            what = f"{name} did nothing wrong and was ejected"
        words = f"{what.rstrip('.')}; <{ask.tag}> was due to {name}. {seat.end}"
        rule = {"ejection/twice": "back", if_silent: "waits" if cheats else ""}.get(case, "")
        self.note(case, words.rstrip(), name, last, ask.state, rule=rule)
        if stops:
            raise CannotGoOn

    def other_sent(self, name: str, ask: Ask, exchange: Exchanged) -> None:
        """Note that another message was sent; ``CannotGoOn`` after scores."""
        tag, message = ask.tag, exchange.message
        case = _CASE_OF.get(tag, "conversation/turn")
        later = " of a later turn" if type(message) is type(ask.message) else ""
        words = f"<{tag}> was due to {name}, but {shown(exchange)}{later} was sent."
        if isinstance(message, SCORES):
            case = "end/moment"
            words = f"The game was ended too early{_why_not_over(tag, ask.state)}. {words}"
        elif isinstance(ask.message, SCORES):
            over = self._moment.over
            case = f"end/{over.value}" if over is not None else "end/moment"
            words = f"The game should have ended{self._why_over(over, ask.state)}. {words}"
        elif tag == "tile" and (stays := self._still_in_hand(name, exchange)):
            case, words = "placing/board", f"{name} still has {stays}, which it placed. {words}"
        elif message is None:
            case, words = "messages/schema", f"{words} {exchange.form}"
        self.note(case, words, name, exchange, ask.state)
        if isinstance(message, SCORES):
            self._scores_alone(name, exchange)
            raise CannotGoOn

    def too_soon(self, name: str, exchange: Exchanged, other: str, due: Exchanged) -> None:
        """Note a message that came before what was ``due`` to another player, or was open."""
        case, sent = "conversation/one-at-a-time", f"{shown(exchange)} was sent to {name}"
        words = f"{sent} before the last question was answered."
        if exchange.at < exchange.answered < due.at:  # no question was open
            case = _CASE_OF.get(shown(due).strip("<>"), "conversation/turn")
            words = f"{shown(due)} was due to {other}, but {sent} first, and answered."
            match due.message, exchange.message:
                case messages.Dispose(right), messages.Dispose(hotel) if hotel != right:
                    before, after = map(self._sent.rulebook.hotel_name, (right, hotel))
                    case = self._moment.case_of_order([before], [after])
                    words = f"{before} comes before {after}: {words}"
        self.note(case, words, name, exchange, self._moment.last)

    @staticmethod
    def _why_over(over: Ending | None, state: State) -> str:
        """Return why a game is over, to be continued after the words that it is."""
        if over is None:
            return ""
        why = f": {over.sentence[:1].lower()}{over.sentence[1:].rstrip('.')}"
        if over is not Ending.NOTHING_PLACEABLE or not state.players:
            return why
        hand, board = state.mover.hand, state.board
        kinds = {
            "would merge safe hotels": hand & board.closed,
            "would lie beside a hotel and an unincorporated tile": hand & ~board.closed,
        }
        reasons = [f"{tile_names(tiles)} {words}" for words, tiles in kinds.items() if tiles]
        return f"{why}, whose {' and '.join(reasons)}" if reasons else why

    def _still_in_hand(self, name: str, exchange: Exchanged) -> str:
        """Return the tile that a player has placed and still has; empty if it has none."""
        hand = hand_of(exchange.message, name) or 0
        placed = [each for each in self._moment.turn if isinstance(each, events.Placed)]
        return tile_names(1 << placed[0].tile & hand) if placed else ""

    def _scores_alone(self, name: str, exchange: Exchanged) -> None:
        """Judge the scores of a game that ended at a wrong moment, from the position with them."""
        message, seats = exchange.message, self._sent.seats
        assert isinstance(message, messages.Score | messages.ScoreView)
        sent = self._sent.coming(seats).items()
        scores = {each: one for each, one in sent if isinstance(one.message, SCORES)}
        try:
            state = self._sent.position(scores)
        except ValueError:
            return
        right = dict(pay_out(state, {}).scores)
        for player, score in message.results:
            if right.get(player, score) != score:
                words = f"{player}'s score is {score}; the position gives {right[player]}."
                self.note("end/scores", words, name, exchange, state)
                return

    def wrong_mover(self, name: str, exchange: Exchanged, state: State) -> None:
        """Note that a turn was given to a player whose turn it is not."""
        listed = ", ".join(player.name for player in state.players)
        words = (
            f"It is the turn of {state.mover.name}, but {shown(exchange)} was sent to {name}. The "
            f"players in turn order are {listed}."
        )
        self.note("conversation/turn", words, name, exchange, state)

    def unexpected(self, name: str, exchange: Exchanged, state: State) -> None:
        """Note a message that was not due: most often somebody was not ejected."""
        listed = [seat.name for seat in parts(exchange.message)[3]]
        kept = [each for each in (name, *listed) if each in self._moment.out]
        if kept:
            self._accepted(kept[0], name, exchange, state)
        elif listed != [player.name for player in state.players]:
            self.wrong_mover(name, exchange, state)

    def _accepted(self, name: str, to: str, exchange: Exchanged, state: State) -> bool:
        """Note that a player was not ejected that the referee has ejected; return whether it was.

        It was not if what the player was sent was wrong already.
        """
        seat = self._sent.seats[name]
        if seat.cheat is None or self._moment.out[name].violation is not seat.cheat.violation:
            return False
        before = [each for each in seat.exchanges if each.at < exchange.at]
        if any(isinstance(each.message, messages.Ejected) for each in before):
            words = f"{name} was ejected, and is back: {shown(exchange)} was sent to {to}."
            self.note("ejection/twice", words, to, exchange, state, rule="back")
            return True
        how = f"{to} was sent {shown(exchange)}" + (f" with {name} in it" if to != name else "")
        words = (
            f"This was accepted, and {name} was not ejected: {seat.cheat.description} "
            f"({seat.cheat.reason.value}) Afterwards {how}."
        )
        right = f"{name} is ejected, and is missing from the next position."
        deed = seat.cheated or self._sent.taken(name) or exchange
        case = f"ejection/{seat.cheat.name}"
        self.note(case, words, name, deed, state, expected=right, rule="accepted")
        return True


def _why_not_over(tag: str, state: State) -> str:
    """Return why a game is not over, to be continued after these words; empty if in doubt."""
    if tag == "tile" and state.rulebook.empty_bag is EmptyBag.ENDS_GAME:
        return ": a tile is left to draw; the bag has those of ejected players, too"
    if state.rulebook.end is not End.ADMINISTRATOR:
        return ": nobody has rightly declared the end, without which no hotel ends a game"
    if regular_ending(state) is not None:
        return ""  # it is over as soon as the turn is
    why = "large enough, not all are safe" if state.board.largest else "on the board"
    return f": no hotel is {why}{', and a tile can be placed' if playable(state) else ''}"
