"""The cases as a list, for those who want to choose among them."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from admin.check.case import Case
from admin.check.reports.drawing import PAGE, plain
from admin.view.plain_text import plural
from game.rulebook import Rulebook


def names(case: Case) -> tuple[str, ...]:
    """Return what a case goes by: with its section, then alone."""
    return str(case.section.number), case.section.slug, case.number, case.id


def unknown(which: str, rulebook: Rulebook, cases: Sequence[Case]) -> str:
    """Say that there is no such case, and which there are."""
    sections = dict.fromkeys(case.section for case in cases)
    within = which.partition("/")[0].partition(".")[0]
    near = [case for case in cases if within in names(case)[:2]]
    lines = [f"--only {which!r}: rulebook {rulebook.id} has no such section or case. There are:"]
    if near:
        lines += [f"  {case.number:>5}  {case.id}" for case in near]
    else:
        lines += [f"  {section.number:>5}  {section.slug}" for section in sections]
    return "\n".join([*lines, "All of them: acquire check --list"])


def show_cases(console: Console, cases: Sequence[Case]) -> None:
    """List cases with their titles and sources, section by section."""
    listed = Group(*_listed(cases), "", f"{plural(len(cases), 'case')}.")
    if console.is_terminal:
        console.print(listed)
    else:
        console.print(Text(plain(listed)), soft_wrap=True)


def _listed(cases: Sequence[Case]) -> Iterator[RenderableType]:
    shown = None
    for case in cases:
        if case.section is not shown:
            shown = case.section
            yield Text(f"\n{shown.number}  {shown.title}  ({shown.slug})", "bold")
        table = Table.grid(padding=(0, 1))
        table.add_column(width=5, justify="right")
        table.add_column()
        source = f"{PAGE}, {case.source.heading}: “{case.source.quoted}”"
        table.add_row(case.number, Text.assemble((case.title, "bold"), f"  {case.id}"))
        table.add_row("", Text(source, "dim"))
        yield table
