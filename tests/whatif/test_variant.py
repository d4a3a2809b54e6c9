"""Who takes a seat, as it is written on the command line."""

from __future__ import annotations

import pytest

from admin.whatif.variant import House, Launched, Move, NoVariant, Variant, read_variant

SEATS = ("alice", "bob=2", "bob")
STRATEGIES = ("investor", "random")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("alice=investor", House("alice", "investor")),
        ("alice=recorded", Move("alice", "random")),
        ("bob=random", House("bob", "random")),
        ("bob=2=random", House("bob=2", "random")),
        ("bob=./player {port}", Launched("bob", ("./player", "{port}"))),
        ("alice=py 'a b.py' {name}", Launched("alice", ("py", "a b.py", "{name}"))),
    ],
)
def test_seat_and_who_takes_it_are_read(text: str, expected: Variant) -> None:
    assert read_variant(text, SEATS, STRATEGIES, "random") == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("alice", "expected NAME=WHO. The names are: 'alice', 'bob=2', 'bob'"),
        ("carol=random", "nobody is called 'carol'"),
        ("alice=", "who takes the seat?"),
        ("alice=py 'a", "the command cannot be read: No closing quotation"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_was_expected(text: str, said: str) -> None:
    with pytest.raises(NoVariant, match=r".") as refused:
        read_variant(text, SEATS, STRATEGIES, "random")
    assert said in str(refused.value)


def test_command_is_called_as_a_person_would_type_it() -> None:
    words = ("python3", "my player.py", "{host}", "{port}")
    assert Launched("a", words).label == "python3 'my player.py' {host} {port}"
    assert Move("a", "investor").label == "recorded, then investor"
    assert House("a", "investor").label == "investor"
