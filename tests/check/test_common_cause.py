"""The cause of many refused orders: named only where the whole check proves it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from loops import in_soak
from virtual_time import Players

from acquire.admin.testing.judging.case_judge import guess_at
from acquire.admin.testing.judging.check_result import CaseResult, CaseVerdict
from acquire.admin.testing.judging.common_cause import with_common_cause
from acquire.game.rulebooks import REVISED
from acquire.game.violation import Violation
from check.mistakes import STARTER, edited, first_sentence, module_of, playing
from check.rehearsal import all_cases
from check.thread_players import check

SECTIONS = ("framing", "turn", "founding", "growth", "mergers", "buying")
LIMIT = "for o in longer if cost(board, o) <= players[me].cash]"


async def checked(
    source: str, sections: Sequence[str], folder: Path, players: Players
) -> tuple[CaseResult, ...]:
    """Check a player in some sections."""
    module = module_of(source, folder, "checked")
    cases = [case for case in all_cases(REVISED) if case.section.slug in sections]
    return with_common_cause(tuple(await check(cases, playing(module), players)))


async def failed(
    source: str, sections: Sequence[str], folder: Path, players: Players
) -> list[CaseResult]:
    """Check a player in some sections; return those cases that it fails."""
    results = await checked(source, sections, folder, players)
    return [each for each in results if each.verdict is CaseVerdict.FAIL]


async def illegal(
    old: str, new: str, folder: Path, players: Players, *violations: Violation
) -> list[str]:
    """The first sentences on the illegal moves of a starter with a mistake, or on some of them."""
    results = await checked(edited(STARTER, (old, new)), SECTIONS, folder, players)
    one_guess = len({each.case.hint for each in results if each.verdict is CaseVerdict.FAIL}) == 1
    assert one_guess or not any(map(guess_at, results))
    ejected = [(each, each.trial.ejected) for each in results]
    return [
        first_sentence(each.actual)
        for each, left in ejected
        if left is not None and left.violation in (violations or Violation)
    ]


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        (LIMIT, "for o in longer]", "takes no account of its own cash"),
        *in_soak(
            (
                "answered_order(board, after, with_tile",
                "answered_order(board, board, with_tile",
                "takes the price at the size before the tile was placed",
            ),
            (
                '"Worldwide": "cheap",\n}',
                '"Worldwide": "cheap",\n}\nHOTELS["Tower"] = HOTELS["American"]',
                "takes Tower to cost as much as American",
            ),
            (
                "tiles = size(board, hotel)\n",
                "tiles = size(board, hotel) - 1\n",
                "takes the price of one tile fewer at",
            ),
            (
                "cost(board, o) <= players[me].cash",
                "f'{cost(board, o)}' <= f'{players[me].cash}'",
                "compares cost and cash as text",
            ),
            (
                "cost(board, o) <=",
                "(len(o) - 1) * price(board, hotel) <",
                "rounds the number of certificates up",
            ),
            (
                "cost(board, o) <=",
                "cost(board, o[:1]) <=",
                "compares its cash with the price of one certificate",
            ),
            (
                "players[me].cash]",
                "max(each.cash for each in players.values())]",
                "takes the cash of another player for its own",
            ),
            (
                "for cell in chain:  # which grows during the loop",
                "for cell in [tile]:",
                "takes the price of two tiles for that of a new hotel",
            ),
            (
                "is not None else after",
                "is not None else board",
                "takes the price at the size before the merger",
            ),
            (
                "cells = [*chain, *(cell",
                "cells = [*(cell",
                "takes the price without the placed tile",
            ),
            *(
                (old, new, f"takes the price of one tile fewer at {tiles} tiles")
                for old, new, tiles in (
                    ("(0, 2, 3, 4, 5, 6,", "(0, 2, 3, 4, 5, 7,", 6),
                    ("(0, 2, 3, 4, 5, 6, 11,", "(0, 2, 3, 4, 5, 6, 12,", 11),
                    ("31, 41)", "31, 42)", 41),
                )
            ),
        ),
    ],
)
async def test_cause_is_named_in_every_case_that_it_explains(
    old: str, new: str, cause: str, tmp_path: Path, players: Players
) -> None:
    told = await illegal(old, new, tmp_path, players, Violation.TOO_DEAR)
    assert told and all(f": the program {cause}" in each for each in told), told


@pytest.mark.parametrize("spare", [50, *in_soak(150, 250)])
async def test_figures_alone_are_told_where_no_cause_is_proven(
    spare: int, tmp_path: Path, players: Players
) -> None:
    told = await illegal("players[me].cash]", f"players[me].cash + {spare}]", tmp_path, players)
    assert told
    assert {each.partition("$")[0] for each in told} == {"The order costs "}, told
    assert not any(": the program" in each for each in told), told


READS = 'board = read_board(message) if message.find("board") is not None else after'


async def test_old_board_is_named(tmp_path: Path, players: Players) -> None:
    told = await illegal(READS, f"board = board or ({READS[8:]})", tmp_path, players)
    assert told and all(
        "The program plays on the first board that it read: " in each for each in told
    ), told


async def test_board_of_its_own_is_named(tmp_path: Path, players: Players) -> None:
    """It reads one board, and adds its own tiles alone: that shows only in whole games."""
    keeps = edited(STARTER, (READS, f"board = after or ({READS[8:]})"))
    found = await failed(keeps, ("turn", "matches"), tmp_path, players)
    assert len(found) > 1 and all(
        each.actual.startswith("The program keeps its first board and adds only its own tiles: ")
        for each in found
    ), [each.actual for each in found]


@pytest.mark.parametrize(
    ("old", "new", "how"),
    [
        ("move.tile[-1]", "chr(ord(move.tile[-1]) + 1)", "its row off by one"),
        ("move.tile[:-1]", "move.tile[:-1][-1]", "only one digit of its column"),
        (
            "for tile in players[me].tiles for",
            "for tile in list(players.values())[-1].tiles for",
            "from the hand of",
        ),
    ],
)
async def test_tile_is_read_in_the_way_that_explains_all(
    old: str, new: str, how: str, tmp_path: Path, players: Players
) -> None:
    """It may also be from another hand, or misread in another way, where it is seen alone."""
    told = await illegal(old, new, tmp_path, players, Violation.NOT_IN_HAND)
    assert len(told) > 3
    assert all(how in each and ", or " not in each for each in told), told


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        (
            "received += piece",
            "received, seen, depth = piece, 0, 0",
            "treating each read as exactly one message",
        ),
        (
            "received, seen = received[seen:], 0",
            "received, seen = b'', 0",
            "discarding what follows the first element",
        ),
        (
            "received += piece",
            "received += piece.decode(errors='replace').encode()",
            "decoding each piece separately",
        ),
    ],
)
async def test_mistake_in_joining_reads_is_named_where_nothing_else_fails(
    old: str, new: str, cause: str, tmp_path: Path, players: Players
) -> None:
    source = edited(STARTER, (old, new))
    found = await failed(source, ("sign-up", "framing"), tmp_path, players)
    told = [each.actual for each in found]
    assert told and all(f"or several in one: the cause is {cause}" in each for each in told), told


async def test_order_sent_with_the_tile_of_a_merger_has_a_cause_of_its_own(
    tmp_path: Path, players: Players
) -> None:
    found = await illegal('if move.kind != "merge":', "if True:", tmp_path, players)
    assert found
    assert all("merge" in sentence for sentence in found), found


DEAF = edited(
    STARTER,
    ('case "keep":', 'case "keep" if not board:'),
    ("            case _:\n", "            case _ if not board:\n"),
)
"""It never answers <keep>."""
NEVER_KEPT = "The program never answered <keep>, and all other messages"


async def test_message_that_is_never_answered_is_named(tmp_path: Path, players: Players) -> None:
    found = await failed(DEAF, ("turn", "disposal"), tmp_path, players)
    assert found and all(each.actual.startswith(NEVER_KEPT) for each in found)


async def test_unanswered_message_is_not_taken_for_a_mistake_in_joining_reads(
    tmp_path: Path, players: Players
) -> None:
    (found,) = await failed(DEAF, ("framing", "mergers"), tmp_path, players)
    assert found.case.id == "framing/scraps" and found.actual.startswith(NEVER_KEPT)
    assert not guess_at(found)
