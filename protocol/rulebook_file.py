"""A rulebook of one's own: a TOML file that names one of the five as its base, and what it changes.

The settings are the fields of :class:`acquire.game.rulebook.Rulebook`, under the same names. A choice is
written as its name in lower case with hyphens, ``"up-to-full"``; ``[hotels]`` has the price tier of
each; ``[prices]`` has for each tier the price from each size on, ``cheap = {2 = 200, 3 = 300}``.

The same model reads the settings that a match log contains (:mod:`acquire.protocol.rulebook_json`).
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ..game.rulebook import (
    MAX_SIZE,
    Assets,
    DeadTiles,
    DisposalRule,
    Draw,
    EighthHotel,
    EmptyBag,
    End,
    EqualAcquired,
    ForbiddenMerger,
    Hands,
    Hotel,
    LooseNeighbours,
    Rounding,
    Rulebook,
    SoleHolder,
    Start,
    StuckHand,
)
from ..game.rulebooks import RULEBOOKS, is_one_of_the_five
from ..game.tiles import TILES
from .rulebook_json import InvalidRulebook, written
from .settings_file import InvalidFile, Mistake, describe, mistake, parse, unknown

MAX_NAME_LENGTH = 20
"""Characters of a hotel's name."""
MAX_ORDER = 20
"""Certificates of an order: a message has room for so many hotels with the longest names."""
NUMBER_OF_HOTELS = 7
ADVICE = "`acquire rulebooks --init FILE` writes a template."


def _named(value: object, choices: type[Enum]) -> object:
    """Return the choice with this name."""
    by_name = {written(choice): choice for choice in choices}
    if isinstance(value, str) and value in by_name:
        return by_name[value]
    known = ", ".join(f'"{name}"' for name in by_name)
    raise mistake(f"must be one of {known}, not {value!r}.")


def _choice(choices: type[Enum]) -> BeforeValidator:
    return BeforeValidator(lambda value: _named(value, choices))


def _check_id(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}", text):
        raise mistake(
            f"{text!r} cannot be an id. Write a letter, then up to 31 letters, digits, dots, "
            "hyphens or underscores."
        )
    return text


