"""Bytes to messages: parse, then validate by the schema, then convert.

Each step has its own fault: what cannot be parsed is malformed, what the schema refuses is
invalid. The schema is the whole check of an element's form; the conversion trusts it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from lxml import etree

import schemas
from game.board import Board, lay_out
from game.placement import Placement
from game.rulebook import Rulebook
from game.state import Player
from game.tiles import ROWS, STRIDE, Mask, Tile
from protocol import messages
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.messages import AdministratorMessage, PlayerMessage
from protocol.player_view import PlayerView, SeatView
from protocol.schema_errors import explain

M = TypeVar("M")

MAX_DEPTH = 16
"""The deepest nesting of elements that is read at all; the schemas need 5."""


def parser() -> etree.XMLParser:
    """Make the parser for what a peer sends: no DTD, no entities, no network, UTF-8 only.

    Documents with a DOCTYPE never come here: framing refuses them.
    """
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )


class Reader(Generic[M]):
    """Reads the documents of one side of the conversation."""

    def __init__(
        self,
        schema: etree.XMLSchema,
        conversions: Mapping[str, Callable[[etree._Element], M]],
        forms: Mapping[str, str] | None = None,
    ) -> None:
        self._schema = schema
        self._conversions = conversions
        self._forms = forms or {}
        self.parser = parser()

    def parse(self, document: bytes) -> etree._Element:
        """Parse one document; ``etree.XMLSyntaxError`` when it is not one well-formed element."""
        return etree.fromstring(document, self.parser)

    def convert(self, root: etree._Element, document: bytes) -> M | Fault:
        """Validate a parsed document and make the message of it, or say what the schema refuses."""
        if self._schema.validate(root):
            try:
                return self._conversions[str(root.tag)](root)
            except ValueError as broken:  # thousands of digits, which the schema lets pass
                return Fault(Reason.INVALID, one_line(str(broken)), document)
        if depth_of(root) > MAX_DEPTH:
            return nesting_fault(document)
        error = self._schema.error_log[0].message
        return Fault(Reason.INVALID, explain(root, error, self._conversions, self._forms), document)


def one_line(message: str) -> str:
    """Fold a validator's message into one line that ends with a full stop."""
    return " ".join(message.split()).rstrip(".") + "."


def depth_of(root: etree._Element) -> int:
    """Return how deep a document is nested; a root alone is 1."""
    depth = 0
    level = [root]
    while level:
        depth += 1
        level = [child for element in level for child in element]
    return depth


def nesting_fault(document: bytes) -> Fault:
    """Return the fault of a document that is nested too deep."""
    return Fault(Reason.MALFORMED, f"Elements are nested deeper than {MAX_DEPTH}.", document)


def _tile(element: etree._Element) -> Tile:
    row = ROWS.index(element.attrib["row"].strip())
    return row * STRIDE + int(element.attrib["column"]) - 1


def _mask(elements: "list[etree._Element] | etree._Element") -> Mask:
    mask = 0
    for element in elements:
        if element.tag == "tile":
            mask |= 1 << _tile(element)
    return mask


def _void(_: etree._Element) -> messages.Void:
    return messages.Void()


def _sign_up(element: etree._Element) -> messages.SignUp:
    rulebook = element.get("rulebook")
    return messages.SignUp(element.attrib["name"], rulebook and rulebook.strip())


