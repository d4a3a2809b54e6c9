"""The end of a game for lack of tiles: none can be placed, or none is left to draw."""

from functools import partial

from ....game.rulebook import EmptyBag, StuckHand
from ..case_parts.acquisitions import CONVERSATION
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.scenario import Scenario
from .end import ENDINGS, over
from .hands import NONE_LEFT

NO_TILE_LEFT = CaseSource(
    CONVERSATION,
    "When no tile is left to draw, `score` follows the answer to `turn` (or `players`) at once.",
)

NO_PLACEMENT = """
    ............
    ............
    ............
    {safe:A}
    ............
    .FFFFFF.....
    ............
    ............
    ........SS..
    """
UNPLAYABLE = "2E 3E 4E 5E 6E 7E"
"""Tiles that would merge a safe hotel there."""
APART = "2A 4A 6A 8A 10A 12A"
"""Tiles that touch no hotel there."""

TWO_ROWS_LOST = """
    AAAAAAAAAAAA
    AAAAAAAAAAAA
    ............
    IIIIIIIIIIII
    IIIIIIIIIIII
    ............
    """
"""Two safe hotels, and two rows between hotels in which no tile can be placed."""
FULL = f"""{TWO_ROWS_LOST}SSSSSSSS.TTT
    SSSSSSSS.TTT
    SS..........
    """
GROWING = "3I 5I 7I 9I 10I 12I", "9G 9H 4I 6I 8I 11I"
"""The tiles of the mover and of another player: those left on that board, but for the two rows.
The mover's make S grow, or stay unincorporated."""
FULL_MERGER = f"""{TWO_ROWS_LOST}SSSSSS.TT.CC
    .......TT.CC
    WWWWWW.TT.CC
    """
MERGING = "1H 2H 3H 4H 5H 6H", "7G 10G 7H 10H 7I 10I"
"""The same of this board: the mover's tiles merge S and W."""
IN_LOST_ROWS = (
    "1C 2C 3C 4C 5C 6C",
    "7C 8C 9C 10C 11C 12C",
    "1F 2F 3F 4F 5F 6F",
    "7F 8F 9F 10F 11F 12F",
)
SHARES = ("A3 T2 $900", "A5 S4 $400", "I4 S3 $1100", "I6 T4 $200", "A2 I2 $700", "S5 $300")


def _six(
    drawing: str, hands: tuple[str, str], mover: str = "player", bag: str = "", turns: int = 1
) -> Scenario:
    """Return a scenario in which all tiles but those in the bag are on the board or in hands."""
    names = ["player", "ann", "bob", "cyd", "dan", "eve"]
    names.remove(mover)
    seats = zip([mover, *names], [*hands, *IN_LOST_ROWS], SHARES, strict=True)
    return Scenario(drawing + " | ".join(map(" ".join, seats)), bag=bag, turns=turns)


_at_once = partial(
    over,
    source=NO_TILE_LEFT,
    hint="waiting for <tile> and <state>, and taking <score> for an error.",
    when=EmptyBag.ENDS_GAME,
)
_goes_on = partial(
    CaseRow,
    source=NONE_LEFT,
    hint="waiting for <tile> after every turn.",
    tested="state",
    when=EmptyBag.PLAYS_ON,
)

CASES = (
    over(
        "stuck",
        "You are next, and cannot place any tile",
        ENDINGS,
        Scenario(NO_PLACEMENT + f"ann {APART} A2 | player {UNPLAYABLE} F3 | bob S2", turns=2),
        expected="Answer <void/> to <state> and then to <score>; no <turn> comes.",
        hint="waiting for a <turn> without a legal move.",
        when=StuckHand.ENDS_GAME,
    ),
    over(
        "next-stuck",
        "The next player cannot place any tile",
        ENDINGS,
        Scenario(NO_PLACEMENT + f"player {APART} A2 | ann {UNPLAYABLE} F3 | bob S2", turns=2),
        expected="Answer <void/> to <tile>, <state> and <score>.",
        hint="waiting for the other players' turns.",
        when=StuckHand.ENDS_GAME,
    ),
    _at_once(
        "bag-empty",
        "No tile is left after your turn",
        scenario=_six(FULL, GROWING, turns=2),
        expected="Answer <void/> to the <score> that follows your <pbuy> at once.",
    ),
    _at_once(
        "bag-empty-merger",
        "No tile is left after your merger",
        scenario=_six(FULL_MERGER, MERGING, turns=2),
        expected="Answer <void/> to the <score> that follows your <order> at once.",
    ),
    _at_once(
        "bag-empty-other",
        "No tile is left after another player's turn",
        scenario=_six(FULL, GROWING, "ann", turns=2),
        expected="Answer <void/> to the <score> that follows the last <state>, whether or not "
        "you moved.",
        hint="waiting for a <state> after every turn.",
    ),
    CaseRow(
        "last-tile",
        "You draw the last tile, and the game goes on",
        ENDINGS,
        _six(FULL.replace("SS....", "S....."), GROWING, bag="2I", turns=2),
        expected="Answer <void/> to <tile> and <state>; <score> follows the next player's turn.",
        hint="assuming that the game is over when the bag is empty.",
        tested="tile score",
        when=EmptyBag.ENDS_GAME,
    ),
    _goes_on(
        "bag-empty",
        "The bag is empty, and the game goes on",
        scenario=_six(FULL, GROWING),
        expected="Answer <void/> to the <state> that follows your <pbuy>: there is no tile to "
        "draw.",
    ),
    _goes_on(
        "bag-empty-merger",
        "The bag is empty, and the game goes on after a merger",
        scenario=_six(FULL_MERGER, MERGING),
        expected="Answer <void/> to the <state> that follows your <order>: there is no tile to "
        "draw.",
    ),
)
