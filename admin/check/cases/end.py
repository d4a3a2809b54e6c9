"""The end of a match: what ends it, who says so, what is told, and what an ejection leaves."""

from collections.abc import Iterator

from admin.check.case import Case, Source, section
from admin.check.scene import hotel_name, scene, script
from admin.check.tablemates import leaving
from admin.match.referee import Segment
from admin.trial.script import Script
from game.rulebook import EmptyBag, End, Rulebook, StuckHand
from game.state import State

END = section("end")
SCORE, TURN = frozenset({"score"}), frozenset({"turn"})

CONVERSATION = "The conversation"
RESULTS = Source(
    CONVERSATION,
    "`A> score` to every player still at the table: the results by falling score, ties by name, "
    "and the last position; `P> void`.",
)
AFTER_STATE = Source(CONVERSATION, "This `state` also follows the last turn, before the score.")
AT_ONCE = Source(
    CONVERSATION,
    "When no tile is left to draw, `score` follows the answer to `turn` (or `players`) at once.",
)
ENDINGS = Source(
    "The rules in short",
    "a hotel has 40 tiles or more; or there are hotels on the board and all of them are safe; or "
    "the next player cannot place any tile in hand; or no tile is left to draw",
)
LEFT = Source(CONVERSATION, "An ejected player is missing from the next position")
NO_STATE = Source(
    CONVERSATION, "no `state` is sent for an undone turn"
)  # fmt: skip
GOES_ON = Source(CONVERSATION, "The match goes on with those who remain, even with only one.")

SAYING = "What you can send"
DECLARED = Source(
    SAYING, "once a hotel has 41 tiles or all hotels on the board are safe **after** the placement"
)
FALSE = Source(SAYING, "A false declaration is an illegal move.")
NO_MORE = Source(
    SAYING,
    "The order is carried out, no tile is drawn and no `state` is sent: the scores follow at once.",
)
NO_TILE = Source("The end of a turn", "none when the bag is empty")
MARKET = Source(
    "Two players",
    "At the end of the game `market` comes once more for each hotel on the board, largest first, "
    "equals alphabetically, before the scores",
)

ABOVE = "1C 3C 5C 7C 9C 11C"
"""Tiles by which W grows on the board that `_large` draws, and nothing else happens."""
AWAY = "1I 3I 5I 7I 9I 11I"
"""Tiles that stay unincorporated there."""


AT_ONCE_OVER = {
    *("large-own", "large-other", "safe-own", "safe-other", "stuck", "next-stuck"),
    *("bag-empty", "bag-empty-merger", "bag-empty-other", "another-declares"),
}
"""Cases that the first of their turns ends: the second is there so that it may not begin."""


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    yield from _of_scores(rulebook)
    if rulebook.end is End.ADMINISTRATOR:
        yield from _by_the_administrator(rulebook)
    else:
        yield from _by_declaration(rulebook)
        yield from _false_declarations(rulebook)
    if rulebook.stuck_hand is StuckHand.ENDS_GAME:
        yield from _without_a_placement(rulebook)
    if rulebook.empty_bag is EmptyBag.ENDS_GAME:
        yield from _with_an_empty_bag(rulebook)
    else:
        yield from _beyond_an_empty_bag(rulebook)
    yield from _after_ejections(rulebook)
    if rulebook.market_for_two:
        yield _market_at_the_end(rulebook)


def _case(
    played: Script,
    slug: str,
    title: str,
    source: Source,
    expected: str,
    hint: str,
    about: frozenset[str] = SCORE,
    reaches: frozenset[str] | None = None,
) -> Case:
    return Case(
        section=END,
        slug=slug,
        title=title,
        source=source,
        expected=expected,
        hint=hint,
        about=about,
        reaches=reaches,
        script=played,
        turns=1 if slug in AT_ONCE_OVER else None,
    )


# -- the score ----------------------------------------------------------------------------------


def _of_scores(rulebook: Rulebook) -> Iterator[Case]:
    drawing = """
        ............
        .AAA....TT..
        ............
        ............
        .....WWWW...
        """
    yield _case(
        script(
            rulebook,
            scene(rulebook, drawing, "player A1 $700", "ann A4 T3 $5200", "bob W5 $6100"),
        ),
        "score",
        "The score after the last turn, others ahead",
        RESULTS,
        "The answer <void/> to <score>, after the <state> of the last turn.",
        "Often the results are read as a position, with oneself first.",
    )
    yield _case(
        script(
            rulebook,
            scene(rulebook, drawing, "player A1 $700", "ann T2 W1 $5000", "bob T2 W1 $5000"),
        ),
        "score-tied",
        "Two players with the same score",
        RESULTS,
        "The answer <void/> to <score>, in which two results are the same.",
        "Often results are kept by score, and of equals one is lost.",
    )


