"""A rulebook is data: the referee plays by any mixture of its closed choices.

The five rulebooks are five of these mixtures; a sixth needs no new code.
"""

import random
from dataclasses import replace
from enum import Enum
from typing import Any

from ledger import Ledger

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.game.rulebook import DeadTiles, EmptyBag, End, ForbiddenMerger, Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.turn import Ending
from acquire.played_games import play_game

FIELDS = {name: getattr(CLASSIC, name) for name in CLASSIC.__dataclass_fields__}
CHOICES = {name: list(type(value)) for name, value in FIELDS.items() if isinstance(value, Enum)}


def play(rulebook: Rulebook, seed: int, seats: int) -> Outcome:
    """Play a game of random players to its end, and keep its books."""
    names = "abcdef"[: max(seats, rulebook.min_players)]
    game = play_game(dict.fromkeys(names, "random"), rulebook, seed)
    ledger = Ledger(rulebook, names)
    for event in game.events:
        ledger(event)
        if isinstance(event, events.Ended) and event.ending is Ending.BAG_EMPTY:
            assert rulebook.empty_bag is EmptyBag.ENDS_GAME and not event.state.bag
    return game.outcome


def test_every_mixture_of_choices_is_played_to_its_end_with_the_books_right(soak: bool) -> None:
    mixed: set[object] = set()
    for seed in range(3000 if soak else 25):
        chance = random.Random(seed)
        base = chance.choice([REVISED, CLASSIC, CORPORATIONS])
        chosen: dict[str, Any] = {name: chance.choice(each) for name, each in CHOICES.items()}
        rulebook = replace(base, id="mixed", market_for_two=chance.random() < 0.5, **chosen)
        try:
            outcome = play(rulebook, seed, chance.randint(2, 6))
        except AssertionError as failure:
            failure.add_note(f"seed {seed}: {base.id} with {chosen}")
            raise
        assert not outcome.ejected, f"seed {seed}: {base.id} with {chosen}"
        assert outcome.ending not in (Ending.INTERRUPTED, Ending.NOBODY_LEFT)
        mixed |= {*chosen.values()}
    assert mixed == {value for each in CHOICES.values() for value in each}


def test_tiles_set_aside_when_the_empty_bag_ends_the_game_are_in_the_books() -> None:
    rulebook = replace(
        CLASSIC,
        forbidden_merger=ForbiddenMerger.ANY_SAFE,
        dead_tiles=DeadTiles.REPLACED,
        empty_bag=EmptyBag.ENDS_GAME,
        end=End.ADMINISTRATOR,
        market_for_two=False,
    )
    assert {play(rulebook, seed, 2).ending for seed in range(8)} >= {Ending.BAG_EMPTY}
