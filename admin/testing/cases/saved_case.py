"""A case from a game log: the conversation in which a player was ejected, to be played again."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ....protocol.faults import Reason
from ...refereeing.log.reader import UnreadableLog, read
from ...refereeing.view.plain_text import printable
from ..case_parts.case import Case, CaseSection, CaseSource
from ..trial.game_history import DivergentLog, GameHistory
from ..trial.trial import question_name

SAVED = CaseSection(0, "saved", "Saved cases")


class CannotLoadCase(Exception):
    """A file does not hold a case; user-facing message."""


def saved_cases(paths: Sequence[Path], seat: str | None = None) -> list[Case]:
    """Load the cases in some logs and number them; ``CannotLoadCase`` as :func:`saved_case`."""
    cases = [saved_case(path, seat) for path in paths]
    return [
        replace(case, number=f"{SAVED.number}.{number}", slug=f"{number}-{case.slug}")
        for number, case in enumerate(cases, start=1)
    ]


def saved_case(path: Path, seat: str | None = None) -> Case:
    """Load the case in a log; its player is ``seat``, or else the only one that was ejected.

    All turns up to the ejection are played, each from its recorded position, and the opponents give
    their recorded answers. ``CannotLoadCase`` if the file is not a log, or several were ejected.
    """
    try:
        recorded = GameHistory(read(path))
    except UnreadableLog as error:
        raise CannotLoadCase(str(error)) from error
    except DivergentLog as error:
        raise CannotLoadCase(f"{path}: {error}") from error
    subject = _subject(path, recorded, seat)
    left = recorded.ejected[subject]
    asked = sum(len(recorded.responses(turn, subject)) for turn in [0, *recorded.positions])
    what = "A player with any of these faults is **ejected**"
    if left.reason is Reason.ILLEGAL:
        what = "expected and valid, but against the rules of the game"
    return Case(
        section=SAVED,
        slug=printable(path.stem),
        title=f"A conversation in which {printable(subject)} was ejected ({left.rule.value})",
        source=CaseSource("On the socket", what),
        expected=f"A legal answer to <{left.question}>. In the game: {printable(left.detail)}",
        hint="",
        tested=frozenset({question_name(left.question, is_first=asked <= 1)}),
        script=recorded.script(subject, recorded.turns_of(subject)),
        name=subject,
    )


def _subject(path: Path, recorded: GameHistory, seat: str | None) -> str:
    if seat is None and len(recorded.ejected) == 1:
        return next(iter(recorded.ejected))
    if seat in recorded.ejected:
        assert seat is not None
        return seat
    names = ", ".join(map(repr, recorded.ejected))
    if not names:
        raise CannotLoadCase(f"{path}: no player was ejected in this game, so it is not a case.")
    raise CannotLoadCase(f"{path}: choose a player with --seat. Ejected: {names}.")
