"""The end of a game: the scores, ends that the referee sees, and ends that a player declares."""

from collections.abc import Iterator

from ....game.rulebook import End, Rulebook
from ....game.state import State
from ...refereeing.play.referee import Segment
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.position_text import hotel_name, make_script, parse_position
from ..trial.script import Script

END = section("end")


SCORE, TURN = frozenset({"score"}), frozenset({"turn"})

CONVERSATION = "The conversation"
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

ABOVE = "1C 3C 5C 7C 9C 11C"
"""Tiles that make W grow on the board of `_with_large_hotel`, and do nothing else."""
AWAY = "1I 3I 5I 7I 9I 11I"
"""Tiles that stay unincorporated there."""
BESIDE = "2C 5C 8C 3E 6E 9E"
"""Tiles that make A grow on the board of `_with_safe_hotel`."""


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this module that a rulebook has."""
    yield from _of_scores(rulebook)
    if rulebook.end is End.ADMINISTRATOR:
        yield from _by_the_referee(rulebook)
    else:
        yield from _by_declaration(rulebook)
        yield from _false_declarations(rulebook)


def end_case(
    script: Script,
    slug: str,
    title: str,
    source: CaseSource,
    expected: str,
    hint: str,
    tested: frozenset[str] = SCORE,
    must_answer: frozenset[str] | None = None,
    turns: int | None = None,
) -> Case:
    """Make a case of this section.

    Where the first turn should end the game, the script has a second one that must not begin:
    then ``turns`` is 1.
    """
    return Case(
        section=END,
        slug=slug,
        title=title,
        source=source,
        expected=expected,
        hint=hint,
        tested=tested,
        must_answer=must_answer,
        script=script,
        turns=turns,
    )


def _of_scores(rulebook: Rulebook) -> Iterator[Case]:
    drawing = """
        ............
        .AAA....TT..
        ............
        ............
        .....WWWW...
        """
    yield end_case(
        make_script(
            rulebook,
            parse_position(rulebook, drawing, "player A1 $700", "ann A4 T3 $5200", "bob W5 $6100"),
        ),
        "score",
        "The score after the last turn, with other players ahead",
        RESULTS,
        "Answer <void/> to <score>, after the <state> of the last turn.",
        "reading the results as a position, with yourself first.",
    )
    yield end_case(
        make_script(
            rulebook,
            parse_position(
                rulebook, drawing, "player A1 $700", "ann T2 W1 $5000", "bob T2 W1 $5000"
            ),
        ),
        "score-tied",
        "Two players with the same score",
        RESULTS,
        "Answer <void/> to <score>, which has the same result twice.",
        "storing results by score, and losing one of two equals.",
    )


def _with_large_hotel(rulebook: Rulebook, size: int, *seats: str) -> State:
    """Return a position in which W has ``size`` tiles, at least 36, and A is small."""
    return parse_position(
        rulebook,
        f"""
        AAA.........
        ............
        ............
        WWWWWWWWWWWW
        WWWWWWWWWWWW
        WWWWWWWWWWWW
        ....{"W" * (size - 36)}
        """,
        *seats,
    )


def _with_safe_hotel(rulebook: Rulebook, size: int, *seats: str) -> State:
    """Return a position in which A has ``size`` tiles and W, the only other hotel, is safe."""
    return parse_position(
        rulebook,
        f"""
        ............
        ............
        ............
        {"A" * size}
        ............
        ............
        ............
        WWWWWWWWWWWW
        .....W......
        """,
        *seats,
    )


# -- ends that the referee sees -----------------------------------------------------------------


def _by_the_referee(rulebook: Rulebook) -> Iterator[Case]:
    final, safe = rulebook.final_size, rulebook.safe_size
    large, grown = hotel_name(rulebook, "W"), hotel_name(rulebook, "A")
    hint = "waiting for another <turn>, or exiting before <score>."
    yield end_case(
        make_script(
            rulebook,
            Segment(
                _with_large_hotel(rulebook, final - 1, f"player {ABOVE} W2", "ann A2", "bob W5"), 2
            ),
        ),
        "large-own",
        f"Your tile makes a hotel of {final}",
        ENDINGS,
        f"Answer <void/> to <score>, after <tile> and <state>: {large} has {final} tiles.",
        hint,
        turns=1,
    )
    yield end_case(
        make_script(
            rulebook,
            Segment(
                _with_large_hotel(rulebook, final - 1, f"ann {ABOVE} W2", "player A2", "bob W5"), 2
            ),
        ),
        "large-other",
        f"Another player's tile makes a hotel of {final}",
        ENDINGS,
        f"Answer <void/> to <state> and <score>; no turn comes: {large} has {final} tiles.",
        hint,
        turns=1,
    )
    yield end_case(
        make_script(rulebook, Segment(_nearly_large(rulebook), 4)),
        "nearly-large",
        f"A hotel of {final - 1} tiles does not end the game",
        ENDINGS,
        f"Answer <turn>, and another one a round later: {large} has {final - 1} tiles.",
        "deciding by yourself that the game is over, and sending nothing more.",
        TURN,
    )
    yield end_case(
        make_script(
            rulebook,
            Segment(
                _with_safe_hotel(rulebook, safe - 1, f"player {BESIDE} A2", "ann A2", "bob W5"), 2
            ),
        ),
        "safe-own",
        "Your tile makes the last hotel safe",
        ENDINGS,
        f"Answer <void/> to <score>, after <tile> and <state>: {grown} has {safe} tiles.",
        hint,
        turns=1,
    )
    yield end_case(
        make_script(
            rulebook,
            Segment(
                _with_safe_hotel(rulebook, safe - 1, f"ann {BESIDE} A2", "player A2", "bob W5"), 2
            ),
        ),
        "safe-other",
        "Another player's tile makes the last hotel safe",
        AFTER_STATE,
        "Answer <void/> to <state> and then to <score>; no turn of yours comes.",
        hint,
        turns=1,
    )


def _nearly_large(rulebook: Rulebook) -> State:
    """Return a position in which W grows to one tile short of the end."""
    return _with_large_hotel(
        rulebook,
        rulebook.final_size - 2,
        f"player {ABOVE} W2",
        f"ann {AWAY} A2",
        "bob 6A 8A 10A 12A 8H 10H W5",
    )


# -- ends that a player declares ----------------------------------------------------------------


def _by_declaration(rulebook: Rulebook) -> Iterator[Case]:
    final, safe = rulebook.final_size, rulebook.safe_size
    large, grown = hotel_name(rulebook, "W"), hotel_name(rulebook, "A")
    yield end_case(
        make_script(
            rulebook,
            _with_large_hotel(rulebook, final - 1, f"player {ABOVE} W2", "ann A2", "bob W5"),
        ),
        "may-declare-large",
        f"Your tile makes a hotel of {final}",
        DECLARED,
        f"Send <pbuy>, if you like with <end/> at the end of the order: {large} has {final} tiles.",
        "putting <end/> before the hotels of the order, or outside it.",
        TURN,
        frozenset({"turn", "score"}),
    )
    yield end_case(
        make_script(
            rulebook,
            _with_safe_hotel(rulebook, safe - 1, f"player {BESIDE} A2", "ann A2", "bob W5"),
        ),
        "may-declare-safe",
        "Your tile makes the last hotel safe",
        DECLARED,
        f"Send <pbuy>, with or without <end/>: {grown} has {safe} tiles after the placement.",
        "waiting for <tile> and <state> after <end/>.",
        TURN,
        frozenset({"turn", "score"}),
    )
    yield end_case(
        make_script(rulebook, _safe_before(rulebook)),
        "may-declare-before",
        "All hotels are safe until your tile founds one",
        DECLARED,
        "Send <pbuy>, with or without <end/>: all hotels are safe at the start of the turn.",
        "founding a hotel without naming it.",
        TURN,
        frozenset({"turn", "score"}),
    )
    yield end_case(
        make_script(
            rulebook,
            Segment(
                _with_large_hotel(rulebook, final - 1, f"ann {ABOVE} W2", "player A2", "bob W5"), 2
            ),
        ),
        "another-declares",
        "Another player declares the end",
        NO_MORE,
        "Answer <void/> to the <score> that follows the last <state>, whether or not you moved.",
        "waiting for a <state> after every turn.",
        turns=1,
    )


def _false_declarations(rulebook: Rulebook) -> Iterator[Case]:
    final, safe = rulebook.final_size, rulebook.safe_size
    large, grown = hotel_name(rulebook, "W"), hotel_name(rulebook, "A")
    yield end_case(
        make_script(
            rulebook,
            _with_large_hotel(rulebook, final - 2, f"player {ABOVE} W2", "ann A2", "bob W5"),
        ),
        "not-large-enough",
        f"Your tile makes a hotel of {final - 1}",
        FALSE,
        f"Send <pbuy> without <end/>: {large} has {final - 1} tiles, and {final} are needed.",
        f"declaring the end from {final - 1} tiles on.",
        TURN,
    )
    yield end_case(
        make_script(
            rulebook,
            _with_safe_hotel(rulebook, safe - 2, f"player {BESIDE} A2", "ann A2", "bob W5"),
        ),
        "not-all-safe",
        "One hotel is one tile short of being safe",
        FALSE,
        f"Send <pbuy> without <end/>: {grown} has {safe - 1} tiles and is safe from {safe} on.",
        "declaring the end when any hotel is safe, or one tile too early.",
        TURN,
    )


def _safe_before(rulebook: Rulebook) -> State:
    """Return a position in which the only hotel is safe, and every tile founds another."""
    return parse_position(
        rulebook,
        """
        ............
        ............
        ............
        AAAAAAAAAAAA
        ............
        ............
        ............
        .o..o..o..o.
        """,
        "player 1H 3H 4H 7H 9H 12H A2",
        "ann A5",
        "bob A3",
    )
