"""The process of a tournament's pages: ``python -m .. STORE HOST PORT NAME ..``, as
``acquire.admin.pages.web``.

Beside the live games it serves the report so far, which it reads from the store: reading never
blocks the run that writes to it. The process has the lowest priority, and stays away from players.
"""

import os
import sys
from pathlib import Path

from ...pages.web.page_server import run
from .live_report import LiveReport

LOWEST = 19

if __name__ == "__main__":
    os.nice(LOWEST)
    run(sys.argv[2:], LiveReport(Path(sys.argv[1])).page)
