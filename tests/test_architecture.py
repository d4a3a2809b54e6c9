"""Which hall and which room may import which, read from the source of every module.

The rooms of ``admin`` lie in halls; the other packages are halls of their own. Everything here is
by path, as the imports are written: relative ones, from one folder to another.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
TOP = ("schemas", "game", "protocol", "player", "acquire", "admin")
"""The folders of the package ``acquire``; all but its own are links in it."""

HALLS: dict[str, set[str]] = {
    "schemas": set(),
    "game": set(),
    "protocol": {"game", "schemas"},
    "refereeing": {"game", "protocol"},
    "player": {"game", "protocol"},
    "acquire": {"game", "protocol", "refereeing", "player"},
    "launching": {"protocol"},
    "advising": {"game", "protocol", "refereeing"},
    "testing": {"game", "protocol", "refereeing", "launching", "advising"},
    "pages": {"game", "protocol", "refereeing", "advising", "testing"},
    "studying": {"game", "protocol", "refereeing", "launching", "testing"},
    "tournament": {
        *("game", "protocol", "refereeing", "launching", "advising", "testing", "pages"),
        "studying",
    },
    "cli": {
        *("game", "protocol", "refereeing", "launching", "advising", "testing", "pages"),
        *("studying", "tournament"),
    },
}
"""Which halls each hall may import; a hall is listed above its users."""

ROOMS: dict[str, set[str]] = {
    "player.strategies": set(),
    "player.misbehaving": {"player.strategies"},
    "player.program": {"player.misbehaving"},
    "refereeing.diagnosis": set(),
    "refereeing.play": {"refereeing.diagnosis"},
    "refereeing.log": {"refereeing.play"},
    "refereeing.table": {"refereeing.diagnosis", "refereeing.play", "refereeing.log"},
    "refereeing.view": {"refereeing.play", "refereeing.log"},
    "advising.rulebooks": set(),
    "advising.explaining": {"advising.rulebooks"},
    "advising.coverage": {"advising.rulebooks"},
    "testing.trial": set(),
    "testing.cases": {"testing.trial"},
    "testing.judging": {"testing.trial", "testing.cases"},
    "testing.reports": {"testing.trial", "testing.cases", "testing.judging"},
    "testing.perft": {"testing.cases"},
    "testing.servers": {"testing.trial", "testing.cases", "testing.judging"},
    "pages.html": set(),
    "pages.web": {"pages.html"},
    "pages.seat": {"pages.html", "pages.web"},
    "studying.statistics": set(),
    "studying.whatif": {"studying.statistics"},
    "studying.analysis": {"studying.statistics", "studying.whatif"},
    "tournament.games": set(),
    "tournament.store": {"tournament.games"},
    "tournament.standings": {"tournament.games"},
    "tournament.planning": {"tournament.games", "tournament.store"},
    "tournament.run": {"tournament.games", "tournament.store", "tournament.planning"},
    "tournament.arena": {
        *("tournament.games", "tournament.store", "tournament.planning", "tournament.run")
    },
    "tournament.cluster": {
        *("tournament.games", "tournament.planning", "tournament.run", "tournament.arena")
    },
    "tournament.driving": {
        *("tournament.games", "tournament.planning", "tournament.run"),
        *("tournament.arena", "tournament.cluster"),
    },
    "tournament.reporting": {
        *("tournament.games", "tournament.store", "tournament.standings", "tournament.planning"),
        *("tournament.run", "tournament.arena"),
    },
    "tournament.dueling": {
        *("tournament.games", "tournament.store", "tournament.planning"),
        "tournament.reporting",
    },
    "tournament.auditing": {
        *("tournament.games", "tournament.store", "tournament.planning", "tournament.run"),
        "tournament.reporting",
    },
}
"""Which rooms of its own hall each room may import; a room is listed above its users."""

CORE = ("schemas", "game", "protocol", "refereeing")
"""What the project is for: a reader may stop here. docs/project/core.md leads through it."""
STANDS_ALONE = (*CORE, "player", "launching", "advising", "testing")
"""What an installation without extras needs, beside the commands."""

LIBRARIES: dict[str, set[str]] = {
    "schemas": {"lxml"},
    "game": set(),
    "protocol": {"lxml", "click"},
    "refereeing": {"lxml", "trio", "rich", "readchar"},
    "player": {"lxml", "click"},
    "acquire": {"numpy", "gymnasium", "pettingzoo"},
    "launching": {"trio", "pyseccomp"},
    "advising": {"lxml", "rich"},
    "testing": {"lxml", "trio", "rich"},
    "pages": {"lxml", "trio", "rich", "jinja2", "markupsafe", "starlette", "h11", "PIL"},
    "studying": {"lxml", "trio", "rich", "numpy"},
    "tournament": {
        *("lxml", "trio", "rich", "jinja2", "markupsafe", "numpy", "distributed"),
        *("pydantic", "pydantic_core", "cryptography"),
    },
    "cli": {"click", "rich"},
}
"""What each hall may import that is neither Python's nor ours."""
OPTIONAL = {
    "refereeing/view/turn_text.py": {"readchar"},
    "launching/system_calls.py": {"pyseccomp"},
}
"""Where a library of an extra is imported below the edge: within a function, which does without."""

