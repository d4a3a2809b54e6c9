"""A defect of our own: one sentence for the person, the traceback in a file."""

import tempfile
import traceback


def report_defect(error: BaseException) -> str:
    """Write a traceback to a file of its own, and return the sentence that says where."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="acquire-", suffix=".error.txt", delete=False
    ) as file:
        file.write("".join(traceback.format_exception(error)))
    return f"Please report this defect ({error!r}) with {file.name}."
