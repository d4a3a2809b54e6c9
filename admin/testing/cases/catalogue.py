"""All cases under a rulebook, numbered by section."""

from dataclasses import replace
from itertools import groupby

from ....game.rulebook import Rulebook
from ....game.rulebooks import is_one_of_the_five
from ..case_parts.adapted import adapt, with_usual_numbers
from ..case_parts.case import Case, CaseSection
from ..case_parts.case_row import CaseRow, is_met
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

SECTIONS: tuple[tuple[str, str, tuple[CaseRow, ...]], ...] = (
    ("sign-up", "Signing up", sign_up.CASES),
    ("framing", "Messages in pieces and in other forms", framing.CASES),
    ("set-up", "The first position", set_up.CASES),
    ("turn", "The plain turn", turn.CASES + hands.CASES),
    ("founding", "Founding a hotel", founding.CASES),
    ("growth", "Hotels that grow", growth.CASES),
    ("mergers", "Mergers", mergers.CASES + special_mergers.CASES),
    (
        "disposal",
        "Certificates of acquired hotels",
        keeping.CASES + trades.CASES + keep_order.CASES,
    ),
    ("buying", "Buying certificates", buying.CASES + prices.CASES),
    ("full-boards", "Nearly full boards", full_boards.CASES),
    ("names", "Long names, and names with markup", names.CASES),
    ("end", "The end of a game", end.CASES + out_of_tiles.CASES + few_players.CASES),
    ("clocks", "The clocks", clocks.CASES),
    ("matches", "Whole games", whole_games.CASES),
)
"""The sections in order: the name of each on the command line, its title, its cases."""


def cases_for(rulebook: Rulebook) -> list[Case]:
    """Return the cases under a rulebook, section by section and numbered: ``7.3``.

    Under a rulebook that is none of the five they are those of the nearest that apply to it.
    """
    usual = rulebook if is_one_of_the_five(rulebook) else with_usual_numbers(rulebook)
    found = [
        row.under(usual, CaseSection(number, slug, title))
        for number, (slug, title, rows) in enumerate(SECTIONS, start=1)
        for row in rows
        if is_met(row.when, usual)
    ]
    if usual is not rulebook:
        found = list(adapt(found, rulebook))
    return [
        replace(case, number=f"{section.number}.{number}")
        for section, group in groupby(found, key=lambda case: case.section)
        for number, case in enumerate(group, start=1)
    ]
