"""`acquire perft` counts what docs/students/perft.md defines, and the reference counts the same."""

import json
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import invoke, printed, refused, succeed
from positions import reference_game

from acquire.admin.testing.perft.perft import Node, divide, perft, read_position
from acquire.game import market
from acquire.game.rulebooks import CLASSIC, REVISED, RULEBOOKS
from acquire.game.state import State, deal
from acquire.game.tiles import TILES
from reference.perft import count as count_by_reference

DOCS = Path(__file__).parents[2] / "docs"
COUNTS: dict[str, dict[str, list[int]]] = json.loads((DOCS / "perft" / "counts.json").read_text())
"""By position and rulebook, the counts to depth 1, 2 .."""
PAGE = (DOCS / "students" / "perft.md").read_text()
USUAL, BY_REFERENCE = 120, 20_000
"""Up to which count every run of the tests counts, and up to which the reference ever does."""


class Case(NamedTuple):
    position: str
    rulebook: str
    usual: bool


CASES = [
    pytest.param(
        Case(position, rulebook, usual),
        id=f"{position}-{rulebook}-{'quick' if usual else 'long'}",
        marks=[] if usual else [pytest.mark.soak],
    )
    for position, counts in COUNTS.items()
    for rulebook in counts
    for usual in (True, False)
    if usual or max(counts[rulebook]) > USUAL
]


def position(case: Case) -> State:
    rulebook = RULEBOOKS[case.rulebook]
    if case.position == "start":
        return deal(rulebook, ["a", "b", "c"], TILES)
    return read_position(rulebook, file(case.position).read_text())


def file(name: str) -> Path:
    return DOCS / "perft" / f"{name}.txt"


def depths(case: Case) -> list[tuple[int, int]]:
    """The depths of a case and their counts."""
    counts = enumerate(COUNTS[case.position][case.rulebook], start=1)
    return [(depth, count) for depth, count in counts if (count <= USUAL) == case.usual]


@pytest.mark.parametrize("case", CASES)
def test_counts_are_the_published_ones(case: Case) -> None:
    start = Node(position(case))
    assert [(depth, perft(start, depth)) for depth, _ in depths(case)] == depths(case)


@pytest.mark.parametrize("case", CASES)
def test_reference_counts_the_same(case: Case) -> None:
    start = position(case)
    with_market = market.takes_part(start.rulebook, len(start.players))
    for depth, count in depths(case):
        if count <= BY_REFERENCE:
            game = reference_game(start, market=with_market)
            assert count_by_reference(game, depth) == count, depth


def test_every_position_is_published_under_every_rulebook() -> None:
    assert COUNTS.keys() == {"start", *(path.stem for path in file("x").parent.glob("*.txt"))}
    assert all(counts.keys() == RULEBOOKS.keys() for counts in COUNTS.values())
    assert all(f"| [{name}](" in PAGE or name == "start" for name in COUNTS)


def test_commands_of_the_page_print_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DOCS.parent)
    shown = re.findall(r"```\n\$ acquire (perft .*)\n((?:[^`].*\n)*)```", PAGE)
    assert len(shown) == 3
    for command, output in shown:
        assert succeed(*shlex.split(command)).output == output


def test_letters_of_the_page_are_read_as_its_hotels() -> None:
    table = PAGE.partition("| letter | ")[2].partition("\n\n")[0]
    first, _, *rows = table.splitlines()
    assert len(rows) == 2
    for row in rows:
        ids, *names = row.removesuffix(" |").split(" | ")
        for rulebook in (RULEBOOKS[name] for name in re.findall(r"\w+", ids)):
            for letter, name in zip(first.split(" | "), names, strict=True):
                state = read_position(rulebook, f"{letter[0] * 2}\nann 9I")
                assert state.board.sizes[rulebook.hotel_index(name)] == 2


def test_position_of_the_page_can_be_read() -> None:
    (text,) = re.findall(r"```\n(# Comments.*?)```", PAGE, re.DOTALL)
    state = read_position(REVISED, text)
    assert (state.mover.cash, len(state.bag), sum(state.board.sizes)) == (600, 2, 4)
    without = read_position(REVISED, "ann 1A\nbob")
    assert [(player.cash, player.hand) for player in without.players] == [(8_000, 1), (8_000, 0)]


