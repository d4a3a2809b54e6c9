"""The cases that every program has to pass: a few short ones, and a whole game.

They touch every kind of question that the tournament's rulebook has.
"""

from collections.abc import Iterator, Sequence

from ....game.rulebook import Rulebook
from ...testing.case_parts.case import Case
from ...testing.cases.catalogue import cases_for

FIRST = "sign-up/suffix"
"""It shows whether a program connects at all, and uses the name that it is given."""
CHOSEN = ("framing/halves", "turn/alone", "founding/choice-of-seven", "mergers/tie")
WHOLE_GAMES = {
    2: ("matches/two", "matches/three-ordered"),
    3: ("matches/three-ordered",),
    4: ("matches/four-random",),
    5: ("matches/four-random",),
    6: ("matches/six-investors",),
}
"""The whole game by the seats of a table: the first that the rulebook has."""


def short_check(rulebook: Rulebook, seats: int) -> list[Case]:
    """Return the cases under a rulebook in the order in which they are played, a game last."""
    cases = cases_for(rulebook)
    by_id = {case.id: case for case in cases}
    chosen = [by_id[name] for name in (FIRST, *CHOSEN) if name in by_id]
    game = [by_id[name] for name in WHOLE_GAMES[seats] if name in by_id][:1]
    return [*chosen, *_for_other_questions(cases, chosen), *game]


def is_whole_game(case: Case) -> bool:
    """Whether a case is a whole game."""
    return case.section.slug == "matches"


def _for_other_questions(cases: Sequence[Case], chosen: Sequence[Case]) -> Iterator[Case]:
    """Yield the first case for each question that no chosen case is about."""
    touched = {question for case in chosen for question in case.tested}
    short = [case for case in cases if not is_whole_game(case)]
    for question in sorted({question for case in short for question in case.tested}):
        if question not in touched:
            found = min(
                (case for case in short if question in case.tested and case.guaranteed),
                key=lambda case: len(case.tested),
            )
            touched |= found.tested
            yield found
