"""Any rulebook that a file can define is played to its end, by the books and by its schemas."""

import random
from enum import Enum
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from ledger import Ledger
from lxml import etree

from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play.net_worth import NetWorth
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, RULEBOOKS
from acquire.game.turn import Ending
from acquire.played_games import GameRecord, play_game
from acquire.player.strategies.simple import Random
from acquire.protocol.dialect import Dialect
from acquire.protocol.messages import Message, PlayerMessage, RefereeMessage, SignUp
from acquire.protocol.rulebook_file import rulebook_from, settings_of, written
from acquire.protocol.settings_file import InvalidSettings
from acquire.protocol.writing import Writer

CHOICES = {
    name: [written(choice) for choice in type(value)]
    for name in CLASSIC.__dataclass_fields__
    if isinstance(value := getattr(CLASSIC, name), Enum)
}
TIERS = ("cheap", "medium", "expensive")
PLAIN = "abcdefghijklmnopqrstuvwxyz0123456789 '-"


@st.composite
def hotels(draw: st.DrawFn) -> dict[str, str]:
    letters = st.sampled_from(ascii_uppercase)
    initials = draw(st.lists(letters, min_size=7, max_size=7, unique=True))
    rest = st.text(PLAIN, max_size=19).map(str.rstrip)
    return {initial + draw(rest): draw(st.sampled_from(TIERS)) for initial in initials}


@st.composite
def prices(draw: st.DrawFn) -> dict[str, int]:
    sizes = draw(st.sets(st.integers(3, 108), max_size=8)) | {draw(st.sampled_from([0, 2]))}
    rising = sorted(draw(st.lists(st.integers(1, 2000), min_size=len(sizes), max_size=len(sizes))))
    return {str(size): price for size, price in zip(sorted(sizes), rising, strict=True)}


NUMBERS: dict[str, st.SearchStrategy[Any]] = {
    "min_players": st.integers(2, 6),
    "max_players": st.integers(2, 6),
    "market_for_two": st.booleans(),
    "cash": st.integers(0, 20_000),
    "hand_size": st.integers(1, 17),
    "certificates": st.integers(1, 100),
    "bonus_multiples": st.lists(st.integers(1, 20), min_size=1, max_size=6).map(
        lambda multiples: sorted(multiples, reverse=True)
    ),
    "safe_size": st.integers(2, 108),
    "final_size": st.integers(2, 108),
    "order_limit": st.integers(1, 20),
    "founders_certificates": st.integers(0, 100),
    "mixed_orders": st.booleans(),
    "rounding_step": st.integers(1, 1000),
    "hotels": hotels(),
    "prices": st.fixed_dictionaries({}, optional={tier: prices() for tier in TIERS}),
}

DEFINITIONS = st.fixed_dictionaries(
    {"id": st.just("random"), "base": st.sampled_from(list(RULEBOOKS))},
    optional=NUMBERS | {name: st.sampled_from(choices) for name, choices in CHOICES.items()},
)


class Wire:
    """A player whose messages, and those that it is sent, have to be valid under the schemas."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        dialect = Dialect.of(rulebook)
        self._player = Random(rulebook, seed)
        self._writer = Writer(rulebook)
        self._to_player = dialect.schema("administrator", rulebook)
        self._from_player = dialect.schema("player", rulebook)

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        if not isinstance(message, SignUp):  # which names no rulebook to a strategy in this process
            self._check(self._to_player, message)
        answer = self._player(message)
        self._check(self._from_player, answer)
        return answer

    def _check(self, schema: etree.XMLSchema, message: Message) -> None:
        schema.assertValid(etree.fromstring(self._writer.write(message)))


def play(rulebook: Rulebook, seed: int) -> GameRecord:
    """Play a game of random players, and keep its books."""
    chance = random.Random(seed)
    names = "abcdef"[: chance.randint(rulebook.min_players, rulebook.max_players)]
    game = play_game(dict.fromkeys(names, Wire), rulebook, seed)
    ledger = Ledger(rulebook, names)
    for event in game.events:
        ledger(event)
    assert not game.ejected
    return game


def check(definition: dict[str, Any], seed: int) -> None:
    try:
        rulebook = rulebook_from(definition)
    except InvalidSettings:
        reject()
    game = play(rulebook, seed)
    assert game.outcome.ending not in (Ending.INTERRUPTED, Ending.NOBODY_LEFT)
    recorded = read_bytes(Path("log"), game.log)
    assert settings_of(recorded.header.rulebook) == settings_of(rulebook)
    verification = Verifier(recorded).verify()
    net_worth = NetWorth(verification.start)
    for event in verification.events:
        net_worth.take(event)
    assert verification.divergence is None, verification.divergence
    assert verification.ending is game.outcome.ending
    assert net_worth.by_name == {each.name: each.score for each in verification.outcome.standings}


def test_random_rulebook_is_played_to_its_end(soak: bool) -> None:
    @settings(
        max_examples=500 if soak else 6,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
    @given(DEFINITIONS, st.integers(0, 2**32))
    def each(definition: dict[str, Any], seed: int) -> None:
        check(definition, seed)

    each()
