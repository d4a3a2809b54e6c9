"""Which games there have to be, with which players in which seats, and with which bags.

The schedule follows from the facts about the tournament, so it is made again from them. A round of
a Swiss depends on the results before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import Field, TypeAdapter

from ....protocol.rulebook_file import to_json
from ...refereeing.log.recorder import Header
from ..games.checked_json import STRICT, InvalidFields, read_checked
from ..games.entries import Entries, given_up, round_of
from ..games.result import GameResult
from ..planning.facts import MAX_GAMES, TournamentFacts
from ..planning.game_seeds import GameSeed, SeedCheck, Series, check_seed
from ..planning.schedule import Game, Schedule
from ..store.row_chain import LinkedRow
from .findings import Check


class PlayedGame(NamedTuple):
    """A game that counts: its row, its claimed result, and the seed in its log if it has one.

    ``voids`` are the void attempts at it before.
    """

    number: int
    result: GameResult
    seed: GameSeed | None
    voids: int


def read_seed(facts: Mapping[str, str]) -> int | None:
    """Return the seed of a tournament, ``None`` if it is not public yet; ``InvalidFields``."""
    if (seed := facts.get("seed")) is None:
        return None
    return read_checked(_SEED, seed)


_SEED = TypeAdapter(Annotated[int, Field(ge=0, le=10**18)], config=STRICT)


def schedule_of(facts: TournamentFacts, seed: int, entries: Entries) -> Schedule:
    """Return the schedule that follows from the facts; ``InvalidFields`` if none does."""
    if len(facts.players) < facts.seats or (
        facts.challenger is not None and facts.challenger not in facts.names
    ):
        raise InvalidFields("there are too few players, or the challenger is none of them")
    current = [(entry.name, entry.kind) for entry in entries.current]
    if sorted(current) != sorted(facts.players):
        raise InvalidFields("the current entries are not those of the players")
    schedule = Schedule(facts, seed, entries)
    if schedule.total != facts.total or schedule.total > MAX_GAMES:
        raise InvalidFields(f"{facts.total} games are planned; expected {schedule.total}")
    return schedule


def check_schedule(
    schedule: Schedule, entries: Entries, played: Sequence[PlayedGame], voids: Sequence[LinkedRow]
) -> Check:
    """Check that every game belongs to the schedule, with its players, and none is there twice.

    Rounds may be paired without the games of earlier ones that were given up, and without no
    others. ``voids`` are the rows of void games. Archived games need only be of entries
    that met there once.
    """
    check = Check("Schedule")
    by_id: dict[str, PlayedGame] = {}
    for found in played:
        if found.result.game in by_id:
            check.find(f"game {found.result.game} (row {found.number}) was played before.")
        by_id.setdefault(found.result.game, found)
        check.find(*_wrong_versions(entries, found))
    counting = {
        game: found for game, found in by_id.items() if entries.counts(game, found.result.players)
    }
    due: set[str] = set()
    missing = 0
    results = [found.result for found in by_id.values()]
    unplayed = {*given_up((row.game for row in voids), results, entries)}
    last = max((round_of(game) or 0 for game in by_id), default=0)
    for number, games in enumerate(_stages(schedule, results, last), 1):
        due |= {game.id for game in games}
        for game in games:
            if game.id in by_id:
                check.find(*_differences(game, by_id[game.id].result))
        lacking = [game for game in games if game.id not in by_id and game.id not in unplayed]
        if schedule.stages is None and number < last:
            begun = {found.result.block for found in counting.values()}
            check.find(
                *(
                    f"game {game.id} is missing, although round {last} was played, and it was not "
                    "given up."
                    for game in lacking
                    if game.block in begun
                )
            )
        if lacking and schedule.stages is not None:
            break  # the next round is paired by all results of this one
    for name, found in by_id.items():
        if name not in due and (name in counting or schedule.stages is None):
            check.find(f"game {name} (row {found.number}) is not one of the schedule.")
    for row in voids:
        if row.game not in due and not schedule.could_have(row.game, len(entries.all)):
            check.find(f"void game {row.game} (row {row.number}) is not one of the schedule.")
    if schedule.stages is None:
        check.checked = f"{len(counting)} games"
    else:
        check.checked = f"{len(counting)} of {schedule.total} games"
        missing = schedule.total - len(counting.keys() & due)
    if archived := len(by_id) - len(counting):
        check.checked += f", {archived} archived"
    if lost := len(unplayed & due):
        check.checked += f", {lost} given up"
        missing -= lost
    if missing > 0:
        check.checked += f", {missing} not played yet"
    return check


def _stages(
    schedule: Schedule, results: Sequence[GameResult], last_round: int
) -> Iterator[list[Game]]:
    """Yield the games of every stage; of a ladder, those of the rounds that were played."""
    last = last_round if schedule.stages is None else schedule.stages
    for number in range(1, min(last, MAX_GAMES) + 1):
        yield list(schedule.stage(number, results))


def _wrong_versions(entries: Entries, found: PlayedGame) -> Iterator[str]:
    """Yield the seats that are not of the entries that met in a game."""
    result = found.result
    where = f"game {result.game} (row {found.number})"
    met = entries.of_game(result.game, result.players)
    if met is None:
        yield f"{where}: these players have never met at its table."
    for seat, entry in zip(result.seats, met or (), strict=met is not None):
        if seat.version != entry.version:
            versions = f"{seat.version or 'none'}; expected {entry.version or 'none'}"
            yield f"{where}: {seat.player} has version {versions}."


def _differences(game: Game, result: GameResult) -> Iterator[str]:
    if (*result.players,) != game.players:
        found, expected = ", ".join(result.players), ", ".join(game.players)
        yield f"game {game.id}: the seats are {found}; expected {expected}."
    if result.block != game.block:
        yield f"game {game.id}: its block is {result.block}; expected {game.block}."


def check_bags(
    played: Sequence[PlayedGame], seed: int | None, series: Sequence[Series], *, duplicate: bool
) -> Check:
    """Check that every game has the seed that was committed to, and so the bag."""
    check = Check("Bags")
    right = unrevealed = 0
    for game in played:
        name = game.result.game
        if game.seed is None:
            continue
        if seed is None and not series:
            unrevealed += 1
            continue
        try:
            found = check_seed(
                *(game.seed, name, game.result.block),
                duplicate=duplicate,
                seed=seed or 0,
                series=series,
                voids=game.voids,
            )
        except (ValueError, StopIteration, KeyError):  # an id that belongs to no series
            found = SeedCheck.WRONG
        right += found is SeedCheck.RIGHT
        unrevealed += found is SeedCheck.UNREVEALED
        if found is SeedCheck.WRONG:
            check.find(
                f"game {name}: its bag is not the one that follows from the "
                f"{'secret and its commitment' if series else 'seed of the tournament'}."
            )
    check.checked = f"{right} from the {'revealed secret' if series else 'seed'}"
    if unrevealed:
        check.skipped = (
            f"{unrevealed} bags: the {'secret' if series else 'seed'} is published when all games "
            "are played."
        )
    return check


def header_differences(
    header: Header, result: GameResult, facts: TournamentFacts, entries: Entries
) -> Iterator[str]:
    """Yield where the log of a game is not of the rulebook and the players of its result."""
    kinds = {entry.name: entry.kind for entry in entries.of_game(result.game, result.players) or ()}
    expected = []
    for name in result.players:
        kind, _, strategy = kinds.get(name, "").partition(" ")
        built_in = kind == "strategy"
        expected.append((name, "house" if built_in else "remote", strategy if built_in else None))
    rulebook = header.rulebook.id
    if to_json(header.rulebook) != facts.rulebook_json:
        rulebook += " (other values)"
    for what, found, wanted in (
        ("the players", [seat[:3] for seat in header.seats], expected),
        ("rulebook", rulebook, facts.rulebook),
        ("duplicate deals", header.duplicate, facts.duplicate),
        ("the number", header.game, 1),
    ):
        if found != wanted:
            yield f"game {result.game}: its log has {what} {found}; expected {wanted}."
