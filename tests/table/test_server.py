"""The server: seats and names, tables side by side, deadlines, signals."""

import json
import math
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import trio
from command_line import ACQUIRE, succeed
from loopback import Peer, Witness, closing_peers, serving, verified
from loops import in_soak
from trio.testing import MockClock

from acquire.admin.refereeing.log.writer import LogWriteError
from acquire.admin.refereeing.play.events import TurnBegan
from acquire.admin.refereeing.play.in_process import Strategy
from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.refereeing.table.reception import CROWDED_OUT, MAX_SILENT
from acquire.admin.refereeing.table.signup import FIRST_PAUSE, People
from acquire.game.rulebooks import REVISED
from acquire.game.turn import Ending
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_names import MAX_NAME
from acquire.protocol.writing import VARIABLE

SOON = 1.5
"""Virtual seconds for deadlines that are to pass, and in which a busy machine signs players up."""


@pytest.fixture
def jumping_clock() -> MockClock:
    """Time stands still, and jumps to the next deadline once nothing happens for a moment."""
    return MockClock(autojump_threshold=0.01)


async def play_all(*peers: Peer) -> dict[str, RefereeMessage]:
    """Let these play as ``ordered`` to the end, and return what each heard last."""
    heard: dict[str, RefereeMessage] = {}

    async def one(peer: Peer) -> None:
        heard[peer.name] = await peer.play(Ordered(REVISED, 0))

    async with trio.open_nursery() as nursery:
        for peer in peers:
            nursery.start_soon(one, peer)
    return heard


async def begin_and_leave(witness: Witness, *peers: Peer, games: int = 1) -> None:
    """Let all players leave as soon as their games have begun: only the seats matter."""
    await witness.until(lambda: len(witness.headers) == games)
    for peer in peers:
        await peer.stream.aclose()


def seated(witness: Witness, number: int = 1) -> list[str]:
    """The names at a table, in the order of the seats."""
    return [seat.name for seat in witness.headers[number].seats]


# -- seats --------------------------------------------------------------------------------------


async def test_seats_are_given_in_the_order_of_connecting(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, witness):
        cyd, ann, bob = [await Peer.connect(witness.port) for _ in range(3)]
        for peer, name in ((bob, "bob"), (ann, "ann"), (cyd, "cyd")):
            await peer.sign_up(name)
        await play_all(ann, bob, cyd)
    assert seated(witness) == ["cyd", "ann", "bob"]
    first = next(event for event in witness.events[1] if isinstance(event, TurnBegan))
    assert [player.name for player in first.state.players] == ["cyd", "ann", "bob"]


async def test_a_game_begins_as_soon_as_the_table_is_full(tmp_path: Path) -> None:
    before = date.today()
    async with serving(tmp_path, signup_timeout=10**6) as (_, witness):
        peers = [await Peer.signed_up(witness.port, name) for name in "abc"]
        heard = await play_all(*peers)
    assert all(isinstance(last, messages.Score) for last in heard.values())
    record = verified(witness.games[1].log)
    assert record.complete
    assert before <= date.fromisoformat(record.header.date) <= date.today()


async def test_leaving_before_the_start_frees_the_seat_and_the_name(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, witness):
        leaver = await Peer.signed_up(witness.port, "ann")
        bob = await Peer.signed_up(witness.port, "bob")
        await leaver.stream.aclose()
        await witness.until_signed_up("bob")
        ann = await Peer.signed_up(witness.port, "ann")
        cyd = await Peer.signed_up(witness.port, "cyd")
        await begin_and_leave(witness, bob, ann, cyd)
    assert seated(witness) == ["bob", "ann", "cyd"]


async def test_sending_before_the_start_loses_the_seat(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, witness):
        hasty = await Peer.signed_up(witness.port, "hasty")
        await hasty.send(b"<void/>")
        await hasty.is_told("out-of-turn")
        ((name, fault),) = witness.refused
        assert (name, fault.reason, fault.data) == ("hasty", Reason.OUT_OF_TURN, b"<void/>")
        peers = [await Peer.signed_up(witness.port, name) for name in "abc"]
        await begin_and_leave(witness, *peers)
    assert seated(witness) == ["a", "b", "c"]


