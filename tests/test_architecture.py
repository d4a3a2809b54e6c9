"""Which package may import which, read from the source of every module."""

import ast
import re
import subprocess
import sys
from collections.abc import Collection
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TypeGuard

import pytest

ROOT = Path(__file__).parents[1]

ALLOWED = {
    "game": {"game"},
    "schemas": {"schemas", "lxml"},
    "protocol": {"protocol", "game", "schemas", "lxml", "pydantic", "pydantic_core"},
    "admin": {
        *("admin", "protocol", "game", "schemas"),
        *("lxml", "trio", "click", "rich", "cryptography"),
        *("distributed", "hypercorn", "jinja2", "junitparser", "markupsafe", "numpy", "openskill"),
        *("pydantic", "pydantic_core", "pyseccomp", "readchar", "starlette"),
    },
    "player": {"player", "protocol", "game", "lxml", "click"},
    "acquire": {
        "acquire",
        "admin",
        "player",
        "protocol",
        "game",
        "numpy",
        "gymnasium",
        "pettingzoo",
    },
}
"""What the modules of each top-level package may import beside the standard library."""

DIVIDED = ("check", "tournament")
"""The packages of ``admin`` that consist of packages."""

ARROWS: dict[str, set[str]] = {
    "launching": set(),
    "statistics": set(),
    "rulebooks": set(),
    "diagnosis": set(),
    "match": {"diagnosis"},
    "log": {"match"},
    "table": {"diagnosis", "match", "log"},
    "view": {"match", "log"},
    "trial": {"diagnosis", "match", "log", "table", "launching"},
    "explaining": {"match", "log", "rulebooks", "view"},
    "web": {"match", "log", "table", "view"},
    "seat": {"match", "log", "table", "view", "web"},
    "rerun": {"match", "table", "trial", "explaining", "view"},
    "check.case_parts": {"match", "trial"},
    "check.cases": {"match", "log", "trial", "view", "check.case_parts"},
    "check.judging": {
        *("diagnosis", "match", "table", "trial", "explaining", "check.case_parts"),
    },
    "check.reports": {"log", "trial", "explaining", "view", "check.case_parts", "check.judging"},
    "whatif": {"match", "log", "table", "trial", "statistics", "view"},
    "analysis": {"match", "log", "statistics", "view", "whatif"},
    "tournament.results": {"match", "statistics", "view"},
    "tournament.planning": {
        *("match", "launching", "table", "view", "statistics", "tournament.results"),
    },
    "tournament.reporting": {
        *("match", "log", "statistics", "view", "explaining", "web"),
        *("tournament.results", "tournament.planning"),
    },
    "tournament.auditing": {
        *("match", "log"),
        *("tournament.results", "tournament.planning", "tournament.reporting"),
    },
    "tournament.playing": {
        *("diagnosis", "match", "log", "table", "launching", "view", "web"),
        *("tournament.results", "tournament.planning"),
    },
    "tournament.dueling": {
        *("launching", "match", "statistics", "view"),
        *("tournament.results", "tournament.planning", "tournament.reporting"),
        "tournament.playing",
    },
    "tournament.qualifying": {
        *("launching", "table", "trial", "view"),
        *("check.case_parts", "check.cases", "check.judging"),
        *("tournament.planning", "tournament.playing"),
    },
    "cli": {
        *(
            "diagnosis",
            "launching",
            "rulebooks",
            "match",
            "log",
            "table",
            "view",
            "trial",
            "explaining",
            "web",
        ),
        *("check.case_parts", "check.cases", "check.judging", "check.reports"),
        *("rerun", "whatif", "analysis"),
        *("tournament.results", "tournament.planning", "tournament.playing"),
        *("tournament.reporting", "tournament.auditing", "tournament.qualifying"),
        "tournament.dueling",
    },
}
"""Which packages of ``admin`` each of them may import; a package is listed above its users."""

