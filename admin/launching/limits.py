"""What a launched program may use; it knows neither who sets the limits nor how they are kept."""

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
        text = f"{value!r} is no size. Write a number and KiB, MiB or GiB: '512 MiB'."
        raise PydanticCustomError("size", "{text}", {"text": text})
    return int(found[1]) * UNITS[found[2]]


Size = Annotated[int, BeforeValidator(_size), Field(ge=1, lt=2**62)]
"""Bytes."""


class Limits(BaseModel):
    """The limits of one program and all that it starts; ``processor`` is in seconds.

    ``ValidationError`` where one cannot be; of the type ``size``, with a sentence for people, where
    a text is no size.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    memory: Size = 2**30
    processor: Annotated[int, Field(ge=1)] = 600
    processes: Annotated[int, Field(ge=1)] = 64
    file_size: Size = 16 * 2**20
