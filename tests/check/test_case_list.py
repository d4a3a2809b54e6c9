"""Legal players in all cases: what they are asked, as text, and that they pass.

A case can only change with its line there.

``cases.txt`` has it; ``PYTHONPATH=tests python tests/check/test_case_list.py`` writes it again.
Below cases of which all is the same, it has what a player is asked and how the game ends, what each
tile of its hand does when it moves, and what it can buy, in the first two turns. "on A6 +2" is a
board with a hotel of six tiles and two loose ones; hotels are the letters of drawings. What is not
so under all rulebooks of a case begins with those of which it is true; "elsewhere" is under all but
`revised`.
"""

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

import pytest
from virtual_time import Players, PlayerSocket

from acquire.admin.refereeing.play import events
from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.cases.position_text import hotels
from acquire.admin.testing.judging.case_judge import judge
from acquire.admin.testing.judging.check_result import CaseResult, CaseVerdict
from acquire.game.board import Board
from acquire.game.placement import Kind, Placement, kind_of, legal_placements, verify_placement
from acquire.game.purchase import legal_orders
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import State
from acquire.game.tiles import Tile, tile_name, tiles_in
from acquire.game.violation import Violation
from acquire.player.program.client import Client
from acquire.player.strategies.investor import Investor
from acquire.player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.messages import TAGS, RefereeMessage
from acquire.protocol.player_names import MAX_NAME, free_name
from check.rehearsal import (
    EVERY,
    Rehearsal,
    all_cases,
    every_rulebook,
    orders,
    rehearsals,
    rehearse,
    section_of,
)
from check.thread_players import check

FILE = Path(__file__).with_name("cases.txt")
ALL = [rulebook.id for rulebook in EVERY]
ELSEWHERE = ALL[1:]
OF_NAMING = {Violation.NO_HOTEL_NAMED, Violation.HOTEL_NOT_DUE, Violation.NOT_LARGEST}
"""What is wrong with a tile only because of the hotel that is named with it."""


def listed() -> str:
    """All cases but whole games, which are long."""
    having: dict[str, list[str]] = {}
    true_of: dict[str, dict[str, list[str]]] = {}
    for section in {case.section: None for rulebook in EVERY for case in all_cases(rulebook)}:
        for rulebook in EVERY if section.slug != "matches" else ():
            for case in section_of(rulebook, section.slug).values():
                title = f"{case.id} about {' '.join(sorted(case.tested))}"
                if case.must_answer is not None:
                    title += f" needs {' '.join(sorted(case.must_answer))}"
                having.setdefault(title, []).append(rulebook.id)
                known = true_of.setdefault(title, {})
                for fact in dict.fromkeys(facts(case)):
                    known.setdefault(fact, []).append(rulebook.id)
    lines: list[str] = []
    for (under, known), cases in groupby(true_of, lambda title: (having[title], true_of[title])):
        lines += [f"{case}{f' ({in_words(under)})' if under != ALL else ''}" for case in cases]
        lines += [
            f"  {f'{in_words(some)}: ' if some != under else ''}{fact}"
            for fact, some in known.items()
        ]
    return "\n".join([*lines, ""])


def in_words(rulebooks: list[str]) -> str:
    return "elsewhere" if rulebooks == ELSEWHERE else " ".join(rulebooks)


def facts(case: Case) -> Iterator[str]:
    """What legal players meet in a case."""
    letters = {index: letter for letter, index in hotels(case.script.rulebook).items()}
    played = rehearsals(case.script.rulebook, case.id)
    for each in played:
        asked = ", ".join(in_short(message, letters, each) for message in each.messages)
        gone = "".join(f", without {left.name}" for left in each.of(events.Ejected))
        yield f"{asked}: {each.outcome.ending.value}{gone}"
    for state in played[0].turns_of(played[0].subject)[:2]:
        yield placing(state, letters)
        yield buying(state, letters)


