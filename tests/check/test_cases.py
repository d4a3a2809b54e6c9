"""All cases under all rulebooks: their texts, their positions, and that legal players pass them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from virtual_time import Players, PlayerSocket

from acquire.admin.refereeing.view.plain_text import printable
from acquire.admin.testing.cases.case import Case, CaseSource
from acquire.admin.testing.cases.catalogue import saved_cases
from acquire.admin.testing.cases.position_text import impossible
from acquire.admin.testing.judging.case_judge import judge
from acquire.admin.testing.judging.check_result import CaseResult, CaseVerdict
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.tiles import TILES, tiles_in
from acquire.player.program.client import Client
from acquire.player.strategies.investor import Investor
from acquire.player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti
from acquire.player.strategies.strategy import Strategy
from acquire.protocol.player_names import MAX_NAME, free_name
from check.rehearsal import EVERY, all_cases, every_rulebook, rehearsals, rehearse, under
from check.thread_players import check

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
    assert sum(sizes.values()) == 155


SIZES = {
    "sign-up": 5,
    "framing": 13,
    "set-up": 8,
    "turn": 12,
    "founding": 15,
    "growth": 6,
    "mergers": 17,
    "disposal": 13,
    "buying": 25,
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


# -- legal players ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rulebook",
    [
        pytest.param(
            rulebook,
            id=rulebook.id,
            marks=() if rulebook in (REVISED, CLASSIC) else pytest.mark.soak,
        )
        for rulebook in EVERY
    ],
)
def test_legal_players_pass_every_case(rulebook: Rulebook) -> None:
    """Without a connection. Whole games are long: they have tests of their own, and the soak."""
    for case in shorter_cases(rulebook):
        for rehearsal in rehearsals(rulebook, case.id):
            assert_passed(judge(case, rehearsal.trial(case.name), None, strict=False))


def shorter_cases(rulebook: Rulebook) -> list[Case]:
    return [case for case in all_cases(rulebook) if case.section.slug != "matches"]


def assert_passed(result: CaseResult) -> None:
    shown = f"{result.case.id}: {result.actual} {result.warnings}"
    assert result.verdict is CaseVerdict.PASS, shown


@pytest.mark.parametrize(
    "rulebook",
    [
        pytest.param(
            rulebook,
            id=rulebook.id,
            marks=() if rulebook in (REVISED, CLASSIC) else pytest.mark.soak,
        )
        for rulebook in EVERY
    ],
)
def test_investor_passes_every_case_with_the_name_it_is_given(rulebook: Rulebook) -> None:
    for case in shorter_cases(rulebook):
        taken = [name for name in case.script.seats if name != case.script.subject]
        name = free_name(case.name, taken)
        assert 0 < len(name) <= MAX_NAME and name not in taken, case.id
        script = case.script.with_subject_named(name)
        result = rehearse(script, Investor(rulebook, 1)).trial(case.name)
        assert_passed(judge(case, result, None, strict=False))


BUILT_IN: dict[str, Callable[[Rulebook, int], Strategy]] = {
    "ordered": Ordered,
    "random": Random,
    "largest-alpha": LargestAlpha,
    "smallest-anti": SmallestAnti,
    "investor": Investor,
}


@pytest.mark.soak
@pytest.mark.parametrize("strategy", BUILT_IN)
@every_rulebook
async def test_built_in_players_pass_every_case_at_a_connection(
    rulebook: Rulebook, strategy: str, players: Players
) -> None:
    def play(connection: PlayerSocket, name: str) -> None:
        Client(connection).play(name, lambda played: BUILT_IN[strategy](played, 1))

    for result in await check(all_cases(rulebook), play, players, strict=True):
        assert_passed(result)
