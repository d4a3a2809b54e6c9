"""What another program says of games by the rules of `revised`, in words of ours."""

from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

from acquire.game.board import lay_out
from acquire.game.rulebooks import REVISED
from acquire.game.state import Player, State, position
from acquire.game.tiles import TILES, mask_of, parse_tile


def read_state(text: str) -> dict[str, Any]:
    """A recorded state, as `plain` shows one but for the bag, which is not recorded."""

    def tiles(parent: ElementTree.Element) -> list[str]:
        return [f"{tile.attrib['column']}{tile.attrib['row']}" for tile in parent.findall("tile")]

    board, *players = ElementTree.fromstring(text)
    return {
        "loose": tiles(board),
        "hotels": {hotel.attrib["name"]: tiles(hotel) for hotel in board.findall("hotel")},
        "players": [
            {
                "name": player.attrib["name"],
                "cash": int(player.attrib["cash"]),
                "shares": {
                    share.attrib["name"]: int(share.attrib["count"])
                    for share in player.findall("share")
                },
                "tiles": tiles(player),
            }
            for player in players
        ],
    }


def column_first(tile: str) -> str:
    """A recorded tile name, "D8", as it is written here: "8D"."""
    return tile[1:] + tile[0]


def tiles_of(names: Iterable[str]) -> int:
    """A set of the tiles with these names."""
    return mask_of([parse_tile(name) for name in names])


def start(recorded: dict[str, Any]) -> State:
    """The recorded hands, and a bag that will yield the recorded tiles."""
    told = read_state(recorded["initial"])
    players = []
    for seat in told["players"]:
        shares = [seat["shares"].get(hotel.name, 0) for hotel in REVISED.hotels]
        players.append(Player(seat["name"], seat["cash"], tuple(shares), tiles_of(seat["tiles"])))
    drawn = [parse_tile(column_first(turn["new_tile"])) for turn in recorded["turns"]]
    seen = mask_of(drawn)
    for owner in players:
        seen |= owner.hand
    laid = [tiles_of(told["hotels"].get(hotel.name, [])) for hotel in REVISED.hotels]
    board = lay_out(REVISED, tiles_of(told["loose"]), tuple(laid))
    bag = [*drawn, *(tile for tile in TILES if not seen >> tile & 1)]
    return position(REVISED, board, players, bag)
