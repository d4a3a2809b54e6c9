"""Plausible mistakes of a first player, as small edits of the Python and JavaScript starters.

Each has the case in which it is looked for, and words of the sentence that has to name its cause.
An edit is a text of the starter and what stands there instead. Which other bytes, spellings and
moves are recognised is in ``tests/diagnosis``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple, TypeAlias

STARTERS = Path(__file__).parents[2] / "player" / "starters"
STARTER = STARTERS / "python/player.py"
SOURCES = {"python": STARTER, "javascript": STARTERS / "javascript/player.js"}

Edits: TypeAlias = tuple[tuple[str, str], ...]


class Mistake(NamedTuple):
    """A mistake: a case that shows it, the words that name its cause, the edits per language."""

    name: str
    case: str
    cause: str
    python: Edits
    javascript: Edits = ()


def _mistake(
    name: str, case: str, cause: str, python: tuple[str, str], javascript: tuple[str, str]
) -> Mistake:
    return Mistake(name, case, cause, (python,), (javascript,))


def _sending(name: str, case: str, cause: str, python: str, javascript: str) -> Mistake:
    """A mistake in how every message is sent; ``element`` is its text."""
    return _mistake(
        name,
        case,
        cause,
        ("connection.sendall(element.encode())", python),
        ("socket.write(element);", javascript),
    )


MISTAKES = (
    # -- what is sent before, after or around a message
    _sending(
        "decimal-length",
        "sign-up/speaks-first",
        "A length is sent before the message: 23",
        "connection.sendall(f'{len(element)}'.encode() + element.encode())",
        "socket.write(element.length + element);",
    ),
    _sending(
        "latin-1",
        "names/other-letters",
        "not in UTF-8",
        "connection.sendall(element.encode('latin-1', 'replace'))",
        "socket.write(element, 'latin1');",
    ),
    _sending(
        "not-flushed",
        "sign-up/speaks-first",
        "Nothing at all arrived: the sign-up is still in an output buffer",
        "connection.makefile('wb').write(element.encode()) if 0 else None",
        "socket.cork(); socket.write(element);",
    ),
    _mistake(
        "namespace",
        "turn/alone",
        "is in a namespace",
        ("<pbuy>{answer}", '<pbuy xmlns=\\"urn:acquire\\">{answer}'),
        ("<pbuy>${answer}", '<pbuy xmlns="urn:acquire">${answer}'),
    ),
    # -- when it is sent
    _mistake(
        "sign-up-acknowledged",
        "sign-up/silence",
        "<void/> was sent when it was not due",
        (
            "                me = message.attrib",
            "                send(connection, '<void/>')\n                me = message.attrib",
        ),
        (
            "        me = message.attributes.name;",
            "        me = message.attributes.name; send(socket, '<void/>');",
        ),
    ),
    _mistake(
        "turn-acknowledged",
        "turn/alone",
        "<void/> was sent when it was not due",
        ("send(connection, answer)", "send(connection, '<void/>' + answer)"),
        ("send(socket, answer);", "send(socket, '<void/>' + answer);"),
    ),
    _mistake(
        "keep-for-order",
        "buying/survivor-is-dearer",
        "either <keep> was answered twice, or <players> was answered with it",
        (
            "send(connection, answered_order(begun, board, players, me))",
            "send(connection, keep_xml([True]))",
        ),
        (
            "send(socket, answeredOrder(begun, board, players, me));",
            "send(socket, keepXml([true]));",
        ),
    ),
    _mistake(
        "half-a-document",
        "turn/alone",
        "<pbuy> is never closed",
        ("with_tile, me)}</pbuy>", "with_tile, me)}"),
        ("withTile, me)}</pbuy>", "withTile, me)}"),
    ),
    # -- how it is spelled
    _mistake(
        "hotel-in-lower-case",
        "growth/by-one",
        "'tower' should be spelled 'Tower'|'[a-z]+' should be spelled '[A-Z]",
        ('label="{hotel}"', 'label="{hotel.lower()}"'),
        ('label="${hotel}"', 'label="${hotel.toLowerCase()}"'),
    ),
    # -- what it says
    _mistake(
        "one-digit-of-a-column",
        "turn/next-row",
        "seems to be 1[0-2][A-I], with only the first digit",
        ("move.tile[:-1], move.tile[-1]", "move.tile[0], move.tile[-1]"),
        ("move.tile.slice(0, -1), row", "move.tile[0], row"),
    ),
    _mistake(
        "name-that-was-asked-for",
        "sign-up/suffix",
        "was given the name 'ann-2', and may look for 'ann'|is in the hand of 'ann'",
        ('me = message.attrib["name"]', "pass"),
        ("        me = message.attributes.name;", ""),
    ),
    _mistake(
        "safe-from-13",
        "turn/only-middle",
        "has exactly 12 tiles and so is safe",
        ("hotel) >= rules.safe", "hotel) > rules.safe"),
        ("hotel) >= rules.safe", "hotel) > rules.safe"),
    ),
    _mistake(
        "three-a-turn",
        "turn/alone",
        "order is for 3 certificates, but at most 2",
        ("True, 8000, 12, 40, 2", "True, 8000, 12, 40, 3"),
        ("large: 40, atMost: 2", "large: 40, atMost: 3"),
    ),
    _mistake(
        "keep-for-the-first-only",
        "disposal/mover-two",
        "<keep> (has 1 answer, but 2|answers only for hotels of which certificates are held)",
        (
            '"".join("<true/>" if keep else "<false/>" for keep in kept)',
            '("<true/>" if kept[0] else "<false/>")',
        ),
        (
            'kept.map((keep) => (keep ? "<true/>" : "<false/>")).join("")',
            'kept[0] ? "<true/>" : "<false/>"',
        ),
    ),
    _mistake(
        "growth-names-the-hotel",
        "growth/by-one",
        "only makes Tower grow, but a hotel is named",
        ('in ("found", "merge")', '!= "alone"'),
        ('move.kind === "found" || move.kind === "merge"', 'move.kind !== "alone"'),
    ),
    _mistake(
        "order-with-a-merger",
        "mergers/placement-alone",
        "merges [A-Z][a-z]+ and [A-Z][a-z]+, but came with an order",
        ('if move.kind != "merge":', "if True:"),
        ('if (move.kind !== "merge")', "if (true)"),
    ),
)


def with_mistake(mistake: Mistake, language: str) -> str:
    """The starter's source with the mistake; each text that is replaced is there once."""
    source = SOURCES[language].read_text()
    for old, new in mistake.python if language == "python" else mistake.javascript:
        assert source.count(old) == 1, f"{mistake.name}: {old!r} is there {source.count(old)} times"
        source = source.replace(old, new)
    return source


def first_sentence(text: str) -> str:
    """The first sentence of a finding."""
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