SOCKETS_OR_TIME = {
    "cli": {"joining"},
    "check.judging": {"checker"},
    "launching": {
        *("building", "launch", "namespaces", "peers", "player_process", "program_work", "sandbox"),
        *("starting", "watching"),
    },
    "rerun": {"rerunning"},
    "seat": {"browser", "door", "person", "seat_site"},
    "table": {
        "crowds",
        "lag",
        "listeners",
        "match_runner",
        "run",
        "seat",
        "server",
        "signup",
        "table",
        "waiting",
    },
    "tournament.playing": {
        *(
            "arena",
            "cluster",
            "cluster_admission",
            "cluster_connection",
            "cluster_worker",
            "connected_game",
            "driver",
            "executors",
            "forecast",
            "plan_watch",
            "game_publisher",
        ),
        *(
            "door",
            "prepared_players",
            "reception",
            "reservation",
            "terminal",
            "tls",
            "waiting_room",
        ),
    },
    "trial": {
        *("environment", "launch_source", "listen_source", "opponents", "pending_connections"),
        *("player_source", "trial", "wire"),
    },
    "tournament.reporting": {"live_report"},
    "tournament.dueling": {"watching"},
    "web": {"feed", "live_match", "lobby_stream", "page_server", "serving", "site"},
    "whatif": {"game_runner"},
    "tournament.qualifying": {"trying"},
}
"""The modules of ``admin`` that touch the network or the clock."""

PURE = {"random", "socket", "time", "select", "selectors", "threading", "trio", "asyncio"}
"""What neither the rules nor the protocol may have anything to do with."""


def modules(package: str) -> list[Path]:
    found = sorted((ROOT / package).rglob("*.py"))
    assert found, f"{package} has no modules"
    return found


@cache
def imports(module: Path) -> tuple[str, ...]:
    """Return the dotted names that a module imports, anywhere in it."""
    found: list[str] = []
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, f"{module} imports by a relative name"
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(found)


def top_level(module: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports(module)}


def dotted(module: Path) -> str:
    """Return the name by which a module is imported; a package is named after its folder."""
    parts = module.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(module: Path, known: Collection[str]) -> set[str]:
    """Return the modules, of those known, that a module imports itself or names from."""
    found = {name if name in known else name.rpartition(".")[0] for name in imports(module)}
    return found & {*known}


def package_of(name: str) -> str | None:
    """Return the package of ``admin`` that a dotted name lies in."""
    first, *rest = name.split(".")
    if first != "admin" or not rest:
        return None
    return ".".join(rest[:2]) if rest[0] in DIVIDED else rest[0]


@cache
def packages() -> dict[str, list[Path]]:
    """Return the modules of ``admin`` by package."""
    found: dict[str, list[Path]] = {}
    for module in modules("admin"):
        inside = module.relative_to(ROOT / "admin").parts[:-1]
        if inside and ".".join(inside) not in DIVIDED:
            found.setdefault(package_of(".".join(("admin", *inside))) or "", []).append(module)
    return found


@pytest.mark.parametrize("package", ALLOWED)
def test_top_level_package_imports_only_what_it_may(package: str) -> None:
    for module in modules(package):
        foreign = top_level(module) - set(sys.stdlib_module_names) - ALLOWED[package]
        assert not foreign, f"{module.relative_to(ROOT)} imports {foreign}"


@pytest.mark.parametrize("package", ["game", "protocol"])
def test_rules_and_protocol_know_no_socket_clock_or_chance(package: str) -> None:
    for module in modules(package):
        assert not top_level(module) & PURE, module.relative_to(ROOT)


def test_every_package_of_admin_is_listed() -> None:
    assert packages().keys() == ARROWS.keys()


@pytest.mark.parametrize("package", ARROWS)
def test_package_of_admin_imports_only_packages_below_it(package: str) -> None:
    for module in packages()[package]:
        used = {package_of(name) for name in imports(module)} - {package, None}
        assert used <= ARROWS[package], f"{module.relative_to(ROOT)} imports {used}"


def test_no_arrow_is_allowed_that_is_not_used() -> None:
    for package, found in packages().items():
        used = {package_of(name) for module in found for name in imports(module)}
        assert ARROWS[package] <= used, f"{package}: {ARROWS[package] - used} is not imported"


