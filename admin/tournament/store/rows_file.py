"""rows.jsonl in a report: the rows of the store, for an audit without the store.

The first line has the facts that are public, and the signed head of the chain; every other line is
a row. Logs and outputs are files of their own, and a void game's log and traceback are not
published; the row has their digests.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import Field, TypeAdapter

from ..games.checked_json import (
    STRICT,
    Digest,
    GameId,
    InvalidFields,
    PlayerName,
    Sentences,
    read_checked,
)
from ..games.result import Alarm, GameResult
from .row_chain import GAME, VOID, describe_row, digest_of, row_digest
from .store import Store
from .stored_rows import result_text

ROWS = "rows.jsonl"
MAX_LINE_BYTES = 2**20

T = TypeVar("T")


class PublishedHead(NamedTuple):
    """The first line: the public facts, and the seal of the store."""

    facts: dict[str, Sentences]
    key: Annotated[str, Field(max_length=64)]
    head: Sentences
    signature: Annotated[str, Field(max_length=128)]


class PublishedRow(NamedTuple):
    """A row as it is published; ``result`` is ``None`` for a void game.

    ``detail`` and ``log`` are digests, and so is that of each player in ``outputs``.
    """

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

    @property
    def number(self) -> int:
        """The number of the row in the store."""
        return self.row

    @property
    def what(self) -> str:
        """What the row is, for sentences."""
        return describe_row(self.kind, self.game, self.attempt)

    def digest(self) -> str:
        """Return the digest of the row, by which the chain links it."""
        result = "" if self.result is None else result_text(self.result)
        return row_digest(
            *(self.kind, self.game, self.attempt, result, self.why, self.detail, self.log),
            *(self.outputs, self.alarms),
        )


def public_facts(store: Store, *, complete: bool) -> dict[str, str]:
    """Return the facts that everybody may know: the seed only if it gives away no game to come."""
    facts = store.facts()
    names = {"format", "shown", "entries", "series"}
    if complete or facts.get("series", "[]") != "[]":
        names.add("seed")
    return {name: value for name, value in facts.items() if name in names}


def row_lines(store: Store, facts: Mapping[str, str]) -> Iterator[bytes]:
    """Yield the lines of the file."""
    seal = (store.about(name) or "" for name in ("key", "head", "signature"))
    yield _line(PublishedHead(dict(facts), *seal)._asdict())
    for row in store.rows():
        yield _line(
            {
                "row": row.number,
                "kind": row.kind,
                "game": row.game,
                "attempt": row.attempt,
                "link": row.link,
                "result": json.loads(row.result) if row.kind == GAME else None,
                "why": row.why,
                "detail": digest_of(row.detail),
                "log": digest_of(row.log),
                "outputs": [(player, digest_of(output)) for player, output in row.outputs],
                "alarms": row.alarms,
            }
        )


def _line(fields: Mapping[str, Any]) -> bytes:
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


_HEAD = TypeAdapter(PublishedHead, config=STRICT)
_ROW = TypeAdapter(PublishedRow, config=STRICT)


def _checked(adapter: TypeAdapter[T], line: bytes) -> T:
    if len(line) > MAX_LINE_BYTES:
        raise InvalidFields("the line is too long")
    return read_checked(adapter, line)