class _Hotels:
    """The hotels of a rulebook by the names that elements give them."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._index = {hotel.name: index for index, hotel in enumerate(rulebook.hotels)}

    def named(self, element: etree._Element, attribute: str) -> int:
        """Return the hotel that an attribute names."""
        return self._index[element.attrib[attribute].strip()]

    def labelled(self, elements: Iterable[etree._Element]) -> tuple[int, ...]:
        """Return the hotels of ``<hotel label="..."/>`` elements."""
        index = self._index
        return tuple([index[hotel.attrib["label"].strip()] for hotel in elements])

    def shares(self, element: etree._Element) -> tuple[int, ...]:
        """Return the certificates of the ``<share>`` elements in another."""
        counts = [0] * len(self._index)
        for child in element:
            if child.tag == "share":
                counts[self.named(child, "name")] = int(child.attrib["count"])
        return tuple(counts)

    def board(self, element: etree._Element) -> Board:
        """Return what a ``<board>`` element shows."""
        masks = [0] * len(self._index)
        for child in element:
            if child.tag == "hotel":
                masks[self.named(child, "name")] = _mask(child)
        return lay_out(self._rulebook, _mask(element), tuple(masks))

    def players(self, element: etree._Element) -> tuple[Player, ...]:
        """Return the players in an element, with all that they have."""
        return tuple([self._player(child) for child in element if child.tag == "player"])

    def _player(self, element: etree._Element) -> Player:
        cash = int(element.attrib["cash"])
        return Player(element.attrib["name"], cash, self.shares(element), _mask(element))


def read_players_side(rulebook: Rulebook) -> Reader[PlayerMessage]:
    """Make the reader for what players say, under the schema of their side."""
    hotels, dialect = _Hotels(rulebook), Dialect.of(rulebook)

    def placement(element: etree._Element) -> Placement:
        tile = _tile(element[0])
        if len(element) == 1:
            return Placement(tile)
        hotel, *equals = hotels.labelled(element[1:])
        return Placement(tile, hotel, tuple(equals))

    def ordered(element: etree._Element) -> tuple[tuple[int, ...], bool]:
        if len(element) and element[-1].tag == "end":
            return hotels.labelled(element[:-1]), True
        return hotels.labelled(element), False

    def pbuy(element: etree._Element) -> messages.Pbuy:
        placed = placement(element[0]) if len(element) > 1 else None
        return messages.Pbuy(placed, *ordered(element[-1]))

    def disposal(element: etree._Element) -> messages.DisposeAnswer:
        return messages.DisposeAnswer(int(element.attrib["sell"]), int(element.attrib["trade"]))

    conversions: dict[str, Callable[[etree._Element], PlayerMessage]] = {
        "signup": _sign_up,
        "void": _void,
        "placement": lambda element: messages.Merge(placement(element)),
        "pbuy": pbuy,
        "order": lambda element: messages.Order(*ordered(element)),
        "keep": lambda element: messages.KeepAnswer(tuple(kept.tag == "true" for kept in element)),
    }
    if dialect is Dialect.FULL:
        conversions["dispose"] = disposal
    return Reader(
        schemas.load(dialect.schema("player", rulebook)), conversions, dialect.forms(rulebook)
    )


def _ejected(element: etree._Element) -> messages.Ejected:
    return messages.Ejected(element.attrib["reason"].strip(), element.text or "")


def read_greeting() -> Reader[AdministratorMessage]:
    """Make the reader for the answer to a sign-up, before it is known which rulebook is played."""
    return Reader(schemas.load("greeting"), {"signup": _sign_up, "ejected": _ejected})


def read_administrators_side(rulebook: Rulebook) -> Reader[AdministratorMessage]:
    """Make the reader for what the administrator says, under the schema of its side."""
    hotels, dialect = _Hotels(rulebook), Dialect.of(rulebook)

    conversions: dict[str, Callable[[etree._Element], AdministratorMessage]] = {
        "signup": _sign_up,
        "keep": lambda element: messages.Keep(hotels.labelled(element)),
        "tile": lambda element: messages.NewTile(_tile(element)),
        "ejected": _ejected,
    }
    if dialect is Dialect.FULL:
        conversions |= _in_sight(hotels)
    else:
        conversions |= _in_the_open(hotels)
    return Reader(schemas.load(dialect.schema("administrator", rulebook)), conversions)


def read_position(
    rulebook: Rulebook,
) -> Callable[[etree._Element], tuple[Board, tuple[Player, ...]]]:
    """Make the reader of a position with all that lies open, in an element that is valid."""
    hotels = _Hotels(rulebook)

    def position(element: etree._Element) -> tuple[Board, tuple[Player, ...]]:
        (board,) = element.iterchildren("board")
        return hotels.board(board), hotels.players(element)

    return position


def _results(element: etree._Element) -> tuple[tuple[str, int], ...]:
    return tuple(
        (child.attrib["name"], int(child.attrib["score"]))
        for child in element.iterchildren("result")
    )


_Conversions = dict[str, Callable[[etree._Element], AdministratorMessage]]


def _in_the_open(hotels: _Hotels) -> _Conversions:
    """Return the conversions of positions in which everybody sees everything."""
    board, players = hotels.board, hotels.players
    return {
        "state": lambda element: messages.State(board(element[0]), players(element)),
        "turn": lambda element: messages.Turn(board(element[0]), players(element)),
        "players": lambda element: messages.Players(players(element)),
        "score": lambda element: messages.Score(
            _results(element), board(element[-1][0]), players(element[-1])
        ),
    }


def _in_sight(hotels: _Hotels) -> _Conversions:
    """Return the conversions of positions as one player sees them."""

    def seen(element: etree._Element) -> SeatView:
        cash = element.get("cash")
        return SeatView(
            element.attrib["name"],
            None if cash is None else int(cash),
            hotels.shares(element),
            _mask(element),
            int(element.attrib["tiles"]),
        )

    def view(elements: Iterable[etree._Element]) -> PlayerView:
        laid, bank, aside, *players = elements
        board, left = hotels.board(laid), hotels.shares(bank)
        return PlayerView(board, left, _mask(aside), tuple(map(seen, players)))

    def dispose(element: etree._Element) -> messages.Dispose:
        hotel, survivor = hotels.named(element, "hotel"), hotels.named(element, "survivor")
        return messages.Dispose(hotel, int(element.attrib["price"]), survivor, view(element))

    def holders(element: etree._Element) -> messages.Holders:
        counts = [(child.attrib["name"], int(child.attrib["count"])) for child in element]
        return messages.Holders(hotels.named(element, "hotel"), tuple(counts))

    def market(element: etree._Element) -> messages.MarketTile:
        tile = _tile(element[0]) if len(element) else None
        return messages.MarketTile(
            hotels.named(element, "hotel"), tile, int(element.attrib["count"])
        )

    return {
        "state": lambda element: messages.StateView(view(element)),
        "turn": lambda element: messages.TurnView(view(element)),
        "players": lambda element: messages.PlayersView(view(element)),
        "score": lambda element: messages.ScoreView(_results(element), view(element[-1])),
        "dispose": dispose,
        "holders": holders,
        "merger": lambda element: messages.MarketMerger(_tile(element[0]), view(element[1:])),
        "market": market,
    }
