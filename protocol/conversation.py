"""Who may say what, and when: the conversation of one connection as one literal table.

Both sides walk the same table, so one place decides who is to blame: a peer that leaves the table
is out of turn (a :class:`~protocol.faults.Fault`); a program that leaves it by itself is mistaken
(:class:`~protocol.faults.Misspoken`). :func:`diagram` draws the table for the documentation.
"""

from enum import Enum
from typing import NamedTuple

from protocol.faults import Fault, Misspoken, Reason


class Side(Enum):
    """The two ends of a connection."""

    ADMINISTRATOR = "A"
    PLAYER = "P"


class Step(Enum):
    """Where a connection stands."""

    CONNECTED = "connected"
    SIGNED_UP = "signed up"
    SEATED = "seated"
    WAITING = "waiting"
    MOVING = "moving"
    MERGING = "merging"
    KEEPING = "keeping"
    ORDERING = "ordering"
    MOVER_KEEPING = "mover keeping"
    MERGED = "merged"
    MOVED = "moved"
    DRAWING = "drawing"
    INFORMED = "informed"
    SCORED = "scored"
    OVER = "over"

    __hash__ = object.__hash__  # Enum's own hashes the name, in Python, for every message


class Row(NamedTuple):
    """At ``step``, ``side`` may say ``message`` (a root element), and ``then`` is the next step."""

    step: Step
    side: Side
    message: str
    then: Step


A, P = Side.ADMINISTRATOR, Side.PLAYER

TABLE: tuple[Row, ...] = (
    # sign-up
    Row(Step.CONNECTED, P, "signup", Step.SIGNED_UP),
    Row(Step.SIGNED_UP, A, "signup", Step.SEATED),
    # set-up
    Row(Step.SEATED, A, "state", Step.INFORMED),
    # a turn, as the mover sees it
    Row(Step.WAITING, A, "turn", Step.MOVING),
    Row(Step.MOVING, P, "pbuy", Step.MOVED),
    Row(Step.MOVING, P, "placement", Step.MERGING),
    Row(Step.MERGING, A, "keep", Step.MOVER_KEEPING),
    Row(Step.MOVER_KEEPING, P, "keep", Step.MERGED),
    Row(Step.MERGED, A, "players", Step.ORDERING),
    Row(Step.ORDERING, P, "order", Step.MOVED),
    Row(Step.MOVED, A, "tile", Step.DRAWING),
    Row(Step.DRAWING, P, "void", Step.WAITING),
    # a turn, as the others see it
    Row(Step.WAITING, A, "keep", Step.KEEPING),
    Row(Step.KEEPING, P, "keep", Step.WAITING),
    # after every turn, to all
    Row(Step.WAITING, A, "state", Step.INFORMED),
    Row(Step.INFORMED, P, "void", Step.WAITING),
    # the end; from MOVED when no tile was left to hand back
    Row(Step.WAITING, A, "score", Step.SCORED),
    Row(Step.MOVED, A, "score", Step.SCORED),
    Row(Step.SCORED, P, "void", Step.OVER),
    # an ejection, whenever the player is to blame; the others may lose a seat or a match
    *(Row(step, A, "ejected", Step.OVER) for step in Step if step is not Step.OVER),
)


def allowed(step: Step, side: Side) -> list[str]:
    """List the root elements that ``side`` may say at ``step``."""
    return [row.message for row in TABLE if row.step is step and row.side is side]


_BY_SIDE = {
    side: {(row.step, row.message): row.then for row in TABLE if row.side is side} for side in Side
}
_TABLES = {A: (_BY_SIDE[A], _BY_SIDE[P]), P: (_BY_SIDE[P], _BY_SIDE[A])}
"""For each side what it says and what it hears."""


class Conversation:
    """Where one connection stands, seen from one end.

    ``say`` is for what this end says, ``hear`` for what the peer said.
    """

    __slots__ = ("_heard", "_said", "step")

    def __init__(self, side: Side, step: Step = Step.CONNECTED) -> None:
        self.step = step
        self._said, self._heard = _TABLES[side]

    @classmethod
    def of_administrator(cls, step: Step = Step.CONNECTED) -> "Conversation":
        """Stand at the administrator's end."""
        return cls(Side.ADMINISTRATOR, step)

    @classmethod
    def of_player(cls) -> "Conversation":
        """Stand at the player's end."""
        return cls(Side.PLAYER)

    def say(self, message: str) -> None:
        """Go on after this end says ``message``; ``Misspoken`` when it may not."""
        then = self._said.get((self.step, message))
        if then is None:
            raise Misspoken(f"<{message}> cannot be said while {self.step.value}")
        self.step = then

    def hear(self, message: str, document: bytes) -> Fault | None:
        """Go on after the peer said ``message``, or return why it may not be said now."""
        then = self._heard.get((self.step, message))
        if then is None:
            return Fault(Reason.OUT_OF_TURN, f"<{message}> came, due was {self.due()}.", document)
        self.step = then
        return None

    def due(self) -> str:
        """Say in words what the peer is to say now."""
        due = [f"<{said}>" for step, said in self._heard if step is self.step]
        return " or ".join(due) or "nothing"


def spoke_ahead(expected: str, surplus: bytes, data: bytes) -> Fault:
    """Return the fault of a peer that sent more than ``expected``, which is in words."""
    return Fault(
        Reason.OUT_OF_TURN,
        f"{expected} was due, and {surplus[:40].decode(errors='backslashreplace')!r} came "
        "beyond it: say one message when asked, and nothing else.",
        data,
    )


def diagram() -> str:
    """Draw the table as a Mermaid state diagram; ejections, possible everywhere, are left out."""
    lines = ["stateDiagram-v2", "    [*] --> connected"]
    for row in TABLE:
        if row.message != "ejected":
            start, end = (step.value.replace(" ", "_") for step in (row.step, row.then))
            lines.append(f"    {start} --> {end} : {row.side.value}> {row.message}")
    lines.append("    over --> [*]")
    return "\n".join(lines) + "\n"
