"""Small wrong edits of the Python starter: mistakes that students make, as differences of its text.

Each has the case in which it is looked for, and a pattern of what has to name its cause. Where the
mistake shows only with an idea of one's own, the edit brings one. Which other bytes, spellings and
moves are recognised is in ``tests/diagnosis``.
"""

import importlib.util
import re
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

STARTER = Path(__file__).parents[2] / "player" / "starters" / "python" / "player.py"
TRUSTED = ("--sandbox", "none")
"""For players of these tests, so that the check is that of an ordinary user, also for root."""
WHERE = ("{host}", "{port}", "{name}")
GENEROUS = 60
"""Seconds for anything that must happen; a busy machine may need many."""


def started(player: str | Path = STARTER, *words: str) -> tuple[str, ...]:
    """The end of a command that starts a player."""
    return (*TRUSTED, "--", sys.executable, str(player), *(words or WHERE))


class Mistake(NamedTuple):
    """A mistake: a case that shows it, the pattern that names its cause, the edits."""

    name: str
    case: str
    cause: str
    edits: tuple[tuple[str, str], ...]

    @property
    def source(self) -> str:
        """The starter with the mistake."""
        return edited(STARTER, *self.edits)


def edited(file: Path, *edits: tuple[str, str]) -> str:
    """The text of a file in which each of some texts, which is there once, is another."""
    source = file.read_text()
    for old, new in edits:
        assert source.count(old) == 1, f"{old!r} is there {source.count(old)} times"
        source = source.replace(old, new)
    return source


def parsed(listed: str) -> tuple[Mistake, ...]:
    """The mistakes of a list: below the name, the case and the pattern of each are its edits."""
    return tuple(map(_mistake, listed.strip().split("\n\n")))


def _mistake(block: str) -> Mistake:
    about, *edits = re.split(r"^((?:-.*\n)+)((?:\+.*\n)+)", f"{block}\n", flags=re.MULTILINE)
    name, _, case, cause = about.replace("\n", " ").strip().split(" ", 3)
    texts = [re.sub(r"^[-+]", "", each, flags=re.MULTILINE).removesuffix("\n") for each in edits]
    pairs = zip(texts[::3], texts[1::3], strict=True)
    return Mistake(name, case.removesuffix(":"), cause, tuple(pairs))


MISTAKES = parsed(r"""
decimal-length in sign-up/speaks-first: A length is sent before the message: 23
-connection.sendall(element.encode())
+connection.sendall(f'{len(element)}'.encode() + element.encode())

latin-1 in names/other-letters: not in UTF-8
-connection.sendall(element.encode())
+connection.sendall(element.encode('latin-1', 'replace'))

not-flushed in sign-up/speaks-first: Nothing at all arrived: the sign-up is still in an output
buffer
-connection.sendall(element.encode())
+connection.makefile('wb').write(element.encode()) if 0 else None

namespace in turn/alone: is in a namespace
-<pbuy>{answer}
+<pbuy xmlns=\"urn:acquire\">{answer}

sign-up-acknowledged in sign-up/silence: <void/> was sent when it was not due
-                me = message.attrib
+                send(connection, '<void/>')
+                me = message.attrib

turn-acknowledged in turn/alone: <void/> was sent when it was not due
-send(connection, answer)
+send(connection, '<void/>' + answer)

keep-for-order in buying/survivor-is-dearer: either <keep> was answered twice, or <players> was
answered with it
-send(connection, answered_order(begun, board, players, me))
+send(connection, keep_xml([True]))

half-a-document in turn/alone: <pbuy> is never closed
-with_tile, me)}</pbuy>
+with_tile, me)}

hotel-in-lower-case in growth/by-one: 'tower' should be spelled 'Tower'|'[a-z]+' should be spelled
'[A-Z]
-label="{hotel}"
+label="{hotel.lower()}"

one-digit-of-a-column in turn/next-row: seems to be 1[0-2][A-I], with only one digit
-move.tile[:-1], move.tile[-1]
+move.tile[0], move.tile[-1]

name-that-was-asked-for in sign-up/suffix: was given the name 'ann-2', and may look for 'ann'|from
the hand of 'ann'
-me = message.attrib["name"]
+pass

safe-from-13 in turn/only-middle: has exactly 12 tiles and so is safe
-hotel) >= rules.safe
+hotel) > rules.safe

three-a-turn in turn/alone: order is for 3 certificates, but at most 2
-True, 8000, 12, 40, 2
+True, 8000, 12, 40, 3

keep-for-the-first-only in disposal/mover-two: <keep> (has 1 answer, but 2|answers only for hotels
of which certificates are held)
-"".join("<true/>" if keep else "<false/>" for keep in kept)
+("<true/>" if kept[0] else "<false/>")

growth-names-the-hotel in growth/by-one: only makes Tower grow, but a hotel is named
-in ("found", "merge")
+!= "alone"

order-with-a-merger in mergers/placement-alone: merges [A-Z][a-z]+ and [A-Z][a-z]+, but came with an
order
-if move.kind != "merge":
+if True:
""")
"""Their causes are named in the first sentence, and nothing is guessed beside it."""

