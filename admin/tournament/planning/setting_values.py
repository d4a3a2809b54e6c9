"""The values of settings in a tournament file: each is a type with its checks.

A mistake has its place in what is checked, and a user-facing sentence. Paths are relative to the
``folder`` in the context of a validation; without one, no file is looked at.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    ValidationError,
    ValidationInfo,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from ....game.rulebook import Rulebook
from ....game.rulebooks import RULEBOOKS
from ....protocol.plugins import StrategyFileError, names_file
from ....protocol.rulebook_file import read, to_json
from ....protocol.settings_file import InvalidFile, InvalidSettings
from ...launching.limits import Limits, limits_from
from ...launching.program import unknown_placeholder

MAX_NAME_LENGTH = 32  # characters of a name; with the proof that follows it at sign-up, 64
MAX_SECRET_LENGTH = 31
MIN_SECRET_LENGTH = 8
MAX_WORDS, MAX_WORD_LENGTH = 256, 4096
"""Of a command; as many variables. bubblewrap takes 9,000 words, three of them for a variable, and
the kernel 128 KiB in one, in which a short placeholder may stand for a long name."""

Found = tuple[tuple[str | int, ...], str]  # a mistake: its place in what is checked; a sentence


def mistake(sentence: str) -> PydanticCustomError:
    """Return what a check of one value raises: a sentence for the user."""
    return PydanticCustomError("setting", "{text}", {"text": sentence})


def refuse(found: Iterable[Found]) -> None:
    """Raise all mistakes that a check has found, if there are any."""
    if errors := [InitErrorDetails(type=mistake(text), loc=at, input=None) for at, text in found]:
        raise ValidationError.from_exception_data("", errors)


def folder_in(info: ValidationInfo) -> Path | None:
    """Return the folder that paths are relative to."""
    folder: Path | None = (info.context or {}).get("folder")
    return folder


def _refused(is_wrong: Callable[[str], bool], sentence: str) -> AfterValidator:
    """Return a check of a text, which the sentence may contain."""

    def check(text: str) -> str:
        if is_wrong(text):
            raise mistake(sentence.format(text))
        return text

    return AfterValidator(check)


def _strategy(name: str, info: ValidationInfo) -> str:
    """Check a built-in player's name, or load a class of a file in the folder of the plan."""
    from ....protocol.plugins import STRATEGIES, load_strategy, plugins

    if names_file(name):
        try:
            load_strategy(name, folder_in(info))
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
    folder = folder_in(info)
    if folder is None or not value.endswith(".toml"):
        known = ", ".join(RULEBOOKS)
        raise mistake(f"{value!r} is not a rulebook. Choose one of {known}, or name a TOML file.")
    try:
        return read(folder / value)
    except InvalidFile as error:
        raise mistake(str(error)) from error


def _argument(text: str) -> str:
    if unknown := unknown_placeholder([text]):
        raise mistake(unknown)
    return text


TOML_LIST = Field(strict=False)
"""For a tuple: TOML has lists, which a strict one refuses; its members stay strict."""
Text = Annotated[
    str,
    _refused(
        lambda text: "\0" in text,
        "contains a NUL character, which no path or argument can. Remove it.",
    ),
]
SomeText = Annotated[Text, Field(min_length=1)]
Seconds = Annotated[float, Field(gt=0, le=86400)]
Name = Annotated[
    str,
    Field(min_length=1, max_length=MAX_NAME_LENGTH),
    _refused(
        lambda name: name != name.strip() or not name.isprintable(),
        f"{{!r}} cannot be a name. Write 1 to {MAX_NAME_LENGTH} printable characters, without "
        "spaces at the ends.",
    ),
    _refused(
        lambda name: ":" in name,
        "{!r} contains a colon, which separates name and secret at sign-up. Remove it.",
    ),
]
Secret = Annotated[
    str,
    Field(min_length=MIN_SECRET_LENGTH, max_length=MAX_SECRET_LENGTH),
    _refused(
        lambda secret: not secret.isprintable() or " " in secret or ":" in secret,
        "contains a space, a colon or an unprintable character. Remove it.",
    ),
]
Word = Annotated[Text, Field(max_length=MAX_WORD_LENGTH)]
Command = Annotated[
    tuple[Annotated[Word, AfterValidator(_argument)], ...],
    TOML_LIST,
    Field(min_length=1, max_length=MAX_WORDS),
]
VariableName = Annotated[
    str,
    Field(max_length=MAX_WORD_LENGTH),
    _refused(
        lambda name: not name or "=" in name or "\0" in name,
        "{!r} cannot be a variable's name. Write {{ NAME = 'value' }}.",
    ),
]
Variables = Annotated[dict[VariableName, Word], Field(max_length=MAX_WORDS)]
StrategyName = Annotated[str, AfterValidator(_strategy)]
RulebookValue = Annotated[
    Rulebook,
    BeforeValidator(_rulebook),
    PlainSerializer(lambda rulebook: json.loads(to_json(rulebook))),
]


def missing(read_only: Iterable[str], folder: Path | None) -> Iterator[Found]:
    """Yield the files and folders of ``read_only`` that are not in a folder."""
    for number, path in enumerate(read_only):
        if folder is not None and not os.path.exists(folder / path):
            why = f"{path!r} does not exist in {folder}. Create it, or remove it."
            yield ("read_only", number), why


def _limits(value: object, info: ValidationInfo) -> object:
    if not isinstance(value, dict):
        return value
    try:
        limits = limits_from(value)
    except InvalidSettings as error:
        refuse(((place,) if place else (), sentence) for place, sentence in error.mistakes)
        raise
    refuse(missing(limits.read_only, folder_in(info)))
    return limits


CheckedLimits = Annotated[Limits, BeforeValidator(_limits)]
