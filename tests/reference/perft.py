"""Sequences of decisions counted by the reference, to the definition in docs/students/perft.md."""

from collections.abc import Generator
from copy import deepcopy
from itertools import product
from typing import TypeAlias

from reference.game import Game

Turn: TypeAlias = Generator[int, int, None]
"""A turn: it yields how many choices there are, and is sent the index of the one taken."""


def count(game: Game, depth: int, taken: tuple[int, ...] = ()) -> int:
    """The sequences of `depth` decisions, after those taken in the turn that `game` begins."""
    if game.ending() is not None:
        return 0
    played = deepcopy(game)
    turn = play_turn(played)
    try:
        choices = next(turn)
        for index in taken:
            choices = turn.send(index)
    except StopIteration:
        return count(played, depth)
    if depth == 1:
        return choices
    return sum(count(game, depth - 1, (*taken, index)) for index in range(choices))


def play_turn(game: Game) -> Turn:
    """Play a turn by the text of docs/students/perft.md."""
    game.begin_turn()
    if game.may_replace_hand() and (yield 2) == 0:
        game.replace_hand()
    if options := game.legal_placements():
        game.place(*options[(yield len(options))])
        yield from settle(game)
    while game.next_waiting() is not None:
        if game.waiting_merges:
            choices = game.waiting_choices()
            game.place_waiting(*choices[(yield len(choices))])
            yield from settle(game)
    ends = [False, True] if game.declarable() else [False]
    orders = list(product(game.legal_orders(), ends))
    order, end = orders[(yield len(orders))]
    game.buy(order)
    if end:
        game.declare()
    else:
        game.end_turn()


def settle(game: Game) -> Turn:
    """Ask about the certificates of the acquired hotels."""
    if game.rules.keep_or_return:
        answers = list(product([True, False], repeat=len(game.acquired)))
        for player in list(game.players) if game.acquired else []:
            game.keep(player.name, answers[(yield len(answers))])
        return
    for hotel in game.acquired:
        if game.market:
            game.draw_for_market(hotel)
        game.pay_bonuses(hotel)
        for player in [player for player in game.players if player.shares[hotel]]:
            disposals = game.legal_disposals(player.name, hotel)
            game.dispose(player.name, hotel, *disposals[(yield len(disposals))])
