"""A rulebook as plain values, as game logs and other processes have it: all settings in JSON.

The settings are those of a rulebook file, and :mod:`acquire.protocol.rulebook_file` reads them.
"""

import json
from dataclasses import fields
from enum import Enum
from typing import Any

from ..game.rulebook import Rulebook
from ..game.rulebooks import RULEBOOKS
from .settings_file import InvalidSettings


class InvalidRulebook(InvalidSettings):
    """Settings do not make a rulebook."""


def written(choice: Enum) -> str:
    """Return how a file writes a choice.

    >>> from acquire.game.rulebook import Draw
    >>> written(Draw.UP_TO_FULL)
    'up-to-full'
    """
    return choice.name.lower().replace("_", "-")


def settings_of(rulebook: Rulebook) -> dict[str, Any]:
    """Return every setting of a rulebook, as a file has it; the title included, a base not.

    >>> from acquire.game.rulebooks import CLASSIC
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
        hotel.tier: _steps_of(prices)
        for hotel, prices in zip(rulebook.hotels, rulebook.prices, strict=True)
    }
    return settings


def _steps_of(prices: tuple[int, ...]) -> dict[str, int]:
    steps, before = {}, 0
    for size, price in enumerate(prices):
        if price != before:
            steps[str(size)] = before = price
    return steps


def to_json(rulebook: Rulebook) -> str:
    """Write a rulebook as one line: its id if it is one of the five, or else all its settings.

    >>> from acquire.game.rulebooks import CLASSIC
    >>> to_json(CLASSIC)
    '"classic"'
    """
    if rulebook in RULEBOOKS.values():
        return json.dumps(rulebook.id)
    return json.dumps(settings_of(rulebook), separators=(",", ":"))
