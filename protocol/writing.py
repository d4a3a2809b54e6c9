"""Messages to bytes: compact UTF-8, children and attributes in the protocol's order.

A position is assembled from fragments, one per hotel and one per player, which are rendered once
and cached: from one turn to the next most of them stay the same.

What the referee writes can be validated before it is sent, for tests and for finding bugs: that
makes each message several times as expensive. An invalid one is a bug of this program.
"""

import os
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape
from typing import assert_never

from lxml import etree

from ..game.board import Board
from ..game.placement import Placement
from ..game.rulebook import Rulebook
from ..game.state import Player
from ..game.tiles import TILES, Mask, column_of, row_of, tiles_in
from . import messages
from .dialect import Dialect
from .faults import ProtocolError
from .messages import Message
from .player_view import PlayerView, SeatView

TILE_XML = {tile: f'<tile column="{column_of(tile)}" row="{row_of(tile)}"/>' for tile in TILES}
CACHE_SIZE = 8192
"""How many rendered fragments of each kind are cached: enough for some dozens of games."""
VARIABLE = "ACQUIRE_VALIDATE_OUTPUT"
"""If this environment variable is ``1``, all that any referee writes is validated."""
VALID_AT_ONCE = 4096


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_ATTRIBUTES = str.maketrans({'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def escape_text(value: str) -> str:
    """Write text between tags; what no XML can contain, such as a zero byte, is replaced.

    `xml.sax.saxutils` would import the web client for this.
    """
    return escape(_NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", value), quote=False)


def attribute(value: str) -> str:
    """Write an attribute's value in double quotes, so that a parser returns the same text.

    >>> attribute('Tom & "Jo"')
    '"Tom &amp; &quot;Jo&quot;"'
    """
    return f'"{escape_text(value).translate(_IN_ATTRIBUTES)}"'


@lru_cache(CACHE_SIZE)
def tiles_xml(mask: Mask) -> str:
    """Write the tiles of a mask row by row."""
    return "".join([TILE_XML[tile] for tile in tiles_in(mask)])


class Writer:
    """Writes messages for one rulebook, whose hotels it names.

    >>> from acquire import REVISED, parse_tile
    >>> tower = REVISED.hotel_index("Tower")
    >>> Writer(REVISED).write(messages.Merge(Placement(parse_tile("9F"), tower)))
    b'<placement><tile column="9" row="F"/><hotel label="Tower"/></placement>'
    """

    def __init__(self, rulebook: Rulebook) -> None:
        names = [hotel.name for hotel in rulebook.hotels]
        self._names = [attribute(name) for name in names]
        self._labels = [f"<hotel label={attribute(name)}/>" for name in names]
        self._numbers = range(len(names))
        openings = [f"<hotel name={attribute(name)}>" for name in names]
        shares = [f"<share name={attribute(name)} count=" for name in names]

        @lru_cache(CACHE_SIZE)
        def hotel_xml(hotel: int, mask: Mask) -> str:
            return f"{openings[hotel]}{tiles_xml(mask)}</hotel>" if mask else ""

        @lru_cache(CACHE_SIZE)
        def shares_xml(held: tuple[int, ...]) -> str:
            return "".join([f'{share}"{n}"/>' for share, n in zip(shares, held, strict=True) if n])

        @lru_cache(CACHE_SIZE)
        def player_xml(name: str, cash: int, held: tuple[int, ...], hand: Mask) -> str:
            inner = shares_xml(held) + tiles_xml(hand)
            return _element(f'player name={attribute(name)} cash="{cash}"', inner)

        @lru_cache(CACHE_SIZE)
        def seen_xml(seen: SeatView) -> str:
            cash = "" if seen.cash is None else f' cash="{seen.cash}"'
            hidden = ' certificates="hidden"' if seen.shares is None else ""
            held = "" if seen.shares is None else shares_xml(seen.shares)
            inner = held + tiles_xml(seen.hand)
            start = f'player name={attribute(seen.name)}{cash}{hidden} tiles="{seen.tiles}"'
            return _element(start, inner)

        self._hotel_xml, self._player_xml = hotel_xml, player_xml
        self._seen_xml, self._shares_xml = seen_xml, shares_xml

    def write(self, message: Message) -> bytes:
        """Write a message as one element in compact UTF-8."""
        return self.text(message).encode()

    def text(self, message: Message) -> str:
        """Write a message as text, as in a log."""
        match message:
            case messages.Void():
                return "<void/>"
            case messages.State(board, players):
                return f"<state>{self.position(board, players)}</state>"
            case messages.Turn(board, players):
                return f"<turn>{self.position(board, players)}</turn>"
            case messages.NewTile(tile):
                return TILE_XML[tile]
            case messages.Pbuy(placed, order, end):
                placement_xml = "" if placed is None else self._placement(placed)
                return f"<pbuy>{placement_xml}{self._order(order, end)}</pbuy>"
            case messages.Merge(placement):
                return self._placement(placement)
            case messages.Order(hotels, end):
                return self._order(hotels, end)
            case messages.Keep(hotels):
                return f"<keep>{self._hotels(hotels)}</keep>"
            case messages.KeepAnswer(decisions):
                return (
                    f"<keep>{''.join(['<false/>', '<true/>'][kept] for kept in decisions)}</keep>"
                )
            case messages.Players(players):
                return f"<players>{self._players(players)}</players>"
            case messages.SignUp(name, None):
                return f"<signup name={attribute(name)}/>"
            case messages.SignUp(name, rulebook, definition):
                settings = definition and f"<rulebook>{escape_text(definition)}</rulebook>"
                return _element(f'signup name={attribute(name)} rulebook="{rulebook}"', settings)
            case messages.Score(results, board, players):
                position = self.position(board, players)
                return f"<score>{_results(results)}<state>{position}</state></score>"
            case messages.Ejected(reason, sentence):
                return f'<ejected reason="{reason}">{escape_text(sentence)}</ejected>'
            case messages.StateView(view):
                return f"<state>{self._view(view)}</state>"
            case messages.Replace(view):
                return f"<replace>{self._view(view)}</replace>"
            case messages.ReplaceAnswer(replaces):
                return f"<replace>{'<true/>' if replaces else '<false/>'}</replace>"
            case messages.TurnView(view):
                return f"<turn>{self._view(view)}</turn>"
            case messages.PlayersView(view):
                return f"<players>{self._view(view)}</players>"
            case messages.ScoreView(results, view):
                return f"<score>{_results(results)}<state>{self._view(view)}</state></score>"
            case messages.Dispose(hotel, price, survivor, view):
                asked = f'hotel={self._names[hotel]} price="{price}"'
                survivor_xml = f"survivor={self._names[survivor]}"
                return f"<dispose {asked} {survivor_xml}>{self._view(view)}</dispose>"
            case messages.DisposeAnswer(sell, trade):
                return f'<dispose sell="{sell}" trade="{trade}"/>'
            case messages.Holders(hotel, counts):
                inner = "".join(
                    [f'<holder name={attribute(name)} count="{n}"/>' for name, n in counts]
                )
                return _element(f"holders hotel={self._names[hotel]}", inner)
            case messages.MarketTile(hotel, drawn, count):
                inner = "" if drawn is None else TILE_XML[drawn]
                return _element(f'market hotel={self._names[hotel]} count="{count}"', inner)
            case messages.MarketMerger(tile, view):
                return f"<merger>{TILE_XML[tile]}{self._view(view)}</merger>"
            case _:
                assert_never(message)

    def _board(self, board: Board) -> str:
        hotels = "".join(map(self._hotel_xml, self._numbers, board.hotels))
        return _element("board", tiles_xml(board.loose) + hotels)

    def position(self, board: Board, players: tuple[Player, ...]) -> str:
        """Write a position with everything open, as under ``revised``, without a root element."""
        return self._board(board) + self._players(players)

    def _view(self, view: PlayerView) -> str:
        board, bank, aside, players = view
        return "".join(
            [
                self._board(board),
                _element("bank", self._shares_xml(bank)),
                _element("aside", tiles_xml(aside)),
                *map(self._seen_xml, players),
            ]
        )

    def _players(self, players: tuple[Player, ...]) -> str:
        write = self._player_xml
        return "".join([write(each.name, each.cash, each.shares, each.hand) for each in players])

    def _placement(self, placement: Placement) -> str:
        label = "" if placement.hotel is None else self._labels[placement.hotel]
        equals = self._hotels(placement.equals)
        return f"<placement>{TILE_XML[placement.tile]}{label}{equals}</placement>"

    def _order(self, hotels: Iterable[int], end: bool) -> str:
        return _element("order", self._hotels(hotels) + ("<end/>" if end else ""))

    def _hotels(self, hotels: Iterable[int]) -> str:
        return "".join([self._labels[hotel] for hotel in hotels])


def _element(start: str, inner: str | None) -> str:
    if not inner:
        return f"<{start}/>"
    return f"<{start}>{inner}</{start.partition(' ')[0]}>"


def _results(results: tuple[tuple[str, int], ...]) -> str:
    return "".join([f'<result name={attribute(name)} score="{score}"/>' for name, score in results])


class InvalidOutput(ProtocolError):
    """The referee was about to send a message that its own schema rejects."""


class RefereeWriter(Writer):
    """Writes what the referee sends; ``write`` may raise ``InvalidOutput``.

    It validates if ``validate`` is true, or the environment variable says so.

    >>> from acquire import REVISED
    >>> RefereeWriter(REVISED, validate=True).write(messages.Ejected("bored", "Bye."))
    Traceback (most recent call last):
    acquire.protocol.writing.InvalidOutput: <ejected reason="bored">Bye.</ejected>: ...
    """

    def __init__(self, rulebook: Rulebook, *, validate: bool = False) -> None:
        super().__init__(rulebook)
        self._validate: Callable[[bytes], None] | None = None
        if validate or os.environ.get(VARIABLE) == "1":
            schema = Dialect.of(rulebook).schema("administrator", rulebook)

            def check(document: bytes) -> None:
                if not schema.validate(etree.fromstring(document)):
                    error = schema.error_log[0].message
                    raise InvalidOutput(f"{document.decode()}: {error}")

            self._validate = lru_cache(VALID_AT_ONCE)(check)

    def write(self, message: Message) -> bytes:
        """Write a message as one element in compact UTF-8."""
        document = super().write(message)
        if self._validate is not None:
            self._validate(document)
        return document
