"""The first position: tables of every size, and positions from the middle of a game."""

from functools import partial

from ....game.rulebook import Assets, DeadTiles, Hands, Rulebook, Start
from ....game.state import State
from ..case_parts.case import PLAYER, CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.lone_tiles import LONE, LONE_DRAWS, LOOSE_TILES, lone_tiles
from ..case_parts.position_text import deal_game
from ..case_parts.scenario import Scenario
from .turn import COMPLETE

NUMBERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
PLACES = {0: "first", 1: "second", 3: "fourth", 5: "sixth"}
BEFORE = {2: 1, 3: 0, 4: 1, 5: 3, 6: 5}
"""By the number of seats, how many players move before this one."""
SEEDS = {2: 0, 3: 0, 4: 4, 5: 4, 6: 71}
"""By the number of seats, a seed with which the player's first tile has no neighbour."""

PLAYED_FOR_LONG = """
    ............
    .SS.......o.
    ............
    ............
    ..AAAA......
    ............
    ............
    .o....WWW...
    ............
    player 2G 1H 10B 12B 11A 11C $2300 S1 A2 | ann $4100 A3 W2 | bob $3900 S2 W1
    """
"""The player's tiles all found a hotel, and would have no neighbours on an empty board."""
SET_ASIDE = "7C"
"""A tile that can never be placed; the one below it can."""

_begins = partial(CaseRow, tested="setup turn")


def beginning(rulebook: Rulebook, seats: int) -> State:
    """Deal a game in which ``BEFORE[seats]`` players move before this one."""
    for place in range(seats):
        state = deal_game(rulebook, seats, SEEDS[seats], place)
        if state.players[BEFORE[seats]].name == PLAYER:
            return state
    raise AssertionError("one of the places must fit")


def order_of_seats(rulebook: Rulebook) -> CaseSource:
    """Return the rule that says who starts."""
    if rulebook.start is Start.SIGN_UP:
        return CaseSource("The conversation", "players are listed in the order of their seats.")
    return CaseSource("What you receive", "the first player in the position is the one who starts")


def _table(seats: int) -> CaseRow:
    before = BEFORE[seats]
    return _begins(
        f"{NUMBERS[seats].lower()}-players",
        f"{NUMBERS[seats]} players, and the player moves {PLACES[before]}",
        order_of_seats,
        Scenario(partial(beginning, seats=seats), turns=before + 1),
        expected="Answer <void/> to the first position; move when asked, and not before.",
        hint="expecting a certain number of players, or to be the first of them.",
        tested="setup turn state" if before else "setup turn",
        when=lambda rulebook: rulebook.min_players <= seats <= rulebook.max_players,
    )


CASES = (
    CaseRow(
        "noted",
        "The first position is answered",
        CaseSource("The conversation", "`A> state` to each player; `P> void`."),
        lone_tiles(),
        expected="Answer <void/> to the first position.",
        hint="answering only questions that need a move, and sending no <void/>.",
        tested="setup",
        turns=0,
    ),
    *map(_table, NUMBERS),
    _begins(
        "alone",
        "All others have left",
        CaseSource(
            "The conversation", "The game goes on with those who remain, even with only one"
        ),
        Scenario(LOOSE_TILES + LONE, bag_top=LONE_DRAWS, turns=3),
        expected="Move three times in a row, without waiting for another player.",
        hint="looking for a second player when there is none.",
        tested="setup turn state tile",
    ),
    _begins(
        "in-the-middle",
        "The game begins with a position from its middle",
        COMPLETE,
        PLAYED_FOR_LONG,
        expected="Place a tile that founds a hotel, and name one that is not on the board.",
        hint="keeping a board of its own that began empty.",
    ),
    _begins(
        "open-hands",
        "All hands are open",
        CaseSource("The messages", "certificates and tiles are in every position"),
        lone_tiles(),
        expected="Place one of your own six tiles; the position lists the other players' tiles "
        "as well.",
        hint="taking all tiles after the board for your own hand.",
        when=lambda rulebook: rulebook.hands is Hands.OPEN and rulebook.assets is Assets.OPEN,
    ),
    _begins(
        "hidden-hands",
        "Other hands are hidden",
        CaseSource("What you receive", "only your own are listed"),
        lone_tiles(),
        expected="Place one of your own six tiles; for other players only the number of tiles "
        "is sent.",
        hint="expecting tiles for every player.",
        when=Hands.HIDDEN,
    ),
    _begins(
        "hidden-assets",
        "Cash and certificates of other players are hidden",
        CaseSource("What you receive", '`certificates="hidden"` instead of shares'),
        PLAYED_FOR_LONG,
        expected="Send a move; <bank> lists the certificates that are left of each hotel.",
        hint="reading the cash of every player, though only your own is sent.",
        when=lambda rulebook: bool(rulebook.assets.hidden),
    ),
    _begins(
        "set-aside",
        "A tile has been set aside",
        CaseSource("What you receive", "tiles set aside, face up: out of the game"),
        Scenario(
            """
            AAAAAA.CCCCC
            AAAAAA.CCCCC
            AAAAAA.CCCCC
            ............
            .........WW.
            player 7D 2E 5E 3G 9G 12H $1900 A4 C2 | ann $2800 A3 C5 W2 | bob $2400 A1 C3
            """,
            aside=SET_ASIDE,
        ),
        expected=f"Place a tile of the hand and name no hotel: {SET_ASIDE} is not on the board.",
        hint="taking the tiles in <aside> for tiles on the board or in hand.",
        when=DeadTiles.REPLACED,
    ),
)
