"""The end of a game: the scores, ends that the referee sees, and ends that a player declares."""

from functools import partial

from ....game.rulebook import End, Rulebook
from ..case_parts.acquisitions import CONVERSATION
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.scenario import Scenario

RESULTS = CaseSource(
    CONVERSATION,
    "`A> score` to every player still at the table: the results by falling score, ties by name, "
    "and the last position; `P> void`.",
)
AFTER_STATE = CaseSource(CONVERSATION, "This `state` also follows the last turn, before the score.")
ENDINGS = CaseSource(
    "The rules in short",
    "a hotel has 40 tiles or more; or there are hotels on the board and all of them are safe; or "
    "the next player cannot place any tile in hand; or no tile is left to draw",
)

SAYING = "What you can send"
DECLARED = CaseSource(
    SAYING,
    "if a hotel has 41 tiles or all hotels on the board are safe, at the start of the turn or "
    "after the placement",
)
FALSE = CaseSource(SAYING, "A false declaration is an illegal move.")
NO_MORE = CaseSource(
    SAYING,
    "The order is carried out, no tile is drawn and no `state` is sent: the scores follow at once.",
)

THREE_HOTELS = """
    ............
    .AAA....TT..
    ............
    ............
    .....WWWW...
    """
ONE_LARGE = """
    AAA.........
    ............
    ............
    WWWWWWWWWWWW
    WWWWWWWWWWWW
    WWWWWWWWWWWW
    """
"""A is small, and W goes on in the next row, from the fifth column on."""
ABOVE = "1C 3C 5C 7C 9C 11C"
"""Tiles that make W grow there, and do nothing else."""
AWAY = "1I 3I 5I 7I 9I 11I"
"""Tiles that stay unincorporated there."""
NEARLY_LARGE = f"{ONE_LARGE}....{{final-37:W}}\n"
"""W has one tile less than ends a game: 36 in whole rows, and the rest."""
HARDLY_LARGE = f"{ONE_LARGE}....{{final-38:W}}\n"
ONE_SAFE = """
    ............
    ............
    ............
    {{safe-{short}:A}}
    ............
    ............
    ............
    WWWWWWWWWWWW
    .....W......
    """
"""W is safe; A, the only other hotel, is ``short`` of it by some tiles."""
NEARLY_SAFE, HARDLY_SAFE = ONE_SAFE.format(short=1), ONE_SAFE.format(short=2)
BESIDE = "2C 5C 8C 3E 6E 9E"
"""Tiles that make A grow there."""

_score = partial(CaseRow, tested="score")
"""A case of the score that follows."""
over = partial(_score, turns=1)
"""A case in which the first turn should end the game: there is a second that must not begin."""


def is_seen_by_referee(rulebook: Rulebook) -> bool:
    """Whether the referee ends a game between turns."""
    return rulebook.end is End.ADMINISTRATOR


def is_declared(rulebook: Rulebook) -> bool:
    """Whether a player declares the end of a game."""
    return rulebook.end is not End.ADMINISTRATOR


OF_SCORES = (
    _score(
        "score",
        "The score after the last turn, with other players ahead",
        RESULTS,
        THREE_HOTELS + "player A1 $700 | ann A4 T3 $5200 | bob W5 $6100",
        expected="Answer <void/> to <score>, after the <state> of the last turn.",
        hint="reading the results as a position, with yourself first.",
    ),
    _score(
        "score-tied",
        "Two players with the same score",
        RESULTS,
        THREE_HOTELS + "player A1 $700 | ann T2 W1 $5000 | bob T2 W1 $5000",
        expected="Answer <void/> to <score>, which has the same result twice.",
        hint="storing results by score, and losing one of two equals.",
    ),
)

_seen = partial(
    over, when=is_seen_by_referee, hint="waiting for another <turn>, or exiting before <score>."
)

