"""Files of settings in TOML: parse one, read its values, and describe every mistake in it.

A mistake has the place of a setting, as the file writes it, and a sentence that says what was
expected and what to write instead.
"""

import reprlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from .files import bytes_of
from .user_error import UserError

Value = TypeVar("Value")
Reader: TypeAlias = Callable[[object], Any]
"""Returns a setting from its value in a file; raises :class:`Wrong`."""

MAX_DOTS = 200
"""In a line: tomllib takes the square of the parts of a key as time, and nests as many tables."""
MAX_SHOWN = 60
"""Characters of a wrong value that a sentence shows."""
MAX_TOLD, MAX_SENTENCE = 100, 2000
"""How many mistakes of a file are shown, and how many characters of each."""

_BRIEF = reprlib.Repr()
_BRIEF.maxlevel, _BRIEF.maxstring, _BRIEF.maxother = 3, MAX_SHOWN, MAX_SHOWN


class Mistake(NamedTuple):
    """One mistake.

    Places look like ``players[2] (ada).command[1]`` and are counted from 1; the place is empty for
    the whole file.
    """

    place: str
    sentence: str


def told(mistakes: Sequence[Mistake], most: int = MAX_TOLD) -> list[str]:
    """Return mistakes as lines, at most so many, none of which is too long to be read."""
    found = [f"{place}: {sentence}" if place else sentence for place, sentence in mistakes[:most]]
    lines = [one if len(one) <= MAX_SENTENCE else f"{one[:MAX_SENTENCE]}..." for one in found]
    return [*lines, "There are more. Mend these first."] if len(mistakes) > most else lines


class InvalidFile(UserError):
    """A file has mistakes; the text is user-facing, and lists all of them."""

    def __init__(self, path: Path, mistakes: Sequence[Mistake]) -> None:
        self.path = path
        self.mistakes = tuple(mistakes)
        more = f"more than {MAX_TOLD}" if len(mistakes) > MAX_TOLD else len(mistakes)
        count = "a mistake" if len(mistakes) == 1 else f"{more} mistakes"
        super().__init__("\n  ".join([f"{path} has {count}:", *told(mistakes)]))


