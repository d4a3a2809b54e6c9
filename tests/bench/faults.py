"""How many faulty administrators `acquire check-server` finds, and of how many it names the cause.

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
CHEATS = [
    "turn-tile-not-in-hand",
    "turn-tile-of-another",
    "turn-beside-loose",
    "turn-founds-unnamed",
    "turn-mixed",
    "turn-too-dear",
    "turn-sold-out",
    "turn-no-price",
    "turn-three-certificates",
    "turn-speaks-ahead",
    "state-speaks-ahead",
    "state-silent",
    "keep-not-xml",
]


def failures(name: str, seconds: float) -> list[tuple[str, str]]:
    """Check one faulty administrator; return the cases that failed, and what is said of each."""
    sections = FAULTS[name].cases.split()
    wanted = [section for section in sections if section != "ejection"]
    if "ejection" in sections:
        wanted += [f"ejection/{each}" for each in ("honest", "goods", "undone", *CHEATS)]
    only = [word for each in wanted for word in ("--only", each)]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        administrator = [sys.executable, str(TESTS / "faulty_administrator.py"), name, "serve"]
        subprocess.run(
            [
                *(str(ACQUIRE), "check-server", "--sandbox", "none", "--json", str(report), *only),
                *("--time", str(seconds), "--log-dir", folder, "--"),
                *(*administrator, "--port", "{port}", "--players", "{seats}"),
                *("--log-dir", folder),
            ],
            capture_output=True,
            cwd=folder,
            check=False,
        )
        tests = json.loads(report.read_text())["tests"]
    found = []
    for each in tests:
        verdict = each["name"].rpartition("(")[2].rstrip(")")
        if verdict in ("failed", "warned"):
            text = " ".join(each["output"].split())
            said = text.partition(" actual ")[2].partition(" Messages ")[0]
            found.append((each["extra_data"]["id"], said[:600]))
    return found


def main() -> None:
    """Check all faulty administrators, or those named, and count."""
    named = sys.argv[1:] or [*FAULTS]
    found = caused = 0
    for name in named:
        began = time.monotonic()
        failed = failures(name, 14)
        fault = FAULTS[name]
        first = [said for _, said in failed if re.search(fault.words, said.partition("(match")[0])]
        found += bool(failed)
        caused += bool(first)
        verdict = "cause" if first else "found" if failed else "MISSED"
        took = time.monotonic() - began
        print(f"{verdict:7}{name:40}{took:5.0f} s  {', '.join(case for case, _ in failed)[:80]}")
        print(f"        {(first or [said for _, said in failed] or [''])[0][:230]}", flush=True)
    print(f"{found} of {len(named)} found, the cause of {caused} named.")


if __name__ == "__main__":
    main()