MUTANTS = parsed(r"""
loose-ignored in turn/beside-loose: unincorporated tile 1C \(.*\) is overlooked
-if LOOSE in touched and rules.revised:
+if False:

safe-one-early in mergers/nearly-safe: No tile was placed, but \w+ can be: it merges \w+ \(11\)
-hotel) >= rules.safe
+hotel) + 1 >= rules.safe

smallest-survives in mergers/larger-first: Worldwide cannot survive: it has 6 tiles
-largest = max(size(board, hotel) for hotel in hotels)
+largest = min(size(board, hotel) for hotel in hotels)

first-survives in mergers/larger-last: 6 tiles, though first in the alphabet
-for hotel in hotels if size(board, hotel) == largest]
+for hotel in hotels][:1]

founds-what-is-there in founding/only-one-left: is already on the board, with 2 tiles
-[hotel for hotel in rules.hotels if size(board, hotel) == 0]
+list(rules.hotels)

eighth-not-placed in founding/all-seven-on-the-board: No tile was placed, but \w+ can be: it stays
unincorporated
-if touched and not rules.revised:
+if touched:

growth-as-merger in growth/two-sides: which it touches on 2 sides, but a hotel is named
-kind = "merge" if len(hotels) > 1 else "grow"
+kind = "merge" if sum(board.get(c) in hotels for c in beside(tile)) > 1 else "grow"

last-column-forgotten in turn/only-last: as if it merged nothing, but it touches Continental \(below
12B\) and Sackson
-1 <= c <= COLUMNS
+1 <= c < COLUMNS

last-row-forgotten in founding/last-row: founds a hotel with 1I \(below 1H
-0 <= r < len(ROWS)]
+0 <= r < len(ROWS) - 1]

cell-below-forgotten in turn/beside-loose: unincorporated tile 1C \(below 1B
-, (column, row + 1))
+,)

founding-unnamed in founding/choice-of-seven: founds a hotel with 2B \(below 2A\), but none is named
-in ("found", "merge")
+== "merge"

founders-share-forgotten in founding/last-certificate-is-free: after the free certificate of the
founder
-shares[move.hotel] + 1}
+shares[move.hotel]}

one-certificate-more in buying/none-left: the bank has none: the other players hold
-CERTIFICATES = 25
+CERTIFICATES = 26

others-certificates-forgotten in buying/none-left: the bank has none: the other players hold
-for player in players.values())
+for player in list(players.values())[:1])

keep-only-with-certificates in disposal/mover-none: <keep>: .* or has no answer to this message
-                send(connection, keep_xml(
+                if any(players[me].shares[h] for h in hotels):
+                    send(connection, keep_xml(

keep-list-reversed in disposal/order-of-answers: list of answers reversed
-return [False for _ in hotels]  # money buys the next majority
+return [players[me].shares[hotel] > 3 for hotel in hotels]
-for keep in kept)
+for keep in reversed(kept))

name-unquoted in names/markup: unescaped & in the message
-{escape(me)}
+{me}

one-piece-one-message in framing/in-a-tag: searching each piece for whole tags
-received += piece
+received, seen, depth = piece, 0, 0

rest-thrown-away in sign-up/glued: arrived in one read with the answer to the sign-up
-received, seen = received[seen:], 0
+received, seen = b'', 0

tile-not-answered in turn/drawn: <tile>: .* or has no answer to this message
-case "state" | "tile" |
+case "tile":
+                pass
+            case "state" |

score-not-answered in set-up/alone: without answering
-            case "score":
-                send(connection, "<void/>")
+            case "score":
+                pass

slow in set-up/alone: took 0\.70 s of
-"holders":
+"holders":
+                connection.sleep(0.7)

late in set-up/alone: came too late, after 1.3 s
-"holders":
+"holders":
+                connection.sleep(1.3)
""")
"""Their causes are named there, in a warning or in a guess."""