def _check_title(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise mistake(f"{text!r} cannot be a title. Write printable characters.")
    return text


def _check_base(text: str) -> str:
    if text not in RULEBOOKS:
        raise mistake(unknown(text, list(RULEBOOKS), "rulebook"))
    return text


def _check_hotels(tiers: dict[str, str]) -> dict[str, str]:
    for name in tiers:
        if not re.fullmatch(rf"[A-Z][A-Za-z0-9 '-]{{0,{MAX_NAME_LENGTH - 1}}}(?<! )", name):
            raise mistake(
                f"{name!r} cannot be a hotel's name. Write a capital letter, then up to "
                f"{MAX_NAME_LENGTH - 1} letters, digits, spaces, hyphens or apostrophes."
            )
    if len(tiers) != NUMBER_OF_HOTELS:
        raise mistake(f"has {len(tiers)} hotels. Name {NUMBER_OF_HOTELS}, each with its tier.")
    initials = "".join(name[0] for name in tiers)
    if repeated := sorted(letter for letter in set(initials) if initials.count(letter) > 1):
        raise mistake(
            f"has several names that begin with {repeated[0]}, the sign of the hotel on a board. "
            "Let each name begin with another letter."
        )
    return tiers


def _check_prices(prices: dict[str, int]) -> dict[str, int]:
    for size in prices:
        if not re.fullmatch("0|[1-9][0-9]{0,2}", size) or int(size) > MAX_SIZE:
            raise mistake(f"has a price for size {size!r}. Write a number from 0 to {MAX_SIZE}.")
    rising = sorted((int(size), price) for size, price in prices.items())
    if not any(price for size, price in rising if size <= 2):
        raise mistake("has no price at size 2. Write one, such as 2 = 200.")
    for (_, below), (larger, price) in pairwise(rising):
        if price < below:
            raise mistake(
                f"falls from ${below:,} to ${price:,} at size {larger}. Let prices rise with the "
                "size."
            )
    return prices


def _check_multiples(multiples: tuple[int, ...]) -> tuple[int, ...]:
    if sorted(multiples, reverse=True) != list(multiples):
        raise mistake("rises from one place to the next. Write the largest bonus first.")
    return multiples


def _to_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


Tier = Literal["cheap", "medium", "expensive"]
_Size = Annotated[int, Field(ge=2, le=MAX_SIZE)]
_Players = Annotated[int, Field(ge=2, le=6)]
_Dollars = Annotated[int, Field(ge=0, le=1_000_000)]
_Multiple = Annotated[int, Field(ge=1, le=100)]


class RulebookSettings(BaseModel):
    """The settings of a file: ``None`` for those that are as in the base."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: Annotated[str, AfterValidator(_check_id)]
    base: Annotated[str, AfterValidator(_check_base)] = "revised"
    title: Annotated[str, Field(max_length=80), AfterValidator(_check_title)] | None = None
    min_players: _Players | None = None
    max_players: _Players | None = None
    market_for_two: bool | None = None
    cash: _Dollars | None = None
    hand_size: Annotated[int, Field(ge=1)] | None = None
    certificates: Annotated[int, Field(ge=1, le=100)] | None = None
    bonus_multiples: (
        Annotated[
            tuple[_Multiple, ...],
            Field(min_length=1, max_length=6),
            BeforeValidator(_to_tuple),
            AfterValidator(_check_multiples),
        ]
        | None
    ) = None
    safe_size: _Size | None = None
    final_size: _Size | None = None
    order_limit: Annotated[int, Field(ge=1, le=MAX_ORDER)] | None = None
    mixed_orders: bool | None = None
    start: Annotated[Start, _choice(Start)] | None = None
    hands: Annotated[Hands, _choice(Hands)] | None = None
    assets: Annotated[Assets, _choice(Assets)] | None = None
    forbidden_merger: Annotated[ForbiddenMerger, _choice(ForbiddenMerger)] | None = None
    loose_neighbours: Annotated[LooseNeighbours, _choice(LooseNeighbours)] | None = None
    eighth_hotel: Annotated[EighthHotel, _choice(EighthHotel)] | None = None
    equal_acquired: Annotated[EqualAcquired, _choice(EqualAcquired)] | None = None
    sole_holder: Annotated[SoleHolder, _choice(SoleHolder)] | None = None
    rounding: Annotated[Rounding, _choice(Rounding)] | None = None
    rounding_step: Annotated[int, Field(ge=1, le=10_000)] | None = None
    disposal: Annotated[DisposalRule, _choice(DisposalRule)] | None = None
    draw: Annotated[Draw, _choice(Draw)] | None = None
    dead_tiles: Annotated[DeadTiles, _choice(DeadTiles)] | None = None
    stuck_hand: Annotated[StuckHand, _choice(StuckHand)] | None = None
    empty_bag: Annotated[EmptyBag, _choice(EmptyBag)] | None = None
    end: Annotated[End, _choice(End)] | None = None
    hotels: Annotated[dict[str, Tier], AfterValidator(_check_hotels)] | None = None
    prices: dict[Tier, Annotated[dict[str, _Dollars], AfterValidator(_check_prices)]] | None = None


def read(path: Path) -> Rulebook:
    """Read a rulebook from a file; ``InvalidFile`` with all mistakes in it."""
    try:
        rulebook = rulebook_from(parse(path, ADVICE))
    except InvalidRulebook as error:
        raise InvalidFile(path, error.mistakes) from error
    if is_one_of_the_five(rulebook):
        sentence = f"{rulebook.id!r} is one of the five rulebooks. Write another id."
        raise InvalidFile(path, [Mistake("id", sentence)])
    return rulebook


def rulebook_from(data: Mapping[str, Any]) -> Rulebook:
    """Make a rulebook from the settings of a file; ``InvalidRulebook`` if they make none.

    >>> rulebook = rulebook_from({"id": "rich", "base": "classic", "cash": 9000})
    >>> rulebook.title, rulebook.cash, rulebook.hand_size
    ('How to play Acquire, changed: rich', 9000, 6)
    """
    try:
        settings = RulebookSettings.model_validate(data)
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise InvalidRulebook(list(dict.fromkeys(map(_mistake_of, details)))) from error
    base = RULEBOOKS[settings.base]
    changed = {
        name: getattr(settings, name)
        for name in RulebookSettings.model_fields
        if name not in ("base", "hotels", "prices") and getattr(settings, name) is not None
    }
    changed.setdefault("title", f"{base.title}, changed: {settings.id}")
    hotels = base.hotels
    if settings.hotels is not None:
        hotels = tuple(Hotel(name, tier) for name, tier in sorted(settings.hotels.items()))
    by_tier = {hotel.tier: prices for hotel, prices in zip(base.hotels, base.prices, strict=True)}
    by_tier |= {tier: _by_size(steps) for tier, steps in (settings.prices or {}).items()}
    prices = tuple(by_tier[hotel.tier] for hotel in hotels)
    rulebook = replace(base, **changed, hotels=hotels, prices=prices)
    if mistakes := list(_contradictions(rulebook)):
        raise InvalidRulebook(mistakes)
    return rulebook


def _mistake_of(detail: Any) -> Mistake:
    """Return the mistake that the model has found, in the words of the file."""
    steps = [step for step in detail["loc"] if step not in ("tuple", "[key]")]
    place = ""
    for step in steps:
        place += f"[{step + 1}]" if isinstance(step, int) else f".{step}"
    place = place.removeprefix(".")
    if detail["type"] == "extra_forbidden":
        return Mistake("", unknown(place, list(RulebookSettings.model_fields), "setting"))
    if detail["type"] == "missing":
        return Mistake(place, 'is missing. Write a name for the rulebook, such as id = "mine".')
    if steps[0] == "prices" and detail["loc"][-1] == "[key]":
        return Mistake(place, "is not a tier. Write cheap, medium or expensive.")
    return Mistake(place, describe(detail))


def _by_size(steps: Mapping[str, int]) -> tuple[int, ...]:
    """Spread prices by the smallest size over all sizes.

    >>> _by_size({"0": 200, "2": 300, "4": 500})[:6]
    (200, 200, 300, 300, 500, 500)
    """
    prices, price = [], 0
    for size in range(MAX_SIZE + 1):
        price = steps.get(str(size), price)
        prices.append(price)
    return tuple(prices)


def _contradictions(rulebook: Rulebook) -> Iterator[Mistake]:
    """Yield the settings that do not go together."""
    least, most = rulebook.min_players, rulebook.max_players
    if least > most:
        yield Mistake(
            "min_players", f"is {least}, but max_players is {most}. Raise max_players, or lower it."
        )
    for_start = 0 if rulebook.start is Start.SIGN_UP else 1
    dealt = most * (rulebook.hand_size + for_start)
    if dealt > len(TILES):
        tiles = f"hands of {rulebook.hand_size}" + (" and a tile each for the start" * for_start)
        fits = len(TILES) // most - for_start
        yield Mistake(
            "hand_size",
            f"{most} players with {tiles} need {dealt} tiles, and there are {len(TILES)}. Set at "
            f"most {fits}, or fewer max_players.",
        )
    if rulebook.market_for_two and rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
        yield Mistake(
            "market_for_two",
            'needs disposal = "hold-sell-trade": the market draws its tile hotel by hotel. Set '
            "that, or market_for_two = false.",
        )


@lru_cache(256)
def from_json(text: str) -> Rulebook:
    """Read what :func:`acquire.protocol.rulebook_json.to_json` wrote.

    ``InvalidRulebook`` if it is anything else.

    >>> from_json('"classic"').title
    'How to play Acquire'
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InvalidRulebook([Mistake("", f"is not valid JSON: {error}.")]) from error
    if isinstance(data, str) and data in RULEBOOKS:
        return RULEBOOKS[data]
    if not isinstance(data, dict):
        raise InvalidRulebook([Mistake("", f"{data!r} is not a rulebook.")])
    return rulebook_from(data)
