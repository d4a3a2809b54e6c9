"""How many faulty administrators `acquire check-server` finds, and of how many it names the cause.

Strictly: in the first sentence of the failure that its author is told to begin with.

python -m tests.bench.faults [FAULT ...]
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from faulty_administrator import FAULTS  # noqa: E402  # after its folder is known

ACQUIRE = Path(sys.executable).parent / "acquire"


def said_of(name: str) -> tuple[str, list[str]]:
    """Check one faulty administrator as a whole, as its author would.

    Return what its author is told to begin with, and the cases that failed.
    """
    fault = FAULTS[name]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        administrator = [sys.executable, str(TESTS / "faulty_administrator.py"), name, "serve"]
        subprocess.run(
            [
                *(str(ACQUIRE), "check-server", "--sandbox", "none", "--json", str(report)),
                *("--rulebook", fault.rulebook, "--log-dir", folder, "--"),
                *(*administrator, "--port", "{port}", "--players", "{seats}"),
                *("--rulebook", fault.rulebook, "--log-dir", folder, "--forever"),
            ],
            capture_output=True,
            cwd=folder,
            check=False,
        )
        results = json.loads(report.read_text())
    failed = [
        each["extra_data"]["id"]
        for each in results["tests"]
        if each["name"].rpartition("(")[2].rstrip(")") in ("failed", "warned")
    ]
    _, _, begin = results["output"].partition("Begin with ")
    return begin.partition("). ")[2], failed


def main() -> None:
    """Check all faulty administrators, or those named, and count."""
    named = sys.argv[1:] or [*FAULTS]
    found = caused = 0
    for name in named:
        began = time.monotonic()
        said, failed = said_of(name)
        first = re.split(r"(?<=[.:]) (?=[A-Z<])|\(match", said)[0]
        is_named = bool(re.search(FAULTS[name].words, first))
        found += bool(failed)
        caused += is_named
        verdict = "cause" if is_named else "found" if failed else "MISSED"
        took = time.monotonic() - began
        print(f"{verdict:7}{name:40}{took:5.0f} s  {len(failed)} cases: {', '.join(failed)[:60]}")
        print(f"        {said[:230]}", flush=True)
    print(f"{found} of {len(named)} found, the cause of {caused} named in the first sentence.")


if __name__ == "__main__":
    main()
