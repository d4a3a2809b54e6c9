"""A game as frames: what happened, in words, and what it changed on and around the table.

Events come in, in order, as a game goes or as a log is read; each one that a viewer shows becomes
a frame, a value that JSON can hold:

    turn        the turn's number, 0 before the first
    kind        what happened: a ``FrameKind``
    text        the same in words
    player      who did it: the seat's place in sign-up order, from 0; absent if nobody did
    tile        the cell of the tile that it is about, 0 (1A) to 107 (12I); hotel: its index
    hotels      in a merger: those acquired so far
    count       when the stock market draws a tile: the certificates that it holds
    secret      what only the table knows until the end, where hands are hidden: text and tile
    board       cells that have changed: [[cell, what], ..]: a hotel's index, LOOSE, ASIDE or FREE
    players     who has changed, by place: cash, shares by hotel, hand (cells), worth, out, and
                the bonus that each hotel would pay it now
    starts      in the first frame: who drew which cell's tile for the start, by place
    winners     in the result: the places of all who won
    bank, bag   certificates left by hotel, tiles left, when they have changed

The first frame has all of the table. ``worth`` is the net worth: a player's score if the game ended
now, as :mod:`acquire.game.turn` defines it.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum, auto
from functools import lru_cache
from typing import Any, TypeAlias

from ....game.board import lay_out
from ....game.placement import Kind
from ....game.rulebook import Hands, Rulebook
from ....game.state import State, deal, start_tiles
from ....game.tiles import COLUMNS, STRIDE, TILES, Mask, Tile, mask_of, tiles_in
from ..log.reader import RecordedGame
from ..log.recorder import Header
from ..log.verifier import Verification, Verifier
from ..play import events
from ..play.events import Event
from ..play.net_worth import NetWorth
from ..play.outcome import Standing
from .board_text import PlayerRow
from .sentences import Sentences, result_sentence


class FrameKind(StrEnum):
    """What happened in a frame; ``page_data.d.ts`` names the values for the scripts.

    The kind of an event's frame has the name of the event; that of a placement has the name of
    what the tile does, its :class:`.Kind`.
    """

    DEAL = auto()
    StartTile = "start"
    LaidOut = "position"
    TurnBegan = "turn"
    SINGLETON = "placed"
    GROWING = "grown"
    FOUNDING = "founded"
    MERGING = "merged"
    HandKept = NothingPlaced = "nothing"
    FoundersShare = "share"
    Acquired = "acquired"
    BonusPaid = "bonus"
    Returned = "returned"
    Sold = "sold"
    Traded = "traded"
    MarketDrew = MarketPlaced = "market"
    Bought = "bought"
    Declared = "declared"
    Drew = "drew"
    SetAside = "aside"
    Ejected = "ejected"
    TurnUndone = "undone"
    Ended = "ended"
    Ranked = "ranked"
    RESULT = auto()
    # on the page of a person's seat only
    ACQUIRING = auto()
    SETTLED = auto()
    NOTE = auto()


OF_PLACEMENT = frozenset(FrameKind[kind.name] for kind in Kind)
LAYING = OF_PLACEMENT | {FrameKind.MarketPlaced}  # kinds that lay a tile on the board

Frame: TypeAlias = dict[str, Any]

FREE, LOOSE, ASIDE = -1, 7, 8  # what a cell can hold beside a hotel's tile


def cell_of(tile: Tile) -> int:
    """Return the place of a tile's cell, row by row: 0 (1A) to 107 (12I)."""
    return tile // STRIDE * COLUMNS + tile % STRIDE


@lru_cache(maxsize=1024)
def cells_of(tiles: Mask) -> list[int]:
    """Return the cells of a set of tiles, row by row, as a list that nobody changes.

    Most sets are asked for again: at each event only one or two hands and hotels have changed.
    """
    return [cell_of(tile) for tile in tiles_in(tiles)]


def recorded_frames(header: Header) -> "Frames":
    """Return the maker of frames for a game with this header."""
    names = header.names
    state = deal(header.rulebook, names, header.bag)
    return Frames(state, names, start_tiles(header.rulebook, names, header.bag))


def turn_order(header: Header) -> list[int]:
    """Return by seat the place in turn order, from 0: a player's number and color on all pages.

    A player at the table knows no other order. Without a bag the seats are in turn order.
    """
    names = header.names
    if not header.bag:
        return [*range(len(names))]
    in_turn = [player.name for player in deal(header.rulebook, names, header.bag).players]
    return [in_turn.index(name) for name in names]


def frames_of(record: RecordedGame) -> tuple[list[Frame], Verification]:
    """Return the frames of a recorded game as far as its log holds, and how far that is."""
    maker = recorded_frames(record.header)
    frames, verdict = [maker.begin()], Verifier(record).verify()
    for event in verdict.events:
        frames.extend(maker.take(event))
    return frames, verdict


