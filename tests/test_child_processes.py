"""Processes that tests start are found and ended, and begin with the usual signals."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from child_processes import command_of, end_what_is_left, running
from tournament_process import eventually


def test_process_whose_parent_has_ended_is_found_and_killed() -> None:
    subprocess.run(["sh", "-c", "sleep 600 & sleep 700 &"], check=True)
    asleep = [b"sleep 600", b"sleep 700"]
    assert eventually(lambda: sorted(map(command_of, running())) == asleep)
    assert sorted(end_what_is_left(0.0).values()) == ["sleep 600", "sleep 700"]
    assert not running()


IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGUSR1)
TESTS = f"""
import signal, subprocess, sys
for number in {[int(number) for number in IGNORED]}:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
from child_processes import begin_with_usual_signals
begin_with_usual_signals()
show = "import os; print(open('/proc/self/status').read())"
subprocess.run([sys.executable, "-I", "-S", "-c", show], check=True)
"""


def test_processes_begin_with_the_usual_signals_though_the_tests_did_not() -> None:
    tests = Path(__file__).parent
    path = f"import sys; sys.path[:0] = {[str(tests), str(tests.parent)]}"
    command = [sys.executable, "-c", path + TESTS]
    status = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    masks = dict(line.split(":\t") for line in status.splitlines() if line.startswith("Sig"))
    assert int(masks["SigBlk"], 16) == 0
    ignored = {number for number in signal.Signals if int(masks["SigIgn"], 16) >> number - 1 & 1}
    assert ignored == {signal.SIGPIPE, signal.SIGXFSZ}, "which Python ignores"
