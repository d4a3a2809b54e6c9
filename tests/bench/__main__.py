"""Measure every goal, and print it beside what was measured: ``python -m bench [NAME..]``.

With names, only these rows are measured; ``--quick`` takes fewer rounds.
"""

import sys

from rich.console import Console
from rich.table import Table

from bench import calls, crowd, engine, servers, spectators, versus, wire
from bench.rows import Row
from bench.servers import pin

MODULES = (wire, engine, versus, calls, servers, crowd, spectators)
"""The modules with rows."""
WIDTH = 118
"""Columns of the table, so that no row is folded where the output is a file."""


def main(arguments: list[str]) -> str | None:
    """Measure, and print the table; return what is wrong with the arguments, if anything is."""
    rows: dict[str, Row] = {row.name: row for module in MODULES for row in module.ROWS}
    quick, names = "--quick" in arguments, [name for name in arguments if name != "--quick"]
    if unknown := set(names) - rows.keys():
        return f"There is no row {', '.join(sorted(unknown))}; there are: {', '.join(rows)}."
    pin()
    console = Console()
    console.width = max(console.width, WIDTH)
    table = Table(title="CPU time, one core, medians, interleaved")
    for heading in ("name", "what is compared", "goal", "ratio", "", "ours", "theirs"):
        table.add_column(heading, justify="left" if heading[:1] in ("n", "w") else "right")
    for name in names or rows:
        row = rows[name]
        with console.status(f"measuring {name}"):
            found = row.measure(quick)
        sign, met = ">=" if row.fast else "<=", "met" if row.met(found) else "missed"
        goal = f"{sign} {row.goal:g}"
        table.add_row(name, row.what, goal, f"{found.ratio:.3g}", met, found.ours, found.theirs)
    console.print(table)
    return None


sys.exit(main(sys.argv[1:]))
