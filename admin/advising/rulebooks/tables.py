"""Rulebooks in tables, as values and as schemas, and the template for one of one's own."""

import json
import re
import tomllib
from collections.abc import Sequence
from enum import Enum
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any

from lxml import etree

from ....game.rulebook import MAX_SIZE, Rulebook
from ....protocol.dialect import Dialect
from ....protocol.rulebook_file import settings_of, written
from ...refereeing.view.plain_text import dollars
from .rows import (
    COURSE_MARK,
    MARK,
    ROWS,
    TIERS,
    RulebookRow,
    bonus_places,
    smallest_sizes,
    tier_names,
)

WIDTH = 100  # columns of the template


def template(base: Rulebook, name: str) -> str:
    """Return a file whose rulebook is called ``name`` and changes nothing yet.

    Every setting is there with the value that it has in the base, as a comment. The id has only the
    characters of the name that an id may have.
    """
    identifier = re.sub(r"^[^A-Za-z_]+|[^A-Za-z0-9_.-]+", "-", name).strip("-")[:32] or "mine"
    values = settings_of(base)
    lines = [
        "# A rulebook: its base, and what it changes. Remove the # before a setting to change it.",
        "# Next: `acquire rulebooks FILE` shows the whole rulebook, or what is wrong with it;",
        "# `acquire serve --rulebook FILE` plays by it.",
        "",
        f"id = {json.dumps(identifier)}",
        f'base = "{base.id}"',
        f'#title = "{base.title}, changed"',
    ]
    sections = files("acquire.admin.advising.rulebooks").joinpath("settings.toml")
    for section, settings in tomllib.loads(sections.read_text("utf-8")).items():
        lines += ["", f"# {section}"]
        for setting, what in settings.items():
            lines += ["", *_explained(what, getattr(base, setting))]
            lines.append(f"#{setting} = {json.dumps(values[setting])}")
    lines += [
        "",
        "# The seven hotels, with different initials, and the price tier of each. To change one,",
        "# write all.",
        "#[hotels]",
        *(f"#{hotel} = {json.dumps(tier)}" for hotel, tier in values["hotels"].items()),
        "",
        "# The price of a certificate in dollars, from each size on. Only a hotel with a price at",
        "# size 0 can be bought before it is founded.",
        "#[prices]",
        *(f"#{tier} = {_table(prices)}" for tier, prices in sorted(values["prices"].items())),
    ]
    return "\n".join([*lines, ""])


def _explained(what: str, value: Any) -> list[str]:
    """Return comments about a setting, with the values of a choice."""
    if not isinstance(value, Enum):
        return [f"# {line}" for line in wrap(f"{what}", WIDTH - 2)]
    lines = [f"# {what}:"]
    for choice in type(value):
        head = f"#   {json.dumps(written(choice))}: "
        phrase = str(choice.value).format(step="$rounding_step")
        indent = "#" + " " * (len(head) - 1)
        lines += wrap(head + phrase, WIDTH, subsequent_indent=indent)
    return lines


def _table(steps: dict[str, int]) -> str:
    return f"{{ {', '.join(f'{size} = {price}' for size, price in steps.items())} }}"


def fields(rulebook: Rulebook) -> dict[str, Any]:
    """Return all that is shown of a rulebook, for a program."""
    return {
        "id": rulebook.id,
        "title": rulebook.title,
        "settings": settings_of(rulebook),
        "rows": {row.slug: row.cell(rulebook) for row in ROWS},
        "decided": [row.slug for row in ROWS if row.mark(rulebook)],
        "hotels": [hotel._asdict() for hotel in rulebook.hotels],
        "prices": {
            hotel.name: list(prices)
            for hotel, prices in zip(rulebook.hotels, rulebook.prices, strict=True)
        },
    }


def write_schemas(rulebook: Rulebook, folder: Path) -> list[Path]:
    """Write the schemas of a rulebook's messages and logs to a folder, and return the files.

    Each file is complete in itself. ``OSError`` where one cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    dialect, files = Dialect.of(rulebook), []
    for role in ("player", "administrator", "match-log"):
        files.append(folder / f"{role}.xsd")
        document = dialect.schema_document(role, rulebook)
        files[-1].write_bytes(
            etree.tostring(document, xml_declaration=True, encoding="UTF-8", pretty_print=True)
        )
    return files


def _price_table(rulebook: Rulebook) -> str:
    """Write for each price the sizes at which it holds in each tier, and the bonuses."""
    tiers = [smallest_sizes(rulebook, tier) for tier in TIERS]
    bonuses = [f"{place} bonus" for place in bonus_places(rulebook)]
    rows = [["price", *(tier_names(rulebook, tier) for tier in TIERS), *bonuses]]
    for price in sorted({price for sizes in tiers for price in sizes}):
        paid = [dollars(multiple * price) for multiple in rulebook.bonus_multiples]
        rows.append([dollars(price), *(_span(sizes, price) for sizes in tiers), *paid])
    head, *lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([head, "|--:" * len(rows[0]) + "|", *lines])


def _span(sizes: dict[int, int], price: int) -> str:
    """Write from which to which size a price holds: ``6-10``, ``41+``, or nothing."""
    if price not in sizes:
        return ""
    above = [size for size in sizes.values() if size > sizes[price]]
    last = min(above) - 1 if above else MAX_SIZE
    if last == MAX_SIZE:
        return f"{sizes[price]}+"
    return str(last) if last == sizes[price] else f"{sizes[price]}-{last}"


# -- the comparison -----------------------------------------------------------------------------

LEGEND = (
    f"{MARK}: the rule text leaves this open, in whole or in part, and this is our choice. "
    f"{COURSE_MARK}: the rule text leaves it open, and the protocol of its course decides."
)


def _said(row: RulebookRow, rulebooks: Sequence[Rulebook]) -> list[tuple[str, str]]:
    """Return each text of a row, after the rulebooks that have it, with their marks."""
    if len(rulebooks) == 1:
        return [("", row.cell(rulebooks[0]) + row.mark(rulebooks[0]))]
    said: dict[str, list[str]] = {}
    for each in rulebooks:
        said.setdefault(row.cell(each), []).append(each.id + row.mark(each))
    if len(said) == 1 and not any(map(row.mark, rulebooks)):
        return [("", text) for text in said]
    return [(f"{', '.join(ids)}: ", text) for text, ids in said.items()]


def markdown(rulebooks: Sequence[Rulebook]) -> str:
    """Write the rulebooks as a page of Markdown."""
    page = [
        "# The rulebooks",
        "",
        "<!-- Generated by `make docs` from the data that the referee plays by. -->",
        "",
        *(f"- `{rulebook.id}`: {rulebook.title}" for rulebook in rulebooks),
        "",
        LEGEND,
    ]
    for section, rows in groupby(ROWS, key=lambda row: row.section):
        page += ["", f"## {section}", ""]
        for row in rows:
            said = [f"{who}{text}" for who, text in _said(row, rulebooks)]
            if len(said) == 1:
                page.append(f"- **{row.whole_title}**: {said[0]}")
            else:
                page += [f"- **{row.whole_title}**", *(f"  - {each}" for each in said)]
    page += ["", "## Prices", "", "The sizes at which each price holds.", ""]
    priced: dict[str, list[str]] = {}
    for rulebook in rulebooks:
        priced.setdefault(_price_table(rulebook), []).append(rulebook.id)
    for table, ids in priced.items():
        page += [f"### {', '.join(ids)}", "", table, ""]
    return "\n".join(page).rstrip() + "\n"
