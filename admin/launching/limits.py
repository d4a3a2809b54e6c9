"""What a started program may use; who sets the limits and what enforces them is not known here."""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
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
    """The limits of one program and everything it starts, together; ``processor`` is in seconds.

    An impossible limit raises ``ValidationError``. Its type is ``size``, with a user-facing
    message, where a text is not a size.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    memory: Size = 2**30
    processor: Annotated[int, Field(ge=1)] = 600
    processes: Annotated[int, Field(ge=1)] = 64
    file_size: Size = 16 * 2**20


class SandboxLimits(Limits):
    """Limits with a sandbox: which one, and what programs see and use in it.

    ``read_only`` are files and folders that all programs may read, such as toolchains that are not
    in PATH; ``scratch`` is the size of a program's temporary folder.
    """

    sandbox: Literal["auto", "bwrap", "uid", "none"] = "auto"
    read_only: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    scratch: Size = 64 * 2**20

    @model_validator(mode="before")
    @classmethod
    def _list_to_tuple(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("read_only"), list):
            return {**data, "read_only": tuple(data["read_only"])}
        return data
