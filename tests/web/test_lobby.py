"""The lobby: what is sent of it to a spectator who comes, and to one who has seen it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
from lobby_updates import applied
from trio.testing import MockClock, wait_all_tasks_blocked

from acquire.admin.pages.web.live_game import LiveGame, miniature
from acquire.admin.pages.web.lobby import INTERVAL, MAX_FINISHED, WAYS, Lobby, LobbyStream, changes
from acquire.admin.pages.web.table_publisher import SpectatorPublisher
from acquire.admin.refereeing.log.recorder import Header, SeatRecord
from acquire.admin.refereeing.play.outcome import Outcome, standings
from acquire.admin.refereeing.table.server_events import GameBegan, GameEnded, SignUpsChanged
from acquire.admin.refereeing.view.frames import Tabletop
from acquire.game.rulebooks import CLASSIC
from acquire.game.turn import Ending
from web.visitor import fed


def table(seats: int = 2) -> Tabletop:
    return Tabletop(CLASSIC, [*map(str, range(seats))])


def lobby(*ids: str) -> Lobby:
    return Lobby("t", {id_: LiveGame(id_, f"Game {id_}", ["ann", "bob"]) for id_ in ids})


def put(shown: Lobby, id_: str, step: dict[str, Any]) -> None:
    game = shown.games[id_]
    game.table = game.table or table()
    game.table.put(step)


def frame(turn: int, **fields: Any) -> dict[str, Any]:
    return {"turn": turn, "kind": "turn", **fields}


# -- a small board ---------------------------------------------------------------------------------


def test_small_board_has_a_digit_for_each_cell_and_the_last_tile() -> None:
    shown = table()
    shown.put(frame(1, kind="placed", tile=5, board=[[5, 7]]))
    shown.put(frame(2, kind="founded", tile=6, board=[[5, 0], [6, 0]]))
    shown.put(frame(2, kind="aside", tile=107, board=[[107, 8]]))
    fields = miniature(shown)
    assert fields["board"] == "0" * 5 + "11" + "0" * 100 + "9"
    assert (fields["turn"], fields["last"]) == (2, 6)
    shown.put(frame(2, kind="undone", board=[[5, 7], [6, -1]]))
    assert miniature(shown)["last"] is None
    assert miniature(shown)["board"][5:7] == "80"


def test_worth_is_by_seat_and_unknown_where_it_is_hidden() -> None:
    shown = table(3)
    shown.put(frame(0, players={"0": {"worth": 6000}, "2": {"worth": 6000}}))
    shown.put(frame(1, players={"2": {"out": True, "worth": 0}}))
    assert miniature(shown)["worths"] == [6000, None, "out"]


# -- what has changed ------------------------------------------------------------------------------


def test_update_has_what_has_changed_and_nothing_else() -> None:
    now = lobby("1", "2", "3")
    put(now, "2", frame(0))
    before = now.fields()
    put(now, "2", frame(4, board=[[0, 7], [3, 2]]))
    now.waiting = ["cyd"]
    update = changes(before, now.fields())
    assert update == {
        "waiting": ["cyd"],
        "matches": [{"id": "2", "turn": 4, "board": [0, 8, 3, 3]}],
    }
    assert changes(now.fields(), now.fields()) == {}


def test_update_makes_one_lobby_of_another() -> None:
    one, other = lobby("1", "2", "3"), lobby("2", "3", "4", "5")
    other.games["3"].ending = "All is safe."
    put(one, "3", frame(0))
    for cells in (3, 40):
        put(other, "3", frame(9, board=[[cell, 1] for cell in range(cells)]))
        update = changes(one.fields(), other.fields())
        assert isinstance(update["matches"][-1]["board"], list if cells == 3 else str)
        assert update["dropped"] == ["1"]
        assert applied(one.fields(), update) == other.fields()


def test_newest_game_comes_first() -> None:
    assert [game["id"] for game in lobby("1", "2").fields()["matches"]] == ["2", "1"]


def test_oldest_finished_games_are_forgotten_and_no_live_one() -> None:
    shown = lobby(*map(str, range(MAX_FINISHED + 3)))
    for number in range(1, MAX_FINISHED - 10):
        shown.games[str(number)].ending = "All is safe."
    shown.forget_old()
    assert len(shown.games) == MAX_FINISHED + 3
    for one in [*shown.games.values()][1:]:
        one.ending = "All is safe."
    shown.forget_old()
    assert [*shown.games][:2] == ["0", "3"]
    assert shown.fields()["older"] == 2


# -- the stream ------------------------------------------------------------------------------------


class Spectator:
    """One who reads the stream, and keeps the messages."""

    def __init__(self, stream: LobbyStream) -> None:
        self.messages: list[dict[str, Any]] = []
        self.ended = False
        self._stream = stream

    async def read(self) -> None:
        async for data in self._stream.messages():
            lines = data.decode().splitlines()
            self.messages += [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
        self.ended = True


async def test_spectators_are_sent_all_once_and_then_what_changes(
    autojump_clock: MockClock,
) -> None:
    shown = lobby("1")
    stream = LobbyStream(shown)
    first, second = Spectator(stream), Spectator(stream)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(first.read)
        await wait_all_tasks_blocked()
        for turn in range(1, 4):  # in one interval, so in two updates: at once, and at its end
            put(shown, "1", frame(turn))
            stream.changed()
            await wait_all_tasks_blocked()
        await trio.sleep(INTERVAL)
        nursery.start_soon(second.read)
        await wait_all_tasks_blocked()
        shown.closed = True
        stream.changed()
    assert [message.get("whole") for message in first.messages] == [True, None, None, None]
    assert [message["matches"][0]["turn"] for message in first.messages[:-1]] == [0, 1, 3]
    assert first.messages[-1] == {"closed": True}
    assert second.messages[0]["matches"][0]["turn"] == 3 and len(second.messages) == 2
    assert first.ended and second.ended


async def test_spectator_who_has_missed_an_update_is_sent_all(autojump_clock: MockClock) -> None:
    shown = lobby("1")
    stream = LobbyStream(shown)
    slow = stream.messages()
    assert b'"whole":true' in await anext(slow)
    for title in ("t1", "t2"):
        shown.title = title
        stream.changed()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Spectator(stream).read)
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        await trio.sleep(INTERVAL)
    assert b'"whole":true' in (message := await anext(slow)) and b'"t2"' in message
    await slow.aclose()


# -- other games ---------------------------------------------------------------------------------


def test_game_leads_to_its_neighbors_and_to_the_next_live_one() -> None:
    shown = lobby("1", "2", "3", "4")
    shown.games["3"].ending = "All is safe."
    assert [shown.beside("2", way) for way in WAYS] == ["1", "3", "4"]
    assert [shown.beside("4", way) for way in WAYS] == ["3", None, "1"]
    assert [shown.beside("1", way) for way in WAYS] == [None, "2", "2"]
    assert [shown.beside("9", way) for way in WAYS] == [None] * 3


# -- the games of a server -----------------------------------------------------------------------

SEATS = (SeatRecord("ann", "remote"), SeatRecord("bob", "remote"))


@pytest.fixture
def published() -> Iterator[tuple[SpectatorPublisher, Callable[[], Lobby]]]:
    """A publisher, and what the server's games make of the lobby by way of the pipe."""
    with fed() as (feed, site, take):

        def lobby() -> Lobby:
            take()
            return site.lobby

        yield SpectatorPublisher(feed, "t"), lobby


def test_players_of_the_next_table_wait_while_the_one_before_begins(published: Any) -> None:
    publisher, lobby = published
    publisher(SignUpsChanged(1, ["ann", "bob"], 2))
    publisher(SignUpsChanged(2, ["cyd"], 2))
    publisher(GameBegan(1, Header(CLASSIC, 1, 1, (), SEATS)))
    assert lobby().waiting == ["cyd"]
    publisher(GameBegan(2, Header(CLASSIC, 2, 1, (), SEATS)))
    assert lobby().waiting == []


def test_only_players_who_finish_win_and_have_a_mean_score(published: Any) -> None:
    publisher, lobby = published
    ends = [
        standings([("ann", 900)], ["bob"]),
        standings([], ["ann", "bob"]),
        standings([("ann", 700), ("bob", 700)], []),
    ]
    for number, places in enumerate(ends, 1):
        outcome = Outcome(Ending.NOBODY_LEFT, 9, places, ())
        publisher(GameEnded(number, Path(), SEATS, outcome))
    assert lobby().standings["rows"] == [[1, "ann", 3, 2, "$800"], [2, "bob", 3, 1, "$700"]]
