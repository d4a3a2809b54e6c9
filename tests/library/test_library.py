"""The library, used as its page says."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loops import for_each

import acquire
from acquire import messages
from acquire.player.strategies.guess import guess
from acquire.player.strategies.simple import Random
from acquire.protocol.player_view import view_for
from acquire.protocol.question import Known

PAGE = (Path(__file__).parents[2] / "docs" / "students" / "library.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
MOVERS = ("ann", "bob", "cyd")


def test_programs_of_the_page_run_as_printed(tmp_path: Path) -> None:
    """In a process of their own, beside files with the names that students choose."""
    for name in ("admin", "game", "player", "protocol", "schemas"):
        (tmp_path / f"{name}.py").write_text("raise AssertionError('it is not imported')")
    (tmp_path / "matches").mkdir()
    acquire.play_game(dict.fromkeys(MOVERS, "random"), seed=3).save(tmp_path / "matches" / "a.xml")
    program = tmp_path / "program.py"
    program.write_text("\n\n".join(BLOCKS))
    run = subprocess.run(
        [sys.executable, program], cwd=tmp_path, capture_output=True, text=True, timeout=200
    )
    assert run.returncode == 0, run.stderr
    first, *others = re.findall(r"prints\n\n```\n(.*?)```", PAGE, re.DOTALL)
    assert run.stdout.startswith(first)
    assert others and all(other in run.stdout for other in others)
    assert re.search(r"^a\.xml: \w+ won; \d+ bonuses of \$[\d,]+$", run.stdout, re.MULTILINE)
    assert re.search(r"^ann gets \$[\d,]+ on average$", run.stdout, re.MULTILINE)


def test_page_names_everything_that_is_public() -> None:
    named = {*re.findall(r"\w+", PAGE)}
    rulebooks = {"CLASSIC", "CORPORATIONS", "DIGEST", "WIKIPEDIA", "RULEBOOKS"}
    types = {"Answer", "Bonus", "Ending", "Kind", "GameEnd", "Player", "PlayerMaker", "Players"}
    assert {*dir(acquire)} - rulebooks - types - {"Question", "messages"} <= named
    assert all(getattr(acquire, name) is not None for name in dir(acquire))


class Nth(acquire.Chooser):
    """The answer that a number in [0, 1) chooses."""

    part = 0.0

    def choose(self, question: acquire.Question) -> acquire.Answer:
        assert question.state.rulebook is self.rulebook
        assert len({*map(repr, question.answers)}) == len(question.answers) > 1
        return question.answers[int(self.part * len(question.answers))]


class First(Nth):
    """The first answer."""


class Middle(Nth):
    part = 0.5


class Last(Nth):
    part = 0.999


@for_each("rulebook", acquire.RULEBOOKS)
def test_choosers_are_never_ejected(rulebook: str) -> None:
    rules = acquire.RULEBOOKS[rulebook]
    for seed in range(2):
        players: acquire.Players = {"ann": First, "bob": Middle, "cyd": Last, "dee": "random"}
        game = acquire.play_game(players, rulebook, seed)
        assert not game.ejected
        assert acquire.read_game(game.log).outcome == game.outcome
    if rules.min_players == 2:
        assert not acquire.play_game({"ann": First, "bob": Last}, rulebook, 1).ejected


def test_same_seed_gives_the_same_game() -> None:
    players = dict.fromkeys(MOVERS, "random")
    first = acquire.play_game(players, seed=5)
    assert acquire.play_game(players, seed=5).log == first.log
    assert acquire.play_game(players, seed=6).log != first.log
    assert len(first.turns) == first.outcome.turns
    assert first.scores == {one.name: one.score for one in first.outcome.standings}


def test_many_games_are_the_same_rows_in_one_process_or_two() -> None:
    players = {"ann": "investor", "bob": "random", "cyd": "ordered"}
    rows = acquire.play_games(players, 6, "classic", seed=4)
    assert acquire.play_games(players, 6, "classic", seed=4, jobs=2) == rows
    assert [row.seed for row in rows[::3]] == [4, 5, 6, 7, 8, 9]
    assert all(sorted(row.player for row in rows[at : at + 3]) == [*players] for at in (0, 3))
    for row in rows[::3]:
        again = {name: players[name] for name in row.seats}
        assert acquire.play_game(again, "classic", row.seed).scores[row.player] == row.score


def fail(rulebook: acquire.Rulebook, seed: int) -> acquire.Strategy:
    raise RuntimeError("no player today")


@pytest.mark.parametrize("jobs", [1, 2])
def test_exception_in_one_of_many_games_says_in_which(jobs: int) -> None:
    with pytest.raises(RuntimeError, match="no player today") as raised:
        acquire.play_games({"ann": "investor", "bob": fail}, 3, seed=7, jobs=jobs)
    assert "seed 7, with ann, bob signing up" in raised.value.__notes__[0]


def test_position_after_a_placement_has_its_merger() -> None:
    for state in acquire.play_game(dict.fromkeys(MOVERS, "random"), seed=5).turns:
        for placement in acquire.legal_placements(state):
            merges = acquire.kind_of(state.board, placement.tile) is acquire.Kind.MERGING
            follows = acquire.merge(state, placement).state if merges else None
            assert acquire.after(state, placement) == (follows or acquire.place(state, placement))


def test_illegal_answers_eject_and_exceptions_come_out() -> None:
    class Wrong(acquire.Chooser):
        def choose(self, question: acquire.Question) -> acquire.Answer:
            return messages.Pbuy(None, ())

    class Raising(acquire.Chooser):
        def choose(self, question: acquire.Question) -> acquire.Answer:
            raise ZeroDivisionError("an idea")

    game = acquire.play_game({"ann": Wrong, "bob": "random", "cyd": "random"}, seed=1)
    assert [*game.ejected] == ["ann"] and game.scores["ann"] == 0
    assert "ann ejected" in str(game)
    with pytest.raises(ZeroDivisionError, match="an idea"):
        acquire.play_game({"ann": Raising, "bob": "random", "cyd": "random"}, seed=1)


TILE = acquire.parse_tile("1A")
UNSAYABLE: dict[str, tuple[Callable[[], object], str]] = {
    "hotel": (lambda: messages.Pbuy(None, (7,)), "an order of (7,)"),
    "negative hotel": (lambda: messages.Pbuy(None, (-1,)), "an order of (-1,)"),
    "too many": (lambda: messages.Order((0,) * 4), "an order of (0, 0, 0, 0)"),
    "no order": (lambda: messages.Order(None), "an order of None"),  # type: ignore[arg-type]  # the mistake
    "tile": (lambda: messages.Merge(acquire.Placement(5000)), "tile 5000 that names [None]"),
    "survivor": (lambda: messages.Merge(acquire.Placement(TILE, 9)), "tile 0 that names [9]"),
    "equals alone": (lambda: messages.Merge(acquire.Placement(TILE, None, (1,))), "[None, 1]"),
    "no placement": (lambda: messages.Pbuy(5, ()), "a placement of 5"),  # type: ignore[arg-type]  # the mistake
    "sells -1": (lambda: messages.DisposeAnswer(-1, 0), "sales of -1 and trades of 0"),
    "sells text": (lambda: messages.DisposeAnswer("1", 0), "sales of '1'"),  # type: ignore[arg-type]  # the mistake
    "keeps nothing": (lambda: messages.KeepAnswer(()), "the decisions ()"),
    "keeps two": (lambda: messages.KeepAnswer((2,)), "the decisions (2,)"),  # type: ignore[arg-type]  # the mistake
}


@for_each(("mistake", "words"), UNSAYABLE.values(), ids=[*UNSAYABLE])
def test_answer_that_no_message_can_say_is_invalid_as_on_a_connection(
    mistake: Callable[[], object], words: str
) -> None:
    """Otherwise the referee would fail, or the log would be none of a game."""
    try:
        answer: Any = mistake()
    except TypeError:
        assert "ACQUIRE_COMPILED" in os.environ
        return  # a compiled record refuses it before

    class Mistaken(Random):
        def __call__(self, message: Any) -> Any:
            right = super().__call__(message)
            return right if right is messages.VOID else answer

    game = acquire.play_game({"ann": Mistaken, "bob": "random", "cyd": "random"}, "classic", 1)
    assert game.outcome.ejected[0].reason.value == "invalid"
    assert game.ejected["ann"].partition(" with ")[0].endswith("Mistaken answered <turn>")
    assert words in game.ejected["ann"]
    assert acquire.read_game(game.log).scores == game.scores
    assert len(game.outcome.ejected) == 1


def test_player_that_answers_with_no_message_is_named() -> None:
    maker: Any = lambda *_: lambda message: messages.NewTile(TILE)  # noqa: E731
    with pytest.raises(TypeError, match=r"^function answered <state> with <NewTile 1A>, no mess"):
        acquire.play_game({"ann": maker, "bob": "random", "cyd": "random"}, "classic", 1)


def test_logs_that_do_not_hold_are_refused(tmp_path: Path) -> None:
    game = acquire.play_game(dict.fromkeys(MOVERS, "random"), seed=2)
    forged = re.sub(rb'amount="(\d+)"', b'amount="1"', game.log, count=1)
    assert forged != game.log
    with pytest.raises(acquire.InvalidLogError, match="the rules give"):
        acquire.read_game(forged)
    with pytest.raises(acquire.InvalidLogError, match="No such file"):
        acquire.read_game(tmp_path / "none.xml")
    game.save(tmp_path / "game.xml")
    assert acquire.read_game(tmp_path / "game.xml").log == game.log


@for_each("rulebook", acquire.RULEBOOKS)
def test_completed_position_has_every_tile_once(rulebook: str) -> None:
    """And leaves what the player sees as it is."""
    rules = acquire.RULEBOOKS[rulebook]
    game = acquire.play_game(dict.fromkeys(MOVERS, "random"), rulebook, seed=4)
    state = game.turns[20]
    seen = guess(Known.seen(rules, view_for(state, state.mover.name)))
    one, other = acquire.complete(seen, 1), acquire.complete(seen, 2)
    assert one == acquire.complete(seen, 1) != other
    for whole in (one, other):
        hands = [player.hand for player in whole.players]
        tiles = [*whole.bag, *acquire.tiles_in(whole.board.occupied | whole.aside)]
        tiles += [tile for hand in hands for tile in acquire.tiles_in(hand)]
        assert len(tiles) == len({*tiles}) == 108
        assert [hand.bit_count() for hand in hands] == [p.hand.bit_count() for p in state.players]
        assert whole.mover == seen.mover


def test_simulation_plays_to_the_end() -> None:
    state = acquire.play_game(dict.fromkeys(MOVERS, "random"), seed=4).turns[20]
    players = dict.fromkeys(MOVERS, "ordered")
    ends = acquire.simulate(state, players)
    assert {*ends} == {*MOVERS} and acquire.simulate(state, players) == ends
    blind = state._replace(bag=())
    assert len({str(acquire.simulate(blind, players, seed)) for seed in range(5)}) > 1
    assert acquire.simulate(state, players, turns=0) == acquire.worth(state)
    with pytest.raises(KeyError, match="no player is given for cyd"):
        acquire.simulate(state, {"ann": "ordered", "bob": "ordered"})


STARTED = acquire.parse_position(
    acquire.CLASSIC, "AA.CCC", ["ann 3A 1B A5 C2 $1500", "bob 5E A3 $600", "cyd C4 $900"]
)
SEATED = dict.fromkeys(MOVERS, "ordered")


def test_unseen_tiles_are_dealt_anew_by_every_seed() -> None:
    whole = acquire.play_game(SEATED, "classic", seed=4).turns[12]
    assert whole.bag
    futures = {tuple(acquire.simulate(whole, SEATED, seed).values()) for seed in range(5)}
    assert len(futures) > 1
    completed = acquire.complete(whole, 1)
    assert completed.players == whole.players
    assert completed.bag != whole.bag and {*completed.bag} == {*whole.bag}


def test_game_is_played_on_from_a_position_as_it_was() -> None:
    game = acquire.play_game(SEATED, "classic", seed=4)
    part = acquire.play_on(game.turns[12], SEATED, turns=5)
    assert [turn.board for turn in part.turns] == [turn.board for turn in game.turns[12:17]]
    assert acquire.read_game(part.log).scores == part.scores
    rest = acquire.play_on(game.turns[12], SEATED)
    assert rest.scores == game.scores


class Void(acquire.Chooser):
    """What is not asked for."""

    def choose(self, question: acquire.Question) -> acquire.Answer:
        return messages.Void()


def test_simulation_with_an_illegal_player_is_refused() -> None:
    with pytest.raises(ValueError, match="ann was ejected: "):
        acquire.simulate(STARTED, SEATED | {"ann": Void})
    with pytest.raises(ValueError, match="-1 turns"):
        acquire.simulate(STARTED, SEATED, turns=-1)
    with pytest.raises(KeyError, match="no player is given for cyd"):
        acquire.play_on(STARTED, {"ann": "ordered", "bob": "ordered"})


def test_unknown_names_are_listed() -> None:
    with pytest.raises(KeyError, match=r"'investr'; there are .*investor"):
        acquire.play_game(SEATED | {"ann": "investr"})
    with pytest.raises(KeyError, match=r"'clasic'; there are .*classic"):
        acquire.play_game(SEATED, "clasic")


class Silent(acquire.Chooser):
    def choose(self, question: acquire.Question) -> acquire.Answer:
        return None  # type: ignore[return-value]  # the mistake


def test_forgotten_return_is_explained() -> None:
    words = re.escape("Silent.choose() returned None, not one of question.answers")
    with pytest.raises(TypeError, match=words):
        acquire.play_game(SEATED | {"bob": Silent}, seed=1)


def test_long_things_are_short_in_a_notebook() -> None:
    game = acquire.play_game(SEATED, "classic", seed=4)
    assert repr(game).startswith("<GameRecord classic, seed 4: {'") and len(repr(game)) < 100
    assert repr(acquire.CLASSIC) == "<Rulebook classic>"
    assert len(repr(STARTED)) < 1500
