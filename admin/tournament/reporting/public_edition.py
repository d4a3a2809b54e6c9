"""A copy of a store for everybody: aliases for names, and nothing that programs have printed.

It is a store of its own, with a chain of its own that the tournament's key signs, so a report of it
is written and audited like any other, without an exception. What an audit of it cannot show is that
its games are those of the real store: that is the word of the owner of the key. Whose the aliases
are is private, as grades are, and so in a file beside the report and not in it.

Names are replaced in the logs too. A log says nothing about its rules by the names, so the copy is
verified like any other; the bytes that a player was ejected for lose the names in them.
"""

import base64
import gzip
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from ....protocol.writing import attribute
from ..games.entries import Entries
from ..games.result import Alarm, FinishedGame, GameResult
from ..planning.facts import PlayerAndKind, TournamentFacts, stored_facts
from ..planning.roster import stored_roster
from ..run.executors import called_in_order
from ..store.row_chain import GAME, StoredRow
from ..store.secret_file import TournamentSecret
from ..store.store import Store
from ..store.store_format import StoreError
from ..store.stored_rows import VoidAttempt, VoidGame, read_result
from .aliases import Aliases
from .game_pages import GamePages, MadePage, PageOrder
from .game_story import replay

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_NAMED = re.compile(r'^(<(?:seat name|[a-z-]+(?: [a-z]+="[^"]*")*? player)=)"([^"]*)"')
"""A line of a log up to the name in it."""


def aliases_of(store: Store, secret: TournamentSecret) -> Aliases:
    """Return the aliases of all who have taken part in a tournament, or are in its roster."""
    facts = stored_facts(store)
    players = [*facts.players]
    players += [PlayerAndKind(entry.name, entry.kind) for entry in store.entries().all]
    players += [PlayerAndKind(name, "left out") for name in facts.left_out]
    return Aliases(secret, players, stored_roster(store))


def public_copy(
    store: Store,
    aliases: Aliases,
    key: "Ed25519PrivateKey",
    path: Path,
    advance: Callable[[int, int], object] = lambda done, total: None,
    pages: GamePages | None = None,
    workers: int = 1,
) -> Store:
    """Write the copy of a store into a new file, and return it open; ``StoreError``.

    ``advance`` is sent how many rows are done, and how many there are. ``pages`` take those of the
    games that count. Logs are verified with aliases for names, in at most so many processes.
    """
    total = store.count_rows()
    calls = _calls(store, aliases, pages)
    copy = Store.open_to_write(path)
    try:
        copy.sign_with(key)
        copy.note(**_facts(store, aliases))
        for done, (row, renamed) in enumerate(called_in_order(calls, total, workers), 1):
            if renamed is not None:
                public = _renamed(read_result(row.game, row.result), aliases)
                copy.add([FinishedGame(public, renamed.log, {}, _alarms(row, aliases))])
                if renamed.made is not None and pages is not None:
                    pages.take(row.game, renamed.made)
            else:
                copy.add([], [_void(row, aliases)])
            advance(done, total)
    except BaseException:
        copy.close()
        raise
    return copy


def _calls(
    store: Store, aliases: Aliases, pages: GamePages | None
) -> Iterator[tuple[StoredRow, Callable[[], "RenamedLog"] | None]]:
    """Yield all rows, each with the call that renames its log, if it has one."""
    entries = store.entries()
    for row in store.rows():
        if row.kind != GAME:
            yield row, None
            continue
        result, order = read_result(row.game, row.result), None
        if pages is not None and entries.counts(result.game, result.players):
            order = pages.order(_renamed(result, aliases), {})
        yield row, partial(renamed_log, row.game, row.log, aliases, order)


def aliased_facts(store: Store, aliases: Aliases) -> TournamentFacts:
    """Return what the copy of a store says about its tournament."""
    facts = stored_facts(store)
    challenger = facts.challenger
    return facts.model_copy(
        update={
            "players": tuple(PlayerAndKind(aliases.of(name), kind) for name, kind in facts.players),
            "left_out": tuple(map(aliases.of, facts.left_out)),
            "challenger": None if challenger is None else aliases.of(challenger),
            "public": True,
        }
    )


