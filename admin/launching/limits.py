"""What a started program may use; who sets the limits and what enforces them is not known here."""

import re
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

UNITS = {"": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def _size(value: object) -> object:
    """Convert a size such as ``512 MiB`` to bytes."""
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"\s*(\d+)\s*(KiB|MiB|GiB|)\s*", value)
    if found is None:
        text = f"{value!r} is not a size. Write a number and KiB, MiB or GiB, such as '512 MiB'."
        raise PydanticCustomError("setting", "{text}", {"text": text})
    return int(found[1]) * UNITS[found[2]]


Size = Annotated[int, BeforeValidator(_size), Field(ge=1, lt=2**62)]
"""Bytes."""


class Limits(BaseModel):
    """The limits of one program and of everything it starts; ``processor`` is in seconds.

    An impossible limit raises ``ValidationError``. Its type is ``size``, with a user-facing
    message, where a text is not a size.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    memory: Size = 2**30
    processor: Annotated[int, Field(ge=1)] = 600
    processes: Annotated[int, Field(ge=1)] = 64
    file_size: Size = 16 * 2**20
