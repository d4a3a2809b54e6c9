"""Who may send what, and when: the conversation of one connection as one literal table.

There are two tables: the course's, and the one of the dialect that contains it. Both ends follow
the same table, so it also decides who is to blame: a peer that leaves it is out of turn, which is a
:class:`~acquire.protocol.faults.Fault`; a program that leaves it itself has a bug, which raises
:class:`~acquire.protocol.faults.LocalProtocolError`.
"""

from enum import Enum
from typing import NamedTuple, TypeAlias

from .dialect import Dialect
from .faults import Fault, LocalProtocolError, Reason


class Side(Enum):
    """The two ends of a connection."""

    REFEREE = "A"
    PLAYER = "P"


class Step(Enum):
    """Where a connection stands."""

    CONNECTED = "connected"
    SIGNED_UP = "signed up"
    SEATED = "seated"
    WAITING = "waiting"
    REPLACING = "replacing"
    REPLACED = "replaced"
    MOVING = "moving"
    MERGING = "merging"
    KEEPING = "keeping"
    ORDERING = "ordering"
    MOVER_KEEPING = "mover keeping"
    MERGED = "merged"
    MOVER_DISPOSING = "mover disposing"
    DISPOSING = "disposing"
    CHOOSING = "choosing"
    MERGING_NOTIFIED = "merging, notified of holdings"
    MOVED_NOTIFIED = "moved, notified of holdings"
    NOTIFIED = "notified of holdings"
    MOVED = "moved"
    DRAWING = "drawing"
    INFORMED = "informed"
    SCORED = "scored"
    OVER = "over"

    __hash__ = object.__hash__  # Enum's own hashes the name, in Python, for every message


class Row(NamedTuple):
    """At ``step``, ``side`` may send ``message`` (a root element); ``then`` is the next step."""

    step: Step
    side: Side
    message: str
    then: Step


A, P = Side.REFEREE, Side.PLAYER
_OTHER = {A: P, P: A}

_SIGN_UP = (
    Row(Step.CONNECTED, P, "signup", Step.SIGNED_UP),
    Row(Step.SIGNED_UP, A, "signup", Step.SEATED),
    Row(Step.SEATED, A, "state", Step.INFORMED),
)
Table: TypeAlias = tuple[Row, ...]


def _with_ejections(rows: Table) -> Table:
    """Add the rows for ``ejected``, which can be sent at any step."""
    steps = {row.step for row in rows}
    return (*rows, *(Row(step, A, "ejected", Step.OVER) for step in Step if step in steps))


_COURSE_ROWS: Table = (
    # sign-up and setup
    *_SIGN_UP,
    # a turn, for the mover
    Row(Step.WAITING, A, "turn", Step.MOVING),
    Row(Step.MOVING, P, "pbuy", Step.MOVED),
    Row(Step.MOVING, P, "placement", Step.MERGING),
    Row(Step.MERGING, A, "keep", Step.MOVER_KEEPING),
    Row(Step.MOVER_KEEPING, P, "keep", Step.MERGED),
    Row(Step.MERGED, A, "players", Step.ORDERING),
    Row(Step.ORDERING, P, "order", Step.MOVED),
    Row(Step.MOVED, A, "tile", Step.DRAWING),
    Row(Step.DRAWING, P, "void", Step.WAITING),
    # a turn, for the others
    Row(Step.WAITING, A, "keep", Step.KEEPING),
    Row(Step.KEEPING, P, "keep", Step.WAITING),
    # after every turn, to all
    Row(Step.WAITING, A, "state", Step.INFORMED),
    Row(Step.INFORMED, P, "void", Step.WAITING),
    # the end; from MOVED when no tile was left to hand back
    Row(Step.WAITING, A, "score", Step.SCORED),
    Row(Step.MOVED, A, "score", Step.SCORED),
    Row(Step.SCORED, P, "void", Step.OVER),
)

_DIALECT_ROWS: Table = (
    # sign-up and setup
    *_SIGN_UP,
    # a turn, for the mover; first of all a hand without a playable tile may be replaced
    Row(Step.WAITING, A, "replace", Step.REPLACING),
    Row(Step.REPLACING, P, "replace", Step.REPLACED),
    Row(Step.REPLACED, A, "turn", Step.MOVING),
    Row(Step.WAITING, A, "turn", Step.MOVING),
    Row(Step.MOVING, P, "pbuy", Step.MOVED),
    Row(Step.MOVING, P, "placement", Step.MERGING),
    # its merger: for each acquired hotel the market's tile, if the market takes part, or who holds
    # how many certificates, if that is hidden; then the disposal
    Row(Step.MERGING, A, "market", Step.MERGING_NOTIFIED),
    Row(Step.MERGING, A, "holders", Step.MERGING_NOTIFIED),
    Row(Step.MERGING_NOTIFIED, P, "void", Step.MERGING),
    Row(Step.MERGING, A, "dispose", Step.MOVER_DISPOSING),
    Row(Step.MOVER_DISPOSING, P, "dispose", Step.MERGING),
    Row(Step.MERGING, A, "keep", Step.MOVER_KEEPING),
    Row(Step.MOVER_KEEPING, P, "keep", Step.MERGING),
    # a tile of the market that merges hotels is a merger of its own
    Row(Step.MERGING, A, "merger", Step.CHOOSING),
    Row(Step.CHOOSING, P, "placement", Step.MERGING),
    Row(Step.MERGING, A, "players", Step.ORDERING),
    Row(Step.ORDERING, P, "order", Step.MOVED),
    # the tiles drawn, one by one: none, or several
    Row(Step.MOVED, A, "tile", Step.DRAWING),
    Row(Step.DRAWING, P, "void", Step.MOVED),
    # a turn, for the others
    Row(Step.WAITING, A, "market", Step.NOTIFIED),
    Row(Step.WAITING, A, "holders", Step.NOTIFIED),
    Row(Step.NOTIFIED, P, "void", Step.WAITING),
    Row(Step.WAITING, A, "dispose", Step.DISPOSING),
    Row(Step.DISPOSING, P, "dispose", Step.WAITING),
    Row(Step.WAITING, A, "keep", Step.KEEPING),
    Row(Step.KEEPING, P, "keep", Step.WAITING),
    # after every turn, to all
    Row(Step.MOVED, A, "state", Step.INFORMED),
    Row(Step.WAITING, A, "state", Step.INFORMED),
    Row(Step.INFORMED, P, "void", Step.WAITING),
    # the end: in the mover's turn, or between turns
    Row(Step.MOVED, A, "market", Step.MOVED_NOTIFIED),
    Row(Step.MOVED_NOTIFIED, P, "void", Step.MOVED),
    Row(Step.MOVED, A, "score", Step.SCORED),
    Row(Step.WAITING, A, "score", Step.SCORED),
    Row(Step.SCORED, P, "void", Step.OVER),
)

