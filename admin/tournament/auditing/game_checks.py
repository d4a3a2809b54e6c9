"""What has to hold of games: their results, their settings, the schedule, their bags.

A game is played again from its log, so the result follows from the rules, the bag and the recorded
answers. Five things are the referee's testimony, taken over from the claimed result where the log
allows it: that a program crashed or never signed up (the log has a lost connection), the sentence
about that, processor time, the sandbox, and the version of a program.

The schedule follows from the facts about the tournament, so it is made again from them. A round of
a Swiss depends on the results before it.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field, TypeAdapter

from ....game.turn import Ending
from ....protocol.rulebook_file import to_json, up_to_date
from ...refereeing.log.reader import UnreadableLog, read_bytes
from ...refereeing.log.recorder import Header
from ...refereeing.log.verifier import Verifier
from ...refereeing.play.events import Ejected
from ..games.checked_json import STRICT, InvalidFields
from ..games.entries import Entries, block_of, given_up, number_in
from ..games.result import GameResult, SeatResult, log_name
from ..planning.facts import MAX_GAMES, TournamentFacts
from ..planning.game_seeds import GameSeed, Seeds, Series, check_seed
from ..planning.schedule import Game, Schedule
from ..reporting.game_page import MadePage, MakePage
from ..reporting.game_story import told
from ..run.game_recorder import TESTIFIED, ResultSoFar, Testimony
from ..store.row_chain import LinkedRow
from .findings import Check

UNFINISHED = (None, Ending.INTERRUPTED, Ending.NO_MORE_TURNS)
"""How logs end that are not of a whole game."""


def differences(claimed: GameResult, recomputed: GameResult) -> Iterator[str]:
    """Yield what differs between the claimed result of a game and the one that its log gives."""
    for field in ("seed", "ending", "turns", "out_of_step"):
        stated, found = getattr(claimed, field), getattr(recomputed, field)
        if stated != found:
            yield _sentence(field.replace("_", " "), stated, found)
    names = [result.players for result in (claimed, recomputed)]
    if names[0] != names[1]:
        yield _sentence("seat order", *(", ".join(order) for order in names))
        return
    for stated_seat, found_seat in zip(claimed.seats, recomputed.seats, strict=True):
        for field in SeatResult._fields:
            stated, found = getattr(stated_seat, field), getattr(found_seat, field)
            if stated != found:
                yield _sentence(f"{field} of {stated_seat.player}", stated, found)


def _sentence(what: str, stated: object, found: object) -> str:
    stated, found = (getattr(value, "value", value) for value in (stated, found))
    return f"the result has {what} {stated!r}; its log gives {found!r}."


class GameAudit(NamedTuple):
    """What an audit finds in the log of a game."""

    header: Header | None = None  # the first line of the log, None if it cannot be read
    log_findings: tuple[str, ...] = ()  # about the log
    result_findings: tuple[str, ...] = ()  # about the result
    testified: int = 0  # ejections that rest on testimony, lost connections included
    explained: int = 0  # lost connections that the result explains: a crash, or no start
    made: MadePage | None = None  # the page of the game, if one is wanted


def audit_game(claimed: GameResult, log: bytes, make: MakePage | None = None) -> GameAudit:
    """Play a game again from its log, and compare the result with the claimed one.

    This is the only time that a log is verified, so the page of the game is made of the same
    events, if it is wanted.
    """
    game = claimed.game
    try:
        record = read_bytes(Path(log_name(game)), log)
    except UnreadableLog as error:
        return GameAudit(None, (f"game {game}: its log cannot be read: {error}",))
    header = record.header._replace(bag=())  # which follows from the seed
    broken = f"game {game}: its log does not hold:"
    if any(element.tag == "position" for element in record.elements):
        why = "a position is laid out in it; expected a game from the set-up."
        return GameAudit(header, (f"{broken} {why}",))
    so_far = ResultSoFar(game, claimed.block, header.seed, header.names)
    found = Verifier(record, seeded=True).verify()
    for event, element in zip(found.events, record.elements, strict=False):
        if isinstance(event, Ejected):  # its wording is that of the referee who wrote it
            event = event._replace(detail=element.attrib["detail"])
        so_far(event)
    made = None if make is None else make(told(record, found))
    why = found.divergence or ""
    if not why and (found.ending in UNFINISHED or not record.complete):
        why = f"it ends in turn {found.turns}, before the game does."
    if why:
        return GameAudit(header, (f"{broken} {why}",), made=made)
    said = {seat.player: _testimony(seat) for seat in claimed.seats}
    result = so_far.result(found.outcome, said)._replace(sandbox=claimed.sandbox)
    return GameAudit(
        header,
        (),
        tuple(f"game {game}: {sentence}" for sentence in differences(claimed, result)),
        found.ejections.testimony,
        sum(seat.verdict in TESTIFIED for seat in result.seats),
        made,
    )


def _testimony(seat: SeatResult) -> Testimony:
    verdict, detail = (seat.verdict, seat.detail) if seat.verdict in TESTIFIED else (None, "")
    return Testimony(verdict, detail, seat.processor, seat.cause, seat.version)


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
    if to_json(header.rulebook) != up_to_date(facts.rulebook_json):
        rulebook += " (other values)"
    for what, found, wanted in (
        ("the players", [seat[:3] for seat in header.seats], expected),
        ("rulebook", rulebook, facts.rulebook),
        ("duplicate deals", header.duplicate, facts.duplicate),
        ("the number", header.game, 1),
    ):
        if found != wanted:
            yield f"game {result.game}: its log has {what} {found}; expected {wanted}."


# -- all games together ------------------------------------------------------------------------


class PlayedGame(NamedTuple):
    """A game that counts."""

    number: int  # that of its row
    result: GameResult  # as it is claimed
    seed: GameSeed | None  # the one in its log, if it has one
    voids: int  # how many void attempts there were before it


SEED = TypeAdapter(Annotated[int, Field(ge=0, le=10**18)], config=STRICT)
"""The seed of a tournament, as a store has it."""


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
    schedule: Schedule,
    entries: Entries,
    played: Sequence[PlayedGame],
    voids: Sequence[LinkedRow],
    after_stage: Callable[[], None] = lambda: None,
) -> Check:
    """Check that every game belongs to the schedule, with its players, and none is there twice.

    Rounds may be paired without the games of earlier ones that were given up, and without no
    others. ``voids`` are the rows of void games. Archived games need only be of entries
    that met there once. Of the schedule only the blocks of rows are made.
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
    begun, due = {found.result.block for found in counting.values()}, set[str]()
    results = [found.result for found in by_id.values()]
    unplayed = {*given_up((row.game for row in voids), results, entries)}
    last = max((number_in(game, "r") for game in by_id), default=0)
    blocks: dict[int, dict[str, None]] = {}  # of every stage, in the order of the rows
    for game_id in (*by_id, *(row.game for row in voids)):
        blocks.setdefault(number_in(game_id, "r") or 1, {})[block_of(game_id)] = None
    stages = schedule.stages
    if stages is None:
        stages = min(last, len(played) + len(voids))  # each has a row, whatever a forger numbers
    for number in range(1, stages + 1):
        games = [*schedule.stage(number, results, blocks=blocks.get(number, {}))]
        after_stage()
        due |= {game.id for game in games}
        for game in games:
            if game.id in by_id:
                check.find(*_differences(game, by_id[game.id].result))
        lacking = [game for game in games if game.id not in by_id and game.id not in unplayed]
        if schedule.stages is not None and (lacking or len(games) < schedule.total // stages):
            break  # the next round is paired by all results of this one
        for game in lacking if number < last else ():
            if game.block in begun:
                check.find(
                    f"game {game.id} is missing, although round {last} was played, and it was not "
                    "given up."
                )
    for name, found in by_id.items():
        if name not in due and (name in counting or schedule.stages is None):
            check.find(f"game {name} (row {found.number}) is not one of the schedule.")
    for row in voids:
        if row.game not in due and not schedule.could_have(row.game, len(entries.all)):
            check.find(f"void game {row.game} (row {row.number}) is not one of the schedule.")
    lost, missing, of = len(unplayed & due), 0, ""
    if schedule.stages is not None:
        missing, of = schedule.total - len(counting.keys() & due) - lost, f" of {schedule.total}"
    archived = len(by_id) - len(counting)
    counts = {"archived": archived, "given up": lost, "not played yet": missing}
    others = [f", {count} {what}" for what, count in counts.items() if count > 0]
    check.checked = f"{len(counting)}{of} games{''.join(others)}"
    return check


def _wrong_versions(entries: Entries, found: PlayedGame) -> Iterator[str]:
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
    played: Sequence[PlayedGame],
    seed: int | None,
    series: Sequence[Series],
    *,
    duplicate: bool,
    hidden: Container[str] = (),
) -> Check:
    """Check that every game has the seed that was committed to, and so the bag.

    ``hidden`` are the commitments of series whose secret has not been revealed; the owner knows it.
    """
    check, seeds = Check("Bags"), Seeds(seed or 0, duplicate, series)
    right = owned = unrevealed = unknown = 0
    for game in played:
        name = game.result.game
        if game.seed is None:
            unknown += 1
            continue
        if seed is None and not series and not game.seed.commitment:
            unrevealed += 1
            continue
        try:
            found = check_seed(game.seed, name, game.result.block, seeds, game.voids)
        except (ValueError, StopIteration, KeyError):  # an id that belongs to no series
            found = False
        right += found is True and game.seed.commitment not in hidden
        owned += found is True and game.seed.commitment in hidden
        unrevealed += found is None
        if found is False:
            check.find(
                f"game {name}: its bag is not the one that follows from the "
                f"{'secret and its commitment' if series else 'seed of the tournament'}."
            )
    counts = (
        [(right, "the revealed secret" if series else "the seed")] if right or not owned else []
    )
    counts += [(owned, "the owner's secret, which is not revealed yet")] if owned else []
    check.checked = ", ".join(f"{count} from {what}" for count, what in counts)
    skipped = []
    if unknown:
        skipped.append(f"{unknown} bags: the seed of a game is in its log, which cannot be read.")
    if unrevealed:
        skipped.append(
            f"{unrevealed} bags: the {'secret' if series else 'seed'} is published when all games "
            "are played."
        )
    check.skipped = " ".join(skipped)
    return check
