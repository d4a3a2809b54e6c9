"""What an audit reads row by row, and what it has found, check by check."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ....protocol.user_error import UserError
from ..store.row_chain import LinkedRow


class AuditError(UserError):
    """Something cannot be audited at all; the text is a user-facing message."""


class AuditedRow(NamedTuple):
    """A row, its log if there is one, its outputs, and its files that are not the store's."""

    row: LinkedRow
    log: bytes | None
    outputs: Mapping[str, bytes]
    other: Sequence[str] = ()


class Source(NamedTuple):
    """What is audited: a store with all facts (``whole``), or a report with the public ones."""

    facts: Mapping[str, str]
    key: str
    head: str
    signature: str
    total: int
    rows: Iterator[AuditedRow]
    whole: bool


@dataclass(slots=True)
class Check:
    """One check: what was checked, all findings as sentences, and why it was ``skipped``, if so."""

    name: str
    checked: str = ""
    findings: list[str] = field(default_factory=list)
    skipped: str = ""

    def find(self, *sentences: str) -> None:
        """Add findings."""
        self.findings += sentences


@dataclass(frozen=True, slots=True)
class Audit:
    """The outcome; ``pinned`` if the key was known before, ``testimony`` has to be believed."""

    what: str
    key: str
    pinned: bool
    commitments: Sequence[str]
    checks: Sequence[Check]
    testimony: Sequence[str]

    @property
    def holds(self) -> bool:
        """Whether everything holds."""
        return not any(check.findings for check in self.checks)

    def fields(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "audited": self.what,
            "holds": self.holds,
            "key": self.key,
            "key_known": self.pinned,
            "commitments": list(self.commitments),
            "checks": [
                {
                    "check": check.name,
                    "checked": check.checked,
                    "holds": not check.findings,
                    "findings": check.findings,
                    "not_checked": check.skipped,
                }
                for check in self.checks
            ],
            "testimony": list(self.testimony),
        }
