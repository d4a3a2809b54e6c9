"""What comes from others reaches no terminal and no file as it is, whichever command prints it."""

import csv
import io
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio
from command_line import ACQUIRE, invoke
from log.played import play_logged
from rich.console import Console
from rich.live import Live
from rich.text import Text

from acquire.admin.cli.console import printable_output
from acquire.admin.cli.main import LazyGroup, acquire
from acquire.admin.cli.safe_console import Bar, SafeConsole
from acquire.admin.refereeing.table.run import run_until_stopped, signal_noted
from acquire.admin.refereeing.view.plain_text import json_text, printable
from acquire.admin.tournament.planning.plan import LeftOut
from acquire.admin.tournament.reporting.csv_tables import csv_text
from acquire.protocol.plugins import COMMANDS, plugins
from acquire.protocol.user_error import UserError
from view.hostile import steering

HOSTILE = "=x\x1b]0;owned\x07\x1b[2J\u202e\u2066\u009b31m\udcff\u2028\r"
"""An override, an isolate, codes of a terminal, half a character, the ends of lines."""
FAKED = "faked\nError: faked"

ANY_PLAYER = ("--sandbox", "none", "--", "false", "{port}", "{hostile}")
REFUSED: dict[str, list[tuple[str, ...]]] = {
    "check": [
        ("--only", "{hostile}"),
        ("--only", "4.1", "--", "./{hostile}"),
        ("--only", "4.1", "--json", "{hostile}/x", *ANY_PLAYER),
        ("--only", "4.1", "-v", *ANY_PLAYER),
        ("--case", "{hostile}", *ANY_PLAYER),
        ("--rulebook", "{hostile}.toml"),
        ("--sandbox", "{hostile}"),
    ],
    "coverage": [("{hostile}",), ("game.xml", "bad.toml")],
    "duel": [("{hostile}", "random"), ("{hostile}.py:Mine", "random")],
    "explain": [("{hostile}",), ("game.xml", "{hostile}"), ("--{hostile}",)],
    "new": [("python", "missing/{hostile}"), ("{hostile}", "x")],
    "perft": [("--position", "{hostile}"), ("--after", "{hostile}"), ("--position", "bad.toml")],
    "play": [("127.0.0.1", "1", "--name", "{hostile}", "--strategy", "{hostile}")],
    "replay": [
        ("{hostile}",),
        ("game.xml", "--html", "{hostile}/x"),
        ("game.xml", "--from", "1", "--seat", "{hostile}=random"),
    ],
    "check-server": [
        ("--only", "{hostile}", "--", "false", "{port}"),
        ("--sandbox", "none", "--", "./{hostile}", "{port}"),
        ("--connect", "{hostile}"),
    ],
    "debug": [
        ("{hostile}", "--turn=1", "--", "true", "{port}"),
        ("game.xml", "--turn=1", "--seat", "{hostile}", "--", "true", "{port}"),
    ],
    "rerun": [("{hostile}", *ANY_PLAYER), ("game.xml", "--seat", "{hostile}", *ANY_PLAYER)],
    "rulebooks": [("{hostile}",), ("bad.toml",), ("--init", "{hostile}/x")],
    "serve": [
        ("--fill", "{hostile}"),
        ("--rulebook", "bad.toml"),
        ("--clock", "{hostile}"),
        ("--log-dir", "game.xml/{hostile}", "--port", "0"),
    ],
    "shrink": [("{hostile}", *ANY_PLAYER), ("game.xml", "--seat", "{hostile}", *ANY_PLAYER)],
    "tournament": [
        ("check", "course.toml"),
        ("check", "course.toml", "--json"),
        ("check", "bad.toml"),
        ("run", "{hostile}"),
        ("show", "{hostile}"),
        ("report", "{hostile}"),
        ("logs", "{hostile}"),
        ("audit", "{hostile}"),
        ("init", "missing/{hostile}"),
    ],
    "arena": [("{hostile}", "investor"), ("{hostile}.py:Mine", "ordered", "--no-browser")],
    "watch": [("{hostile}",), ("http://127.0.0.1:1/{hostile}",)],
}
"""Command lines of every command that repeat what comes from others, most of them in an error."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a log, a faulty file, and hand-ins that are left out."""
    monkeypatch.chdir(tmp_path)
    play_logged(tmp_path, 2).rename("game.xml")
    Path("bad.toml").write_text('"\\u202e\\u001b[2J\\n" = "\\u2066\\u001b"\n[tournament]\n')
    Path("course.toml").write_text('[tournament]\nname = "x"\nsubmissions = "in/*"\nseats = 3\n')
    for name in (f"a{HOSTILE}{FAKED}", "b"):
        own = Path("in", name)
        own.mkdir(parents=True)
        (own / "player.toml").write_text(f'command = "{HOSTILE[-6:-3]}"\n', errors="replace")
    Path("in", "b", "player.toml").write_text('command = ["python3", "x.py"]\n')
    Path("in", "b", f"{HOSTILE}{FAKED}").symlink_to("/etc/passwd")
    return tmp_path


