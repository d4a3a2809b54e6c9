"""The sandboxes that work on this machine, for tests that run in each of them."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from acquire.admin.launching.sandbox import NoSandbox, Sandbox, choose


@contextmanager
def readable_by_all() -> Iterator[None]:
    """Let every user read what is written meanwhile: a program may have a user of its own."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def open_folder() -> Iterator[Path]:
    """Make a folder that every user can read, as all that is written meanwhile."""
    with tempfile.TemporaryDirectory(prefix="acquire-test-") as name, readable_by_all():
        Path(name).chmod(0o755)
        yield Path(name)


def sandbox_params(*kinds: Sandbox, marks: Sequence[pytest.MarkDecorator] = ()) -> list[Any]:
    """Return parameters for tests; those that do not work here are skipped, and say so."""
    return [
        pytest.param(kind, id=kind.value, marks=[*marks, *map(pytest.mark.skip, _missing(kind))])
        for kind in kinds
    ]


@cache
def _missing(kind: Sandbox) -> tuple[str, ...]:
    """Return why a sandbox does not work here, or nothing."""
    try:
        choose(kind.value)
    except NoSandbox as error:
        return (str(error),)
    return ()


every_sandbox = pytest.mark.parametrize("kind", sandbox_params(Sandbox.BWRAP, Sandbox.UID))
in_bwrap = pytest.mark.parametrize("kind", sandbox_params(Sandbox.BWRAP))
in_uid = pytest.mark.parametrize("kind", sandbox_params(Sandbox.UID))
BWRAP_AND_SOAK = [
    *sandbox_params(Sandbox.BWRAP),
    *sandbox_params(Sandbox.UID, marks=[pytest.mark.soak]),
]
"""For what takes long and is the same code in both: with a user of its own in the soak."""
with_and_without_sandbox = pytest.mark.parametrize("kind", sandbox_params(*Sandbox))


def fake_bubblewrap(folder: Path, monkeypatch: pytest.MonkeyPatch, failing: range) -> Path:
    """Put a bubblewrap first in PATH of which some starts fail; return the file with its starts.

    ``failing`` are the numbers of starts, from 1. A supervisor tries four times.
    """
    real, starts = shutil.which("bwrap"), folder / "starts"
    fake = folder / "bin" / "bwrap"
    fake.parent.mkdir(exist_ok=True)
    fake.write_text(
        f'#!/bin/sh\necho start >> "{starts}"\nn=$(wc -l < "{starts}")\n'
        f'[ "$n" -ge {failing.start} ] && [ "$n" -lt {failing.stop} ] || exec {real} "$@"\n'
        'echo "bwrap: No space left on device" >&2\nexit 1\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    return starts
