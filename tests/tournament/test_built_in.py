"""A game of built-in players is a pure function; a strategy that raises loses its own game."""

import gzip
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from loops import for_each
from lxml import etree
from tournament_process import seat_of

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.tournament.auditing.game_checks import audit_game
from acquire.admin.tournament.games.result import FailedGame, FinishedGame, PlayerVerdict
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.run import built_in
from acquire.admin.tournament.run.built_in import play_batch, play_built_in_game
from acquire.admin.tournament.run.game_recorder import GameSettings
from acquire.game.rulebook import with_hidden_assets
from acquire.game.rulebooks import REVISED, RULEBOOKS
from acquire.protocol.plugins import installed as installed_points
from acquire.protocol.rulebook_file import to_json

NAMES = ("ann", "bea", "cid")
GAME = Game("d1-t1-s1", "d1-t1", 42, NAMES)


def settings(
    *strategies: str, rulebook: str = "revised", hide: str = "", duplicate: bool = True
) -> GameSettings:
    """Return settings with which ann, bea and cid play these strategies."""
    value = RULEBOOKS[rulebook]
    if hide:
        value = with_hidden_assets(value, hide)
    return GameSettings(to_json(value), duplicate, dict(zip(NAMES, strategies, strict=True)))


ALL_KINDS = {
    "revised": settings("random", "ordered", "investor"),
    "own bag": settings("random", "ordered", "investor", duplicate=False),
    "classic": settings("random", "random", "smallest-anti", rulebook="classic"),
    "hidden": settings(
        "random", "investor", "largest-alpha", rulebook="wikipedia", hide="certificates"
    ),
}


# -- the same bytes -----------------------------------------------------------------------------

ELSEWHERE = """
import ast, hashlib, sys
from acquire.admin.tournament.run.built_in import play_built_in_game
from acquire.admin.tournament.run.game_recorder import GameSettings
from acquire.admin.tournament.planning.schedule import Game
for text in sys.stdin:
    settings, game = ast.literal_eval(text)
    played = play_built_in_game(GameSettings(*settings), Game(*game))
    print(hashlib.sha256(repr(played.result).encode() + played.log).hexdigest())
"""


def fingerprint(played: FinishedGame) -> str:
    return hashlib.sha256(repr(played.result).encode() + played.log).hexdigest()


@for_each("known", ALL_KINDS.values(), ALL_KINDS)
def test_game_is_the_same_twice_and_after_others(known: GameSettings) -> None:
    first = play_built_in_game(known, GAME)
    play_built_in_game(known, GAME._replace(seed=7))
    assert play_built_in_game(known, GAME) == first
    assert len(first.result.seats) == 3 and first.result.turns > 20


def test_game_is_the_same_in_another_process_with_other_hashes() -> None:
    mine = [fingerprint(play_built_in_game(known, GAME)) for known in ALL_KINDS.values()]
    text = "\n".join(repr((tuple(known), tuple(GAME))) for known in ALL_KINDS.values())
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "1"},
    )
    assert done.stdout.split() == mine


def test_random_choices_depend_on_the_game_and_not_on_the_bag_alone() -> None:
    known = settings("random", "random", "random")
    logs = {
        play_built_in_game(known, game).log
        for game in (GAME, GAME._replace(id="d1-t1-s2"), GAME._replace(seed=43))
    }
    roots = [etree.fromstring(gzip.decompress(log)) for log in logs]
    assert len(logs) == 3
    assert len({root[0].text for root in roots}) == 2  # two of them have the same bag


@for_each("known", ALL_KINDS.values(), ALL_KINDS)
def test_log_of_a_game_is_valid_and_has_its_result(tmp_path: Path, known: GameSettings) -> None:
    game = GAME._replace(commitment="0f" * 32)
    result, log, outputs, _ = played = play_built_in_game(known, game)
    assert outputs == {} and not differences(played)
    file = tmp_path / "a.xml.gz"
    file.write_bytes(log)
    record = read(file)
    assert [(seat.name, seat.strategy) for seat in record.header.seats] == [
        *known.strategies.items()
    ]
    assert (record.header.seed, record.header.duplicate) == (42, known.duplicate)
    assert record.header.commitment == game.commitment
    verdict = Verifier(record).verify()
    assert verdict.divergence is None
    assert (verdict.turns, verdict.outcome.ending.value) == (result.turns, result.ending)
    logged = {place.name: (place.rank, place.score) for place in verdict.outcome.standings}
    assert {seat.player: (seat.rank, seat.money) for seat in result.seats} == logged
    assert [seat.player for seat in result.seats] == [*NAMES]
    assert all(seat.verdict is PlayerVerdict.FINISHED and not seat.detail for seat in result.seats)
    assert all(seat.answers > 20 and seat.thought == 0 for seat in result.seats)


