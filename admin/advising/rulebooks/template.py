"""A template for a rulebook of one's own: every setting, explained, with its value in the base."""

import json
import re
import tomllib
from enum import Enum
from importlib.resources import files
from textwrap import wrap
from typing import Any

from ....game.rulebook import Rulebook
from ....protocol.rulebook_file import settings_of, written

WIDTH = 100


def text(base: Rulebook, name: str) -> str:
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
