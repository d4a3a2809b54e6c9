"""Which programs are alike: by their sources, and by answers that others do not give."""

import json
import random
import re
import shutil
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from command_line import succeed
from test_json_schemas import check
from tournament_process import built_in_toml

from acquire.admin.launching.player_folder import read_files, read_folder
from acquire.admin.tournament.auditing.similar_programs import (
    STARTERS,
    Answers,
    Likeness,
    fingerprints,
    likenesses,
)

STARTER = (STARTERS / "python" / "player.py").read_text()
IDEA = """
def rate(hotel, size):
    # the larger the better
    best = 0
    for step in range(size, 40, 3):
        if hotel in TABLE and step % 2 == 0:
            best = max(best, TABLE[hotel][step] * 7 - 12)
        elif step > 20:
            best -= len(hotel) + 1
    return {"name": hotel, "value": best, "steps": [best, size]}
"""
RENAMED = re.sub(r"#.*", "# mine", IDEA)
for old, new in {"hotel": "chain", "best": "b", "step": "s", "rate": "f", "    ": "  "}.items():
    RENAMED = RENAMED.replace(old, new)
OTHER = """
class Memory:
    def __init__(self):
        self.seen = {}

    def learn(self, tile, money):
        while tile not in self.seen and money > 0:
            self.seen[tile] = money // 2
            money -= 100
        return sorted(self.seen, key=self.seen.get)[:3]

    def forget(self):
        self.seen = {tile: left for tile, left in self.seen.items() if left % 5}
        assert all(self.seen.values()), "nothing"
"""


STARTED = frozenset(range(1000, 1040))
"""What a starter contains."""


def written(folder: Path, name: str, text: str) -> frozenset[int]:
    (folder / name).write_text(text)
    return fingerprints(read_files(folder, [folder / name]))


def pair(
    sources: dict[str, frozenset[int]],
    answers: dict[str, Answers] | None = None,
    known: Sequence[Answers] = (),
) -> Likeness:
    """Compare all, and return what a and b share."""
    found = likenesses(sources, STARTED, answers or {}, known)
    return next(each for each in found if each.players == ("a", "b"))


def test_names_comments_and_formatting_do_not_count(tmp_path: Path) -> None:
    first, second = written(tmp_path, "a.py", IDEA), written(tmp_path, "b.py", RENAMED)
    assert first == second and len(first) > 10
    assert pair({"a": first, "b": second}).alike
    assert not pair({"a": first, "b": written(tmp_path, "c.py", OTHER)}).fingerprints


def test_only_programs_are_compared(tmp_path: Path) -> None:
    assert not written(tmp_path, "a.txt", IDEA) and not written(tmp_path, "b.json", IDEA)


def test_no_source_takes_long(tmp_path: Path) -> None:
    """Cutting it into tokens takes time in proportion to its size, whatever is in it."""
    pieces = ("a ", "1", '"', "'", "\\'", '\\"', "`", '"' * 3, "'" * 3 + '"' * 3)
    comments = {"java": "/* ", "ml": "(* ", "py": "#", "sql": "--", "lisp": ";", "erl": "%"}

    def seconds(size: int, suffix: str, piece: str) -> float:
        begun = time.process_time()
        written(tmp_path, f"Player.{suffix}", (piece * size)[:size])
        return time.process_time() - begun

    for suffix, piece in [*product(["java"], pieces), *comments.items()]:
        assert seconds(2**15, suffix, piece) < 40 * seconds(2**11, suffix, piece) + 0.5, piece


def test_large_file_hides_no_other(tmp_path: Path) -> None:
    shared = written(tmp_path, "b.py", IDEA)
    for number in range(3):
        (tmp_path / f"a{number}.py").write_text(f"x = {number}\n" * 2**12)
    assert shared <= fingerprints(read_folder(tmp_path))
    (tmp_path / "a.py").write_text("x = 1\n" * 2**18)
    assert shared <= fingerprints(read_folder(tmp_path))


def test_what_many_have_is_everybodys(tmp_path: Path) -> None:
    shared = written(tmp_path, "a.py", IDEA)
    few = dict.fromkeys(("a", "b", "c"), shared)
    assert pair(few).alike
    assert not pair({**few, "d": shared}).fingerprints


