"""All cases under all rulebooks: their texts and their positions."""

import re
from functools import cache
from pathlib import Path

import pytest

from acquire.admin.refereeing.view.plain_text import printable
from acquire.admin.testing.cases.case import CaseSource
from acquire.admin.testing.cases.catalogue import saved_cases
from acquire.admin.testing.cases.position_text import impossible
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CORPORATIONS, REVISED
from acquire.game.tiles import TILES, tiles_in
from check.rehearsal import EVERY, all_cases, every_rulebook, under

PROTOCOL = Path(__file__).parents[2] / "docs" / "reference" / "protocol.md"
GOLDEN = Path(__file__).parents[1] / "golden"


# -- texts --------------------------------------------------------------------------------------


@cache
def protocol_sections() -> dict[str, str]:
    """The protocol page by heading, white space normalised."""
    parts = re.split(r"^#+ (.*)$", PROTOCOL.read_text(), flags=re.MULTILINE)
    return {
        heading.strip(): " ".join(text.split())
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def is_quoted(source: CaseSource) -> bool:
    return " ".join(source.words.split()) in protocol_sections()[source.heading]


@under((*EVERY, with_hidden_assets(CORPORATIONS)))
def test_sources_quote_the_protocol_page(rulebook: Rulebook) -> None:
    assert [case.id for case in all_cases(rulebook) if not is_quoted(case.source)] == []


@pytest.mark.parametrize(
    ("log", "seat"), [("revised-nobody-left", "random-1"), ("classic-turn-undone", "random-1")]
)
def test_sources_of_saved_cases_quote_the_protocol_page(log: str, seat: str) -> None:
    assert is_quoted(saved_cases([GOLDEN / f"{log}.xml"], seat)[0].source)


@every_rulebook
def test_texts_are_whole_sentences(rulebook: Rulebook) -> None:
    for case in all_cases(rulebook):
        assert not case.title[0].islower() and not case.title.endswith("."), case.id
        assert not case.expected[0].islower() and case.hint[0].islower(), case.id
        for text in (case.expected, case.hint):
            assert text.endswith("."), case.id
            assert "  " not in text and "{" not in text and printable(text) == text, case.id
        assert re.match(r"((not|never) )?[a-z]+ing ", case.hint), (
            f"{case.id}: a common bug here is {case.hint}"
        )
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", case.slug), case.id


@every_rulebook
def test_ids_numbers_and_titles_are_unique(rulebook: Rulebook) -> None:
    cases = all_cases(rulebook)
    assert len({case.id for case in cases}) == len(cases)
    assert len({case.number for case in cases}) == len(cases)
    assert len({(case.section, case.title) for case in cases}) == len(cases)


def test_catalogue_keeps_its_sections_and_their_sizes() -> None:
    """Numbers of cases are public: reports and scripts of courses refer to them."""
    sizes: dict[str, int] = {}
    for case in all_cases(REVISED):
        sizes[case.section.slug] = sizes.get(case.section.slug, 0) + 1
    assert sizes == SIZES
    assert sum(sizes.values()) == 156


SIZES = {
    "sign-up": 5,
    "framing": 13,
    "set-up": 8,
    "turn": 12,
    "founding": 15,
    "growth": 6,
    "mergers": 17,
    "disposal": 13,
    "buying": 26,
    "full-boards": 5,
    "names": 10,
    "end": 16,
    "clocks": 6,
    "matches": 4,
}


@every_rulebook
def test_something_is_tested_and_has_to_be_answered(rulebook: Rulebook) -> None:
    for case in all_cases(rulebook):
        assert case.tested, case.id
        assert case.required or case.tested == {"signup"}, case.id


# -- positions ----------------------------------------------------------------------------------


@every_rulebook
def test_positions_could_occur_in_a_game(rulebook: Rulebook) -> None:
    for case in all_cases(rulebook):
        for position, _ in case.script.segments:
            assert impossible(position) == [] and min(position.bank) >= 0, case.id
            for tile in tiles_in(position.aside):
                beside = map(position.board.size, position.board.touched(tile))
                assert max(beside) >= rulebook.safe_size, "only there it is set aside"
            hands = sum(player.hand for player in position.players)
            somewhere = (hands | position.board.occupied | position.aside).bit_count()
            assert len(position.bag) + somewhere == len(TILES), case.id
