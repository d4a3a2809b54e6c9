"""Play one game between four player processes, the same game every time.

    .venv/bin/python docs/examples/demo.py [FOLDER]

The seed fixes the tiles. Seats are given in the order of connecting, so each player is started when
the one before it has signed up. The log goes to FOLDER, by default matches/demo.
"""

import json
import subprocess
import sys
from pathlib import Path

ACQUIRE = Path(sys.executable).with_name("acquire")
SEED = 2013
SEATS = ("investor", "random", "ordered", "smallest-anti")
"""The players in the order of their seats, named after their strategies."""


def main(folder: str) -> int:
    """Run a referee and its players to their end, and return an exit code."""
    processes = []

    def start(*arguments: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen([ACQUIRE, *arguments], stdout=subprocess.PIPE, text=True)
        processes.append(process)
        return process

    try:
        clocks = ("--reply-timeout", "60", "--turn-timeout", "120")  # also for a busy machine
        table = ("--players", str(len(SEATS)), "--seed", str(SEED), "--log-dir", folder)
        server = start("serve", "--json", "--port", "0", *table, *clocks)
        listening = first_line(server)
        if not listening:
            return server.wait()
        port = json.loads(listening)["addresses"][0].rpartition(":")[2]
        for name in SEATS:
            player = start("play", "127.0.0.1", port, "--name", name, "--strategy", name)
            if not first_line(player):  # "Signed up as NAME."; it has exited when there is none
                return player.wait()
        for process in processes:
            process.communicate()
    except KeyboardInterrupt:
        return 130
    finally:
        for process in processes:
            process.terminate()
    return max(process.wait() for process in processes)


def first_line(process: "subprocess.Popen[str]") -> str:
    """Wait for the first line that a process prints."""
    assert process.stdout is not None
    return process.stdout.readline()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "matches/demo"))
