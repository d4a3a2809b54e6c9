"""The cases of names: the names of the players, and the bugs that each case finds."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import TypeAlias

import pytest
from virtual_time import Players, PlayerSocket

from acquire.admin.testing.case_parts.case import Case
from acquire.admin.testing.case_parts.position_text import hotels
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.placement import Kind, Placement, place
from acquire.game.purchase import verify_order
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import REVISED
from acquire.game.state import Player
from acquire.game.tiles import tiles_in
from acquire.game.violation import Violation
from acquire.player.strategies.simple import Ordered
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_names import MAX_NAME, free_name
from check.legal_moves import kinds, placeable
from check.rehearsal import every_rulebook, first_position, section_of
from check.thread_players import GaveUp, Play, framed, playing, verdicts


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


@every_rulebook
def test_every_tile_stays_unincorporated(rulebook: Rulebook) -> None:
    for slug, case in section_of(rulebook, "names").items():
        position = first_position(case)
        assert len(placeable(position)) == rulebook.hand_size, slug
        assert kinds(position) == {Kind.SINGLETON}, slug


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


async def test_player_that_signs_up_without_escaping_fails(players: Players) -> None:
    def play(connection: PlayerSocket, name: str) -> None:
        connection.sendall(f'<signup name="{name}"/>'.encode())
        connection.recv(65536)

    case = section_of(REVISED, "names")["markup"]
    found = await verdicts([case], play, players)
    assert found == {"markup": (CaseVerdict.FAIL, Reason.MALFORMED.value)}


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
