"""The rulebooks on the command line: shown side by side, one by one, and chosen for a table."""

import json
from functools import cache
from pathlib import Path

import pytest
from command_line import invoke, on_one_line, process, succeed
from loops import for_each
from lxml import etree

from acquire.admin.advising.rulebooks.rows import ROWS
from acquire.admin.advising.rulebooks.tables import LEGEND
from acquire.game.rulebooks import RULEBOOKS

ROOT = Path(__file__).parents[2]
IDS = ["revised", "corporations", "classic", "wikipedia", "digest"]
CHOICES = "Choose one of revised, corporations, classic, wikipedia, digest, or name a TOML file."
SECTIONS = ["Setup", "Hotels and prices", "Placing a tile", "A merger", "Buying",
            "Drawing, and hands that cannot move", "The end", "Two players"]  # fmt: skip


@cache
def shown(*arguments: str, columns: int = 80) -> str:
    """What the command prints if it succeeds."""
    done = invoke("rulebooks", *arguments, columns=columns)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


# In a terminal


@for_each("name", [*IDS, ""])
def test_every_row_is_shown_with_its_cell_and_mark(name: str) -> None:
    """Of one rulebook beside the title, of several once for all that have it."""
    text = on_one_line(shown(*name.split(), columns=90))
    for row in ROWS:
        for rulebook in [RULEBOOKS[name]] if name else RULEBOOKS.values():
            cell = row.cell(rulebook)
            alone = f"• {row.whole_title}: {cell}{row.mark(rulebook)}"
            assert (alone if name else cell) in text, row.slug
    assert on_one_line(LEGEND) in text
    assert "• players • revised ‡, wikipedia: 3 to 6 • corporations †" in text or name


@for_each(
    ("arguments", "columns"),
    [
        *[([], columns) for columns in (80, 99, 100, 120, 200)],
        *[(["revised"], columns) for columns in (80, 100, 200)],
    ],
    ids=lambda value: " ".join(value) or "all" if isinstance(value, list) else None,
)
def test_no_line_is_longer_than_the_terminal_is_wide(arguments: list[str], columns: int) -> None:
    lines = shown(*arguments, columns=columns).splitlines()
    assert len(lines) > len(ROWS)
    assert max(map(len, lines)) <= columns
    assert not any("…" in line for line in lines), "nothing is cut off"


