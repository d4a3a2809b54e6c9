"""rows.jsonl in a report: the rows of the store, for an audit without the store.

The first line has the facts that are public, and the signed head of the chain; every other line is
a row. Logs and outputs are files of their own, and a void game's log and traceback are not
published; the row has their digests.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..games.plain_fields import (
    GAME_ID,
    PLAYER,
    FieldCheck,
    InvalidFields,
    check_fields,
    many,
    read_json,
    text,
    whole,
)
from ..games.result import Alarm, GameResult
from .row_chain import GAME, VOID, digest_of, row_digest
from .store import Store
from .stored_rows import result_text

ROWS = "rows.jsonl"
MAX_LINE_BYTES = 2**20
_HEX = text(64, "[0-9a-f]{64}")
_TEXT = text(100_000)


class PublishedHead(NamedTuple):
    """The first line: the public facts, and the seal of the store."""

    facts: Mapping[str, str]
    key: str
    head: str
    signature: str


class PublishedRow(NamedTuple):
    """A row as it is published; ``result`` is ``None`` for a void game.

    ``detail`` and ``log`` are digests, and so is that of each player in ``outputs``.
    """

    row: int
    kind: str
    game: str
    attempt: int
    link: str
    result: GameResult | None
    why: str
    detail: str
    log: str
    outputs: tuple[tuple[str, str], ...]
    alarms: tuple[Alarm, ...]

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
    yield _line(PublishedHead(facts, *seal)._asdict())
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


_HEAD_CHECKS = {
    "facts": FieldCheck(
        lambda value: isinstance(value, dict) and all(map(_TEXT.holds, value.values())),
        "a table of texts",
    ),
    "key": text(64),
    "head": _TEXT,
    "signature": text(128),
}
_ALARM = FieldCheck(
    lambda value: (
        isinstance(value, list)
        and len(value) == 2
        and PLAYER.holds(value[0])
        and _TEXT.holds(value[1])
    ),
    "a player and a sentence",
)
_OUTPUT = FieldCheck(
    lambda value: (
        isinstance(value, list)
        and len(value) == 2
        and PLAYER.holds(value[0])
        and _HEX.holds(value[1])
    ),
    "a player and a digest",
)
_ROW_CHECKS = {
    "row": whole(1, 10**9),
    "kind": FieldCheck((GAME, VOID).__contains__, f"{GAME} or {VOID}"),
    "game": GAME_ID,
    "attempt": whole(0, 10**6),
    "link": _HEX,
    "result": FieldCheck(
        lambda value: value is None or isinstance(value, dict), "a result, or null"
    ),
    "why": _TEXT,
    "detail": _HEX,
    "log": _HEX,
    "outputs": many(_OUTPUT, 0, 6),
    "alarms": many(_ALARM, 0, 1000),
}


def read_head(line: bytes) -> PublishedHead:
    """Return the first line; ``InvalidFields`` if it is none."""
    return PublishedHead(**check_fields(_parsed(line), _HEAD_CHECKS))


def read_row(line: bytes) -> PublishedRow:
    """Return the row in a line; ``InvalidFields`` if it is none."""
    fields = check_fields(_parsed(line), _ROW_CHECKS)
    result = None
    if fields["kind"] == GAME:
        try:
            result = GameResult.of(fields["result"])
        except InvalidFields as error:
            raise InvalidFields(f"the result of game {fields['game']}: {error}") from None
        if result.game != fields["game"] or fields["attempt"]:
            raise InvalidFields(f"the row of game {fields['game']} has the result of another")
    alarms = tuple(Alarm(*alarm) for alarm in fields["alarms"])
    outputs = tuple((player, found) for player, found in fields["outputs"])
    return PublishedRow(**{**fields, "result": result, "alarms": alarms, "outputs": outputs})


def _parsed(line: bytes) -> object:
    if len(line) > MAX_LINE_BYTES:
        raise InvalidFields("the line is too long")
    try:
        return read_json(line.decode())
    except UnicodeDecodeError:
        raise InvalidFields("it is not UTF-8") from None
