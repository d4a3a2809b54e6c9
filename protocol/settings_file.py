"""Files of settings in TOML: parse one, and describe every mistake in it.

A mistake has the place of a setting, as the file writes it, and a sentence that says what was
expected and what to write instead.
"""

import re
import tomllib
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails, PydanticCustomError

MAX_BYTES = 2**20
"""The size up to which a file is read."""


class Mistake(NamedTuple):
    """One mistake.

    Places look like ``players[2] (ada).command[1]`` and are counted from 1; the place is empty for
    the whole file.
    """

    place: str
    sentence: str


class InvalidFile(Exception):
    """A file has mistakes; the text is user-facing, and lists all of them."""

    def __init__(self, path: Path, mistakes: Sequence[Mistake]) -> None:
        self.path = path
        self.mistakes = tuple(mistakes)
        count = "a mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
        lines = [f"{place}: {sentence}" if place else sentence for place, sentence in mistakes]
        super().__init__("\n  ".join([f"{path} has {count}:", *lines]))


def parse(path: Path, advice: str) -> dict[str, Any]:
    """Parse a file as TOML; ``InvalidFile`` with one mistake if that is impossible.

    ``advice`` follows the message that the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise InvalidFile(path, [Mistake("", f"The file is larger than {MAX_BYTES} bytes.")])
        return tomllib.loads(raw.decode("utf-8-sig"))
    except OSError as error:
        sentence = f"The file cannot be read: {error.strerror}. {advice}"
        raise InvalidFile(path, [Mistake("", sentence)]) from error
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        sentence = f"byte {raw[error.start]:#04x} is not UTF-8. Save the file as UTF-8."
        raise InvalidFile(path, [Mistake(f"line {line}", sentence)]) from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidFile(path, [_syntax_mistake(str(error))]) from error
    except (RecursionError, ValueError) as error:
        sentence = "The file has a list nested too deeply, or a number with too many digits."
        raise InvalidFile(path, [Mistake("", sentence)]) from error


def _syntax_mistake(text: str) -> Mistake:
    """Return the parser's message as a mistake; its place is at the end of the message."""
    found = re.fullmatch(r"(.*) \(at (.*)\)", text)
    what, place = (found[1], found[2]) if found else (text, "")
    hint = " Texts need quotes, lists need [ ]." if "Invalid value" in what else ""
    return Mistake(place, f"this is not valid TOML: {what}.{hint}")


def mistake(sentence: str) -> "PydanticCustomError":
    """Return the error that a validator of ours raises."""
    from pydantic_core import PydanticCustomError

    return PydanticCustomError("setting", "{text}", {"text": sentence})


def unknown(name: str, known: Sequence[str], noun: str) -> str:
    """Return a sentence about an unknown name, with the one that was probably meant.

    >>> unknown("cahs", ["cash", "id"], "setting")
    "'cahs' is not a setting. Did you mean 'cash'? There are cash, id."
    """
    close = get_close_matches(name, known, n=1)
    guess = f" Did you mean {close[0]!r}?" if close else ""
    return f"{name!r} is not a {noun}.{guess} There are {', '.join(known)}."


def describe(detail: "ErrorDetails") -> str:
    """Describe what is wrong with the value of a setting."""
    return _SENTENCES.get(detail["type"], _default_sentence)(detail)


def _default_sentence(detail: "ErrorDetails") -> str:
    return f"{detail['msg']}; it is {detail['input']!r}."


def _bound(detail: "ErrorDetails", name: str) -> str:
    """Return a bound, and the actual value if that is a number."""
    bound, value = detail.get("ctx", {}).get(name), detail["input"]
    return f"{bound}, not {value}" if isinstance(value, int | float) else f"{bound}"


_SENTENCES: dict[str, Callable[["ErrorDetails"], str]] = {
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