TABLE = _with_ejections(_COURSE_ROWS)

DIALECT_TABLE = _with_ejections(_DIALECT_ROWS)

TABLES = {Dialect.COURSE: TABLE, Dialect.FULL: DIALECT_TABLE}


def allowed(step: Step, side: Side, table: Table = TABLE) -> list[str]:
    """List the root elements that ``side`` may send at ``step``.

    >>> allowed(Step.MOVING, Side.PLAYER)
    ['pbuy', 'placement']
    """
    return [row.message for row in table if row.step is step and row.side is side]


def sent_by(side: Side, dialect: Dialect) -> set[str]:
    """Return all root elements that ``side`` sends in a dialect."""
    return {row.message for row in TABLES[dialect] if row.side is side}


_Steps: TypeAlias = dict[tuple[Step, str], Step]


def _by_side(table: Table) -> dict[Side, _Steps]:
    return {
        side: {(row.step, row.message): row.then for row in table if row.side is side}
        for side in Side
    }


_STEPS = {dialect: _by_side(table) for dialect, table in TABLES.items()}
_Exchanges: TypeAlias = dict[tuple[Step, str, str], Step]


def _exchanges(steps: dict[Side, _Steps], asker: Side) -> _Exchanges:
    """Return where each message of ``asker`` and the answer to it lead together."""
    return {
        (step, message, answer): then
        for (step, message), asked in steps[asker].items()
        for (at, answer), then in steps[_OTHER[asker]].items()
        if at is asked
    }


_EXCHANGES = {
    dialect: {side: _exchanges(steps, side) for side in Side} for dialect, steps in _STEPS.items()
}


class Conversation:
    """Where one connection stands, seen from one end.

    Call ``send`` for each message that this end sends, ``receive`` for each one from the peer.

    >>> player = Conversation(Side.PLAYER)
    >>> player.send("signup")
    >>> player.receive("signup", b'<signup name="ann"/>')
    >>> player.expected()
    '<state> or <ejected>'
    >>> print(player.receive("turn", b"<turn/>").detail)
    Received <turn>; expected <state> or <ejected>.
    """

    __slots__ = ("_exchanges", "_received", "_sent", "step")

    def __init__(
        self, side: Side, step: Step = Step.CONNECTED, dialect: Dialect = Dialect.COURSE
    ) -> None:
        self.step = step
        steps = _STEPS[dialect]
        self._sent, self._received = steps[side], steps[_OTHER[side]]
        self._exchanges = _EXCHANGES[dialect][side]

    def send(self, message: str) -> None:
        """Advance after this end sends ``message``; ``LocalProtocolError`` if it may not now."""
        then = self._sent.get((self.step, message))
        if then is None:
            raise LocalProtocolError(f"<{message}> cannot be sent while {self.step.value}")
        self.step = then

    def receive(self, message: str, document: bytes) -> Fault | None:
        """Advance after the peer sent ``message``, or return the fault if it may not now."""
        then = self._received.get((self.step, message))
        if then is None:
            detail = f"Received <{message}>; expected {self.expected()}."
            return Fault(Reason.OUT_OF_TURN, detail, document)
        self.step = then
        return None

    def exchange(self, message: str, answer: str) -> Fault | None:
        """Advance after this end sent ``message`` and received ``answer``, both in this process.

        The result and the error are those of ``receive`` and ``send``.
        """
        then = self._exchanges.get((self.step, message, answer))
        if then is not None:
            self.step = then
            return None
        self.send(message)
        return self.receive(answer, b"")

    def expected(self) -> str:
        """Describe what the peer may send now: ``<pbuy> or <placement>``, or ``nothing``."""
        expected = [f"<{message}>" for step, message in self._received if step is self.step]
        return " or ".join(expected) or NOTHING


NOTHING = "nothing"
"""What is expected of a peer that has not been asked."""


def surplus_fault(expected: str, surplus: bytes, data: bytes) -> Fault:
    """Return the fault of a peer that sent ``surplus`` bytes after what was expected."""
    only = NOTHING if expected == NOTHING else f"only {expected}"
    followed = repr(surplus[:40].decode(errors="backslashreplace"))
    return Fault(
        Reason.OUT_OF_TURN,
        f"Expected {only}, but {followed} followed: send one message when asked, and nothing else.",
        data,
    )
