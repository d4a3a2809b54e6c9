"""The JSON Schemas of the files that people write and of what ``--json`` prints.

Those of the files follow from the code that reads them. In those of outputs a value that is printed
whole has the fields of its class, and the rest is written down here; ``tests/test_json_schemas.py``
validates real outputs against them. They list what is always there; further fields may be added.
"""

import re
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from acquire.admin.launching.limits import SETTINGS as LIMITS
from acquire.admin.refereeing.log.recorder import SeatRecord
from acquire.admin.refereeing.play.outcome import Standing
from acquire.admin.tournament.driving.forecast import Forecast
from acquire.admin.tournament.dueling.duel_evidence import (
    DuelVerdict,
    LossCause,
    Measure,
    WorstGame,
)
from acquire.admin.tournament.dueling.duel_report import TeamRow
from acquire.admin.tournament.games.result import GameResult
from acquire.admin.tournament.planning.sections import (
    ClockSettings,
    GeneralSettings,
    GradeSettings,
    LobbySettings,
    PlanSection,
    PlayerSettings,
)
from acquire.admin.tournament.run.run_events import Progress
from acquire.admin.tournament.standings.summary import Summary
from acquire.game.rulebooks import REVISED, RULEBOOKS
from acquire.protocol.rulebook_file import settings_of, written

PAGE = Path(__file__).parent / "reference" / "tournament-file.md"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
TRUTH: Schema = {"type": "boolean"}


def every_schema() -> Mapping[str, Schema]:
    """Return each schema by the name of its file."""
    files = {"tournament-file": tournament_file(), "rulebook-file": rulebook_file()}
    named = {**files, **OUTPUTS}
    return {name: {"$schema": DIALECT, "title": name, **schema} for name, schema in named.items()}


# -- files that people write --------------------------------------------------------------------


def tournament_file() -> Schema:
    """Return the schema of a tournament file, from the classes that check its sections."""
    sections: dict[str, type[PlanSection]] = {
        "tournament": GeneralSettings,
        "clocks": ClockSettings,
        "lobby": LobbySettings,
        "grades": GradeSettings,
    }
    definitions: Schema = {}
    properties = {name: _section(section, definitions) for name, section in sections.items()}
    properties["limits"] = _limits()
    player = _section(PlayerSettings, definitions)
    player["oneOf"] = [{"required": [kind]} for kind in ("command", "strategy", "remote")]
    properties["players"] = {"type": "array", "items": player}
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "$defs": definitions,
    }


def _section(section: type[PlanSection], definitions: Schema) -> Schema:
    """Return the schema of a section, without what only Python has, with words of its page."""
    schema = section.model_json_schema()
    for name, definition in schema.pop("$defs", {}).items():
        definitions[name] = _plain(definition)
    if "rulebook" in schema["properties"]:
        schema["properties"]["rulebook"] = {"type": "string", "default": REVISED.id}
        for name in {*definitions} - {"Format", "Seatings", "GradeStep", "RemoteSettings"}:
            del definitions[name]
    plain: Schema = _plain(schema)
    return plain