async def test_white_space_before_the_start_costs_no_seat(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, witness):
        ann = await Peer.signed_up(witness.port, "ann")
        await ann.send(b"\r\n \t")
        bob, cyd = [await Peer.signed_up(witness.port, name) for name in ("bob", "cyd")]
        await play_all(ann, bob, cyd)
    assert seated(witness) == ["ann", "bob", "cyd"]
    assert not witness.games[1].outcome.ejected


async def test_connection_that_does_not_sign_up_holds_no_seat(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, witness):
        silent = await Peer.connect(witness.port)
        players = [await Peer.signed_up(witness.port, name) for name in ("ann", "bob", "cyd")]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(silent.is_told, "no-seat")
            await begin_and_leave(witness, *players)
    assert seated(witness) == ["ann", "bob", "cyd"]


async def test_connection_has_to_sign_up_within_the_reply_time(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    async with serving(tmp_path, clocks=Clocks(SOON, 30), signup_timeout=3) as (_, witness):
        silent = await Peer.connect(witness.port)
        await silent.is_told("timed-out")


async def test_connections_beyond_the_last_seats_are_turned_away(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, witness):
        five = [await Peer.connect(witness.port) for _ in range(5)]
        for peer, name in zip(five[:3], "abc", strict=True):
            await peer.sign_up(name)
        for peer in five[3:]:
            assert "No further match begins." in await peer.is_told("no-seat")
        await begin_and_leave(witness, *five[:3])
    assert seated(witness) == ["a", "b", "c"]


async def test_connections_beyond_the_seats_wait_for_the_next_table(tmp_path: Path) -> None:
    async with serving(tmp_path, games=2) as (_, witness):
        six = [await Peer.connect(witness.port) for _ in range(6)]
        for peer, name in zip(six, "abcdef", strict=True):
            await peer.sign_up(name)
        await begin_and_leave(witness, *six, games=2)
    assert seated(witness, 1) == ["a", "b", "c"]
    assert seated(witness, 2) == ["d", "e", "f"]


async def test_a_player_may_sign_up_with_the_white_space_that_others_send(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, witness):
        peers = [await Peer.connect(witness.port) for _ in range(3)]
        for peer, name in zip(peers, "abc", strict=True):
            await peer.send(
                f"\n<?xml version=\"1.0\"?>\n<signup name='{name}'>\n</signup>\n".encode()
            )
            peer.name = (await peer.hear(messages.SignUp)).name
        await begin_and_leave(witness, *peers)
    assert seated(witness) == ["a", "b", "c"]


# -- names --------------------------------------------------------------------------------------

X64 = "x" * MAX_NAME


@pytest.mark.parametrize("name", [X64, "a & <b> \"c\" 'd'", *in_soak("ann", " x ", "ä" * MAX_NAME)])
async def test_players_of_one_name_get_different_names(tmp_path: Path, name: str) -> None:
    async with serving(tmp_path) as (_, witness):
        peers = [await Peer.signed_up(witness.port, name) for _ in range(3)]
        heard = await play_all(*peers)
    short = name[:62] if len(name) == MAX_NAME else name
    assert seated(witness) == [name, f"{short}-2", f"{short}-3"] == [peer.name for peer in peers]
    for last in heard.values():
        assert isinstance(last, messages.Score)
        assert {result[0] for result in last.results} == {peer.name for peer in peers}
    verified(witness.games[1].log)


async def test_built_in_player_does_not_take_the_name_of_a_player(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    house = ("ordered", lambda _: Ordered(REVISED, 0))
    async with serving(tmp_path, fill=house, signup_timeout=SOON) as (_, witness):
        await play_all(await Peer.signed_up(witness.port, "ordered"))
    assert seated(witness) == ["ordered", "ordered-2", "ordered-3"]


# -- crowds and secrets -------------------------------------------------------------------------


async def test_silent_connections_keep_no_player_out(tmp_path: Path, soak: bool) -> None:
    """They are more than the server holds, and come before the players."""
    crowd = 10_000 if soak else 600
    async with serving(tmp_path) as (_, witness):
        silent = [await knock(witness.port) for _ in range(crowd)]
        players = [await Peer.signed_up(witness.port, name) for name in ("ann", "bob", "cyd")]
        await begin_and_leave(witness, *players)
    assert seated(witness) == ["ann", "bob", "cyd"]
    dropped = [fault for _, fault in witness.refused if fault == CROWDED_OUT]
    assert len(dropped) >= crowd - MAX_SILENT
    for connection in silent:
        connection.close()


async def knock(port: int, source: str = "127.0.0.1") -> socket.socket:
    """Connect, and say nothing."""
    connection = socket.socket()
    connection.bind((source, 0))
    connection.setblocking(False)
    with suppress(BlockingIOError):
        connection.connect(("127.0.0.1", port))
    await trio.lowlevel.wait_writable(connection)
    return connection


async def test_crowd_from_one_address_makes_room_for_another(tmp_path: Path) -> None:
    """Loopback has many addresses; the server listens on all of them."""
    async with serving(tmp_path, host="0.0.0.0") as (_, witness):
        quiet = await Peer.connect(witness.port)
        silent = [await knock(witness.port, "127.0.0.2") for _ in range(MAX_SILENT + 10)]
        await quiet.sign_up("ann")
        players = [quiet, *[await Peer.signed_up(witness.port, name) for name in ("bob", "cyd")]]
        await begin_and_leave(witness, *players)
    assert seated(witness) == ["ann", "bob", "cyd"]
    for connection in silent:
        connection.close()


async def refuses(witness: Witness, *names: str) -> None:
    """Sign strangers up by these names, all at once, who do not have the secret."""
    strangers = [await Peer.connect(witness.port) for _ in names]
    for stranger, name in zip(strangers, names, strict=True):
        await stranger.say(messages.SignUp(name))
    for stranger in strangers:
        assert "with the secret of this server" in await stranger.is_told("no-seat")


async def test_players_without_the_secret_get_no_seat(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    async with serving(tmp_path, secret="open sesame") as (_, witness):
        await refuses(witness, "eve", "eve:sesame", ":open sesame")
        names = [f"{name}:open sesame" for name in ("ann", "bob", "a:b")]
        await begin_and_leave(witness, *[await Peer.signed_up(witness.port, n) for n in names])
    assert seated(witness) == ["ann", "bob", "a:b"]


async def test_wrong_secrets_are_refused_ever_more_slowly_and_right_ones_at_once(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    async with serving(tmp_path, secret="sesame") as (_, witness):
        strangers = [await Peer.connect(witness.port) for _ in range(5)]
        began = trio.current_time()
        for number, stranger in enumerate(strangers):
            await stranger.say(messages.SignUp(f"eve:{number}"))
        players = [await Peer.signed_up(witness.port, f"{name}:sesame") for name in ("ann", "bob")]
        assert trio.current_time() - began < FIRST_PAUSE
        refused = []
        for stranger in strangers:
            assert "with the secret" in await stranger.is_told("no-seat")
            refused.append(trio.current_time() - began)
        players.append(await Peer.signed_up(witness.port, "cyd:sesame"))
        await begin_and_leave(witness, *players)
    assert refused == pytest.approx([1, 2, 4, 8, 8], abs=0.5)
    assert seated(witness) == ["ann", "bob", "cyd"]


async def test_secret_is_shown_to_nobody_as_a_name_or_in_one(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    shown = {"sesame:eve": "", "eve:sesame:sesame": "", "sesames:eve:no": "sesames:eve"}
    async with serving(tmp_path, secret="sesame") as (_, witness):
        await refuses(witness, *shown)
        assert sorted(name for name, _ in witness.refused) == sorted(shown.values())
        broken = await Peer.connect(witness.port)
        await broken.send(b'<signup name="eve&#10;:sesame"/>')
        assert ":***" in await broken.is_told("invalid")
        fault = witness.refused[-1][1]
        assert b"eve&#10;:***" in fault.data and "sesame" not in fault.detail
        names = [f"{name}:sesame" for name in ("ann", "bob", "sesames")]
        await begin_and_leave(witness, *[await Peer.signed_up(witness.port, n) for n in names])
    assert seated(witness) == ["ann", "bob", "sesames"]


@pytest.mark.parametrize(("secret", "suffix"), [(None, ""), ("sesame", ":sesame")])
async def test_people_are_known_by_their_word_and_have_their_clock(
    tmp_path: Path, jumping_clock: MockClock, secret: str | None, suffix: str
) -> None:
    async with serving(tmp_path, secret=secret, people=People("word", 90.0)) as (_, witness):
        if secret is not None:
            await refuses(witness, "eve:word")
        names = f"ann{suffix}:word", f"bob{suffix}", f"a:b{suffix}:word"
        await begin_and_leave(witness, *[await Peer.signed_up(witness.port, n) for n in names])
    assert seated(witness) == ["ann", "bob", "a:b"]
    assert [seat.clock for seat in witness.headers[1].seats] == ["90", None, "90"]


# -- the sign-up deadline -----------------------------------------------------------------------


async def test_too_few_at_the_deadline_are_turned_away_and_do_not_play(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    async with serving(tmp_path, signup_timeout=SOON) as (server, witness):
        peers = [await Peer.signed_up(witness.port, name) for name in ("ann", "bob")]
        for peer in peers:
            assert "2 signed up in time; 3 are needed." in await peer.is_told("no-seat")
    assert witness.given_up == [(1, 2, 3)]
    assert server.unplayed == 1
    assert not witness.games and not [*tmp_path.iterdir()]


async def test_enough_for_the_rulebook_at_the_deadline_play_without_the_others(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    async with serving(tmp_path, players=6, signup_timeout=SOON) as (server, witness):
        await play_all(*[await Peer.signed_up(witness.port, name) for name in "abc"])
    assert seated(witness) == ["a", "b", "c"]
    assert server.unplayed == 0


async def test_built_in_players_fill_the_empty_seats_at_the_deadline(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    seeds: list[int] = []

    def make(seed: int) -> Strategy:
        seeds.append(seed)
        return Ordered(REVISED, seed)

    async with serving(tmp_path, players=4, signup_timeout=SOON, fill=("the-house", make)) as (
        _,
        witness,
    ):
        await play_all(await Peer.signed_up(witness.port, "ann"))
    assert [tuple(seat) for seat in witness.headers[1].seats] == [
        ("ann", "remote", None, None),
        ("the-house", "house", "the-house", None),
        ("the-house-2", "house", "the-house", None),
        ("the-house-3", "house", "the-house", None),
    ]
    assert len({*seeds}) == 3, "each built-in player has a seed of its own"


async def test_opponents_have_seats_as_soon_as_the_others_are_taken(tmp_path: Path) -> None:
    opponents = [(name, lambda _: Ordered(REVISED, 0)) for name in ("one", "two")]
    async with serving(tmp_path, opponents=tuple(opponents), seat_clocks={"ann": math.inf}) as (
        _,
        witness,
    ):
        await play_all(await Peer.signed_up(witness.port, "ann"))
    assert seated(witness) == ["ann", "one", "two"]
    assert witness.free == {1}
    (log,) = tmp_path.glob("*.xml*")
    assert [seat.clock for seat in verified(log).header.seats] == ["none", None, None]


async def test_opponents_are_counted_among_those_who_are_needed(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    opponents = (("one", lambda _: Ordered(REVISED, 0)),)
    async with serving(tmp_path, players=4, opponents=opponents, signup_timeout=SOON) as (
        _,
        witness,
    ):
        ann = await Peer.signed_up(witness.port, "ann")
        assert "1 signed up in time; 2 are needed." in await ann.is_told("no-seat")
    assert witness.given_up == [(1, 1, 2)]
    assert witness.free == {3}


async def test_built_in_players_play_alone_when_no_player_connects(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    """Without a seed every game has one of its own."""
    house = ("ordered", lambda _: Ordered(REVISED, 0))
    settings = {"seed": None, "fill": house, "signup_timeout": SOON, "games": 2}
    async with serving(tmp_path, **settings) as (_, witness):
        pass
    assert witness.headers[1].seed != witness.headers[2].seed
    for number in (1, 2):
        assert seated(witness, number) == ["ordered", "ordered-2", "ordered-3"]
        verified(witness.games[number].log)


async def test_connection_that_has_not_signed_up_at_the_deadline_is_dismissed(
    tmp_path: Path, jumping_clock: MockClock
) -> None:
    async with serving(tmp_path, signup_timeout=SOON) as (_, witness):
        silent = await Peer.connect(witness.port)
        assert "No further match begins." in await silent.is_told("no-seat")
    assert witness.given_up == [(1, 0, 3)]


# -- games ------------------------------------------------------------------------------------


async def hold_at_first_turn(peer: Peer, until: trio.Event, asked: trio.Event) -> None:
    """Play as ``ordered``, but answer the first turn only when something has happened."""
    ordered = Ordered(REVISED, 0)
    while not isinstance(message := await peer.next(), messages.Turn):
        assert message is not None
        await peer.say(ordered(message))
    asked.set()
    await until.wait()
    await peer.say(ordered(message))
    await peer.play(ordered)


async def test_two_games_are_played_side_by_side(tmp_path: Path) -> None:
    async with serving(tmp_path, games=2) as (_, witness):
        slow, *quick = [await Peer.signed_up(witness.port, name) for name in "abcdef"]
        second_is_over, asked = trio.Event(), trio.Event()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hold_at_first_turn, slow, second_is_over, asked)
            nursery.start_soon(play_all, *quick)
            await witness.until(lambda: 2 in witness.games)
            assert 1 not in witness.games
            second_is_over.set()
    assert [*witness.games] == [2, 1]
    bags = {witness.headers[number].bag for number in (1, 2)}
    assert len(bags) == 2, "each game has a bag of its own"
    for game in witness.games.values():
        assert not game.outcome.ejected
        verified(game.log)


async def test_when_all_players_fail_the_game_ends_and_the_next_is_played(tmp_path: Path) -> None:
    async with serving(tmp_path, games=2) as (server, witness):
        failing = [await Peer.signed_up(witness.port, name) for name in "abc"]
        for peer in failing:
            await peer.hear(messages.State)
            await peer.send(b"<nonsense/>")
        for peer in failing:
            await peer.is_told("invalid")
        await play_all(*[await Peer.signed_up(witness.port, name) for name in "def"])
    failed, played = witness.games[1].outcome, witness.games[2].outcome
    assert failed.ending is Ending.NOBODY_LEFT
    assert [(place.name, place.finished) for place in failed.standings] == [
        ("c", False), ("b", False), ("a", False)
    ]  # fmt: skip
    assert len(played.standings) == 3 and all(place.finished for place in played.standings)
    assert server.unplayed == 0
    assert all(verified(game.log).complete for game in witness.games.values())


class Faulty(Ordered):
    """A built-in player with a bug in its third turn."""

    turns = 0

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        if isinstance(message, messages.Turn):
            self.turns += 1
            if self.turns == 3:
                raise ZeroDivisionError("a bug of a built-in player")
        return super().__call__(message)


async def test_bug_of_a_built_in_player_abandons_one_game_and_no_other(
    tmp_path: Path, jumping_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # for the report
    made: list[Strategy] = []

    def make(_: int) -> Strategy:  # the first game has the bug
        made.append(Faulty(REVISED, 0) if not made else Ordered(REVISED, 0))
        return made[-1]

    house, logs = ("house", make), tmp_path / "logs"
    async with serving(logs, games=2, fill=house, signup_timeout=SOON) as (server, witness):
        ann, bob = [await Peer.signed_up(witness.port, name) for name in ("ann", "bob")]
        heard = await play_all(ann, bob)
        heard |= await play_all(await Peer.signed_up(witness.port, "cyd"))
    assert (
        heard["ann"] == heard["bob"] == messages.Ejected("interrupted", Reason.INTERRUPTED.sentence)
    )
    assert isinstance(heard["cyd"], messages.Score)
    assert server.unplayed == 1
    (report,) = tmp_path.glob("*.txt")
    assert str(report) in witness.broken_off[1]
    assert "a bug of a built-in player" in report.read_text()
    for log in logs.iterdir():
        assert verified(log).complete is (log == witness.games[2].log)


async def test_invalid_output_interrupts_its_game_without_an_ejection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # for the report
    monkeypatch.delenv(VARIABLE)
    debts, logs = replace(REVISED, cash=-5), tmp_path / "logs"  # no message has negative cash
    async with serving(logs, rulebook=debts, validate_output=True) as (server, witness):
        heard = await play_all(
            *[await Peer.signed_up(witness.port, name) for name in ("ann", "bob", "cyd")]
        )
    interrupted = messages.Ejected("interrupted", Reason.INTERRUPTED.sentence)
    assert heard == dict.fromkeys(("ann", "bob", "cyd"), interrupted)
    assert server.unplayed == 1
    (report,) = tmp_path.glob("*.txt")
    assert str(report) in witness.broken_off[1]
    assert "InvalidOutput: <state><board/><player name=" in report.read_text()
    (log,) = logs.iterdir()
    assert "<ejected" not in log.read_text()


class Rude(Ordered):
    """Breaks when it is told its name."""

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        if isinstance(message, messages.SignUp):
            raise RuntimeError("a bug in the connection")
        return super().__call__(message)


def unmakeable(_: int) -> Strategy:
    raise RuntimeError("a bug of the maker")


@pytest.mark.parametrize("make", [lambda _: Rude(REVISED, 0), unmakeable], ids=["rude", "unmade"])
async def test_built_in_player_that_cannot_begin_abandons_its_game_alone(
    tmp_path: Path,
    jumping_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[int], Strategy],
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # for the report
    settings = {"games": 2, "fill": ("house", make), "signup_timeout": SOON}
    async with serving(tmp_path / "logs", **settings) as (server, witness):
        heard = await play_all(await Peer.signed_up(witness.port, "ann"))
        last = heard["ann"]
        assert isinstance(last, messages.Ejected) and last.reason == "interrupted"
        peers = [await Peer.signed_up(witness.port, name) for name in "abc"]
        heard = await play_all(*peers)
    assert all(isinstance(message, messages.Score) for message in heard.values())
    assert server.unplayed == 1 and list(witness.broken_off) == [1]
    assert list(witness.games) == [2]


async def test_server_without_a_log_folder_does_not_listen(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.RaisesGroup(pytest.RaisesExc(LogWriteError, match="Not a directory|File exists")):
        async with serving(tmp_path / "file"):
            raise AssertionError("it listens")


def replace_by_another(path: Path) -> None:
    """Put a copy in the place of a file."""
    copy = path.with_suffix(".copy")
    shutil.copy(path, copy)
    copy.rename(path)


LOSSES: dict[str, Callable[[Path], object]] = {
    "folder deleted": shutil.rmtree,
    "folder renamed": lambda folder: folder.rename(folder.with_name("elsewhere")),
    "file deleted": lambda folder: (folder / "revised-seed1-game1.xml").unlink(),
    "file replaced": lambda folder: replace_by_another(folder / "revised-seed1-game1.xml"),
}


@pytest.mark.parametrize("lose", LOSSES.values(), ids=LOSSES)
async def test_lost_log_stops_the_server_and_all_players_are_notified(
    lose: Callable[[Path], object], tmp_path: Path
) -> None:
    logs, lost = tmp_path / "logs", "deleted or replaced while the referee was running"
    with pytest.RaisesGroup(pytest.RaisesExc(LogWriteError, match=lost)):
        async with serving(logs, games=None) as (server, witness):
            peers = [await Peer.signed_up(witness.port, name) for name in "abcdef"]
            for peer in peers:  # two games
                await peer.hear(messages.State)
            peers.append(await Peer.signed_up(witness.port, "waiting"))
            lose(logs)
            for peer in peers[:3]:
                await peer.say(messages.Void())
            for peer in peers:
                await peer.is_told("interrupted")
    assert lost in witness.broken_off[1]
    assert server.unplayed >= 1


async def test_lost_folder_is_not_created_again_for_the_next_game(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    with pytest.RaisesGroup(pytest.RaisesExc(LogWriteError, match="log folder .* was deleted")):
        async with serving(logs, games=None) as (_, witness):
            peers = [await Peer.signed_up(witness.port, name) for name in "ab"]
            logs.rmdir()
            peers.append(await Peer.signed_up(witness.port, "c"))
            for peer in peers:
                await peer.is_told("interrupted")
    assert not logs.exists()


# -- the server as a process --------------------------------------------------------------------


class Served:
    """``acquire serve`` as a process, with what it tells programs."""

    def __init__(self, process: trio.Process) -> None:
        self.process = process
        self._read = b""
        self.errors = b""
        self._drained = trio.Event()

    async def told(self) -> dict[str, Any]:
        """Return the next thing that it tells."""
        assert self.process.stdout is not None
        while b"\n" not in self._read:
            data = await self.process.stdout.receive_some()
            assert data, f"the server is gone: {self.errors.decode()}"
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        told: dict[str, Any] = json.loads(line)
        return told

    async def port(self) -> int:
        """Return the port once it listens."""
        told = await self.told()
        assert told["event"] == "listening"
        return int(told["addresses"][0].rpartition(":")[2])

    async def drain(self) -> None:
        """Keep what it tells a person."""
        assert self.process.stderr is not None
        async for data in self.process.stderr:
            self.errors += data
        self._drained.set()

    async def exit(self) -> int:
        """Wait for it to be gone, and return its exit code."""
        await self._drained.wait()
        return await self.process.wait()


@asynccontextmanager
async def acquire_serve(log_dir: Path, *options: str) -> AsyncIterator[Served]:
    """Run ``acquire serve`` on a free port; what is left of it at the end is killed."""
    command = [ACQUIRE, "serve", "--json", "--port", "0", "--players", "3", "--seed", "1"]
    with trio.fail_after(30):
        async with closing_peers(), trio.open_nursery() as nursery:
            process = await trio.lowlevel.open_process(
                [*command, "--log-dir", str(log_dir), *options],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            served = Served(process)
            nursery.start_soon(served.drain)
            try:
                yield served
            finally:
                process.kill()
                with trio.CancelScope(shield=True):
                    await process.wait()
                for stream in (process.stdout, process.stderr):
                    assert stream is not None
                    await stream.aclose()
                nursery.cancel_scope.cancel()


TURNS_BEFORE = 20
"""Turns to be played before a server is stopped."""


async def play_until_held(peer: Peer, held: trio.Event, seen: list[int]) -> messages.Ejected | None:
    """Play as ``ordered`` for ``TURNS_BEFORE`` turns, then set ``held`` and only listen."""
    ordered = Ordered(REVISED, 0)
    try:
        while True:
            message = await peer.next()
            if message is None or isinstance(message, messages.Ejected):
                return message
            if isinstance(message, messages.Turn):
                seen.append(1)
            if len(seen) > TURNS_BEFORE:
                held.set()
                continue
            await peer.say(ordered(message))
    except trio.BrokenResourceError:
        return None
    finally:
        await peer.stream.aclose()


async def stop_in_a_game(
    tmp_path: Path, number: signal.Signals
) -> tuple[int, list[messages.Ejected | None], Path, str]:
    """Stop a server in the middle of a game: its exit code, what the players heard, the log."""
    heard: list[messages.Ejected | None] = []
    async with acquire_serve(tmp_path, "--reply-timeout", "30", "--turn-timeout", "30") as served:
        port = await served.port()
        held, seen = trio.Event(), [0]

        async def one(peer: Peer) -> None:
            heard.append(await play_until_held(peer, held, seen))

        async with trio.open_nursery() as nursery:
            for name in "abc":
                nursery.start_soon(one, await Peer.signed_up(port, name))
            await held.wait()
            served.process.send_signal(number)
            code = await served.exit()
    (log,) = tmp_path.glob("*.xml")
    return code, heard, log, served.errors.decode()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), *in_soak((signal.SIGINT, 130))]
)
async def test_a_signal_ends_a_game_as_interrupted(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    exit_code, heard, log, errors = await stop_in_a_game(tmp_path, number)
    assert exit_code == code
    assert heard == [messages.Ejected("interrupted", Reason.INTERRUPTED.sentence)] * 3
    record = verified(log)
    assert record.complete
    assert record.elements[-1].get("ending") == "interrupted"
    assert int(record.elements[-1].get("turns", "0")) >= TURNS_BEFORE
    assert "Traceback" not in errors


async def test_killed_server_leaves_a_log_that_verifies_as_far_as_it_goes(tmp_path: Path) -> None:
    exit_code, heard, log, _ = await stop_in_a_game(tmp_path, signal.SIGKILL)
    assert exit_code == -signal.SIGKILL
    assert heard == [None] * 3
    record = verified(log)
    assert not record.complete
    turns = [element for element in record.elements if element.tag == "turn"]
    assert len(turns) >= TURNS_BEFORE - 1, "whole turns are written when the next one begins"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), *in_soak((signal.SIGTERM, 143))]
)
async def test_signal_at_sign_up_is_reported_to_all_waiting_players(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    async with acquire_serve(tmp_path, "--reply-timeout", "30") as served:
        port = await served.port()
        ann, bob = [await Peer.signed_up(port, name) for name in ("ann", "bob")]
        connected = await Peer.connect(port)
        served.process.send_signal(number)
        for peer in (ann, bob, connected):
            await peer.is_told("interrupted")
        assert await served.exit() == code
    assert not [*tmp_path.glob("*.xml")]


def test_server_that_no_player_connects_to_reports_it_and_fails(tmp_path: Path) -> None:
    options = ["--json", "--port", "0", "--log-dir", str(tmp_path), "--signup-timeout", "0.1"]
    done = succeed("serve", "--players", "3", *options, code=1)
    _, unfilled = map(json.loads, done.stdout.splitlines())
    assert unfilled == {"event": "unfilled", "match": 1, "signed_up": 0, "needed": 3}
    assert "Game 1 was not played: 0 signed up in time, 3 needed." in done.stderr


async def test_process_fills_seats_plays_and_prints_json_lines(tmp_path: Path) -> None:
    async with acquire_serve(tmp_path, "--fill", "random", "--signup-timeout", "0.5") as served:
        port = await served.port()
        await play_all(await Peer.signed_up(port, "ann"))
        begun, over = await served.told(), await served.told()
        assert await served.exit() == 0
    assert [seat["name"] for seat in begun["seats"]] == ["ann", "random", "random-2"]
    assert over["event"] == "over" and not over["ejected"]
    assert begun["match"] == over["match"] == 1, "the key that programs read"
    assert {place["name"] for place in over["standings"]} == {"ann", "random", "random-2"}
    verified(Path(over["log"]))
