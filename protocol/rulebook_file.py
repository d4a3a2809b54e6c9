"""A rulebook of one's own: a TOML file that names one of the five as its base, and what it changes.

The settings are the fields of :class:`acquire.game.rulebook.Rulebook`, under the same names. A
choice is written as its name in lower case with hyphens, ``"up-to-full"``; ``[hotels]`` has the
price tier of each; ``[prices]`` has for each tier the price from each size on, ``cheap = {2 = 200,
3 = 300}``.

Game logs and other processes have a rulebook as one line of JSON, with all its settings.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

from ..game import rulebook as rules
from ..game.rulebook import MAX_SIZE, NUMBER_OF_HOTELS, Hotel, Rulebook, price_table
from ..game.rulebooks import REVISED, RULEBOOKS, is_one_of_the_five
from ..game.tiles import TILES
from . import settings_file
from .settings_file import InvalidFile, InvalidSettings, Mistake, Reader, Wrong
from .settings_without_effect import settings_without_effect

MAX_NAME_LENGTH = 20
MAX_TITLE_LENGTH = 80
MAX_ORDER = 20
"""Certificates of an order: a message has room for so many hotels with the longest names."""
MAX_MIXED_ORDER = 10  # where it may be of several hotels: then all of 19,448 orders are listed
MAX_BONUSES = 6
MAX_JSON = 2**15  # characters of a rulebook in a log: all prices and the longest names take a third
TIERS = ("cheap", "medium", "expensive")
ADVICE = "`acquire rulebooks --init FILE` writes a template."


def written(choice: Enum) -> str:
    """Return how a file writes a choice."""
    return choice.name.lower().replace("_", "-")


def _choice(choices: type[Enum]) -> Reader:
    by_name = {written(choice): choice for choice in choices}

    def read_choice(value: object) -> Enum:
        if isinstance(value, str) and value in by_name:
            return by_name[value]
        known = ", ".join(f'"{name}"' for name in by_name)
        raise Wrong(f"must be one of {known}, not {settings_file.in_brief(value)}.")

    return read_choice


def _id(value: object) -> str:
    name = settings_file.text(value)
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}", name):
        raise Wrong(
            f"{name!r} cannot be an id. Write a letter, then up to 31 letters, digits, dots, "
            "hyphens or underscores."
        )
    return name


def _title(value: object) -> str:
    title = settings_file.text(value)
    if not title.strip() or not title.isprintable():
        raise Wrong(f"{title!r} cannot be a title. Write printable characters.")
    if len(title) > MAX_TITLE_LENGTH:
        raise Wrong(f"must have at most {MAX_TITLE_LENGTH} characters.")
    return title


def _base(value: object) -> Rulebook:
    if (name := settings_file.text(value)) not in RULEBOOKS:
        raise Wrong(settings_file.unknown(name, list(RULEBOOKS), "rulebook"))
    return RULEBOOKS[name]


# -- lists and tables ---------------------------------------------------------------------------


def _multiples(value: object) -> tuple[int, ...]:
    multiples = settings_file.list_of(settings_file.whole(1, 100))(value)
    if not multiples:
        raise Wrong("must have 1 or more.")
    if len(multiples) > MAX_BONUSES:
        raise Wrong(f"must have at most {MAX_BONUSES}.")
    if sorted(multiples, reverse=True) != list(multiples):
        raise Wrong("rises from one place to the next. Write the largest bonus first.")
    return multiples


def _hotels(value: object) -> tuple[Hotel, ...]:
    tiers = settings_file.table_of(settings_file.one_of(*TIERS))(value)
    for name in tiers:
        if not re.fullmatch(rf"[A-Z][A-Za-z0-9 '-]{{0,{MAX_NAME_LENGTH - 1}}}(?<! )", name):
            raise Wrong(
                f"{name!r} cannot be a hotel's name. Write a capital letter, then up to "
                f"{MAX_NAME_LENGTH - 1} letters, digits, spaces, hyphens or apostrophes."
            )
    if len(tiers) != NUMBER_OF_HOTELS:
        raise Wrong(f"has {len(tiers)} hotels. Name {NUMBER_OF_HOTELS}, each with its tier.")
    initials = "".join(name[0] for name in tiers)
    if repeated := sorted(letter for letter in set(initials) if initials.count(letter) > 1):
        raise Wrong(
            f"has several names that begin with {repeated[0]}, the sign of the hotel on a board. "
            "Let each name begin with another letter."
        )
    return tuple(Hotel(name, tier) for name, tier in sorted(tiers.items()))


def _prices_of_tier(value: object) -> tuple[int, ...]:
    prices = settings_file.table_of(_DOLLARS)(value)
    for size in prices:
        if not re.fullmatch("0|[1-9][0-9]{0,2}", size) or int(size) > MAX_SIZE:
            raise Wrong(f"has a price for size {size!r}. Write a number from 0 to {MAX_SIZE}.")
    rising = sorted((int(size), price) for size, price in prices.items())
    if not any(price for size, price in rising if size <= 2):
        raise Wrong("has no price at size 2. Write one, such as 2 = 200.")
    for (_, below), (larger, price) in pairwise(rising):
        if price < below:
            raise Wrong(
                f"falls from ${below:,} to ${price:,} at size {larger}. Let prices rise with the "
                "size."
            )
    return price_table({price: size for size, price in reversed(rising)})


def _prices(value: object) -> dict[str, tuple[int, ...]]:
    if isinstance(value, dict):
        unheard_of = [name for name in value if name not in TIERS]
        if unheard_of:
            sentence = "is not a tier. Write cheap, medium or expensive."
            raise Wrong("", *(Mistake(f".{name}", sentence) for name in unheard_of))
    return settings_file.table_of(_prices_of_tier)(value)


# -- the settings -------------------------------------------------------------------------------

_DOLLARS = settings_file.whole(0, 1_000_000)
_SIZE = settings_file.whole(2, MAX_SIZE)
_PLAYERS = settings_file.whole(2, 6)

_READERS: dict[str, Reader] = {
    "id": _id,
    "base": _base,
    "title": _title,
    "min_players": _PLAYERS,
    "max_players": _PLAYERS,
    "market_for_two": settings_file.truth,
    "cash": _DOLLARS,
    "hand_size": settings_file.whole(1, len(TILES)),
    "certificates": settings_file.whole(1, 100),
    "founders_certificates": settings_file.whole(0, 100),
    "bonus_multiples": _multiples,
    "safe_size": _SIZE,
    "final_size": _SIZE,
    "order_limit": settings_file.whole(1, MAX_ORDER),
    "mixed_orders": settings_file.truth,
    "rounding_step": settings_file.whole(1, 10_000),
    "hotels": _hotels,
    "prices": _prices,
}
_FIRST, _LAST = ("id", "base"), ("hotels", "prices")
_FIELDS = [field.name for field in fields(Rulebook) if field.name not in _FIRST + _LAST]

SETTINGS = {
    name: _READERS.get(name) or _choice(type(getattr(REVISED, name)))
    for name in (*_FIRST, *_FIELDS, *_LAST)
}
"""What a file may set."""
_REQUIRED = {"id": 'is missing. Write a name for the rulebook, such as id = "mine".'}


def read(path: Path) -> Rulebook:
    """Read a rulebook from a file; ``InvalidFile`` with all mistakes in it."""
    data = settings_file.parse(path, ADVICE)
    try:
        rulebook = rulebook_from(data)
    except InvalidSettings as error:
        raise InvalidFile(path, error.mistakes) from error
    mistakes = [*settings_without_effect(rulebook, data)]
    if is_one_of_the_five(rulebook):
        sentence = f"{rulebook.id!r} is one of the five rulebooks. Write another id."
        mistakes.insert(0, Mistake("id", sentence))
    if mistakes:
        raise InvalidFile(path, mistakes)
    return rulebook


class UnknownRulebook(ValueError):
    """What was given is neither one of the five nor a file; the text is user-facing."""


def find(named: str) -> Rulebook:
    """Find one of the five by its id, or read a file.

    ``UnknownRulebook`` if it cannot be either, ``InvalidFile`` with all mistakes in the file.
    """
    if named in RULEBOOKS:
        return RULEBOOKS[named]
    if named.endswith(".toml") or Path(named).is_file():
        return read(Path(named))
    raise UnknownRulebook(
        f"{named!r} is not a rulebook. Choose one of {', '.join(RULEBOOKS)}, or name a TOML file."
    )


def rulebook_from(data: Mapping[str, Any]) -> Rulebook:
    """Make a rulebook from the settings of a file; ``InvalidSettings`` if they make none.

    >>> rulebook = rulebook_from({"id": "rich", "base": "classic", "cash": 9000})
    >>> rulebook.title, rulebook.cash, rulebook.hand_size
    ('How to play Acquire, changed: rich', 9000, 6)
    """
    settings = settings_file.read_settings(data, SETTINGS, required=_REQUIRED)
    base: Rulebook = settings.pop("base", RULEBOOKS["revised"])
    settings.setdefault("title", f"{base.title}, changed: {settings['id']}")
    hotels = settings.setdefault("hotels", base.hotels)
    by_tier = {hotel.tier: prices for hotel, prices in zip(base.hotels, base.prices, strict=True)}
    by_tier |= settings.get("prices", {})
    settings["prices"] = tuple(by_tier[hotel.tier] for hotel in hotels)
    rulebook = replace(base, **settings)
    if mistakes := list(_contradictions(rulebook)):
        raise InvalidSettings(mistakes)
    return rulebook


def _contradictions(rulebook: Rulebook) -> Iterator[Mistake]:
    least, most = rulebook.min_players, rulebook.max_players
    if least > most:
        yield Mistake(
            "min_players", f"is {least}, but max_players is {most}. Raise max_players, or lower it."
        )
    for_start = 0 if rulebook.start is rules.Start.SIGN_UP else 1
    dealt = most * (rulebook.hand_size + for_start)
    if dealt > len(TILES):
        tiles = f"hands of {rulebook.hand_size}" + (" and a tile each for the start" * for_start)
        fits = len(TILES) // most - for_start
        yield Mistake(
            "hand_size",
            f"{most} players with {tiles} need {dealt} tiles, and there are {len(TILES)}. Set at "
            f"most {fits}, or fewer max_players.",
        )
    if rulebook.mixed_orders and rulebook.order_limit > MAX_MIXED_ORDER:
        ways = comb(rulebook.order_limit + NUMBER_OF_HOTELS, NUMBER_OF_HOTELS)
        why = f"is {rulebook.order_limit}: an order could be chosen in {ways:,} ways, all of which"
        how = f"are looked at. Set at most {MAX_MIXED_ORDER}, or mixed_orders = false."
        yield Mistake("order_limit", f"{why} {how}")
    if rulebook.market_for_two and rulebook.disposal is rules.DisposalRule.KEEP_OR_RETURN:
        yield Mistake(
            "market_for_two",
            'needs disposal = "hold-sell-trade": the market draws its tile hotel by hotel. Set '
            "that, or market_for_two = false.",
        )


# -- as JSON ------------------------------------------------------------------------------------


def up_to_date(text: str) -> str:
    """Return what :func:`to_json` wrote, with all settings that there are now; else the text.

    >>> "founders_certificates" in up_to_date('{"id": "mine"}'), up_to_date("classic")
    (True, 'classic')
    """
    try:
        return to_json(from_json(text))
    except InvalidSettings:
        return text


def settings_of(rulebook: Rulebook) -> dict[str, Any]:
    """Return every setting of a rulebook, as a file has it; the title included, a base not.

    >>> from acquire import CLASSIC
    >>> settings = settings_of(CLASSIC)
    >>> settings["draw"], settings["hotels"]["Tower"], settings["prices"]["cheap"]["41"]
    ('one', 'expensive', 1000)
    """
    settings: dict[str, Any] = {}
    for field in fields(rulebook):
        value = getattr(rulebook, field.name)
        settings[field.name] = written(value) if isinstance(value, Enum) else value
    settings["bonus_multiples"] = list(rulebook.bonus_multiples)
    settings["hotels"] = {hotel.name: hotel.tier for hotel in rulebook.hotels}
    settings["prices"] = {
        hotel.tier: {
            str(size): price
            for size, (before, price) in enumerate(pairwise((0, *prices)))
            if price != before
        }
        for hotel, prices in zip(rulebook.hotels, rulebook.prices, strict=True)
    }
    return settings


def to_json(rulebook: Rulebook) -> str:
    """Write a rulebook as one line: its id if it is one of the five, or else all its settings."""
    if rulebook in RULEBOOKS.values():
        return json.dumps(rulebook.id)
    return json.dumps(settings_of(rulebook), separators=(",", ":"))


@lru_cache(256)
def from_json(text: str) -> Rulebook:
    """Read what :func:`to_json` wrote.

    ``InvalidSettings`` if it is anything else.

    >>> from_json('"classic"').title
    'How to play Acquire'
    """
    if len(text) > MAX_JSON:  # and is not kept
        raise InvalidSettings([Mistake("", f"has more than {MAX_JSON:,} characters.")])
    try:
        data = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise InvalidSettings([Mistake("", f"is not valid JSON: {error}.")]) from error
    if isinstance(data, str) and data in RULEBOOKS:
        return RULEBOOKS[data]
    if not isinstance(data, dict):
        raise InvalidSettings([Mistake("", f"{settings_file.in_brief(data)} is not a rulebook.")])
    return rulebook_from(data)