def _facts(store: Store, aliases: Aliases) -> dict[str, str]:
    """Return the facts for everybody: neither the plan nor the roster."""
    entries = Entries(
        entry._replace(name=aliases.of(entry.name), version=aliases.version(entry.version))
        for entry in store.entries().all
    )
    kept = {name: text for name, text in store.facts().items() if name in ("seed", "series")}
    return kept | {"shown": aliased_facts(store, aliases).text(), "entries": entries.written()}


def _renamed(result: GameResult, aliases: Aliases) -> GameResult:
    seats = tuple(
        seat._replace(
            player=aliases.of(seat.player),
            detail=aliases.masked(seat.detail),
            cause=aliases.masked(seat.cause),
            version=aliases.version(seat.version),
        )
        for seat in result.seats
    )
    return result._replace(seats=seats)


def _void(row: StoredRow, aliases: Aliases) -> VoidAttempt:
    void = VoidGame(row.game, row.attempt, aliases.in_text(row.why))
    return VoidAttempt(void, b"", _alarms(row, aliases))


def _alarms(row: StoredRow, aliases: Aliases) -> tuple[Alarm, ...]:
    return tuple(
        Alarm(aliases.of(alarm.player), aliases.in_text(alarm.what)) for alarm in row.alarms
    )


# -- logs ---------------------------------------------------------------------------------------


class RenamedLog(NamedTuple):
    """A compressed log with aliases for names, and the page of its game, if one is wanted."""

    log: bytes
    made: MadePage | None


def renamed_log(
    game: str, log: bytes, aliases: Aliases, order: PageOrder | None = None
) -> RenamedLog:
    """Put aliases for the names in a compressed log; ``StoreError`` if it does not hold then.

    Where the bytes that a player was ejected for are another fault without the names in them, they
    are left out. Then the fault is the referee's word.
    """
    lines = gzip.decompress(log).decode().split("\n")
    quoted = {attribute(name): attribute(alias) for name, alias in aliases.by_name.items()}
    for with_bytes in (True, False):
        renamed = [_renamed_line(line, quoted, aliases, with_bytes) for line in lines]
        text = "\n".join(_ranked_again(renamed))
        found = gzip.compress(text.encode(), mtime=0)
        replayed = replay(game, found)
        if replayed is not None and replayed.holds:
            return RenamedLog(found, None if order is None else order.make(replayed))
    raise StoreError(
        f"game {game}: its log does not hold with aliases for names, so there is no public report. "
        "Rename the players in it whose names are words of the protocol."
    )


def _renamed_line(line: str, quoted: Mapping[str, str], aliases: Aliases, with_bytes: bool) -> str:
    def rename(found: re.Match[str]) -> str:
        name = f'"{found[2]}"'
        return f"{found[1]}{quoted.get(name, name)}"

    line = _NAMED.sub(rename, line)
    if not line.startswith("<ejected "):
        return line
    element = etree.fromstring(line)
    for words in ("detail", "hint"):
        if words in element.attrib:
            element.set(words, aliases.masked(element.attrib[words]))
    if (received := element.find("bytes")) is not None:
        if with_bytes:
            data = aliases.masked_bytes(base64.b64decode(received.text or ""))
            received.text = base64.b64encode(data).decode()
        else:
            element.remove(received)
    return etree.tostring(element, encoding="unicode")


def _ranked_again(lines: list[str]) -> list[str]:
    """Return the lines of a log with tied players in the order of their new names."""
    places = [at for at, line in enumerate(lines) if line.startswith("<ranked ")]
    ranked = sorted((lines[at] for at in places), key=_rank_and_name)
    for at, line in zip(places, ranked, strict=True):
        lines[at] = line
    return lines


def _rank_and_name(line: str) -> tuple[int, str]:
    element = etree.fromstring(line)
    return int(element.attrib["rank"]), element.attrib["player"]
