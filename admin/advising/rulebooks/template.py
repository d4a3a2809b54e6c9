"""A template for a rulebook of one's own: every setting, explained, with its value in the base."""

import json
import re
from enum import Enum
from textwrap import wrap
from typing import Any

from ....game.rulebook import Rulebook
from ....protocol.rulebook_file import settings_of, written

WIDTH = 100

_SECTIONS: dict[str, dict[str, str]] = {
    "Setup": {
        "min_players": "the fewest players at a table, 2 to 6",
        "max_players": "the most, 2 to 6",
        "market_for_two": "whether the stock market is a third holder when two play",
        "cash": "dollars that each player begins with",
        "hand_size": "tiles in hand",
        "certificates": "of each hotel, up to 100",
        "start": "who starts",
        "hands": "whose tiles a player sees",
        "assets": "whose cash and certificates a player sees",
    },
    "Placing a tile": {
        "loose_neighbours": "a tile that touches a hotel and unincorporated tiles",
        "eighth_hotel": "a tile that would found a hotel when all are on the board",
        "safe_size": "tiles from which on a hotel is safe",
        "forbidden_merger": "no merger in which",
    },
    "A merger": {
        "equal_acquired": "the order of the acquired hotels",
        "bonus_multiples": "the bonus of each place, the majority's first, as a multiple of the "
        "price of a certificate; tied players share the bonuses of the places that they take up",
        "sole_holder": "what the only holder receives",
        "rounding": "how a shared bonus is rounded",
        "rounding_step": "to a multiple of how many dollars",
        "disposal": "what happens to the certificates of acquired hotels",
    },
    "Buying": {
        "order_limit": "certificates that a player may buy in a turn, up to 20",
        "mixed_orders": "whether they may be of several hotels",
    },
    "Drawing, and hands that cannot move": {
        "draw": "how a hand is filled",
        "dead_tiles": "tiles in hand that can never be placed",
        "stuck_hand": "when no tile in hand can be placed",
        "empty_bag": "when a tile is due and the bag is empty",
    },
    "The end": {
        "end": "who ends the game",
        "final_size": "tiles from which on a hotel allows the end; all hotels safe allows it too",
    },
}
"""What each setting is, by section."""


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
    for section, settings in _SECTIONS.items():
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