SOCKETS_OR_TIME = {
    "cli": "arena_run check_run check_server_run replay_analysis",
    "launching": "building launch player_process program_work sandbox starting supervisor watching",
    "pages.seat": "browser seat_door person seat_site home_table",
    "pages.web": "application asgi_server live_game lobby serving site",
    "refereeing.table": "crowds lag listeners run seat reception server signup table",
    "studying.whatif": "game_runner",
    "testing.servers": "administrator_check match_player seat_client",
    "testing.judging": "checker",
    "testing.trial": "launch_source player_source trial wire",
    "tournament.arena": "arena connected_game player_files waiting_room",
    "tournament.cluster": "cluster cluster_connection cluster_worker",
    "tournament.driving": "driver forecast run_observers",
    "tournament.reporting": "live_report minimal_matches",
    "tournament.run": "executors tournament_files",
}
"""The modules of ``admin`` that touch the network or the clock."""

PURE = {"random", "socket", "time", "select", "selectors", "threading", "trio", "asyncio"}
"""What neither the rules nor the protocol may have anything to do with."""

OF_BYTES = {"os.open", "gzip.open", "opener.open"}
"""What opens files of bytes."""


def modules(folder: str) -> list[Path]:
    """Return the modules in a folder; links are left out, and programs that students copy."""
    found = [path for path in sorted((ROOT / folder).rglob("*.py")) if "starters" not in path.parts]
    assert found, f"{folder} has no modules"
    return found


class Source(NamedTuple):
    """What the tests ask of a module; the syntax itself is not kept, which is large."""

    libraries: frozenset[str]
    """The top-level names that it imports by absolute names, anywhere in it."""
    relative: tuple[tuple[int, str, tuple[str, ...]], ...]
    """Its relative imports: how far up, from what, and the names."""
    attributes: frozenset[str]
    classes: tuple[str, ...]
    """Its public classes."""
    docstring: str
    texts: tuple[int, ...]
    """Lines that read or write a text without naming the encoding."""


@cache
def source(module: Path) -> Source:
    """Read a module, once for all tests."""
    tree = ast.parse(module.read_text("utf-8"))
    libraries, attributes = set[str](), set[str]()
    relative, texts = [], []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                libraries |= {alias.name.partition(".")[0] for alias in names}
            case ast.ImportFrom(named, names, level) if level:
                relative.append((level, named or "", tuple(alias.name for alias in names)))
            case ast.ImportFrom(named):
                libraries.add((named or "").partition(".")[0])
            case ast.Attribute(attr=name):
                attributes.add(name)
            case ast.Call() if has_no_encoding(node):
                texts.append(node.lineno)
    classes = (node.name for node in tree.body if isinstance(node, ast.ClassDef))
    return Source(
        frozenset(libraries),
        tuple(relative),
        frozenset(attributes),
        tuple(name for name in classes if not name.startswith("_")),
        ast.get_docstring(tree) or "",
        tuple(texts),
    )


