"""The cases of names: who is called what, and which mistakes each of them finds."""

from __future__ import annotations

import html
import socket
from collections.abc import Callable, Iterable
from typing import TypeAlias

import pytest

from admin.check.case import Case
from admin.check.cases.names import LONGEST, cases
from admin.check.judging import Verdict
from admin.check.scene import hotels
from admin.table.signup import MAX_NAME, free_name
from check.bare_players import GaveUp, Play, check_bare, framed, playing
from check.rehearsal import rehearse
from game.placement import Kind, Placement, kind_of, legal_placements, place
from game.purchase import verify_order
from game.rulebook import Rulebook
from game.rulebooks import REVISED, RULEBOOKS
from game.state import Player
from game.tiles import tiles_in
from game.violation import Violation
from player.strategies.simple import Ordered
from player.strategies.strategy import Strategy
from protocol import messages
from protocol.faults import Reason
from protocol.messages import AdministratorMessage, PlayerMessage

each_rulebook = pytest.mark.parametrize(
    "rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id
)


def named(rulebook: Rulebook) -> dict[str, Case]:
    return {case.slug: case for case in cases(rulebook)}


def others(case: Case) -> list[str]:
    return [name for name in case.script.seats if name != case.script.subject]


def given(case: Case) -> str:
    return free_name(case.name, others(case))


@each_rulebook
def test_names_are_of_the_length_that_is_allowed_and_differ(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        names = [given(case), *others(case)]
        assert all(0 < len(name) <= MAX_NAME for name in names)
        assert len(set(names)) == len(names)


@each_rulebook
def test_every_tile_stays_alone_and_all_is_asked(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        script = case.script.named(given(case))
        ((position, _),) = script.segments
        placements = legal_placements(position)
        assert len(placements) == rulebook.hand_size
        assert {kind_of(position.board, tile) for tile, _, _ in placements} == {Kind.SINGLETON}
        assert rehearse(script).asked(given(case)) == case.to_reach


def test_longest_names_are_as_long_as_can_be() -> None:
    alone, taken = named(REVISED)["longest"], named(REVISED)["longest-and-taken"]
    assert len(given(alone)) == MAX_NAME and given(alone) == alone.name
    assert len(given(taken)) == MAX_NAME and given(taken).endswith("-2")


@each_rulebook
def test_no_certificate_may_be_bought_of_a_player_called_like_a_hotel(rulebook: Rulebook) -> None:
    case = named(rulebook)["hotels"]
    ((position, _),) = case.script.segments
    cheap = hotels(rulebook)["S"]
    assert rulebook.hotel_name(cheap) in others(case)
    for tile in tiles_in(position.mover.hand):
        wrong = verify_order(place(position, Placement(tile)), (cheap,))
        assert wrong is not None and wrong.violation is Violation.NO_PRICE


# -- who fails ----------------------------------------------------------------------------------


async def failed(play: Play, slugs: Iterable[str] = named(REVISED)) -> set[str]:
    results = await check_bare(REVISED, [named(REVISED)[slug] for slug in slugs], play)
    assert {each.verdict for each in results.values()} <= {Verdict.PASS, Verdict.FAIL}
    return {slug for slug, result in results.items() if result.verdict is Verdict.FAIL}


Same: TypeAlias = Callable[[str, str], bool]
"""Whether a player takes a name in a position for its own, which is the first."""


def finding_itself(same: Same) -> Callable[[Rulebook, int], Strategy]:
    """Make a player who takes the tiles of the last whose name it takes for its own."""

    class Finding(Ordered):
        def __call__(self, message: AdministratorMessage) -> PlayerMessage:
            if isinstance(message, messages.SignUp):
                self.own = message.name
            if not isinstance(message, messages.Turn):
                return super().__call__(message)
            found: list[Player] = [each for each in message.players if same(self.own, each.name)]
            if not found:
                raise GaveUp
            return messages.Pbuy(Placement(tiles_in(found[-1].hand)[0]), ())

    return Finding


MISTAKEN: dict[str, tuple[Same, set[str]]] = {
    "none": (lambda own, name: own == name, set()),
    "capitals": (lambda own, name: own.lower() == name.lower(), {"capitals"}),
    "beginning": (lambda own, name: name.startswith(own), {"parts"}),
    "beginning-of-own": (lambda own, name: own.startswith(name), {"parts"}),
    "part": (lambda own, name: own in name, {"parts", "hostile"}),
    "cut": (lambda own, name: own[:63] == name, {"longest", "longest-and-taken"}),
    "spaces": (lambda own, name: " ".join(own.split()) == name, {"spaces"}),
    "first-word": (lambda own, name: own == name.split()[0], {"spaces", "other-letters"}),
}


@pytest.mark.parametrize(("same", "fails"), MISTAKEN.values(), ids=MISTAKEN)
async def test_who_takes_another_name_for_its_own_fails(same: Same, fails: set[str]) -> None:
    assert await failed(playing(REVISED, framed, finding_itself(same))) == fails


async def test_who_looks_for_the_name_that_it_asked_for_fails() -> None:
    player = playing(REVISED, framed, finding_itself(lambda _, name: name == LONGEST))
    played = {"longest", "longest-and-taken"}
    assert await failed(player, played) == {"longest-and-taken"}


async def test_who_signs_up_without_escaping_fails() -> None:
    def play(connection: socket.socket, name: str) -> None:
        connection.sendall(f'<signup name="{name}"/>'.encode())
        connection.recv(65536)

    results = await check_bare(REVISED, [named(REVISED)["markup"]], play)
    assert results["markup"].verdict is Verdict.FAIL
    assert results["markup"].ended_by == Reason.MALFORMED.value


def unescaped(document: bytes) -> bytes:
    """Resolve references before the tags are read."""
    return html.unescape(document.decode()).encode()


def in_ascii(document: bytes) -> bytes:
    """Read bytes in an encoding that has no more than 128 characters."""
    if not document.isascii():
        raise GaveUp
    return document


def by_a_word(document: bytes) -> bytes:
    """Take whatever mentions the score for the end."""
    if b"score" in document and not document.startswith(b"<score"):
        raise GaveUp
    return document


LOOKS: list[tuple[Callable[[bytes], bytes], set[str]]] = [
    (unescaped, {"markup", "hostile"}),
    (in_ascii, {"other-letters"}),
    (by_a_word, {"hostile", "elements"}),
]


@pytest.mark.parametrize(("look", "fails"), LOOKS, ids=lambda value: getattr(value, "__name__", ""))
async def test_who_takes_the_text_for_something_else_fails(
    look: Callable[[bytes], bytes], fails: set[str]
) -> None:
    assert await failed(playing(REVISED, lambda: framed(look))) == fails
