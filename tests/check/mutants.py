"""Small wrong edits of the Python starter, each a mistake that students make.

Those of ``mistakes`` are mistakes as well; here is what that list lacks. An edit is a text of the
starter and what stands there instead. Where the mistake shows only with an idea of one's own, the
edit brings one.
"""

from __future__ import annotations

import importlib.util
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

STARTER = Path(__file__).parents[2] / "player" / "starters" / "python" / "player.py"


class Mutant(NamedTuple):
    """A wrong edit: its name, the texts replaced, a case that finds it, and in which words."""

    name: str
    edits: tuple[tuple[str, str], ...]
    case: str
    finding: str


def _mutant(name: str, case: str, finding: str, *edits: tuple[str, str]) -> Mutant:
    return Mutant(name, edits, case, finding)


KEEPS_MANY = (
    "return [False for _ in hotels]  # money buys the next majority",
    "return [players[me].shares[hotel] > 3 for hotel in hotels]",
)

MUTANTS = (
    # -- the rules of placing
    _mutant(
        "loose-ignored",
        "turn/beside-loose",
        "tile-beside-loose",
        ("if LOOSE in touched and rules.revised:", "if False:"),
    ),
    _mutant(
        "safe-one-early",
        "mergers/nearly-safe",
        r"No tile was placed, but \w+ can be: it merges \w+ \(11\)",
        ("hotel) >= rules.safe", "hotel) + 1 >= rules.safe"),
    ),
    _mutant(
        "smallest-survives",
        "mergers/larger-first",
        "survivor-not-largest",
        (
            "largest = max(size(board, hotel) for hotel in hotels)",
            "largest = min(size(board, hotel) for hotel in hotels)",
        ),
    ),
    _mutant(
        "first-survives",
        "mergers/larger-last",
        "survivor-not-largest",
        ("for hotel in hotels if size(board, hotel) == largest]", "for hotel in hotels][:1]"),
    ),
    _mutant(
        "founds-what-is-there",
        "founding/only-one-left",
        "hotel-on-board",
        ("[hotel for hotel in rules.hotels if size(board, hotel) == 0]", "list(rules.hotels)"),
    ),
    _mutant(
        "eighth-not-placed",
        "founding/all-seven-on-the-board",
        r"No tile was placed, but \w+ can be: it stays unincorporated",
        ("if touched and not rules.revised:", "if touched:"),
    ),
    _mutant(
        "growth-as-merger",
        "growth/two-sides",
        "hotel-not-due",
        (
            'kind = "merge" if len(hotels) > 1 else "grow"',
            'kind = "merge" if sum(board.get(c) in hotels for c in beside(tile)) > 1 else "grow"',
        ),
    ),
    _mutant(
        "last-column-forgotten",
        "turn/only-last",
        "no-hotel-named|tile-beside-loose|hotel-not-due|safe-merger",
        ("1 <= c <= COLUMNS", "1 <= c < COLUMNS"),
    ),
    _mutant(
        "last-row-forgotten",
        "founding/last-row",
        "no-hotel-named|tile-beside-loose|hotel-not-due|safe-merger",
        ("0 <= r < len(ROWS)]", "0 <= r < len(ROWS) - 1]"),
    ),
    _mutant(
        "cell-below-forgotten",
        "turn/beside-loose",
        "no-hotel-named|tile-beside-loose|safe-merger|merger",
        (", (column, row + 1))", ",)"),
    ),
    # -- naming and sending
    _mutant(
        "founding-unnamed",
        "founding/choice-of-seven",
        "no-hotel-named",
        ('in ("found", "merge")', '== "merge"'),
    ),
    # -- certificates and money
    _mutant(
        "founders-share-forgotten",
        "founding/last-certificate-is-free",
        "order-sold-out",
        ("shares[move.hotel] + 1}", "shares[move.hotel]}"),
    ),
    _mutant(
        "price-of-size-before-merger",
        "buying/survivor-is-dearer",
        "order-too-dear|order-no-price",
        ("is not None else after", "is not None else board"),
    ),
    _mutant(
        "chain-not-counted",
        "founding/chain",
        "order-too-dear",
        ("for cell in chain:  # which grows during the loop", "for cell in [tile]:"),
    ),
    _mutant(
        "tile-not-counted",
        "growth/price-step",
        "order-too-dear",
        ("cells = [*chain, *(cell", "cells = [*(cell"),
    ),
    _mutant(
        "size-off-by-one",
        "growth/price-step",
        "order-too-dear",
        ("tiles = size(board, hotel)\n", "tiles = size(board, hotel) - 1\n"),
    ),
    _mutant(
        "price-step-at-7",
        "buying/price-600",
        "order-too-dear",
        ("(0, 2, 3, 4, 5, 6,", "(0, 2, 3, 4, 5, 7,"),
    ),
    _mutant("price-step-at-42", "buying/price-1200", "order-too-dear", ("31, 41)", "31, 42)")),
    _mutant(
        "wrong-price-class",
        "founding/three-neighbours",
        "as a cheaper hotel of 2 tiles does",
        ('"Tower": "expensive"', '"Tower": "medium"'),
    ),
    _mutant(
        "cash-not-counted",
        "founding/two-neighbours",
        "order-too-dear",
        ("for o in longer if cost(board, o) <= players[me].cash]", "for o in longer]"),
    ),
    _mutant(
        "one-certificate-more",
        "buying/none-left",
        "order-sold-out",
        ("CERTIFICATES = 25", "CERTIFICATES = 26"),
    ),
    _mutant(
        "others-certificates-forgotten",
        "buying/none-left",
        "order-sold-out",
        ("for player in players.values())", "for player in list(players.values())[:1])"),
    ),
    # -- keeping
    _mutant(
        "keep-only-with-certificates",
        "disposal/mover-none",
        "timed-out",
        (
            "                send(connection, keep_xml(",
            "                if any(players[me].shares[h] for h in hotels):\n"
            "                    send(connection, keep_xml(",
        ),
    ),
    _mutant(
        "keep-list-reversed",
        "disposal/order-of-answers",
        "list of answers reversed",
        KEEPS_MANY,
        ("for keep in kept)", "for keep in reversed(kept))"),
    ),
    # -- the wire
    _mutant("name-unquoted", "names/markup", "malformed", ("{escape(me)}", "{me}")),
    _mutant(
        "one-piece-one-message",
        "framing/in-a-tag",
        "timed-out|disconnected",
        ("received += piece", "received, seen, depth = piece, 0, 0"),
    ),
    _mutant(
        "rest-thrown-away",
        "sign-up/glued",
        "timed-out",
        ("received, seen = received[seen:], 0", "received, seen = b'', 0"),
    ),
    _mutant(
        "tile-not-answered",
        "turn/drawn",
        "timed-out",
        (
            'case "state" | "tile" |',
            'case "tile":\n                pass\n            case "state" |',
        ),
    ),
    _mutant(
        "score-not-answered",
        "set-up/alone",
        "without answering",
        (
            '            case "score":\n                send(connection, "<void/>")',
            '            case "score":\n                pass',
        ),
    ),
    _mutant(
        "slow",
        "set-up/alone",
        "took",
        ('"holders":', '"holders":\n                connection.sleep(0.7)'),
    ),
    _mutant(
        "late",
        "set-up/alone",
        "timed-out",
        ('"holders":', '"holders":\n                connection.sleep(1.3)'),
    ),
)


def mutated(mutant: Mutant) -> str:
    """The starter's source with the edits; each text is there once."""
    source = STARTER.read_text()
    for old, new in mutant.edits:
        assert source.count(old) == 1, f"{mutant.name}: {old!r} is there {source.count(old)} times"
        source = source.replace(old, new)
    return source


def module_of(source: str, folder: Path, name: str) -> ModuleType:
    """The starter's source as a module, so that it can play in a thread of this process."""
    path = folder / f"player_{name.replace('-', '_')}.py"  # no name of a real module
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # its dataclasses look it up
    spec.loader.exec_module(module)
    return module


def playing(module: ModuleType) -> Callable[[socket.socket, str], None]:
    """A way to let the module play over a connection, and hang up as its process would."""

    def play(connection: socket.socket, name: str) -> None:
        with connection:
            try:
                module.play(connection, name)
            except Exception:  # as a traceback ends the process, this ends the connection
                return

    return play
