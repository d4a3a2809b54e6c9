"""What differs between the message that was due and the one that was sent, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....game.board import Board
from ....game.rulebook import Rulebook
from ....game.tiles import Mask, tile_name, tile_names
from ....protocol import messages
from ....protocol.messages import TAGS, RefereeMessage
from ....protocol.player_view import SeatView
from ...refereeing.view.plain_text import dollars
from .table_seen import parts

Value = int | str | None


class SentDifference(NamedTuple):
    """One value that differs: ``field`` of a player, a hotel, or the message itself."""

    field: str
    who: str
    hotel: int | None
    expected: Value
    sent: Value

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
        name = "" if self.hotel is None else rulebook.hotel_name(self.hotel)
        match self.field:
            case "cash":
                more = f"{dollars(abs(self.delta))} too {'much' if self.delta > 0 else 'little'}"
                if not isinstance(self.sent, int) or not isinstance(self.expected, int):
                    return f"{self.who}'s cash is {self.sent}, expected {self.expected}"
                sent, due = dollars(self.sent), dollars(self.expected)
                return f"{self.who} has {sent}, expected {due} ({more})"
            case "shares":
                return f"{self.who} has {self.sent} {name} certificates, expected {self.expected}"
            case "bank":
                return f"the bank has {self.sent} {name} certificates, expected {self.expected}"
            case "hand":
                return f"{self.who}'s hand is {self.sent}, expected {self.expected}"
            case "score":
                return f"{self.who}'s score is {self.sent}, expected {self.expected}"
            case "holds":
                return f"{name} is {self.sent}, expected {self.expected}"
        return f"{self.field} {self.sent}, expected {self.expected}"


def differences(
    expected: RefereeMessage, sent: RefereeMessage, rulebook: Rulebook
) -> list[SentDifference]:
    """Return what differs between two messages of the same kind, the most telling first."""
    return [*_own(expected, sent, rulebook), *_of_positions(expected, sent)]


def _of_positions(expected: RefereeMessage, sent: RefereeMessage) -> Iterator[SentDifference]:
    (board, bank, aside, seats), (board2, bank2, aside2, seats2) = parts(expected), parts(sent)
    if board is not None and board2 is not None:
        yield from _of_boards(board, board2)
    yield from _of_seats(seats, seats2)
    if bank is not None and bank2 is not None:
        for hotel, (left, left2) in enumerate(zip(bank, bank2, strict=True)):
            if left != left2:
                yield SentDifference("bank", "", hotel, left, left2)
    if aside is not None and aside2 is not None and aside != aside2:
        yield SentDifference("the tiles set aside are", "", None, _tiles(aside), _tiles(aside2))


def _of_boards(board: Board, sent: Board) -> Iterator[SentDifference]:
    for hotel, (tiles, tiles2) in enumerate(zip(board.hotels, sent.hotels, strict=True)):
        if tiles != tiles2:
            yield SentDifference("holds", "", hotel, _tiles(tiles), _tiles(tiles2))
    if board.loose != sent.loose:
        yield SentDifference(
            "the unincorporated tiles are", "", None, _tiles(board.loose), _tiles(sent.loose)
        )


def _of_seats(seats: Sequence[SeatView], sent: Sequence[SeatView]) -> Iterator[SentDifference]:
    names, names2 = [seat.name for seat in seats], [seat.name for seat in sent]
    if names != names2:
        field = "the order of the players is" if {*names} == {*names2} else "the players are"
        yield SentDifference(field, "", None, ", ".join(names), ", ".join(names2))
    found: Mapping[str, SeatView] = {seat.name: seat for seat in sent}
    for seat in seats:
        other = found.get(seat.name)
        if other is None:
            continue
        if seat.cash != other.cash:
            yield SentDifference("cash", seat.name, None, seat.cash, other.cash)
        if seat.shares is None or other.shares is None:
            if seat.shares is not other.shares:
                yield SentDifference(
                    f"the certificates of {seat.name} are hidden:", "", None, "", ""
                )
        else:
            for hotel, (held, held2) in enumerate(zip(seat.shares, other.shares, strict=True)):
                if held != held2:
                    yield SentDifference("shares", seat.name, hotel, held, held2)
        if seat.hand != other.hand:
            yield SentDifference("hand", seat.name, None, _tiles(seat.hand), _tiles(other.hand))
        elif seat.tiles != other.tiles:
            yield SentDifference(
                f"the number of {seat.name}'s tiles is", "", None, seat.tiles, other.tiles
            )


def _own(
    expected: RefereeMessage, sent: RefereeMessage, rulebook: Rulebook
) -> Iterator[SentDifference]:
    """Yield what differs in the parts of a message other than a position."""

    def differ(field: str, due: object, came: object) -> Iterator[SentDifference]:
        if due != came:
            yield SentDifference(field, "", None, str(due), str(came))

    def named(hotels: Sequence[int]) -> str:
        return ", ".join(map(rulebook.hotel_name, hotels)) or "none"

    tag = f"<{TAGS[type(sent)]}>"
    match expected, sent:
        case messages.NewTile(tile), messages.NewTile(tile2):
            yield from differ("the tile drawn is", tile_name(tile), tile_name(tile2))
        case messages.Keep(hotels), messages.Keep(hotels2):
            yield from differ(f"{tag} asks about", named(hotels), named(hotels2))
        case messages.Dispose(), messages.Dispose():
            yield from differ("the price in <dispose> is", expected.price, sent.price)
            for field in ("hotel", "survivor"):
                due, came = getattr(expected, field), getattr(sent, field)
                yield from differ(f"the {field} in <dispose> is", named([due]), named([came]))
        case messages.Holders(hotel, counts), messages.Holders(hotel2, counts2):
            yield from differ(f"{tag} is about", named([hotel]), named([hotel2]))
            yield from differ(f"{tag} lists", dict(counts), dict(counts2))
        case messages.MarketTile(hotel, _, count), messages.MarketTile(hotel2, _, count2):
            yield from differ(f"{tag} is about", named([hotel]), named([hotel2]))
            yield from differ("the market holds", count, count2)
        case messages.MarketMerger(tile), messages.MarketMerger(tile2):
            yield from differ("the market's tile is", tile_name(tile), tile_name(tile2))
        case messages.Score() | messages.ScoreView(), messages.Score() | messages.ScoreView():
            yield from _of_results(expected.results, sent.results)


def _of_results(
    due: Sequence[tuple[str, int]], came: Sequence[tuple[str, int]]
) -> Iterator[SentDifference]:
    scores, scores2 = dict(due), dict(came)
    for name in scores:
        if name in scores2 and scores[name] != scores2[name]:
            yield SentDifference("score", name, None, scores[name], scores2[name])
    if scores.keys() != scores2.keys():
        yield SentDifference("the results are for", "", None, ", ".join(scores), ", ".join(scores2))
    elif scores == scores2 and [*due] != [*came]:
        listed = [", ".join(name for name, _ in each) for each in (due, came)]
        yield SentDifference("the order of the results is", "", None, *listed)


def _tiles(mask: Mask) -> str:
    return tile_names(mask) or "empty"
