"""The end of a game for lack of tiles: none can be placed, or none is left to draw."""

from collections.abc import Iterator

from ....game.rulebook import EmptyBag, Rulebook, StuckHand
from ....game.state import State
from ...refereeing.play.referee import Segment
from ..case_parts.case import Case, CaseSource
from ..case_parts.position_text import make_script, parse_position
from .end import CONVERSATION, ENDINGS, end_case

NO_TILE_LEFT = CaseSource(
    CONVERSATION,
    "When no tile is left to draw, `score` follows the answer to `turn` (or `players`) at once.",
)
NO_TILE = CaseSource("The end of a turn", "none when the bag is empty")

UNPLAYABLE = "2E 3E 4E 5E 6E 7E"
"""Tiles that would merge a safe hotel on the board of `_without_a_placement`."""
APART = "2A 4A 6A 8A 10A 12A"
"""Tiles that touch no hotel there."""


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this module that a rulebook has."""
    if rulebook.stuck_hand is StuckHand.ENDS_GAME:
        yield from _without_a_placement(rulebook)
    if rulebook.empty_bag is EmptyBag.ENDS_GAME:
        yield from _with_an_empty_bag(rulebook)
    else:
        yield from _beyond_an_empty_bag(rulebook)


def _without_a_placement(rulebook: Rulebook) -> Iterator[Case]:
    drawing = f"""
        ............
        ............
        ............
        {"A" * rulebook.safe_size}
        ............
        .FFFFFF.....
        ............
        ............
        ........SS..
        """
    yield end_case(
        make_script(
            rulebook,
            Segment(
                parse_position(
                    rulebook, drawing, f"ann {APART} A2", f"player {UNPLAYABLE} F3", "bob S2"
                ),
                2,
            ),
        ),
        "stuck",
        "You are next, and cannot place any tile",
        ENDINGS,
        "Answer <void/> to <state> and then to <score>; no <turn> comes.",
        "waiting for a <turn> without a legal move.",
        turns=1,
    )
    yield end_case(
        make_script(
            rulebook,
            Segment(
                parse_position(
                    rulebook, drawing, f"player {APART} A2", f"ann {UNPLAYABLE} F3", "bob S2"
                ),
                2,
            ),
        ),
        "next-stuck",
        "The next player cannot place any tile",
        ENDINGS,
        "Answer <void/> to <tile>, <state> and <score>.",
        "waiting for the other players' turns.",
        turns=1,
    )


# -- the empty bag ------------------------------------------------------------------------------

ROWS = """
    AAAAAAAAAAAA
    AAAAAAAAAAAA
    ............
    IIIIIIIIIIII
    IIIIIIIIIIII
    ............"""
"""Two safe hotels, and two rows between hotels in which no tile can be placed."""
IDLE = ["1C 2C 3C 4C 5C 6C", "7C 8C 9C 10C 11C 12C", "1F 2F 3F 4F 5F 6F", "7F 8F 9F 10F 11F 12F"]


def _full(rulebook: Rulebook, mover: str, bag: str = "") -> State:
    """Return a position of six in which the mover's tiles make S grow, or stay unincorporated.

    All tiles are on the board or in hands, except 2I, which may be in the bag.
    """
    drawing = f"""{ROWS}
    SSSSSSSS.TTT
    SSSSSSSS.TTT
    {"S." if bag else "SS"}..........
    """
    hands = ["3I 5I 7I 9I 10I 12I", "9G 9H 4I 6I 8I 11I", *IDLE]
    return _of_six(rulebook, drawing, mover, hands, bag)


def _full_merger(rulebook: Rulebook, mover: str) -> State:
    """Return a position of six with an empty bag in which the mover's tiles merge S and W."""
    drawing = f"""{ROWS}
    SSSSSS.TT.CC
    .......TT.CC
    WWWWWW.TT.CC
    """
    hands = ["1H 2H 3H 4H 5H 6H", "7G 10G 7H 10H 7I 10I", *IDLE]
    return _of_six(rulebook, drawing, mover, hands)


def _of_six(rulebook: Rulebook, drawing: str, mover: str, hands: list[str], bag: str = "") -> State:
    """Return a position in which six players have these hands, ``mover`` the first of them."""
    names = ["player", "ann", "bob", "cyd", "dan", "eve"]
    names.remove(mover)
    shares = ["A3 T2 $900", "A5 S4 $400", "I4 S3 $1100", "I6 T4 $200", "A2 I2 $700", "S5 $300"]
    seats = [
        f"{name} {hand} {held}"
        for name, hand, held in zip([mover, *names], hands, shares, strict=True)
    ]
    return parse_position(rulebook, drawing, *seats, bag=bag)


def _with_an_empty_bag(rulebook: Rulebook) -> Iterator[Case]:
    hint = "waiting for <tile> and <state>, and taking <score> for an error."
    yield end_case(
        make_script(rulebook, Segment(_full(rulebook, "player"), 2)),
        "bag-empty",
        "No tile is left after your turn",
        NO_TILE_LEFT,
        "Answer <void/> to the <score> that follows your <pbuy> at once.",
        hint,
        turns=1,
    )
    yield end_case(
        make_script(rulebook, Segment(_full_merger(rulebook, "player"), 2)),
        "bag-empty-merger",
        "No tile is left after your merger",
        NO_TILE_LEFT,
        "Answer <void/> to the <score> that follows your <order> at once.",
        hint,
        turns=1,
    )
    yield end_case(
        make_script(rulebook, Segment(_full(rulebook, "ann"), 2)),
        "bag-empty-other",
        "No tile is left after another player's turn",
        NO_TILE_LEFT,
        "Answer <void/> to the <score> that follows the last <state>, whether or not you moved.",
        "waiting for a <state> after every turn.",
        turns=1,
    )
    yield end_case(
        make_script(rulebook, Segment(_full(rulebook, "player", bag="2I"), 2)),
        "last-tile",
        "You draw the last tile, and the game goes on",
        ENDINGS,
        "Answer <void/> to <tile> and <state>; <score> follows the next player's turn.",
        "assuming that the game is over when the bag is empty.",
        frozenset({"tile", "score"}),
    )


def _beyond_an_empty_bag(rulebook: Rulebook) -> Iterator[Case]:
    yield end_case(
        make_script(rulebook, _full(rulebook, "player")),
        "bag-empty",
        "The bag is empty, and the game goes on",
        NO_TILE,
        "Answer <void/> to the <state> that follows your <pbuy>: there is no tile to draw.",
        "waiting for <tile> after every turn.",
        frozenset({"state"}),
    )
    yield end_case(
        make_script(rulebook, _full_merger(rulebook, "player")),
        "bag-empty-merger",
        "The bag is empty, and the game goes on after a merger",
        NO_TILE,
        "Answer <void/> to the <state> that follows your <order>: there is no tile to draw.",
        "waiting for <tile> after every turn.",
        frozenset({"state"}),
    )
