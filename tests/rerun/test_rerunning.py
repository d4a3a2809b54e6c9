"""Reruns and shrinking in virtual time: what is compared, and which turns are needed."""

from collections.abc import Sequence

from rich.console import Console
from virtual_time import Players

from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.testing.trial.game_history import GameHistory
from acquire.admin.testing.trial.player_source import PlayerNotConnected
from acquire.admin.testing.trial.rerunning import (
    MAX_NOT_CONNECTED,
    Failure,
    RerunResult,
    Shrinker,
    draw_rerun,
    rerun,
)
from acquire.game.violation import Violation
from acquire.protocol.faults import Reason
from check.mistakes import STARTER, edited
from check.thread_players import ThreadSource
from rerun.failing_game import BROKEN, FIXED, LEFT_IN, failing_game, in_virtual_time, player

CLOCKS = Clocks.for_seats(4)
SAFE_MERGER = Failure(Violation.SAFE_MERGER, "turn")

MUTE = edited(
    STARTER,
    ('            case "state" | "tile"', '            case "state":\n                pass\n'
     '            case "tile"')
)  # fmt: skip
SILENT_LATER = edited(
    STARTER,
    ('            case "turn":\n', '            case "turn" if len(read_board(message)) > 30:\n'
     '                pass\n            case "turn":\n')
)  # fmt: skip
CRASHES_AFTER_TWO_TURNS = edited(
    STARTER,
    ("    board: Board = {}", "    sizes = set()\n    board: Board = {}"),
    ('            case "turn":\n', '            case "turn":\n'
     "                sizes.add(len(read_board(message)) // 25)\n"
     '                if len(sizes) > 1: raise NoScoreError("confused")\n'),
)  # fmt: skip
FAILS_TWICE = edited(
    STARTER,
    ("    board: Board = {}", "    turns, seen = 0, 4\n    board: Board = {}"),
    ('            case "turn":\n', '            case "turn":\n'
     "                turns, there = turns + 1, sorted(read_board(message))\n"
     "                jumped, seen = len(there) > seen + 5, len(there)\n"
     "                if turns == 4 or jumped:\n"
     "                    tile = there[-1 if jumped else 0]\n"
     "                    tile = f'<tile column=\"{tile[:-1]}\" row=\"{tile[-1]}\"/>'\n"
     "                    placed = f'<placement>{tile}</placement>'\n"
     "                    send(connection, f'<pbuy>{placed}<order/></pbuy>')\n"
     "                    continue\n"),
)  # fmt: skip
"""Places a tile that it does not hold in its fourth turn, and another one if a turn is left out."""
NAMES_A_HOTEL = edited(STARTER, ('in ("found", "merge")', '!= "alone"'))


def history() -> GameHistory:
    return failing_game().history


def run(source: str, first: int = 1) -> RerunResult:
    """Rerun the failing game with a player, from a turn on."""
    turns = [turn for turn in history().turns_of("alice") if turn >= first]

    async def main(players: Players) -> RerunResult:
        connected = ThreadSource(player(source), players)
        return await rerun(history(), "alice", turns, connected, CLOCKS)

    return in_virtual_time(main)


def drawn(result: RerunResult) -> str:
    console = Console(width=120, record=True, quiet=True)
    with console.capture() as capture:
        console.quiet = False
        console.print(draw_rerun(result))
    return capture.get()


# -- rerun --------------------------------------------------------------------------------------


def test_same_player_gives_the_same_answers_up_to_its_ejection() -> None:
    result = run(BROKEN)
    assert result.agrees and len(result.comparisons) > 60
    assert Failure.in_trial(result.trial) == SAFE_MERGER
    output = drawn(result)
    assert f"All {len(result.comparisons)} answers agree with the recorded game." in output
    assert output.count(f"in turn {LEFT_IN}") == 1 and "safe-merger" in output


def test_fixed_player_differs_first_where_the_broken_one_was_ejected() -> None:
    result = run(FIXED)
    assert not result.agrees
    (differing,) = result.differing
    assert (differing.turn, differing.question) == (LEFT_IN, "turn")
    output = drawn(result)
    assert f"First different answer: in turn {LEFT_IN}, to <turn>" in output
    assert "recorded  <placement>" in output and "now       <pbuy>" in output
    assert "now it was not ejected" in output and "has not seen" not in output


