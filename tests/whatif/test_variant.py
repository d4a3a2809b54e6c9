"""Variants as they are written on the command line."""

from __future__ import annotations

import pytest
from loops import for_each

from acquire.admin.studying.whatif.single_game import InvalidVariant, Variant, parse_variant

SEATS = ("alice", "bob=2", "bob")
STRATEGIES = ("investor", "random")


@for_each(
    ("text", "expected"),
    [
        ("alice=investor", Variant("alice", "investor")),
        ("alice=recorded", Variant("alice", "random", recorded=True)),
        ("bob=random", Variant("bob", "random")),
        ("bob=2=random", Variant("bob=2", "random")),
        ("bob=./player {port}", Variant("bob", words=("./player", "{port}"))),
        ("alice=py 'a b.py' {name}", Variant("alice", words=("py", "a b.py", "{name}"))),
    ],
)
def test_seat_and_who_takes_it_are_parsed(text: str, expected: Variant) -> None:
    assert parse_variant(text, SEATS, STRATEGIES, "random") == expected


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("alice", "expected NAME=WHO. Players: 'alice', 'bob=2', 'bob'"),
        ("carol=random", "no player is called 'carol'"),
        ("alice=", "nothing after the ="),
        ("alice=py 'a", "the command cannot be parsed: No closing quotation"),
    ],
)
def test_invalid_variant_is_refused_with_what_was_expected(text: str, error: str) -> None:
    with pytest.raises(InvalidVariant, match=r".") as refused:
        parse_variant(text, SEATS, STRATEGIES, "random")
    assert error in str(refused.value)


def test_label_of_a_command_is_as_typed_in_a_shell() -> None:
    words = ("python3", "my player.py", "{host}", "{port}")
    assert Variant("a", words=words).label == "python3 'my player.py' {host} {port}"
    assert Variant("a", "investor", recorded=True).label == "recorded, then investor"
    assert Variant("a", "investor").label == "investor"
