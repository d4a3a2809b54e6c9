"""The chain of a store: every row is bound to all rows before it, and the last one is signed.

    digest of a row  = SHA-256 of its kind, game, attempt, result and reason, of the digests of its
                       traceback, log and outputs, and of its alarms
    link of a row    = SHA-256 of the link before it and the digest of the row
    head             = the number of rows, the last link, a digest of every fact; signed

The facts are what the store says about the tournament. Before it is hashed, every part is preceded
by its length, so two different rows never have the same bytes. A row that is changed, removed,
added or moved changes all links after it; without the key nobody can sign the new head.

Signatures are Ed25519, by the tournament's own key, over short statements that begin with a line
that says what they are about: so none can be passed off as one of something else.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pydantic_core import from_json

from ..games.checked_json import InvalidFields, is_game_id, shown
from ..games.result import Alarm

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SigningKey: TypeAlias = "Ed25519PrivateKey"
GAME, VOID = "game", "void"
START = "0" * 64  # the link before the first row
TITLE = "acquire tournament store"
PRIVATE = frozenset({"plan", "roster"})  # facts not published; a report has their digest
LENGTH_BYTES = 8
PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")
SIGNATURE = re.compile(r"[0-9a-f]{128}")


class LinkedRow(NamedTuple):
    """A row: a game that counts, or a void one; all of it, or what a report has of it.

    ``detail``, ``log`` and the ``outputs`` of each player are given by their digests, so a report
    can be checked that does not publish all of them.
    """

    number: int = 0
    kind: str = GAME
    game: str = ""
    attempt: int = 0  # 0 for a game that counts
    link: str = ""
    result: str = ""  # of a game that counts, as JSON
    why: str = ""  # of a void game: the reason
    detail: str = ""  # of a void game: a traceback, if there is one
    log: str = ""
    outputs: Sequence[tuple[str, str]] = ()
    alarms: Sequence[Alarm] = ()

    @property
    def place(self) -> str:
        """Where the row is and what it is, for sentences; its id may be anything."""
        known = self.game if is_game_id(self.game) else shown(self.game)
        void = f"void game {known}, attempt {self.attempt}"
        return f"row {self.number} ({f'game {known}' if self.kind == GAME else void})"

    def digest(self) -> str:
        """Return the digest of everything in the row but its number and link."""
        return digest_of(
            *(self.kind, self.game, str(self.attempt), self.result, self.why, self.detail),
            *(self.log, str(len(self.outputs))),
            *(part for output in self.outputs for part in output),
            str(len(self.alarms)),
            *(part for alarm in self.alarms for part in alarm),
        )


class StoredRow(NamedTuple):
    """A row, and what it has the digests of."""

    row: LinkedRow
    log: bytes | None  # None where a report lacks it
    outputs: Mapping[str, bytes]  # by player
    detail: str = ""  # a report has none
    other: Sequence[str] = ()  # the row's files in a report that differ from the store's

    @classmethod
    def of(
        cls, row: LinkedRow, log: bytes, outputs: Mapping[str, bytes] = {}, detail: str = ""
    ) -> "StoredRow":
        """Return a row with the digests; its number and link are given when it is stored."""
        digests = tuple((player, digest_of(output)) for player, output in sorted(outputs.items()))
        row = row._replace(detail=digest_of(detail), log=digest_of(log), outputs=digests)
        return cls(row, log, outputs, detail)


class Head(NamedTuple):
    """The end of a chain: the number of rows, the last link, and the digest of every fact."""

    rows: int
    link: str
    facts: tuple[tuple[str, str], ...] = ()

    def statement(self) -> str:
        """Return what is signed."""
        facts = "".join(f"fact {name} {found}\n" for name, found in self.facts)
        return f"{TITLE}\nrows {self.rows}\nlink {self.link}\n{facts}"

    @classmethod
    def of(cls, statement: str) -> "Head":
        """Return the head in a statement; ``InvalidFields`` if it is none."""
        try:
            _, rows, link, *facts = (line.split(" ") for line in statement.splitlines())
            head = cls(int(rows[1]), link[1], tuple((name, found) for _, name, found in facts))
        except (ValueError, IndexError):
            head = cls(-1, "")
        if head.statement() != statement:
            raise InvalidFields(f"{shown(statement)} is not the head of a chain")
        return head


class Seal(NamedTuple):
    """What proves that a chain is whole: a public key, and the statement of the head it signed."""

    key: str
    head: str
    signature: str

    def contradictions(self, key: str | None = None) -> Iterator[str]:
        """Yield, as sentences, why this is not the seal of ``key``, by default of its own."""
        if key is not None and key != self.key:
            yield f"the key is {ascii(self.key)[1:-1][:64]}; expected {key}."
        if not is_signed(key or self.key, self.signature, self.head.encode()):
            yield "the head of the chain is not signed by the key of the tournament."


def digest_of(*parts: str | bytes) -> str:
    """Return the SHA-256 digest of some parts, each preceded by its length, in hex digits."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        found.update(len(data).to_bytes(LENGTH_BYTES))
        found.update(data)
    return found.hexdigest()


