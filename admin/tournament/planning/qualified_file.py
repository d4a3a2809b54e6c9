"""The file ``NAME.qualified.json``: which versions of programs were tried, and with what result.

``acquire tournament check --try`` writes it beside the tournament file. A program that has failed
is left out until its version changes, unless it is kept: that is nothing but a plan without it.
What was tried under another rulebook or with other clocks or limits does not count. It is a file,
and not in the store, because it concerns programs that have no game yet.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import Annotated, NamedTuple

from pydantic import Field, TypeAdapter

from ....protocol.files import bytes_of, replace_file
from ....protocol.rulebook_file import to_json
from ....protocol.settings_file import InvalidFile, Mistake
from ...refereeing.view.plain_text import json_text
from ..games.checked_json import STRICT, InvalidFields, read_checked
from .facts import Format
from .plan import LeftOut, Plan
from .plan_file import read_plan

MAX_BYTES = 16 * 2**20
MAX_SENTENCE = 500  # characters of a reason that are kept


class TriedVersion(NamedTuple):
    """One version of a program: whether it has qualified, or why not.

    ``processor`` is the CPU time of a whole game in seconds, ``None`` if it was not played to its
    end.
    """

    version: Annotated[str, Field(max_length=64)]
    qualified: bool
    kept: bool = False  # plays even if it has not qualified
    why: Annotated[str, Field(max_length=MAX_SENTENCE)] = ""
    processor: Annotated[float, Field(ge=0)] | None = None
    absent: bool = False  # it did not sign up

    @property
    def plays(self) -> bool:
        """Whether this version takes part."""
        return self.qualified or self.kept


class _Content(NamedTuple):
    settings: str
    players: dict[str, TriedVersion]


_CONTENT = TypeAdapter(_Content, config=STRICT)


def qualified_path(file: Path) -> Path:
    """Return the path of the file that belongs to a tournament file."""
    return file.with_suffix(".qualified.json")


def read_tried(file: Path, plan: Plan) -> dict[str, TriedVersion]:
    """Return what is known of the current versions of a plan's programs, by player.

    Empty if nothing was tried; ``InvalidFile`` if the file is damaged.
    """
    path = qualified_path(file)
    try:
        content = read_checked(_CONTENT, bytes_of(path, MAX_BYTES))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InvalidFile(path, [Mistake("", f"cannot be read: {error.strerror}.")]) from error
    except InvalidFields as error:
        advice = "Delete the file, and run `acquire tournament check --try` again."
        raise InvalidFile(path, [Mistake("", f"{error}. {advice}")]) from error
    if content.settings != _settings_of(plan):
        return {}
    return {
        player.name: found
        for player in plan.players
        if (found := content.players.get(player.name)) and found.version == player.version
    }


def write_tried(file: Path, plan: Plan, tried: Mapping[str, TriedVersion]) -> None:
    """Replace the file by what is known now; ``OSError`` if it cannot be written."""
    players = {name: one._asdict() for name, one in sorted(tried.items())}
    text = json_text({"settings": _settings_of(plan), "players": players}, indent=2)
    replace_file(qualified_path(file), f"{text}\n".encode())


def _settings_of(plan: Plan) -> str:
    settings = {
        "rulebook": to_json(plan.tournament.rulebook_value()),
        "seats": plan.tournament.seats,
        "clocks": plan.clocks.model_dump(mode="json"),
        "limits": asdict(plan.limits),
    }
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def read_qualified_plan(file: Path) -> Plan:
    """Read a tournament file, and leave out the programs that have failed; ``InvalidFile``."""
    plan = read_plan(file)
    return without_failed(file, plan, read_tried(file, plan))


def without_failed(file: Path, plan: Plan, tried: Mapping[str, TriedVersion]) -> Plan:
    """Return a plan without the programs that have failed, which are left out, and with notes.

    ``InvalidFile`` if too few players are left.
    """
    failed = {name: one for name, one in tried.items() if not one.plays}
    general, command = plan.tournament, f"acquire tournament check {quote(str(file))}"
    players = tuple(player for player in plan.players if player.name not in failed)
    left_out = tuple(
        LeftOut(one.name, f"Version {one.version} has failed its trial: {failed[one.name].why}")
        for one in plan.players
        if one.name in failed
    )
    why = ""
    if len(players) < general.seats:
        why = f"Only {len(players)} players are left for a table of {general.seats}"
    elif general.format is Format.GAUNTLET and general.challenger in failed:
        why = f"{general.challenger} is the challenger of all others"
    if why:
        sentences = [Mistake(f"players ({name})", sentence) for name, sentence in left_out]
        advice = f"{why}. Keep players with `{command} --keep NAME`."
        raise InvalidFile(file, [*sentences, Mistake("", advice)])
    changes = {"players": players, "left_out": (*plan.left_out, *left_out)}
    return plan.model_copy(update={**changes, "notes": tuple(_notes(command, plan, tried))})


def _notes(command: str, plan: Plan, tried: Mapping[str, TriedVersion]) -> Iterator[str]:
    """Yield user-facing sentences about programs that were not tried, kept, or left out."""
    programs = [player.name for player in plan.programs]
    if tried and (unknown := [name for name in programs if name not in tried]):
        yield f"Not tried yet: {', '.join(unknown)}. To try: `{command} --try`."
    if kept := [name for name in programs if name in tried and tried[name].kept]:
        yield f"Kept although they have failed their trial: {', '.join(kept)}."
    if any(not one.plays for one in tried.values()):
        yield (
            f"To try a new version: `{command} --try`. To let the present one play all the same, "
            "add --keep NAME."
        )
