"""The first position: tables of every size, and positions from the middle of a game."""

from collections.abc import Iterator

from ....game.rulebook import Assets, DeadTiles, Hands, Rulebook, Start
from ....game.state import State
from ....game.tiles import mask_of
from ...refereeing.play.referee import Segment
from ..case_parts.case import PLAYER, Case, CaseSource, section
from ..case_parts.lone_tiles import LONE, LOOSE_TILES, lone_tiles, with_lone_draws
from ..case_parts.position_text import (
    deal_game,
    make_script,
    parse_position,
    parse_tiles,
)

SET_UP = section("set-up")
FIRST_POSITION = frozenset({"setup"})
BEGINNING = FIRST_POSITION | {"turn"}

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
"""
FOUNDERS = "2G 1H 10B 12B 11A 11C"
"""Tiles that all found a hotel there, and would have no neighbours on an empty board."""

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
    yield _answered(rulebook)
    for seats in range(rulebook.min_players, rulebook.max_players + 1):
        yield _table(rulebook, seats)
    yield _alone(rulebook)
    yield _in_the_middle(rulebook)
    yield from _seen(rulebook)


def beginning(rulebook: Rulebook, seats: int) -> State:
    """Deal a game in which ``BEFORE[seats]`` players move before this one."""
    for place in range(seats):
        state = deal_game(rulebook, seats, SEEDS[seats], place)
        if state.players[BEFORE[seats]].name == PLAYER:
            return state
    raise AssertionError("one of the places must fit")


def _answered(rulebook: Rulebook) -> Case:
    return Case(
        section=SET_UP,
        slug="noted",
        title="The first position is answered",
        source=CaseSource("The conversation", "`A> state` to each player; `P> void`."),
        expected="Answer <void/> to the first position.",
        hint="answering only questions that need a move, and sending no <void/>.",
        tested=FIRST_POSITION,
        turns=0,
        script=make_script(rulebook, lone_tiles(rulebook)),
    )


def _table(rulebook: Rulebook, seats: int) -> Case:
    source = CaseSource("The conversation", "players are listed in the order of their seats.")
    if rulebook.start is not Start.SIGN_UP:
        source = CaseSource(
            "What you receive", "the first player in the position is the one who starts"
        )
    before = BEFORE[seats]
    return Case(
        section=SET_UP,
        slug=f"{NUMBERS[seats].lower()}-players",
        title=f"{NUMBERS[seats]} players, and the player moves {PLACES[before]}",
        source=source,
        expected="Answer <void/> to the first position; move when asked, and not before.",
        hint="expecting a certain number of players, or to be the first of them.",
        tested=BEGINNING | {"state"} if before else BEGINNING,
        script=make_script(rulebook, Segment(beginning(rulebook, seats), before + 1)),
    )


def _alone(rulebook: Rulebook) -> Case:
    state = with_lone_draws(parse_position(rulebook, LOOSE_TILES, LONE))
    return Case(
        section=SET_UP,
        slug="alone",
        title="All others have left",
        source=CaseSource(
            "The conversation", "The game goes on with those who remain, even with only one"
        ),
        expected="Move three times in a row, without waiting for another player.",
        hint="looking for a second player when there is none.",
        tested=BEGINNING | {"state", "tile"},
        script=make_script(rulebook, Segment(state, 3)),
    )


def _in_the_middle(rulebook: Rulebook) -> Case:
    seats = f"player {FOUNDERS} $2300 S1 A2", "ann $4100 A3 W2", "bob $3900 S2 W1"
    return Case(
        section=SET_UP,
        slug="in-the-middle",
        title="The game begins with a position from its middle",
        source=CaseSource("The messages", "a `turn` contains all there is to know"),
        expected="Place a tile that founds a hotel, and name one that is not on the board.",
        hint="keeping a board of its own that began empty.",
        tested=BEGINNING,
        script=make_script(rulebook, parse_position(rulebook, PLAYED_FOR_LONG, *seats)),
    )


def _seen(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases about what a rulebook shows and hides."""
    if rulebook.hands is Hands.OPEN and rulebook.assets is Assets.OPEN:
        yield _open(rulebook)
    if rulebook.hands is Hands.HIDDEN:
        yield _hidden_hands(rulebook)
    if rulebook.assets.hidden:
        yield _hidden_assets(rulebook)
    if rulebook.dead_tiles is DeadTiles.REPLACED:
        yield _set_aside(rulebook)


def _open(rulebook: Rulebook) -> Case:
    return Case(
        section=SET_UP,
        slug="open-hands",
        title="All hands are open",
        source=CaseSource("The messages", "certificates and tiles are in every position"),
        expected="Place one of your own six tiles; the position lists the other players' tiles "
        "as well.",
        hint="taking all tiles after the board for your own hand.",
        tested=BEGINNING,
        script=make_script(rulebook, lone_tiles(rulebook)),
    )


def _hidden_hands(rulebook: Rulebook) -> Case:
    return Case(
        section=SET_UP,
        slug="hidden-hands",
        title="Other hands are hidden",
        source=CaseSource("What you receive", "only your own are listed"),
        expected="Place one of your own six tiles; for other players only the number of tiles "
        "is sent.",
        hint="expecting tiles for every player.",
        tested=BEGINNING,
        script=make_script(rulebook, lone_tiles(rulebook)),
    )


def _hidden_assets(rulebook: Rulebook) -> Case:
    seats = f"player {FOUNDERS} $2300 S1 A2", "ann $4100 A3 W2", "bob $3900 S2 W1"
    return Case(
        section=SET_UP,
        slug="hidden-assets",
        title="Cash and certificates of other players are hidden",
        source=CaseSource("What you receive", '`certificates="hidden"` instead of shares'),
        expected="Send a move; <bank> lists the certificates that are left of each hotel.",
        hint="reading the cash of every player, though only your own is sent.",
        tested=BEGINNING,
        script=make_script(rulebook, parse_position(rulebook, PLAYED_FOR_LONG, *seats)),
    )


def _set_aside(rulebook: Rulebook) -> Case:
    seats = "player 7D 2E 5E 3G 9G 12H $1900 A4 C2", "ann $2800 A3 C5 W2", "bob $2400 A1 C3"
    state = parse_position(rulebook, TWO_SAFE, *seats)
    gone = parse_tiles(BETWEEN_SAFE)
    state = state._replace(
        aside=mask_of(gone), bag=tuple(tile for tile in state.bag if tile not in gone)
    )
    return Case(
        section=SET_UP,
        slug="set-aside",
        title="A tile has been set aside",
        source=CaseSource("What you receive", "tiles set aside, face up: out of the game"),
        expected=f"Place a tile of the hand and name no hotel: {BETWEEN_SAFE} is not on the board.",
        hint="taking the tiles in <aside> for tiles on the board or in hand.",
        tested=BEGINNING,
        script=make_script(rulebook, state),
    )
