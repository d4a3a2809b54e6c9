"""What came of a trial, as a verdict on the case that was played."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from admin.check.case import PLAYER, Case
from admin.match import events
from admin.table.clocks import Clocks
from admin.trial.door import Departure
from admin.trial.trial import Tried
from protocol import messages
from protocol.faults import Reason
from protocol.framing import Framer
from protocol.messages import TAGS
from protocol.writing import Writer

UNWISE = 0.5
"""An answer that takes more than this part of its clock is legal, but unwise."""
FORM_SHOWN = 120
"""Characters of a message in another form that are shown."""
SHOWN = 300
"""Characters of an answer that are shown in a sentence."""
OTHER_FORM = "Lost in a form of XML that is never sent here, though other programs may send it."


_Answers = list[tuple[str, events.Answered]]


class Verdict(Enum):
    """What is said of a case; the value is its code."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    NOT_REACHED = "not-reached"

    @property
    def good(self) -> bool:
        """Whether nothing stands in the way of a clean bill."""
        return self in (Verdict.PASS, Verdict.WARN)


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict on a case, what it rests on, and the means to understand it.

    ``came`` is what came instead of what was expected, or as it; ``warnings`` are sentences.
    One that was not reached is ``right_so_far`` where all that it is about was right by then.
    ``seconds`` is the time that the case took; one that was given up was not ``played``.
    """

    case: Case
    verdict: Verdict
    came: str
    warnings: tuple[str, ...] = ()
    right_so_far: bool = False
    seconds: float = 0.0
    played: bool = True
    tried: Tried = field(default_factory=Tried)
    departure: Departure | None = None

    @property
    def ended_by(self) -> str:
        """``absent``, the code of the fault that ended the case, or ``""`` where there was none."""
        if self.tried.unseated is not None:
            return self.tried.unseated.reason.value
        if self.tried.ejected is not None:
            return self.tried.ejected.reason.value
        return "" if self.tried.name else "absent"

    def lasted(self, seconds: float) -> "Result":
        """Return the same with the time that the case took."""
        return replace(self, seconds=seconds)


def clocks_for(case: Case) -> Clocks:
    """Return the clocks of a case: the administrator's usual ones, and what its manner needs."""
    usual = Clocks.for_seats(len(case.script.seats))
    return Clocks(usual.reply + case.patience, usual.turn + case.patience)


def judge(case: Case, tried: Tried, departure: Departure | None, *, strict: bool) -> Result:
    """Judge a case that was played; ``strict`` holds the player to the letter.

    What the letter does not promise to the player it cannot be held to.
    """
    answers = _answers(tried)
    warnings = _warnings(case, tried, departure, answers)
    if strict:
        warnings += _forms(case, tried)
    fault = _fault(tried)
    right_so_far = False
    if fault is not None:
        question, came = fault
        verdict = _of_fault(case, tried, question)
        if departure is not None and _explains(departure, tried):
            came = _ended(departure, question)
        right_so_far = verdict is Verdict.NOT_REACHED and not _missing(case, tried, answers)
        if right_so_far:
            came = f"Right in what the case is about, and then: {came}"
        if verdict is Verdict.WARN and not case.promised:
            warnings.append(OTHER_FORM)
    elif missing := _missing(case, tried, answers):
        verdict, came = Verdict.NOT_REACHED, missing
    else:
        verdict = Verdict.WARN if warnings else Verdict.PASS
        came = _told(case, tried, answers)
    if strict and verdict is Verdict.WARN and case.promised:
        verdict = Verdict.FAIL
        came = f"{came} (A failure by --strict alone: {' '.join(warnings)})"
    return Result(
        case, verdict, came, tuple(warnings), right_so_far, tried=tried, departure=departure
    )


def _missing(case: Case, tried: Tried, answers: _Answers) -> str:
    """Say what was not reached of what the case is there for."""
    begun = tried.outcome.turns if tried.outcome is not None else 0
    if begun < case.turns_to_reach:
        return f"It was over after {begun} of {case.turns_to_reach} turns."
    missing = case.to_reach - {question for question, _ in answers}
    return f"It was not asked: {', '.join(sorted(missing))}." if missing else ""


def _explains(departure: Departure, tried: Tried) -> bool:
    """Whether how the program ended may be why the connection was lost."""
    fault = tried.unseated or tried.ejected
    return fault is not None and fault.reason is Reason.DISCONNECTED and departure.tells


def _ended(departure: Departure, question: str) -> str:
    """Say how a program ended that owed an answer, and what it printed last."""
    asked = "the first position" if question == "setup" else f"<{question}>"
    printed = departure.output.decode(errors="backslashreplace").strip().splitlines()
    last = f" The last line that it printed: {printed[-1].strip()[:SHOWN]}" if printed else ""
    code = Reason.DISCONNECTED.value
    return f"The program ended instead of answering {asked}. {departure.how} ({code}){last}"


def _of_fault(case: Case, tried: Tried, question: str) -> Verdict:
    """Judge a fault at a question: what a case is not about, it cannot be failed by."""
    if question == "score" and _is_gone(tried):  # it keeps its score
        return Verdict.WARN
    if question not in case.about or tried.doubted:
        return Verdict.NOT_REACHED
    return Verdict.FAIL if case.promised else Verdict.WARN


def _answers(tried: Tried) -> _Answers:
    """Return what the player answered, by the question; the first ``state`` is ``setup``."""
    answers: _Answers = []
    for event in tried.events:
        if isinstance(event, events.Answered) and event.name == tried.name:
            answers.append((_question(event.question, answers), event))
    return answers


