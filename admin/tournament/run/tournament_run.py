"""A run of a tournament: which games are left to play, and what happens to finished ones.

The pool or the arena plays the games and hands them in here. They are stored, counted and reported.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import comb

from ..games.entries import MAX_VOIDS, Entries, given_up, number_in
from ..games.result import MAX_MISSED_SIGN_UPS, FailedGame, FinishedGame, GameResult, PlayerVerdict
from ..planning.facts import Format
from ..planning.game_seeds import Seeds, Series, series_of, store_series, stored_series
from ..planning.plan import Plan
from ..planning.schedule import Game, Schedule
from ..store.row_chain import public_key
from ..store.secret_file import open_secret
from ..store.store import Store
from ..store.store_reader import StoreError
from . import run_events
from .built_in import game_settings
from .stored_plan import resume, update_entries, verify_not_reduced


class TournamentRun:
    """A plan, its store and its observer; a store has one run at a time."""

    def __init__(
        self,
        plan: Plan,
        store: Store,
        observer: run_events.RunObserver,
        *,
        endless: bool = False,
        retry: Collection[str] = (),
    ) -> None:
        """Resume with the games in the store; ``StoreError`` if they are of another plan.

        A ladder that is ``endless`` has rounds until it is stopped. The losses of programs to
        ``retry`` are forgiven; ``StoreError`` if one of them is not skipped.
        """
        if retry:
            _verify_skipped(plan, store, retry)
        self.plan = plan
        self.settings = game_settings(plan)  # what all games have in common
        self._store, self.store_path = store, store.path
        self.observer = observer
        self._endless = endless
        self._secret = open_secret(store)
        signing = self._secret.signing_key()
        store.sign_with(signing)
        self.key = public_key(signing)  # by which everybody can check the results' signatures
        facts, seed = resume(plan, store, self._secret)
        self._results = [result for _, result in store.all_results()]
        before = _counting(store.entries(), self._results)
        self.changes = update_entries(plan, store, retry)  # changes since the run before
        self._entries = store.entries()
        self._finished = {result.game for result in self._results}
        self._counting = _counting(self._entries, self._results)
        self.archived = len(before - self._counting)  # games that counted before and do not now
        verify_not_reduced(plan, store, self._counting)
        self._schedule = Schedule(facts, seed, self._entries)  # as an audit has it
        self._total = self._schedule.total
        if plan.tournament.format is Format.LADDER:
            self._total = len(self._counting) + self._least_left()
        self._series = self._open_series()
        secrets = {each.number: self._secret.deals(each.number) for each in self._series}
        self._seeds = Seeds(seed, plan.duplicate, self._series, secrets)
        self._attempts = Counter(void.game for void in store.voids())
        self.missed = MissedSignUps(plan, () if plan.built_in_only else self.results())
        """The programs that are not started any more."""
        self._reveal_if_complete()

    @property
    def progress(self) -> run_events.Progress:
        """The number of games that count so far, and of all games."""
        return run_events.Progress(len(self._counting), self._total)

    @property
    def commitment(self) -> str:
        """The commitment to the bags of the last series; empty if they follow from the seed."""
        return self._series[-1].commitment if self._series else ""

    def stages(self) -> Iterator[list[Game]]:
        """Yield the games left to play, stage by stage; play each stage before the next.

        Games that are missing from rounds before the last one have been given up: the last round
        was paired without them, so they are not played any more.
        """
        if self.plan.tournament.format is Format.LADDER:
            yield from self._rounds_of_ladder()
            return
        for number in range(max(self._last_round, 1), (self._schedule.stages or 0) + 1):
            left = self._left(self._schedule.stage(number, self.results(), self._seeds))
            if left:
                yield left
            if self._last_round < number:
                return  # no game of this round could be played, so there is nothing to go by

    def _rounds_of_ladder(self) -> Iterator[list[Game]]:
        """Yield the tables of each round at which somebody has not played enough blocks yet."""
        number = self._last_round or 1
        while self._endless or not self._is_complete():
            wanted = self._blocks_left().keys()
            begun = {result.block for result in self._results}
            left = self._left(
                game
                for game in self._schedule.stage(number, self._results, self._seeds)
                if self._endless or game.block in begun or not wanted.isdisjoint(game.players)
            )
            self._total = len(self._counting) + max(len(left), self._least_left())
            if left:
                yield left
            if self._last_round < number if left else not (self._endless or wanted):
                return  # none could be played, or only games that were given up are missing
            number += 1
        self._total = len(self._counting)
        self._reveal_if_complete()

    @property
    def _last_round(self) -> int:
        """The last round of which a game was played, 0 if there is none."""
        return max((number_in(game, "r") for game in self._finished), default=0)

    def _left(self, games: Iterable[Game]) -> list[Game]:
        """Return the games that are not played yet and would count."""
        return [
            self._attempt(game)
            for game in games
            if game.id not in self._finished and self._entries.counts(game.id, game.players)
        ]

    def _blocks_left(self) -> dict[str, int]:
        """Return how many blocks each player of a ladder has still to play, if there are any."""
        blocks = {result.block: result.players for result in self.results()}
        played = Counter(name for names in blocks.values() for name in names)
        deals = self.plan.tournament.deals
        return {name: deals - played[name] for name in self.plan.names if played[name] < deals}

    def _least_left(self) -> int:
        """Return in how many games, at least, all players of a ladder play their blocks."""
        places = sum(self._blocks_left().values())
        return -(-places // self.plan.tournament.seats) * self._schedule.games_in_block

    def _is_complete(self) -> bool:
        """Whether all games that can still be played count; an endless ladder never is."""
        if self.plan.tournament.format is not Format.LADDER:
            never = 0  # will be played, of earlier rounds of a Swiss: they were given up
            if (before := self._last_round - 1) >= 1:
                due = before * (self._schedule.total // (self._schedule.stages or 1))
                never = due - sum(number_in(game, "r") <= before for game in self._counting)
            return len(self._counting) + never >= self._schedule.total
        blocks = Counter(result.block for result in self.results())
        whole, last = self._schedule.games_in_block, self._last_round
        unfinished = any(
            games < whole for block, games in blocks.items() if number_in(block, "r") >= last
        )
        return not (self._endless or unfinished or self._blocks_left())

    @property
    def given_up(self) -> list[str]:
        """The games that were void too often; the next run tries those of the last round again."""
        return given_up(self._attempts.elements(), self._results, self._entries)

    def start(self, game: Game) -> Game:
        """Report that a game starts; return it with the seed that it has by now."""
        game = self._attempt(game)
        self.observer(run_events.GameStarted(game))
        return game

    def _attempt(self, game: Game) -> Game:
        """Return a game with its seed, which may depend on the void attempts at it."""
        voids = self._attempts[game.id]
        if not voids:
            return game
        seed, commitment = self._seeds.seed_of_game(game.id, game.block, voids)
        return game._replace(seed=seed, commitment=commitment)

    def finish(self, games: Sequence[FinishedGame]) -> None:
        """Store games that count."""
        self._store.add(*games)
        for game in games:
            self._results.append(game.result)
            self._finished.add(game.result.game)
            self._counting.add(game.result.game)
            self.observer(run_events.GameFinished(game.result, self.progress))
            for name in self.missed.count(game.result):
                self.observer(run_events.Trouble(skipped_in_words(name)))
        if self.plan.tournament.format is not Format.LADDER:  # which is after its last round
            self._reveal_if_complete()

    def hand_in(
        self, games: Sequence[Game], results: Sequence[FinishedGame | FailedGame]
    ) -> list[Game]:
        """Store what has become of some games; return those to play again."""
        if finished := [result for result in results if isinstance(result, FinishedGame)]:
            self.finish(finished)
        return [
            game
            for game, result in zip(games, results, strict=True)
            if isinstance(result, FailedGame) and self.void(result)
        ]

    def void(self, failed: FailedGame) -> bool:
        """Store a game that does not count; return whether to play it again."""
        game = failed.game
        self._attempts[game] += 1
        failed = failed._replace(attempt=self._attempts[game])
        self._store.add(failed)
        again = failed.attempt % MAX_VOIDS != 0
        self.observer(run_events.GameVoided(failed, again))
        return again

    def _open_series(self) -> tuple[Series, ...]:
        """Return the series of bags, if any; store another one if games follow a reveal."""
        series = stored_series(self._store)
        if series and series[-1].last is not None and not self._is_complete():
            number = series[-1].number + 1
            new = Series(number, series[-1].last + 1, self._secret.commitment(number))
            series = (*series, new)
            store_series(self._store, series)
        return series

    def _reveal_if_complete(self) -> None:
        """Store the secret of the last series if all games count; it is used no more."""
        if not self._series or self._series[-1].secret is not None or not self._is_complete():
            return
        *revealed, last = self._series
        if not any(series_of(game, self._series) == last for game in self._finished):
            return  # the plan was extended, and reduced again
        among = comb(len(self._entries.all), self.plan.tournament.seats)
        last = last._replace(
            last=self._last_round or self.plan.tournament.deals,
            secret=self._secret.deals(last.number).hex(),
            tables=None if self._last_round else among,
        )
        self._series = (*revealed, last)
        store_series(self._store, self._series)

    def results(self) -> list[GameResult]:
        """Return all games that count."""
        return [result for result in self._results if result.game in self._counting]


class MissedSignUps:
    """Counts, for every program of a plan, the games in a row that it was missing from.

    A program that has missed several is not started any more. This follows from the stored results
    alone, so that a run that resumes does the same. It ends with the entry, because results of
    other entries do not count.
    """

    def __init__(self, plan: Plan, results: Iterable[GameResult]) -> None:
        """Begin with the results of earlier runs, in the order in which they were stored."""
        self._versions = {player.name: player.version for player in plan.programs}
        self._missed = Counter[str]()
        for result in results:
            self.count(result)

    def count(self, result: GameResult) -> list[str]:
        """Count a game that was stored; return the players that are skipped from now on."""
        before = self.skipped
        for seat in result.seats:
            if self._versions.get(seat.player) == seat.version:
                missed = seat.verdict is PlayerVerdict.NEVER_STARTED
                self._missed[seat.player] = self._missed[seat.player] + 1 if missed else 0
        return [name for name in self.skipped if name not in before]

    @property
    def skipped(self) -> list[str]:
        """The players whose games are lost without starting their program."""
        return [name for name in self._missed if self.is_skipped(name)]

    def is_skipped(self, name: str) -> bool:
        """Whether a player's program is not started any more."""
        return self._missed[name] >= MAX_MISSED_SIGN_UPS


def skipped_in_words(name: str) -> str:
    """Return a user-facing sentence about a player that is skipped from now on."""
    return (
        f"{name} has missed {MAX_MISSED_SIGN_UPS} sign-ups in a row. It loses its games without "
        "being started, until its program changes, or `acquire tournament run --retry` "
        "starts it again."
    )


def _verify_skipped(plan: Plan, store: Store, names: Iterable[str]) -> None:
    """Verify that these programs are not started any more; ``StoreError``."""
    skipped = MissedSignUps(plan, (result for _, result in store.results())).skipped
    if wrong := [name for name in names if name not in skipped]:
        known = ", ".join(skipped) or "no program"
        raise StoreError(
            f"{', '.join(wrong)} cannot be retried: only a program that has missed "
            f"{MAX_MISSED_SIGN_UPS} sign-ups in a row, and has not changed since, can. Here that "
            f"is {known}."
        )


def _counting(entries: Entries, results: Iterable[GameResult]) -> set[str]:
    return {result.game for result in results if entries.counts(result.game, result.players)}
