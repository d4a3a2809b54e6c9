"""Pages whose commands are run as they stand, in the order of the page, and print what is shown."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import invoke
from tournament_process import SHORT

DOCS = Path(__file__).parents[1] / "docs"
BIN = Path(sys.executable).parent
SHORTER = {"deals = 5": 'deals = 1\nrulebook = "short.toml"'}
"""What the tests make of the pages' tournaments, so that they take seconds."""


class Step(NamedTuple):
    """A command of a page, the lines that the page shows after it, and its exit code."""

    command: str
    shown: list[str]
    code: int = 0


def steps(page: Path, *, failing: tuple[str, ...] = ()) -> Iterator[Step | tuple[str, str]]:
    """Yield the commands of a page and its files, each with its name, in their order."""
    text = page.read_text()
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if language in ("csv", "toml"):
            yield language, block
        elif block.startswith("$ "):
            for each in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, *shown = each.splitlines()
                command = re.split(r"\s+#", command)[0]
                yield Step(command, [*filter(None, shown)], 1 if command in failing else 0)


def run(step: Step, folder: Path) -> str:
    """Run a command of a page: one of `acquire` here, and one of the shell in a process."""
    words = shlex.split(step.command)
    if words[0] != "acquire":
        return run_in_shell(step, folder)
    with chdir(folder):
        done = invoke(*words[1:])
    assert done.exit_code == step.code, f"{step.command}\n{done.output}"
    return done.output


def run_in_shell(step: Step, folder: Path) -> str:
    environment = os.environ | {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "80",
        "TERM": "dumb",
    }
    done = subprocess.run(
        ["bash", "-c", f"{step.command} 2>&1"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        timeout=240,
    )
    assert done.returncode == step.code, f"{step.command}\n{done.stdout}"
    return done.stdout


def as_shown(line: str) -> str:
    """Return a line without what differs from run to run: digests, and the width of tables."""
    return " ".join(re.sub(r"[0-9a-f]{64}", "DIGEST", line).split())


HERE = '\n[limits]\nsandbox = "none"\n\n[clocks]\nreply = 20.0\nturn = 60.0\n'
"""Wherever the tests run: also without a sandbox, and on a busy machine."""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Follow the tutorial of a course, and return its folder."""
    folder = tmp_path_factory.mktemp("tutorial")
    names = {"csv": "roster.csv", "toml": "course.toml"}
    trial = "acquire tournament check course.toml --try"
    for step in steps(DOCS / "instructors" / "course.md", failing=(trial,)):
        if not isinstance(step, Step):
            language, text = step
            for long, short in SHORTER.items():
                text = text.replace(long, short)
            text += HERE if language == "toml" else ""
            (folder / names[language]).write_text(text)
        elif step.command.startswith("cd "):
            folder /= step.command[3:]
            (folder / "short.toml").write_text(SHORT)
        else:
            printed = run(step, folder)
            lines = {as_shown(line) for line in printed.splitlines()}
            for line in step.shown:
                if not re.search(r"\d|^\.\.\.$|^ ", re.sub(r"[0-9a-f]{64}", "", line)):
                    assert as_shown(line) in lines, f"{step.command}: {line}\n{printed}"
    return folder


@pytest.mark.soak
def test_course_leads_from_hand_ins_to_grades(course: Path) -> None:
    grades = (course / "course-private" / "grades.csv").read_text()
    assert grades.splitlines()[0] in (DOCS / "instructors" / "course.md").read_text()
    assert (course / "course" / "players" / "team-b.html").exists()


@pytest.mark.soak
def test_objections_are_answered_as_shown(course: Path) -> None:
    """What follows from the recorded game is shown to the digit, of the course its words."""
    shutil.copytree(DOCS / "examples", course / "docs" / "examples")
    for step in steps(DOCS / "instructors" / "objections.md"):
        assert isinstance(step, Step)
        command = step.command.replace(" --sandbox bwrap", " --connect-timeout 60")
        printed = run(Step(command, []), course)
        vary = "game.xml" not in command

        def words(text: str, vary: bool = vary) -> str:
            text = re.sub("^(s1,.*,team-a,[^,]*),[^,]*", r"\1", text)  # why that grade, by luck
            return " ".join(re.sub(r"[\d.,]+", "N", text).split() if vary else text.split())

        for part in re.split(r"^\.\.\.$", "\n".join(step.shown), flags=re.MULTILINE):
            assert words(part) in words(printed), f"{command}: {part}\n{printed}"


def test_first_tournament_is_played_and_audited(tmp_path: Path) -> None:
    page = (DOCS / "instructors" / "tournaments.md").read_text()
    (block,) = re.findall(r"```\n(\$ acquire tournament init cup\.toml.*?)```", page, re.DOTALL)
    for line in block.splitlines():
        command = re.split(r"\s+#", line.removeprefix("$ "))[0]
        run(Step(command, []), tmp_path)
        if " init " in command:
            file = tmp_path / "cup.toml"
            text = file.read_text().replace("deals = 10", "deals = 1\nworkers = 1")
            file.write_text(text.replace("seats = 4", "seats = 5"))
    assert (tmp_path / "cup" / "index.html").exists()


def test_case_file_of_the_reference_is_a_section_of_the_check(tmp_path: Path) -> None:
    page = (DOCS / "reference" / "case-file.md").read_text()
    (file,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "hidden.toml").write_text(file)
    (tmp_path / "weights.toml").write_text("mergers = 20\nhidden = 10\n")
    player = DOCS.parent / "player" / "starters" / "python" / "player.py"
    (tmp_path / "player.py").write_text(player.read_text())
    check = "acquire check --cases hidden.toml --only hidden --connect-timeout 60"
    command = f"{check} -- python3 player.py {{host}} {{port}} {{name}}"
    assert "1 of 1 passed." in run(Step(command, []), tmp_path)
    weighed = command.replace(" --only", " --weights weights.toml --only")
    assert "10 of 10 points." in run(Step(weighed, []), tmp_path)
