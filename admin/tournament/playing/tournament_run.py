"""A tournament under way: what is left to play, and what is done with every game that is over.

Whoever plays the games, processes of a pool or the arena of connections, hands them in here: they
are written to the store, counted, and told.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from admin.match.dealer import new_seed
from admin.tournament.planning.plan import Plan
from admin.tournament.planning.schedule import Game, Schedule
from admin.tournament.playing.built_in import GameSettings, game_settings
from admin.tournament.playing.observer import Observer, Progress
from admin.tournament.results.result import GameResult
from admin.tournament.results.store import FinishedGame, Store, StoreError, VoidGame

MAX_VOIDS = 5
"""How often a game is void before it is given up."""


class FailedGame(NamedTuple):
    """A game that was played and counts for nothing: why, a traceback if any, and the log."""

    game: Game
    why: str
    detail: str = ""
    log: bytes = b""


class TournamentRun:
    """A plan, its store and its observer; one of them at a time for a store."""

    def __init__(self, plan: Plan, store: Store, observer: Observer) -> None:
        """Go on where the store stands; ``StoreError`` when it holds games of another plan."""
        self.plan = plan
        self._store = store
        self._observer = observer
        self._done = store.finished()
        _refuse_less(plan, store, self._done)
        self._schedule = Schedule(plan, _seed(plan, store))
        self._attempts = Counter(void.game for void in store.voids())
        self.given_up: list[str] = []
        """Games that were void too often, and are not played."""

    @property
    def rules(self) -> GameSettings:
        """What all games are played with."""
        return game_settings(self.plan)

    @property
    def progress(self) -> Progress:
        """How far it has come."""
        return Progress(len(self._done), self._schedule.total)

    def stages(self) -> Iterator[list[Game]]:
        """Yield the games left to play, stage by stage; a stage is to be played before the next."""
        for number in range(1, self._schedule.stages + 1):
            results = (result for _, result in self._store.results())
            games = self._schedule.stage(number, results)
            left = [game for game in games if game.id not in self._done]
            if left:
                yield left
            if self.given_up:
                return  # the next round would hang on games that are missing

    def begin(self, game: Game) -> None:
        """Take note that a game begins."""
        self._observer.game_began(game)

    def finish(self, games: Sequence[FinishedGame]) -> None:
        """Keep games that count."""
        self._store.add(games)
        for game in games:
            self._done.add(game.result.game)
            self._observer.game_over(game.result, self.progress)

    def void(self, voided: FailedGame) -> bool:
        """Keep the evidence of a game that counts for nothing; return whether to play it again."""
        game = voided.game.id
        self._attempts[game] += 1
        void = VoidGame(game, self._attempts[game], voided.why, voided.detail)
        self._store.add([], [(void, voided.log)])
        again = void.attempt % MAX_VOIDS != 0
        if not again:
            self.given_up.append(game)
        self._observer.game_void(void, again)
        return again

    def turned_away(self, address: str, name: str, why: str) -> None:
        """Tell of a connection that got no seat."""
        self._observer.turned_away(address, name, why)

    def results(self) -> list[GameResult]:
        """Return all games that count."""
        return [result for _, result in self._store.results()]


def _seed(plan: Plan, store: Store) -> int:
    """Return the tournament's seed, and note the plan in a store that is new.

    ``StoreError`` where the games in the store were played by another plan.
    """
    played = json.dumps(plan.played(), sort_keys=True)
    known, seed = store.about("plan"), store.about("seed")
    wanted = plan.tournament.seed
    if known is None or seed is None:
        chosen = new_seed() if wanted is None else wanted
        store.note(plan=played, seed=str(chosen), **shown(plan))
        return chosen
    different = _differences(json.loads(known), plan.played())
    if wanted is not None and wanted != int(seed):
        different.append("tournament.seed")
    if different:
        raise StoreError(
            f"{store.path} holds games that were played with other settings: "
            f"{', '.join(different)} changed since. Change it back, or begin anew with --fresh "
            "or another --store."
        )
    store.note(**shown(plan))
    return int(seed)


def _refuse_less(plan: Plan, store: Store, done: Iterable[str]) -> None:
    """See that no game was played beyond what the plan asks for; ``StoreError`` otherwise."""
    for letter, setting in (("d", "deals"), ("r", "rounds")):
        asked = getattr(plan.tournament, setting)
        played = max(
            (int(part[1:]) for game in done for part in game.split("-") if part[0] == letter),
            default=0,
        )
        if asked is not None and played > asked:
            raise StoreError(
                f"{store.path} holds games of {played} {setting}; tournament.{setting} is {asked} "
                f"now. Give {played} or more, or begin anew with --fresh or another --store."
            )


def shown(plan: Plan) -> dict[str, str]:
    """Return what a reader of the store alone is told of the plan."""
    schedule = Schedule(plan, 0)
    facts = {
        "name": plan.tournament.name,
        "total": schedule.total,
        "players": [(player.name, player.kind) for player in plan.players],
        "points": plan.points,
        "rulebook": plan.tournament.rulebook,
        "seats": plan.tournament.seats,
        "format": plan.tournament.format.value,
        "seatings": plan.tournament.seatings.value,
        "deals": plan.tournament.deals,
        "duplicate": plan.tournament.duplicate,
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
