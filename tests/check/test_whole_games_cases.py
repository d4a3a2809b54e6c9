"""The cases of whole games: what happens in them when the player plays as ``ordered``."""

from acquire.admin.refereeing.play import events
from acquire.admin.testing.cases.case import PLAYER
from acquire.admin.testing.judging.case_judge import judge
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.rulebook import DisposalRule, Rulebook
from check.rehearsal import Rehearsal, every_rulebook, rehearsals, section_of

EJECTIONS = "ejections"


def games(rulebook: Rulebook) -> dict[str, Rehearsal]:
    """The games by slug."""
    return {slug: rehearsals(rulebook, f"matches/{slug}")[0] for slug in cases(rulebook)}


def cases(rulebook: Rulebook) -> list[str]:
    return list(section_of(rulebook, "matches"))


@every_rulebook
def test_games_go_from_the_deal_to_the_score_and_are_passed(rulebook: Rulebook) -> None:
    seats = []
    for slug, case in section_of(rulebook, "matches").items():
        ((position, turns),) = case.script.segments
        assert turns is None and not any(position.board.hotels), slug
        played = games(rulebook)[slug]
        assert "score" in played.questions, slug
        assert judge(case, played.trial(case.name), strict=False).verdict is CaseVerdict.PASS
        seats.append(len(position.players))
    assert seats == ([2] if rulebook.market_for_two else []) + [3, 4, 6, 4]


@every_rulebook
def test_games_end_by_the_rules_unless_half_of_the_players_leave(rulebook: Rulebook) -> None:
    for slug, played in games(rulebook).items():
        if slug != EJECTIONS:
            assert played.outcome.ending.regular, slug
            assert not played.of(events.Ejected), slug


@every_rulebook
def test_player_merges_and_is_asked_in_mergers_of_opponents(rulebook: Rulebook) -> None:
    tag = "keep" if rulebook.disposal is DisposalRule.KEEP_OR_RETURN else "dispose"
    for slug, played in games(rulebook).items():
        assert played.askers(tag) > {PLAYER}, slug


@every_rulebook
def test_all_questions_of_a_game_are_tested(rulebook: Rulebook) -> None:
    for slug, case in section_of(rulebook, "matches").items():
        assert set(games(rulebook)[slug].questions) == case.tested, slug


@every_rulebook
def test_one_opponent_leaves_in_a_turn_and_one_in_a_merger(rulebook: Rulebook) -> None:
    played = games(rulebook)[EJECTIONS]
    left = {event.name: event for event in played.of(events.Ejected)}
    assert {event.question for event in left.values()} <= {"turn", "keep", "dispose"}
    assert left["ann"].question == "turn" and left["bob"].question != "turn"
    assert len(played.turns_of("ann")) == 6  # it leaves after 5
    table = [event.state for event in played.of(events.TurnBegan)]
    assert len(table[0].players) == 4 and len(table[-1].players) == 2
    assert sum(len(state.players) == 2 for state in table) > len(table) / 3
