"""Games of all five rulebooks, with and without misbehaving players, and what the referee had.

While a game is played its log is written, as ever; beside that is noted which position the referee
had as each turn began, and what each question showed of the position within the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from golden_games import Stubborn

from acquire.admin.refereeing.log.recorder import Header, SeatRecord
from acquire.admin.refereeing.log.writer import open_log
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.draw_sync import marking
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.questions import Replies, Reply
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.board import Board
from acquire.game.rulebook import Hands, Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import Player, State
from acquire.game.tiles import Mask
from acquire.player.misbehaving.cast import Member, MisbehavingPlayer, cast_for
from acquire.player.misbehaving.wire_faults import WireFault
from acquire.player.strategies.investor import Investor
from acquire.player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.faults import Fault
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_view import PlayerView

HIDING = with_hidden_assets(CORPORATIONS)
HOUSE: tuple[type[Strategy], ...] = (Random, Investor, LargestAlpha, SmallestAnti, Ordered)
ROGUES = (
    ("turn-silent", "setup-not-xml"),
    ("order-too-dear", "dispose-sells-too-many", "keep-one-too-few", "market-silent"),
    ("tile-goes-away", "state-too-long", "merger-says-void"),
    ("order-silent", "turn-tile-not-in-hand", "score-silent"),
    ("turn-merges-two-safe", "market-says-order", "keep-silent", "dispose-silent"),
)
"""Who misbehaves together, where the rulebook has a room for it."""

RARE = (
    (WIKIPEDIA, 3, 4),
    (WIKIPEDIA, 3, 7, "order-silent"),
    (CORPORATIONS, 2, 0),
    (CLASSIC, 3, 0),
    (REVISED, 3, 0, "keep-silent"),
    (CLASSIC, 2, 1, "market-silent"),
    (CLASSIC, 2, 1, "merger-says-void"),
)
"""Rulebook, seats, seed and rogue, where nobody ends the game: what is seldom reached otherwise.

