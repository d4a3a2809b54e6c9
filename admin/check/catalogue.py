"""All cases under a rulebook, numbered by section."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby

from admin.check.case import Case
from admin.check.cases import (
    buying,
    clocks,
    end,
    founding,
    framing,
    full_boards,
    growth,
    hands,
    keep_order,
    keeping,
    matches,
    mergers,
    names,
    prices,
    set_up,
    sign_up,
    trades,
    turn,
)
from game.rulebook import Rulebook

_MODULES: tuple[Callable[[Rulebook], Iterator[Case]], ...] = (
    sign_up.cases,
    framing.cases,
    set_up.cases,
    turn.cases,
    hands.cases,
    founding.cases,
    growth.cases,
    mergers.cases,
    keeping.cases,
    trades.cases,
    keep_order.cases,
    buying.cases,
    prices.cases,
    full_boards.cases,
    names.cases,
    end.cases,
    clocks.cases,
    matches.cases,
)
"""In the order of the sections."""


def cases_for(rulebook: Rulebook) -> list[Case]:
    """Return the cases under a rulebook, section by section, with their numbers: ``7.3``."""
    found = [case for cases in _MODULES for case in cases(rulebook)]
    return [
        replace(case, number=f"{section.number}.{number}")
        for section, group in groupby(found, key=lambda case: case.section)
        for number, case in enumerate(group, start=1)
    ]
