"""Under a custom rulebook only the cases whose texts are true of it are played."""

from pathlib import Path

import pytest
from command_line import succeed
from hypothesis import given, reject, settings
from test_random_rulebooks import DEFINITIONS

from acquire.admin.testing.cases.catalogue import cases_for
from acquire.admin.testing.judging.case_judge import judge
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.protocol.rulebook_file import read, rulebook_from
from acquire.protocol.settings_file import InvalidSettings
from check.mistakes import STARTER, started
from check.rehearsal import rehearse

CAMPUS = read(Path(__file__).parents[2] / "docs" / "examples" / "campus.toml")


def assert_legal_player_passes(rulebook: Rulebook) -> None:
    for case in cases_for(rulebook):
        if case.section.slug != "matches":
            result = judge(case, rehearse(case.script).trial(case.name), strict=False)
            assert result.verdict is CaseVerdict.PASS, f"{case.id}: {result.actual}"


def test_legal_player_passes_every_case_of_the_example() -> None:
    assert_legal_player_passes(CAMPUS)
    assert len(cases_for(CAMPUS)) > 100


def test_hotels_of_one_tier_leave_cases_that_a_legal_player_passes() -> None:
    """A case that inspects the answers is about the hotels that its drawing has two tiers for."""
    disposal = {"disposal": "keep-or-return", "market_for_two": False}
    hotels = dict.fromkeys("ABCDEFG", "cheap")
    rulebook = rulebook_from({"id": "cheap", "base": "classic", "hotels": hotels, **disposal})
    assert any(case.inspect for case in cases_for(rulebook))
    assert_legal_player_passes(rulebook)


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
        ({"founders_certificates": 2}, "founding/one-left-after-the-free-one"),
        ({"founders_certificates": 0}, "founding/last-certificate-is-free"),
    ],
    ids=str,
)
def test_case_whose_sentence_would_be_false_is_left_out(
    settings: dict[str, object], case: str
) -> None:
    changed = rulebook_from({"id": "changed", **settings})
    assert case in ids(REVISED) - ids(changed)
    assert len(ids(changed)) > 100


COURSE_VARIANT = """
id = "course-variant"
base = "revised"
certificates = 30
hand_size = 7
safe_size = 11
order_limit = 3
bonus_multiples = [10, 5, 3]
[hotels]
Alto = "cheap"
Bravo = "cheap"
Cima = "medium"
Duna = "medium"
Este = "medium"
Faro = "expensive"
Gala = "expensive"
[prices]
cheap = { 0 = 50, 2 = 100, 4 = 200, 10 = 500 }
medium = { 0 = 100, 2 = 200, 4 = 400, 10 = 900 }
expensive = { 0 = 150, 2 = 300, 4 = 600, 10 = 2000 }
"""

HOTELS = """HOTELS = {
    "Alto": "cheap", "Bravo": "cheap", "Cima": "medium", "Duna": "medium", "Este": "medium",
    "Faro": "expensive", "Gala": "expensive",
}
"""
TABLES = """SIZES = (0, 2, 4, 10)
PRICES = {
    "cheap": (50, 100, 200, 500), "medium": (100, 200, 400, 900),
    "expensive": (150, 300, 600, 2000),
}
"""


def test_starter_with_the_tables_of_a_file_passes_the_check(tmp_path: Path) -> None:
    """Its messages are the course's, because the file changes names and numbers only."""
    file, player = tmp_path / "variant.toml", tmp_path / "player.py"
    file.write_text(COURSE_VARIANT)
    text = STARTER.read_text()
    before, _, rest = text.partition("SIZES = (")
    _, columns, rest = rest.partition("COLUMNS, ROWS")
    classes, _, rest = rest.partition("HOTELS = {")
    _, others, rest = rest.partition("CORPORATIONS = {")
    text = "".join([before, TABLES, columns, classes, HOTELS, others, rest])
    text = text.replace("CERTIFICATES = 25", "CERTIFICATES = 30")
    player.write_text(text.replace("True, 8000, 12, 40, 2", "True, 8000, 11, 40, 3"))
    chosen = ["--rulebook", str(file), "--only", "mergers", "--strict"]
    succeed("check", *chosen, *started(player))


def test_cases_can_be_made_for_any_rulebook(soak: bool) -> None:
    @settings(max_examples=300 if soak else 2, deadline=None, derandomize=True, database=None)
    @given(DEFINITIONS)
    def each(definition: dict[str, object]) -> None:
        try:
            rulebook = rulebook_from(definition)
        except InvalidSettings:
            reject()
        assert_legal_player_passes(rulebook)

    each()