def has_no_encoding(call: ast.Call) -> bool:
    """Whether a call reads or writes a text in the encoding of the machine."""
    before_it = {"open": 1, "fdopen": 1, "read_text": 0, "write_text": 1}
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name not in before_it or ast.unparse(call.func) in OF_BYTES:
        return False
    modes = [each.value for each in call.args if isinstance(each, ast.Constant)]
    named = any(keyword.arg == "encoding" for keyword in call.keywords)
    of_text = not any("b" in str(mode) for mode in modes)
    return of_text and not named and len(call.args) <= before_it[name]


def hall_of(parts: tuple[str, ...]) -> str:
    return parts[1] if parts[0] == "admin" and len(parts) > 1 else parts[0]


@cache
def house() -> dict[str, list[Path]]:
    """Return the modules of each hall."""
    found: dict[str, list[Path]] = {}
    for top in TOP:
        for module in modules(top):
            parts = module.relative_to(ROOT).parts
            if parts != ("admin", "__init__.py"):
                found.setdefault(hall_of(parts), []).append(module)
    return found


def room_of(parts: tuple[str, ...]) -> str | None:
    """Return the room that a module or package lies in; a hall's own ``__init__`` is in none."""
    inside = parts[1:] if parts[0] == "admin" else parts
    room = ".".join(inside[:2])
    return room if room in ROOMS else None


@cache
def own_imports(module: Path) -> frozenset[tuple[str, ...]]:
    """Return the paths below ``ROOT`` that a module imports, anywhere in it."""
    return frozenset(_own_imports(module))


def _own_imports(module: Path) -> Iterator[tuple[str, ...]]:
    here = module.relative_to(ROOT).parts[:-1]
    # the folder above the packages is the package ``acquire``
    base = here if here[0] == "acquire" else ("acquire", *here)
    for level, named, names in source(module).relative:
        path = (*base[: len(base) - level + 1], *filter(None, named.split(".")))
        for name in names:
            full = (*path, name)
            found = full if is_ours(full) else path
            yield found[1:] if len(found) > 1 and found[1] in TOP else found


@cache
def is_ours(parts: tuple[str, ...]) -> bool:
    """Whether there is such a module or package."""
    path = ROOT.joinpath(*parts)
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


# -- halls and rooms ----------------------------------------------------------------------------


def test_every_hall_and_room_is_listed() -> None:
    assert house().keys() == HALLS.keys() == LIBRARIES.keys()
    rooms = {room_of(m.relative_to(ROOT).parts) for found in house().values() for m in found}
    assert rooms - {None} == ROOMS.keys()
    with_rooms = {room.partition(".")[0] for room in ROOMS}
    for hall in with_rooms:
        loose = [m.name for m in house()[hall] if room_of(m.relative_to(ROOT).parts) is None]
        assert loose == (["__init__.py"]), f"{hall} has modules beside its rooms: {loose}"


@pytest.mark.parametrize("hall", HALLS)
def test_hall_imports_only_halls_below_it(hall: str) -> None:
    for module in house()[hall]:
        used = {hall_of(parts) for parts in own_imports(module)} - {hall}
        assert used <= HALLS[hall], f"{module.relative_to(ROOT)} imports {used - HALLS[hall]}"


