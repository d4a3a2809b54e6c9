"""Plausible mistakes of a first player, as small edits of the Python starter.

Each has the case in which it is looked for, and words of the sentence that has to name its cause.
An edit is a text of the starter and what stands there instead. Which other bytes, spellings and
moves are recognised is in ``tests/diagnosis``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

STARTER = Path(__file__).parents[2] / "player" / "starters" / "python" / "player.py"


class Mistake(NamedTuple):
    """A mistake: a case that shows it, the words that name its cause, the edits."""

    name: str
    case: str
    cause: str
    edits: tuple[tuple[str, str], ...]

    @property
    def source(self) -> str:
        """The starter with the mistake; each text that is replaced is there once."""
        return edited(STARTER, *self.edits)


def mistake(name: str, case: str, cause: str, *edits: tuple[str, str]) -> Mistake:
    """A mistake of one edit or several."""
    return Mistake(name, case, cause, edits)


def edited(file: Path, *edits: tuple[str, str]) -> str:
    """The text of a file in which each of some texts, which is there once, is another."""
    source = file.read_text()
    for old, new in edits:
        assert source.count(old) == 1, f"{old!r} is there {source.count(old)} times"
        source = source.replace(old, new)
    return source


SENDING = "connection.sendall(element.encode())"
"""What sends every message of the starter; ``element`` is its text."""

MISTAKES = (
    # -- what is sent before, after or around a message
    mistake(
        "decimal-length",
        "sign-up/speaks-first",
        "A length is sent before the message: 23",
        (SENDING, "connection.sendall(f'{len(element)}'.encode() + element.encode())"),
    ),
    mistake(
        "latin-1",
        "names/other-letters",
        "not in UTF-8",
        (SENDING, "connection.sendall(element.encode('latin-1', 'replace'))"),
    ),
    mistake(
        "not-flushed",
        "sign-up/speaks-first",
        "Nothing at all arrived: the sign-up is still in an output buffer",
        (SENDING, "connection.makefile('wb').write(element.encode()) if 0 else None"),
    ),
    mistake(
        "namespace",
        "turn/alone",
        "is in a namespace",
        ("<pbuy>{answer}", '<pbuy xmlns=\\"urn:acquire\\">{answer}'),
    ),
    # -- when it is sent
    mistake(
        "sign-up-acknowledged",
        "sign-up/silence",
        "<void/> was sent when it was not due",
        (
            "                me = message.attrib",
            "                send(connection, '<void/>')\n                me = message.attrib",
        ),
    ),
    mistake(
        "turn-acknowledged",
        "turn/alone",
        "<void/> was sent when it was not due",
        ("send(connection, answer)", "send(connection, '<void/>' + answer)"),
    ),
    mistake(
        "keep-for-order",
        "buying/survivor-is-dearer",
        "either <keep> was answered twice, or <players> was answered with it",
        (
            "send(connection, answered_order(begun, board, players, me))",
            "send(connection, keep_xml([True]))",
        ),
    ),
    mistake(
        "half-a-document",
        "turn/alone",
        "<pbuy> is never closed",
        ("with_tile, me)}</pbuy>", "with_tile, me)}"),
    ),
    # -- how it is spelled
    mistake(
        "hotel-in-lower-case",
        "growth/by-one",
        "'tower' should be spelled 'Tower'|'[a-z]+' should be spelled '[A-Z]",
        ('label="{hotel}"', 'label="{hotel.lower()}"'),
    ),
    # -- what it says
    mistake(
        "one-digit-of-a-column",
        "turn/next-row",
        "seems to be 1[0-2][A-I], with only the first digit",
        ("move.tile[:-1], move.tile[-1]", "move.tile[0], move.tile[-1]"),
    ),
    mistake(
        "name-that-was-asked-for",
        "sign-up/suffix",
        "was given the name 'ann-2', and may look for 'ann'|is in the hand of 'ann'",
        ('me = message.attrib["name"]', "pass"),
    ),
    mistake(
        "safe-from-13",
        "turn/only-middle",
        "has exactly 12 tiles and so is safe",
        ("hotel) >= rules.safe", "hotel) > rules.safe"),
    ),
    mistake(
        "three-a-turn",
        "turn/alone",
        "order is for 3 certificates, but at most 2",
        ("True, 8000, 12, 40, 2", "True, 8000, 12, 40, 3"),
    ),
    mistake(
        "keep-for-the-first-only",
        "disposal/mover-two",
        "<keep> (has 1 answer, but 2|answers only for hotels of which certificates are held)",
        (
            '"".join("<true/>" if keep else "<false/>" for keep in kept)',
            '("<true/>" if kept[0] else "<false/>")',
        ),
    ),
    mistake(
        "growth-names-the-hotel",
        "growth/by-one",
        "only makes Tower grow, but a hotel is named",
        ('in ("found", "merge")', '!= "alone"'),
    ),
    mistake(
        "order-with-a-merger",
        "mergers/placement-alone",
        "merges [A-Z][a-z]+ and [A-Z][a-z]+, but came with an order",
        ('if move.kind != "merge":', "if True:"),
    ),
)


def first_sentence(text: str) -> str:
    """The first sentence of a finding."""
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