def test_first_choices_add_up_and_each_leads_on() -> None:
    start = Node(read_position(CLASSIC, file("holders").read_text()))
    divided = dict(divide(start, 4))
    assert sum(divided.values()) == perft(start, 4) == COUNTS["holders"]["classic"][3]
    words = ["--rulebook", "classic", "--position", file("holders")]
    for choice, count in divided.items():
        found = printed("perft", *words, "--after", choice, "--depth", 3, "--json")
        assert (found["counts"][-1], found["after"]) == (count, [choice])


def test_decisions_after_a_merger_name_who_decides() -> None:
    words = ["--position", str(file("holders")), "--after", "place 6E Sackson"]
    found = printed(
        "perft", *words, "--after", "keep true false", "--depth", 1, "--divide", "--json"
    )
    assert found["player"] == "b"
    assert found["divide"] == dict.fromkeys(
        ["keep true true", "keep true false", "keep false true", "keep false false"], 1
    )


def test_bag_is_dealt_in_the_order_of_its_file(tmp_path: Path) -> None:
    bag = tmp_path / "bag.txt"
    tiles = [f"{column}{row}" for row in "IHGFEDCBA" for column in range(1, 13)]
    bag.write_text("\n".join(tiles))
    found = printed("perft", "--bag", bag, "--depth", 1, "--divide", "--json")
    assert [*found["divide"]] == [f"place {tile}" for tile in tiles[:6]]
    bag.write_text("\n".join(tiles[1:]))
    assert "each of the 108 tiles once" in refused("perft", "--bag", bag)


WRONG = {
    "ann 1A\nbob 1A": "bob has a tile that is elsewhere as well.",
    "AA\nann 2A": "ann has a tile that is elsewhere as well.",
    "ann 1A\nbag: 1A": "the bag has a tile that is elsewhere as well.",
    "ann 1A\nbag: 2A 2A": "The position has a tile in two places.",
    "A.A\nann 9I": "The position has a hotel in two parts.",
    "A\nann 9I": "The position has a hotel of one tile.",
    "ann 13A": "no tile 13A: columns are 1..12, rows A..I.",
    "ann X3": "'X' is not the letter of a hotel.",
    "ann A26": "more than 25 certificates of American are held.",
    "ann A-1": "The position has fewer certificates than none.",
    "ann 1A 2A 3A 4A 5A 6A 7A": "The position has a hand that is too large.",
    "ann\nann": "A position has 1 to 6 players with different names.",
    "AA": "A position has 1 to 6 players with different names.",
    "TTTTTTTTTTTTT\nann": "no tile 13A: columns are 1..12, rows A..I.",
    "AA\n" * 10 + "ann": "10 rows, but a board has 9.",
    "ann 1A\nbob A": "is not a tile (3A), certificates (S2) or cash",
    "TTTTTTTTTTTT\nann 1I": "The game is over there: nothing is left to decide.",
}


@pytest.mark.parametrize("text", WRONG)
def test_position_that_cannot_be_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text(text)
    assert WRONG[text] in refused("perft", "--position", path)


def test_unknown_decision_and_file_are_refused(tmp_path: Path) -> None:
    assert "a cannot decide 'place 9I'. There are: 'place 1A'" in refused(
        "perft", "--after", "place 9I"
    )
    assert "cannot be read: No such file" in refused("perft", "--position", tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff")
    assert "cannot be read" in refused("perft", "--position", tmp_path / "bytes")
    assert "a bag of its own" in refused("perft", "--position", file("end"), "--bag", file("end"))
    assert "No game can be dealt" in refused("perft", "--players", 2)
    assert invoke("perft", "--rulebook", "classic", "--players", 2, "--depth", 1).exit_code == 0


def test_rulebook_of_the_default_is_revised() -> None:
    assert printed("perft", "--json")["counts"] == COUNTS["start"][REVISED.id][:3]
