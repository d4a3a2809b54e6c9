"""The cases of messages in pieces and in other forms, and of names; the bugs that they find."""

import html
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

import pytest
from virtual_time import Players, PlayerSocket

from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.cases.position_text import hotels
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.placement import Placement, place
from acquire.game.purchase import verify_order
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import Player
from acquire.game.tiles import tiles_in
from acquire.game.violation import Violation
from acquire.player.strategies.simple import Ordered
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_names import MAX_NAME, free_name
from acquire.protocol.writing import Writer
from check.rehearsal import every_rulebook, first_position, section_of, under
from check.thread_players import GaveUp, Play, framed, one_read, playing, understand, verdicts

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


def opponents(case: Case) -> list[str]:
    return [name for name in case.script.seats if name != case.script.subject]


def given(case: Case) -> str:
    """The name that the player is given."""
    return free_name(case.name, opponents(case))


@every_rulebook
def test_names_have_an_allowed_length_and_differ(rulebook: Rulebook) -> None:
    for slug, case in section_of(rulebook, "names").items():
        names = [given(case), *opponents(case)]
        assert all(0 < len(name) <= MAX_NAME for name in names), slug
        assert len(set(names)) == len(names), slug


def test_longest_names_have_the_greatest_length() -> None:
    section = section_of(REVISED, "names")
    alone, taken = section["longest"], section["longest-and-taken"]
    assert len(given(alone)) == MAX_NAME and given(alone) == alone.name
    assert len(given(taken)) == MAX_NAME and given(taken).endswith("-2")


@every_rulebook
def test_player_named_like_a_hotel_cannot_be_bought(rulebook: Rulebook) -> None:
    case = section_of(rulebook, "names")["hotels"]
    position = first_position(case)
    cheap = hotels(rulebook)["S"]
    assert rulebook.hotel_name(cheap) in opponents(case)
    for tile in tiles_in(position.mover.hand):
        illegal = verify_order(place(position, Placement(tile)), (cheap,))
        assert illegal is not None and illegal.violation is Violation.NO_PRICE


# -- players with a bug -------------------------------------------------------------------------


async def failed(play: Play, players: Players, *slugs: str) -> set[str]:
    """Check a player on some cases, or all; return those that it fails."""
    section = section_of(REVISED, "names")
    found = await verdicts([section[slug] for slug in slugs or section], play, players)
    assert {verdict for verdict, _ in found.values()} <= {CaseVerdict.PASS, CaseVerdict.FAIL}
    return {slug for slug, (verdict, _) in found.items() if verdict is CaseVerdict.FAIL}


Same: TypeAlias = Callable[[str, str], bool]
"""Whether a player takes a name in a position for its own, which is the first argument."""


def finding_itself(same: Same) -> Callable[[Rulebook, int], Strategy]:
    """Make a player that takes the tiles of the last player whose name it takes for its own."""

    class Finding(Ordered):
        def __call__(self, message: RefereeMessage) -> PlayerMessage:
            if isinstance(message, messages.SignUp):
                self.own = message.name
            if not isinstance(message, messages.Turn):
                return super().__call__(message)
            found: list[Player] = [each for each in message.players if same(self.own, each.name)]
            if not found:
                raise GaveUp
            return messages.Pbuy(Placement(tiles_in(found[-1].hand)[0]), ())

    return Finding


CONFUSED: dict[str, tuple[Same, set[str]]] = {
    "none": (lambda own, name: own == name, set()),
    "capitals": (
        lambda own, name: name.lower() in (own.lower(), own.lower().removesuffix("-2")),
        {"capitals"},
    ),
    "beginning": (lambda own, name: name.startswith(own), {"parts"}),
    "beginning-of-own": (lambda own, name: own.startswith(name), {"parts"}),
    "part": (lambda own, name: own in name, {"parts", "hostile"}),
    "cut": (lambda own, name: own[:63] == name, {"longest", "longest-and-taken"}),
    "spaces": (lambda own, name: " ".join(own.split()) == name, {"spaces"}),
    "first-word": (lambda own, name: own == name.split()[0], {"spaces", "other-letters"}),
}


@pytest.mark.parametrize(("same", "fails"), CONFUSED.values(), ids=CONFUSED)
async def test_player_that_takes_another_name_for_its_own_fails(
    same: Same, fails: set[str], players: Players
) -> None:
    assert await failed(playing(REVISED, framed, finding_itself(same)), players) == fails


async def test_player_that_looks_for_the_requested_name_fails(players: Players) -> None:
    player = playing(
        REVISED,
        framed,
        finding_itself(lambda _, name: name == section_of(REVISED, "names")["longest"].name),
    )
    played = "longest", "longest-and-taken"
    assert await failed(player, players, *played) == {"longest-and-taken"}


def unescape(document: bytes) -> bytes:
    """Resolve references before reading the tags."""
    return html.unescape(document.decode()).encode()


def read_ascii(document: bytes) -> bytes:
    """Read bytes in an encoding of only 128 characters."""
    if not document.isascii():
        raise GaveUp
    return document


def search_for_a_word(document: bytes) -> bytes:
    """Take every message that contains "score" for the score."""
    if b"score" in document and not document.startswith(b"<score"):
        raise GaveUp
    return document


BUGS: list[tuple[Callable[[bytes], bytes], set[str]]] = [
    (unescape, {"markup", "hostile"}),
    (read_ascii, {"other-letters"}),
    (search_for_a_word, {"hostile", "elements"}),
]


@pytest.mark.parametrize(("bug", "fails"), BUGS, ids=lambda value: getattr(value, "__name__", ""))
async def test_player_that_misreads_the_text_fails(
    bug: Callable[[bytes], bytes], fails: set[str], players: Players
) -> None:
    assert await failed(playing(REVISED, lambda: framed(bug)), players) == fails