def test_arrows_run_one_way() -> None:
    above: set[str] = set()
    for package, used in ARROWS.items():
        assert used <= above, f"{package} is listed above {used - above}"
        above.add(package)


def test_modules_do_not_import_in_circles() -> None:
    """Every import counts, also one in a function or for annotations only.

    Neither fails when the program runs, but two modules that need each other are one module.
    """
    paths = [module for package in ALLOWED for module in modules(package)]
    by_name = {dotted(path): path for path in paths}
    graph = {name: imported(path, by_name.keys()) - {name} for name, path in by_name.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


def test_a_package_has_no_loose_modules_beside_its_subpackages() -> None:
    divided = {init.parents[1] for top in ALLOWED for init in (ROOT / top).rglob("*/__init__.py")}
    assert {ROOT / "admin", *(ROOT / "admin" / package for package in DIVIDED)} <= divided
    for package in divided:
        loose = {path.name for path in package.glob("*.py")} - {"__init__.py"}
        assert not loose, f"{package.relative_to(ROOT)} has loose modules: {loose}"


def test_two_modules_of_a_package_do_not_share_a_name() -> None:
    for package in ("admin/check", "admin/tournament"):
        names = [path.stem for path in (ROOT / package).rglob("*.py") if path.stem != "__init__"]
        assert len(names) == len(set(names)), package


def test_only_the_edge_of_admin_touches_sockets_and_time() -> None:
    touching = {
        package: {
            module.stem
            for module in found
            if top_level(module) & {"trio", "socket", "selectors", "time"}
        }
        for package, found in packages().items()
    }
    assert {package: found for package, found in touching.items() if found} == SOCKETS_OR_TIME


def test_only_the_command_line_uses_click() -> None:
    for package, found in packages().items():
        for module in found:
            assert package == "cli" or "click" not in top_level(module), module.relative_to(ROOT)


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    for package in ALLOWED:
        assert not {"utils", "helpers", "common"} & {module.stem for module in modules(package)}


def test_help_imports_little() -> None:
    """It answers within 0.1 s: Python with click takes half of that, and has 170 modules."""
    code = (
        "import sys, acquire.admin.cli.main\n"
        "sys.argv = ['acquire', '--help']\n"
        "try: acquire.admin.cli.main.main()\n"
        "except SystemExit: print('imported', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "tournament" in done.stdout
    imported = done.stdout.rpartition("imported ")[2].split()
    heavy = {"asyncio", "cryptography", "jinja2", "lxml", "numpy", "pydantic", "rich", "trio"}
    assert not heavy & {*imported}
    ours = [name for name in imported if name.partition(".")[0] in ALLOWED]
    assert len(ours) <= 45, f"{len(ours)} of our modules"
    assert len(imported) <= 235, f"{len(imported)} modules"


def test_tests_join_the_soak_by_its_marker_alone() -> None:
    """A test that reads ACQUIRE_SOAK itself would not be found by ``make soak``."""
    reading = re.compile(r'environ(\.get\(|\[)"ACQUIRE_SOAK"')
    files = [file for file in (ROOT / "tests").rglob("*.py") if reading.search(file.read_text())]
    assert [file.name for file in files] == ["conftest.py"]


ENDED_BY_ITS_CLASS = {
    "launching/test_supervisor.py",
    "tournament/test_cluster.py",
    "tournament_process.py",
}
"""Where a class starts processes that it ends itself."""


def test_tests_start_processes_that_end_with_a_block() -> None:
    elsewhere = set()
    for module in modules("tests"):
        calls = [node for node in ast.walk(ast.parse(module.read_text())) if is_call(node)]
        ended = {word for call in calls if ast.unparse(call.func) == "ending" for word in call.args}
        if any(ast.unparse(call.func) == "subprocess.Popen" for call in {*calls} - ended):
            elsewhere.add(module.relative_to(ROOT / "tests").as_posix())
    assert {name for name in elsewhere if not name.startswith("bench/")} == ENDED_BY_ITS_CLASS


def is_call(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call)
