"""Games in this process, over TCP, and recorded ones: played, read, verified, played on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent import futures
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from .admin.refereeing.log.reader import UnreadableLog, read, read_bytes
from .admin.refereeing.log.recorder import Header, SeatRecord
from .admin.refereeing.log.verifier import Verifier
from .admin.refereeing.log.writer import GameLog, MemoryFile
from .admin.refereeing.play import in_process
from .admin.refereeing.play.dealer import Dealer, new_seed
from .admin.refereeing.play.events import Event, TurnBegan
from .admin.refereeing.play.outcome import Outcome
from .admin.refereeing.play.referee import Referee, Segment
from .game.rulebook import Rulebook
from .game.rulebooks import RULEBOOKS
from .game.state import State
from .player.program.client import Client, connect
from .player.program.client import GameEnd as GameEnd
from .player.strategies.guess import complete as complete
from .player.strategies.strategy import Strategy as Strategy
from .protocol.dialect import Dialect
from .protocol.plugins import STRATEGIES, load_strategy, plugins

PlayerMaker: TypeAlias = Callable[[Rulebook, int], in_process.Strategy]
"""Makes a player from a rulebook and a seed: a subclass of :class:`Strategy` does."""
Players: TypeAlias = Mapping[str, str | PlayerMaker]
"""By name in the order of sign-up: the name of a built-in player, or what makes a player."""


class InvalidLogError(Exception):
    """A log cannot be read, or is not of a game by the rules; the text says where."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A whole game: its outcome, everything that happened in it, and its log.

    ``players`` are in the order of sign-up. Every event of the table carries the position after it.
    """

    rulebook: Rulebook
    players: tuple[str, ...]
    seed: int
    outcome: Outcome
    events: tuple[Event, ...]
    log: bytes

    @property
    def winners(self) -> tuple[str, ...]:
        """The players with the highest score; several if they tie."""
        return tuple(one.name for one in self.outcome.standings if one.won)

    @property
    def scores(self) -> dict[str, int]:
        """The score of every player in dollars, the highest first; 0 if it was ejected."""
        return {one.name: one.score for one in self.outcome.standings}

    @property
    def ejected(self) -> dict[str, str]:
        """Why players were ejected, by name: the probable mistake first, if one is recognised."""
        return {event.name: event.with_hint for event in self.outcome.ejected}

    @property
    def turns(self) -> list[State]:
        """The position at the beginning of every turn; the mover is the first player."""
        return [event.state for event in self.events if isinstance(event, TurnBegan)]

    def save(self, path: Path | str) -> None:
        """Write the log, for `acquire replay` and the other commands; ``OSError``."""
        Path(path).write_bytes(self.log)

    def __repr__(self) -> str:
        """Return a few words; a log is too long."""
        return f"<GameRecord {self.rulebook.id}, seed {self.seed}: {self.scores}>"

    def __str__(self) -> str:
        """Return the standings, one player a line."""
        lines = [
            f"{one.rank}. {one.name} " + (f"${one.score:,}" if one.finished else "ejected")
            for one in self.outcome.standings
        ]
        ended = f"{self.outcome.ending.value} after {self.outcome.turns} turns"
        return "\n".join([f"{self.rulebook.id}, seed {self.seed}: {ended}", *lines])


def play_game(
    players: Players, rulebook: Rulebook | str = "revised", seed: int | None = None
) -> GameRecord:
    """Play a game in this process; the same seed gives the same game.

    Exceptions in a player are not caught. A player that gives an illegal answer, or one that no
    message can say, is ejected (:attr:`GameRecord.ejected`). ``ValueError`` if the rulebook is for
    another number of players, ``KeyError`` for an unknown name of a rulebook or a built-in player.

    >>> print(play_game({"ann": "investor", "bob": "random", "cyd": "random"}, seed=1))
    revised, seed 1: no-placeable-tile after 44 turns
    1. ann $41,950
    2. bob $24,150
    3. cyd $21,900
    """
    if isinstance(rulebook, str) and rulebook not in RULEBOOKS:
        raise KeyError(f"no rulebook {rulebook!r}; there are {', '.join(RULEBOOKS)}")
    rules = RULEBOOKS[rulebook] if isinstance(rulebook, str) else rulebook
    return _played(players, rules, new_seed() if seed is None else seed, None)


class GameRow(NamedTuple):
    """What one player got in one of many games: a row of a table.

    ``seats`` has the players in the order of sign-up. Players who tie share the better ``rank``.
    ``score`` is in dollars, 0 for a player that was ejected. ``ending`` is how the game ended,
    ``why`` why the player was ejected, empty if it was not.
    """

    seed: int
    seats: tuple[str, ...]
    player: str
    rank: int
    score: int
    turns: int
    ending: str
    why: str


def play_games(
    players: Players,
    count: int,
    rulebook: Rulebook | str = "revised",
    seed: int = 0,
    *,
    jobs: int = 1,
) -> list[GameRow]:
    """Play games with the seeds from ``seed`` on; return a row for each player of each of them.

    From game to game the first in the order of sign-up becomes the last, so that nobody keeps the
    best seat: to play a game again, give :func:`play_game` the players in the order of ``seats``
    and the ``seed`` of its row. An exception has a note with both. With
    several ``jobs`` that many processes play, and what makes a player has to be known to them: a
    name, or a class of a module. The rows are the same. ``pandas.DataFrame(rows)`` has a column for
    each field. Errors are those of :func:`play_game`.

    >>> rows = play_games({"ann": "investor", "bob": "random", "cyd": "random"}, 3)
    >>> [row.player for row in rows if row.rank == 1]
    ['ann', 'ann', 'ann']
    >>> rows[-1].seats
    ('cyd', 'ann', 'bob')
    """
    names = list(players)
    orders = [names[place:] + names[:place] for place in range(len(names))]
    games = [
        ({name: players[name] for name in orders[number % len(names)]}, rulebook, seed + number)
        for number in range(count)
    ]
    if jobs == 1:
        return [row for game in games for row in _rows(game)]
    with futures.ProcessPoolExecutor(jobs) as pool:
        found = pool.map(_rows, games, chunksize=max(1, min(50, count // (4 * jobs))))
        return [row for rows in found for row in rows]


def _rows(game: tuple[Players, Rulebook | str, int]) -> list[GameRow]:
    """Play a game, and return the rows of its players, the winner's first."""
    players, _, seed = game
    try:
        played = play_game(*game)
    except Exception as error:
        error.add_note(
            f"This was in the game of seed {seed}, with {', '.join(players)} signing up."
        )
        raise
    return [
        GameRow(
            played.seed,
            tuple(players),
            one.name,
            one.rank,
            one.score,
            played.outcome.turns,
            played.outcome.ending.value,
            played.ejected.get(one.name, ""),
        )
        for one in played.outcome.standings
    ]


