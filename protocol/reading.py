"""Bytes to messages: parse, then validate by the schema, then convert.

Each step has its own fault: what cannot be parsed is malformed, what the schema refuses is
invalid. The schema is the whole check of an element's form; the conversion trusts it.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from lxml import etree

import schemas
from game.board import Board, lay_out
from game.placement import Placement
from game.rulebook import Rulebook
from game.state import Player
from game.tiles import ROWS, STRIDE, Mask, Tile
from protocol import messages
from protocol.explaining import explain
from protocol.faults import Fault, Reason
from protocol.messages import AdministratorMessage, PlayerMessage

M = TypeVar("M")

DEEPEST = 16
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
        self, schema: etree.XMLSchema, conversions: dict[str, Callable[[etree._Element], M]]
    ) -> None:
        self._schema = schema
        self._conversions = conversions
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
        if deepest(root) > DEEPEST:
            return too_deep(document)
        error = self._schema.error_log[0].message
        return Fault(Reason.INVALID, explain(root, error, self._conversions), document)


def one_line(message: str) -> str:
    """Fold a validator's message into one line that ends with a full stop."""
    return " ".join(message.split()).rstrip(".") + "."


def deepest(root: etree._Element) -> int:
    """Return how deep a document is nested; a root alone is 1."""
    depth = 0
    level = [root]
    while level:
        depth += 1
        level = [child for element in level for child in element]
    return depth


def too_deep(document: bytes) -> Fault:
    """Return the fault of a document that is nested too deep."""
    return Fault(Reason.MALFORMED, f"Elements are nested deeper than {DEEPEST}.", document)


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
    return messages.SignUp(element.attrib["name"])


def _hotels(rulebook: Rulebook) -> dict[str, int]:
    return {hotel.name: index for index, hotel in enumerate(rulebook.hotels)}


def read_players_side(rulebook: Rulebook) -> Reader[PlayerMessage]:
    """Make the reader for what players say, under ``schemas/player.xsd``."""
    index = _hotels(rulebook)

    def hotels(element: etree._Element) -> tuple[int, ...]:
        return tuple([index[hotel.attrib["label"].strip()] for hotel in element])

    def placement(element: etree._Element) -> Placement:
        tile = _tile(element[0])
        if len(element) == 1:
            return Placement(tile)
        return Placement(tile, index[element[1].attrib["label"].strip()])

    return Reader(
        schemas.load("player"),
        {
            "signup": _sign_up,
            "void": _void,
            "placement": lambda element: messages.Merge(placement(element)),
            "pbuy": lambda element: messages.Pbuy(placement(element[0]), hotels(element[1])),
            "order": lambda element: messages.Order(hotels(element)),
            "keep": lambda element: messages.Kept(tuple(kept.tag == "true" for kept in element)),
        },
    )


def read_administrators_side(rulebook: Rulebook) -> Reader[AdministratorMessage]:
    """Make the reader for what the administrator says, under ``schemas/administrator.xsd``."""
    index = _hotels(rulebook)

    def player(element: etree._Element) -> Player:
        shares = [0] * len(index)
        for child in element:
            if child.tag == "share":
                shares[index[child.attrib["name"].strip()]] = int(child.attrib["count"])
        cash = int(element.attrib["cash"])
        return Player(element.attrib["name"], cash, tuple(shares), _mask(element))

    def players(element: etree._Element) -> tuple[Player, ...]:
        return tuple(player(child) for child in element if child.tag == "player")

    def board(element: etree._Element) -> Board:
        hotels = [0] * len(index)
        for child in element:
            if child.tag == "hotel":
                hotels[index[child.attrib["name"].strip()]] = _mask(child)
        return lay_out(rulebook, _mask(element), tuple(hotels))

    def score(element: etree._Element) -> messages.Score:
        *results, state = element
        return messages.Score(
            tuple((child.attrib["name"], int(child.attrib["score"])) for child in results),
            board(state[0]),
            players(state),
        )

    return Reader(
        schemas.load("administrator"),
        {
            "signup": _sign_up,
            "state": lambda element: messages.State(board(element[0]), players(element)),
            "turn": lambda element: messages.Turn(board(element[0]), players(element)),
            "players": lambda element: messages.Players(players(element)),
            "keep": lambda element: messages.Keep(
                tuple(index[hotel.attrib["label"].strip()] for hotel in element)
            ),
            "tile": lambda element: messages.NewTile(_tile(element)),
            "score": score,
            "ejected": lambda element: messages.Ejected(
                element.attrib["reason"].strip(), element.text or ""
            ),
        },
    )