# -- ends that the administrator sees -----------------------------------------------------------


def _large(rulebook: Rulebook, size: int, *seats: str) -> State:
    """Lay out a position in which W has so many tiles, from 36 on, and A is small."""
    return scene(
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


def _safe(rulebook: Rulebook, size: int, *seats: str) -> State:
    """Lay out a position in which A has so many tiles and W, the only other hotel, is safe."""
    return scene(
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


BESIDE = "2C 5C 8C 3E 6E 9E"
"""Tiles by which A grows on the board that `_safe` draws."""
APART = "2A 4A 6A 8A 10A 12A"
"""Tiles that touch no hotel on any of these boards."""


def _by_the_administrator(rulebook: Rulebook) -> Iterator[Case]:
    final, safe = rulebook.final_size, rulebook.safe_size
    large, grown = hotel_name(rulebook, "W"), hotel_name(rulebook, "A")
    hint = "Often another <turn> is waited for, or the program ends before the <score>."
    yield _case(
        script(
            rulebook,
            Segment(_large(rulebook, final - 1, f"player {ABOVE} W2", "ann A2", "bob W5"), 2),
        ),
        "large-own",
        f"Your tile makes a hotel of {final}",
        ENDINGS,
        f"The answer <void/> to <score>, after <tile> and <state>: {large} has {final} tiles.",
        hint,
    )
    yield _case(
        script(
            rulebook,
            Segment(_large(rulebook, final - 1, f"ann {ABOVE} W2", "player A2", "bob W5"), 2),
        ),
        "large-other",
        f"Another's tile makes a hotel of {final}",
        ENDINGS,
        f"The answer <void/> to <state> and <score>, before any turn: {large} has {final} tiles.",
        hint,
    )
    yield _case(
        script(rulebook, Segment(_nearly_large(rulebook), 4)),
        "nearly-large",
        f"A hotel of {final - 1} tiles ends nothing",
        ENDINGS,
        f"An answer to <turn>, and to another one a round later: {large} has {final - 1} tiles.",
        "Often a program takes the match to be over by its own count, and says no more.",
        TURN,
    )
    yield _case(
        script(
            rulebook,
            Segment(_safe(rulebook, safe - 1, f"player {BESIDE} A2", "ann A2", "bob W5"), 2),
        ),
        "safe-own",
        "Your tile makes the last hotel safe",
        ENDINGS,
        f"The answer <void/> to <score>, after <tile> and <state>: {grown} has {safe} tiles.",
        hint,
    )
    yield _case(
        script(
            rulebook,
            Segment(_safe(rulebook, safe - 1, f"ann {BESIDE} A2", "player A2", "bob W5"), 2),
        ),
        "safe-other",
        "Another's tile makes the last hotel safe",
        AFTER_STATE,
        "The answer <void/> to <state> and then to <score>, before any turn of one's own.",
        hint,
    )


def _nearly_large(rulebook: Rulebook) -> State:
    """Lay out a position in which W grows to one tile short of the end."""
    return _large(
        rulebook,
        rulebook.final_size - 2,
        f"player {ABOVE} W2",
        f"ann {AWAY} A2",
        "bob 6A 8A 10A 12A 8H 10H W5",
    )


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
    stuck = "2E 3E 4E 5E 6E 7E"
    yield _case(
        script(
            rulebook,
            Segment(scene(rulebook, drawing, f"ann {APART} A2", f"player {stuck} F3", "bob S2"), 2),
        ),
        "stuck",
        "You are next, and can place none of your tiles",
        ENDINGS,
        "The answer <void/> to <state> and then to <score>; no <turn> comes.",
        "Often a <turn> without a move is waited for.",
    )
    yield _case(
        script(
            rulebook,
            Segment(scene(rulebook, drawing, f"player {APART} A2", f"ann {stuck} F3", "bob S2"), 2),
        ),
        "next-stuck",
        "The next player can place none of the tiles in hand",
        ENDINGS,
        "The answer <void/> to <tile>, <state> and <score>.",
        "Often the others' turns are waited for.",
    )


# -- the empty bag ------------------------------------------------------------------------------


ROWS = """
    AAAAAAAAAAAA
    AAAAAAAAAAAA
    ............
    IIIIIIIIIIII
    IIIIIIIIIIII
    ............"""
"""Two safe hotels, and rows beside them in which no tile can be placed."""
IDLE = ["1C 2C 3C 4C 5C 6C", "7C 8C 9C 10C 11C 12C", "1F 2F 3F 4F 5F 6F", "7F 8F 9F 10F 11F 12F"]


def _full(rulebook: Rulebook, mover: str, bag: str = "") -> State:
    """Lay out a position of six in which the mover's hotel S grows, or a tile lies alone.

    All tiles lie on the board or in hands, but for one that may be in the bag: 2I.
    """
    drawing = f"""{ROWS}
    SSSSSSSS.TTT
    SSSSSSSS.TTT
    {"S." if bag else "SS"}..........
    """
    hands = ["3I 5I 7I 9I 10I 12I", "9G 9H 4I 6I 8I 11I", *IDLE]
    return _of_six(rulebook, drawing, mover, hands, bag)


def _full_merger(rulebook: Rulebook, mover: str) -> State:
    """Lay out a position of six without a bag in which the mover's tiles merge S and W."""
    drawing = f"""{ROWS}
    SSSSSS.TT.CC
    .......TT.CC
    WWWWWW.TT.CC
    """
    hands = ["1H 2H 3H 4H 5H 6H", "7G 10G 7H 10H 7I 10I", *IDLE]
    return _of_six(rulebook, drawing, mover, hands)


def _of_six(rulebook: Rulebook, drawing: str, mover: str, hands: list[str], bag: str = "") -> State:
    """Lay out a position in which six players hold these hands, ``mover`` the first of them."""
    names = ["player", "ann", "bob", "cyd", "dan", "eve"]
    names.remove(mover)
    shares = ["A3 T2 $900", "A5 S4 $400", "I4 S3 $1100", "I6 T4 $200", "A2 I2 $700", "S5 $300"]
    seats = [
        f"{name} {hand} {held}"
        for name, hand, held in zip([mover, *names], hands, shares, strict=True)
    ]
    return scene(rulebook, drawing, *seats, bag=bag)


def _with_an_empty_bag(rulebook: Rulebook) -> Iterator[Case]:
    hint = "Often <tile> and <state> are waited for, and <score> is taken for a mistake."
    yield _case(
        script(rulebook, Segment(_full(rulebook, "player"), 2)),
        "bag-empty",
        "No tile is left after your turn",
        AT_ONCE,
        "The answer <void/> to the <score> that follows the <pbuy> at once.",
        hint,
    )
    yield _case(
        script(rulebook, Segment(_full_merger(rulebook, "player"), 2)),
        "bag-empty-merger",
        "No tile is left after your merger",
        AT_ONCE,
        "The answer <void/> to the <score> that follows the <order> at once.",
        hint,
    )
    yield _case(
        script(rulebook, Segment(_full(rulebook, "ann"), 2)),
        "bag-empty-other",
        "No tile is left after another's turn",
        AT_ONCE,
        "The answer <void/> to the <score> that follows the last <state>, whosever turn it was.",
        "Often a <state> is waited for after each turn.",
    )
    yield _case(
        script(rulebook, Segment(_full(rulebook, "player", bag="2I"), 2)),
        "last-tile",
        "You draw the last tile, and the match goes on",
        ENDINGS,
        "The answer <void/> to <tile> and <state>; <score> comes after the next player's turn.",
        "Often the match is taken to be over when the bag is empty.",
        frozenset({"tile", "score"}),
    )


def _beyond_an_empty_bag(rulebook: Rulebook) -> Iterator[Case]:
    yield _case(
        script(rulebook, _full(rulebook, "player")),
        "bag-empty",
        "The bag is empty, and the match goes on",
        NO_TILE,
        "The answer <void/> to the <state> that follows the <pbuy>: there is no tile to draw.",
        "Often <tile> is waited for after each turn.",
        frozenset({"state"}),
    )
    yield _case(
        script(rulebook, _full_merger(rulebook, "player")),
        "bag-empty-merger",
        "The bag is empty, and the match goes on after a merger",
        NO_TILE,
        "The answer <void/> to the <state> that follows the <order>: there is no tile to draw.",
        "Often <tile> is waited for after each turn.",
        frozenset({"state"}),
    )


# -- ends that are declared ---------------------------------------------------------------------


def _by_declaration(rulebook: Rulebook) -> Iterator[Case]:
    final, safe = rulebook.final_size, rulebook.safe_size
    large, grown = hotel_name(rulebook, "W"), hotel_name(rulebook, "A")
    yield _case(
        script(rulebook, _large(rulebook, final - 1, f"player {ABOVE} W2", "ann A2", "bob W5")),
        "may-declare-large",
        f"Your tile makes a hotel of {final}",
        DECLARED,
        f"A <pbuy> with or without <end/>, the last thing in the order: {large} has {final} tiles.",
        "Often <end/> stands before the hotels of the order, or outside of it.",
        TURN,
        frozenset({"turn", "score"}),
    )
    yield _case(
        script(rulebook, _safe(rulebook, safe - 1, f"player {BESIDE} A2", "ann A2", "bob W5")),
        "may-declare-safe",
        "Your tile makes the last hotel safe",
        DECLARED,
        f"A <pbuy> with or without <end/>: {grown} has {safe} tiles after the placement.",
        "Often <tile> and <state> are waited for after <end/>.",
        TURN,
        frozenset({"turn", "score"}),
    )
    yield _case(
        script(
            rulebook,
            Segment(_large(rulebook, final - 1, f"ann {ABOVE} W2", "player A2", "bob W5"), 2),
        ),
        "another-declares",
        "Another declares the end",
        NO_MORE,
        "The answer <void/> to the <score> that follows the last <state>, whosever turn it was.",
        "Often a <state> is waited for after each turn.",
    )


def _false_declarations(rulebook: Rulebook) -> Iterator[Case]:
    final, safe = rulebook.final_size, rulebook.safe_size
    large, grown = hotel_name(rulebook, "W"), hotel_name(rulebook, "A")
    yield _case(
        script(rulebook, _large(rulebook, final - 2, f"player {ABOVE} W2", "ann A2", "bob W5")),
        "not-large-enough",
        f"Your tile makes a hotel of {final - 1}",
        FALSE,
        f"A <pbuy> without <end/>: {large} has {final - 1} tiles, and {final} are needed.",
        f"Often the end is declared from {final - 1} tiles on.",
        TURN,
    )
    yield _case(
        script(rulebook, _safe(rulebook, safe - 2, f"player {BESIDE} A2", "ann A2", "bob W5")),
        "not-all-safe",
        "One hotel is not safe by one tile",
        FALSE,
        f"A <pbuy> without <end/>: {grown} has {safe - 1} tiles, and is safe from {safe} on.",
        "Often the end is declared when any hotel is safe, or one tile too early.",
        TURN,
    )
    yield _case(
        script(rulebook, _safe_before(rulebook)),
        "safe-only-before",
        "All hotels are safe until your tile founds one",
        FALSE,
        "A <pbuy> that founds a hotel, without <end/>: the new hotel is not safe.",
        "Often the end is declared by the board of <turn>, as it was before the placement.",
        TURN,
    )


def _safe_before(rulebook: Rulebook) -> State:
    """Lay out a position in which the only hotel is safe, and every tile founds another one."""
    return scene(
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


# -- ejections, and two at the table ------------------------------------------------------------


def _after_ejections(rulebook: Rulebook) -> Iterator[Case]:
    drawing = """
        ............
        .AAA....TT..
        ............
        ..o......o..
        .....WWWW...
        """
    three = scene(rulebook, drawing, "ann A4 T3", "player W3 A2 $2500", "bob W3 T2")
    yield _case(
        leaving(script(rulebook, Segment(three, 2)), "ann", "turn"),
        "mover-left",
        "The player before you is ejected",
        NO_STATE,
        "An answer to the <turn> that follows a <state> with one player more, and no other.",
        "Often a <state> is waited for between two turns, or a player looked for who has left.",
        TURN,
    )
    yield _case(
        leaving(leaving(script(rulebook, Segment(three, 2)), "ann", "state"), "bob", "state"),
        "all-left",
        "All others are ejected at once",
        LEFT,
        "An answer to a <turn> of one player, after a <state> of three.",
        "Often the players of the first position are looked for in every later one.",
        TURN,
    )
    alone = scene(rulebook, drawing, "player W3 A2 $2500")
    yield _case(
        script(rulebook, Segment(alone, 3)),
        "alone",
        "Alone at the table",
        GOES_ON,
        "An answer to each <turn>, one after the other, and <void/> to the <score> of one result.",
        "Often there has to be a next player, or a second one in the results.",
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
    return _case(
        script(rulebook, scene(rulebook, drawing, "player A4 W1 $2500", "bob T3 W2 $1900")),
        "market",
        "The market holds some of each hotel at the end",
        MARKET,
        "The answer <void/> to one <market> for each hotel on the board, and then to <score>.",
        "Often <market> is expected in mergers only.",
        frozenset({"market", "score"}),
    )
