"""Files of cases in TOML: those of ``acquire check``, and an instructor's own.

A file is a section. Positions and sources that several cases share have names in it, or in
``shared.toml``. docs/reference/case-file.md describes the keys; :class:`.Scenario` and
:class:`.Case` say what they mean, and ``position_text.fill`` what words in braces stand for.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, get_args

from ....game.rulebook import DisposalRule, Rulebook
from ....protocol.messages import TAGS, KeepAnswer, PlayerMessage, RefereeMessage
from ....protocol.rulebook_file import SETTINGS
from ....protocol.settings_file import (
    InvalidFile,
    InvalidSettings,
    Mistake,
    Reader,
    Wrong,
    in_brief,
    list_of,
    one_of,
    parse,
    read_settings,
    table_of,
    text,
    truth,
    unknown,
    whole,
)
from ..trial.wire import Delivery
from .case import PLAYER, Case, CaseSection, CaseSource, Deal, Scenario, known_behaviour
from .message_forms import REWRITES, SPLITS
from .position_text import SIGNS, fill

ADVICE = "Give a file of cases; docs/reference/case-file.md describes them."
FACTS = {"hint": "", "name": PLAYER, "tested": frozenset({"turn"})}
"""What is said of a case unless its file says otherwise."""
OF_CASE = {"id": "slug", "player_name": "name", "wait": "pause", "required_turns": "turns"}
"""What :class:`.Case` calls the keys that have another name there."""
QUESTIONS = {"setup", *(TAGS[kind] for kind in get_args(RefereeMessage))} - {"ejected"}
"""What a case can test: messages to a player; ``setup`` is the first ``state``."""

Condition: TypeAlias = Mapping[str, tuple[object, ...]]
"""Which rulebooks have a case: by the name of a setting, those of its values that do."""
Sources: TypeAlias = Sequence[tuple[Condition, CaseSource]]
"""Where a rule is written, under the first condition that is met."""
NO_SOURCE: Sources = [({}, CaseSource("", ""))]


def is_met(condition: Condition, rulebook: Rulebook) -> bool:
    """Whether a rulebook has one of the values of each setting."""
    return all(getattr(rulebook, name) in values for name, values in condition.items())


class CaseRow(NamedTuple):
    """A case as a file has it, for any rulebook that meets ``when``.

    ``facts`` are those of a case that are the same under all rulebooks, but for words in braces and
    questions that a rulebook never asks.
    """

    place: str  # where it stands in the file
    when: Condition
    source: Sources
    scenario: Scenario
    facts: Mapping[str, Any]

    def under(self, rulebook: Rulebook, section: CaseSection) -> Case:
        """Return the case under a rulebook; ``ValueError`` or ``KeyError`` if it is impossible."""
        script, facts = self.scenario.script(rulebook), {**self.facts}
        for text_of in ("title", "expected", "hint", "name"):
            facts[text_of] = fill(rulebook, facts[text_of])
        never = {"keep"}
        if rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
            never = {"dispose", "holders"}
        if not script.rulebook.assets.hides_certificates:
            never.add("holders")
        for questions in {"tested", "must_answer"} & {*facts}:
            facts[questions] -= never
        if "inspect" in facts:  # its hotels are those of the drawing, which no other rulebook has
            facts["inspect"] = partial(facts["inspect"], rulebook)
        source = next(source for when, source in self.source if is_met(when, rulebook))
        return Case(**facts, section=section, source=source, script=script)


class CaseFile(NamedTuple):
    """A section of cases; ``slug`` is its name on the command line."""

    path: Path
    slug: str
    title: str
    visibility: str
    rows: tuple[CaseRow, ...]


def read_case_file(path: Path) -> CaseFile:
    """Read a file of cases; ``InvalidFile`` with everything that is wrong in it."""
    data = parse(path, ADVICE)
    named = {"sources": table_of(_sources), "boards": table_of(text)}
    try:
        known = read_settings({name: data.pop(name, {}) for name in named}, named)
        for name, shared in _shared().items():
            known[name] = {**shared, **known[name]}
        settings = _table(
            {
                "section": _id,
                "title": text,
                "visibility": one_of("visible", "hidden", "after_due_date", "after_published"),
                "defaults": lambda defaults: defaults,
                "cases": lambda rows: _rows(rows, known, data.get("defaults", {})),
            },
            "key of a file of cases",
            "title",
            "cases",
        )(data)
    except InvalidSettings as error:
        raise InvalidFile(path, error.mistakes) from error
    except Wrong as error:
        mistakes = [Mistake(place.removeprefix("."), why) for place, why in error.mistakes]
        raise InvalidFile(path, mistakes) from error
    section, visibility = settings.get("section", path.stem), settings.get("visibility", "visible")
    return CaseFile(path, section, settings["title"], visibility, settings["cases"])


@cache
def _shared() -> dict[str, dict[str, Any]]:
    """Return the sources and boards that every file may name."""
    data = parse(Path(__file__).parent / "shared.toml", "")
    return {"sources": table_of(_sources)(data["sources"]), "boards": data["boards"]}


def _rows(
    value: object, known: Mapping[str, Mapping[str, Any]], defaults: object
) -> tuple[CaseRow, ...]:
    """Read the cases; a place in a mistake has the id of the case."""
    if not isinstance(value, list) or not isinstance(defaults, dict):
        raise Wrong("must be tables: write [[cases]] above each case, and [defaults] once.")
    read = _table(_case_readers(known), "key of a case", "id", "title", "expected")
    rows: list[CaseRow] = []
    mistakes: list[Mistake] = []
    for number, given in enumerate(value, 1):
        place = f"[{number}]"
        if isinstance(given, dict) and isinstance(given.get("id"), str):
            place += f" ({given['id']})"
        try:
            rows.append(_row(read({**defaults, **given}), f"cases{place}"))
        except Wrong as error:
            mistakes += (Mistake(place + inner, why) for inner, why in error.mistakes)
    if mistakes:
        raise Wrong("", *mistakes)
    return tuple(rows)


def _row(settings: dict[str, Any], place: str) -> CaseRow:
    """Put the settings of a case together; those that are left over are its facts."""
    if "players" not in settings and "deal" not in settings:
        raise Wrong("", Mistake(".players", "is missing: who sits at the table, the mover first."))

    def taken(kind: type[Scenario | Delivery]) -> dict[str, Any]:
        names = {field.name for field in fields(kind)} & {*settings}
        return {name: settings.pop(name) for name in names}

    delivery, first = Delivery(**taken(Delivery)), taken(Scenario)
    players = first.get("players", "")
    later = tuple(Scenario(**{"players": players, **each}) for each in first.pop("later", ()))
    when, source = settings.pop("when", {}), settings.pop("source", NO_SOURCE)
    facts = {OF_CASE.get(name, name): value for name, value in settings.items()}
    facts = {**FACTS, "delivery": delivery, **facts}
    return CaseRow(place, when, source, Scenario(**first, later=later), facts)


# -- legal, but doubtful ------------------------------------------------------------------------

ROUNDS = 3  # how often a player is asked the same: it may decide at random


def looks_reversed(rulebook: Rulebook, answers: Sequence[PlayerMessage]) -> str:
    """Return a warning if each answer for two hotels is the reverse of those for one.

    The player is asked about the hotels S and I one by one, then about both, which are of equal
    size and so by name. A player that decides by hotel gives the same answers each time.
    """
    kept = [answer.decisions for answer in answers if isinstance(answer, KeepAnswer)]
    rounds = [kept[start : start + 3] for start in range(0, len(kept), 3)]
    if len(rounds) < ROUNDS:
        return ""
    in_order = fill(rulebook, "{S}") < fill(rulebook, "{I}")
    for (first,), (second,), both in rounds:
        right = (first, second) if in_order else (second, first)
        if first == second or both != right[::-1]:
            return ""
    return (
        "It kept one of two hotels when asked about each, but the other one when asked about "
        "both. Is the list of answers reversed?"
    )


# -- readers of settings ------------------------------------------------------------------------


def _table(readers: Mapping[str, Reader], noun: str, *required: str) -> Reader:
    def read_table(value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Wrong(f"must be a table such as {{ ... }}, not {in_brief(value)}.")
        try:
            return read_settings(value, readers, noun, dict.fromkeys(required, "is missing."))
        except InvalidSettings as error:
            wrong = [Mistake(f".{place}" if place else "", why) for place, why in error.mistakes]
            raise Wrong("", *wrong) from error

    return read_table


def _id(value: object) -> str:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text(value)):
        raise Wrong(f"must be small letters and hyphens, such as two-safe, not {value!r}.")
    return text(value)


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 60:
        raise Wrong(f"must be a number of seconds up to 60, not {in_brief(value)}.")
    return float(value)


def _questions(value: object) -> frozenset[str]:
    words = text(value).split()
    for word in words:
        if word not in QUESTIONS:
            raise Wrong(unknown(word, sorted(QUESTIONS), "question"))
    return frozenset(words)


def _behaviour(value: object) -> str:
    if not known_behaviour(text(value)):
        raise Wrong(
            f"{value!r} is not a behaviour. Write the name of a strategy (acquire players lists "
            'them), "leaves: turn after 2", "leaves: keep dispose" or "trades-all".'
        )
    return text(value)


def _board_among(boards: Mapping[str, str]) -> Reader:
    def read_board(value: object) -> str:
        drawing = boards.get(text(value), text(value))
        if re.sub(r"\{[^{}]*\}", "", drawing).strip(SIGNS + "\n "):
            raise Wrong(f"must be drawn with the signs {SIGNS}, or be the name of a board.")
        return drawing

    return read_board


def _quotation(value: object) -> CaseSource:
    match list_of(text)(value):
        case heading, words:
            return CaseSource(heading, words)
        case page, heading, words:
            return CaseSource(heading, words, page)
        case _:
            raise Wrong("must be [heading, words] of docs/protocol.md, or [page, heading, words].")


def _sources(value: object) -> Sources:
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        read = _table({"when": _condition, "source": _quotation}, "key of a source", "source")
        return [(each.get("when", {}), each["source"]) for each in list_of(read)(value)]
    return [({}, _quotation(value))]


def _source_among(sources: Mapping[str, Sources]) -> Reader:
    def read_source(value: object) -> Sources:
        if not isinstance(value, str):
            return _sources(value)
        if value not in sources:
            raise Wrong(unknown(value, list(sources), "source"))
        return sources[value]

    return read_source


def _values_of(read: Reader) -> Reader:
    return lambda value: list_of(read)(value if isinstance(value, list) else [value])


_condition = _table(
    {
        name: _values_of(read)
        for name, read in {**SETTINGS, "sells_off_board": truth}.items()
        if name not in ("id", "base", "title", "hotels", "prices", "bonus_multiples")
    },
    "setting of a rulebook",
)
"""Reads which rulebooks have a case, as files of rulebooks write their settings."""


def _deal(value: object) -> Deal:
    numbers = {"seed": whole(0, 2**32), "place": whole(0, 5), "before": whole(0, 5)}
    return Deal(
        **_table({"seats": whole(2, 6), **numbers}, "key of a deal", "seats", "seed")(value)
    )


def _case_readers(known: Mapping[str, Mapping[str, Any]]) -> dict[str, Reader]:
    position: dict[str, Reader] = {
        "board": _board_among(known["boards"]),
        "players": text,
        "bag": text,
        "bag_top": text,
        "aside": text,
        "turns": lambda value: None if value == "all" else whole(1, 200)(value),
    }
    return {
        **position,
        "id": _id,
        "title": text,
        "expected": text,
        "hint": text,
        "source": _source_among(known["sources"]),
        "when": _condition,
        "deal": _deal,
        "names": list_of(text),
        "later": list_of(_table(position, "key of a later position")),
        "others": lambda value: (table_of(_behaviour) if isinstance(value, dict) else _behaviour)(
            value
        ),
        "think_time": _seconds,
        "at_table": whole(1, 6),
        "hides_assets": truth,
        "tested": _questions,
        "must_answer": _questions,
        "required_turns": whole(0, 200),
        "player_name": text,
        "wait": _seconds,
        "extra_time": _seconds,
        "guaranteed": truth,
        "split": _one_of(SPLITS),
        "rewrite": _one_of(REWRITES),
        "gap": _seconds,
        "join_sign_up": truth,
        "inspect": _one_of({"keeps-reversed": looks_reversed}),
    }


def _one_of(known: Mapping[str, object]) -> Reader:
    read = one_of(*known)
    return lambda value: known[read(value)]