class InvalidSettings(ValueError):
    """Settings are not what they should be; ``mistakes`` says why."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__(" ".join(told(mistakes)))


class Wrong(Exception):
    """A value is wrong; places are relative to its setting, such as ``.Alto`` and ``[2]``."""

    def __init__(self, sentence: str, *more: Mistake) -> None:
        self.mistakes = (Mistake("", sentence), *more) if sentence else more


def parse(path: Path, advice: str, raw: bytes | None = None) -> dict[str, Any]:
    """Parse a file as TOML; ``InvalidFile`` with a mistake, and ``advice`` if it cannot be read.

    ``raw`` is what is in it, if it was read already.
    """
    try:
        decoded = (bytes_of(path) if raw is None else raw).decode("utf-8-sig")
        for number, one in enumerate(decoded.split("\n"), 1):
            if one.count(".") > MAX_DOTS:  # also in texts: what is none is for the parser to say
                sentence = f"has more than {MAX_DOTS} dots. Write them on several lines."
                raise InvalidFile(path, [Mistake(f"line {number}", sentence)])
        return tomllib.loads(decoded)
    except OSError as error:
        sentence = f"The file cannot be read: {error.strerror}. {advice}"
        raise InvalidFile(path, [Mistake("", sentence)]) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        sentence = f"byte {error.object[error.start]:#04x} is not UTF-8. Save the file as UTF-8."
        raise InvalidFile(path, [Mistake(f"line {line}", sentence)]) from error
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).rstrip(")").rpartition(" (at ")
        hint = " Texts need quotes, lists need [ ]." if "Invalid value" in what else ""
        raise InvalidFile(
            path, [Mistake(place, f"this is not valid TOML: {what}.{hint}")]
        ) from error
    except (RecursionError, ValueError) as error:
        sentence = "The file has a list nested too deeply, or a number with too many digits."
        raise InvalidFile(path, [Mistake("", sentence)]) from error


def in_brief(value: object) -> str:
    """Return the beginning of a value as it is printed, however large or deep it is.

    >>> in_brief([1, [2, [3, [4, [5]]]]])
    '[1, [2, [3, [...]]]]'
    """
    try:
        found = _BRIEF.repr(value)
    except ValueError:
        return "a number that is too large"
    return found if len(found) <= MAX_SHOWN else f"{found[:MAX_SHOWN]}..."


def unknown(name: str, known: Sequence[str], noun: str) -> str:
    """Return a sentence about an unknown name, with the one that was probably meant.

    >>> unknown("cahs", ["cash", "id"], "setting")
    "'cahs' is not a setting. Did you mean 'cash'? There are cash, id."
    >>> unknown("buy_tiles", ["bonus_multiples"], "setting")
    "'buy_tiles' is not a setting. There are bonus_multiples."
    """
    part_of = [each for each in known if name in each.split("_")]
    close = part_of or get_close_matches(name[:MAX_SHOWN], known, n=1, cutoff=0.7)
    guess = f" Did you mean {close[0]!r}?" if close else ""
    return f"{in_brief(name)} is not a {noun}.{guess} There are {', '.join(known)}."


# -- values -------------------------------------------------------------------------------------


def whole(least: int, most: int) -> Reader:
    """Return a reader of whole numbers; ``True`` is none."""

    def read_number(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise Wrong(f"must be a whole number, not {in_brief(value)}.")
        if value < least:
            raise Wrong(f"must be at least {least}, not {in_brief(value)}.")
        if value > most:
            raise Wrong(f"must be at most {most}, not {in_brief(value)}.")
        return value

    return read_number


def truth(value: object) -> bool:
    """Read ``true`` or ``false``."""
    if not isinstance(value, bool):
        raise Wrong(f"must be true or false, not {in_brief(value)}.")
    return value


def text(value: object) -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise Wrong(f"must be a text in quotes, not {in_brief(value)}.")
    return value


def one_of(*words: str) -> Reader:
    """Return a reader of one of these words."""

    def read_word(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            *first, last = map(repr, words)
            raise Wrong(f"must be {', '.join(first)} or {last}, not {in_brief(value)}.")
        return value

    return read_word


def list_of(read_value: Callable[[object], Value]) -> Callable[[object], tuple[Value, ...]]:
    """Return a reader of lists, whose places are counted from 1."""

    def read_list(value: object) -> tuple[Value, ...]:
        if not isinstance(value, list | tuple):
            raise Wrong(f"must be a list in [ ], not {in_brief(value)}.")
        return _each({f"[{place}]": one for place, one in enumerate(value, 1)}, read_value)

    return read_list


def table_of(read_value: Callable[[object], Value]) -> Callable[[object], dict[str, Value]]:
    """Return a reader of tables with any names."""

    def read_table(value: object) -> dict[str, Value]:
        if not isinstance(value, dict):
            raise Wrong(f"must be a table such as {{ ... }}, not {in_brief(value)}.")
        found = _each({f".{name}": one for name, one in value.items()}, read_value)
        return dict(zip(value, found, strict=True))

    return read_table


def _each(values: Mapping[str, object], read_value: Callable[[object], Value]) -> tuple[Value, ...]:
    """Read values by their places; raise all that is wrong with them at once."""
    found: list[Value] = []
    mistakes: list[Mistake] = []
    for place, value in values.items():
        try:
            found.append(read_value(value))
        except Wrong as error:
            mistakes += (Mistake(place + inner, sentence) for inner, sentence in error.mistakes)
    if mistakes:
        raise Wrong("", *mistakes)
    return tuple(found)


def read_settings(
    data: Mapping[str, object],
    readers: Mapping[str, Reader],
    noun: str = "setting",
    required: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Read the settings that are there; ``InvalidSettings`` with everything that is wrong.

    ``required`` are those that have to be there, with what is said if one is not.
    """
    settings: dict[str, Any] = {}
    mistakes = [Mistake(name, why) for name, why in required.items() if data.get(name) is None]
    for name, read_setting in readers.items():
        if data.get(name) is None:
            continue
        try:
            settings[name] = read_setting(data[name])
        except Wrong as error:
            mistakes += (Mistake(name + place, sentence) for place, sentence in error.mistakes)
    names = [name for name in data if name not in readers][: MAX_TOLD + 1]
    mistakes += (Mistake("", unknown(name, list(readers), noun)) for name in names)
    if mistakes:
        raise InvalidSettings(mistakes)
    return settings
