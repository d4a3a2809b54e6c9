"""Reports a bug of this program: a sentence for the user, the traceback in a file."""

import tempfile
import traceback


def write_crash_report(error: BaseException) -> str:
    """Write the traceback to a new file, and return a sentence that names it."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="acquire-", suffix=".error.txt", delete=False
    ) as file:
        file.write("".join(traceback.format_exception(error)))
    return f"This is a bug ({error!r}). Please report it with {file.name}."