def play_on(
    state: State, players: Players, seed: int = 0, *, turns: int | None = None
) -> GameRecord:
    """Play a game on from a position, to its end or for some turns, and return that part of it.

    The position must be at the beginning of a turn: the mover is asked for a whole one.
    The bag is that of the position; one without a bag is completed first (:func:`complete`).
    Exceptions and ejections are as in :func:`play_game`. ``KeyError`` if a player of the position
    is missing, ``ValueError`` if ``turns`` is negative.
    """
    seated = _players_of(state, players, turns)
    whole = state if state.bag else complete(state, seed)
    return _played(seated, state.rulebook, seed, Segment(whole, turns))


def _played(players: Players, rules: Rulebook, seed: int, part: Segment | None) -> GameRecord:
    dealer = Dealer(seed)
    seats = tuple(
        SeatRecord(name, "house", kind if isinstance(kind, str) else getattr(kind, "__name__", "?"))
        for name, kind in players.items()
    )
    file = MemoryFile()
    log = GameLog(Path("game.xml"), file, Header(rules, seed, 1, dealer.bag, seats, False))
    happened: list[Event] = []

    def emit(event: Event) -> None:
        log(event)
        happened.append(event)

    made = _make(players, rules, seed)
    referee = Referee(rules, list(players), dealer.bag, dealer.shuffle, emit)
    questions = referee.play() if part is None else referee.play_segments([part])
    outcome = in_process.play(questions, made, Dialect.of(rules))
    log.close()
    return GameRecord(rules, tuple(players), seed, outcome, tuple(happened), file.data())


