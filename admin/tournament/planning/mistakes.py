"""What pydantic finds wrong with a section, in the words of a tournament file."""

from collections.abc import Callable, Iterator, Sequence

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from ....protocol.settings_file import Mistake, unknown
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


def describe(detail: ErrorDetails) -> str:
    """Describe what is wrong with the value of a setting."""
    return _SENTENCES.get(detail["type"], _default_sentence)(detail)


def _default_sentence(detail: ErrorDetails) -> str:
    return f"{detail['msg']}; it is {detail['input']!r}."


def _bound(detail: ErrorDetails, name: str) -> str:
    """Return a bound, and the actual value if that is a number."""
    bound, value = detail.get("ctx", {}).get(name), detail["input"]
    return f"{bound}, not {value}" if isinstance(value, int | float) else f"{bound}"


_SENTENCES: dict[str, Callable[[ErrorDetails], str]] = {
    "setting": lambda detail: detail["msg"],
    "missing": lambda detail: "is missing.",
    "string_type": lambda detail: f"must be a text in quotes, not {detail['input']!r}.",
    "int_type": lambda detail: f"must be a whole number, not {detail['input']!r}.",
    "float_type": lambda detail: f"must be a number, not {detail['input']!r}.",
    "greater_than": lambda detail: f"must be more than {_bound(detail, 'gt')}.",
    "greater_than_equal": lambda detail: f"must be at least {_bound(detail, 'ge')}.",
    "less_than": lambda detail: f"must be less than {_bound(detail, 'lt')}.",
    "less_than_equal": lambda detail: f"must be at most {_bound(detail, 'le')}.",
    "string_too_short": lambda detail: (
        f"must have at least {_bound(detail, 'min_length')} characters."
    ),
    "string_too_long": lambda detail: (
        f"must have at most {_bound(detail, 'max_length')} characters."
    ),
    "too_short": lambda detail: (
        "is empty."
        if isinstance(detail["input"], str)
        else f"must have {_bound(detail, 'min_length')} or more."
    ),
    "too_long": lambda detail: f"must have at most {_bound(detail, 'max_length')}.",
    "finite_number": lambda detail: "must be a finite number.",
    "model_type": lambda detail: f"must be a table such as {{ ... }}, not {detail['input']!r}.",
    "dict_type": lambda detail: f"must be a table such as {{ ... }}, not {detail['input']!r}.",
    "bool_type": lambda detail: f"must be true or false, not {detail['input']!r}.",
    "tuple_type": lambda detail: f"must be a list in [ ], not {detail['input']!r}.",
    "enum": lambda detail: (
        f"must be {detail.get('ctx', {}).get('expected')}, not {detail['input']!r}."
    ),
    "literal_error": lambda detail: (
        f"must be {detail.get('ctx', {}).get('expected')}, not {detail['input']!r}."
    ),
}
