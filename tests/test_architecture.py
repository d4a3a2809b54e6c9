"""The house keeps its arrows: who may import whom, read from the source of every module."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ALLOWED = {
    "game": {"game"},
    "schemas": {"schemas", "lxml"},
    "protocol": {"protocol", "game", "schemas", "lxml"},
    "admin": {
        *("admin", "protocol", "game", "schemas"),
        *("lxml", "trio", "click", "rich"),
        *("distributed", "hypercorn", "jinja2", "junitparser", "markupsafe", "numpy", "openskill"),
        *("pydantic", "pydantic_core", "readchar", "starlette"),
    },
    "player": {"player", "protocol", "game", "lxml", "click"},
}
"""What the modules of each package may import beside the standard library."""

WITH_SOCKETS_OR_TIME = {
    *("lag", "listening", "run", "seat", "server", "signup", "table"),
    *("arena", "launch", "lobby"),
    *("estimate", "live", "playing_out", "pool", "showing"),
    *("others", "playground", "trial", "wire"),
    *("checking", "door"),
    *("rerunning", "visiting"),
    *("__main__", "feed", "serving", "site", "stage"),
}
"""The modules of ``admin`` that touch the network or the clock."""

PURE = {"random", "socket", "time", "select", "selectors", "threading", "trio", "asyncio"}
"""What neither the rules nor the words may have anything to do with."""


def imports(module: Path) -> set[str]:
    """Return the top-level names that a module imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", ALLOWED)
def test_package_imports_only_what_its_room_allows(package: str) -> None:
    import sys

    assert modules(package), f"{package} has no modules"
    for module in modules(package):
        foreign = imports(module) - set(sys.stdlib_module_names) - ALLOWED[package]
        assert not foreign, f"{module.relative_to(ROOT)} imports {foreign}"


@pytest.mark.parametrize("package", ["game", "protocol"])
def test_rules_and_words_know_no_socket_clock_or_chance(package: str) -> None:
    for module in modules(package):
        assert not imports(module) & PURE, module.relative_to(ROOT)


def test_only_the_edge_of_admin_touches_sockets_and_time() -> None:
    touching = {
        module.stem
        for module in modules("admin")
        if imports(module) & {"trio", "socket", "selectors", "time"}
    }
    assert touching == WITH_SOCKETS_OR_TIME


TOURNAMENT = {
    "results": {"results"},
    "planning": {"planning", "results"},
    "playing": {"playing", "planning", "results"},
}
"""Which rooms of a tournament each of them may know."""


@pytest.mark.parametrize("room", TOURNAMENT)
def test_rooms_of_a_tournament_keep_their_arrows(room: str) -> None:
    found = sorted((ROOT / "admin" / "tournament" / room).glob("*.py"))
    assert found
    for module in found:
        known = set(re.findall(r"admin\.tournament\.(\w+)[. ]", module.read_text()))
        assert known <= TOURNAMENT[room], module.name


def test_launching_knows_no_tournament_and_nothing_else_of_admin() -> None:
    found = modules("admin/launching")
    assert found
    for module in found:
        text = module.read_text()
        assert "admin.tournament" not in text, module.name
        known = re.findall(r"^ *(?:from|import) (admin\S*)", text, re.MULTILINE)
        assert all(name.startswith("admin.launching") for name in known), module.name


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    for package in ALLOWED:
        assert not {"utils", "helpers", "common"} & {module.stem for module in modules(package)}


def test_help_needs_no_heavy_library() -> None:
    import subprocess
    import sys

    code = (
        "import sys, click.testing, admin.commands;"
        "click.testing.CliRunner().invoke(admin.commands.acquire, ['--help']);"
        "print(*{'trio', 'lxml', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_tests_join_the_soak_by_its_marker_alone() -> None:
    """A test that reads ACQUIRE_SOAK itself would not be found by ``make soak``."""
    reading = re.compile(r'environ(\.get\(|\[)"ACQUIRE_SOAK"')
    files = [file for file in (ROOT / "tests").rglob("*.py") if reading.search(file.read_text())]
    assert [file.name for file in files] == ["conftest.py"]