def _plain(schema: Any) -> Any:
    """Remove nulls, which TOML lacks, and the names and docstrings of classes."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    names = schema.get("properties", {})
    kept: Schema = {}
    for key, value in schema.items():
        if key == "properties":
            kept[key] = {name: _plain(value) | _described(name) for name, value in names.items()}
        elif key == "anyOf" and {"type": "null"} in value:
            (rest,) = (item for item in value if item != {"type": "null"})
            kept |= _plain(rest)
        elif key not in ("title", "description") and not (key == "default" and value is None):
            kept[key] = _plain(value)
    return kept


def _described(setting: str) -> Schema:
    """Return what the page of tournament files says about a setting, if it is there once."""
    rows = re.findall(rf"^\| `{setting}` \| (.*?) \|", PAGE.read_text(encoding="utf-8"), re.M)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", rows[0]) if len(rows) == 1 else ""
    return {"description": text} if text else {}


def _limits() -> Schema:
    size = {"anyOf": [{"type": "string", "pattern": r"^\s*\d+\s*(KiB|MiB|GiB|)\s*$"}, WHOLE]}
    forms: Schema = {
        **dict.fromkeys(("memory", "file_size", "scratch"), size),
        **{name: WHOLE | {"minimum": 1} for name in ("processor", "processes")},
        "sandbox": {"enum": ["auto", "bwrap", "uid", "none"]},
        "read_only": {"type": "array", "items": TEXT | {"minLength": 1}},
    }
    properties = {name: forms[name] | _described(name) for name in LIMITS}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def rulebook_file() -> Schema:
    """Return the schema of a rulebook file: the settings of a rulebook, and its base."""
    tier = {"enum": ["cheap", "medium", "expensive"]}
    prices = {"type": "object", "additionalProperties": WHOLE, "minProperties": 1}
    properties: Schema = {"base": {"enum": [*RULEBOOKS]}}
    for name, value in settings_of(REVISED).items():
        setting = getattr(REVISED, name)
        if isinstance(setting, Enum):
            properties[name] = {"enum": [written(choice) for choice in type(setting)]}
        elif name == "hotels":
            properties[name] = {
                "type": "object",
                "additionalProperties": tier,
                "minProperties": 7,
                "maxProperties": 7,
            }
        elif name == "prices":
            tiers = dict.fromkeys(tier["enum"], prices)
            properties[name] = {"type": "object", "properties": tiers}
        else:
            properties[name] = _form_of(value)
    return {
        "type": "object",
        "properties": properties,
        "required": ["id", "base"],
        "additionalProperties": False,
    }


def _form_of(value: Any) -> Schema:
    if isinstance(value, list):
        return {"type": "array", "items": WHOLE, "minItems": 1}
    return TRUTH if isinstance(value, bool) else WHOLE if isinstance(value, int) else TEXT


# -- what commands print ------------------------------------------------------------------------


def some(**fields: Schema) -> Schema:
    """Return the schema of an object that has at least these fields."""
    named = {name.rstrip("_"): schema for name, schema in fields.items()}
    return {"type": "object", "properties": named, "required": [*named]}


def each(item: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": item}


def by_name(value: Schema) -> Schema:
    """Return the schema of an object that has a value for each of some names."""
    return {"type": "object", "additionalProperties": value}


def maybe(schema: Schema) -> Schema:
    """Return a schema that also allows null."""
    return {"anyOf": [schema, {"type": "null"}]}


def lines(**events: Schema) -> Schema:
    """Return the schema of one line of output: an object for each event."""
    shapes = []
    for name, schema in events.items():
        event = {"const": name.replace("_", "-")}
        properties = {"event": event, **schema["properties"]}
        shapes.append(schema | {"properties": properties, "required": [*properties]})
    return {"oneOf": shapes}


def shape(kind: Any) -> Schema:
    """Return the schema of values of a type: plain ones, and named tuples as objects."""
    plain = {str: TEXT, int: WHOLE, float: NUMBER, bool: TRUTH, NoneType: {"type": "null"}}
    of = get_args(kind)
    match get_origin(kind) or kind:
        case found if found in plain:
            return plain[found]
        case found if found is Annotated:
            return shape(of[0])
        case found if found in (UnionType, Union):
            return {"anyOf": [shape(each) for each in of]}
        case found if issubclass(found, Mapping):
            return by_name(shape(of[1]))
        case found if issubclass(found, Enum):
            return {"enum": [member.value for member in found]}
        case found if hasattr(found, "_fields"):
            hints = get_type_hints(found, include_extras=True)
            return some(**{name: shape(hints[name]) for name in found._fields})
        case _ if len({*of} - {...}) == 1:
            return each(shape(of[0]))
    return each({})


ESTIMATE = some(mean=NUMBER, low=maybe(NUMBER), high=maybe(NUMBER))
STANDING = shape(Standing)
GAME = shape(GameResult)["properties"]
del GAME["seed"]  # it stays secret, as other games may have it

OUTPUTS: dict[str, Schema] = {
    "serve": lines(
        spectators=some(address=TEXT),
        listening=some(addresses=each(TEXT)),
        begun=some(
            match=WHOLE, rulebook=TEXT, assets=TEXT, seed=WHOLE, seats=each(shape(SeatRecord))
        ),
        over=some(
            match=WHOLE,
            ending=TEXT,
            regular=TRUTH,
            turns=WHOLE,
            standings=each(STANDING),
            ejected=each({"type": "object"}),
            log=TEXT,
        ),
        unfilled=some(match=WHOLE, signed_up=WHOLE, needed=WHOLE),
        turned_away=some(),
        broken=some(match=WHOLE, why=TEXT),
    ),
    "tournament-run": lines(
        tried=some(),
        preparing=some(sentence=TEXT),
        finishing=some(sentence=TEXT),
        key=some(key=TEXT),
        began=some(**shape(Progress)["properties"], commitment=maybe(TEXT)),
        players_changed=some(archived=WHOLE),
        left_out=some(name=TEXT, why=TEXT),
        listening=some(addresses=each(TEXT)),
        spectators=some(address=TEXT),
        sandbox=some(kind=TEXT, why=TEXT),
        worker=some(),
        sent=some(worker=TEXT, digest=TEXT, bytes=WHOLE),
        game_began=some(game=TEXT, block=TEXT, players=each(TEXT)),
        game=some(**GAME | shape(Progress)["properties"]),
        void=some(again=TRUTH),
        turned_away=some(address=TEXT, name=maybe(TEXT), why=TEXT),
        awaited=some(name=TEXT, patience=NUMBER),
        trouble=some(sentence=TEXT),
        over=some(games=WHOLE, total=WHOLE),
    ),
    "tournament-check": some(
        **shape(Forecast)["properties"] | {"first": each(some(game=TEXT, players=each(TEXT)))},
        sandbox=TEXT,
        also_seen=TEXT,
        warnings=each(TEXT),
    ),
    "tournament-show": some(
        name=TEXT,
        total=WHOLE,
        left_out=each({}),
        archived=WHOLE,
        given_up=each({}),
        **shape(Summary)["properties"],
    ),
    "tournament-audit": some(
        audited=TEXT,
        holds=TRUTH,
        key=maybe(TEXT),
        key_known=TRUTH,
        commitments=each(TEXT),
        checks=each(
            some(check=TEXT, checked=TEXT, holds=TRUTH, findings=each({}), not_checked=TEXT)
        ),
        testimony=each(TEXT),
    ),
    "tournament-similar": some(
        pairs=each(
            some(
                players=each(TEXT),
                fingerprints=WHOLE,
                part=NUMBER,
                agreed=WHOLE,
                positions=WHOLE,
                expected=NUMBER,
                chance=NUMBER,
                alike=TRUTH,
            )
        ),
        not_asked={"type": "object", "additionalProperties": TEXT},
    ),
    "explain": some(
        log=TEXT,
        rulebook=TEXT,
        players=each(TEXT),
        complete=TRUTH,
        turns=WHOLE,
        ending=maybe(TEXT),
        standings=each(STANDING),
    ),
    "replay-from": some(
        log=TEXT,
        from_=WHOLE,
        mover=TEXT,
        decision=maybe(TEXT),
        seed=WHOLE,
        dealt_anew=each(TEXT),
        seats=each(
            some(
                name=TEXT,
                really=some(score=maybe(WHOLE), rank=WHOLE, finished=TRUTH),
                variants=each(some(player=TEXT, kind=TEXT, games=WHOLE, scores=each(WHOLE))),
            )
        ),
    ),
    "replay-analyse": some(
        games=WHOLE,
        seed=TEXT,
        played_on_by=each(TEXT),
        limits=some(lead=NUMBER, win=NUMBER, confidence=NUMBER),
        names=each(TEXT),
        analysed=some(decisions=WHOLE, of=WHOLE),
        decisions=each(
            some(
                turn=WHOLE,
                step=WHOLE,
                player=WHOLE,
                what=TEXT,
                recorded=WHOLE,
                left_out=WHOLE,
                options=each(some(text=TEXT)),
                costly=TRUTH,
            )
        ),
        most_costly=each(each(WHOLE)),
        chances=each(some(turn=WHOLE, step=WHOLE, win=each(ESTIMATE))),
        chance_games=WHOLE,
        turning_points=each(
            some(
                turn=WHOLE,
                step=WHOLE,
                player=WHOLE,
                text=TEXT,
                before=each(NUMBER),
                after=each(NUMBER),
            )
        ),
        decided=each(some(player=WHOLE, turn=WHOLE, sentences=each(TEXT))),
    ),
    "duel": some(
        verdict=shape(DuelVerdict),
        sentence=TEXT,
        measure=shape(Measure),
        difference=maybe(NUMBER),
        low=NUMBER,
        high=NUMBER,
        margin=NUMBER,
        error_rate=NUMBER,
        games=WHOLE,
        blocks=WHOLE,
        games_in_block=WHOLE,
        games_played=WHOLE,
        more_games=maybe(WHOLE),
        contestants=each(shape(TeamRow)),
        unfinished=WHOLE,
        faults=each(shape(LossCause)),
        worst_games=each(shape(WorstGame)),
        folder=TEXT,
    ),
    "perft": some(rulebook=TEXT, after=each(TEXT), player=TEXT, depth=WHOLE)
    | {
        "oneOf": [
            {"required": ["counts"], "properties": {"counts": each(WHOLE)}},
            {"required": ["divide"], "properties": {"divide": by_name(WHOLE)}},
        ]
    },
    "coverage": some(
        rulebooks=by_name(some(games=WHOLE, rows=by_name(WHOLE), missing=each(TEXT))),
        endings=by_name(WHOLE),
        ejections=by_name(WHOLE),
    ),
    "rulebooks": each(
        some(
            id=TEXT,
            title=TEXT,
            settings={"type": "object"},
            rows=by_name(TEXT),
            decided=each(TEXT),
            hotels=each(some(name=TEXT, tier=TEXT)),
            prices=by_name(each(WHOLE)),
        )
    ),
    "gradescope": some(tests=each(some(name=TEXT, score=NUMBER, max_score=NUMBER))),
    "check-server": some(
        execution_time=WHOLE,
        output=TEXT,
        tests=each(
            some(
                name=TEXT,
                number=TEXT,
                score=NUMBER,
                max_score=NUMBER,
                status={"enum": ["passed", "failed"]},
                output=TEXT,
                tags=each(TEXT),
                extra_data=some(id=TEXT, seconds=NUMBER),
            )
        ),
        extra_data=some(rulebook=TEXT, player=TEXT, began=TEXT),
    ),
}
