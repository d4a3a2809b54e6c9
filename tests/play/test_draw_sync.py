"""Draws are out of step from the very turn whose draw differs; false logs do not verify."""

import gzip
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from lxml import etree

from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play.in_process import Strategy, drive
from acquire.admin.refereeing.play.referee import Referee
from acquire.admin.tournament.games.result import GameResult
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.run.built_in import BuiltInSeat
from acquire.admin.tournament.run.game_recorder import GameRecorder, GameSettings
from acquire.game.rulebooks import RULEBOOKS
from acquire.protocol import messages
from acquire.protocol.dialect import Dialect
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.plugins import load_strategy
from acquire.protocol.rulebook_file import to_json

NAMES = ("ann", "bea", "cid")
PLAYS = {"ann": "random", "bea": "ordered", "cid": "random", "dot": "smallest-anti"}
SIX = tuple("uvwxyz")
PLAYS |= dict.fromkeys(SIX, "random")  # none of them hurries to the end
BREAK = "as was asked for"


class Break(NamedTuple):
    """The message at which a player breaks: its root element, and how many came before."""

    element: str
    after: int


class LoggedGame(NamedTuple):
    """A game that was played: its result, its log compressed, and the same log as elements."""

    result: GameResult
    log: bytes
    root: etree._Element

    @property
    def bag(self) -> list[str]:
        return (self.root[0].text or "").split()

    @property
    def draws(self) -> dict[int, list[str]]:
        """The tiles drawn by each turn."""
        found: dict[int, list[str]] = {}
        for element in self.root:
            if element.tag == "turn":
                found[int(element.attrib["number"])] = []
            elif element.tag == "drew":
                found[max(found)].append(element.attrib["tile"])
        return found

    @property
    def expected(self) -> dict[int, list[str]]:
        """What the same turns would draw of the bag, one tile each, as long as there are any."""
        drawn_before = self.bag.index(self.draws[1][0])
        return {turn: self.bag[drawn_before + turn - 1 :][:1] for turn in self.draws}

    @property
    def first_difference(self) -> int | None:
        """The first turn that drew something else, apart from the last, which may end the game."""
        draws, expected = self.draws, self.expected
        return next((turn for turn in [*draws][:-1] if draws[turn] != expected[turn]), None)


def breaking(strategy: Strategy, broken: Break) -> Strategy:
    left = broken.after

    def answer(message: RefereeMessage) -> PlayerMessage:
        nonlocal left
        if messages.TAGS[type(message)] == broken.element:
            left -= 1
            if left < 0:
                raise RuntimeError(BREAK)
        return strategy(message)

    return answer


@cache  # many tests look at the same game
def play(
    rulebook: str,
    seed: int,
    names: tuple[str, ...] = NAMES,
    *,
    duplicate: bool = True,
    written: Callable[[bytes], object] | None = None,
    **breaks: Break,
) -> LoggedGame:
    """Play a game in which some break at a message; its log holds and agrees with its result."""
    book, game = RULEBOOKS[rulebook], Game("d1-t1-s1", "d1-t1", seed, tuple(names))
    settings = GameSettings(to_json(book), duplicate, PLAYS)
    account = GameRecorder(game, settings, written)
    seats = {}
    for number, name in enumerate(sorted(names)):
        strategy = load_strategy(PLAYS[name])(book, number)
        if name in breaks:
            strategy = breaking(strategy, breaks[name])
        seats[name] = BuiltInSeat(name, strategy, PLAYS[name], Dialect.of(book)).seat
    referee = Referee(book, names, account.dealer.bag, account.dealer.shuffle, account.emit)
    outcome = drive(referee.play(), seats)
    log = account.close()
    played = LoggedGame(account.result(outcome), log, etree.fromstring(gzip.decompress(log)))
    recorded = [int(record.attrib["turn"]) for record in played.root.iterchildren("out-of-step")]
    assert recorded == [turn for turn in [played.result.out_of_step] if turn is not None]
    assert divergence(log) is None
    return played


def out_of_step(game: LoggedGame) -> etree._Element:
    """Return the log's only record of being out of step."""
    (record,) = game.root.iterchildren("out-of-step")
    return record


