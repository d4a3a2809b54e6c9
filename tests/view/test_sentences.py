"""Sentences that no golden game has, or not in every form."""

from __future__ import annotations

import pytest

from admin.match.outcome import standings
from admin.view.sentences import result_sentence


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ({"ann": 500, "bob": 40}, "ann wins with $500."),
        ({"ann": 7, "bob": 1500, "cyd": 1500}, "bob and cyd tie for first place with $1,500 each."),
        ({"a": 9, "b": 9, "c": 9}, "a, b and c tie for first place with $9 each."),
        ({}, "No player finished."),
    ],
)
def test_result_names_the_winner_or_all_who_tie(scores: dict[str, int], sentence: str) -> None:
    assert result_sentence(standings([*scores.items()], ["zoe"])) == sentence
