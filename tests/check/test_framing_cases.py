"""The cases of messages in pieces and in other forms, and the players that fail them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from virtual_time import Players, PlayerSocket

from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.placement import Kind, legal_placements
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.messages import RefereeMessage
from acquire.protocol.position_messages import PositionMessages
from acquire.protocol.writing import Writer
from check.legal_moves import kinds
from check.rehearsal import every_rulebook, first_position, rehearsals, section_of, under
from check.thread_players import GaveUp, Play, one_read, playing, understand, verdicts

IN_PIECES = {
    *("halves", "in-a-tag", "in-a-value", "before-a-bracket", "in-a-character"),
    *("trickle", "scraps"),
}
REWRITTEN = {"white-space", "declaration", "comments", "attributes"}
GAP = 0.3
"""Seconds between sign-up and game, so that the two are never read together."""


async def verdicts_on(
    rulebook: Rulebook, slugs: Iterable[str], play: Play, players: Players
) -> dict[CaseVerdict, set[str]]:
    """Check a player on some cases; return the cases by verdict."""
    cases = [replace(section_of(rulebook, "framing")[slug], pause=GAP) for slug in slugs]
    found: dict[CaseVerdict, set[str]] = {}
    for slug, (verdict, _) in (await verdicts(cases, play, players)).items():
        found.setdefault(verdict, set()).add(slug)
    return found


@every_rulebook
def test_every_tile_stays_unincorporated_except_in_two_cases(rulebook: Rulebook) -> None:
    for slug, case in section_of(rulebook, "framing").items():
        if slug in ("scraps", "large"):
            continue
        position = first_position(case)
        placements = legal_placements(position)
        assert len(placements) == rulebook.hand_size, slug
        assert kinds(position) == {Kind.SINGLETON}, slug
        assert {hotel for _, hotel, _ in placements} == {None}, slug


@every_rulebook
def test_every_tile_of_the_merger_case_merges_the_same_hotels(rulebook: Rulebook) -> None:
    position = first_position(section_of(rulebook, "framing")["scraps"])
    placements = legal_placements(position)
    assert len(placements) == rulebook.hand_size
    assert kinds(position) == {Kind.MERGING}
    assert len({hotel for _, hotel, _ in placements}) == 1, "the same survivor for every tile"


@every_rulebook
def test_crowded_position_takes_more_than_4096_bytes_and_is_easy(rulebook: Rulebook) -> None:
    position = first_position(section_of(rulebook, "framing")["large"])
    assert len(Writer(rulebook).write(PositionMessages(rulebook).turn(position))) > 4096
    placements = legal_placements(position)
    assert len(placements) == rulebook.hand_size
    assert {hotel for _, hotel, _ in placements} == {None}


@every_rulebook
def test_all_tested_questions_are_asked(rulebook: Rulebook) -> None:
    for slug, case in section_of(rulebook, "framing").items():
        asked = set(rehearsals(rulebook, case.id)[0].questions)
        assert asked == case.required >= {*["setup", "turn", "tile", "state", "score"]}, slug


# -- players with a bug -------------------------------------------------------------------------


@under([REVISED, CLASSIC])
async def test_player_that_treats_each_read_as_a_message_fails_every_split(
    rulebook: Rulebook, players: Players
) -> None:
    every = section_of(rulebook, "framing")
    assert await verdicts_on(rulebook, every, playing(rulebook, one_read), players) == {
        CaseVerdict.FAIL: IN_PIECES,
        CaseVerdict.PASS: {"whole", "large"} | REWRITTEN,
    }


async def test_player_with_a_buffer_of_4096_bytes_fails_longer_messages(players: Players) -> None:
    player = playing(REVISED, lambda: one_read(4096))
    assert await verdicts_on(REVISED, {"whole", "large"}, player, players) == {
        CaseVerdict.FAIL: {"large"},
        CaseVerdict.PASS: {"whole"},
    }


async def test_player_that_decodes_each_piece_fails_split_characters(players: Players) -> None:
    def decode(connection: PlayerSocket, cache: DocumentCache[RefereeMessage]) -> RefereeMessage:
        text = ""
        while data := connection.recv(65536):
            try:
                text += data.decode()
            except UnicodeDecodeError as error:
                raise GaveUp from error
            with suppress(GaveUp):  # the message is not complete
                return understand(cache, text.encode())
        raise GaveUp

    played = {"in-a-tag", "in-a-value", "in-a-character"}
    player = playing(REVISED, lambda: decode)
    assert await verdicts_on(REVISED, played, player, players) == {
        CaseVerdict.FAIL: {"in-a-character"},
        CaseVerdict.PASS: {"in-a-tag", "in-a-value"},
    }


async def test_player_that_reads_only_the_guaranteed_form_is_warned(players: Players) -> None:
    writer = Writer(REVISED)

    def read_strictly(
        connection: PlayerSocket, cache: DocumentCache[RefereeMessage]
    ) -> RefereeMessage:
        data = connection.recv(65536)
        message = understand(cache, data)
        if writer.write(message) != data:
            raise GaveUp
        return message

    played = REWRITTEN | {"whole", "large"}
    player = playing(REVISED, lambda: read_strictly)
    assert await verdicts_on(REVISED, played, player, players) == {
        CaseVerdict.WARN: REWRITTEN,
        CaseVerdict.PASS: {"whole", "large"},
    }
