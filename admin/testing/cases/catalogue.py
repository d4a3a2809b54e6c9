"""All cases under a rulebook, numbered by section; and cases from game logs."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

from ....game.rulebook import Rulebook
from ....game.rulebooks import is_one_of_the_five
from ....protocol.faults import Reason
from ....protocol.settings_file import InvalidFile, Mistake
from ....protocol.user_error import UserError
from ...refereeing.log.reader import UnreadableLog, read
from ...refereeing.view.plain_text import printable
from ..case_parts.adapted import adapt, with_usual_numbers
from ..case_parts.case import Case, CaseSection, CaseSource
from ..case_parts.position_text import impossible
from ..trial.game_history import DivergentLog, GameHistory
from ..trial.trial import question_name
from .case_file import CaseFile, CaseRow, is_met, read_case_file

SECTIONS = (
    *("sign-up", "framing", "set-up", "turn", "founding", "growth", "mergers", "disposal"),
    *("buying", "full-boards", "names", "end", "clocks", "matches"),
)
"""The sections in order, each a file of this name."""


def cases_for(rulebook: Rulebook, own: Sequence[Path] = ()) -> list[Case]:
    """Return the cases under a rulebook, section by section and numbered: ``7.3``.

    Those in files of one's ``own`` come last; ``InvalidFile`` if one has mistakes. Under a rulebook
    that is none of the five the cases are those of the nearest that apply to it.
    """
    usual = rulebook if is_one_of_the_five(rulebook) else with_usual_numbers(rulebook)
    files, slugs = [*map(read_case_file, own)], [*SECTIONS]
    for file in files:
        if file.slug in slugs:
            why = f"{file.slug!r} is the name of another section. Give this one its own name."
            raise InvalidFile(file.path, [Mistake("section", why)])
        slugs.append(file.slug)
    found = [*_built_in_cases(usual)]
    for number, file in enumerate(files, start=len(SECTIONS) + 1):
        found += _cases_of(file, number, usual)
    if usual is not rulebook:
        found = list(adapt(found, rulebook))
    return [
        replace(case, number=f"{section.number}.{number}")
        for section, group in groupby(found, key=lambda case: case.section)
        for number, case in enumerate(group, start=1)
    ]


_read_built_in = cache(read_case_file)


@lru_cache(maxsize=8)
def _built_in_cases(rulebook: Rulebook) -> tuple[Case, ...]:
    files = (_read_built_in(Path(__file__).parent / f"{slug}.toml") for slug in SECTIONS)
    numbered = enumerate(files, start=1)
    return tuple(case for number, file in numbered for case in _cases_of(file, number, rulebook))


def _cases_of(file: CaseFile, number: int, rulebook: Rulebook) -> list[Case]:
    """Return the cases of a file; ``InvalidFile`` with all that are impossible."""
    section = CaseSection(number, file.slug, file.title, file.visibility)
    cases: dict[str, Case] = {}
    mistakes: list[Mistake] = []
    for row in file.rows:
        if not _has(rulebook, row):
            continue
        try:
            case = row.under(rulebook, section)
        except KeyError as error:
            wrong = [f"{error} is unknown: a hotel's letter, or what stands in braces."]
        except ValueError as error:
            wrong = [f"{error}."]
        else:
            segments = case.script.segments if number > len(SECTIONS) else ()
            wrong = [f"the position has {what}." for at, _ in segments for what in impossible(at)]
            wrong += [f"{case.slug!r} is the id of another case."] * (case.slug in cases)
            cases[case.slug] = case
        mistakes += (Mistake(row.place, why) for why in wrong)
    if mistakes:
        raise InvalidFile(file.path, mistakes)
    return [*cases.values()]


def _has(rulebook: Rulebook, row: CaseRow) -> bool:
    """Whether a rulebook has a case, by its condition and by the number of seats at a deal."""
    dealt = row.scenario.deal
    fits = dealt is None or rulebook.min_players <= dealt.seats <= rulebook.max_players
    return fits and is_met(row.when, rulebook)


# -- cases from logs ------------------------------------------------------------------------------

SAVED = CaseSection(0, "saved", "Saved cases")


def saved_cases(paths: Sequence[Path], seat: str | None = None) -> list[Case]:
    """Load the cases in some logs and number them.

    The player of a case is ``seat``, or else the only one that was ejected. All turns up to the
    ejection are played, each from its recorded position, and the opponents give their recorded
    answers. ``UserError`` if a file is not a log, or several were ejected.
    """
    return [_saved_case(path, number, seat) for number, path in enumerate(paths, start=1)]


def _saved_case(path: Path, number: int, seat: str | None) -> Case:
    try:
        recorded = GameHistory(read(path))
    except UnreadableLog as error:
        raise UserError(str(error)) from error
    except DivergentLog as error:
        raise UserError(f"{path}: {error}") from error
    ejected = [*recorded.ejected]
    if not ejected:
        raise UserError(f"{path}: no player was ejected in this game, so it is not a case.")
    subject = ejected[0] if seat is None and len(ejected) == 1 else seat
    if subject not in ejected:
        names = ", ".join(map(repr, ejected))
        raise UserError(f"{path}: choose a player with --seat. Ejected: {names}.")
    left = recorded.ejected[subject]
    asked = sum(len(recorded.responses(turn, subject)) for turn in [0, *recorded.positions])
    what = "A player with any of these faults is **ejected**"
    if left.reason is Reason.ILLEGAL:
        what = "expected and valid, but against the rules of the game"
    return Case(
        section=SAVED,
        slug=f"{number}-{printable(path.stem)}",
        title=f"A conversation in which {printable(subject)} was ejected ({left.rule.value})",
        source=CaseSource("On the socket", what),
        expected=f"A legal answer to <{left.question}>. In the game: {printable(left.detail)}",
        hint="",
        tested=frozenset({question_name(left.question, is_first=asked <= 1)}),
        script=recorded.script(subject, recorded.turns_of(subject)),
        name=subject,
        number=f"{SAVED.number}.{number}",
    )
