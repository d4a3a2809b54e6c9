"""What a verified log proves and what it does not, as `acquire replay --verify` prints it."""

from dataclasses import replace
from pathlib import Path

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Ejections
from acquire.admin.refereeing.table.listeners import format_address
from acquire.admin.refereeing.view.outcome_text import SHOWN, came, grounds

LOG = read(Path(__file__).parents[1] / "golden" / "revised-large-hotel.xml")


def lists(ejections: Ejections, commitment: str = "") -> tuple[str, str]:
    """Return what is proved and what is testimony, each on one line."""
    record = replace(LOG, header=LOG.header._replace(commitment=commitment))
    text = grounds(record, ejections)
    assert max(map(len, text.splitlines())) <= 80
    proved, _, testimony = " ".join(text.split()).partition(" Testimony ")
    return proved, testimony


def test_ejections_are_proved_by_the_rule_or_the_bytes() -> None:
    proved, testimony = lists(Ejections(by_rule=1, by_bytes=2))
    assert proved.endswith(
        "by the rules; 1 ejection for an illegal move, judged again; "
        "2 ejections for the recorded bytes, judged again"
    )
    assert "ejection" not in testimony


def test_ejections_by_the_clock_are_testimony() -> None:
    proved, testimony = lists(Ejections(by_clock=3))
    assert "ejection" not in proved and "3 ejections" in testimony


def test_seed_of_a_committed_secret_is_checked_elsewhere() -> None:
    assert "how the seed was chosen" in lists(Ejections())[1]
    assert "that the seed follows from the committed secret" in lists(Ejections(), "ab")[1]


def test_bytes_that_came_are_shown_on_a_line_up_to_a_limit() -> None:
    assert came(b"") == ""
    assert came(b"<a\n  \xff/>") == "\n  came: <a \\xff/>"
    assert came(b"x" * (SHOWN + 1)) == f"\n  came: {'x' * SHOWN} ..."


def test_address_of_a_newer_internet_is_in_brackets() -> None:
    assert format_address(("127.0.0.1", 5)) == "127.0.0.1:5"
    assert format_address(("::1", 5, 0, 0)) == "[::1]:5"