OF_SECTIONS = parsed(r"""
one-read-one-message in framing: halves in-a-tag in-a-value before-a-bracket in-a-character trickle
scraps
-received += piece
+received, seen, depth = piece, 0, 0

read-of-4096-bytes in framing: halves in-a-tag in-a-value before-a-bracket in-a-character trickle
scraps large
-recv(65536)
+recv(4096)
-received += piece
+received, seen, depth = piece, 0, 0

pieces-decoded in framing: in-a-character
-received += piece
+received += piece.decode().encode()

one-form-of-xml in framing: white-space declaration comments attributes
-                yield parsed(received[begin:seen])
+                element = parsed(received[begin:seen])
+                written = ET.tostring(element, "unicode").replace(" />", "/>")
+                if received[:seen] != written.encode():
+                    return
+                yield element

ascii in names: other-letters
-received += piece
+received += piece.decode("ascii").encode()

references-before-tags in names: markup hostile
-from html import escape
+from html import escape, unescape
-yield parsed(received[begin:seen])
+yield parsed(unescape(received[begin:seen].decode()).encode())

searched-for-a-word in names: hostile elements
-        match message.tag:
+        if "score" in ET.tostring(message, "unicode") and message.tag != "score":
+            return 0
+        match message.tag:

capitals in names: capitals
-                me = message.attrib["name"]
+                me = own = message.attrib["name"]
-            case "turn":
+            case "turn":
+                either = (own.lower(), own.lower().removesuffix("-2"))
+                me = [each for each in players if each.lower() in either][-1]

beginning in names: parts
-                me = message.attrib["name"]
+                me = own = message.attrib["name"]
-            case "turn":
+            case "turn":
+                me = [each for each in players if each.startswith(own)][-1]

beginning-of-own in names: parts
-                me = message.attrib["name"]
+                me = own = message.attrib["name"]
-            case "turn":
+            case "turn":
+                me = [each for each in players if own.startswith(each)][-1]

part in names: parts hostile
-                me = message.attrib["name"]
+                me = own = message.attrib["name"]
-            case "turn":
+            case "turn":
+                me = [each for each in players if own in each][-1]

cut in names: longest longest-and-taken
-me = message.attrib["name"]
+me = message.attrib["name"][:63]

spaces in names: spaces
-me = message.attrib["name"]
+me = " ".join(message.attrib["name"].split())

first-word in names: spaces other-letters
-                me = message.attrib["name"]
+                me = own = message.attrib["name"]
-            case "turn":
+            case "turn":
+                me = [each for each in players if each.split()[0] == own][-1]

name-that-was-requested in names: longest-and-taken capitals
-me = message.attrib["name"]
+pass

two-seconds in clocks: before-the-match others-think
-return connection.recv(65536)
+return connection.recv(65536) if connection.readable_within(2) else b""

deaf-in-others-turns in clocks: asked-in-anothers-turn
-            case "keep":
+            case "keep" | "dispose" if next(iter(players)) != me:
+                continue
+            case "keep":

own-board in set-up: in-the-middle
-legal_moves(board, tile)]
+legal_moves({}, tile)]

all-players in matches: ejections
-            players = read_players(message)
+            expected, players = len(players), read_players(message)
+            if len(players) < expected:
+                raise NoScoreError("somebody is missing")
""")
"""Each is played in a whole section: instead of a cause it has all cases there that it fails."""


def first_sentence(text: str) -> str:
    """The first sentence of a finding."""
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


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
