"""Sentences that no golden game has, or not in every form."""

import pytest
from positions import at_table, hotel, player

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.outcome import standings
from acquire.admin.refereeing.view.sentences import Sentences, result_sentence
from acquire.game.placement import Kind
from acquire.game.rulebooks import REVISED
from acquire.game.tiles import parse_tile


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


def test_sentences_of_a_merger() -> None:
    state = at_table("TT.SSS", player("ann", "3A", Tower=2), player("bob"))
    tile, tower, sackson = parse_tile("3A"), hotel("Tower"), hotel("Sackson")
    merger: tuple[events.Event, ...] = (
        events.Placed("ann", tile, Kind.MERGING, sackson, state),
        events.Acquired(sackson, tower, 2, 200, state),
        events.BonusPaid("ann", tower, 3000, state),
        events.Sold("ann", tower, 1, 200, state),
        events.Traded("ann", tower, 2, sackson, 1, state),
        events.MarketPlaced(tile, Kind.MERGING, sackson, state),
    )
    assert [*map(Sentences(REVISED).sentence, merger)] == [
        "ann plays 3A: hotels merge into Sackson.",
        "Sackson acquires Tower (2 tiles, $200 per certificate).",
        "ann gets a bonus of $3,000 in Tower.",
        "ann sells 1 Tower certificate for $200.",
        "ann trades 2 Tower certificates for 1 Sackson certificate.",
        "The market's tile 3A is placed: hotels merge into Sackson.",
    ]
