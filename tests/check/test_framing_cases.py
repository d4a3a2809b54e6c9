"""The cases of messages in pieces and in other forms: what each does, and who fails it."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

import pytest

from admin.check.case import Case
from admin.check.cases.framing import cases, crowded
from admin.check.judging import Result, Verdict
from admin.check.lone_tiles import SHORT_TURN
from check.bare_players import GaveUp, Play, at_once, check_bare, playing, understood
from check.rehearsal import rehearse
from game.placement import Kind, kind_of, legal_placements
from game.rulebook import Rulebook
from game.rulebooks import CLASSIC, REVISED, RULEBOOKS
from protocol.inbox import DocumentCache
from protocol.messages import AdministratorMessage
from protocol.position_messages import position_messages_for
from protocol.writing import Writer

each_rulebook = pytest.mark.parametrize(
    "rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id
)
IN_PIECES = {
    *("halves", "in-a-tag", "in-a-value", "before-a-bracket", "in-a-character"),
    *("trickle", "scraps"),
}
EVERY = {case.slug for case in cases(REVISED)}
GREETING = 0.3
"""Seconds between sign-up and match here, so that no slow machine makes one read of the two."""
DRESSED = {"white-space", "declaration", "comments", "attributes"}


def slugs(results: dict[str, Result], verdict: Verdict) -> set[str]:
    return {slug for slug, result in results.items() if result.verdict is verdict}


async def check_slowly(rulebook: Rulebook, slugs: Iterable[str], play: Play) -> dict[str, Result]:
    """Check a player who would stumble over a greeting and a position in one piece."""
    played = [replace(case_of(rulebook, slug), pause=GREETING) for slug in slugs]
    return await check_bare(rulebook, played, play)


def case_of(rulebook: Rulebook, slug: str) -> Case:
    (found,) = [case for case in cases(rulebook) if case.slug == slug]
    return found


@each_rulebook
def test_but_for_the_merger_and_the_crowd_every_tile_stays_alone(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        if case.slug in ("scraps", "large"):
            continue
        ((position, _),) = case.script.segments
        placements = legal_placements(position)
        assert len(placements) == rulebook.hand_size
        for tile, hotel, _ in placements:
            assert kind_of(position.board, tile) is Kind.SINGLETON and hotel is None


@each_rulebook
def test_whatever_is_placed_in_the_merger_case_merges_two_hotels(rulebook: Rulebook) -> None:
    ((position, _),) = case_of(rulebook, "scraps").script.segments
    placements = legal_placements(position)
    assert len(placements) == rulebook.hand_size
    assert {kind_of(position.board, tile) for tile, _, _ in placements} == {Kind.MERGING}
    assert len({hotel for _, hotel, _ in placements}) == 1, "one survivor, wherever it is placed"


@each_rulebook
def test_crowded_table_takes_more_than_4096_bytes_and_is_simple(rulebook: Rulebook) -> None:
    position = crowded(rulebook)
    assert len(Writer(rulebook).write(position_messages_for(rulebook).turn(position))) > 4096
    placements = legal_placements(position)
    assert len(placements) == rulebook.hand_size
    assert {hotel for _, hotel, _ in placements} == {None}


@each_rulebook
def test_all_is_asked_that_the_cases_are_about(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        assert rehearse(case.script).asked("player") == case.to_reach >= SHORT_TURN


@pytest.mark.parametrize("rulebook", [REVISED, CLASSIC], ids=lambda rulebook: rulebook.id)
async def test_who_takes_one_read_for_a_message_fails_all_that_is_cut(rulebook: Rulebook) -> None:
    results = await check_slowly(rulebook, EVERY, playing(rulebook, at_once))
    assert slugs(results, Verdict.FAIL) == IN_PIECES
    assert slugs(results, Verdict.PASS) == {"whole", "large"} | DRESSED


async def test_who_reads_into_4096_bytes_fails_where_more_come() -> None:
    results = await check_slowly(
        REVISED, {"whole", "large"}, playing(REVISED, lambda: at_once(4096))
    )
    assert slugs(results, Verdict.FAIL) == {"large"}
    assert slugs(results, Verdict.PASS) == {"whole"}


async def test_who_decodes_piece_by_piece_fails_where_a_character_is_cut() -> None:
    def decoding(
        connection: socket.socket, memory: DocumentCache[AdministratorMessage]
    ) -> AdministratorMessage:
        text = ""
        while data := connection.recv(65536):
            try:
                text += data.decode()
            except UnicodeDecodeError as error:
                raise GaveUp from error
            with suppress(GaveUp):  # more is to come
                return understood(memory, text.encode())
        raise GaveUp

    played = {"in-a-tag", "in-a-value", "in-a-character"}
    results = await check_slowly(REVISED, played, playing(REVISED, lambda: decoding))
    assert slugs(results, Verdict.FAIL) == {"in-a-character"}
    assert slugs(results, Verdict.PASS) == {"in-a-tag", "in-a-value"}


async def test_who_reads_the_promised_form_alone_is_warned_of_others() -> None:
    writer = Writer(REVISED)

    def to_the_letter(
        connection: socket.socket, memory: DocumentCache[AdministratorMessage]
    ) -> AdministratorMessage:
        data = connection.recv(65536)
        message = understood(memory, data)
        if writer.write(message) != data:
            raise GaveUp
        return message

    played = DRESSED | {"whole", "large"}
    results = await check_slowly(REVISED, played, playing(REVISED, lambda: to_the_letter))
    assert slugs(results, Verdict.WARN) == DRESSED
    assert slugs(results, Verdict.PASS) == {"whole", "large"}