@pytest.mark.parametrize("room", ROOMS)
def test_room_imports_only_rooms_below_it(room: str) -> None:
    hall = room.partition(".")[0]
    for module in house()[hall]:
        if room_of(module.relative_to(ROOT).parts) == room:
            inside = {parts for parts in own_imports(module) if hall_of(parts) == hall}
            used = {room_of(parts) for parts in inside} - {room, None}
            assert used <= ROOMS[room], f"{module.relative_to(ROOT)} imports {used - ROOMS[room]}"


def test_no_arrow_is_allowed_that_is_not_used() -> None:
    for hall, found in house().items():
        used = {hall_of(parts) for module in found for parts in own_imports(module)}
        assert HALLS[hall] <= used, f"{hall}: {HALLS[hall] - used} is not imported"
    for room, allowed in ROOMS.items():
        hall = room.partition(".")[0]
        own = [m for m in house()[hall] if room_of(m.relative_to(ROOT).parts) == room]
        used_rooms = {room_of(parts) for module in own for parts in own_imports(module)}
        assert allowed <= used_rooms, f"{room}: {allowed - used_rooms} is not imported"


@pytest.mark.parametrize("arrows", [HALLS, ROOMS])
def test_arrows_run_one_way(arrows: dict[str, set[str]]) -> None:
    above: set[str] = set()
    for name, used in arrows.items():
        assert used <= above, f"{name} is listed above {used - above}"
        above.add(name)


def test_house_stays_small() -> None:
    """Few enough halls and arrows to hold in the head."""
    assert len(HALLS) <= 13
    assert sum(map(len, HALLS.values())) <= 46


def test_modules_do_not_import_in_circles() -> None:
    """Every import counts, also one in a function or for annotations only.

    Neither fails when the program runs, but two modules that need each other are one module.
    """
    graph = {}
    for found in house().values():
        for module in found:
            parts = module.relative_to(ROOT).with_suffix("").parts
            name = parts[:-1] if parts[-1] == "__init__" else parts
            graph[".".join(name)] = {".".join(used) for used in own_imports(module) - {name}}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


@pytest.mark.parametrize("top", TOP)
def test_imports_of_ours_are_relative(top: str) -> None:
    """So a folder can move as a whole, and whatever draws imports by path sees them."""
    for module in modules(top):
        assert not source(module).libraries & {"acquire", *TOP}, module.relative_to(ROOT)


# -- the edge of the core -----------------------------------------------------------------------


@pytest.mark.parametrize("hall", HALLS)
def test_hall_imports_only_these_libraries(hall: str) -> None:
    for module in house()[hall]:
        foreign = source(module).libraries - set(sys.stdlib_module_names)
        assert foreign <= LIBRARIES[hall], f"{module.relative_to(ROOT)} imports {foreign}"


def test_what_stands_alone_imports_nothing_that_needs_an_extra() -> None:
    required = {"lxml", "trio", "click", "rich"}
    for hall in STANDS_ALONE:
        assert HALLS[hall] <= {*STANDS_ALONE}, f"{hall} imports a hall above the edge"
        for module in house()[hall]:
            extra = source(module).libraries - set(sys.stdlib_module_names) - required
            allowed = (
                OPTIONAL.get(module.relative_to(ROOT / "admin").as_posix(), set())
                if module.is_relative_to(ROOT / "admin")
                else set()
            )
            assert extra == allowed, f"{module.relative_to(ROOT)} imports {extra}"


def test_core_needs_nothing_but_itself() -> None:
    for hall in CORE:
        assert HALLS[hall] <= {*CORE}


@pytest.mark.parametrize("hall", ["game", "protocol"])
def test_rules_and_protocol_know_no_socket_clock_or_chance(hall: str) -> None:
    for module in house()[hall]:
        assert not source(module).libraries & PURE, module.relative_to(ROOT)


