"""A case from a match log: the conversation in which a player was ejected, laid before it again."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from admin.check.case import Case, Section, Source
from admin.log.reader import UnreadableLog, read
from admin.trial.recorded import CannotFollow, Recorded
from admin.view.plain_text import printable
from protocol.faults import Reason

SAVED = Section(0, "saved", "Saved cases")


class NoCase(Exception):
    """A file holds no case; the text is for people."""


def saved_cases(paths: Sequence[Path], seat: str | None = None) -> list[Case]:
    """Read the cases that logs are, numbered; ``NoCase`` as :func:`saved_case`."""
    cases = [saved_case(path, seat) for path in paths]
    return [
        replace(case, number=f"{SAVED.number}.{number}", slug=f"{number}-{case.slug}")
        for number, case in enumerate(cases, start=1)
    ]


def saved_case(path: Path, seat: str | None = None) -> Case:
    """Read the case that a log is: its player is ``seat``, or the one that was ejected alone.

    All turns up to the ejection are played, each from its recorded position, and the others say
    what they said. ``NoCase`` where the file is no log, or it is not clear whose case it is.
    """
    try:
        recorded = Recorded(read(path))
    except UnreadableLog as error:
        raise NoCase(str(error)) from error
    except CannotFollow as error:
        raise NoCase(f"{path}: {error}") from error
    subject = _subject(path, recorded, seat)
    left = recorded.ejected[subject]
    question = _question(recorded, subject)
    code = left.reason.value if left.violation is None else left.violation.value
    sentence = left.reason.sentence if left.violation is None else left.violation.sentence
    return Case(
        section=SAVED,
        slug=printable(path.stem),
        title=f"A conversation in which {printable(subject)} was ejected ({code})",
        source=_source(left.reason),
        expected=f"A legal answer to <{left.question}>, where this came: {printable(left.detail)}",
        hint=sentence,
        about=frozenset({question}),
        script=recorded.script(subject, recorded.turns_of(subject)),
        name=subject,
    )


def _subject(path: Path, recorded: Recorded, seat: str | None) -> str:
    if seat is None and len(recorded.ejected) == 1:
        return next(iter(recorded.ejected))
    if seat in recorded.ejected:
        assert seat is not None
        return seat
    names = ", ".join(map(repr, recorded.ejected))
    if not names:
        raise NoCase(f"{path}: nobody was ejected in this match, so there is nothing to try again.")
    raise NoCase(f"{path}: say whose case it is, by --seat: {names} were ejected.")


def _question(recorded: Recorded, subject: str) -> str:
    """Return the question at which a player was ejected; the first ``state`` is the set-up."""
    question = recorded.ejected[subject].question
    told = [asked for turn in [0, *recorded.positions] for asked, _ in recorded.said(turn, subject)]
    return "setup" if question == "state" and len(told) <= 1 else question


def _source(reason: Reason) -> Source:
    if reason is Reason.ILLEGAL:
        return Source("On the socket", "due and valid, but against the rules of the game")
    return Source("On the socket", "A player with any of these faults is **ejected**")