def test_every_command_is_tried() -> None:
    assert set(REFUSED) == set(plugins(COMMANDS))


@pytest.mark.parametrize("command", REFUSED)
def test_nothing_that_others_have_written_steers_the_terminal(command: str, folder: Path) -> None:
    for words in REFUSED[command]:
        given = [word.replace("{hostile}", HOSTILE) for word in words]
        done = invoke(command, *given)
        assert done.output, words
        assert steering(done.output) <= {"\t"}, words
        assert "\x1b" not in done.output, words
        assert not any(line.startswith("Error: faked") for line in done.output.splitlines()), words


def test_folder_that_is_left_out_is_named_on_one_line(folder: Path) -> None:
    done = invoke("tournament", "check", "course.toml")
    (line,) = [
        line for line in done.output.splitlines() if "faked" in line and "player.toml" in line
    ]
    assert "a=x\ufffd]0;owned" in line
    assert LeftOut("a\nb", "c\u202e") == ("a\ufffdb", "c\ufffd")


def test_process_prints_names_of_files_that_are_no_text(tmp_path: Path) -> None:
    """Also where the terminal's encoding lacks the character that stands for others."""
    for encoding in ("utf-8", "ascii"):
        done = subprocess.run(
            [ACQUIRE, "replay", b"\xff\xe2\x80\xae\x1b[2J.xml"],
            capture_output=True,
            env={"PYTHONIOENCODING": encoding, "PATH": "/usr/bin:/bin"},
            check=False,
        )
        assert done.returncode == 2
        shown = done.stderr.decode(encoding)
        assert "[2J.xml" in shown and steering(shown) == set() and "\x1b" not in shown


