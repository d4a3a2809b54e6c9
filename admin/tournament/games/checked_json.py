"""JSON from a store or a report, which anybody may have written: typed values, or a sentence.

The types say what is expected, and pydantic checks it. Its parser gives up on JSON that is nested
more than 200 deep. How long a text may be is for the caller to say: all mistakes in it are
collected before the first one is told.
"""

import re
from typing import Annotated, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from ....protocol.player_names import MAX_NAME

MAX_SHOWN = 60  # characters of a wrong value that a sentence shows
MAX_MISTAKES = 1000  # with more, none is told: turning millions into values takes minutes
STRICT = ConfigDict(strict=True, allow_inf_nan=False, defer_build=True)
"""Text is no number, and one is not true. What checks a value is built when the first one comes.

The processes of a pool need none of the models of a plan, and start a fifth sooner.
"""

GAME_ID = "[A-Za-z0-9][A-Za-z0-9-]{0,63}"  # a pattern of game ids, which file names contain
PlayerName = Annotated[str, Field(max_length=MAX_NAME)]
"""A player's name; a tournament file allows fewer characters."""
GameId = Annotated[str, Field(pattern=rf"^{GAME_ID}\z")]
Sentences = Annotated[str, Field(max_length=100_000)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}\z")]
Count = Annotated[int, Field(ge=0, le=10**12)]

T = TypeVar("T")


class InvalidFields(ValueError):
    """A value is not what is expected; the text is part of a sentence for the user."""


def read_checked(adapter: TypeAdapter[T], data: str | bytes) -> T:
    """Return the value in a JSON text; ``InvalidFields`` says what is wrong with it."""
    try:
        return adapter.validate_json(data)
    except ValidationError as error:
        raise InvalidFields(_in_words(error)) from None


def check_value(adapter: TypeAdapter[T], value: object) -> T:
    """Return a value that was parsed already, checked; ``InvalidFields``."""
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise InvalidFields(_in_words(error)) from None


def _in_words(error: ValidationError) -> str:
    if error.error_count() > MAX_MISTAKES:
        return f"it has {error.error_count():,} mistakes"
    first = error.errors(include_url=False)[0]
    *around, last = (
        str(step) if isinstance(step, int) or step.isidentifier() else shown(step)
        for step in ("it", *first["loc"])
    )
    match first["type"]:
        case "json_invalid":
            return f"it is not JSON: {first['ctx']['error']}"
        case "missing" | "missing_argument":
            return f"the field {last} is missing"
        case "extra_forbidden" | "unexpected_keyword_argument":
            return f"the field {last} is unknown"
        case _:
            place = f" in {'.'.join(around[1:])}" if around[1:] else ""
            return f"{last}{place} is {shown(first['input'])}: {first['msg']}"


def is_game_id(value: object) -> bool:
    """Whether a value is the id of a game."""
    return isinstance(value, str) and bool(re.fullmatch(GAME_ID, value))


def shown(value: object) -> str:
    """Return the beginning of a value, printable."""
    try:
        found = ascii(value)
    except (RecursionError, ValueError):  # a number with too many digits
        return "a value that is too large"
    return found if len(found) <= MAX_SHOWN else f"{found[:MAX_SHOWN]}..."
