"""Which name a player gets when another has the same."""

import pytest

from acquire.protocol.player_names import MAX_NAME, free_name

X64 = "x" * MAX_NAME


@pytest.mark.parametrize(
    ("wanted", "taken", "given"),
    [
        ("ann", [], "ann"),
        ("ann", ["bob"], "ann"),
        ("ann", ["ann"], "ann-2"),
        ("ann", ["ann", "ann-2"], "ann-3"),
        ("ann-2", ["ann", "ann-2"], "ann-2-2"),
        ("ann", ["Ann"], "ann-2"),
        ("\uff41nn", ["ann"], "\uff41nn-2"),
        ("a\u200bnn", ["ann"], "a\u200bnn-2"),
        ("\u202eann", ["ann"], "\u202eann-2"),
        ("an\u3164n", ["ann"], "an\u3164n-2"),
        ("ann\ufe0f", ["an\u034fn"], "ann\ufe0f-2"),
        ("ann ", ["ann"], "ann -2"),
        ("a b", ["a\u00a0 b"], "a b-2"),
        ("ann", ["ana"], "ann"),
        (X64, [X64], "x" * 62 + "-2"),
        (X64, [X64, "x" * 62 + "-2"], "x" * 62 + "-3"),
        (X64, [X64, *(f"{'x' * 62}-{n}" for n in range(2, 10))], "x" * 61 + "-10"),
        ("<&\"'>", ["<&\"'>"], "<&\"'>-2"),
    ],
)
def test_a_taken_name_gets_the_first_free_suffix(wanted: str, taken: list[str], given: str) -> None:
    assert free_name(wanted, taken) == given
    assert len(given) <= MAX_NAME
