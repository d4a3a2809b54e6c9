"""Where in a tournament file a mistake of one section is."""

from collections.abc import Iterator, Sequence

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from ....protocol.settings_file import Mistake, describe, unknown
from .plan import GradeStep, RemoteSettings


def mistake_of(place: str, detail: ErrorDetails, section: type[BaseModel]) -> Mistake:
    """Return the mistake that the check of one section has found, in the words of the file."""
    steps = [step for step in detail["loc"] if step not in ("function-after", "tuple")]
    for step in steps:
        place += f"[{step + 1}]" if isinstance(step, int) else f".{step}"
    sentence = describe(detail)
    if detail["type"] == "too_short" and steps[:1] in (["command"], ["build"]):
        sentence = "is empty. Write the program, and each of its arguments."
    if detail["type"] == "extra_forbidden":
        place, _, name = place.rpartition(".")
        sentence = unknown(name, list(_settings_at(section, steps[:-1])), "setting here")
    return Mistake(place, sentence)


def _settings_at(section: type[BaseModel], steps: Sequence[object]) -> Iterator[str]:
    """Yield the settings of the table at a place within a section."""
    inner: dict[object, type[BaseModel]] = {"remote": RemoteSettings, "scale": GradeStep}
    yield from (inner.get(steps[0], section) if steps else section).model_fields
