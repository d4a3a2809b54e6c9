"""The list of cases, for choosing among them."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ....game.rulebook import Rulebook
from ...refereeing.view.plain_text import plural
from ..case_parts.case import Case


def names(case: Case) -> tuple[str, ...]:
    """Return the names that choose a case: its section's number and slug, then its own."""
    return str(case.section.number), case.section.slug, case.number, case.id


def unknown_name(name: str, rulebook: Rulebook, cases: Sequence[Case]) -> str:
    """Return an error message that lists the known names."""
    sections = dict.fromkeys(case.section for case in cases)
    section_name = name.partition("/")[0].partition(".")[0]
    near = [case for case in cases if section_name in names(case)[:2]]
    lines = [f"--only {name!r}: rulebook {rulebook.id} has no such section or case. Known:"]
    if near:
        lines += [f"  {case.number:>5}  {case.id}" for case in near]
    else:
        lines += [f"  {section.number:>5}  {section.slug}" for section in sections]
    return "\n".join([*lines, "List all with: acquire check --list"])


def draw_cases(cases: Sequence[Case]) -> RenderableType:
    """Draw a list of cases with their titles and sources, section by section."""
    return Group(*_lines(cases), "", f"{plural(len(cases), 'case')}.")


def _lines(cases: Sequence[Case]) -> Iterator[RenderableType]:
    section = None
    for case in cases:
        if case.section is not section:
            section = case.section
            yield Text(f"\n{section.number}  {section.title}  ({section.slug})", "bold")
        table = Table.grid(padding=(0, 1))
        table.add_column(width=5, justify="right")
        table.add_column()
        table.add_row(case.number, Text.assemble((case.title, "bold"), f"  {case.id}"))
        table.add_row("", Text(str(case.source), "dim"))
        yield table