def fact_digests(facts: Mapping[str, str]) -> dict[str, str]:
    """Return the digest of every fact; a public JSON table has a digest for every field."""
    found: dict[str, str] = {}
    for name, text in facts.items():
        table = None
        with suppress(ValueError):  # it need not be JSON
            table = None if name in PRIVATE else from_json(text)
        if not isinstance(table, dict):
            found[name] = digest_of(text)
            continue
        for key, value in table.items():
            written = json.dumps(value, sort_keys=True, separators=(",", ":"))
            found[f"{name}.{key}"] = digest_of(written)
    return dict(sorted(found.items()))


class ChainCheck:
    """Whether the rows and facts of a store are those that were stored: ``take`` all rows in order.

    All findings are sentences. After a row that is not as it was stored, the chain goes on from the
    recorded link, so that every such row is named, and no other.
    """

    def __init__(self) -> None:
        self._rows = 0
        self._link = START

    def take(self, row: LinkedRow) -> str | None:
        """Take the next row; return what is wrong with it, if anything is."""
        expected, due = digest_of(self._link, row.digest()), self._rows + 1
        self._rows, self._link = row.number, row.link
        if row.number != due:
            return f"{row.place} comes where row {due} is expected: rows were removed."
        if row.link != expected:
            return f"{row.place} is not as it was stored, or was not stored there."
        return None

    def end(self, head: Head, facts: Mapping[str, str]) -> Iterator[str]:
        """Compare with the head and the digests of the facts."""
        if self._rows != head.rows:
            last = "the last ones were removed" if self._rows < head.rows else "some were added"
            yield f"the last row is {self._rows}, but {head.rows} rows were signed: {last}."
        elif self._link != head.link:
            yield (
                "the last link is not the signed one: somebody without the key has computed the "
                "chain again."
            )
        signed = dict(head.facts)
        for name in sorted(signed.keys() | facts.keys()):
            if signed.get(name) != facts.get(name):
                yield f"the fact {shown(name)} is not the signed one."


# -- signatures; keys and signatures are written in hexadecimal digits --------------------------


def sign(key: SigningKey, statement: bytes) -> str:
    """Return the signature of a statement."""
    return key.sign(statement).hex()


def public_key(key: SigningKey) -> str:
    """Return the public key, by which everybody can check the signatures of a key."""
    return key.public_key().public_bytes_raw().hex()


def is_public_key(text: str) -> bool:
    """Whether a text can be a public key."""
    return PUBLIC_KEY.fullmatch(text) is not None


def is_signed(public: str, signature: str, statement: bytes) -> bool:
    """Whether a signature is that of a statement, by this public key; any text may be given."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not is_public_key(public) or not SIGNATURE.fullmatch(signature):
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), statement)
    except (InvalidSignature, ValueError):
        return False
    return True
