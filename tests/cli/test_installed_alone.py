"""The wheel installed as `pip install acquire-referee` does, without extras: what works then."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution, requires
from pathlib import Path
from zipfile import ZipFile

import pytest
from child_processes import ending
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
REQUIRED = {"click", "lxml", "rich", "trio"}
THEIRS = {
    *("attrs", "idna", "outcome", "sniffio", "sortedcontainers"),
    *("markdown-it-py", "mdurl", "pygments"),
}
"""What these four require themselves."""
HIDING = ("admin", "game", "player", "protocol", "schemas")
"""What students call their files."""
PLAYER = ("acquire", "play", "{host}", "{port}", "--name", "{name}", "--strategy", "ordered")

NEEDS_AN_EXTRA = {
    "replay --html": (("replay", "LOG", "--html", "page.html"), "web"),
    "replay --analyse": (("replay", "LOG", "--analyse"), "tournament"),
    "replay --from": (("replay", "LOG", "--from", "3", "--seat", "ann=random"), "tournament"),
    "serve --web": (("serve", "--web", "0"), "web"),
    "check --html": (("check", "--html", "page.html", "--", *PLAYER), "web"),
    "play --browser": (("play", "127.0.0.1", "1", "--browser", "--name", "ann"), "web"),
    "duel": (("duel", "random", "ordered"), "tournament"),
    "tournament": (("tournament", "run", "cup.toml"), "tournament"),
}


def required_by(name: str) -> set[str]:
    """The packages that are installed with this one where no extra is named."""
    found: set[str] = set()
    for line in requires(name) or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            found |= {requirement.name.lower(), *required_by(requirement.name)}
    return found


def copy_package(name: str, to: Path) -> None:
    package = distribution(name)
    for file in package.files or ():
        if ".." not in file.parts and file.suffix != ".pyc":
            (to / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(package.locate_file(file)), to / file)


class Installed:
    """The wheel alone, built from the source distribution, and files that could hide packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "my players"
        self.folder.mkdir()
        for name in HIDING:
            (self.folder / f"{name}.py").write_text("raise AssertionError('it is not imported')")
        self._bin = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
        self._uv("venv", "--python", sys.executable, str(folder / "environment"))
        self._uv("build", "--no-build-isolation", "--out-dir", str(folder / "dist"))
        (self.wheel,) = (folder / "dist").glob("*.whl")
        python = str(self._bin / "python")
        self._uv("pip", "install", "--no-deps", "--python", python, str(self.wheel))
        site = self.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
        for name in required_by("acquire-referee"):
            copy_package(name, Path(site.stdout.strip()))

    def _uv(self, *words: str) -> str:
        """Run uv without the network, which some machines lack: all packages are here already."""
        uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
        assert uv is not None, "make setup installs uv"
        command = [uv, "--offline", "--no-cache", *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def packages(self) -> set[str]:
        listed = self._uv("pip", "list", "--format", "json", "--python", str(self._bin / "python"))
        return {each["name"].lower() for each in json.loads(listed)}

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {**kept, "PATH": os.pathsep.join([str(self._bin), os.environ["PATH"]])}

    def command(self, *words: str) -> list[str]:
        return [str(self._bin / words[0]), *words[1:]]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def log(installed: Installed) -> str:
    """The log of a game over TCP: served, and played by a process of its own."""
    serve = ("acquire", "serve", "--players", "3", *("--opponent", "random") * 2, "--port", "0")
    with ending(
        subprocess.Popen(
            installed.command(*serve, "--json"),
            cwd=installed.folder,
            env=installed.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
    ) as referee:
        assert referee.stdout is not None
        (address,) = json.loads(referee.stdout.readline())["addresses"]
        port = address.rpartition(":")[2]
        played = installed.run("acquire", "play", "127.0.0.1", port, "--name", "ann")
        assert played.returncode == 0, played.stderr
        referee.communicate(timeout=120)
        assert referee.returncode == 0
    (path,) = (installed.folder / "matches").glob("*.xml")
    return str(path.relative_to(installed.folder))


def test_wheel_has_one_name_and_every_file_of_every_package(installed: Installed) -> None:
    """A folder that git or the build leaves out is missed only by those who install the wheel."""
    with ZipFile(installed.wheel) as wheel:
        names = wheel.namelist()
    tops = {re.sub(r"-.*\.", ".", name.partition("/")[0]) for name in names}
    assert tops == {"acquire", "acquire_referee.dist-info"}
    packed = {*names}
    assert len(names) == len(packed)
    for package in (*HIDING, "acquire"):
        here = ROOT / package
        for file in here.rglob("*"):
            within = file.relative_to(here)
            if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".so":
                top = "acquire" if package == "acquire" else f"acquire/{package}"
                assert f"{top}/{within.as_posix()}" in packed


def test_four_packages_are_required(installed: Installed) -> None:
    assert installed.packages == {"acquire-referee", *REQUIRED, *THEIRS}


@pytest.mark.soak
def test_recorded_game_is_verified_and_explained(installed: Installed, log: str) -> None:
    verified = installed.run("acquire", "replay", log, "--verify")
    assert verified.returncode == 0, verified.stderr
    assert "verified: " in verified.stdout and "log complete" in verified.stdout
    for words in (("replay", log, "--turn", "5"), ("rulebooks",)):
        done = installed.run("acquire", *words)
        assert (done.returncode, done.stderr) == (0, ""), words
    assert "Nobody was ejected." in installed.run("acquire", "explain", log).stdout


@pytest.mark.soak
def test_player_is_checked(installed: Installed, log: str) -> None:
    report = "results.json"
    options = ("--only", "1.1", "--sandbox", "none", "--json", report)
    checked = installed.run("acquire", "check", *options, "--", *PLAYER)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert json.loads((installed.folder / report).read_text())["tests"]
    rerun = installed.run(
        "acquire", "rerun", log, "--seat", "ann", "--sandbox", "none", "--", *PLAYER
    )
    assert "Traceback" not in rerun.stderr and "not installed" not in rerun.stderr


def test_library_plays(installed: Installed) -> None:
    (installed.folder / "bot.py").write_text(
        "import acquire\n"
        "played = acquire.play_game(dict.fromkeys(('ann', 'bob', 'cyd'), 'planner'), seed=1)\n"
        "print(len(played.winners))\n"
    )
    done = installed.run("python", "bot.py")
    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.soak
@pytest.mark.parametrize("what", NEEDS_AN_EXTRA)
def test_command_names_the_extra_that_is_missing(installed: Installed, log: str, what: str) -> None:
    words, extra = NEEDS_AN_EXTRA[what]
    done = installed.run("acquire", *(log if word == "LOG" else word for word in words))
    assert done.returncode == 2, done.stdout + done.stderr
    assert re.fullmatch(
        rf"Error: \w+ is not installed; it comes with an extra: "
        rf"pip install 'PATH\[{extra}\]', where PATH is the wheel or clone that you installed\.\n",
        done.stderr,
    )


def test_extra_for_pictures_is_enough_for_them(installed: Installed, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    copy_package("pillow", tmp_path)
    (game,) = sorted((ROOT / "tests" / "golden").glob("*.xml*"))[:1]
    done = subprocess.run(
        installed.command("acquire", "replay", str(game), "--png", str(tmp_path / "board.png")),
        env={**installed.environment, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_environment_for_learning_names_its_extra(installed: Installed) -> None:
    done = installed.run("python", "-c", "import acquire.rl")
    assert "pip install 'PATH[rl]', where PATH is the wheel or clone" in done.stderr
    assert "acquire-referee[" not in done.stderr, "nobody has that name in an index but who took it"


@pytest.mark.soak
def test_programs_of_the_documentation_pass_a_strict_type_checker(installed: Installed) -> None:
    """From outside a checkout: the wheel says of itself that it has types."""
    page = (ROOT / "docs" / "students" / "library.md").read_text()
    blocks = re.findall(r"```python(?: no-run)?\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 10
    program = installed.folder.parent / "library.py"
    program.write_text("\n\n".join(blocks))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull),
            *("--python-executable", installed.command("python")[0], "library.py"),
        ],
        cwd=installed.folder.parent,
        env=installed.environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout + done.stderr
