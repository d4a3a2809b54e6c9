"""What differs between the message that was due and the one that was sent, in words."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ....game.rulebook import Rulebook
from ....game.tiles import Mask, tile_name, tile_names
from ....protocol import messages
from ....protocol.messages import TAGS, RefereeMessage
from ....protocol.player_view import SeatView
from ...refereeing.view.plain_text import dollars
from .sent_messages import parts

_WORDS = {
    "shares": "{who} has {sent} {hotel} certificates, expected {expected}",
    "bank": "the bank has {sent} {hotel} certificates, expected {expected}",
    "hand": "{who}'s hand is {sent}, expected {expected}",
    "score": "{who}'s score is {sent}, expected {expected}",
    "cash": "{who}'s cash is {sent}, expected {expected}",
    "holds": "{hotel} is {sent}, expected {expected}",
}


class SentDifference(NamedTuple):
    """One value that differs: ``field`` of a player, a hotel, or the message itself."""

    field: str
    who: str
    hotel: int | None
    expected: int | str | None
    sent: int | str | None

    @property
    def delta(self) -> int:
        """How much more was sent than expected, of a number."""
        if isinstance(self.sent, int) and isinstance(self.expected, int):
            return self.sent - self.expected
        return 0

    @property
    def key(self) -> tuple[str, str, int | None, int]:
        """What is the same where the same mistake shows again."""
        return self.field, self.who, self.hotel, self.delta

    def words(self, rulebook: Rulebook) -> str:
        """Return the difference as a clause that can be continued after a colon."""
        who, sent, expected = self.who, self.sent, self.expected
        if self.field == "cash" and isinstance(sent, int) and isinstance(expected, int):
            more = f"{dollars(abs(self.delta))} too {'much' if self.delta > 0 else 'little'}"
            return f"{who} has {dollars(sent)}, expected {dollars(expected)} ({more})"
        hotel = "" if self.hotel is None else rulebook.hotel_name(self.hotel)
        words = _WORDS.get(self.field, f"{self.field} {{sent}}, expected {{expected}}")
        return words.format(who=who, hotel=hotel, sent=sent, expected=expected)


def differences(
    expected: RefereeMessage, sent: RefereeMessage, rulebook: Rulebook
) -> list[SentDifference]:
    """Return what differs between two messages of the same kind, the most telling first."""
    return [*_own(expected, sent, rulebook), *_of_positions(expected, sent)]


def _of_positions(expected: RefereeMessage, sent: RefereeMessage) -> Iterator[SentDifference]:
    (board, bank, aside, seats), (board2, bank2, aside2, seats2) = parts(expected), parts(sent)
    if board is not None and board2 is not None:
        for hotel, (tiles, tiles2) in enumerate(zip(board.hotels, board2.hotels, strict=True)):
            if tiles != tiles2:
                yield SentDifference("holds", "", hotel, _tiles(tiles), _tiles(tiles2))
        if board.loose != board2.loose:
            loose = _tiles(board.loose), _tiles(board2.loose)
            yield SentDifference("the unincorporated tiles are", "", None, *loose)
    yield from _of_seats(seats, seats2)
    if bank is not None and bank2 is not None:
        yield from _of_counts("bank", "", bank, bank2)
    if aside is not None and aside2 is not None and aside != aside2:
        yield from _differ("the tiles set aside are", _tiles(aside), _tiles(aside2))


def _differ(
    field: str, due: Any, came: Any, who: str = "", hotel: int | None = None
) -> Iterator[SentDifference]:
    if due != came:
        yield SentDifference(field, who, hotel, due, came)


def _of_counts(
    field: str, who: str, due: Sequence[int], came: Sequence[int]
) -> Iterator[SentDifference]:
    if due != came:
        for hotel, counts in enumerate(zip(due, came, strict=True)):
            yield from _differ(field, *counts, who, hotel)


def _of_seats(seats: Sequence[SeatView], sent: Sequence[SeatView]) -> Iterator[SentDifference]:
    names, names2 = [seat.name for seat in seats], [seat.name for seat in sent]
    if names != names2:
        same = {*names} == {*names2}
        field = "the order of the players is" if same else "the players are"
        yield SentDifference(field, "", None, ", ".join(names), ", ".join(names2))
    found = {seat.name: seat for seat in sent}
    for seat in seats:
        other = found.get(seat.name)
        if other is None:
            continue
        yield from _differ("cash", seat.cash, other.cash, seat.name)
        if seat.shares is not None and other.shares is not None:
            yield from _of_counts("shares", seat.name, seat.shares, other.shares)
        elif seat.shares is not other.shares:
            yield SentDifference(f"the certificates of {seat.name} are hidden:", "", None, "", "")
        if seat.hand != other.hand:
            yield SentDifference("hand", seat.name, None, _tiles(seat.hand), _tiles(other.hand))
        else:
            yield from _differ(f"the number of {seat.name}'s tiles is", seat.tiles, other.tiles)


Named = Callable[[Sequence[int]], str]
"""Writes the names of hotels."""
_OWN: dict[type, dict[str, Callable[[Any, Named], Any]]] = {
    messages.NewTile: {"the tile drawn is": lambda sent, _: tile_name(sent.tile)},
    messages.Keep: {"<keep> asks about": lambda sent, named: named(sent.hotels)},
    messages.Dispose: {
        "the price in <dispose> is": lambda sent, _: str(sent.price),
        "the hotel in <dispose> is": lambda sent, named: named([sent.hotel]),
        "the survivor in <dispose> is": lambda sent, named: named([sent.survivor]),
    },
    messages.Holders: {
        f"<{TAGS[messages.Holders]}> is about": lambda sent, named: named([sent.hotel]),
        f"<{TAGS[messages.Holders]}> lists": lambda sent, _: str(dict(sent.counts)),
    },
    messages.MarketTile: {
        f"<{TAGS[messages.MarketTile]}> is about": lambda sent, named: named([sent.hotel]),
        "the market holds": lambda sent, _: str(sent.count),
    },
    messages.MarketMerger: {"the market's tile is": lambda sent, _: tile_name(sent.tile)},
}
"""The parts of a message other than a position and results."""


def _own(
    expected: RefereeMessage, sent: RefereeMessage, rulebook: Rulebook
) -> Iterator[SentDifference]:

    def named(hotels: Sequence[int]) -> str:
        return ", ".join(map(rulebook.hotel_name, hotels)) or "none"

    for field, value in _OWN.get(type(sent), {}).items():
        yield from _differ(field, value(expected, named), value(sent, named))
    if isinstance(expected, messages.Score | messages.ScoreView):
        assert isinstance(sent, messages.Score | messages.ScoreView), "it is of the same kind"
        scores, scores2 = dict(expected.results), dict(sent.results)
        for name in [each for each in scores if each in scores2]:
            yield from _differ("score", scores[name], scores2[name], name)
        field = "the results are for"
        if scores == scores2:
            field = "the order of the results is"
        if scores == scores2 or scores.keys() != scores2.keys():
            yield from _differ(field, ", ".join(scores), ", ".join(scores2))


def _tiles(mask: Mask) -> str:
    return tile_names(mask) or "empty"