A stuck hand that is replaced, a turn without a tile, ejections while the stock market is asked.
"""

SeenPlayer = tuple[str, int | None, tuple[int, ...] | None, Mask | None]
Answerer = Callable[[RefereeMessage], PlayerMessage | Fault]


class PlannedGame(NamedTuple):
    """Who plays what: ``rogues`` have the first seats, the house the others."""

    rulebook: Rulebook
    seats: int
    rogues: tuple[str, ...] = ()
    duplicate: bool = False
    seed: int = 0
    house: tuple[type[Strategy], ...] = HOUSE
    is_usual: bool = True
    """Whether it is played in `make test` too, not only in the soak."""

    def __str__(self) -> str:
        hiding = "-hiding" if self.rulebook is HIDING else ""
        of = f"of-{self.house[0].__name__.lower()}" if len(self.house) == 1 else ""
        words = (f"{self.rulebook.id}{hiding}", str(self.seats), of, *self.rogues)
        return "-".join(filter(None, words))


class Glimpse(NamedTuple):
    """What a question shows of a position; ``None`` is what its player cannot see.

    ``shown`` counts the events before it that a viewer shows.
    """

    shown: int
    board: Board | None
    bank: tuple[int, ...] | None
    aside: Mask | None
    players: tuple[SeenPlayer, ...]


class Played(NamedTuple):
    """A game that is over: its log, and what the referee had and sent."""

    log: Path
    header: Header
    turns: list[State]
    """At the beginning of each turn, and at the end."""
    glimpses: list[Glimpse]
    happened: list[Event]


class _Rogue:
    """A member of the cast in this process: what it does with its socket is a fault here."""

    def __init__(self, member: Member, rulebook: Rulebook) -> None:
        self._member = member
        self._player = MisbehavingPlayer(member, rulebook, 0)

    def __call__(self, message: RefereeMessage) -> PlayerMessage | Fault:
        answer = self._player(message)
        if isinstance(answer, WireFault):
            data = getattr(answer, "data", b"")
            return Fault(self._member.reason, "Something else came.", data)
        return answer


def tables() -> Iterator[PlannedGame]:
    """Every rulebook at every size of table: built-in players alone, and with misbehaving ones.

    Of the tables with built-in players alone, `make test` plays the smallest of each rulebook.
    """
    seed = 0
    for rulebook in (*RULEBOOKS.values(), HIDING):
        cast = cast_for(rulebook)
        for seats in range(rulebook.min_players, rulebook.max_players + 1):
            rogues = tuple(name for name in ROGUES[seed % len(ROGUES)] if name in cast)
            smallest = seats == rulebook.min_players
            yield PlannedGame(rulebook, seats, (), seats == 4, seed, is_usual=smallest)
            yield PlannedGame(rulebook, seats, rogues[: seats - 1], seats == 5, seed + 1)
            seed += 1
    for rulebook, seats, seed, *rogue in RARE:
        yield PlannedGame(rulebook, seats, tuple(rogue), seed=seed, house=(Stubborn,))


def play(game: PlannedGame, folder: Path) -> Played:
    """Play a game and write its log into a folder."""
    rulebook, dealer = game.rulebook, Dealer(game.seed)
    cast = cast_for(rulebook)
    house = [game.house[(game.seed + seat) % len(game.house)] for seat in range(game.seats)]
    players: dict[str, Answerer] = {}
    for name in game.rogues:
        players[name] = _Rogue(cast[name], rulebook)
    for seat, strategy in enumerate(house[len(players) :], start=1):
        players[f"house {seat}"] = strategy(rulebook, game.seed)
    seats = tuple(SeatRecord(name, "house", "random") for name in players)
    header = Header(rulebook, game.seed, 1, dealer.bag, seats, game.duplicate)
    log = open_log(folder, header)
    played = Played(log.path, header, [], [], [])

    def take(event: Event) -> None:
        log(event)
        played.happened.append(event)
        if isinstance(event, events.TurnBegan | events.Ended):
            played.turns.append(event.state)

    emit = marking(take) if game.duplicate else take
    _tell(Referee(rulebook, list(players), dealer.bag, dealer.shuffle, emit), players, played)
    log.close()
    return played


def _tell(referee: Referee, players: dict[str, Answerer], played: Played) -> None:
    for name, player in players.items():
        player(messages.SignUp(name))
    questions = referee.play()
    asks = next(questions)
    shown = counted = 0
    while True:
        shown += sum(map(is_shown, played.happened[counted:]))
        counted = len(played.happened)
        replies: Replies = {}
        for name, ask in asks.items():
            glimpse = _glimpse(shown, ask.message, name, played.header.rulebook)
            if glimpse is not None:
                played.glimpses.append(glimpse)
            answer = players[name](ask.message)
            replies[name] = answer if isinstance(answer, Fault) else Reply(answer)
        try:
            asks = questions.send(replies)
        except StopIteration:
            return


def is_shown(event: Event) -> bool:
    """Whether a viewer shows an event: answers and what only statistics need are left out."""
    return not isinstance(event, events.Answered | events.OutOfStep)


def _glimpse(
    shown: int, message: RefereeMessage, viewer: str, rulebook: Rulebook
) -> Glimpse | None:
    board: Board | None = getattr(message, "board", None)
    players: tuple[Player, ...] | None = getattr(message, "players", None)
    if players is not None:
        seen = tuple((each.name, each.cash, each.shares, each.hand) for each in players)
        return Glimpse(shown, board, None, None, seen)
    view: PlayerView | None = getattr(message, "view", None)
    if view is None:
        return None
    open_hands = rulebook.hands is Hands.OPEN
    viewed = tuple(
        (
            name,
            cash,
            shares if cash is not None else None,
            hand if open_hands or name == viewer else None,
        )
        for name, cash, shares, hand, _ in view.players
    )
    return Glimpse(shown, view.board, view.bank, view.aside, viewed)