def in_short(message: RefereeMessage, letters: dict[int, str], played: Rehearsal) -> str:
    """A question, and what it is about."""
    tag = TAGS[type(message)]
    match message:
        case messages.NewTile(tile):
            return f"{tag} {tile_name(tile)}"
        case messages.MarketMerger(tile, view):
            return f"{tag} {tile_name(tile)} of {beside(view.board, tile, letters)}"
        case messages.Keep(acquired):
            return f"{tag} {''.join(letters[hotel] for hotel in acquired)}"
        case messages.Dispose(hotel, price, survivor, view):
            (own,) = [each for each in view.players if each.name == played.subject]
            assert own.shares is not None
            acquired_ones = f"{own.shares[hotel]} {letters[hotel]} at ${price}"
            return f"{tag} {acquired_ones} for {view.bank[survivor]} {letters[survivor]}"
        case messages.Holders(hotel, counts):
            return f"{tag} {letters[hotel]} {len(counts)}"
        case messages.MarketTile(hotel, drawn, count):
            return f"{tag} {letters[hotel]} {'' if drawn is None else tile_name(drawn)} {count}"
        case messages.State(_, players) | messages.Turn(_, players):
            return f"{tag} {len(players)}"
        case messages.StateView(view) | messages.TurnView(view):
            return f"{tag} {len(view.players)}"
    return tag


def placing(state: State, letters: dict[int, str]) -> str:
    """What each tile of the mover's hand does."""
    by_deed = groupby(tiles_in(state.mover.hand), lambda tile: deed(state, tile, letters))
    return "; ".join(f"{' '.join(map(tile_name, tiles))} {what}" for what, tiles in by_deed)


def deed(state: State, tile: Tile, letters: dict[int, str]) -> str:
    """What a tile does, or why it cannot be placed."""
    touched, around = state.board.touched(tile), beside(state.board, tile, letters)
    legal = [each for each in legal_placements(state) if each.tile == tile]
    if not legal:
        tried = [verify_placement(state, Placement(tile, hotel)) for hotel in (None, *touched)]
        why = {illegal.violation for illegal in tried if illegal is not None} - OF_NAMING
        return f"beside {around or 'a tile'}: {' '.join(sorted(each.value for each in why))}"
    named = "".join(sorted({letters[each.hotel] for each in legal if each.hotel is not None}))
    match kind_of(state.board, tile):
        case Kind.SINGLETON:
            return "stays loose"
        case Kind.FOUNDING:
            return f"founds {named}"
        case Kind.GROWING:
            return f"grows {around}"
        case Kind.MERGING:
            return f"merges {around} into {named}"


def beside(board: Board, tile: Tile, letters: dict[int, str]) -> str:
    """The hotels that a tile touches, with their sizes."""
    return " ".join(sorted(f"{letters[hotel]}{board.size(hotel)}" for hotel in board.touched(tile)))


def buying(state: State, letters: dict[int, str]) -> str:
    """What is on the board, and how many certificates the mover can buy, of each and together."""
    legal = orders(state) or {*legal_orders(state)}
    most = {letters[hotel]: max(order.count(hotel) for order in legal) for hotel in letters}
    bought = " ".join(f"{letter}{count}" for letter, count in sorted(most.items()) if count)
    board = sorted(
        f"{letters[hotel]}{size}" for hotel, size in enumerate(state.board.sizes) if size
    )
    here = " ".join([*board, f"+{state.board.loose.bit_count()}"])
    return f"on {here}: ${state.mover.cash} buys {max(map(len, legal))} of {bought or 'nothing'}"


def test_cases_are_as_listed() -> None:
    assert listed() == FILE.read_text(encoding="utf-8")


# -- that they pass -----------------------------------------------------------------------------


@every_rulebook
def test_legal_players_pass_every_case(rulebook: Rulebook) -> None:
    """Without a connection. Whole games are long: they have tests of their own, and the soak."""
    for case in shorter_cases(rulebook):
        for rehearsal in rehearsals(rulebook, case.id):
            assert_passed(judge(case, rehearsal.trial(case.name), strict=False))


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
        assert_passed(judge(case, result, strict=False))


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


if __name__ == "__main__":
    FILE.write_text(listed(), encoding="utf-8")
