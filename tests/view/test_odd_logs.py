"""Logs that are cut, foreign or far too long: shown as far as they go, or refused in a sentence."""

import gzip
import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import invoke

from acquire.admin.pages.html.replay_page import page
from acquire.admin.refereeing.log.reader import MAX_RECORDS, UnreadableLog, read, read_bytes
from acquire.admin.refereeing.view.turn_text import count_turns, turns_of

GOLDEN = Path(__file__).parents[1] / "golden"
LOG = GOLDEN / "classic-turn-undone.xml"
WHOLE = LOG.read_bytes()
SETTLED = WHOLE.index(b"<turn ")
"""Where the header and the set-up end."""
END = WHOLE.index(b"</match>")
CUT = "The log was cut short: what follows is missing."


def cuts(step: int) -> list[int]:
    """Places in a log: the end and the middle of every so many records."""
    borders = [found.end() for found in re.finditer(rb"\n", WHOLE[:END])]
    first = next(at for at, end in enumerate(borders) if end > WHOLE.index(b"<seat"))
    some = borders[first + 3 :: step]
    return sorted({*some, *(end - 9 for end in some[1:]), borders[-1], END + 3, END - 1})


def test_log_cut_anywhere_is_shown_up_to_the_cut_with_a_notice(soak: bool) -> None:
    places = cuts(17 if soak else 101)
    assert len(places) >= (60 if soak else 12)
    whole_turns, _ = turns_of(read(LOG))
    before = 0
    for end in places:
        record = read_bytes(Path("cut.xml"), WHOLE[:end])
        assert not record.complete
        begun = WHOLE[:end].rpartition(b"\n")[0].count(b"<turn ")
        turns, verdict = turns_of(record)
        assert verdict.divergence is None and begun >= before
        assert count_turns(turns) == begun and turns[0].title(0).plain == "The set-up"
        before = begun
        for turned, other in zip(turns[: begun + 1], whole_turns, strict=False):
            assert (turned.number, tuple(turned.state)[1:]) == (
                other.number,
                tuple(other.state)[1:],
            )
        found = re.search(r'id="data">(.*?)</script>', page(record), re.DOTALL)
        assert found is not None
        shown = json.loads(found[1])
        assert shown["notice"] == CUT
        assert sum(step["kind"] == "turn" for step in shown["steps"]) == begun
    assert before == len(whole_turns) - 2


