"""A shell completes commands, options and their values."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete, get_completion_class
from command_line import ACQUIRE

from acquire.admin.cli.main import acquire


def asked(shell: str) -> ShellComplete:
    """Return what completes for a shell."""
    completion = get_completion_class(shell)
    assert completion is not None
    return completion(acquire, {}, "acquire", "_ACQUIRE_COMPLETE")


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("tour", {"tournament"}),
        ("tournament au", {"audit"}),
        ("serve --rep", {"--reply-timeout"}),
        ("serve --rulebook wiki", {"wikipedia", "wiki"}),
        ("serve --fill pl", {"planner", "pl"}),
        ("arena my inv", {"investor", "inv"}),
        ("duel sim", {"simulator", "sim"}),
        ("play --strategy s", {"simulator", "smallest-anti"}),
        ("new j", {"java", "javascript"}),
    ],
)
def test_words_are_completed(typed: str, completed: set[str]) -> None:
    *words, last = typed.split()
    found = asked("bash").get_completions(words, last)
    assert {item.value for item in found} == completed
    assert {item.value for item in found if item.type == "file"} <= {last}, "a file of this name"


@pytest.mark.parametrize(
    ("shell", "line"), [("zsh", "#compdef acquire"), ("fish", "complete --no-files")]
)
def test_each_shell_has_a_script(shell: str, line: str) -> None:
    assert line in asked(shell).source()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes() -> None:
    script = (
        'compopt() { :; }; eval "$(_ACQUIRE_COMPLETE=bash_source acquire)"; '
        "COMP_WORDS=(acquire serve --rulebook c); COMP_CWORD=3; _acquire_completion acquire; "
        'echo "${COMPREPLY[@]}"'
    )
    path = os.pathsep.join([str(Path(ACQUIRE).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert {*done.stdout.split()} == {"classic", "corporations"}, done.stderr
