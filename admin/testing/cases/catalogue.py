"""All cases under a rulebook, numbered by section."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby

from ....game.rulebook import Rulebook
from ....game.rulebooks import is_one_of_the_five
from ..case_parts.adapted import adapt, with_usual_numbers
from ..case_parts.case import Case
from . import (
    buying,
    clocks,
    end,
    few_players,
    founding,
    framing,
    full_boards,
    growth,
    hands,
    keep_order,
    keeping,
    mergers,
    names,
    out_of_tiles,
    prices,
    set_up,
    sign_up,
    special_mergers,
    trades,
    turn,
    whole_games,
)

_MODULES: tuple[Callable[[Rulebook], Iterator[Case]], ...] = (
    sign_up.cases,
    framing.cases,
    set_up.cases,
    turn.cases,
    hands.cases,
    founding.cases,
    growth.cases,
    mergers.cases,
    special_mergers.cases,
    keeping.cases,
    trades.cases,
    keep_order.cases,
    buying.cases,
    prices.cases,
    full_boards.cases,
    names.cases,
    end.cases,
    out_of_tiles.cases,
    few_players.cases,
    clocks.cases,
    whole_games.cases,
)
"""In the order of the sections."""


def cases_for(rulebook: Rulebook) -> list[Case]:
    """Return the cases under a rulebook, section by section and numbered: ``7.3``.

    Under a rulebook that is none of the five they are those of the nearest that apply to it.
    """
    usual = rulebook if is_one_of_the_five(rulebook) else with_usual_numbers(rulebook)
    found = [case for cases in _MODULES for case in cases(usual)]
    if usual is not rulebook:
        found = list(adapt(found, rulebook))
    return [
        replace(case, number=f"{section.number}.{number}")
        for section, group in groupby(found, key=lambda case: case.section)
        for number, case in enumerate(group, start=1)
    ]
