"""Report a tournament to a program: one JSON object per line on standard output."""

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from ...launching.sandbox import Chosen
from ...refereeing.view.plain_text import json_text
from ..games.entries import Changes
from ..games.result import GameResult
from ..planning.schedule import Game
from ..run.run_observer import ForwardingObserver, Observer, Progress
from ..store.stored_rows import VoidGame


class JsonObserver(ForwardingObserver):
    """Prints events as JSON lines, and forwards them to the observer for people.

    The field ``event`` is one of ``began``, ``players-changed``, ``listening``, ``sandbox``,
    ``turned-away``, ``awaited``, ``game-began``, ``game``, ``void``, ``trouble`` and, from the
    command itself, ``spectators`` and ``over``.
    """

    def __init__(self, other: Observer) -> None:
        super().__init__(other)
        self._closed = False

    def print(self, event: str, **fields: Any) -> None:
        """Print one line; once the reader has gone, the tournament goes on without."""
        if self._closed:
            return
        try:
            sys.stdout.write(json_text({"event": event, **fields}) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            self._closed = True
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for the flush at exit
            self._other.problem("Standard output was closed; the store has all games.")

    def started(
        self, progress: Progress, results: Iterable[GameResult], commitment: str = ""
    ) -> None:
        """Print how many games there are, how many were played before, and the commitment."""
        super().started(progress, results, commitment)
        self.print("began", **progress._asdict(), commitment=commitment or None)

    def players_changed(self, changes: Changes, archived: int) -> None:
        """Print who has joined, has a new version, was withdrawn or is retried."""
        super().players_changed(changes, archived)
        self.print("players-changed", **changes._asdict(), archived=archived)

    def listening(self, addresses: Sequence[str]) -> None:
        """Print the addresses."""
        super().listening(addresses)
        self.print("listening", addresses=list(addresses))

    def sandbox_chosen(self, chosen: Chosen) -> None:
        """Print which sandbox the programs have, and why none that is better."""
        super().sandbox_chosen(chosen)
        self.print("sandbox", kind=chosen.sandbox.value, why=chosen.why)

    def worker_joined(self, address: str, games: int, sandbox: str) -> None:
        """Print what a worker of the cluster offers."""
        super().worker_joined(address, games, sandbox)
        self.print("worker", address=address, games=games, sandbox=sandbox or None)

    def folder_sent(self, address: str, digest: str, size: int) -> None:
        """Print what a worker of the cluster was sent."""
        super().folder_sent(address, digest, size)
        self.print("sent", worker=address, digest=digest, bytes=size)

    def turned_away(self, address: str, name: str, why: str) -> None:
        """Print which connection got no place, and why."""
        super().turned_away(address, name, why)
        self.print("turned-away", address=address, name=name or None, why=why)

    def waiting_for(self, name: str, timeout: float) -> None:
        """Print which player a game waits for."""
        super().waiting_for(name, timeout)
        self.print("awaited", name=name, patience=timeout)

    def game_started(self, game: Game) -> None:
        """Print the players."""
        super().game_started(game)
        self.print("game-began", game=game.id, block=game.block, players=list(game.players))

    def game_finished(self, result: GameResult, progress: Progress) -> None:
        """Print the result, as it is stored, without the seed: other games may have it too."""
        super().game_finished(result, progress)
        fields = result.fields()
        del fields["seed"]
        self.print("game", **fields, **progress._asdict())

    def game_voided(self, void: VoidGame, again: bool) -> None:
        """Print why a game does not count."""
        super().game_voided(void, again)
        self.print("void", **void._asdict(), again=again)

    def problem(self, sentence: str) -> None:
        """Print what went wrong."""
        super().problem(sentence)
        self.print("trouble", sentence=sentence)