LARGE = {name: frozenset({hash((name, at)) for at in range(30)}) for name in "abcdef"}
"""Sources that share nothing."""


def answered(copy: str, same: float) -> dict[str, Answers]:
    """Let all answer at random, and ``copy`` as ``a`` does in a part of the positions."""
    chance = random.Random(1)
    places = [(game, turn) for game in range(3) for turn in range(20)]
    found: dict[str, Answers] = {
        name: {place: (chance.randrange(6), chance.randrange(5)) for place in places}
        for name in LARGE
    }
    copied = {place: found["a"][place] for place in places if chance.random() < same}
    return {**found, copy: found[copy] | copied}


def test_copy_in_another_language_is_named_by_its_answers() -> None:
    found = likenesses(LARGE, STARTED, answered("b", 1.0), [])
    assert [each.players for each in found if each.alike] == [("a", "b")]
    assert (found[0].agreed, found[0].positions) == (60, 60)
    assert found[0].expected < 10 and found[0].chance < 1e-40
    assert all(each.chance > 1e-6 for each in found[1:])
    assert not pair(LARGE, answered("b", 0.6)).alike


def test_answers_of_everybody_do_not_count() -> None:
    answers = answered("b", 1.0)
    assert pair(LARGE, answers, [answers["a"]]).positions == 0
    places = [*answers["a"]]
    alike: dict[str, Answers] = {name: dict.fromkeys(places, (0, 0)) for name in LARGE}
    assert not any(each.alike for each in likenesses(LARGE, STARTED, alike, []))


def test_simple_ideas_in_a_starter_are_not_compared_by_answers() -> None:
    for source, positions in ((STARTED, 0), (STARTED | {*range(5)}, 0), (frozenset(), 60)):
        small = {**LARGE, "b": frozenset(source)}
        assert pair(small, answered("b", 1.0)).positions == positions


def own_idea(order: str) -> str:
    """Return the starter with an idea that is large enough, and orders of its own."""
    text = STARTER.replace("END OF YOUR IDEA", "MORE" + IDEA.replace("\n", "\n\n"))
    start = text.index("    on_board = [order")
    return f"{text[:start]}    return {order}\n{text[text.index(chr(10) * 3, start) :]}"


def test_programs_of_a_tournament_are_asked(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    general = "[tournament]\nseats = 3\nseed = 2\n[clocks]\nsignup = 60\nreply = 60\nturn = 90\n"
    general += "[limits]\nsandbox = 'none'\n"
    built_in = built_in_toml(random="random", planner="planner", ordered="ordered")
    file.write_text(general + built_in)
    succeed("tournament", "run", file, "--workers", 1)
    same = "orders[len(orders) // 2]"
    ideas = {"ada": same, "bob": same, "cyd": "orders[-1]"}
    for name, idea in ideas.items():
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "player.py").write_text(own_idea(idea))
    (tmp_path / "in" / "ada" / "Player.java").write_text("a " * 4000)  # which took minutes
    (tmp_path / "in" / "cyd" / ".git").mkdir()  # no part of a hand-in, whatever is in it
    (tmp_path / "in" / "cyd" / ".git" / "a.py").symlink_to("/proc/kmsg")  # which has no end
    file.write_text(general.replace("seed", 'submissions = "in/*"\nseed') + built_in)
    found = json.loads(succeed("tournament", "similar", file, "--games", "1", "--json").stdout)
    check("tournament-similar", found)
    by_pair = {tuple(each["players"]): each for each in found["pairs"]}
    assert by_pair["ada", "bob"]["agreed"] == by_pair["ada", "bob"]["positions"] > 10
    assert by_pair["ada", "cyd"]["agreed"] < by_pair["ada", "cyd"]["positions"]
    assert not found["not_asked"]
    said = succeed("tournament", "similar", file, "--games", "0").output
    assert "ada and bob: 100% of the smaller source in common" in " ".join(said.split())
    assert "a reason for a conversation, never a verdict" in said
    assert "too many programs" not in said
    shutil.copytree(tmp_path / "in" / "ada", tmp_path / "in" / "dan")
    said = succeed("tournament", "similar", file, "--games", "0").output
    assert "None are alike." in said
    assert "Most of the source of ada, bob, cyd and dan is in too many programs" in said
