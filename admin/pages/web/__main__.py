"""The process of the pages: ``python -m acquire.admin.pages.web HOST PORT NAME ..``."""

import sys

from .page_server import run

if __name__ == "__main__":
    run(sys.argv[1:])
