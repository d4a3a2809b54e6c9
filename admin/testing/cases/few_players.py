"""The end of a game with few players: after ejections, and at a table of two."""

from ..case_parts.acquisitions import CONVERSATION
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.scenario import Scenario
from ..case_parts.special_opponents import leaves

LEFT = CaseSource(CONVERSATION, "An ejected player is missing from the next position")
NO_STATE = CaseSource(CONVERSATION, "no `state` is sent for an undone turn")
GOES_ON = CaseSource(CONVERSATION, "The game goes on with those who remain, even with only one.")
MARKET = CaseSource(
    "Two players",
    "At the end of the game `market` comes once more for each hotel on the board, largest first, "
    "equals alphabetically, before the scores",
)

BOARD = """
    ............
    .AAA....TT..
    ............
    ..o......o..
    .....WWWW...
    """
OF_THREE = "ann A4 T3 | player W3 A2 $2500 | bob W3 T2"

CASES = (
    CaseRow(
        "mover-left",
        "The player before you is ejected",
        NO_STATE,
        Scenario(BOARD + OF_THREE, turns=2, others={"ann": leaves("turn")}),
        expected="Answer the <turn> that follows a <state> with one more player; no other "
        "<state> comes.",
        hint="waiting for a <state> between two turns, or looking for a player that has left.",
    ),
    CaseRow(
        "all-left",
        "All other players are ejected at once",
        LEFT,
        Scenario(
            BOARD + OF_THREE, turns=2, others={"ann": leaves("state"), "bob": leaves("state")}
        ),
        expected="Answer a <turn> with one player, after a <state> with three.",
        hint="looking for the players of the first position in all later ones.",
    ),
    CaseRow(
        "alone",
        "Alone at the table",
        GOES_ON,
        Scenario(BOARD + "player W3 A2 $2500", turns=3),
        expected="Answer each <turn>, one after the other, and <void/> to a <score> with one "
        "result.",
        hint="requiring a next player, or a second result.",
        tested="turn score",
    ),
    CaseRow(
        "market",
        "The market has certificates of each hotel at the end",
        MARKET,
        """
        ............
        .AAA....TT..
        ............
        ............
        .....WWW....
        player A4 W1 $2500 | bob T3 W2 $1900
        """,
        expected="Answer <void/> to one <market> for each hotel on the board, and then to <score>.",
        hint="expecting <market> only in mergers.",
        tested="market score",
        when=lambda rulebook: rulebook.market_for_two,
    ),
)
