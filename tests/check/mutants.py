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

from check.mistakes import mistake

KEEPS_MANY = (
    "return [False for _ in hotels]  # money buys the next majority",
    "return [players[me].shares[hotel] > 3 for hotel in hotels]",
)

MUTANTS = (
    # -- the rules of placing
    mistake(
        "loose-ignored",
        "turn/beside-loose",
        r"unincorporated tile 1C \(.*\) is overlooked",
        ("if LOOSE in touched and rules.revised:", "if False:"),
    ),
    mistake(
        "safe-one-early",
        "mergers/nearly-safe",
        r"No tile was placed, but \w+ can be: it merges \w+ \(11\)",
        ("hotel) >= rules.safe", "hotel) + 1 >= rules.safe"),
    ),
    mistake(
        "smallest-survives",
        "mergers/larger-first",
        "Worldwide cannot survive: it has 6 tiles",
        (
            "largest = max(size(board, hotel) for hotel in hotels)",
            "largest = min(size(board, hotel) for hotel in hotels)",
        ),
    ),
    mistake(
        "first-survives",
        "mergers/larger-last",
        "6 tiles, though first in the alphabet",
        ("for hotel in hotels if size(board, hotel) == largest]", "for hotel in hotels][:1]"),
    ),
    mistake(
        "founds-what-is-there",
        "founding/only-one-left",
        "is already on the board, with 2 tiles",
        ("[hotel for hotel in rules.hotels if size(board, hotel) == 0]", "list(rules.hotels)"),
    ),
    mistake(
        "eighth-not-placed",
        "founding/all-seven-on-the-board",
        r"No tile was placed, but \w+ can be: it stays unincorporated",
        ("if touched and not rules.revised:", "if touched:"),
    ),
    mistake(
        "growth-as-merger",
        "growth/two-sides",
        "which it touches on 2 sides, but a hotel is named",
        (
            'kind = "merge" if len(hotels) > 1 else "grow"',
            'kind = "merge" if sum(board.get(c) in hotels for c in beside(tile)) > 1 else "grow"',
        ),
    ),
    mistake(
        "last-column-forgotten",
        "turn/only-last",
        r"as if it merged nothing, but it touches Continental \(below 12B\) and Sackson",
        ("1 <= c <= COLUMNS", "1 <= c < COLUMNS"),
    ),
    mistake(
        "last-row-forgotten",
        "founding/last-row",
        r"founds a hotel with 1I \(below 1H",
        ("0 <= r < len(ROWS)]", "0 <= r < len(ROWS) - 1]"),
    ),
    mistake(
        "cell-below-forgotten",
        "turn/beside-loose",
        r"unincorporated tile 1C \(below 1B",
        (", (column, row + 1))", ",)"),
    ),
    # -- naming and sending
    mistake(
        "founding-unnamed",
        "founding/choice-of-seven",
        r"founds a hotel with 2B \(below 2A\), but none is named",
        ('in ("found", "merge")', '== "merge"'),
    ),
    # -- certificates and money
    mistake(
        "founders-share-forgotten",
        "founding/last-certificate-is-free",
        "after the free certificate of the founder",
        ("shares[move.hotel] + 1}", "shares[move.hotel]}"),
    ),
    mistake(
        "one-certificate-more",
        "buying/none-left",
        "the bank has none: the other players hold",
        ("CERTIFICATES = 25", "CERTIFICATES = 26"),
    ),
    mistake(
        "others-certificates-forgotten",
        "buying/none-left",
        "the bank has none: the other players hold",
        ("for player in players.values())", "for player in list(players.values())[:1])"),
    ),
    # -- keeping
    mistake(
        "keep-only-with-certificates",
        "disposal/mover-none",
        "<keep>: .* or has no answer to this message",
        (
            "                send(connection, keep_xml(",
            "                if any(players[me].shares[h] for h in hotels):\n"
            "                    send(connection, keep_xml(",
        ),
    ),
    mistake(
        "keep-list-reversed",
        "disposal/order-of-answers",
        "list of answers reversed",
        KEEPS_MANY,
        ("for keep in kept)", "for keep in reversed(kept))"),
    ),
    # -- the wire
    mistake(
        "name-unquoted", "names/markup", "unescaped & in the message", ("{escape(me)}", "{me}")
    ),
    mistake(
        "one-piece-one-message",
        "framing/in-a-tag",
        "searching each piece for whole tags",
        ("received += piece", "received, seen, depth = piece, 0, 0"),
    ),
    mistake(
        "rest-thrown-away",
        "sign-up/glued",
        "arrived in one read with the answer to the sign-up",
        ("received, seen = received[seen:], 0", "received, seen = b'', 0"),
    ),
    mistake(
        "tile-not-answered",
        "turn/drawn",
        "<tile>: .* or has no answer to this message",
        (
            'case "state" | "tile" |',
            'case "tile":\n                pass\n            case "state" |',
        ),
    ),
    mistake(
        "score-not-answered",
        "set-up/alone",
        "without answering",
        (
            '            case "score":\n                send(connection, "<void/>")',
            '            case "score":\n                pass',
        ),
    ),
    mistake(
        "slow",
        "set-up/alone",
        r"took 0\.70 s of",
        ('"holders":', '"holders":\n                connection.sleep(0.7)'),
    ),
    mistake(
        "late",
        "set-up/alone",
        "came too late, after 1.3 s",
        ('"holders":', '"holders":\n                connection.sleep(1.3)'),
    ),
)


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