def test_only_built_in_players_are_seated() -> None:
    known = GameSettings(to_json(REVISED), True, {"bea": "ordered", "eve": "random"})
    assert [*built_in.seat_built_in_players(known, GAME)] == ["bea"]


# -- strategies of another distribution ---------------------------------------------------------

GUEST = """
from acquire.game.placement import Placement
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages

class Bad(Exception):
    def __repr__(self):
        raise ValueError("not even that")

class Guest:
    def __init__(self, rulebook, seed):
        self.inner, self.turns = Ordered(rulebook, seed), 0
    def __call__(self, message):
        tag = messages.TAGS[type(message)]
        self.turns += tag == "turn"
        return self.turn() if tag == "turn" and self.turns == 3 else self.other(tag, message)
    def other(self, tag, message):
        return self.inner(message)

class Raises(Guest):
    def turn(self):
        raise RuntimeError("out of\\nluck")

class Recurses(Guest):
    def turn(self):
        return self.turn()

class SaysNothing(Guest):
    def turn(self):
        return None

class AnswersAnotherQuestion(Guest):
    def turn(self):
        return messages.Void()

class BreaksARule(Guest):
    def turn(self):
        return messages.Pbuy(Placement(0), ())

class Leaves(Guest):
    def turn(self):
        raise SystemExit(0)

class CannotBeShown(Guest):
    def turn(self):
        raise Bad

class RaisesAtTheEnd(Guest):
    def turn(self):
        return None
    def __call__(self, message):
        if messages.TAGS[type(message)] == "score":
            raise RuntimeError("sore loser")
        return self.inner(message)

class RaisesAtOnce(Guest):
    def __call__(self, message):
        raise RuntimeError("before anything")

def cannot_be_made(rulebook, seed):
    raise RuntimeError("no such file")
"""
GUESTS = {
    "raises": "Raises",
    "recurses": "Recurses",
    "says-nothing": "SaysNothing",
    "answers-another": "AnswersAnotherQuestion",
    "breaks-a-rule": "BreaksARule",
    "leaves": "Leaves",
    "cannot-be-shown": "CannotBeShown",
    "raises-at-the-end": "RaisesAtTheEnd",
    "raises-at-once": "RaisesAtOnce",
    "cannot-be-made": "cannot_be_made",
    "is-not-there": "Nothing",
}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a distribution with the guests' strategies, for this test alone."""
    (tmp_path / "house_guests.py").write_text(GUEST)
    metadata = tmp_path / "house_guests-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: house-guests\nVersion: 1.0\n")
    points = [f"{name} = house_guests:{attribute}" for name, attribute in GUESTS.items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[acquire.strategies]", *points]))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "house_guests", raising=False)
    installed_points.cache_clear()
    yield
    installed_points.cache_clear()


CRASHED, OUT_OF_TURN = PlayerVerdict.CRASHED, PlayerVerdict.OUT_OF_TURN


@pytest.mark.usefixtures("installed")
@for_each(
    ("strategy", "verdict", "turn", "words"),
    [
        ("raises", CRASHED, 8, "The strategy raises raised RuntimeError('out of\\nluck')."),
        ("recurses", CRASHED, 8, "RecursionError"),
        ("raises-at-once", CRASHED, 0, "before anything"),
        ("says-nothing", CRASHED, 8, ""),
        ("answers-another", OUT_OF_TURN, 8, ""),
        ("cannot-be-shown", CRASHED, 8, ""),
        ("cannot-be-made", CRASHED, 0, ""),
        ("leaves", CRASHED, 8, ""),
    ],
)
def test_strategy_that_fails_loses_its_game_alone(
    strategy: str, verdict: PlayerVerdict, turn: int, words: str
) -> None:
    for duplicate in (False, True):
        known = settings("ordered", strategy, "random", duplicate=duplicate)
        (played,) = play_batch(known, [GAME])
        assert isinstance(played, FinishedGame)
        lost, *others = sorted(played.result.seats, key=lambda seat: seat.player != "bea")
        assert (lost.verdict, lost.rank, lost.money, lost.turn) == (verdict, 3, 0, turn)
        assert words in lost.detail
        assert {seat.verdict for seat in others} == {PlayerVerdict.FINISHED}
        assert (played.result.out_of_step is not None) == duplicate
        assert not differences(played)
        assert play_built_in_game(known, GAME)[:2] == played[:2], "the same twice"


# -- the result, from the log -------------------------------------------------------------------


def differences(played: FinishedGame) -> tuple[str, ...]:
    found = audit_game(played.result, played.log)
    return found.log_findings + found.result_findings


def test_claimed_verdict_counts_only_where_the_log_has_a_lost_connection() -> None:
    played = play_built_in_game(ALL_KINDS["revised"], GAME)
    ann, bea, cid = played.result.seats
    crashed = bea._replace(verdict=PlayerVerdict.CRASHED, detail="It crashed.")
    claimed = played.result._replace(seats=(ann, crashed, cid))
    assert differences(played._replace(result=claimed)) == (
        "game d1-t1-s1: the result has verdict of bea 'crashed'; its log gives 'finished'.",
        "game d1-t1-s1: the result has detail of bea 'It crashed.'; its log gives ''.",
    )


@pytest.mark.usefixtures("installed")
def test_broken_rule_is_explained_in_the_words_of_the_log() -> None:
    """An older version may have put it in others, and its results have those."""
    played = play_built_in_game(settings("ordered", "breaks-a-rule", "random"), GAME)
    ann, bea, cid = played.result.seats
    assert bea.verdict is PlayerVerdict.ILLEGAL and not differences(played)
    log = gzip.decompress(played.log).decode()
    old = log.replace(f'detail="{bea.detail}"', 'detail="A tile was due."')
    assert old != log
    claimed = played.result._replace(seats=(ann, bea._replace(detail="A tile was due."), cid))
    assert not differences(played._replace(result=claimed, log=gzip.compress(old.encode())))


# -- batches ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("installed")
def test_game_that_fails_does_not_affect_the_others_of_its_batch() -> None:
    known = settings("ordered", "random", "ordered")
    known = known._replace(strategies={**known.strategies, "eve": "is-not-there"})
    bad = GAME._replace(id="d1-t2-s1", players=("ann", "eve", "cid"))
    after = GAME._replace(id="d1-t1-s2")
    one, failed, other = play_batch(known, [GAME, bad, after])
    assert one == play_built_in_game(known, GAME) and other == play_built_in_game(known, after)
    assert isinstance(failed, FailedGame) and failed.game == "d1-t2-s1"
    assert failed.detail.startswith("Traceback") and "AttributeError" in failed.detail


# -- bugs of the past ----------------------------------------------------------------------------


def test_changed_file_of_a_strategy_plays_as_it_is_now(tmp_path: Path) -> None:
    known = settings("mine.py:Mine", "random", "ordered")._replace(folder=str(tmp_path))
    for version, made in (("one", "1 / 0"), ("two", "Ordered(*given)")):
        text = "from acquire.player.strategies.simple import Ordered\n"
        (tmp_path / "mine.py").write_text(f"{text}def Mine(*given):\n    return {made}\n")
        seats = play_built_in_game(known._replace(versions={"ann": version}), GAME).result.seats
        assert (seats[0].version, seats[0].finished) == (version, version == "two")


@pytest.mark.usefixtures("installed")
def test_strategy_that_raises_after_the_pay_out_has_finished() -> None:
    for duplicate in (False, True):
        known = settings("ordered", "raises-at-the-end", "random", duplicate=duplicate)
        played = play_built_in_game(known, GAME)
        assert not differences(played) and played.result.out_of_step is None
        seat = seat_of(played.result, "bea")
        assert seat.verdict is PlayerVerdict.FINISHED
        assert seat.money > 0
