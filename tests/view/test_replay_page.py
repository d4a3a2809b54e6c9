"""The replay page as a file: whole in itself, and as far as the log goes."""

import html
import json
import re
from pathlib import Path

import pytest
from command_line import refused, succeed

from acquire.admin.pages.html.replay_page import page
from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.view.frames import frames_of

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.xml"))
LOG = GOLDEN[0].with_name("revised-large-hotel.xml")
NAMESPACE = "http://www.w3.org/2000/svg"


def data_of(text: str) -> dict[str, object]:
    """What the page holds for its script."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.soak] if number % 4 else [])
        for number, path in enumerate(GOLDEN)
    ],
)
def test_page_is_one_file_that_asks_for_nothing(path: Path) -> None:
    record = read(path)
    text = page(record)
    assert set(re.findall(r"https?://[^\"'\s<]+", text)) == {NAMESPACE}
    assert not re.search(r"<(link(?! rel=.icon. href=.data:)|img|iframe|script src)", text)
    policy = re.search(r'Security-Policy" content="([^"]*)"', text)
    assert policy is not None and html.unescape(policy[1]).startswith("default-src 'none'; script")
    assert len(text.encode()) < 300_000
    assert data_of(text)["events"] == ""
    assert data_of(text)["steps"] == frames_of(record)[0]


@pytest.mark.parametrize(
    ("name", "spoil", "expected"),
    [
        ("revised-large-hotel", lambda text: text[: len(text) // 2], "was cut short"),
        ("revised-interrupted", lambda text: text, "was interrupted"),
        (
            "revised-large-hotel",
            lambda text: 'amount="1'.join(text.rpartition('amount="')[::2]),
            "diverges from the rules",
        ),
        ("revised-large-hotel", lambda text: text, ""),
    ],
)
def test_page_shows_what_is_missing(
    tmp_path: Path, name: str, spoil: object, expected: str
) -> None:
    assert callable(spoil)
    log = tmp_path / "log.xml"
    log.write_text(spoil(GOLDEN[0].with_name(f"{name}.xml").read_text()))
    data = data_of(page(read(log)))
    assert isinstance(data["steps"], list) and len(data["steps"]) > 10
    assert expected in str(data["notice"]) if expected else data["notice"] == ""


def test_command_writes_page_and_picture_of_a_turn(tmp_path: Path) -> None:
    written, svg = tmp_path / "game.html", tmp_path / "turn.svg"
    options = ["--html", str(written), "--turn", "9", "--svg", str(svg)]
    succeed("replay", LOG, *options)
    assert written.read_text().startswith("<!DOCTYPE html>") and "<svg" in svg.read_text()
    assert "Turn 9 of 72: " in succeed("replay", LOG, "--turn", "9").output


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--turn", "999"], r"has turns 0 (the set-up) to 73 (the end), not 999."),
        (["--html", "no/folder/x.html"], "No such file"),
        (["--step"], "Stepping needs a terminal"),
    ],
)
def test_what_cannot_be_shown_is_refused(options: list[str], expected: str) -> None:
    assert expected in refused("replay", LOG, *options)