def divergence(log: bytes) -> str | None:
    """Return what does not hold in a log."""
    return Verifier(read_bytes(Path("game.xml.gz"), log)).verify().divergence


# -- draws --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_undisturbed_game_draws_the_bag_and_records_nothing(seed: int) -> None:
    game = play("revised", seed)
    assert game.draws == {**game.expected, max(game.draws): game.draws[max(game.draws)]}
    assert game.result.out_of_step is None


REPLACING = [
    *(("classic", seed) for seed in range(6)),
    *(("corporations", seed) for seed in (0, 1, 2, 12)),
    ("wikipedia", 1),
    ("wikipedia", 93),
]


@pytest.mark.parametrize(("rulebook", "seed"), REPLACING)
def test_replaced_tile_puts_the_game_out_of_step_from_the_turn_that_draws_another(
    rulebook: str, seed: int
) -> None:
    game = play(rulebook, seed)
    turn = game.first_difference
    assert game.result.out_of_step == turn
    if turn is not None:
        record = out_of_step(game)
        assert record.attrib["cause"] == "draw"
        after = record.getnext()
        assert after is not None and (after.tag, after.get("number")) == ("turn", str(turn + 1))


def test_seeds_above_have_games_in_step_and_out_of_it_in_each_rulebook() -> None:
    found: dict[str, set[bool]] = {}
    for rulebook, seed in REPLACING:
        found.setdefault(rulebook, set()).add(play(rulebook, seed).result.out_of_step is None)
    assert found == {book: {True, False} for book in ("classic", "corporations", "wikipedia")}


@pytest.mark.parametrize("seed", [3, 4, 9])
def test_turns_after_the_bag_is_empty_are_in_step(seed: int) -> None:
    game = play("wikipedia", seed, SIX)
    assert [turn for turn, tiles in [*game.draws.items()][:-1] if not tiles]
    assert game.first_difference is None and game.result.out_of_step is None


@pytest.mark.parametrize("rulebook", ["revised", "classic", "digest"])
def test_other_seatings_of_a_bag_draw_the_same_tiles_until_one_is_out_of_step(
    rulebook: str,
) -> None:
    names = ("ann", "bea", "cid", "dot")
    for seed in range(2):
        one, other = play(rulebook, seed, names), play(rulebook, seed, names[2:] + names[:2])
        assert one.bag == other.bag
        assert one.result.seats[0].player != other.result.seats[0].player
        ends = [game.result.out_of_step or max(game.draws) for game in (one, other)]
        for turn in range(1, min(ends)):
            assert one.draws[turn] == other.draws[turn]
        assert min(ends) > 20


# -- ejections ----------------------------------------------------------------------------------

EJECTIONS = {
    "the first turn of the one": (Break("turn", 0), 0),
    "a later turn": (Break("turn", 6), 0),
    "on receiving the tile": (Break("tile", 3), 1),
    "on receiving the position": (Break("state", 11), 1),
}


@pytest.mark.parametrize(("broken", "later"), EJECTIONS.values(), ids=EJECTIONS.keys())
@pytest.mark.parametrize("seed", [0, 5])
def test_ejection_puts_the_game_out_of_step_from_its_turn(
    broken: Break, later: int, seed: int
) -> None:
    """If a player leaves after the turn has drawn, the next turn is the first to draw otherwise."""
    game = play("revised", seed, bea=broken)
    (ejected,) = game.root.iterchildren("ejected")
    turn = int(next(ejected.itersiblings("turn", preceding=True)).attrib["number"])
    assert game.result.out_of_step == turn
    assert out_of_step(game).attrib["cause"] == "ejection"
    assert out_of_step(game).getnext() is ejected
    draws, expected = game.draws, game.expected
    assert all(draws[before] == expected[before] for before in range(1, turn + later))
    assert [draws[at] for at in range(turn + later, turn + 4)] != [
        expected[at] for at in range(turn + later, turn + 4)
    ]