def _question(tag: str, before: _Answers) -> str:
    """Name a question, given what was answered before it."""
    if tag == "state" and not before:
        return "setup"
    return tag


def _fault(tried: Tried) -> tuple[str, str] | None:
    """Return at which question the player erred, and how; ``None`` if it did not."""
    if tried.unseated is not None:
        gone = tried.name and tried.unseated.reason is Reason.DISCONNECTED
        question = "setup" if gone else "signup"
        return question, f"{tried.unseated} ({tried.unseated.reason.value})"
    left = tried.ejected
    if left is None:
        return None
    illegal = left.reason is Reason.ILLEGAL
    sentence = left.detail if illegal else f"{left.reason.sentence} {left.detail}"
    answers = _answers(tried)
    if illegal:  # the illegal answer itself is among them
        answers = answers[:-1]
    return _question(left.question, answers), f"{sentence} ({_code(left)})"


def _code(left: events.Ejected) -> str:
    return left.violation.value if left.violation is not None else left.reason.value


def _is_gone(tried: Tried) -> bool:
    return tried.ejected is not None and tried.ejected.reason is Reason.DISCONNECTED


def _told(case: Case, tried: Tried, answers: _Answers) -> str:
    """Say what the player said at what the case is about, if it was more than taking note."""
    writer = Writer(case.script.rulebook)
    about = [event.message for question, event in answers if question in case.about]
    told = [writer.text(message) for message in about if TAGS[type(message)] != "void"]
    if not about:
        told = [writer.text(messages.SignUp(tried.wanted))]
    text = " ".join(told) or "<void/>"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."


# -- warnings -----------------------------------------------------------------------------------


def _warnings(
    case: Case, tried: Tried, departure: Departure | None, answers: _Answers
) -> list[str]:
    """Say what was legal but unwise."""
    warnings = [*_named(case, tried), *_slow(case, answers), *_looked_at(case, answers)]
    if tried.doubted:
        warnings.append("It was late, but so was this machine: run the case again, with --jobs 1.")
    left = tried.ejected
    if left is not None and left.question == "score" and _is_gone(tried):
        warnings.append("It left without an answer to <score>: <void/> is due.")
    if departure is not None and left is None and tried.unseated is None:
        warnings += _departed(departure)
    return warnings


def _named(case: Case, tried: Tried) -> list[str]:
    """Say when a special name, which the player was told to sign up as, came otherwise."""
    if case.name == PLAYER or not tried.wanted or tried.wanted == case.name:
        return []
    return [f"It was told to sign up as {case.name!r}, and signed up as {tried.wanted!r}."]


def _looked_at(case: Case, answers: _Answers) -> list[str]:
    """Say what is legal in the answers to what the case is about, but hardly meant."""
    if case.look is None:
        return []
    found = case.look([event.message for question, event in answers if question in case.about])
    return [found] if found else []


def _slow(case: Case, answers: _Answers) -> list[str]:
    """Say which answers took more than half of their time, beyond what the manner may take."""
    clocks = clocks_for(case)
    found = []
    thought = 0.0
    for question, event in answers:
        seconds = max(event.latency - event.lag, 0) / 1e6
        limit = clocks.reply
        if question in ("turn", "players", "merger"):
            thought = seconds if question == "turn" else thought + seconds
            seconds, limit = thought, clocks.turn
        if seconds > case.patience + UNWISE * (limit - case.patience):
            found.append(f"<{event.question}> took {seconds:.2f} s of the {limit:g} s allowed.")
    return found


def _departed(departure: Departure) -> list[str]:
    """Say how a player that played to the end should not have left."""
    left = departure.exit
    found = []
    if left.stopped == "asked":
        found.append("It was still running when the match was over and its connection closed.")
    elif left.stopped is not None:
        found.append(departure.how)
    elif left.code != 0:
        found.append(f"{departure.how} After a match that went well 0 is usual.")
    if left.left and left.stopped is None:
        found.append("It left processes of its own running.")
    return found


_SIGN_UP = re.compile(rb'<signup name="[^"<]*"/>')
"""The plain form of a sign-up, with whatever is written as a reference in the name."""


def _forms(case: Case, tried: Tried) -> list[str]:
    """Say when messages were in other forms than the plain one, all of which are accepted."""
    if tried.unseated is not None or tried.ejected is not None:
        return []
    writer = Writer(case.script.rulebook)
    came = _documents(b"".join(line.data for line in tried.lines if line.speaker == "P"))
    sign_up = next(came, b"")
    if not _SIGN_UP.fullmatch(sign_up):
        return [_differs(sign_up, b'<signup name=".."/>')]
    for _, event in _answers(tried):
        plain, message = writer.write(event.message), next(came, b"")
        if message != plain:
            return [_differs(message, plain)]
    rest = b"".join(came)
    return [_differs(rest, b"nothing")] if rest else []


def _documents(said: bytes) -> Iterator[bytes]:
    """Cut what a player said behind each element; white space belongs to what follows it."""
    framer = Framer(max(len(said), 1))
    left, found = said, framer.feed(said)
    while isinstance(found, bytes):
        end = left.index(found) + len(found)
        yield left[:end]
        left = left[end:]
        found = framer.feed(b"")
    if left:
        yield left


def _differs(came: bytes, plain: bytes) -> str:
    """Say where a message is in another form than the plain one."""
    shown = came[:FORM_SHOWN].decode(errors="backslashreplace")
    return f"A message differs from the plain form: plain is {plain.decode()}, there came {shown}"
