"""Commands that are declared as frozen classes, and what runs them."""

import ast
import math
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import click
import pytest
from click.testing import CliRunner

from acquire.admin.cli import console
from acquire.admin.cli.main import acquire
from acquire.protocol.commands import DeclaredCommand, FiniteRange, argument, option, option_group

ran: list[object] = []


@option_group
class Inner:
    """What two commands share."""

    file_size: int = option("Size.", default=3)


@option_group
class Outer:
    """Do something.

    And no more.
    """

    path: str = argument()
    first: int | None = option("Turn.", "--from", type=int)
    names: tuple[str, ...] = option("Name.", "--name")
    quick: bool = option("Hurry.")
    inner: Inner


class Tried(DeclaredCommand):
    @property
    def run(self) -> object:  # type: ignore[override]  # what it is called with is seen
        return ran.append


def values(*arguments: str) -> object:
    ran.clear()
    done = CliRunner().invoke(Tried("try", Outer, "none:none"), arguments)
    assert done.exit_code == 0, done.output
    return ran.pop()


def test_fields_are_options() -> None:
    given = ("log", "--from", "7", "--name", "a", "--name", "b", "--quick", "--file-size", "9")
    assert values(*given) == Outer(
        path="log", first=7, names=("a", "b"), quick=True, inner=Inner(file_size=9)
    )
    assert values("log") == Outer(
        path="log", first=None, names=(), quick=False, inner=Inner(file_size=3)
    )


def test_docstring_is_the_help() -> None:
    command = Tried("try", Outer, "none:none")
    assert command.short_help == "Do something."
    text = CliRunner().invoke(command, ["--help"]).output
    assert "Do something.\n\n  And no more." in text
    assert "--file-size INTEGER  Size.  [default: 3]" in text


def test_what_is_refused_first_is_not_run() -> None:
    def refuse() -> None:
        raise click.UsageError("not here")

    command = DeclaredCommand("try", Outer, "none:none", verify=refuse)
    assert "not here" in CliRunner().invoke(command, ["log"]).output


def commands(group: click.Group) -> list[DeclaredCommand]:
    context = click.Context(group)
    found = [group.get_command(context, name) for name in group.list_commands(context)]
    inner = [each for one in found if isinstance(one, click.Group) for each in commands(one)]
    return [*(one for one in found if isinstance(one, DeclaredCommand)), *inner]


@pytest.mark.parametrize("command", commands(acquire), ids=lambda command: command.name)
def test_command_runs_with_its_own_options(command: DeclaredCommand) -> None:
    assert [*get_type_hints(command.run).values()] == [command.group, type(None)]


@pytest.mark.parametrize("command", commands(acquire), ids=lambda command: command.name)
def test_numbers_of_every_command_are_finite(command: DeclaredCommand) -> None:
    """NaN is in every range of click's, and a number without a range has no least one."""
    kinds = {each.name: each.type for each in command.params}
    assert not [name for name, kind in kinds.items() if type(kind) is type(click.FLOAT)]
    ranges = [kind for kind in kinds.values() if isinstance(kind, click.FloatRange)]
    assert all(isinstance(kind, FiniteRange) for kind in ranges)
    for kind in ranges:
        with pytest.raises(click.BadParameter, match="not a finite number"):
            kind.convert(math.nan, None, None)


def test_help_of_every_command_says_its_exit_codes() -> None:
    context = click.Context(acquire)
    found = {name: acquire.get_command(context, name) for name in acquire.list_commands(context)}
    assert {
        name for name, one in found.items() if one and "Exit codes: 0 " in (one.help or "")
    } == {*found}


@pytest.mark.parametrize("command", [acquire, *commands(acquire)], ids=lambda one: one.name)
def test_help_fits_into_80_columns(command: click.Command) -> None:
    context = click.Context(command, **command.context_settings, terminal_width=80)
    lines = context.get_help().splitlines()
    assert [line for line in lines if len(line) > 80] == []


@pytest.mark.parametrize("words", [["serve"], ["check"], ["replay"], ["tournament", "run"]])
def test_help_of_a_command_imports_little(words: list[str]) -> None:
    code = (
        "import sys\n"
        "from acquire.admin.cli.main import main\n"
        f"sys.argv = {['acquire', *words, '--help']!r}\n"
        "try: main()\n"
        "except SystemExit: print('imported', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f"Usage: acquire {' '.join(words)}" in done.stdout
    imported = {*done.stdout.rpartition("imported ")[2].split()}
    assert not imported & {"asyncio", "jinja2", "lxml", "numpy", "pydantic", "rich", "trio"}
    assert len(imported) <= 235


def test_imports_stand_at_the_top() -> None:
    """But where an extra brings what is needed, Windows has it not, or ``--help`` would be slow."""
    small = {"coverage", "rulebooks", "watch"}
    inside = {
        path.stem
        for path in Path(console.__file__).parent.glob("*.py")
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(function))
    }
    extra = {"check_run", "explain_run", "replay_run"}
    assert inside == small | extra | {"chosen_player", "main", "options"}