@pytest.mark.parametrize("end", [SETTLED, len(WHOLE) // 3, END - 3000, END], ids=str)
def test_every_output_of_the_command_reports_that_a_log_is_cut(tmp_path: Path, end: int) -> None:
    log, html, svg = (tmp_path / name for name in ("cut.xml", "page.html", "board.svg"))
    log.write_bytes(WHOLE[:end])
    for options in ([], ["--html", html], ["--turn", "0"], ["--svg", svg], ["--verify"]):
        done = invoke("replay", log, *options)
        assert done.exit_code == 0, done.output
        assert "cut short" in done.output
    assert html.exists() and svg.exists()
    done = invoke("replay", log, "--turn", "99")
    assert (
        done.exit_code == 2 and "has turns 0 (the set-up) to" in done.output and CUT in done.output
    )


@pytest.mark.parametrize("end", [0, 20, 60, WHOLE.index(b"<bag>") + 30, WHOLE.index(b"<seat")])
def test_log_cut_before_its_last_seat_is_refused(tmp_path: Path, end: int) -> None:
    log = tmp_path / "cut.xml"
    log.write_bytes(WHOLE[:end])
    done = invoke("replay", log)
    assert done.exit_code == 2
    assert re.search(r"cut short within its first|is empty|does not begin with", done.output)


IMAGES = Path(__file__).parents[2] / "docs" / "images"

FOREIGN: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "the file is empty"),
    "a picture": (lambda: (IMAGES / "replay.png").read_bytes(), "begin"),
    "a drawing": (lambda: (IMAGES / "board.svg").read_bytes(), "begin"),
    "JSON": (lambda: b'{"match": 1}', "does not begin with <match rulebook=..>"),
    "a page": (lambda: b"<!DOCTYPE html><html></html>", "DOCTYPE"),
    "other XML": (lambda: b"<rss><channel/></rss>", "does not begin with <match rulebook=..>"),
    "JSON, compressed": (lambda: gzip.compress(b"{}"), "does not begin with"),
    "zeros": (lambda: bytes(100_000), "does not begin with"),
    "UTF-16": (lambda: WHOLE.decode().encode("utf-16"), "does not begin with"),
    "no UTF-8": (lambda: WHOLE[:900] + b"\xff" + WHOLE[900:], "line 12"),
    "a log ten times": (lambda: WHOLE * 10, "something follows its </match> in line"),
    "50 MB in a line": (lambda: b"<match " + b"x" * 50_000_000, "larger than 8388608 bytes"),
    "100 MB, compressed": (lambda: gzip.compress(b" " * 100_000_000, 1), "larger than any"),
    "too many records": (
        lambda: WHOLE[:SETTLED] + b'<turn number="x" player="y"/>\n' * MAX_RECORDS + WHOLE[END:],
        "records",
    ),
    "too many mistakes": (
        lambda: WHOLE[:SETTLED] + b'<turn number="x" player="y"/>\n' * 15_000 + WHOLE[END:],
        "line 13: Element 'turn'",
    ),
    "too many attributes": (
        lambda: (
            WHOLE[:SETTLED]
            + b"<turn %s/>" % b" ".join(b'a%d=""' % n for n in range(400_000))
            + WHOLE[END:]
        ),
        "line 13: an element has more than 16 attributes",
    ),
    "a number too long for Python": (
        lambda: WHOLE.replace(b'latency="', b'latency="' + b"0" * 5000, 1),
        "a number has 1,000 digits or more",
    ),
    "deep": (lambda: WHOLE[:SETTLED] + b"<a>" * 100_000 + b"</match>", "depth"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_file_that_is_not_a_game_log_is_refused_at_once(tmp_path: Path, name: str) -> None:
    make, why = FOREIGN[name]
    log = tmp_path / "log.xml"
    log.write_bytes(make())
    began = time.process_time()
    done = invoke("replay", log, "--html", tmp_path / "page.html")
    assert time.process_time() - began < 5
    assert done.exit_code == 2
    assert done.output.startswith(f"Error: {log}") and why in done.output
    assert len(done.output.splitlines()) == 1 and done.output.endswith(".\n")
    assert not (tmp_path / "page.html").exists()


def test_folder_is_refused(tmp_path: Path) -> None:
    done = invoke("replay", tmp_path, "--turn", "3")
    assert done.exit_code == 2 and "Is a directory. Expected the log of one game" in done.output


def test_turns_after_the_end_do_not_belong_to_the_game(tmp_path: Path) -> None:
    log, html = tmp_path / "log.xml", tmp_path / "page.html"
    log.write_bytes(WHOLE[:END] + WHOLE[SETTLED:END] * 9 + WHOLE[END:])
    done = invoke("replay", log, "--html", html)
    assert done.exit_code == 1
    assert "diverges: line " in done.output and "the game was over" in done.output
    once, _ = turns_of(read(LOG))
    turns, _ = turns_of(read(log))
    assert [turned.number for turned in turns] == [turned.number for turned in once]
    assert "is shown up to there" in html.read_text()


def test_every_output_of_the_command_reports_a_divergence(tmp_path: Path) -> None:
    log, html, svg = (tmp_path / name for name in ("log.xml", "page.html", "board.svg"))
    at = WHOLE.index(b'amount="', END // 2) + 8
    log.write_bytes(WHOLE[:at] + b"1" + WHOLE[at:])
    for options in ([], ["--html", html], ["--turn", "3"], ["--svg", svg], ["--verify"]):
        done = invoke("replay", log, *options)
        assert done.exit_code == 1, done.output
        assert done.output.count("diverges: line ") == 1
    done = invoke("replay", log, "--turn", "61")
    assert done.exit_code == 2 and "The log diverges from the rules" in done.output


def test_records_are_all_there_after_the_schema_has_seen_them() -> None:
    record = read(LOG)
    lines = WHOLE[WHOLE.index(b"<start-tile") : END].splitlines()
    assert len(record.elements) == len(lines)
    first = record.elements[0].sourceline
    assert first is not None
    assert [each.sourceline for each in record.elements] == list(range(first, first + len(lines)))


def test_mistake_in_a_late_record_is_found() -> None:
    at = WHOLE.rindex(b'rank="')
    with pytest.raises(UnreadableLog, match=r"line \d+: Element 'ranked', attribute 'rank'"):
        read_bytes(Path("log.xml"), WHOLE[:at] + b'rank="x' + WHOLE[at + 6 :])