@pytest.mark.parametrize(
    ("columns", "arguments"), [(60, []), pytest.param(160, ["wikipedia"], marks=pytest.mark.soak)]
)
def test_output_is_plain_in_a_pipe(
    columns: int, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = process("rulebooks", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    text = done.stdout
    assert text == shown(*arguments, columns=columns)
    assert "\x1b" not in text
    assert text.isprintable() or set(filter(lambda sign: not sign.isprintable(), text)) == {"\n"}


REVISED_PRICES = """
    $200 2 0-1 $2,000 $1,000
    $300 3 2 0-1 $3,000 $1,500
    $400 4 3 2 $4,000 $2,000
    $500 5 4 3 $5,000 $2,500
    $600 6-10 5 4 $6,000 $3,000
    $700 11-20 6-10 5 $7,000 $3,500
    $800 21-30 11-20 6-10 $8,000 $4,000
    $900 31-40 21-30 11-20 $9,000 $4,500
    $1,000 41+ 31-40 21-30 $10,000 $5,000
    $1,100 41+ 31-40 $11,000 $5,500
    $1,200 41+ $12,000 $6,000
"""
PRICES = REVISED_PRICES.replace("2 0-1", "2").replace("3 2 0-1", "3 2")
SEVEN = "American Sackson Festival Continental majority minority price Worldwide Imperial Tower"
CORPORATIONS = "America Sackson Fusion Phoenix majority minority price Zeta Hydra Quantum"


@for_each(
    ("name", "heads", "prices"),
    [
        ("revised", SEVEN, REVISED_PRICES),
        ("corporations", CORPORATIONS, PRICES),
        ("classic", SEVEN, PRICES),
        ("wikipedia", SEVEN, PRICES),
        ("digest", CORPORATIONS, PRICES),
    ],
)
def test_one_rulebook_is_shown_with_its_prices(name: str, heads: str, prices: str) -> None:
    _, _, table = shown(name).partition("The sizes at which each price holds.")
    above, _, below = table.partition("─")
    assert on_one_line(above).replace(",", "") == f"{name} {heads} bonus bonus"
    printed = [on_one_line(line) for line in below.splitlines() if "$" in line]
    assert printed == [on_one_line(line) for line in prices.strip().splitlines()]


# For the documentation, whose page of the rulebooks is this one, and for programs


@pytest.mark.parametrize("ids", [IDS, ["classic"]])
def test_markdown_has_every_row_and_each_price(ids: list[str]) -> None:
    page = shown("--markdown", *ids)
    lines = page.splitlines()
    assert lines[0] == "# The rulebooks"
    assert [line[3:] for line in lines if line.startswith("## ")] == [*SECTIONS, "Prices"]
    written = page.partition("## Prices")[0]
    for row in ROWS:
        for each in ids:
            assert row.cell(RULEBOOKS[each]) in written, row.slug
    assert LEGEND in page
    assert "| $300 | 3 | 2 |  | $3,000 | $1,500 |" in lines
    assert page.endswith("|\n") and "\x1b" not in page


def test_json_has_every_row_hotel_and_price() -> None:
    printed = json.loads(shown("--json"))
    assert [book["id"] for book in printed] == IDS
    for book in printed:
        rulebook = RULEBOOKS[book["id"]]
        assert book["title"] == rulebook.title
        assert book["rows"] == {row.slug: row.cell(rulebook) for row in ROWS}
        assert book["decided"] == [row.slug for row in ROWS if row.mark(rulebook)]
        hotels = [(hotel["name"], hotel["tier"]) for hotel in book["hotels"]]
        assert hotels == [tuple(hotel) for hotel in rulebook.hotels]
        assert [*book["prices"]] == [name for name, _ in hotels]
        assert [tuple(prices) for prices in book["prices"].values()] == [*rulebook.prices]
    assert printed[0]["prices"]["Continental"][8] == 800


def test_json_of_one_rulebook_is_a_list_of_it_alone() -> None:
    (alone,) = json.loads(shown("--json", "digest"))
    assert alone == json.loads(shown("--json"))[-1]


# Choosing one


@for_each(
    "arguments",
    [
        ["rulebooks", "nonsense"],
        ["rulebooks", "nonsense", "--json"],
        ["rulebooks", "nonsense", "--markdown"],
        ["serve", "--rulebook", "nonsense"],
        ["serve", "--rulebook", "Revised"],
    ],
    ids=" ".join,
)
def test_unknown_rulebook_is_refused_with_the_known_ones(arguments: list[str]) -> None:
    done = invoke(*arguments)
    named = "Revised" if "Revised" in arguments else "nonsense"
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"'{named}' is not a rulebook. {CHOICES}" in on_one_line(done.stderr)


@pytest.mark.parametrize("name", ["revised", "classic"])
def test_assets_cannot_be_hidden_where_the_rulebook_keeps_them_open(
    name: str, tmp_path: Path
) -> None:
    done = invoke(
        "serve", "--rulebook", name, "--hide", "both", "--port", "0", "--log-dir", tmp_path / "logs"
    )
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'--hide'" in done.stderr
    assert f"rulebook {name} keeps cash and certificates open." in on_one_line(done.stderr)
    assert not (tmp_path / "logs").exists(), "it began"


@pytest.mark.parametrize(
    ("name", "players", "error"),
    [
        ("revised", "2", "2 is not between 3 and 6, which rulebook revised allows"),
        ("wikipedia", "2", "2 is not between 3 and 6, which rulebook wikipedia allows"),
        ("classic", "1", "1 is not between 2 and 6, which rulebook classic allows"),
        ("corporations", "7", "7 is not between 2 and 6, which rulebook corporations allows"),
    ],
)
def test_rulebook_limits_how_many_can_play(name: str, players: str, error: str) -> None:
    done = invoke("serve", "--rulebook", name, "--players", players, "--port", "0")
    assert (done.exit_code, done.stdout) == (2, "")
    assert error in on_one_line(done.stderr)


@pytest.mark.parametrize(
    ("name", "players", "options", "assets"),
    [
        ("corporations", "2", ["--hide", "both", "--validate-output"], "hidden"),
        ("corporations", "3", [], None),
        ("classic", "2", [], None),
        ("wikipedia", "3", ["--hide", "cash"], "cash-hidden"),
        ("digest", "2", ["--hide", "certificates"], "certificates-hidden"),
    ],
)
def test_game_is_played_and_logged_by_the_rulebook_chosen(
    name: str, players: str, options: list[str], assets: str | None, tmp_path: Path
) -> None:
    table = ["--rulebook", name, "--players", players, "--fill", "ordered", "--seed", "4"]
    server = ["--port", "0", "--signup-timeout", "0.1", "--log-dir", str(tmp_path), "--json"]
    done = invoke("serve", *table, *server, *options)
    assert done.exit_code == 0, done.stderr
    (log,) = tmp_path.glob("*.xml")
    assert log.name == f"{name}-seed4-game1.xml"
    game = etree.parse(log).getroot()
    assert (game.get("rulebook"), game.get("assets")) == (name, assets)
    succeed("replay", log, "--verify")
