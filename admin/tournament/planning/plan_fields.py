"""The values in a tournament file, each with its check and a user-facing sentence if it fails."""

import json
import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, ValidationInfo
from pydantic_core import PydanticCustomError

from ....game.rulebook import Rulebook
from ....game.rulebooks import RULEBOOKS
from ....protocol.rulebook_file import read, to_json
from ....protocol.settings_file import InvalidFile
from ....protocol.strategy_file import StrategyFileError, names_file
from ...launching.program import PLACEHOLDERS

MAX_NAME_LENGTH = 32
"""Characters of a player's name; at sign-up a proof follows it, and both may have 64."""
MAX_SECRET_LENGTH = 31
MIN_SECRET_LENGTH = 8


def mistake(sentence: str) -> PydanticCustomError:
    """Return the error that a check of ours raises."""
    return PydanticCustomError("setting", "{text}", {"text": sentence})


def _text(text: str) -> str:
    if "\0" in text:
        raise mistake("contains a NUL character, which no path or argument can. Remove it.")
    return text


def _variables(environment: dict[str, str]) -> dict[str, str]:
    for key in environment:
        if not key or "=" in key or "\0" in key:
            raise mistake(f"{key!r} cannot be a variable's name. Write {{ NAME = 'value' }}.")
    return environment


def _name(name: str) -> str:
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise mistake(
            f"{name!r} cannot be a name. Write 1 to {MAX_NAME_LENGTH} printable characters, "
            "without spaces at the ends."
        )
    if ":" in name:
        raise mistake(
            f"{name!r} contains a colon, which separates name and secret at sign-up. Remove it."
        )
    return name


def _secret(secret: str) -> str:
    if not secret.isprintable() or " " in secret or ":" in secret:
        raise mistake("contains a space, a colon or an unprintable character. Remove it.")
    return secret


def _strategy(name: str, info: ValidationInfo) -> str:
    """Check a built-in player's name, or load a class of a file in the folder of the plan."""
    from ....protocol.plugins import STRATEGIES, load_strategy, plugins

    if names_file(name):
        try:
            load_strategy(name, (info.context or {}).get("folder"))
        except StrategyFileError as error:
            raise mistake(str(error)) from error
        return name
    known = list(plugins(STRATEGIES))
    if name not in known:
        raise mistake(
            f"{name!r} is not a built-in player. Choose one of {', '.join(known)}, or write "
            "'FILE.py:CLASS'."
        )
    return name


def _rulebook(value: object, info: ValidationInfo) -> object:
    """Return one of the five, or read a file relative to the folder of the tournament file."""
    if not isinstance(value, str):
        return value
    if value in RULEBOOKS:
        return RULEBOOKS[value]
    folder = (info.context or {}).get("folder")
    if folder is None or not value.endswith(".toml"):
        known = ", ".join(RULEBOOKS)
        raise mistake(f"{value!r} is not a rulebook. Choose one of {known}, or name a TOML file.")
    try:
        return read(folder / value)
    except InvalidFile as error:
        raise mistake(str(error)) from error


def _plain(rulebook: Rulebook) -> object:
    """Return a rulebook as plain values: the id of one of the five, or all settings."""
    return json.loads(to_json(rulebook))


def _argument(text: str) -> str:
    unknown = [word for word in re.findall(r"\{(\w+)\}", text) if word not in PLACEHOLDERS]
    if unknown:
        raise mistake(
            f"{{{unknown[0]}}} is not a placeholder. Use {{host}}, {{port}} and {{name}}."
        )
    return text


TOML_LIST = Field(strict=False)
"""For a tuple: TOML has lists, which a strict one refuses; its members stay strict."""
Text = Annotated[str, AfterValidator(_text)]
Seconds = Annotated[float, Field(gt=0, le=86400)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH), AfterValidator(_name)]
Secret = Annotated[
    str, Field(min_length=MIN_SECRET_LENGTH, max_length=MAX_SECRET_LENGTH), AfterValidator(_secret)
]
Command = Annotated[
    tuple[Annotated[Text, AfterValidator(_argument)], ...], TOML_LIST, Field(min_length=1)
]
Variables = Annotated[dict[str, Text], AfterValidator(_variables)]
StrategyName = Annotated[str, AfterValidator(_strategy)]
RulebookValue = Annotated[Rulebook, BeforeValidator(_rulebook), PlainSerializer(_plain)]
Folder = Annotated[Path, PlainSerializer(str)]
