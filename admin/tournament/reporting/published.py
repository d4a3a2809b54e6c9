"""The files of a report: their names, and what it has for its audit: the rows of the store.

rows.jsonl      The first line has the facts that are public, and the signed head of the chain;
                every other line is a row. Logs and outputs are files of their own, and a void
                game's log and traceback are not published; the row has their digests.
manifest.json   the SHA-256 digest and the size of every other file, the head of the store, the
                public key, and the software that made the report
manifest.sig    the Ed25519 signature, in hexadecimal digits, of the line "acquire tournament
                report" and the bytes of manifest.json; it is missing if the report is not signed
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, Field, TypeAdapter

from ...refereeing.view.plain_text import json_values
from ..games.checked_json import (
    GAME_ID,
    STRICT,
    Digest,
    GameId,
    InvalidFields,
    PlayerName,
    Sentences,
    check_value,
    read_checked,
)
from ..games.result import Alarm, GameResult, log_name
from ..store.row_chain import VOID, LinkedRow, SigningKey, is_signed, sign
from ..store.store import Store

LOGS, OUTPUTS, GAMES, PLAYERS, MINIMAL = "logs", "outputs", "games", "players", "minimal"
FOLDERS = (LOGS, OUTPUTS, GAMES, PLAYERS, MINIMAL)
KEPT = {".git": (True, False), ".nojekyll": (False,), ".DS_Store": (False,)}
"""What others' programs keep in a report's folder, and whether that may be a folder, or a file."""
INDEX, ALL_GAMES = "index.html", "games.html"

_PLAIN = re.compile(r"(?!.*-[0-9a-f]{8}$)[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
"""Names that can be those of files, and that no other name becomes."""
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
"""Names that no file can have on Windows."""
DIGITS = 8  # digits of the digest in the name of a file
ROWS = "rows.jsonl"
MAX_LINE_BYTES = 2**20
MANIFEST_FILES = MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
TITLE = b"acquire tournament report\n"
MAX_BYTES = 256 * 2**20  # bytes of a file of the report, and of the manifest itself
PATH = re.compile(
    r"index\.html|games\.html|viewer\.(js|css)"
    r"|standings\.csv|games\.csv|tournament\.json|rows\.jsonl"
    r"|players/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.html"
    rf"|games/{GAME_ID}\.html|logs/{GAME_ID}\.xml\.gz|outputs/{GAME_ID}-seat[1-6]\.txt"
    rf"|minimal/{GAME_ID}-seat[1-6]\.(xml\.gz|html)"
)
"""The files that a report can have."""

T = TypeVar("T")


def log_path(game: str) -> str:
    """Return where the log of a game is."""
    return f"{LOGS}/{log_name(game)}"


def output_path(game: str, seat: int) -> str:
    """Return where the output of a program is; seats are counted from 1."""
    return f"{OUTPUTS}/{game}-seat{seat}.txt"


def game_path(game: str) -> str:
    """Return where the page of a game is."""
    return f"{GAMES}/{game}.html"


def minimal_path(game: str, seat: int) -> str:
    """Return where the shortest match with a loss is: its log, beside its page."""
    return f"{MINIMAL}/{game}-seat{seat}.xml.gz"


def page_of_log(path: str) -> str:
    """Return where the page of a log is that lies beside it."""
    return path.replace(".xml.gz", ".html")


def player_paths(names: Sequence[str]) -> dict[str, str]:
    """Return where the page of each player is.

    A name that cannot be the name of a file everywhere, or differs from another only in case, is
    shortened, and followed by a digest.

    >>> player_paths(["ada", "Bob", "bob", "c/d"])["c/d"]
    'players/c-d-e5fb6071.html'
    """
    folded = Counter(name.casefold() for name in names)
    return {name: f"{PLAYERS}/{_file_name(name, folded[name.casefold()])}.html" for name in names}


def _file_name(name: str, alike: int) -> str:
    if alike == 1 and _PLAIN.fullmatch(name) and not _RESERVED.fullmatch(name):
        return name
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-_")
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:DIGITS]
    return f"{plain or 'player'}-{digest}"


def in_natural_order(results: Iterable[GameResult]) -> list[GameResult]:
    """Return games in the order of their ids, with d2 before d10."""

    def key(game: GameResult) -> list[tuple[int, str]]:
        return [(int(part or 0), word) for word, part in re.findall(r"(\D*)(\d*)", game.game)]

    return sorted(results, key=key)


# -- rows.jsonl ---------------------------------------------------------------------------------


class PublishedHead(NamedTuple):
    """The first line: the public facts, and the seal of the store."""

    facts: dict[str, Sentences]
    key: Annotated[str, Field(max_length=64)]
    head: Sentences
    signature: Annotated[str, Field(max_length=128)]


class PublishedRow(NamedTuple):
    """A row as it is published; ``result`` is ``None`` for a void game."""

    row: Annotated[int, Field(ge=1, le=10**9)]
    kind: Literal["game", "void"]
    game: GameId
    attempt: Annotated[int, Field(ge=0, le=10**6)]
    link: Digest
    result: GameResult | None
    why: Sentences
    detail: Digest
    log: Digest
    outputs: Annotated[tuple[tuple[PlayerName, Digest], ...], Field(max_length=6)]
    alarms: Annotated[tuple[Alarm, ...], Field(max_length=1000)]

    def stored(self) -> LinkedRow:
        """Return the row as it is in the store."""
        result = "" if self.result is None else self.result.text()
        return LinkedRow(*self[:5], result, *self[6:])


_HEAD = TypeAdapter(PublishedHead, config=STRICT)
_ROW = TypeAdapter(PublishedRow, config=STRICT)


def head_line(store: Store, *, complete: bool) -> bytes:
    """Return the first line: the facts that everybody may know, and the seal.

    The seed is one of them only if it gives away no game to come.
    """
    facts = store.facts()
    names = {"format", "shown", "entries", "series"}
    if complete or facts.get("series", "[]") != "[]":
        names.add("seed")
    public = {name: value for name, value in facts.items() if name in names}
    return _line(PublishedHead(public, *store.seal())._asdict())


def row_line(row: LinkedRow, result: GameResult | None) -> bytes:
    """Return the line of a row; ``result`` is what it has of a game."""
    fields = dict(zip(PublishedRow._fields, row, strict=True))
    return _line(fields | {"result": json_values(result)})


def _line(fields: Mapping[str, object]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_head(line: bytes) -> PublishedHead:
    """Return the first line; ``InvalidFields`` if it is none."""
    return _checked(_HEAD, line)


def read_row(line: bytes) -> PublishedRow:
    """Return the row in a line; ``InvalidFields`` if it is none."""
    row = _checked(_ROW, line)
    if (row.result is None) != (row.kind == VOID):
        raise InvalidFields(f"the result of game {row.game} is missing, or one too many")
    if row.result is not None and (row.result.game != row.game or row.attempt):
        raise InvalidFields(f"the row of game {row.game} has the result of another")
    return row


def _checked(adapter: TypeAdapter[T], line: bytes) -> T:
    if len(line) > MAX_LINE_BYTES:
        raise InvalidFields("the line is too long")
    return read_checked(adapter, line)


# -- the manifest -------------------------------------------------------------------------------


class FileEntry(NamedTuple):
    """What a file has to be: its SHA-256 digest in hexadecimal digits, and its size in bytes."""

    sha256: Digest
    size: Annotated[int, Field(ge=0, le=MAX_BYTES)]

    @classmethod
    def of(cls, data: bytes) -> "FileEntry":
        """Return the entry of a file with these bytes."""
        return cls(hashlib.sha256(data).hexdigest(), len(data))


@cache
def software() -> dict[str, str]:
    """Return the software on which the figures of a report depend, with the versions."""
    return {name: version(name) for name in ("acquire-referee", "numpy", "rich")}


class Manifest(NamedTuple):
    """A manifest: ``files`` by path, ``key`` and ``head`` as in the store."""

    software: Mapping[str, str]
    key: str
    head: str
    files: Mapping[str, FileEntry]

    def data(self) -> bytes:
        """Return the bytes of the file."""
        fields = json_values(self._replace(files=dict(sorted(self.files.items()))))
        return (json.dumps(fields, ensure_ascii=False, indent=1) + "\n").encode()

    @classmethod
    def of(cls, data: bytes) -> "Manifest":
        """Return the manifest in a file; ``InvalidFields`` if it is none."""
        found = read_checked(_FORM, data)
        files: dict[str, FileEntry] = {}
        for path, entry in found.files.items():
            if not PATH.fullmatch(path):
                raise InvalidFields(f"{ascii(path)[:80]} is not a file of a report")
            files[path] = check_value(_ENTRY, entry)
        software = {name: check_value(_VERSION, each) for name, each in found.software.items()}
        return cls(software, found.key, found.head, files)


class _ManifestForm(BaseModel):
    """The outer form; what is in a table is checked one by one, up to the first mistake."""

    model_config = STRICT

    software: dict[str, object]
    key: Digest
    head: Sentences
    files: dict[str, object]


_FORM = TypeAdapter(_ManifestForm)
_ENTRY = TypeAdapter(FileEntry, config=STRICT)
_VERSION = TypeAdapter(Annotated[str, Field(max_length=64)], config=STRICT)


def sign_manifest(key: SigningKey, manifest: bytes) -> bytes:
    """Return the bytes of the signature's file."""
    return f"{sign(key, TITLE + manifest)}\n".encode()


def is_manifest_signed(key: str, signature: bytes, manifest: bytes) -> bool:
    """Whether this is the signature of a manifest by this public key."""
    text = signature.decode(errors="replace").removesuffix("\n")
    return is_signed(key, text, TITLE + manifest)
