"""Whole matches by what the page is offered, without a page: everything offered is legal, nothing
hidden is named.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from acquire.matches import play_match
from admin.seat.choices import Refused, answer, question
from admin.seat.known_position import Memory
from admin.seat.wire_frames import WireFrames
from admin.view.frames import cell_of
from game.rulebook import Rulebook, with_hidden_assets
from game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, WIKIPEDIA
from game.tiles import Mask, parse_tile, tiles_in
from protocol import messages
from protocol.messages import AdministratorMessage, PlayerMessage

TILE = re.compile(r"\b(?:1[0-2]|[1-9])[A-I]\b")
TABLES = [REVISED, CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST, with_hidden_assets(DIGEST)]


class Clicker:
    """Chooses at random among what a question offers."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        self.rulebook = rulebook
        self.random = random.Random(seed)
        self.kinds: set[str] = set()
        self.sent: list[tuple[str, Mask]] = []
        """Everything that the page would have been sent, and the tiles shown up to then."""
        self.seen: Mask = 0
        """All tiles that the player was ever shown."""

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        """Answer a message as a page would."""
        if isinstance(message, messages.SignUp):
            self.memory = Memory(self.rulebook, message.name)
            self.wire = WireFrames(self.rulebook, message.name)
            return messages.VOID
        known = self.memory.hear(message)
        self.wire.take(message, known)
        if known is not None:
            board = known.state.board
            self.seen |= board.occupied | known.state.aside | known.state.player("me").hand
        if isinstance(message, messages.NewTile | messages.MarketTile) and message.tile is not None:
            self.seen |= 1 << message.tile
        asked = question(self.memory, message)
        self.sent.append((json.dumps([self.wire.frames[-8:], asked]), self.seen))
        if asked is None:
            return messages.VOID
        self.kinds.add(asked["kind"])
        chosen = answer(self.memory, message, self.choose(asked))
        self.memory.answered(chosen)
        return chosen

    def choose(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Fill in what the page would send."""
        match asked["kind"]:
            case "turn" | "merger":
                return self.place(asked)
            case "order":
                return self.buy(asked["purchase"])
            case "keep":
                return {"keep": [self.random.random() < 0.5 for _ in asked["hotels"]]}
            case "dispose":
                trade = 2 * self.random.randint(0, min(asked["count"] // 2, asked["left"]))
                return {"sell": self.random.randint(0, asked["count"] - trade), "trade": trade}
        return {"replace": True}

    def place(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Choose a tile and one of its options."""
        if "purchase" in asked:
            return {"tile": None, **self.buy(asked["purchase"])}
        tiles = [tile for tile in asked.get("tiles", [asked]) if "options" in tile]
        tile = self.random.choice(tiles)
        option = self.random.choice(tile["options"])
        chosen = {"tile": tile.get("cell"), "hotel": option["hotel"], "equals": option["equals"]}
        return chosen | (self.buy(option["purchase"]) if "purchase" in option else {})

    def buy(self, purchase: dict[str, Any]) -> dict[str, Any]:
        """Buy as much as possible of one hotel."""
        end = {"end": purchase["end"] is not None}
        if not purchase["hotels"]:
            return {"order": [], **end}
        row = self.random.choice(purchase["hotels"])
        count = min(purchase["limit"], row["left"], purchase["cash"] // row["price"])
        return {"order": [row["hotel"]] * count, **end}


def play(rulebook: Rulebook, seed: int) -> Clicker:
    """Play a match of a clicker against two others."""
    clickers: list[Clicker] = []

    def make(rules: Rulebook, own: int) -> Clicker:
        clickers.append(Clicker(rules, own))
        return clickers[-1]

    match = play_match({"ann": "random", "me": make, "bob": "random"}, rulebook, seed)
    assert match.ejected == {}
    clicker = clickers[0]
    ranked = [frame for frame in clicker.wire.frames if frame["kind"] == "ranked"]
    names = clicker.wire.names
    assert {names[one["player"]]: one["score"] for one in ranked} == match.scores
    return clicker


@pytest.mark.parametrize("rulebook", TABLES, ids=lambda book: f"{book.id} {book.assets.name}")
def test_everything_offered_is_legal_and_nothing_hidden_is_named(rulebook: Rulebook) -> None:
    asked: set[str] = set()
    for seed in range(3):
        clicker = play(rulebook, seed)
        asked |= clicker.kinds
        if rulebook is REVISED:
            continue  # its hands are open
        for text, seen in clicker.sent:
            allowed = {cell_of(tile) for tile in tiles_in(seen)}
            frames, fields = json.loads(text)
            cells = {cell_of(parse_tile(name)) for name in TILE.findall(text)}
            for frame in frames:
                cells.update([frame["tile"]] if "tile" in frame else [])
                for place, has in frame.get("players", {}).items():
                    assert place == str(clicker.wire.names.index("me")) or not has.get("hand")
                    cells.update(has.get("hand", ()))
            cells.update(tile["cell"] for tile in (fields or {}).get("tiles", ()))
            assert cells <= allowed
    assert asked >= ({"turn", "keep", "order"} if rulebook is REVISED else {"turn", "dispose"})


def test_worth_at_the_end_is_the_score_with_the_market_too() -> None:
    clickers: list[Clicker] = []

    def make(rules: Rulebook, seed: int) -> Clicker:
        clickers.append(Clicker(rules, seed))
        return clickers[-1]

    match = play_match({"ann": "random", "me": make}, CLASSIC, 2)
    wire = clickers[0].wire
    worths: dict[str, int] = {}
    for frame in wire.frames:
        for place, has in frame.get("players", {}).items():
            worths[wire.names[int(place)]] = has.get("worth", 0)
    assert worths == match.scores


def test_hidden_assets_are_absent() -> None:
    clicker = play(with_hidden_assets(DIGEST), 1)
    me = str(clicker.wire.names.index("me"))
    shown = [has for frame in clicker.wire.frames for has in frame.get("players", {}).items()]
    others = [has for place, has in shown if place != me]
    assert not any({"cash", "shares", "worth", "bonus"} & has.keys() for has in others)
    assert {"cash", "shares"} <= next(has for place, has in shown if place == me).keys()


# -- what is refused ------------------------------------------------------------------------------


def asked_for_a_turn() -> tuple[Memory, messages.TurnView]:
    """A memory of a first turn under `classic`."""
    turns: list[tuple[Memory, messages.TurnView]] = []

    class Stopper(Clicker):
        def __call__(self, message: AdministratorMessage) -> PlayerMessage:
            if isinstance(message, messages.TurnView) and not turns:
                self.memory.hear(message)
                memory = Memory(self.rulebook, "me")
                memory.hear(message)
                turns.append((memory, message))
            return super().__call__(message)

    play_match({"ann": "ordered", "me": Stopper, "bob": "ordered"}, CLASSIC, 1)
    return turns[0]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"tile": None}, "No tile was placed"),
        ({"tile": 500}, "not an answer"),
        ({"tile": -1}, "not an answer"),
        ({"tile": True}, "not an answer"),
        ({"tile": "OWN", "hotel": 3}, "neither founds nor merges"),
        ({"tile": "OWN", "order": [0]}, "has no price"),
        ({"tile": "OWN", "order": [99]}, "no such hotel"),
        ({"tile": "OWN", "order": 7}, "not an answer"),
        ({"tile": "OWN", "end": True}, "large enough"),
        ({"tile": "OTHER"}, "Only tiles in hand"),
    ],
)
def test_illegal_answer_is_refused_in_words(fields: dict[str, Any], why: str) -> None:
    memory, message = asked_for_a_turn()
    tiles = question(memory, message)["tiles"]  # type: ignore[index]  # it is a question
    own = [tile["cell"] for tile in tiles if tile.get("does") == "stays alone"]
    other = next(cell for cell in range(108) if cell not in [tile["cell"] for tile in tiles])
    known = {"OWN": own[0], "OTHER": other}
    given = fields | {"tile": known.get(fields["tile"], fields["tile"])}
    with pytest.raises(Refused, match=why):
        answer(memory, message, given)
