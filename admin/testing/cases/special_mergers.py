"""Mergers: safe hotels, unincorporated tiles beside the merger, the order, and the market."""

from collections.abc import Iterator

from ....game.rulebook import ForbiddenMerger, LooseNeighbours, Rulebook
from ..case_parts.case import Case, CaseSource
from ..case_parts.position_text import (
    hotel_name,
    make_script,
    parse_position,
    with_bag_top,
)
from .mergers import CONVERSATION, MERGERS, merger_case

ANY_SAFE = CaseSource(
    "The rules in short", "**Not allowed** if one of them is *safe* (12 tiles or more)"
)
BESIDE_LOOSE = CaseSource("The rules in short", "if the tile also touches unincorporated tiles")
TWO_SAFE = CaseSource(
    "The other rulebooks",
    "It is forbidden only **if two of them are safe**; a safe hotel may acquire others.",
)
TAKEN_IN = CaseSource(
    "The other rulebooks",
    "Unincorporated tiles next to the tile go to the survivor and count towards no size in the "
    "merger.",
)
ORDER = CaseSource(
    CONVERSATION,
    "you receive the players as they now stand, bonuses paid and certificates returned, and send "
    "your order",
)
MARKETS_TILE = CaseSource(
    "Two players",
    "If one merges hotels, the mover is asked for the survivor, and answers with the placement "
    "of that tile",
)


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this module that a rulebook has."""
    yield from _of_safe_hotels(rulebook)
    yield from _beside_loose_tiles(rulebook)
    yield _order_afterwards(rulebook)
    if rulebook.market_for_two:
        yield from _of_the_market(rulebook)


# -- safe hotels --------------------------------------------------------------------------------


def _of_safe_hotels(rulebook: Rulebook) -> Iterator[Case]:
    if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE:
        yield from _where_any_safe_is_refused(rulebook)
    else:
        yield from _where_two_safe_are_refused(rulebook)


def _where_any_safe_is_refused(rulebook: Rulebook) -> Iterator[Case]:
    safe, name = rulebook.safe_size, hotel_name(rulebook, "A")
    yield merger_case(
        rulebook,
        "safe",
        f"A hotel of {safe} tiles is safe",
        f"""
        ............
        ......SSS...
        ............
        {"A" * safe}
        ............
        .FFFF.......
        """,
        "7C 8C 9C 11C 3E 5E F2 $2500",
        expected=f"Place 11C, which makes {name} grow: the other five would merge it.",
        hint=f"calling hotels safe only from {safe + 1} tiles on, or never.",
        source=ANY_SAFE,
    )
    yield merger_case(
        rulebook,
        "nearly-safe",
        f"A hotel of {safe - 1} tiles is not yet safe",
        f"""
        ............
        ............
        ............
        ............
        ..SSSSSS....
        ............
        {"A" * (safe - 1)}
        ............
        ....TT......
        """,
        "3F 4F 5F 6F 7F 8F S2 $2500",
        expected=f"Send a bare placement that names {name}, which has {safe - 1} tiles.",
        hint=f"calling hotels safe from {safe - 1} tiles on.",
        source=ANY_SAFE,
    )


def _where_two_safe_are_refused(rulebook: Rulebook) -> Iterator[Case]:
    safe, name = rulebook.safe_size, hotel_name(rulebook, "A")
    yield merger_case(
        rulebook,
        "two-safe",
        f"Two hotels of {safe} tiles cannot merge",
        f"""
        ............
        {"S" * safe}
        ............
        {"A" * safe}
        ............
        {"W" * safe}
        ............
        .......TT...
        """,
        "2C 5C 9C 12D 3E 7E T2 $2500",
        expected=f"Place 12D, which makes {name} grow: the others would merge two safe hotels.",
        hint=f"calling hotels safe only from {safe + 1} tiles on, or letting two safe ones merge.",
        source=TWO_SAFE,
    )
    yield merger_case(
        rulebook,
        "nearly-safe",
        f"A safe hotel acquires one of {safe - 1} tiles",
        f"""
        ............
        ............
        ............
        ............
        {"S" * (safe - 1)}
        ............
        {"A" * safe}
        ............
        .......TT...
        """,
        "2F 3F 5F 6F 8F 9F S2 $2500",
        expected=f"Send a bare placement that names {name}, which is safe; the other is not.",
        hint=f"calling hotels safe from {safe - 1} tiles on.",
        source=TWO_SAFE,
    )
    yield merger_case(
        rulebook,
        "safe-survivor",
        "A safe hotel acquires a small one",
        """
        ............
        AAAAAAAAAAAA
        ............
        .....TTTTTT.
        ............
        ..WW........
        """,
        "6C 7C 8C 9C 10C 11C T2 $2500",
        expected=f"Send a bare placement that names {name}: one safe hotel may be in a merger.",
        hint="never merging with a safe hotel.",
        source=TWO_SAFE,
    )


# -- unincorporated tiles beside the merger -----------------------------------------------------


def _beside_loose_tiles(rulebook: Rulebook) -> Iterator[Case]:
    drawing = """
        ...SSS......
        ..SSSSSS....
        .o......o...
        ..AAAAAA....
        .o......o...
        ..WWWWWW....
        .o......o...
        ..IIIIII....
        .....III....
        """
    if rulebook.loose_neighbours is LooseNeighbours.REFUSED:
        yield merger_case(
            rulebook,
            "beside-loose",
            "A merger beside an unincorporated tile is not allowed",
            drawing,
            "3C 8C 3E 5E 8E 3G A2 $2500",
            expected="Place 5E: the other five touch an unincorporated tile as well.",
            hint="applying this rule only to growing hotels, or not at all.",
            source=BESIDE_LOOSE,
        )
    else:
        yield merger_case(
            rulebook,
            "beside-loose",
            "A merger absorbs an unincorporated tile",
            drawing,
            "3C 8C 3E 8E 3G 8G A2 $2500",
            expected="Send a bare placement that names the larger hotel, or one of two that "
            "are equal.",
            hint="believing that a tile beside hotels and unincorporated tiles cannot be placed.",
            source=TAKEN_IN,
        )


# -- the order afterwards -----------------------------------------------------------------------


def _order_afterwards(rulebook: Rulebook) -> Case:
    survivor, acquired = hotel_name(rulebook, "A"), hotel_name(rulebook, "S")
    return merger_case(
        rulebook,
        "order-afterwards",
        "The order after a merger, at the new prices",
        """
        ............
        ............
        ............
        ............
        .........CC.
        ..........C.
        ..SSSSSS..C.
        ..........C.
        .AAAAAAA..C.
        """,
        "3H 4H 5H 6H 7H 8H $700",
        expected=f"Order no {acquired}, which is gone, and no {survivor}, which now costs $800.",
        hint="using the board of <turn> for the order, before the hotels were joined.",
        source=ORDER,
        tested=frozenset({"players"}),
    )


# -- the market's tile --------------------------------------------------------------------------


def _of_the_market(rulebook: Rulebook) -> Iterator[Case]:
    yield _market(
        rulebook,
        "markets-merger",
        "The market's tile merges two hotels",
        "IIIIIII",
        f"Place 4H and name {hotel_name(rulebook, 'I')}, the larger hotel.",
    )
    yield _market(
        rulebook,
        "markets-merger-tie",
        "The market's tile merges two hotels of the same size",
        "IIIII..",
        f"Place 4H and name {hotel_name(rulebook, 'F')} or {hotel_name(rulebook, 'I')}.",
    )


def _market(rulebook: Rulebook, slug: str, title: str, lower: str, expected: str) -> Case:
    """Make a case in which the first tile that the market draws merges F and I."""
    drawing = f"""
        .AAAAAAA....
        ............
        ..WWWWWW....
        ............
        CC..........
        ............
        .FFFFF......
        ............
        .{lower}....
        """
    state = parse_position(
        rulebook,
        drawing,
        "player 3B 4B 5B 6B 7B 8B W4 F2 $3000",
        "bob 11A 12C 10E 11F 12H 11I W2 I3 A4 $3500",
    )
    return Case(
        section=MERGERS,
        slug=slug,
        title=title,
        source=MARKETS_TILE,
        expected=expected,
        hint="looking for the tile in your hand, or sending an order with the placement.",
        tested=frozenset({"merger"}),
        script=make_script(rulebook, with_bag_top(state, "4H 12E")),
    )
