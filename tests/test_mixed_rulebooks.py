"""A rulebook is data: the referee plays by any mixture of its closed choices.

The five rulebooks are five of these mixtures; a sixth needs no new code.
"""

import random
from dataclasses import replace
from enum import Enum
from typing import Any

from ledger import Ledger
from loops import for_each
from play.driven import play_on
from positions import ROW_E_IS_DEAD, move, scene, tiles

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.game.rulebook import DeadTiles, EmptyBag, End, ForbiddenMerger, Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.turn import Ending
from acquire.played_games import play_game
from acquire.protocol import messages

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


@for_each(
    ("hand", "bag", "told", "ends"),
    [
        ("9I 1E", "3I 5I", "3I 5I", False),
        ("9I 1E", "3I", "3I", True),  # the tile of the turn is there, and none for 1E
        ("9I 1E 2E 3E 4E 5E 6E", "3I 5I", "3I 5I", True),  # six are dead
        ("9I 7I", "", "", True),
    ],
)
def test_bag_that_cannot_replace_a_dead_tile_ends_the_game_where_an_empty_one_does(
    hand: str, bag: str, told: str, ends: bool
) -> None:
    rulebook = replace(CLASSIC, empty_bag=EmptyBag.ENDS_GAME)
    state = scene(rulebook, ROW_E_IS_DEAD, f"ann {hand}", "bob 10I", "cyd 11I", bag=bag)
    placed = messages.Pbuy(move("9I", rulebook), ())
    game = play_on(state, lambda name, _: placed if name == "ann" else None)
    asked = [ask.message for asks in game.asked for ask in asks.values()]
    drawn = [message.tile for message in asked if isinstance(message, messages.NewTile)]
    assert drawn == list(tiles(told)), "who drew is told"
    ending = [over.ending for over in game.of(events.Ended)]
    assert ending == [Ending.BAG_EMPTY] * ends
