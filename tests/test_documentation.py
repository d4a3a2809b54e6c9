"""The documentation says what the code does, wherever that can be checked."""

import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from command_line import invoke, on_one_line
from quick_players import BUILT_IN
from test_architecture import HALLS, TOP

from acquire.admin.cli.main import acquire as command_line
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.in_process import play
from acquire.admin.refereeing.play.referee import Referee
from acquire.admin.testing.cases.catalogue import cases_for
from acquire.admin.testing.servers import requirements
from acquire.admin.testing.servers.plans import cast_for
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.violation import Violation
from acquire.protocol.conversation import DIALECT_TABLE, TABLE, Table
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.framing import LIMIT_FROM_PLAYER
from acquire.protocol.reading import MAX_DEPTH, player_reader, referee_reader

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PROTOCOL = (ROOT / "docs" / "reference" / "protocol.md").read_text()
README = (ROOT / "README.md").read_text()
FIRST_GAME = (ROOT / "docs" / "start" / "first-game.md").read_text()
PLAYERS = (ROOT / "docs" / "reference" / "players.md").read_text()
TOURNAMENTS = (ROOT / "docs" / "instructors" / "tournaments.md").read_text()
GRADING = (ROOT / "docs" / "instructors" / "grading.md").read_text()
HAND_INS = (ROOT / "docs" / "instructors" / "hand-ins.md").read_text()
GUIDE = (ROOT / "docs" / "students" / "write-a-player.md").read_text()
FAILED = (ROOT / "docs" / "students" / "when-it-fails.md").read_text()

SHOWN_CASE = re.compile(r"^[✗!] \w+  (\d+\.\d+)  (.+)$", re.MULTILINE)
COURSE, DIALECT = PROTOCOL.split("## The other rulebooks")


def test_diagrams_are_the_conversations() -> None:
    drawn = re.findall(r"```mermaid\n(.*?)```", PROTOCOL, re.DOTALL)
    assert drawn == [diagram(TABLE), diagram(DIALECT_TABLE)]


def diagram(table: Table) -> str:
    """A table as a Mermaid state diagram, without ejections, which are possible anywhere."""
    lines = ["stateDiagram-v2", "    [*] --> connected"]
    for step, side, message, then in table:
        if message != "ejected":
            start, end = (re.sub(r"\W+", "_", each.value) for each in (step, then))
            lines.append(f"    {start} --> {end} : {side.value}> {message}")
    return "\n".join([*lines, "    over --> [*]", ""])


def test_every_rule_and_reason_is_explained() -> None:
    for violation in set(Violation) - {Violation.TOO_MANY}:  # which is invalid by the schema
        assert f"| `{violation.value}` | {violation.sentence} |" in PROTOCOL
    for reason in Reason:
        assert f"`{reason.value}`" in PROTOCOL


def test_limits_are_the_real_ones() -> None:
    assert f"{LIMIT_FROM_PLAYER} bytes" in PROTOCOL
    assert f"deeper than {MAX_DEPTH}" in PROTOCOL


def test_prices_are_those_of_the_rulebook() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d*) ?\| (\d*) ?\| (\d*) ?\|$", PROTOCOL, re.MULTILINE)
    assert len(rows) == 11
    columns = {"cheap": 1, "medium": 2, "expensive": 3}
    for hotel, prices in zip(REVISED.hotels, REVISED.prices, strict=True):
        column = columns[hotel.tier]
        for size, price in enumerate(prices):
            held = [int(row[0]) for row in rows if row[column] and int(row[column]) <= size]
            assert max(held, default=0) == price, (hotel.name, size)


@pytest.mark.parametrize(
    ("part", "rulebook", "least"), [(COURSE, REVISED, 8), (DIALECT, CLASSIC, 10)]
)
def test_examples_are_valid_messages(part: str, rulebook: Rulebook, least: int) -> None:
    """Every element of the page that is a whole message of one side can be read."""
    players, asking = player_reader(rulebook), referee_reader(rulebook)
    read = 0
    for side, text in re.findall(r"([AP])> (<[a-z]+[^.\n]*?>)(?=\s{2,}|\n)", part):
        if "..." in text or "{" in text or "board bank" in text:
            continue
        document = text.strip().encode()
        root = players.parse(document)
        reader = players if side == "P" else asking
        assert not isinstance(reader.convert(root, document), Fault), text
        read += 1
    assert read >= least