class Frames:
    """Makes frames of a game's events; ``take`` every event, in order.

    ``state`` is the position after the deal; ``names`` are the seats in the order of the places in
    frames; ``starts`` are the tiles drawn to decide who starts, if they are known.
    """

    def __init__(
        self, state: State, names: Sequence[str], starts: Sequence[tuple[str, Tile]] = ()
    ) -> None:
        self._sentences = Sentences(state.rulebook)
        self._hidden = state.rulebook.hands is not Hands.OPEN
        self._names = names
        self._places = {name: place for place, name in enumerate(names)}
        self.state = state  # the position in the last frame
        self._worth = NetWorth(state)
        self._turn = 0
        self._acquired: list[int] = []
        self._board = [FREE] * len(TILES)
        self._players: list[Frame] = [{} for _ in self._names]
        self._rest: Frame = {}
        self._starts = starts
        self._standings: list[Standing] = []

    def begin(self) -> Frame:
        """Return the first frame: the table after the deal."""
        first = self.state.mover.name
        frame = self._frame(FrameKind.DEAL, f"The table is set. {first} moves first.")
        frame["player"] = self._places[first]
        if self._starts:
            frame["starts"] = {
                str(self._places[name]): cell_of(tile) for name, tile in self._starts
            }
        return frame

    def take(self, event: Event) -> list[Frame]:
        """Return the frames of an event: one or none; after the last rank the result too."""
        if isinstance(event, events.WIRE_EVENTS):
            return []
        if not isinstance(event, events.Ranked):
            self.state = event.state
        self._worth.take(event)
        if isinstance(event, events.TurnBegan):
            self._turn, self._acquired = event.number, []
        elif isinstance(event, events.Acquired):
            self._acquired.append(event.hotel)
        kind = event.kind.name if isinstance(event, events.Placed) else type(event).__name__
        text = self._sentences.sentence(event)
        public = self._sentences.sentence(event, public=self._hidden)
        frame = self._frame(FrameKind[kind], public) | self._about(event)
        if public != text:
            frame["secret"] = {"text": text}
            if isinstance(event, events.Drew):
                frame["secret"]["tile"] = frame.pop("tile")
        return [frame, *self._result(event)]

    def remark(self, kind: FrameKind, text: str, state: State, name: str | None = None) -> Frame:
        """Return the frame of a remark about a player, in a position."""
        self.state = state
        self._worth = NetWorth(state)
        frame = self._frame(kind, text)
        return frame if name is None else frame | {"player": self._places[name]}

    def _result(self, event: Event) -> list[Frame]:
        if not isinstance(event, events.Ranked):
            return []
        self._standings.append(Standing(*event))
        if len(self._standings) < len(self._names):
            return []
        frame = self._frame(FrameKind.RESULT, result_sentence(self._standings))
        winners = [self._places[each.name] for each in self._standings if each.won]
        return [frame | {"winners": winners}]

    # -- a frame ---------------------------------------------------------------------------------

    def _frame(self, kind: FrameKind, text: str) -> Frame:
        state = self.state
        frame: Frame = {"turn": self._turn, "kind": kind, "text": text}
        before, self._board = self._board, board_cells(state)
        if before != self._board:
            frame["board"] = changed_cells(before, self._board)
        had, self._players = self._players, self._seats(state)
        both = enumerate(zip(had, self._players, strict=True))
        if players := {str(at): new for at, (old, now) in both if (new := _changes(old, now))}:
            frame["players"] = players
        rest, self._rest = self._rest, {"bank": list(state.bank), "bag": len(state.bag)}
        return frame | _changes(rest, self._rest)

    def _seats(self, state: State) -> list[Frame]:
        """Return what each player has, by place."""
        gone = {"out": True, "cash": 0, "shares": [], "hand": [], "worth": 0, "bonus": []}
        found = {
            name: {
                **{"out": False, "cash": cash, "shares": [*shares], "hand": cells_of(hand)},
                **{"worth": self._worth.by_name[name], "bonus": [0] * len(shares)},
            }
            for name, cash, shares, hand in state.players
        }
        for bonus in self._worth.if_over.bonuses:
            found[bonus.name]["bonus"][bonus.hotel] = bonus.amount
        return [found.get(name, gone) for name in self._names]

    def _about(self, event: Event) -> Frame:
        about: Frame = {}
        if (name := getattr(event, "name", None)) is not None:
            about["player"] = self._places[name]
        if (tile := getattr(event, "tile", None)) is not None:
            about["tile"] = cell_of(tile)
        if (hotel := getattr(event, "hotel", None)) is not None:
            about["hotel"] = hotel
        match event:
            case events.Acquired(survivor):
                about |= {"survivor": survivor, "hotels": list(self._acquired)}
            case events.MarketDrew(_, _, shares):
                about["count"] = shares
            case events.Ranked(rank, _, score, finished):
                about |= {"rank": rank, "score": score, "finished": finished}
            case events.Ended(ending):
                about |= {"ending": ending.value, "regular": ending.regular}
        return about


