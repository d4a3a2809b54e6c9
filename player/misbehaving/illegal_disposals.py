"""Answers that break a rule while a merger is settled: *keep* and disposal."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ...game.disposal import TRADED_FOR_ONE
from ...game.rulebook import DisposalRule, Rulebook
from ...game.violation import Violation
from ...protocol import messages
from ...protocol.messages import PlayerMessage
from .illegal_move import MAX_ACQUIRED, Find, IllegalMove, Moment

_V = Violation

MAX_IN_MESSAGE = 25
"""The most certificates of a hotel that a disposal can name; the schema rejects more."""


def _keeps_or_returns(rulebook: Rulebook) -> bool:
    return rulebook.disposal is DisposalRule.KEEP_OR_RETURN


def _with_decisions(difference: int) -> Find:
    """Send a wrong number of decisions, where the schema accepts it."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        assert isinstance(moment.answer, messages.KeepAnswer)
        count = len(moment.answer.decisions) + difference
        if 1 <= count <= MAX_ACQUIRED:
            yield messages.KeepAnswer((True,) * count)

    return answers


ILLEGAL_KEEPS: tuple[IllegalMove, ...] = (
    IllegalMove(
        "one-too-many",
        _V.KEEP_COUNT,
        _with_decisions(1),
        "decides on one hotel more than was acquired",
        _keeps_or_returns,
    ),
    IllegalMove(
        "one-too-few",
        _V.KEEP_COUNT,
        _with_decisions(-1),
        "decides on one hotel less than was acquired",
        _keeps_or_returns,
    ),
)

FindDisposals: TypeAlias = Callable[[int, int], Iterator[tuple[int, int]]]
"""From the certificates owned, and those of the survivor in the bank, to (sell, trade)."""


def _disposing(find: FindDisposals) -> Find:
    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        question = moment.question
        assert isinstance(question, messages.Dispose)
        shares = {seat.name: seat.shares or () for seat in question.view.players}
        owned, left = shares[moment.name][question.hotel], question.view.bank[question.survivor]
        for sell, trade in find(owned, left):
            if max(sell, trade) <= MAX_IN_MESSAGE:
                yield messages.DisposeAnswer(sell, trade)

    return answers


def _odd_trades(owned: int, left: int) -> Iterator[tuple[int, int]]:
    if left:
        yield 0, 1


def _sales_of_too_many(owned: int, left: int) -> Iterator[tuple[int, int]]:
    yield owned + 1, 0


def _trades_of_too_many(owned: int, left: int) -> Iterator[tuple[int, int]]:
    trade = (owned // TRADED_FOR_ONE + 1) * TRADED_FOR_ONE
    if trade <= TRADED_FOR_ONE * left:
        yield 0, trade


def _sales_of_traded_ones(owned: int, left: int) -> Iterator[tuple[int, int]]:
    if owned >= TRADED_FOR_ONE and left:
        yield owned - 1, TRADED_FOR_ONE


def _trades_beyond_the_bank(owned: int, left: int) -> Iterator[tuple[int, int]]:
    if owned >= TRADED_FOR_ONE * (left + 1):
        yield 0, TRADED_FOR_ONE * (left + 1)


ILLEGAL_DISPOSALS: tuple[IllegalMove, ...] = (
    IllegalMove("odd-trade", _V.ODD_TRADE, _disposing(_odd_trades), "trades an odd number"),
    IllegalMove(
        "sells-too-many", _V.NOT_OWNED, _disposing(_sales_of_too_many), "sells more than it has"
    ),
    IllegalMove(
        "trades-too-many", _V.NOT_OWNED, _disposing(_trades_of_too_many), "trades more than it has"
    ),
    IllegalMove(
        "sells-what-it-trades",
        _V.NOT_OWNED,
        _disposing(_sales_of_traded_ones),
        "sells and trades more than it has",
    ),
    IllegalMove(
        "trade-sold-out",
        _V.TRADE_TOO_LARGE,
        _disposing(_trades_beyond_the_bank),
        "trades for more than the bank has",
    ),
)
