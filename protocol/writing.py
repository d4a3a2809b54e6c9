"""Messages to bytes: compact UTF-8, children and attributes in the protocol's order.

A position is put together from fragments, one a hotel and one a player, that are rendered once
and remembered: between two turns most of them are the same.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import assert_never
from xml.sax.saxutils import escape as escape_text

from game.board import Board
from game.placement import Placement
from game.rulebook import Rulebook
from game.state import Player
from game.tiles import TILES, Mask, column_of, row_of, tiles_in
from protocol import messages
from protocol.messages import Message

TILE_XML = {tile: f'<tile column="{column_of(tile)}" row="{row_of(tile)}"/>' for tile in TILES}
FRAGMENTS = 8192
"""How many rendered fragments of each kind are remembered: those of some dozens of matches."""


def attribute(value: str) -> str:
    """Write an attribute's value in double quotes, so that a parser gives back the same text."""
    return escape_text(value, {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}).join(
        '""'
    )


@lru_cache(FRAGMENTS)
def tiles_xml(mask: Mask) -> str:
    """Write the tiles of a mask row by row."""
    return "".join([TILE_XML[tile] for tile in tiles_in(mask)])


class Writer:
    """Writes messages for one rulebook, whose hotels it names."""

    def __init__(self, rulebook: Rulebook) -> None:
        names = [hotel.name for hotel in rulebook.hotels]
        self._labels = [f"<hotel label={attribute(name)}/>" for name in names]
        openings = [f"<hotel name={attribute(name)}>" for name in names]
        shares = [f"<share name={attribute(name)} count=" for name in names]

        def hotel_xml(hotel: int, mask: Mask) -> str:
            return f"{openings[hotel]}{tiles_xml(mask)}</hotel>" if mask else ""

        def player_xml(name: str, cash: int, held: tuple[int, ...], hand: Mask) -> str:
            counts = "".join(
                [f'{share}"{n}"/>' for share, n in zip(shares, held, strict=True) if n]
            )
            tiles = tiles_xml(hand)
            if not counts and not tiles:
                return f'<player name={attribute(name)} cash="{cash}"/>'
            return f'<player name={attribute(name)} cash="{cash}">{counts}{tiles}</player>'

        self._hotel_xml: Callable[[int, Mask], str] = lru_cache(FRAGMENTS)(hotel_xml)
        self._player_xml: Callable[[str, int, tuple[int, ...], Mask], str] = lru_cache(FRAGMENTS)(
            player_xml
        )

    def write(self, message: Message) -> bytes:
        """Write a message as one element in compact UTF-8."""
        return self.text(message).encode()

    def text(self, message: Message) -> str:
        """Write a message as text, as it stands in a log."""
        match message:
            case messages.Void():
                return "<void/>"
            case messages.State(board, players):
                return f"<state>{self._position(board, players)}</state>"
            case messages.Turn(board, players):
                return f"<turn>{self._position(board, players)}</turn>"
            case messages.NewTile(tile):
                return TILE_XML[tile]
            case messages.Pbuy(placement, order):
                return f"<pbuy>{self._placement(placement)}{self._order(order)}</pbuy>"
            case messages.Merge(placement):
                return self._placement(placement)
            case messages.Order(hotels):
                return self._order(hotels)
            case messages.Keep(hotels):
                return f"<keep>{self._hotels(hotels)}</keep>"
            case messages.Kept(decisions):
                return (
                    f"<keep>{''.join(['<false/>', '<true/>'][kept] for kept in decisions)}</keep>"
                )
            case messages.Players(players):
                return f"<players>{self._players(players)}</players>"
            case messages.SignUp(name):
                return f"<signup name={attribute(name)}/>"
            case messages.Score(results, board, players):
                lines = "".join(
                    f'<result name={attribute(name)} score="{score}"/>' for name, score in results
                )
                position = self._position(board, players)
                return f"<score>{lines}<state>{position}</state></score>"
            case messages.Ejected(reason, sentence):
                return f'<ejected reason="{reason}">{escape_text(sentence)}</ejected>'
            case _:
                assert_never(message)

    def _position(self, board: Board, players: tuple[Player, ...]) -> str:
        inner = tiles_xml(board.loose) + "".join(map(self._hotel_xml, range(7), board.hotels))
        board_xml = f"<board>{inner}</board>" if inner else "<board/>"
        return board_xml + self._players(players)

    def _players(self, players: tuple[Player, ...]) -> str:
        return "".join([self._player_xml(*player) for player in players])

    def _placement(self, placement: Placement) -> str:
        tile, hotel = placement
        label = "" if hotel is None else self._labels[hotel]
        return f"<placement>{TILE_XML[tile]}{label}</placement>"

    def _order(self, hotels: Iterable[int]) -> str:
        return f"<order>{labels}</order>" if (labels := self._hotels(hotels)) else "<order/>"

    def _hotels(self, hotels: Iterable[int]) -> str:
        return "".join([self._labels[hotel] for hotel in hotels])