def test_only_the_edge_of_admin_touches_sockets_and_time() -> None:
    touching: dict[str, set[str]] = {}
    for hall, found in house().items():
        for module in found:
            parts = module.relative_to(ROOT).parts
            if parts[0] == "admin" and source(module).libraries & {
                "trio",
                "socket",
                "selectors",
                "time",
            }:
                touching.setdefault(room_of(parts) or hall, set()).add(module.stem)
    assert touching == {room: {*names.split()} for room, names in SOCKETS_OR_TIME.items()}


# -- modules ------------------------------------------------------------------------------------


def test_texts_are_in_the_encoding_that_is_named() -> None:
    """Otherwise a name in a file is written in one language of a machine, and read in another."""
    for module in (path for top in TOP for path in modules(top)):
        assert not source(module).texts, f"{module}, lines {source(module).texts}"


def test_files_with_names_that_others_know_are_replaced() -> None:
    """A stranger's folder may have a link of that name, through which a file would be overwritten.

    The others write into new folders of their own, what was removed before, or what the user named.
    """
    writing = set()
    for hall, found in house().items():
        for module in found:
            writes = source(module).attributes & {"write_text", "write_bytes"}
            if writes and any(map(module.is_relative_to, (ROOT / "admin", ROOT / "protocol"))):
                writing.add(f"{hall}/{module.stem}")
    assert writing == {
        *("launching/building", "advising/tables", "cli/replay_run", "testing/match_player"),
        *("tournament/cluster", "tournament/report_files", "protocol/files"),
    }


def test_docstring_of_a_package_names_its_modules() -> None:
    """But not the commands, one a module, and the library, whose public names are documented."""
    unnamed = []
    for hall in HALLS.keys() - {"acquire", "cli"}:
        for module in house()[hall]:
            index = module.parent / "__init__.py"
            words = source(index).docstring
            if module != index and not re.search(rf"\b{module.stem}\b", words):
                unnamed.append(str(module.relative_to(ROOT)))
    assert not unnamed


def test_no_two_modules_share_a_name() -> None:
    """But those named after a command."""
    names: dict[str, Path] = {}
    for hall, found in house().items():
        for module in found:
            if module.stem in ("__init__", "__main__") or hall == "cli":
                continue
            other = names.setdefault(module.stem, module)
            assert other == module, f"{module.relative_to(ROOT)} and {other.relative_to(ROOT)}"


def test_no_two_classes_share_a_name() -> None:
    """But messages, which have the names of the wire and are written with their module."""
    names: dict[str, Path] = {}
    for found in house().values():
        for module in found:
            if module == ROOT / "protocol" / "messages.py":
                continue
            for name in source(module).classes:
                other = names.setdefault(name, module)
                assert other == module, f"{name}: {module.name} and {other.name}"


def test_help_imports_little() -> None:
    """It answers within 0.1 s: Python with click takes half of that, and has 170 modules."""
    code = (
        "import sys\n"
        "from acquire.admin.cli.main import main\n"
        "sys.argv = ['acquire', '--help']\n"
        "try: main()\n"
        "except SystemExit: print('imported', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "tournament" in done.stdout
    imported = done.stdout.rpartition("imported ")[2].split()
    heavy = {"asyncio", "cryptography", "jinja2", "lxml", "numpy", "pydantic", "rich", "trio"}
    assert not heavy & {*imported}
    ours = [name for name in imported if name.partition(".")[0] == "acquire"]
    assert len(ours) <= 45, f"{len(ours)} of our modules"
    assert len(imported) <= 235, f"{len(imported)} modules"


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        # started with every program: a good part of the time in which that starts
        ("launching.supervisor", {"dataclasses", "inspect", "subprocess", "trio"}),
        # a pool starts one a processor, and each would take longer to start than a game takes
        (
            "tournament.run.executors",
            {"asyncio", "cryptography", "jinja2", "numpy", "rich", "trio"},
        ),
    ],
)
def test_process_that_others_wait_for_imports_little(module: str, heavy: set[str]) -> None:
    code = f"import sys, acquire.admin.{module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & {*done.stdout.split()}