def test_player_that_has_not_seen_earlier_turns_is_not_said_to_be_mended() -> None:
    output = drawn(run(FIXED, first=LEFT_IN))
    assert "now it was not ejected" in output
    assert f"It has not seen the turns before turn {LEFT_IN}" in output and "--whole" in output


def test_rerun_can_begin_with_the_last_turn() -> None:
    result = run(BROKEN, first=LEFT_IN)
    assert result.agrees
    assert [(each.turn, each.question) for each in result.comparisons] == [(LEFT_IN, "turn")]
    assert "The only answer agrees with the recorded game." in drawn(result)


def test_new_illegal_answer_is_explained() -> None:
    result = run(NAMES_A_HOTEL)
    assert not result.agrees
    failure = Failure.in_trial(result.trial)
    assert failure is not None and failure.rule is Violation.HOTEL_NOT_DUE
    assert result.trial.ejected is not None
    assert result.trial.ejected.detail in " ".join(drawn(result).split())


def test_rerun_without_comparisons_does_not_agree() -> None:
    result = run(MUTE, first=20)
    assert result.comparisons == () and not result.agrees
    output = drawn(result)
    assert "No answers could be compared." in output and "timed-out" in output


def test_turn_without_an_answer_is_not_rerun() -> None:
    text = failing_game().log.decode()
    head, turn, rest = text.partition('<turn number="30"')
    cut = head + turn + rest.partition("\n")[0] + "\n"
    assert max(GameHistory(read_bytes(STARTER, cut.encode())).positions) == 29


# -- shrink -------------------------------------------------------------------------------------


def shrunk(source: str, clocks: Clocks = CLOCKS, connections: int = 1000) -> Shrinker:
    """Shrink the failing game with a player, which connects a limited number of times."""
    game = history()

    async def main(players: Players) -> Shrinker:
        connected = ThreadSource(player(source), players)
        left = connections

        async def play(turns: Sequence[int]) -> RerunResult:
            nonlocal left
            left -= 1
            if left < 0:
                raise PlayerNotConnected("It does not connect.")
            return await rerun(game, "alice", turns, connected, clocks)

        first = await play(game.turns_of("alice"))
        shrinker = Shrinker(play, lambda trial, turns: None, first)
        await shrinker.shrink()
        return shrinker

    return in_virtual_time(main)


def test_game_is_shrunk_to_the_turn_of_the_failure() -> None:
    best = shrunk(BROKEN).best
    assert best.turns == (LEFT_IN,) and not best.reason_only
    assert Failure.in_trial(best.trial) == SAFE_MERGER


def test_log_of_a_shrunk_game_verifies_and_is_shrunk_no_further() -> None:
    log = shrunk(BROKEN).best.trial.log
    record = read_bytes(STARTER, log)
    assert Verifier(record).verify().divergence is None
    short = GameHistory(record)
    assert list(short.positions) == [1] and short.left_in == {"alice": 1}


def test_game_is_shrunk_for_a_player_that_falls_silent() -> None:
    best = shrunk(SILENT_LATER).best
    assert len(best.turns) == 1
    assert Failure.in_trial(best.trial) == Failure(Reason.TIMED_OUT, "turn")
    assert best.reason_only


def test_failure_that_needs_two_turns_is_shrunk_to_two() -> None:
    best = shrunk(CRASHES_AFTER_TWO_TURNS).best
    assert len(best.turns) == 2
    assert Failure.in_trial(best.trial) == Failure(Reason.DISCONNECTED, "turn")
    assert sum(isinstance(event, events.TurnBegan) for event in best.trial.events) == 2


def test_other_mistake_against_the_same_rule_is_not_the_same_failure() -> None:
    best = shrunk(FAILS_TWICE).best
    assert len(best.turns) == 4, "in its fourth turn, whatever others did in between"
    assert Failure.in_trial(best.trial) == Failure(Violation.NOT_IN_HAND, "turn")


def test_player_that_connects_only_once_leaves_the_whole_game() -> None:
    shrinker = shrunk(BROKEN, connections=1)
    assert shrinker.trials == MAX_NOT_CONNECTED
    assert shrinker.best.turns == tuple(history().turns_of("alice"))
