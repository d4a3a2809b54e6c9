"""A run of a tournament: which games are left to play, and what happens to finished ones.

The pool or the arena plays the games and hands them in here. They are stored, counted and reported.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from ..games.entries import MAX_VOIDS, Entries, given_up, round_of, tables_among
from ..games.result import (
    MAX_MISSED_SIGN_UPS,
    FailedGame,
    FinishedGame,
    GameResult,
    VoidAttempt,
    VoidGame,
)
from ..planning.facts import Format
from ..planning.game_seeds import (
    PublicSeeds,
    SecretSeeds,
    SeedSource,
    Series,
    series_of,
    store_series,
    stored_series,
)
from ..planning.plan import Plan
from ..planning.schedule import Game, Schedule
from ..store.row_chain import public_key
from ..store.secret_file import TournamentSecret, open_secret
from ..store.store import Store
from ..store.store_reader import StoreError
from . import run_events
from .game_settings import GameSettings, game_settings
from .missed_sign_ups import MissedSignUps, skipped_in_words
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
        self._store = store
        self._observer = observer
        self._endless = endless
        self._secret = open_secret(store)
        store.sign_with(self._secret.signing_key())
        self._seed = seed = resume(plan, store, self._secret)
        self._results = [result for _, result in store.all_results()]
        before = _counting(store.entries(), self._results)
        self.changes = update_entries(plan, store, retry)
        """What has changed since the run before."""
        self._entries = store.entries()
        self._finished = {result.game for result in self._results}
        self._counting = _counting(self._entries, self._results)
        self.archived = len(before - self._counting)
        """The number of games that counted in the run before and do not now."""
        verify_not_reduced(plan, store, self._counting)
        self._schedule = Schedule(plan.schedule_rules, seed, self._entries)
        self._total = self._schedule.total
        if plan.tournament.format is Format.LADDER:
            self._total = len(self._counting) + self._least_left()
        self._series = self._open_series()
        self._seeds = _seeds(plan, seed, self._series, self._secret)
        self._schedule = Schedule(plan.schedule_rules, seed, self._entries, self._seeds)
        self._attempts = Counter(void.game for void in store.voids())
        self.missed = MissedSignUps(plan, () if plan.built_in_only else self.results())
        """The programs that are not started any more."""
        self._reveal_if_complete()

    @property
    def store_path(self) -> Path:
        """The file with all games."""
        return self._store.path

    @property
    def settings(self) -> GameSettings:
        """What all games have in common."""
        return game_settings(self.plan)

    @property
    def progress(self) -> run_events.Progress:
        """The number of games that count so far, and of all games."""
        return run_events.Progress(len(self._counting), self._total)

    @property
    def commitment(self) -> str:
        """The commitment to the bags of the last series; empty if they follow from the seed."""
        return self._series[-1].commitment if self._series else ""

    @property
    def key(self) -> str:
        """The public key by which everybody can check the signatures of the results."""
        return public_key(self._secret.signing_key())

    def stages(self) -> Iterator[list[Game]]:
        """Yield the games left to play, stage by stage; play each stage before the next.

        Games that are missing from rounds before the last one have been given up: the last round
        was paired without them, so they are not played any more.
        """
        if self.plan.tournament.format is Format.LADDER:
            yield from self._rounds_of_ladder()
            return
        for number in range(max(self._last_round, 1), (self._schedule.stages or 0) + 1):
            results = [result for result in self._results if result.game in self._counting]
            left = self._left(self._schedule.stage(number, results))
            if left:
                yield left
            if self._last_round < number:
                return  # no game of this round could be played, so there is nothing to go by

    def _rounds_of_ladder(self) -> Iterator[list[Game]]:
        """Yield the tables of each round at which somebody has not played enough blocks yet."""
        schedule = Schedule(self.plan.schedule_rules, self._seed, self._entries, self._seeds)
        number = self._last_round or 1
        while self._endless or not self._is_complete():
            wanted = self._wanted()
            begun = {result.block for result in self._results}
            paired = list(schedule.stage(number, self._results))
            left = self._left(
                game
                for game in paired
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
        return max((round_of(game) or 0 for game in self._finished), default=0)

    def _left(self, games: Iterable[Game]) -> list[Game]:
        """Return the games that are not played yet and would count."""
        return [
            self._attempt(game)
            for game in games
            if game.id not in self._finished and self._entries.counts(game.id, game.players)
        ]

    def _blocks(self) -> Counter[str]:
        """Count the blocks that count, by player."""
        blocks = {
            result.block: result.players
            for result in self._results
            if result.game in self._counting
        }
        return Counter(name for names in blocks.values() for name in names)

    def _wanted(self) -> set[str]:
        """Return the players of a ladder that have not played enough blocks."""
        blocks = self._blocks()
        return {name for name in self.plan.names if blocks[name] < self.plan.tournament.deals}

    def _least_left(self) -> int:
        """Return in how many games, at least, all players of a ladder play their blocks."""
        blocks, general = self._blocks(), self.plan.tournament
        places = sum(max(0, general.deals - blocks[name]) for name in self.plan.names)
        return -(-places // general.seats) * self._schedule.games_in_block

    def _is_complete(self) -> bool:
        """Whether all games that can still be played count; an endless ladder never is."""
        if self.plan.tournament.format is not Format.LADDER:
            return len(self._counting) + self._never_played() >= self._schedule.total
        blocks = Counter(result.block for result in self._results if result.game in self._counting)
        whole, last = self._schedule.games_in_block, self._last_round
        unfinished = any(
            games < whole for block, games in blocks.items() if (round_of(block) or 0) >= last
        )
        return not (self._endless or unfinished or self._wanted())

    def _never_played(self) -> int:
        """Count the games of earlier rounds of a Swiss that were given up."""
        before = self._last_round - 1
        if before < 1:
            return 0
        due = before * (self._schedule.total // (self._schedule.stages or 1))
        return due - sum((round_of(game) or 0) <= before for game in self._counting)

    @property
    def given_up(self) -> list[str]:
        """The games that were void too often; the next run tries those of the last round again."""
        return given_up(self._attempts.elements(), self._results, self._entries)

    def start(self, game: Game) -> Game:
        """Report that a game starts; return it with the seed that it has by now."""
        game = self._attempt(game)
        self._observer(run_events.GameStarted(game))
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
        self._store.add(games)
        for game in games:
            self._results.append(game.result)
            self._finished.add(game.result.game)
            self._counting.add(game.result.game)
            self._observer(run_events.GameFinished(game.result, self.progress))
            for name in self.missed.count(game.result):
                self._observer(run_events.Trouble(skipped_in_words(name)))
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
        void = VoidGame(game, self._attempts[game], failed.why, failed.detail)
        self._store.add([], [VoidAttempt(void, failed.log, failed.alarms)])
        again = void.attempt % MAX_VOIDS != 0
        self._observer(run_events.GameVoided(void, again))
        return again

    def _open_series(self) -> tuple[Series, ...]:
        """Return the series of bags, with another one if games follow a reveal; store it.

        Empty if the bags follow from the seed.
        """
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
        last = last._replace(
            last=self._last_round or self.plan.units, secret=self._secret.deals(last.number).hex()
        )
        if not self._last_round:
            among = tables_among(len(self._entries.all), self.plan.tournament.seats)
            last = last._replace(tables=among)
        self._series = (*revealed, last)
        store_series(self._store, self._series)

    def turned_away(self, address: str, name: str, why: str) -> None:
        """Report a connection that got no place."""
        self._observer(run_events.NotAdmitted(address, name, why))

    def results(self) -> list[GameResult]:
        """Return all games that count."""
        return [result for result in self._results if result.game in self._counting]


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
    """Return the ids of the games that count."""
    return {result.game for result in results if entries.counts(result.game, result.players)}


def _seeds(
    plan: Plan, seed: int, series: tuple[Series, ...], secret: TournamentSecret
) -> SeedSource:
    """Return what gives every game its seed."""
    if not series:
        return PublicSeeds(seed, plan.duplicate)
    secrets = {each.number: secret.deals(each.number) for each in series}
    return SecretSeeds(series, secrets, plan.duplicate)
