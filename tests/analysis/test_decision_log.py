"""The decisions of the golden games: what was asked, what was legal, where the page shows it."""

from functools import cache
from pathlib import Path

import pytest
from log.played import play_logged
from loops import for_each

from acquire.admin.refereeing.log.reader import RecordedGame, read
from acquire.admin.refereeing.view.frames import Frame, frames_of
from acquire.admin.studying.analysis.decision_log import Decision, DecisionLog, What
from acquire.admin.studying.analysis.words import option_reason
from acquire.admin.testing.trial.game_history import GameHistory
from acquire.game.placement import Placement, legal_placements
from acquire.game.purchase import legal_orders

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
SOME = GOLDEN[::7]
LATER: dict[What, tuple[str, ...]] = {
    What.PLACEMENT: ("placed", "grown", "founded", "merged"),
    What.KEEP: ("returned",),
    What.DISPOSAL: ("sold", "traded"),
    What.ORDER: ("bought",),
    What.END: ("declared",),
}
"""What the page shows when something was chosen, and not left."""


@cache
def recorded(name: str) -> RecordedGame:
    return read(GOLDEN[0].with_name(f"{name}.xml"))


@cache
def decisions(name: str) -> tuple[Decision, ...]:
    return tuple(DecisionLog(recorded(name)).decisions)


def frames(name: str) -> list[Frame]:
    return frames_of(recorded(name))[0]


@for_each("log", SOME, ids=lambda log: log.stem)
def test_a_decision_is_shown_in_its_turn_before_what_was_chosen(log: Path) -> None:
    shown = frames(log.stem)
    for decision in decisions(log.stem):
        assert shown[decision.step]["turn"] == decision.turn
        chosen = decision.options[decision.recorded].text
        if any(word in chosen for word in ("nothing", "keep", "hold", "play on")):
            continue
        after = shown[decision.step + 1]
        assert after["kind"] in LATER[decision.what], (decision.turn, chosen, after["text"])
        if decision.what is What.PLACEMENT:
            assert after["text"].split()[2].strip(".:") == chosen.split(":")[0]


@for_each("log", SOME, ids=lambda log: log.stem)
def test_first_frame_of_every_turn_is_known(log: Path) -> None:
    shown = frames(log.stem)
    for number, (step, _) in DecisionLog(recorded(log.stem)).turns.items():
        assert (shown[step - 1]["turn"], shown[step]["turn"]) == (number - 1, number)


@for_each("log", SOME, ids=lambda log: log.stem)
def test_every_placement_and_order_of_a_finished_turn_is_a_decision(log: Path) -> None:
    by_turn = {(each.turn, each.what): each for each in decisions(log.stem)}
    game = GameHistory(recorded(log.stem))
    for turn, state in [*game.positions.items()][:-1]:
        found = by_turn.get((turn, What.PLACEMENT))
        tiles = {(each.tile, each.hotel) for each in legal_placements(state)}
        if turn in game.left_in.values() or len(tiles) < 2 or "hand-replaced" in log.stem:
            continue
        assert found is not None
        assert found.name == game.movers[turn]
        choices = [option.choice for option in found.options]
        placed = [each for each in choices if isinstance(each, Placement)]
        assert {(each.tile, each.hotel) for each in placed} == tiles


def test_turn_in_which_somebody_is_ejected_cannot_be_given_again() -> None:
    log = DecisionLog(recorded("revised-nobody-left"))
    assert log.done.keys() == log.turns.keys() - {4, 9, 15}


def test_illegal_answer_is_no_decision_of_the_next_turn(tmp_path: Path) -> None:
    """That turn begins as soon as the answer is refused."""
    log = DecisionLog(read(play_logged(tmp_path, seed=4, cheats="ann")))
    assert {each.name for each in log.decisions} == {"bob", "cyd"}
    assert log.done.keys() == log.turns.keys() - {1}


def test_order_after_a_placement_is_chosen_among_all_legal_orders() -> None:
    for decision in decisions("revised-large-hotel"):
        if decision.what is What.ORDER:
            assert len(decision.options) == len(legal_orders(decision.state))


@pytest.mark.parametrize(
    ("log", "what"),
    [
        ("classic-markets-tile-merges", What.DISPOSAL),
        ("classic-large-hotel", What.END),
        ("revised-large-hotel", What.KEEP),
    ],
)
def test_other_decisions_are_found(log: str, what: What) -> None:
    assert any(each.what is what for each in decisions(log))


def test_certificates_that_a_player_does_not_hold_are_no_decision() -> None:
    for decision in decisions("revised-three-way-tie-of-survivors"):
        if decision.what is What.KEEP:
            texts = [option.text for option in decision.options]
            assert len(set(texts)) == len(texts) > 1


def test_reason_names_all_who_tie_for_the_second_place() -> None:
    (decision,) = (
        each
        for each in decisions("classic-all-hotels-safe")
        if each.turn == 7 and each.what is What.ORDER
    )
    found = {option.text: option_reason(decision, n) for n, option in enumerate(decision.options)}
    held = {each.name: each.shares[0] for each in decision.state.players}
    assert sorted(held.values())[-3:] == [3, 3, 4]
    told = "gets no bonus of American yet; ordered-3 holds 4, investor-1 3 and largestalpha-4 3"
    assert found["buy 1 American"] == told


@for_each("log", ["classic-all-hotels-safe", "revised-three-way-tie-of-survivors"])
def test_reason_of_a_disposal_says_what_it_brings(log: str) -> None:
    place = ("investor-1", 31) if log.startswith("classic") else ("random-2", 19)
    (decision,) = (
        each
        for each in decisions(log)
        if (each.name, each.turn) == place and each.what in (What.DISPOSAL, What.KEEP)
    )
    found = {option.text: option_reason(decision, n) for n, option in enumerate(decision.options)}
    expected = {
        "sell 1, trade 2 for 1": "raises $300 and gets 1 Tower, with $6,000 in cash then",
        "hold 1, sell 2": "raises $600 and holds 1 Festival, with $6,300 in cash then",
        "keep Tower, keep Worldwide": "holds 1 Tower and 3 Worldwide, with $10,900 in cash then",
        "keep Tower, return Worldwide": "raises $600 and holds 1 Tower, with $11,500 in cash then",
    }
    told = found.items() & expected.items()
    assert len(told) == 2
