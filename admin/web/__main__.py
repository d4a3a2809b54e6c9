"""The process of the pages: ``python -m admin.web HOST PORT NAME ..``."""

import sys

from admin.web.page_server import run

if __name__ == "__main__":
    run(sys.argv[1:])
