"""What an audit reads, and what it has found, check by check."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ....protocol.user_error import UserError
from ..store.row_chain import Seal, StoredRow


class AuditError(UserError):
    """Something cannot be audited at all; the text is a user-facing message."""


class Source(NamedTuple):
    """What is audited: a store, or the folder of a report."""

    facts: Mapping[str, str]
    seal: Seal
    total: int  # the number of rows
    rows: Iterator[StoredRow]
    whole: bool  # whether all facts are there, and not only the public ones


@dataclass(slots=True)
class Check:
    """One check: what it is about, what was checked, and every finding as a sentence."""

    name: str
    checked: str = ""
    findings: list[str] = field(default_factory=list)
    skipped: str = ""  # why it could not be made, or not for everything

    def find(self, *sentences: str) -> None:
        """Add findings."""
        self.findings += sentences


@dataclass(frozen=True, slots=True)
class Audit:
    """The outcome: everything holds if no check has a finding, and all figures were recomputed."""

    what: str
    key: str  # the public key that has signed
    pinned: bool  # whether the key was known before
    commitments: Sequence[str]  # those to the bags
    checks: Sequence[Check]
    testimony: Sequence[str]  # sentences about what has to be believed
    open: str = ""  # why figures were not recomputed, though nothing contradicts them: a sentence

    @property
    def contradicted(self) -> bool:
        """Whether a check has a finding."""
        return any(check.findings for check in self.checks)

    @property
    def holds(self) -> bool:
        """Whether everything holds; where figures were not recomputed, that is not known."""
        return not self.open and not self.contradicted

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
