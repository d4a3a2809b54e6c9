"""Settings for all tests: order, soak, signals, an unknown terminal, and no process that is left.

A test or case marked `@pytest.mark.soak` takes long, and is deselected unless ACQUIRE_SOAK=1 is set
or `-m` names the marker; `make soak` runs exactly the marked ones and prints the time of each. A
test that takes the fixture `soak` runs as two cases, one in `make test` with `soak` False, and one
in `make soak` with it True, where it plays more games, kills or the like. A file that is marked
`jumping_clock` has trio's fixture `autojump_clock` in every test, and a test that takes the fixture
`players` a clock that stands still until these let time pass.

`make test` deals whole files to several processes, each to the next that has nothing left to do. A
long one that came last would keep one process busy while the others wait. So what takes long begins
first.
"""

from __future__ import annotations

import gc
import inspect
import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.doctest import DoctestModule
from child_processes import adopt_orphans, begin_with_usual_signals, end_what_is_left, running
from hypothesis import HealthCheck, settings
from virtual_time import run_with_jumping_clock, run_with_standing_clock

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from view.browser import StartedBrowser

# Collecting makes a million objects that stay. Looking through them for garbage, again and again,
# takes a third of the time of collecting; see pytest_collection_finish.
gc.disable()

# Set by readline, which pytest loads, and where tests run by themselves.
for variable in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR"):
    os.environ.pop(variable, None)
    os.unsetenv(variable)  # readline sets it where Python does not look

# The tests start hundreds of Python processes: compiling every module in each doubles their time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Servers, trials and tournaments validate what they send, here and in the processes started.
os.environ.setdefault("ACQUIRE_VALIDATE_OUTPUT", "1")

# Folders of other people have blanks and letters outside ASCII in their names; so have those here.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["TMPDIR"] = f"{tempfile.gettempdir()}/acquire tests ä {os.getuid()}"
    os.makedirs(os.environ["TMPDIR"], exist_ok=True)
tempfile.tempdir = None  # it has read TMPDIR before

# Here, because every process of the tests reads this file, and starts none before.
begin_with_usual_signals()
adopt_orphans()

# How long Hypothesis takes to make an example says how busy the machine is, and nothing of us.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

# These read, change or build Python functions, and find none in `make test-compiled`.
if "ACQUIRE_COMPILED" in os.environ:
    collect_ignore = [
        *("test_documentation.py", "test_examples.py"),
        *("check/test_check_server.py", "cli/test_installed_alone.py"),
    ]

LONGEST_FIRST = (
    "seat/test_seat_in_a_browser.py",
    "check/test_check_command.py",
    "web/test_site.py",
    "view/test_viewer_for_everybody.py",
    "launching/test_sandbox.py",
    "tournament/test_audit.py",
    "view/test_viewer_in_a_browser.py",
    "tournament/test_rogue_programs.py",
    "check/test_check_server.py",
    "check/test_common_cause.py",
    "tournament/test_qualification.py",
    "check/test_matrix.py",
    "tournament/test_attacks.py",
    "tournament/test_site.py",
    "table/test_server.py",
    "explaining/test_explanations.py",
    "test_agreement.py",
    "rerun/test_rerun_commands.py",
    "tournament/test_pool.py",
    "web/test_crowd.py",
    "analysis/test_why_in_a_browser.py",
    "seat/test_choices.py",
    "launching/test_supervisor.py",
    "library/test_library.py",
    "player/test_misbehaving_player.py",
    "tournament/test_tournament_command.py",
    "table/test_rogues.py",
    "tournament/test_store.py",
)
"""The files that take longest; the others come after them in their usual order."""


@pytest.fixture(
    params=[pytest.param(False, id="usual"), pytest.param(True, id="soak", marks=pytest.mark.soak)]
)
def soak(request: pytest.FixtureRequest) -> bool:
    """Whether the test may take long."""
    return bool(request.param)


@pytest.fixture(scope="session")
def started_browser() -> Iterator[StartedBrowser]:
    """The browser, which is started once, since that takes a second of processor time."""
    from view.browser import StartedBrowser, chromium  # not needed by most files

    with chromium() as started, StartedBrowser(started) as found:
        yield found


@pytest.fixture(scope="module")
def browser(started_browser: StartedBrowser) -> Iterator[Browser]:
    """The browser for a file's tests."""
    with started_browser.in_use() as found:
        yield found


_began_in: dict[int, str] = {}
"""The tests in which the child processes began that still run."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Let no process outlive its file: the last test of the file fails, and names the process."""
    try:
        return (yield)
    finally:
        for process in running():
            _began_in.setdefault(process, item.name)
        if nextitem is None or nextitem.path != item.path:
            if left := end_what_is_left():
                lines = (
                    f"{_began_in.get(process, 'the same')}: {left[process]}" for process in left
                )
                pytest.fail("left running by\n" + "\n".join(lines), pytrace=False)
            _began_in.clear()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Import a module here that is not named as a test only where a test needs it.

    The option that runs the examples in the docstrings of the source would import them all.
    """
    is_module = collection_path.suffix == ".py"
    return True if is_module and not collection_path.name.startswith("test_") else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in the docstrings of the source alone; this file is for tests/."""
    found = yield
    return [each for each in found if not isinstance(each, DoctestModule)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the soak unless asked for it, and put the tests of the longest files first.

    Tests of oracle files that are not there are left out, too, and not counted: a clone has none.
    """
    items[:] = [item for item in items if not needs_what_is_missing(item)]
    for item in items:
        if item.get_closest_marker("jumping_clock"):
            item.add_marker(pytest.mark.trio(run=run_with_jumping_clock), append=False)
        if "players" in getattr(item, "fixturenames", ()) and is_async(item):
            item.add_marker(pytest.mark.trio(run=run_with_standing_clock), append=False)
    if os.environ.get("ACQUIRE_SOAK") != "1" and "soak" not in config.option.markexpr:
        config.hook.pytest_deselected(items=[item for item in items if for_the_soak(item)])
        items[:] = [item for item in items if not for_the_soak(item)]
    root = config.rootpath / "tests"
    places = {root / name: place for place, name in enumerate(LONGEST_FIRST)}
    if gone := [path.name for path in places if not path.is_file()]:
        raise pytest.UsageError(f"LONGEST_FIRST names files that are gone: {', '.join(gone)}")
    items.sort(key=lambda item: places.get(item.path, len(places)))


def pytest_collection_finish() -> None:
    """Let the garbage collector, which begins here, look at what the tests make alone."""
    gc.freeze()
    gc.enable()


def is_async(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.function)


def needs_what_is_missing(item: pytest.Item) -> bool:
    return not all(marker.args[0] for marker in item.iter_markers("larger_sets"))


def for_the_soak(item: pytest.Item) -> bool:
    return item.get_closest_marker("soak") is not None
