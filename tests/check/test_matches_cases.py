"""The cases of whole matches: what happens in them when the player plays as ``ordered``."""

from __future__ import annotations

from functools import cache

import pytest

from admin.check.case import PLAYER, Case
from admin.check.cases.matches import TURNS_PLAYED, cases
from admin.check.judging import Verdict
from admin.match import events
from check.bare_players import GaveUp, check_bare, framed, playing
from check.rehearsal import Rehearsal, rehearse
from game.rulebook import DisposalRule, Rulebook
from game.rulebooks import REVISED, RULEBOOKS
from player.strategies.simple import Ordered
from protocol import messages
from protocol.faults import Reason
from protocol.messages import AdministratorMessage, PlayerMessage

EJECTIONS = "ejections"


@cache
def rehearsals(rulebook: Rulebook) -> dict[str, tuple[Case, Rehearsal]]:
    return {case.slug: (case, rehearse(case.script)) for case in cases(rulebook)}


each_rulebook = pytest.mark.parametrize(
    "rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id
)


@each_rulebook
def test_matches_go_from_the_deal_to_the_score(rulebook: Rulebook) -> None:
    seats = []
    for case, rehearsal in rehearsals(rulebook).values():
        ((position, turns),) = case.script.segments
        assert turns is None and not any(position.board.hotels)
        assert "score" in rehearsal.asked(PLAYER)
        seats.append(len(position.players))
    assert seats == ([2] if rulebook.market_for_two else []) + [3, 4, 6, 4]


@each_rulebook
def test_matches_end_as_the_rules_have_it_unless_half_of_the_players_leave(
    rulebook: Rulebook,
) -> None:
    for slug, (_, rehearsal) in rehearsals(rulebook).items():
        assert rehearsal.outcome.ending.regular or slug == EJECTIONS


@each_rulebook
def test_player_merges_and_is_asked_in_the_mergers_of_others(rulebook: Rulebook) -> None:
    tag = "keep" if rulebook.disposal is DisposalRule.KEEP_OR_RETURN else "dispose"
    for _, rehearsal in rehearsals(rulebook).values():
        assert askers(rehearsal, tag) > {PLAYER}


def askers(rehearsal: Rehearsal, tag: str) -> set[str]:
    """Return whose turn it was when the player was asked so."""
    mover, found = "", set()
    for event in rehearsal.events:
        if isinstance(event, events.TurnBegan):
            mover = event.name
        if isinstance(event, events.Answered) and (event.name, event.question) == (PLAYER, tag):
            found.add(mover)
    return found


@each_rulebook
def test_all_that_is_asked_can_fail_a_match(rulebook: Rulebook) -> None:
    for case, rehearsal in rehearsals(rulebook).values():
        assert rehearsal.asked(PLAYER) == case.about


@each_rulebook
def test_one_leaves_in_a_turn_and_one_in_a_merger(rulebook: Rulebook) -> None:
    _, rehearsal = rehearsals(rulebook)[EJECTIONS]
    left = {event.name: event for event in rehearsal.of(events.Ejected)}
    assert {event.question for event in left.values()} <= {"turn", "keep", "dispose"}
    assert left["ann"].question == "turn" and left["bob"].question != "turn"
    assert len(rehearsal.turns_of("ann")) == TURNS_PLAYED + 1
    table = [event.state for event in rehearsal.of(events.TurnBegan)]
    assert len(table[0].players) == 4 and len(table[-1].players) == 2
    assert sum(len(state.players) == 2 for state in table) > len(table) / 3


@each_rulebook
def test_nobody_else_leaves(rulebook: Rulebook) -> None:
    for slug, (_, rehearsal) in rehearsals(rulebook).items():
        assert slug == EJECTIONS or not rehearsal.of(events.Ejected)


class ExpectingAll(Ordered):
    """Expects the players of the first position in all that follow."""

    table = frozenset[str]()

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        if isinstance(message, messages.State):
            names = frozenset(player.name for player in message.players)
            self.table = self.table or names
            if names != self.table:
                raise GaveUp
        return super().__call__(message)


async def test_who_expects_all_players_to_the_end_fails_where_some_leave() -> None:
    played = list(cases(REVISED))
    results = await check_bare(REVISED, played, playing(REVISED, framed, ExpectingAll))
    verdicts = {slug: result.verdict for slug, result in results.items()}
    assert verdicts.pop(EJECTIONS) is Verdict.FAIL
    assert results[EJECTIONS].ended_by == Reason.DISCONNECTED.value
    assert set(verdicts.values()) == {Verdict.PASS}