def test_error_about_a_name_is_printed_in_the_encoding_of_the_terminal() -> None:
    for encoding in ("cp1252", "utf-16-le"):
        done = subprocess.run(
            [ACQUIRE, "replay", "Zoë.xml"],
            capture_output=True,
            env={"PYTHONIOENCODING": encoding, "PATH": "/usr/bin:/bin"},
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr.decode(encoding).startswith("Error: Zoë.xml: "), done.stderr


def in_a_shell(command: str, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command of a shell in which $0 is the program."""
    script = ["sh", "-c", command, ACQUIRE, *map(str, words)]
    return subprocess.run(script, capture_output=True, text=True, check=False)


def test_command_works_where_streams_are_closed(tmp_path: Path) -> None:
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        file = tmp_path / f"{len(closed)}{closed[:2].strip()}.toml"
        done = in_a_shell(f'"$0" tournament init "$1" {closed}', file)
        assert (done.returncode, done.stderr) == (0, ""), closed
        assert file.read_text().startswith("#"), "nothing that is printed gets into a file"
        assert in_a_shell(f'"$0" tournament init "$1" {closed}', file).returncode == 2, closed


def test_path_that_cannot_be_looked_at_is_refused_wherever_that_is_noticed() -> None:
    """By every command: the words are those of the system."""
    for command in ("new python", "tournament audit", "check --"):
        done = in_a_shell(f'"$0" {command} "$1"', "x" * 300)
        assert done.returncode == 2, command
        assert "bug" not in done.stderr and done.stderr.startswith(("Error", "Usage")), command
    done = in_a_shell('"$0" rulebooks "$1"', "x" * 300)
    assert (done.returncode, done.stderr) == (2, f"Error: {'x' * 300}: File name too long.\n")
    done = in_a_shell('"$0" rulebooks classic --init "$1"/rules.toml', ACQUIRE)
    assert done.returncode == 2 and "Not a directory" in done.stderr


def test_first_of_several_errors_at_once_is_told() -> None:
    async def fail(why: str) -> None:
        raise UserError(why)

    async def both() -> None:
        async with trio.open_nursery() as outer, trio.open_nursery() as inner:
            for nursery in (outer, inner, inner):
                nursery.start_soon(fail, "There is no room.")

    with pytest.raises(UserError, match="There is no room"):
        run_until_stopped(both)


def test_hangup_is_ignored_under_nohup() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signal_noted() as stopped_by:
            signal.raise_signal(signal.SIGHUP)
            assert stopped_by() is None
        signal.signal(signal.SIGHUP, before)
        with signal_noted() as stopped_by:
            signal.raise_signal(signal.SIGHUP)
            assert stopped_by() == signal.SIGHUP
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_report_that_cannot_be_written_is_no_verdict(tmp_path: Path) -> None:
    for command in ("check", "check-server --time 0.1"):
        words = "--only sign-up --junit /dev/full --sandbox none -- false {port}"
        done = in_a_shell(f'cd "$1" && "$0" {command} {words}', tmp_path)
        assert done.returncode == 2, command
        assert "Cannot write /dev/full: No space left on device" in done.stderr, command


def test_bug_is_reported_in_a_line_with_a_file_and_is_no_verdict(tmp_path: Path) -> None:
    code = "import acquire.admin.cli.main as m; m.acquire = lambda **_: 1 / 0; m.main()"
    command, environment = [sys.executable, "-c", code], {"TMPDIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2, "1 is a verdict"
    (report,) = tmp_path.glob("acquire-*.error.txt")
    words = f"This is a bug (ZeroDivisionError('division by zero')). Please report it with {report}"
    assert done.stderr == f"acquire: {words}.\n"
    assert "Traceback" in report.read_text()
    code = code.replace("1 / 0", "[0] * 10**15")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.startswith("Error: There is not enough memory.")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_full_disk_behind_the_output_is_no_bug() -> None:
    done = in_a_shell('"$0" rulebooks > /dev/full')
    assert done.returncode == 2, "1 is a verdict"
    assert done.stderr.startswith("Error: No space left on device. Make room, ")
    assert in_a_shell('"$0" rulebooks > /dev/full 2>&1').returncode == 2
    assert in_a_shell('"$0" replay none.xml 2> /dev/full').returncode == 2


def test_console_draws_its_own_codes_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    def draw(console: Console) -> str:
        with console.capture() as captured:
            console.print(Text(f"red{HOSTILE}", "red"), f"plain{HOSTILE}", markup=False)
        return captured.get()

    class ColorConsole(SafeConsole):
        is_terminal = True

    colored = ColorConsole()
    colored._color_system = Console(force_terminal=True, color_system="standard")._color_system
    shown = draw(colored)
    assert "\x1b[31mred" in shown and "\x1b[2J" not in shown
    assert steering(shown) == set()
    assert steering(draw(SafeConsole())) == set()
    with pytest.raises(AssertionError):
        assert steering(draw(Console(force_terminal=True))) == set()


def test_progress_keeps_its_count_and_clock_beside_a_long_title() -> None:
    file = io.StringIO()
    console = SafeConsole(file=file, force_terminal=True, width=80, color_system=None)
    bar = Bar(console, 193, "104 passed")
    bar.progress.update(bar.task, completed=104, description="9.2 A title" + " too long" * 9)
    console.print(bar.progress.get_renderable())
    (line,) = file.getvalue().splitlines()
    assert re.search(r"^104 passed ━{16,} +104/193 0:00:00 9\.2 A title too", line)
    assert line.endswith("…") and len(line) <= 80


def test_json_is_shown_escaped_and_read_back_as_it_was() -> None:
    fields = {HOSTILE: [HOSTILE, "é \U000e0001"], "lines": "a\nb"}
    for indent in (None, 2):
        text = json_text(fields, indent=indent)
        assert json.loads(text) == fields and steering(text) == set() and "é" in text


def test_cell_of_a_table_is_neither_a_formula_nor_a_code() -> None:
    starts = ("=1", "+1", "-1", "@A1", "\t=1", HOSTILE)
    text = csv_text(["name"], [[start] for start in starts])
    assert steering(text.replace("\t", "").replace("\r", "")) == set()
    cells = [row[0] for row in csv.reader(text.splitlines(keepends=True))][1:]
    assert all(cell.startswith("'") for cell in cells)
    for start in ("x;=1", 'x;"=1";y', "x; @A1", "x\t+1", "x\n-1"):  # cut elsewhere, as in Europe
        text = csv_text(["name"], [[1, start, "z"]])
        cells = [cell.lstrip(' "') for cell in re.split("[;\t\r\n]", text)]
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells), text


def test_output_is_given_back_when_a_command_ends() -> None:
    before = sys.stdout, sys.stderr
    with pytest.raises(SystemExit):
        acquire.main(["replay", HOSTILE])
    assert (sys.stdout, sys.stderr) == before
    assert isinstance(acquire, LazyGroup) and printable("a\nb") == "a\ufffdb"


def test_live_display_keeps_its_own_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands in the place of what replaces the codes of others."""
    written = io.StringIO()
    monkeypatch.setattr("sys.stdout", written)
    with printable_output():
        console = SafeConsole(force_terminal=True, color_system="standard")
        with Live(console=console, auto_refresh=False, transient=True) as display:
            display.update(Text("bold \x1b[31m", "bold"), refresh=True)
            print("printed \x1b[31m")
    text = written.getvalue()
    assert text.count("\x1b[1mbold") == text.count("bold") and "printed" in text
    assert "\x1b[31m" not in text
