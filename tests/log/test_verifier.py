"""What a verification finds: every recorded fact is compared with what follows by the rules."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

from acquire import schemas
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verification, Verifier
from acquire.game.turn import Ending
from log.played import play_logged


def verify(path: Path) -> Verification:
    return Verifier(read(path)).verify()


def verify_text(folder: Path, text: str) -> Verification:
    """Verify what a log has become."""
    changed = folder / "changed.xml"
    changed.write_text(text)
    return verify(changed)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_logged(tmp_path_factory.mktemp("logs"), 11)


def test_log_is_valid_and_holds(log: Path) -> None:
    tree = etree.parse(log)
    schemas.load("match-log").assertValid(tree)
    verdict = verify(log)
    assert verdict.divergence is None
    assert verdict.ending is not None
    assert verdict.facts == len(tree.getroot()) - 1 - 3


def test_verifier_returns_the_outcome(log: Path) -> None:
    outcome = verify(log).outcome
    assert outcome.ending is not Ending.INTERRUPTED
    assert [standing.rank for standing in outcome.standings] == [1, 2, 3]
    scores = [int(element.get("score", "")) for element in etree.parse(log).iter("ranked")]
    assert [standing.score for standing in outcome.standings] == scores


def _edit(pattern: str, change: Callable[[str], str]) -> Callable[[str], str]:
    """Return a change to the middle one of what a pattern finds in a log."""

    def apply(text: str) -> str:
        found = list(re.finditer(pattern, text))
        one = found[len(found) // 2]
        return text[: one.start()] + change(one.group()) + text[one.end() :]

    return apply


TAMPERED: dict[str, Callable[[str], str]] = {
    "a bonus": _edit(r'<bonus [^>]*amount="\d+', lambda old: old + "0"),
    "what was bought": _edit(r"<bought [^>]*/>\n", lambda _: ""),
    "a price paid": _edit(r'<bought [^>]*amount="\d', lambda old: old[:-1] + "9"),
    "a drawn tile": _edit(
        r'<drew [^>]*tile="\d+[A-I]', lambda old: old[:-1] + "IA"[old[-1] == "I"]
    ),
    "a placement": _edit(
        r'<tile column="\d+', lambda old: f'<tile column="{int(old[14:]) % 12 + 1}'
    ),
    "the score": _edit(r'<ranked rank="1"[^>]*score="', lambda old: old + "1"),
    "the winner": _edit(r'<ranked rank="1"', lambda _: '<ranked rank="2"'),
    "the ending": _edit(r'ending="[^"]*"', lambda _: 'ending="large-hotel"'),
    "the number of turns": _edit(r'turns="', lambda old: old + "1"),
    "who moved": _edit(r'<turn number="\d+" player="[a-z]+"', lambda old: old[:-4] + 'zed"'),
    "the seed": _edit(r'seed="11"', lambda _: 'seed="12"'),
    "the bag": _edit(r"<bag>\S+ \S+", lambda old: "<bag>" + " ".join(old[5:].split()[::-1])),
    "a record twice": _edit(r"<drew [^>]*/>\n", lambda old: old * 2),
    "an answer left out": _edit(r'<answer [^>]*to="state".*\n', lambda _: ""),
    "the standings left out": _edit(r"(<ranked .*\n)+", lambda _: ""),
    "what was answered": _edit(
        r'to="state" latency="\d+"><void/>', lambda old: old[:-7] + "<keep><true/></keep>"
    ),
    "what a tile was answered": _edit(
        r'to="tile" latency="\d+"><void/>',
        lambda old: old[:-7] + '<order><hotel label="Tower"/></order>',
    ),
    "to what was answered": _edit(r'to="score"', lambda _: 'to="state"'),
    "an answer to the score left out": _edit(r'<answer [^>]*to="score".*\n', lambda _: ""),
    "all answers to the score left out": _edit(r'(<answer [^>]*to="score".*\n)+', lambda _: ""),
    "the last answer left out": lambda text: (
        "".join(line for line in text.splitlines(keepends=True)[:-2]) + "</match>\n"
    ),
    "all after the last turn left out": _edit(r"<ended (.*\n)+(?=</match>)", lambda _: ""),
    "all after the ending left out": _edit(
        r"(?<=turns=\"67\"/>\n)(.*\n)+(?=</match>)", lambda _: ""
    ),
    "an ending in the middle": _edit(
        r'<turn number="2".*\n', lambda old: '<ended ending="interrupted" turns="1"/>\n' + old
    ),
    "more behind the end": _edit("</match>", lambda old: '<turn number="99" player="ann"/>' + old),
}


@pytest.mark.parametrize("tamper", TAMPERED.values(), ids=TAMPERED)
def test_any_changed_fact_diverges(log: Path, tmp_path: Path, tamper: Callable[[str], str]) -> None:
    changed = tamper(log.read_text())
    assert changed != log.read_text()
    assert verify_text(tmp_path, changed).divergence is not None


def test_divergence_names_the_place_and_the_difference(log: Path, tmp_path: Path) -> None:
    changed = TAMPERED["a bonus"](log.read_text())
    lines = zip(log.read_text().split("\n"), changed.split("\n"), strict=True)
    line = next(number for number, (old, new) in enumerate(lines, 1) if old != new)
    divergence = verify_text(tmp_path, changed).divergence
    assert divergence is not None
    assert divergence.startswith(f"line {line}, turn ")
    assert "recorded <bonus" in divergence
    assert "the rules give <bonus" in divergence


def test_latencies_are_not_compared(log: Path, tmp_path: Path) -> None:
    changed = re.sub(r'latency="\d+"', 'latency="77" lag="5"', log.read_text())
    assert verify_text(tmp_path, changed).divergence is None


def test_divergence_names_the_player_expected_to_answer(log: Path, tmp_path: Path) -> None:
    changed = TAMPERED["an answer left out"](log.read_text())
    divergence = verify_text(tmp_path, changed).divergence
    assert divergence is not None and divergence.endswith("expected 'bob' to answer.")


@pytest.fixture(scope="module")
def log_of_a_cheat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = play_logged(tmp_path_factory.mktemp("logs"), 11, cheats="bob")
    assert 'rule="tile-not-in-hand"' in path.read_text()
    assert verify(path).divergence is None
    return path


def test_wording_of_an_ejection_is_not_compared(log_of_a_cheat: Path, tmp_path: Path) -> None:
    text = log_of_a_cheat.read_text()
    changed = re.sub(r' detail="[^"]*"', ' detail="The words of another version."', text)
    assert changed != text
    assert verify_text(tmp_path, changed).divergence is None


def test_rule_that_an_ejected_player_broke_is_compared(
    log_of_a_cheat: Path, tmp_path: Path
) -> None:
    text = log_of_a_cheat.read_text()
    changed = text.replace('rule="tile-not-in-hand"', 'rule="order-too-dear"')
    divergence = verify_text(tmp_path, changed).divergence
    right = '<ejected player="bob" reason="illegal" rule="tile-not-in-hand"'
    assert divergence is not None and f"the rules give {right}" in divergence


def test_bag_after_an_ejection_is_compared(log_of_a_cheat: Path, tmp_path: Path) -> None:
    text = log_of_a_cheat.read_text()
    swapped = re.sub(r"(<ejected .*<bag>)(\S+) (\S+)", r"\1\3 \2", text)
    assert swapped != text
    divergence = verify_text(tmp_path, swapped).divergence
    assert divergence is not None and "recorded <ejected" in divergence


def test_log_cut_anywhere_is_read_as_far_as_it_goes(log: Path, tmp_path: Path) -> None:
    data = log.read_bytes()
    seats_end = data.index(b"<answer")
    chance = random.Random(8)
    cut = tmp_path / "cut.xml"
    facts = []
    for end in sorted(
        chance.randrange(seats_end, len(data) - len("</match>\n")) for _ in range(40)
    ):
        cut.write_bytes(data[:end])
        record = read(cut)
        assert not record.complete
        verdict = Verifier(record).verify()
        assert verdict.divergence is None, end
        assert verdict.facts == data[:end].count(b"\n") - data[:seats_end].count(b"\n")
        facts.append(verdict.facts)
    assert facts == sorted(facts)


def test_log_cut_after_an_ejection_in_a_batch_holds_so_far(tmp_path: Path) -> None:
    """Of the last batch some answers are there, and one of them is a fault."""
    path = play_logged(tmp_path, 21, leaves="bob")
    lines = path.read_text().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith("<ejected"))
    assert 'to="state"' in lines[at]
    verdict = verify_text(tmp_path, "".join(lines[: at + 1]))
    assert verdict.divergence is None
    assert verdict.facts == at + 1 - (2 + 1 + 3)


def test_white_space_in_a_reason_is_read(tmp_path: Path) -> None:
    path = play_logged(tmp_path, 21, leaves="bob")
    path.write_text(path.read_text().replace('reason="disconnected"', 'reason=" disconnected "'))
    assert verify(path).divergence is not None  # not as it was written, and no crash either
