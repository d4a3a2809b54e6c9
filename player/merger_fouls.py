"""The answers that break a rule while a merger is settled: *keep* and disposal."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from game.disposal import TRADED_FOR_ONE
from game.rulebook import (
    DisposalRule,
)
from game.violation import Violation
from player.fouls import MOST_ACQUIRED, Foul, Moment
from protocol import messages
from protocol.messages import PlayerMessage

_V = Violation

MOST_CERTIFICATES = 25


def _deciding(by: int) -> Callable[[Moment], Iterator[PlayerMessage]]:
    """Decide on more hotels than were acquired, or less, where the schema takes it."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        assert isinstance(moment.answer, messages.KeepAnswer)
        count = len(moment.answer.decisions) + by
        if 1 <= count <= MOST_ACQUIRED:
            yield messages.KeepAnswer((True,) * count)

    return answers


KEEPS: tuple[Foul, ...] = (
    Foul(
        "one-too-many",
        _V.KEEP_COUNT,
        _deciding(1),
        "decides on one hotel more than was acquired",
        lambda rulebook: rulebook.disposal is DisposalRule.KEEP_OR_RETURN,
    ),
    Foul(
        "one-too-few",
        _V.KEEP_COUNT,
        _deciding(-1),
        "decides on one hotel less than was acquired",
        lambda rulebook: rulebook.disposal is DisposalRule.KEEP_OR_RETURN,
    ),
)

Find: TypeAlias = Callable[[int, int], Iterator[tuple[int, int]]]
"""From the certificates owned, and those of the survivor in the bank, to (sell, trade)."""


def _disposing(find: Find) -> Callable[[Moment], Iterator[PlayerMessage]]:
    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        question = moment.question
        assert isinstance(question, messages.Dispose)
        held = {player.name: player.shares for player in question.view.players}
        owned, left = held[moment.name][question.hotel], question.view.bank[question.survivor]
        for sell, trade in find(owned, left):
            if max(sell, trade) <= MOST_CERTIFICATES:
                yield messages.DisposeAnswer(sell, trade)

    return answers


def _odd_trade(owned: int, left: int) -> Iterator[tuple[int, int]]:
    if left:
        yield 0, 1


def _sells_too_many(owned: int, left: int) -> Iterator[tuple[int, int]]:
    yield owned + 1, 0


def _trades_too_many(owned: int, left: int) -> Iterator[tuple[int, int]]:
    trade = (owned // TRADED_FOR_ONE + 1) * TRADED_FOR_ONE
    if trade <= TRADED_FOR_ONE * left:
        yield 0, trade


def _trades_and_sells_too_many(owned: int, left: int) -> Iterator[tuple[int, int]]:
    if owned >= TRADED_FOR_ONE and left:
        yield owned - 1, TRADED_FOR_ONE


def _trades_sold_out(owned: int, left: int) -> Iterator[tuple[int, int]]:
    if owned >= TRADED_FOR_ONE * (left + 1):
        yield 0, TRADED_FOR_ONE * (left + 1)


DISPOSALS: tuple[Foul, ...] = (
    Foul("odd-trade", _V.ODD_TRADE, _disposing(_odd_trade), "trades an odd number"),
    Foul("sells-too-many", _V.NOT_OWNED, _disposing(_sells_too_many), "sells more than it has"),
    Foul("trades-too-many", _V.NOT_OWNED, _disposing(_trades_too_many), "trades more than it has"),
    Foul(
        "sells-what-it-trades",
        _V.NOT_OWNED,
        _disposing(_trades_and_sells_too_many),
        "sells and trades more than it has",
    ),
    Foul(
        "trade-sold-out",
        _V.TRADE_TOO_LARGE,
        _disposing(_trades_sold_out),
        "trades for more than the bank has",
    ),
)