@pytest.mark.parametrize(("part", "rulebook"), [(COURSE, REVISED), (DIALECT, CLASSIC)])
def test_positions_laid_out_for_reading_are_valid(part: str, rulebook: Rulebook) -> None:
    (text,) = re.findall(r"```xml\n(<turn>.*?</turn>)\n```", part, re.DOTALL)
    document = text.replace("> ... <", "><").encode()
    reader = referee_reader(rulebook)
    assert not isinstance(reader.convert(reader.parse(document), document), Fault)


GENERATED = runpy.run_path(str(ROOT / "docs" / "generate.py"))["generated"]()


@pytest.mark.parametrize("name", GENERATED)
def test_generated_files_are_current(name: str) -> None:
    assert (ROOT / "docs" / name).read_text() == GENERATED[name], "out of date; run: make docs"


def commands_of(text: str) -> list[list[str]]:
    """Return the words of each command of ours in blocks of code and in code within a line."""
    blocks = re.findall(r"```(?:console)?\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if "acquire " in line]
    lines += re.findall(r"`(acquire [a-z][^`]*)`", text)
    found = []
    for line in lines:
        start = re.match(r"^(?:\$ |\w+\$ )?(?:.*/)?acquire ([a-z].*)", line)
        if start is not None and "[OPTIONS]" not in line:
            words = re.split(r"\s+#|[&;]\s*$|\s&&\s|\s\\$", start[1])[0]
            found.append(shlex.split(words))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_have_the_options_that_pages_name(page: Path) -> None:
    for words in commands_of(page.read_text()):
        command: click.Command | None = command_line
        while isinstance(command, click.Group) and words:
            command = command.get_command(click.Context(command), words.pop(0))
        assert command is not None, words
        known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
        ours = words[: words.index("--")] if "--" in words else words
        named = {word.partition("=")[0] for word in ours if re.match(r"--?[a-z][^ ]*$", word)}
        assert named <= {*known, "--help"}, (command.name, named - known)


def test_hotels_of_the_other_edition_are_named() -> None:
    names = [hotel.name for hotel in CORPORATIONS.hotels]
    assert f"{', '.join(names[:-1])} and {names[-1]}" in DIALECT


def test_built_in_players_are_described() -> None:
    assert all(f"| `{name}` |" in PLAYERS for name in BUILT_IN)


def test_number_of_check_cases_is_the_real_one() -> None:
    cases = len(cases_for(REVISED))
    assert f": {cases} cases, and" in README
    assert f"autograder: {cases} cases" in GRADING
    assert f"{cases} of {cases} passed." in GUIDE


def test_demo_is_the_game_that_its_page_shows() -> None:
    demo = runpy.run_path(str(ROOT / "docs" / "examples" / "demo.py"))
    seats = demo["SEATS"]
    facts: list[Event] = []
    dealer = Dealer(demo["SEED"])
    referee = Referee(REVISED, seats, dealer.bag, dealer.shuffle, facts.append)
    outcome = play(referee.play(), {name: BUILT_IN[name](REVISED, 0) for name in seats})
    assert f"verified: {len(facts)} facts, {outcome.turns} turns, log complete." in FIRST_GAME
    stronger = (ROOT / "docs" / "students" / "stronger.md").read_text()
    for turn, name in re.findall(r"--from (\d+) --seat ([a-z-]+)=", stronger):
        assert seats[(int(turn) - 1) % len(seats)] == name, "it is another player's turn"
    shown = re.findall(r"^ +(\d)   (\S+) +([\d,]+)$", FIRST_GAME, re.MULTILINE)
    standings = [(str(each.rank), each.name, f"{each.score:,}") for each in outcome.standings]
    assert shown == standings


ATTEMPTS = 3
"""How often a case is played: on a busy machine a player can be late, and the check reports it."""


def test_cases_that_pages_show_have_their_numbers() -> None:
    cast = cast_for(REVISED).members.values()
    cases = [*cases_for(REVISED), *requirements.cases_for(REVISED, cast)]
    titles = {(case.number, case.title) for case in cases}
    shown = [found for page in PAGES for found in SHOWN_CASE.findall(page.read_text())]
    assert shown and not {*shown} - titles


def test_failed_case_looks_as_in_the_guide(tmp_path: Path) -> None:
    starter = (ROOT / "player" / "starters" / "python" / "player.py").read_text()
    wrong = tmp_path / "player.py"
    wrong.write_text(starter.replace("True, 8000, 12,", "True, 8000, 13,"))
    assert wrong.read_text() != starter
    player = (sys.executable, wrong, "{host}", "{port}", "{name}")
    (sample,) = re.findall(r"```\n(✗ failed.*?)```", FAILED, re.DOTALL)
    output = ""
    for _ in range(ATTEMPTS):
        done = invoke("check", "--only", "4.6", "--", *player, columns=110)
        output = on_one_line(done.stdout.replace("─", ""))
        if on_one_line(sample) in output:
            return
    pytest.fail(output)


def test_tournament_files_are_valid(tmp_path: Path) -> None:
    (first,) = re.findall(r"```toml\n(.*?)```", TOURNAMENTS, re.DOTALL)
    semester, grades = re.findall(r"```toml\n(.*?)```", HAND_INS, re.DOTALL)
    (tmp_path / "ada").mkdir()
    file = tmp_path / "course.toml"
    file.write_text(first + grades)
    assert len(getattr(read_plan(file).grades, "scale", ())) == 3
    assert [player.name for player in read_plan(file).players] == ["ada", "investor", "random"]
    for team in ("team-a", "team-b", "team-c", "team-d"):
        (tmp_path / "handed-in" / team).mkdir(parents=True)
        (tmp_path / "handed-in" / team / "player.py").touch()
    (tmp_path / "roster.csv").write_text("id,name,team,section\ns1,Ada,team-a,\n")
    file.write_text(semester)
    assert read_plan(file).names == ("team-a", "team-b", "team-c", "team-d")


def anchors_of(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    links = re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", text)
    for link, anchor in [*links, *((image, "") for image in re.findall(r"src=\"([^\"]+)\"", text))]:
        if "://" not in link:
            target = page.parent / link if link else page
            assert target.exists(), link
            assert not anchor or target.suffix != ".md" or anchor in anchors_of(target), anchor


def test_design_names_modules_that_exist() -> None:
    design = "".join(page.read_text() for page in (ROOT / "docs" / "project").glob("design*.md"))
    named = re.findall(r"`((?:\w+\.)*\w+\.\w+)`", design)
    paths = [path for top in TOP for path in (ROOT / top).rglob("*.py")]
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths}
    rooms = {name.rpartition(".")[0].rpartition(".")[2] for name in modules} - {""}
    rooms -= {"acquire"}  # which is also the first part of the names of entry points
    files = ("py", "xsd")
    of_rooms = [name for name in named if name.split(".")[-2] in rooms and not name.endswith(files)]
    assert len(of_rooms) >= 3
    for name in of_rooms:
        found = any(f".acquire.{module}".endswith(f".{name}") for module in modules)
        assert found, name


def test_way_through_the_core_names_files_that_exist() -> None:
    """Each row has the folder of its files, which the first of them may have."""
    core = (ROOT / "docs" / "project" / "core.md").read_text()
    rows = re.findall(r"^\| \d+ \| (.*?) \| .* \| `(.*?)` \|$", core, re.MULTILINE)
    assert len(rows) == 10
    for read, tests in rows:
        assert (ROOT / tests).is_file()
        folder, *names = (name.strip("`") for name in re.findall(r"`[^`]+`", read))
        if not folder.endswith("/"):
            folder, names = os.path.dirname(folder), [os.path.basename(folder), *names]
        for name in names:
            assert (ROOT / folder / name).is_file(), f"{folder} {name}"


def test_design_lists_every_hall_and_what_it_imports() -> None:
    design = (ROOT / "docs" / "project" / "design.md").read_text()
    table = design.partition("| hall | imports |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == {*HALLS}


def test_recipe_for_gradescope_writes_its_results(tmp_path: Path) -> None:
    (recipe,) = re.findall(r"```\n(cd /autograder.*?)```", GRADING, re.DOTALL)
    here, last = recipe.replace("/autograder", shlex.quote(str(tmp_path))).splitlines()
    player = tmp_path / "submission" / "player.py"
    player.parent.mkdir()
    (tmp_path / "results").mkdir()
    player.write_text((ROOT / "player" / "starters" / "python" / "player.py").read_text())
    case = last.replace("acquire check", "acquire check --only 4.1 --connect-timeout 60")
    found = Path(sys.executable).parent
    path = os.environ | {"PATH": f"{found}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["bash", "-c", f"{here} && {case}"], env=path, timeout=120, check=True)
    (test,) = json.loads((tmp_path / "results" / "results.json").read_text())["tests"]
    assert test["score"] == 1


def test_pages_name_tests_that_exist() -> None:
    for page in (ROOT / "docs" / "trust").glob("*.md"):
        for name in re.findall(r"`((?:tests/)?(?:\w+/)*test_\w+\.py)`", page.read_text()):
            found = (ROOT / name).exists() if "/" in name else [*(ROOT / "tests").rglob(name)]
            assert found, f"{page.name}: {name}"
