"""A run of a tournament: which games are left to play, and what happens to finished ones.

The pool or the arena plays the games and hands them in here. They are stored, counted and reported.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from admin.match.dealer import new_seed
from admin.tournament.planning.game_seeds import PublicSeeds, SecretSeeds, SeedSource
from admin.tournament.planning.plan import Plan
from admin.tournament.planning.schedule import Game, Schedule
from admin.tournament.playing.game_settings import GameSettings, game_settings
from admin.tournament.playing.missed_sign_ups import MissedSignUps, skipped_in_words
from admin.tournament.playing.observer import Observer, Progress
from admin.tournament.results.result import FailedGame, FinishedGame, GameResult
from admin.tournament.results.secret_file import TournamentSecret, open_secret
from admin.tournament.results.series import Series, store_series, stored_series
from admin.tournament.results.signing import public_key
from admin.tournament.results.store import Store, StoreError, VoidAttempt, VoidGame
from protocol.rulebook_json import to_json

MAX_VOIDS = 5
"""Attempts at a game that may be void in one run before it is abandoned."""


class TournamentRun:
    """A plan, its store and its observer; a store has one run at a time."""

    def __init__(self, plan: Plan, store: Store, observer: Observer) -> None:
        """Resume with the games in the store; ``StoreError`` if they are of another plan."""
        self.plan = plan
        self._store = store
        self._observer = observer
        self._secret = open_secret(store)
        store.sign_with(self._secret.signing_key())
        self._finished = store.finished()
        _verify_not_reduced(plan, store, self._finished)
        seed = _seed(plan, store, self._secret)
        self._series = _extended(plan, store, self._secret)
        self._seeds = _seeds(plan, seed, self._series, self._secret)
        self._schedule = Schedule(plan, seed, self._seeds)
        self._attempts = Counter(void.game for void in store.voids())
        self.abandoned: list[str] = []
        """Games that were void too often, and are not played in this run."""
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
    def progress(self) -> Progress:
        """The number of games that count so far, and of all games."""
        return Progress(len(self._finished), self._schedule.total)

    @property
    def commitment(self) -> str:
        """The commitment to the bags of the last series; empty if they follow from the seed."""
        return self._series[-1].commitment if self._series else ""

    @property
    def key(self) -> str:
        """The public key by which everybody can check the signatures of the results."""
        return public_key(self._secret.signing_key())

    def stages(self) -> Iterator[list[Game]]:
        """Yield the games left to play, stage by stage; play each stage before the next."""
        for number in range(1, self._schedule.stages + 1):
            results = (result for _, result in self._store.results())
            games = self._schedule.stage(number, results)
            left = [self._attempt(game) for game in games if game.id not in self._finished]
            if left:
                yield left
            if self.abandoned:
                return  # the next round would depend on games that are missing

    def start(self, game: Game) -> Game:
        """Report that a game starts; return it with the seed that it has by now."""
        game = self._attempt(game)
        self._observer.game_started(game)
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
            self._finished.add(game.result.game)
            self._observer.game_finished(game.result, self.progress)
            for name in self.missed.count(game.result):
                self._observer.problem(skipped_in_words(name))
        self._reveal_if_complete()

    def void(self, failed: FailedGame) -> bool:
        """Store a game that does not count; return whether to play it again."""
        game = failed.game
        self._attempts[game] += 1
        void = VoidGame(game, self._attempts[game], failed.why, failed.detail)
        self._store.add([], [VoidAttempt(void, failed.log, failed.alarms)])
        again = void.attempt % MAX_VOIDS != 0
        if not again:
            self.abandoned.append(game)
        self._observer.game_voided(void, again)
        return again

    def _reveal_if_complete(self) -> None:
        """Store the secret of the last series if all games count; it is used no more."""
        complete = len(self._finished) >= self._schedule.total
        if not complete or not self._series or self._series[-1].secret is not None:
            return
        *revealed, last = self._series
        if last.first > self.plan.units:
            return  # no game of it was played: the plan was extended, and reduced again
        secret = self._secret.deals(last.number).hex()
        self._series = (*revealed, last._replace(last=self.plan.units, secret=secret))
        store_series(self._store, self._series)

    def turned_away(self, address: str, name: str, why: str) -> None:
        """Report a connection that got no place."""
        self._observer.turned_away(address, name, why)

    def results(self) -> list[GameResult]:
        """Return all games that count."""
        return [result for _, result in self._store.results()]


def _seed(plan: Plan, store: Store, secret: TournamentSecret) -> int:
    """Return the tournament's seed, and store the plan if the store is new.

    Whether bags are secret is decided here, once for all games of the store. ``StoreError`` if the
    games in it were played with other settings.
    """
    current = plan.result_settings()
    stored, seed = store.about("plan"), store.about("seed")
    wanted = plan.tournament.seed
    if stored is None or seed is None:
        chosen = new_seed() if wanted is None else wanted
        series = (Series(1, 1, secret.commitment(1)),) if plan.secret_bags else ()
        facts = {"plan": json.dumps(current, sort_keys=True), "seed": str(chosen)}
        store_series(store, series, **facts, **plan_facts(plan))
        return chosen
    changed = _differences(json.loads(stored), current)
    if wanted is not None and wanted != int(seed):
        changed.append("tournament.seed")
    if changed:
        raise StoreError(
            f"{store.path} has games that were played with other settings; changed since: "
            f"{', '.join(changed)}. Change the file back, or start over with --fresh or another "
            "--store."
        )
    store.note(**plan_facts(plan))
    return int(seed)


def _extended(plan: Plan, store: Store, secret: TournamentSecret) -> tuple[Series, ...]:
    """Return the series of a store, with another one if the plan has more games than were revealed.

    Empty if the bags follow from the seed.
    """
    series = stored_series(store)
    if series and series[-1].last is not None and plan.units > series[-1].last:
        number = series[-1].number + 1
        series = (*series, Series(number, series[-1].last + 1, secret.commitment(number)))
        store_series(store, series)
    return series


def _seeds(
    plan: Plan, seed: int, series: tuple[Series, ...], secret: TournamentSecret
) -> SeedSource:
    """Return what gives every game its seed."""
    if not series:
        return PublicSeeds(seed, plan.duplicate)
    secrets = {each.number: secret.deals(each.number) for each in series}
    return SecretSeeds(series, secrets, plan.duplicate)


def _verify_not_reduced(plan: Plan, store: Store, finished: Iterable[str]) -> None:
    """Verify that no game was played beyond those that the plan has now; ``StoreError``."""
    for letter, setting in (("d", "deals"), ("r", "rounds")):
        planned = getattr(plan.tournament, setting)
        played = max(
            (int(part[1:]) for game in finished for part in game.split("-") if part[0] == letter),
            default=0,
        )
        if planned is not None and played > planned:
            raise StoreError(
                f"{store.path} has games of {played} {setting}, but tournament.{setting} is now "
                f"{planned}. Set it to {played} or more, or start over with --fresh or another "
                "--store."
            )


def plan_facts(plan: Plan) -> dict[str, str]:
    """Return what is stored about a plan for readers that have the store only."""
    schedule = Schedule(plan, 0)
    facts = {
        "name": plan.tournament.name,
        "total": schedule.total,
        "players": [(player.name, player.kind) for player in plan.players],
        "points": plan.points,
        "rulebook": plan.tournament.rulebook.id,
        "rulebook_json": to_json(plan.tournament.rulebook_value()),
        "seats": plan.tournament.seats,
        "format": plan.tournament.format.value,
        "challenger": plan.tournament.challenger,
        "seatings": plan.tournament.seatings.value,
        "deals": plan.tournament.deals,
        "duplicate": plan.duplicate,
        "rounds": plan.tournament.rounds,
        "reply": plan.clocks.reply,
        "turn": plan.turn_clock,
    }
    return {"shown": json.dumps(facts)}


def _differences(old: object, new: object, place: str = "") -> list[str]:
    """Return the places at which two plans differ."""
    if old == new:
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            found
            for key in sorted(old.keys() | new.keys())
            for found in _differences(old.get(key), new.get(key), f"{place}.{key}".lstrip("."))
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            found
            for number, (one, other) in enumerate(zip(old, new, strict=True), 1)
            for found in _differences(one, other, f"{place}[{number}]")
        ]
    return [place]