BY_THE_REFEREE = (
    _seen(
        "large-own",
        "Your tile makes a hotel of {final}",
        ENDINGS,
        Scenario(NEARLY_LARGE + f"player {ABOVE} W2 | ann A2 | bob W5", turns=2),
        expected="Answer <void/> to <score>, after <tile> and <state>: {W} has {final} tiles.",
    ),
    _seen(
        "large-other",
        "Another player's tile makes a hotel of {final}",
        ENDINGS,
        Scenario(NEARLY_LARGE + f"ann {ABOVE} W2 | player A2 | bob W5", turns=2),
        expected="Answer <void/> to <state> and <score>; no turn comes: {W} has {final} tiles.",
    ),
    CaseRow(
        "nearly-large",
        "A hotel of {final-1} tiles does not end the game",
        ENDINGS,
        Scenario(
            HARDLY_LARGE + f"player {ABOVE} W2 | ann {AWAY} A2 | bob 6A 8A 10A 12A 8H 10H W5",
            turns=4,
        ),
        expected="Answer <turn>, and another one a round later: {W} has {final-1} tiles.",
        hint="deciding by yourself that the game is over, and sending nothing more.",
        when=is_seen_by_referee,
    ),
    _seen(
        "safe-own",
        "Your tile makes the last hotel safe",
        ENDINGS,
        Scenario(NEARLY_SAFE + f"player {BESIDE} A2 | ann A2 | bob W5", turns=2),
        expected="Answer <void/> to <score>, after <tile> and <state>: {A} has {safe} tiles.",
    ),
    _seen(
        "safe-other",
        "Another player's tile makes the last hotel safe",
        AFTER_STATE,
        Scenario(NEARLY_SAFE + f"ann {BESIDE} A2 | player A2 | bob W5", turns=2),
        expected="Answer <void/> to <state> and then to <score>; no turn of yours comes.",
    ),
)

_may_declare = partial(CaseRow, source=DECLARED, must_answer="turn score", when=is_declared)
_false = partial(CaseRow, source=FALSE, when=is_declared)

BY_DECLARATION = (
    _may_declare(
        "may-declare-large",
        "Your tile makes a hotel of {final}",
        scenario=NEARLY_LARGE + f"player {ABOVE} W2 | ann A2 | bob W5",
        expected="Send <pbuy>, if you like with <end/> at the end of the order: {W} has {final} "
        "tiles.",
        hint="putting <end/> before the hotels of the order, or outside it.",
    ),
    _may_declare(
        "may-declare-safe",
        "Your tile makes the last hotel safe",
        scenario=NEARLY_SAFE + f"player {BESIDE} A2 | ann A2 | bob W5",
        expected="Send <pbuy>, with or without <end/>: {A} has {safe} tiles after the placement.",
        hint="waiting for <tile> and <state> after <end/>.",
    ),
    _may_declare(
        "may-declare-before",
        "All hotels are safe until your tile founds one",
        scenario="""
        ............
        ............
        ............
        AAAAAAAAAAAA
        ............
        ............
        ............
        .o..o..o..o.
        player 1H 3H 4H 7H 9H 12H A2 | ann A5 | bob A3
        """,
        expected="Send <pbuy>, with or without <end/>: all hotels are safe at the start of the "
        "turn.",
        hint="founding a hotel without naming it.",
    ),
    over(
        "another-declares",
        "Another player declares the end",
        NO_MORE,
        Scenario(NEARLY_LARGE + f"ann {ABOVE} W2 | player A2 | bob W5", turns=2),
        expected="Answer <void/> to the <score> that follows the last <state>, whether or not "
        "you moved.",
        hint="waiting for a <state> after every turn.",
        when=is_declared,
    ),
    _false(
        "not-large-enough",
        "Your tile makes a hotel of {final-1}",
        scenario=HARDLY_LARGE + f"player {ABOVE} W2 | ann A2 | bob W5",
        expected="Send <pbuy> without <end/>: {W} has {final-1} tiles, and {final} are needed.",
        hint="declaring the end from {final-1} tiles on.",
    ),
    _false(
        "not-all-safe",
        "One hotel is one tile short of being safe",
        scenario=HARDLY_SAFE + f"player {BESIDE} A2 | ann A2 | bob W5",
        expected="Send <pbuy> without <end/>: {A} has {safe-1} tiles and is safe from {safe} on.",
        hint="declaring the end when any hotel is safe, or one tile too early.",
    ),
)

CASES = OF_SCORES + BY_THE_REFEREE + BY_DECLARATION
