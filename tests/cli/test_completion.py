"""A shell completes commands, options and their values."""

from __future__ import annotations

import os
import subprocess

import pytest
from command_line import ACQUIRE


def asked(instruction: str, *words: str) -> str:
    """Return what the command prints for a shell, the cursor after the last of the words."""
    typed = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    environment = {**os.environ, "_ACQUIRE_COMPLETE": instruction, **typed}
    done = subprocess.run(
        [ACQUIRE], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (("acquire", "tour"), ["plain,tournament"]),
        (("acquire", "tournament", "au"), ["plain,audit"]),
        (("acquire", "serve", "--rep"), ["plain,--reply-timeout"]),
        (("acquire", "serve", "--rulebook", "wiki"), ["plain,wikipedia", "file,wiki"]),
    ],
)
def test_words_are_completed(words: tuple[str, ...], completed: list[str]) -> None:
    assert sorted(asked("bash_complete", *words).splitlines()) == sorted(completed)


@pytest.mark.parametrize(
    ("shell", "line"),
    [("bash", "complete -o nosort"), ("zsh", "#compdef acquire"), ("fish", "complete --no-files")],
)
def test_each_shell_has_a_script(shell: str, line: str) -> None:
    assert line in asked(f"{shell}_source", "acquire")
