"""The first position: tables of every size, and positions that are no beginning."""

from collections.abc import Iterator

from admin.check.case import PLAYER, Case, Source, section
from admin.check.lone_tiles import LONE, LOOSE_TILES, drawing_lone, lone_tiles
from admin.check.scene import dealt, scene, script, tiles
from admin.match.referee import Segment
from game.rulebook import Assets, DeadTiles, Hands, Rulebook, Start
from game.state import State
from game.tiles import mask_of

SET_UP = section("set-up")
FIRST_POSITION = frozenset({"setup"})
BEGINNING = FIRST_POSITION | {"turn"}

NUMBERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
PLACES = {0: "first", 1: "second", 3: "fourth", 5: "sixth"}
BEFORE = {2: 1, 3: 0, 4: 1, 5: 3, 6: 5}
"""By the number of seats, how many move before the player does."""
SEEDS = {2: 0, 3: 0, 4: 4, 5: 4, 6: 71}
"""By the number of seats, a deal in which the player's first tile is beside no other."""

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
"""
FOUNDERS = "2G 1H 10B 12B 11A 11C"
"""Tiles that all found a hotel there, and would be beside nothing on an empty board."""

TWO_SAFE = """
    AAAAAA.CCCCC
    AAAAAA.CCCCC
    AAAAAA.CCCCC
    ............
    .........WW.
"""
BETWEEN_SAFE = "7C"
"""A tile that can never be placed there; the one below it can."""


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    yield _noted(rulebook)
    for seats in range(rulebook.min_players, rulebook.max_players + 1):
        yield _table(rulebook, seats)
    yield _alone(rulebook)
    yield _in_the_middle(rulebook)
    yield from _seen(rulebook)


def beginning(rulebook: Rulebook, seats: int) -> State:
    """Deal a match in which so many move before the player as ``BEFORE`` says."""
    for place in range(seats):
        state = dealt(rulebook, seats, SEEDS[seats], place)
        if state.players[BEFORE[seats]].name == PLAYER:
            return state
    raise AssertionError("each place at the table is somebody's")


def _noted(rulebook: Rulebook) -> Case:
    return Case(
        section=SET_UP,
        slug="noted",
        title="The first position is taken note of",
        source=Source("The conversation", "`A> state` to each player; `P> void`."),
        expected="A <void/> to the first position.",
        hint="Often only what needs a move is answered, and <void/> is not sent.",
        about=FIRST_POSITION,
        turns=0,
        script=script(rulebook, lone_tiles(rulebook)),
    )


def _table(rulebook: Rulebook, seats: int) -> Case:
    source = Source("The conversation", "players are listed in the order of their seats.")
    if rulebook.start is not Start.SIGN_UP:
        source = Source(
            "What you receive", "the first player in the position is the one who starts"
        )
    before = BEFORE[seats]
    return Case(
        section=SET_UP,
        slug=f"{NUMBERS[seats].lower()}-players",
        title=f"{NUMBERS[seats]} players, and the player moves {PLACES[before]}",
        source=source,
        expected="A <void/> to the first position; a move when it is asked for, and not before.",
        hint="Often a table of a certain size is expected, or to be the first at it.",
        about=BEGINNING | {"state"} if before else BEGINNING,
        script=script(rulebook, Segment(beginning(rulebook, seats), before + 1)),
    )


def _alone(rulebook: Rulebook) -> Case:
    state = drawing_lone(scene(rulebook, LOOSE_TILES, LONE))
    return Case(
        section=SET_UP,
        slug="alone",
        title="All others have left",
        source=Source(
            "The conversation", "The match goes on with those who remain, even with only one"
        ),
        expected="Three turns, one after another, and no wait for anybody else.",
        hint="Often a second player is looked for where there is none.",
        about=BEGINNING | {"state", "tile"},
        script=script(rulebook, Segment(state, 3)),
    )


def _in_the_middle(rulebook: Rulebook) -> Case:
    seats = f"player {FOUNDERS} $2300 S1 A2", "ann $4100 A3 W2", "bob $3900 S2 W1"
    return Case(
        section=SET_UP,
        slug="in-the-middle",
        title="The first position is in the middle of a match",
        source=Source("The messages", "a `turn` contains all there is to know"),
        expected="A tile that founds a hotel, and the name of one that is not on the board.",
        hint="Often the player keeps a board of its own, which began empty.",
        about=BEGINNING,
        script=script(rulebook, scene(rulebook, PLAYED_FOR_LONG, *seats)),
    )


def _seen(rulebook: Rulebook) -> Iterator[Case]:
    """Yield what a rulebook shows of the table, and what it hides."""
    if rulebook.hands is Hands.OPEN and rulebook.assets is Assets.OPEN:
        yield _open(rulebook)
    if rulebook.hands is Hands.HIDDEN:
        yield _hidden_hands(rulebook)
    if rulebook.assets is Assets.HIDDEN:
        yield _hidden_assets(rulebook)
    if rulebook.dead_tiles is DeadTiles.REPLACED:
        yield _set_aside(rulebook)


def _open(rulebook: Rulebook) -> Case:
    return Case(
        section=SET_UP,
        slug="open-hands",
        title="Everybody's tiles lie open",
        source=Source("The messages", "certificates and tiles are in every position"),
        expected="One of the player's own six tiles; the others' stand in the position as well.",
        hint="Often all tiles behind the board are taken for the own hand.",
        about=BEGINNING,
        script=script(rulebook, lone_tiles(rulebook)),
    )


def _hidden_hands(rulebook: Rulebook) -> Case:
    return Case(
        section=SET_UP,
        slug="hidden-hands",
        title="The others' tiles are hidden",
        source=Source("What you receive", "only your own are listed"),
        expected="One of the player's own six tiles; of the others only their number is told.",
        hint="Often each player is expected to have tiles in the position.",
        about=BEGINNING,
        script=script(rulebook, lone_tiles(rulebook)),
    )


def _hidden_assets(rulebook: Rulebook) -> Case:
    seats = f"player {FOUNDERS} $2300 S1 A2", "ann $4100 A3 W2", "bob $3900 S2 W1"
    return Case(
        section=SET_UP,
        slug="hidden-assets",
        title="The others' cash and certificates are hidden",
        source=Source("What you receive", "the other players have neither `cash` nor shares"),
        expected="A move; what the bank has left of each hotel is in <bank>.",
        hint="Often the cash of each player is read, though only one's own is told.",
        about=BEGINNING,
        script=script(rulebook, scene(rulebook, PLAYED_FOR_LONG, *seats)),
    )


def _set_aside(rulebook: Rulebook) -> Case:
    seats = "player 7D 2E 5E 3G 9G 12H $1900 A4 C2", "ann $2800 A3 C5 W2", "bob $2400 A1 C3"
    state = scene(rulebook, TWO_SAFE, *seats)
    gone = tiles(BETWEEN_SAFE)
    state = state._replace(
        aside=mask_of(gone), bag=tuple(tile for tile in state.bag if tile not in gone)
    )
    return Case(
        section=SET_UP,
        slug="set-aside",
        title="A tile that was set aside",
        source=Source("What you receive", "tiles set aside, face up: out of the game"),
        expected=f"A tile of the hand, and no hotel named: {BETWEEN_SAFE} is not on the board.",
        hint="Often the tiles in <aside> are taken for tiles on the board, or in hand.",
        about=BEGINNING,
        script=script(rulebook, state),
    )
