"""Bytes to messages: parse, then validate against the schema, then convert.

Each step has its own fault: what cannot be parsed is malformed, what the schema rejects is invalid.
The schema checks everything about an element's form; the conversion trusts it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeAlias, TypeVar

from lxml import etree

from ..game.board import Board, lay_out
from ..game.placement import Placement
from ..game.rulebook import Rulebook
from ..game.state import Player
from ..game.tiles import COLUMNS, ROWS, STRIDE, Mask, Tile
from ..schemas import load
from . import messages
from .conversation import Side, sent_by
from .dialect import Dialect
from .faults import Fault, Reason
from .invalid_xml import Explain, explain_briefly, explain_to_player, one_line
from .messages import PlayerMessage, RefereeMessage
from .player_view import PlayerView, SeatView

M = TypeVar("M")
_Conversions: TypeAlias = dict[str, Callable[[etree._Element], RefereeMessage]]

MAX_DEPTH = 16
"""Most levels of nested elements in a document; the schemas need 5."""


def parser() -> etree.XMLParser:
    """Make a parser for a peer's documents: no DTD, no entities, no network, UTF-8 only.

    Documents with a DOCTYPE never arrive here: the framer rejects them.
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
    """Reads the documents of one side of the conversation.

    ``conversions`` has a function for each root element that the schema accepts. ``explain`` says
    why it rejects a document, in more words than the validator has.

    >>> from acquire import REVISED
    >>> reader = player_reader(REVISED)
    >>> def read(document):
    ...     return reader.convert(reader.parse(document), document)
    >>> read(b"<keep><true/><false/></keep>")
    KeepAnswer(decisions=(True, False))
    >>> print(read(b"<order><hotel label='Ritz'/></order>").detail.partition(" The")[0])
    There is no hotel 'Ritz'.
    """

    def __init__(
        self,
        schema: etree.XMLSchema,
        conversions: Mapping[str, Callable[[etree._Element], M]],
        explain: Explain | None = None,
    ) -> None:
        self._schema = schema
        self._conversions = conversions
        self._explain = explain or explain_briefly(conversions)
        self.parser = parser()

    def parse(self, document: bytes) -> etree._Element:
        """Parse one document; ``etree.XMLSyntaxError`` if it is not one well-formed element."""
        return etree.fromstring(document, self.parser)

    def convert(self, root: etree._Element, document: bytes) -> M | Fault:
        """Validate a parsed document and return its message, or what the schema rejects."""
        if self._schema.validate(root):
            try:
                return self.convert_valid(root)
            except ValueError as too_long:  # thousands of digits, which the schema accepts
                return Fault(Reason.INVALID, one_line(str(too_long)), document)
        if depth_of(root) > MAX_DEPTH:
            return nesting_fault(document)
        return Fault(Reason.INVALID, self._explain(root, self._schema.error_log[0]), document)

    def convert_valid(self, root: etree._Element) -> M:
        """Return the message of an element that the schema accepts; ``ValueError`` as ``int``."""
        return self._conversions[str(root.tag)](root)

    def convert_leniently(self, root: etree._Element) -> M | None:
        """Return the message of a document that the schema rejects; ``None`` if it has none.

        For telling what a peer meant whose form is wrong.
        """
        try:
            return self.convert_valid(root)
        except (LookupError, ValueError, TypeError, AttributeError):
            return None


def depth_of(root: etree._Element) -> int:
    """Return how many levels of elements a document has."""
    depth, level = 0, [root]
    while level:
        depth += 1
        level = [child for element in level for child in element]
    return depth


def nesting_fault(document: bytes) -> Fault:
    """Return the fault of a document that is nested too deeply."""
    return Fault(Reason.MALFORMED, f"Elements are nested deeper than {MAX_DEPTH} levels.", document)


def _tile(element: etree._Element) -> Tile:
    row, column = ROWS.index(element.attrib["row"].strip()), int(element.attrib["column"])
    if not 0 < column <= COLUMNS:  # if the schema was not asked: a mask would be as long as this
        raise ValueError(f"the board has no column {column}")
    return row * STRIDE + column - 1


def _mask(elements: "list[etree._Element] | etree._Element") -> Mask:
    mask = 0
    for element in elements:
        if element.tag == "tile":
            mask |= 1 << _tile(element)
    return mask


def _sign_up(element: etree._Element) -> messages.SignUp:
    rulebook, definition = element.get("rulebook"), element.findtext("rulebook")
    return messages.SignUp(element.attrib["name"], rulebook and rulebook.strip(), definition)


