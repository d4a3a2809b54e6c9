"""Under a rulebook of one's own the cases that still say the truth are played."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from test_random_rulebooks import DEFINITIONS

from admin.check.cases.catalogue import cases_for
from admin.check.judging.case_result import CaseVerdict
from admin.check.judging.judge import judge
from check.rehearsal import rehearse
from game.rulebook import Rulebook
from game.rulebooks import CLASSIC, REVISED
from protocol.rulebook_file import InvalidRulebook, read, rulebook_from

CAMPUS = read(Path(__file__).parents[2] / "docs" / "examples" / "campus.toml")


def assert_legal_player_passes(rulebook: Rulebook) -> None:
    for case in cases_for(rulebook):
        if case.section.slug != "matches":
            result = judge(case, rehearse(case.script).trial(case.name), None, strict=False)
            assert result.verdict is CaseVerdict.PASS, f"{case.id}: {result.actual}"


def test_legal_player_passes_every_case_of_the_example() -> None:
    assert_legal_player_passes(CAMPUS)
    assert len(cases_for(CAMPUS)) > 100


def ids(rulebook: Rulebook) -> set[str]:
    return {case.id for case in cases_for(rulebook)}


@pytest.mark.parametrize("base", [REVISED, CLASSIC], ids=["revised", "classic"])
def test_rulebook_that_changes_no_more_than_its_name_has_all_cases(base: Rulebook) -> None:
    assert ids(rulebook_from({"id": "same", "base": base.id})) == ids(base)


@pytest.mark.parametrize(
    ("settings", "case"),
    [
        ({"order_limit": 3}, "buying/limit"),
        ({"certificates": 40}, "disposal/all-certificates"),
        ({"safe_size": 20}, "mergers/safe"),
        ({"prices": {"cheap": {"2": 100}}}, "buying/price-600"),
    ],
    ids=str,
)
def test_case_whose_sentence_would_be_false_is_left_out(
    settings: dict[str, object], case: str
) -> None:
    changed = rulebook_from({"id": "changed", **settings})
    assert case in ids(REVISED) - ids(changed)
    assert len(ids(changed)) > 100


def test_cases_can_be_made_for_any_rulebook(soak: bool) -> None:
    @settings(max_examples=300 if soak else 10, deadline=None, derandomize=True, database=None)
    @given(DEFINITIONS)
    def each(definition: dict[str, object]) -> None:
        try:
            rulebook = rulebook_from(definition)
        except InvalidRulebook:
            reject()
        assert_legal_player_passes(rulebook)

    each()
