"""A player over TCP."""

from collections.abc import Callable
from functools import partial

from .game.rulebook import Rulebook
from .played_games import PlayerMaker
from .player.program.client import Answerer, Client, GameEnd, connect

__all__ = ["GameEnd", "play_remote"]


def play_remote(
    player: PlayerMaker,
    host: str,
    port: int,
    name: str,
    *,
    seed: int = 0,
    timeout: float = 10.0,
    on_signed_up: Callable[[str], None] = lambda _: None,
) -> GameEnd:
    """Sign up with a referee and play one game; return how it ended for the player.

    The player is made when the referee has named the rulebook. ``timeout`` is for connecting,
    in seconds; ``OSError`` if that fails. ``on_signed_up`` is called with the name at the table.
    """
    client = Client(connect(host, port, timeout))
    return client.play(name, partial(_made, player, seed), on_signed_up=on_signed_up)


def _made(player: PlayerMaker, seed: int, rulebook: Rulebook) -> Answerer:
    return player(rulebook, seed)