def read_game(log: Path | str | bytes) -> GameRecord:
    """Read a recorded game, and verify that it holds; ``InvalidLogError``.

    ``log`` is a path, or the bytes of a log; both may be compressed. An interrupted game is
    returned as far as it goes.
    """
    try:
        if isinstance(log, bytes):
            record, data = read_bytes(Path("log"), log), log
        else:
            record, data = read(Path(log)), Path(log).read_bytes()
    except UnreadableLog as error:
        raise InvalidLogError(str(error)) from error
    found = Verifier(record).verify()
    if found.divergence is not None:
        raise InvalidLogError(found.divergence)
    header = record.header
    names = header.names
    return GameRecord(header.rulebook, names, header.seed, found.outcome, found.events, data)


def simulate(
    state: State, players: Players, seed: int = 0, *, turns: int | None = None
) -> dict[str, int]:
    """Play on with the unseen tiles dealt at random, and return everybody's money at the end.

    The position must be at the beginning of a turn: the mover is asked for a whole one.
    Another seed gives another future, also of a position whose bag is known: see :func:`complete`;
    :func:`play_on` keeps the bag. With ``turns`` no more turns than that are played, and then all
    are paid as if the game were over. ``KeyError`` if a player of the position is missing,
    ``ValueError`` if ``turns`` is negative, or if a player gives an illegal answer.

    >>> from acquire import REVISED, parse_position
    >>> state = parse_position(REVISED, "AA", ["ann 5A A3", "bob 6B $900", "cyd 7C"])
    >>> simulate(state, {"ann": "ordered", "bob": "ordered", "cyd": "ordered"}, turns=1)["ann"]
    3900
    """
    seated = _players_of(state, players, turns)
    segment, made = Segment(complete(state, seed), turns), _make(seated, state.rulebook, seed)
    outcome = in_process.play_from(segment, list(seated), made, Dealer(seed))
    for ejected in outcome.ejected:
        raise ValueError(f"{ejected.name} was ejected: {ejected.detail}")
    return {one.name: one.score for one in outcome.standings}


def built_in(name: str) -> PlayerMaker:
    """Return what makes the built-in player of this name, or the class in ``FILE.py:CLASS``.

    ``KeyError`` if there is none, ``acquire.protocol.plugins.StrategyFileError`` if a file
    cannot be used.
    """
    try:
        return load_strategy(name)
    except KeyError:
        known = ", ".join(plugins(STRATEGIES))
        raise KeyError(f"no built-in player {name!r}; there are {known}") from None


def _players_of(state: State, players: Players, turns: int | None) -> Players:
    """Return the players of a position, in turn order."""
    if turns is not None and turns < 0:
        raise ValueError(f"{turns} turns cannot be played")
    names = [player.name for player in state.players]
    if missing := {*names} - players.keys():
        raise KeyError(f"no player is given for {', '.join(sorted(missing))}")
    return {name: players[name] for name in names}


def _make(players: Players, rulebook: Rulebook, seed: int) -> dict[str, in_process.Strategy]:
    return {
        name: (built_in(kind) if isinstance(kind, str) else kind)(rulebook, own)
        for own, (name, kind) in enumerate(players.items(), seed)
    }


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
    return client.play(name, lambda rulebook: player(rulebook, seed), on_signed_up=on_signed_up)