def _changes(before: Frame, now: Frame) -> Frame:
    return {key: value for key, value in now.items() if before.get(key) != value}


def changed_cells(before: Sequence[int], now: Sequence[int]) -> list[list[int]]:
    """Return the cells of a board that have changed, each with what lies on it now."""
    return [[cell, what] for cell, what in enumerate(now) if what != before[cell]]


def board_cells(state: State) -> list[int]:
    """Return what lies on each cell."""
    cells = [FREE] * len(TILES)
    for cell in cells_of(state.board.loose):
        cells[cell] = LOOSE
    for cell in cells_of(state.aside):
        cells[cell] = ASIDE
    for hotel, tiles in enumerate(state.board.hotels):
        for cell in cells_of(tiles):
            cells[cell] = hotel
    return cells


# -- what a spectator may not see before the end ------------------------------------------------


def hidden_assets(rulebook: Rulebook) -> list[str]:
    """Return which fields of a player in a frame are hidden from the others.

    The worth of a player is hidden with either part of it, bonuses with the certificates.

    >>> from acquire import DIGEST
    >>> from acquire.game.rulebook import with_hidden_assets
    >>> hidden_assets(with_hidden_assets(DIGEST, "cash"))
    ['cash', 'worth']
    """
    cash = ["cash"] if rulebook.assets.hides_cash else []
    certificates = ["shares", "bonus"] if rulebook.assets.hides_certificates else []
    return [*cash, *certificates, "worth"] if cash or certificates else []


def without_secrets(step: Frame, rulebook: Rulebook, viewer: int | None = None) -> Frame:
    """Return a step as a spectator may see it during the game, or the player at a place."""
    if not (hidden := hidden_fields(rulebook)):
        return step
    own = ["bonus", "worth"] if rulebook.assets.hides_certificates else []
    seen = {key: value for key, value in step.items() if key != "secret"}
    if viewer is not None and step.get("player") == viewer:
        seen |= step.get("secret", {})
    if "players" in seen:
        players = {
            place: {
                key: value
                for key, value in what.items()
                if key not in (own if place == str(viewer) else hidden)
            }
            for place, what in seen["players"].items()
        }
        seen["players"] = {place: what for place, what in players.items() if what}
    return seen


def hidden_fields(rulebook: Rulebook) -> list[str]:
    """Return which fields of a player in a frame a spectator may not see."""
    hands = [] if rulebook.hands is Hands.OPEN else ["hand"]
    return hands + hidden_assets(rulebook)


# -- frames put together again ------------------------------------------------------------------


class Tabletop:
    """What a spectator sees on and around the table. ``put`` the steps, in order."""

    def __init__(self, rulebook: Rulebook, names: Sequence[str]) -> None:
        self._rulebook = rulebook
        self._names = names
        self._bank: list[int] = [rulebook.certificates] * len(rulebook.hotels)
        self.cells = [FREE] * len(TILES)
        self.players: list[Frame] = [{} for _ in names]
        """What a spectator sees of each player, as in a frame, in seat order."""
        self.bag = 0
        self.turn = 0
        self.last: int | None = None  # the cell of the tile placed last, unless taken back
        self.standings: list[Standing] = []  # empty before the end

    def put(self, step: Frame) -> None:
        """Take what a step has changed."""
        self.turn, kind = step["turn"], step["kind"]
        if kind == FrameKind.Ranked:
            name = self._names[step["player"]]
            self.standings.append(Standing(step["rank"], name, step["score"], step["finished"]))
        changed = dict(step.get("board", ()))
        for cell, what in changed.items():
            self.cells[cell] = what
        if kind in LAYING and changed.get(step.get("tile"), ASIDE) != ASIDE:
            self.last = step["tile"]
        elif kind == FrameKind.TurnUndone:
            self.last = None
        self._bank = step.get("bank", self._bank)
        self.bag = step.get("bag", self.bag)
        for place, what in step.get("players", {}).items():
            self.players[int(place)] |= what

    @property
    def state(self) -> State:
        """The position without its players, who are in ``rows``."""

        def tiles(what: int) -> Mask:
            return _mask(cell for cell, found in enumerate(self.cells) if found == what)

        hotels = tuple(map(tiles, range(len(self._rulebook.hotels))))
        board = lay_out(self._rulebook, tiles(LOOSE), hotels)
        return State(self._rulebook, board, (), tuple(self._bank), (), tiles(ASIDE))

    @property
    def rows(self) -> list[PlayerRow]:
        """What a spectator sees of each player, in seat order."""
        return [
            PlayerRow(name, ejected=True)
            if shown.get("out")
            else PlayerRow(
                name,
                shown.get("cash"),
                shown.get("shares"),
                shown.get("worth"),
                _mask(shown["hand"]) if "hand" in shown else None,
            )
            for name, shown in zip(self._names, self.players, strict=True)
        ]


def _mask(cells: Iterable[int]) -> Mask:
    return mask_of(TILES[cell] for cell in cells)
