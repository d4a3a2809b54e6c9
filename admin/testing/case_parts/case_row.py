"""A row of the catalogue: a case as it is written down, which a rulebook completes.

Words in braces are explained where they are put in: ``position_text.Words``.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields
from enum import Enum
from typing import TypeAlias

from ....game.rulebook import DisposalRule, Rulebook
from .case import Case, CaseFacts, CaseSection, CaseSource
from .position_text import Words
from .scenario import Scenario

SourceOfRule: TypeAlias = CaseSource | Callable[[Rulebook], CaseSource]
"""Where a rule is written; where the wording depends on the rulebook, a function of it."""
Condition: TypeAlias = Enum | Callable[[Rulebook], bool]
"""Which rulebooks have a case: those with this choice, such as ``Hands.HIDDEN``."""


def is_met(condition: Condition, rulebook: Rulebook) -> bool:
    """Whether a rulebook has a choice, or meets another condition."""
    if isinstance(condition, Enum):
        return any(getattr(rulebook, field.name) is condition for field in fields(rulebook))
    return condition(rulebook)


def in_every_rulebook(_rulebook: Rulebook) -> bool:
    """Return true: the condition of most cases."""
    return True


@dataclass(frozen=True, slots=True)
class CaseRow(CaseFacts):
    """A case under any rulebook that meets the condition ``when``.

    Of a scenario of one turn, the position is enough. ``tested`` and ``must_answer`` are as in a
    case, in one text; of them, those count that the rulebook asks at all.
    """

    source: SourceOfRule
    scenario: Scenario | str
    _: KW_ONLY
    tested: str = "turn"
    must_answer: str | None = None
    when: Condition = in_every_rulebook

    def under(self, rulebook: Rulebook, section: CaseSection) -> Case:
        """Return the case under a rulebook."""
        words = Words(rulebook)
        facts = {field.name: getattr(self, field.name) for field in fields(CaseFacts)}
        for text in ("title", "expected", "hint", "name"):
            facts[text] = facts[text].format_map(words)
        scenario = self.scenario
        script = (Scenario(scenario) if isinstance(scenario, str) else scenario).script(rulebook)
        required = self.must_answer
        return Case(
            **facts,
            section=section,
            source=self.source(rulebook) if callable(self.source) else self.source,
            tested=_asked(self.tested, script.rulebook),
            must_answer=None if required is None else _asked(required, script.rulebook),
            script=script,
        )


def _asked(questions: str, rulebook: Rulebook) -> frozenset[str]:
    """Return which of some questions about mergers, or about anything else, a rulebook asks."""
    keeps = rulebook.disposal is DisposalRule.KEEP_OR_RETURN
    never = {"dispose", "holders"} if keeps else {"keep"}
    if not rulebook.assets.hides_certificates:
        never.add("holders")
    return frozenset(questions.split()) - never