def test_ejection_at_the_set_up_is_in_turn_0() -> None:
    game = play("revised", 3, cid=Break("state", 0))
    assert game.result.out_of_step == 0
    assert out_of_step(game).attrib["cause"] == "ejection"


def test_only_the_first_of_several_causes_is_recorded() -> None:
    names = ("ann", "bea", "cid", "dot")
    game = play("classic", 0, names, ann=Break("turn", 4), bea=Break("turn", 9))
    first, _ = game.root.iterchildren("ejected")
    assert out_of_step(game).getnext() is first


def test_ejection_after_a_replaced_tile_adds_no_record() -> None:
    turns = play("classic", 0).result
    assert turns.out_of_step is not None
    late = Break("turn", turns.out_of_step // 3 + 2)
    game = play("classic", 0, cid=late)
    assert game.root.find("ejected") is not None
    assert game.result.out_of_step == turns.out_of_step
    assert out_of_step(game).attrib["cause"] == "draw"


def test_player_that_leaves_after_the_pay_out_changes_nothing() -> None:
    game = play("revised", 1, ann=Break("score", 0))
    assert game.root.find("ejected") is not None
    assert game.result.out_of_step is None


def test_without_other_games_of_the_bag_nothing_is_recorded() -> None:
    game = play("classic", 0, ann=Break("turn", 4), duplicate=False)
    assert "deal" not in game.root.attrib
    assert game.result.out_of_step is None


@pytest.mark.parametrize("breaks", [{}, {"bea": Break("turn", 5)}], ids=["draw", "ejection"])
def test_game_recorded_turn_by_turn_has_the_log_of_one_recorded_at_its_end(
    breaks: Mapping[str, Break],
) -> None:
    parts: list[bytes] = []
    live, whole = (play("classic", 0, **breaks, written=parts.append), play("classic", 0, **breaks))
    assert (live.log, live.result) == (whole.log, whole.result)
    assert b"".join(parts) == gzip.decompress(whole.log)
    assert len(parts) > whole.result.turns
    assert all(part.count(b"<turn ") <= 1 for part in parts)


# -- false logs ---------------------------------------------------------------------------------

RECORD = r'<out-of-step turn="(\d+)" cause="(\w+)"/>\n'
FALSE_LOGS = {
    "removed": (RECORD, ""),
    "recorded twice": (RECORD, r"\g<0>\g<0>"),
    "of another turn": (RECORD, r'<out-of-step turn="1\1" cause="\2"/>\n'),
    "of turn 0": (RECORD, r'<out-of-step turn="0" cause="\2"/>\n'),
    "one record too late": (RECORD + r"(.*\n)", r'\3<out-of-step turn="\1" cause="\2"/>\n'),
    "one record too early": (r"(.*\n)" + RECORD, r'<out-of-step turn="\2" cause="\3"/>\n\1'),
    "in a game of its own bag": (' deal="duplicate"', ""),
}


@pytest.mark.parametrize(("pattern", "lie"), FALSE_LOGS.values(), ids=FALSE_LOGS.keys())
@pytest.mark.parametrize("breaks", [{}, {"bea": Break("turn", 5)}], ids=["draw", "ejection"])
def test_log_with_a_false_record_does_not_hold(
    pattern: str, lie: str, breaks: Mapping[str, Break]
) -> None:
    game = play("classic", 0, **breaks)
    text = gzip.decompress(game.log).decode()
    changed, count = re.subn(pattern, lie, text)
    assert count == 1 and changed != text
    assert divergence(gzip.compress(changed.encode())) is not None


def test_log_with_the_other_cause_does_not_hold() -> None:
    game = play("classic", 0)
    text = gzip.decompress(game.log).replace(b'cause="draw"', b'cause="ejection"')
    assert text != gzip.decompress(game.log)
    assert "out-of-step" in (divergence(gzip.compress(text)) or "")


def test_log_in_step_that_records_the_opposite_does_not_hold() -> None:
    text = gzip.decompress(play("revised", 0).log)
    lie = b'<out-of-step turn="8" cause="draw"/>\n<turn number="9"'
    changed = text.replace(b'<turn number="9"', lie)
    assert changed != text
    assert divergence(gzip.compress(changed)) is not None
