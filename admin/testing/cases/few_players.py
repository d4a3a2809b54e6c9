"""The end of a game with few players: after ejections, and at a table of two."""

from collections.abc import Iterator

from ....game.rulebook import Rulebook
from ...refereeing.play.referee import Segment
from ..case_parts.case import Case, CaseSource
from ..case_parts.position_text import make_script, parse_position
from ..case_parts.special_opponents import with_leaver
from .end import CONVERSATION, TURN, end_case

LEFT = CaseSource(CONVERSATION, "An ejected player is missing from the next position")
NO_STATE = CaseSource(
    CONVERSATION, "no `state` is sent for an undone turn"
)  # fmt: skip
GOES_ON = CaseSource(CONVERSATION, "The game goes on with those who remain, even with only one.")
MARKET = CaseSource(
    "Two players",
    "At the end of the game `market` comes once more for each hotel on the board, largest first, "
    "equals alphabetically, before the scores",
)


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this module that a rulebook has."""
    yield from _after_ejections(rulebook)
    if rulebook.market_for_two:
        yield _market_at_the_end(rulebook)


def _after_ejections(rulebook: Rulebook) -> Iterator[Case]:
    drawing = """
        ............
        .AAA....TT..
        ............
        ..o......o..
        .....WWWW...
        """
    three = parse_position(rulebook, drawing, "ann A4 T3", "player W3 A2 $2500", "bob W3 T2")
    yield end_case(
        with_leaver(make_script(rulebook, Segment(three, 2)), "ann", "turn"),
        "mover-left",
        "The player before you is ejected",
        NO_STATE,
        "Answer the <turn> that follows a <state> with one more player; no other <state> comes.",
        "waiting for a <state> between two turns, or looking for a player that has left.",
        TURN,
    )
    yield end_case(
        with_leaver(
            with_leaver(make_script(rulebook, Segment(three, 2)), "ann", "state"), "bob", "state"
        ),
        "all-left",
        "All other players are ejected at once",
        LEFT,
        "Answer a <turn> with one player, after a <state> with three.",
        "looking for the players of the first position in all later ones.",
        TURN,
    )
    alone = parse_position(rulebook, drawing, "player W3 A2 $2500")
    yield end_case(
        make_script(rulebook, Segment(alone, 3)),
        "alone",
        "Alone at the table",
        GOES_ON,
        "Answer each <turn>, one after the other, and <void/> to a <score> with one result.",
        "requiring a next player, or a second result.",
        frozenset({"turn", "score"}),
    )


def _market_at_the_end(rulebook: Rulebook) -> Case:
    drawing = """
        ............
        .AAA....TT..
        ............
        ............
        .....WWW....
        """
    return end_case(
        make_script(
            rulebook, parse_position(rulebook, drawing, "player A4 W1 $2500", "bob T3 W2 $1900")
        ),
        "market",
        "The market has certificates of each hotel at the end",
        MARKET,
        "Answer <void/> to one <market> for each hotel on the board, and then to <score>.",
        "expecting <market> only in mergers.",
        frozenset({"market", "score"}),
    )