class _Hotels:
    """Converts the parts of elements that name hotels, for one rulebook."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._index = {hotel.name: index for index, hotel in enumerate(rulebook.hotels)}

    def named(self, element: etree._Element, attribute: str) -> int:
        return self._index[element.attrib[attribute].strip()]

    def labelled(self, elements: Iterable[etree._Element]) -> tuple[int, ...]:
        index = self._index
        return tuple([index[hotel.attrib["label"].strip()] for hotel in elements])

    def shares(self, element: etree._Element) -> tuple[int, ...]:
        counts = [0] * len(self._index)
        for child in element:
            if child.tag == "share":
                counts[self.named(child, "name")] = int(child.attrib["count"])
        return tuple(counts)

    def board(self, element: etree._Element) -> Board:
        masks = [0] * len(self._index)
        for child in element:
            if child.tag == "hotel":
                masks[self.named(child, "name")] = _mask(child)
        return lay_out(self._rulebook, _mask(element), tuple(masks))

    def players(self, element: etree._Element) -> tuple[Player, ...]:
        """Return the ``<player>`` elements in another, with everything open."""
        return tuple([self._player(child) for child in element if child.tag == "player"])

    def _player(self, element: etree._Element) -> Player:
        cash = int(element.attrib["cash"])
        return Player(element.attrib["name"], cash, self.shares(element), _mask(element))


def player_reader(rulebook: Rulebook) -> Reader[PlayerMessage]:
    """Make the reader for the messages of players."""
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
        "void": lambda _: messages.VOID,
        "placement": lambda element: messages.Merge(placement(element)),
        "pbuy": pbuy,
        "order": lambda element: messages.Order(*ordered(element)),
        "keep": lambda element: messages.KeepAnswer(tuple(kept.tag == "true" for kept in element)),
    }
    if dialect is Dialect.FULL:
        conversions["dispose"] = disposal
        conversions["replace"] = lambda element: messages.ReplaceAnswer(element[0].tag == "true")
    assert conversions.keys() == sent_by(Side.PLAYER, dialect)
    return Reader(dialect.schema("player", rulebook), conversions, explain_to_player(rulebook))


def _ejected(element: etree._Element) -> messages.Ejected:
    return messages.Ejected(element.attrib["reason"].strip(), element.text or "")


def greeting_reader() -> Reader[RefereeMessage]:
    """Make the reader for the answer to a sign-up, which says which rulebook is played."""
    return Reader(load("greeting"), {"signup": _sign_up, "ejected": _ejected})


def referee_reader(rulebook: Rulebook) -> Reader[RefereeMessage]:
    """Make the reader for the messages of the referee."""
    hotels, dialect = _Hotels(rulebook), Dialect.of(rulebook)

    conversions: _Conversions = {
        "signup": _sign_up,
        "keep": lambda element: messages.Keep(hotels.labelled(element)),
        "tile": lambda element: messages.NewTile(_tile(element)),
        "ejected": _ejected,
    }
    course = dialect is Dialect.COURSE
    conversions |= _open_positions(hotels) if course else _player_views(hotels)
    assert conversions.keys() == sent_by(Side.REFEREE, dialect)
    return Reader(dialect.schema("administrator", rulebook), conversions)


def position_reader(
    rulebook: Rulebook,
) -> Callable[[etree._Element], tuple[Board, tuple[Player, ...]]]:
    """Make a function that reads the board and the players in a valid element."""
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


def _open_positions(hotels: _Hotels) -> _Conversions:
    board, players = hotels.board, hotels.players
    return {
        "state": lambda element: messages.State(board(element[0]), players(element)),
        "turn": lambda element: messages.Turn(board(element[0]), players(element)),
        "players": lambda element: messages.Players(players(element)),
        "score": lambda element: messages.Score(
            _results(element), board(element[-1][0]), players(element[-1])
        ),
    }


def _player_views(hotels: _Hotels) -> _Conversions:

    def seen(element: etree._Element) -> SeatView:
        cash = element.get("cash")
        return SeatView(
            element.attrib["name"],
            None if cash is None else int(cash),
            None if "certificates" in element.attrib else hotels.shares(element),
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
        "replace": lambda element: messages.Replace(view(element)),
        "turn": lambda element: messages.TurnView(view(element)),
        "players": lambda element: messages.PlayersView(view(element)),
        "score": lambda element: messages.ScoreView(_results(element), view(element[-1])),
        "dispose": dispose,
        "holders": holders,
        "merger": lambda element: messages.MarketMerger(_tile(element[0]), view(element[1:])),
        "market": market,
    }
