"""The sections of a tournament file as values, each checked on its own.

A check of a value raises a user-facing sentence. Checks that involve several sections are in
:mod:`acquire.admin.tournament.planning.plan_checks`.
"""

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PrivateAttr,
    ValidationInfo,
)
from pydantic_core import PydanticCustomError

from ....game.rulebook import Rulebook, with_hidden_assets
from ....game.rulebooks import REVISED, RULEBOOKS
from ....protocol.rulebook_file import read, to_json
from ....protocol.settings_file import InvalidFile
from ....protocol.strategy_file import StrategyFileError, names_file
from ...launching.limits import SandboxLimits
from ...launching.player_folder import ReadFolder
from ...launching.program import PLACEHOLDERS
from ...refereeing.play.dealer import SEEDS
from ...refereeing.table.clocks import REPLY_TIMEOUT, Clocks, turn_timeout
from ...refereeing.view.plain_text import printable
from ..games.entries import Participant
from .facts import Deals, Format, Points, Rounds, ScheduleRules, Seatings, Seats
from .roster import Student

GAME_TIMEOUT = 300.0
"""Default seconds for all answers of a player in a game."""
MAX_NAME_LENGTH = 32
"""Characters of a player's name; at sign-up a proof follows it, and both may have 64."""
MAX_SECRET_LENGTH = 31
MIN_SECRET_LENGTH = 8


def _mistake(sentence: str) -> PydanticCustomError:
    """Return what a check of ours raises: a sentence for the user."""
    return PydanticCustomError("setting", "{text}", {"text": sentence})


def _text(text: str) -> str:
    if "\0" in text:
        raise _mistake("contains a NUL character, which no path or argument can. Remove it.")
    return text


def _variables(environment: dict[str, str]) -> dict[str, str]:
    for key in environment:
        if not key or "=" in key or "\0" in key:
            raise _mistake(f"{key!r} cannot be a variable's name. Write {{ NAME = 'value' }}.")
    return environment


def _name(name: str) -> str:
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise _mistake(
            f"{name!r} cannot be a name. Write 1 to {MAX_NAME_LENGTH} printable characters, "
            "without spaces at the ends."
        )
    if ":" in name:
        raise _mistake(
            f"{name!r} contains a colon, which separates name and secret at sign-up. Remove it."
        )
    return name


def _secret(secret: str) -> str:
    if not secret.isprintable() or " " in secret or ":" in secret:
        raise _mistake("contains a space, a colon or an unprintable character. Remove it.")
    return secret


def _strategy(name: str, info: ValidationInfo) -> str:
    """Check a built-in player's name, or load a class of a file in the folder of the plan."""
    from ....protocol.plugins import STRATEGIES, load_strategy, plugins

    if names_file(name):
        try:
            load_strategy(name, (info.context or {}).get("folder"))
        except StrategyFileError as error:
            raise _mistake(str(error)) from error
        return name
    known = list(plugins(STRATEGIES))
    if name not in known:
        raise _mistake(
            f"{name!r} is not a built-in player. Choose one of {', '.join(known)}, or write "
            "'FILE.py:CLASS'."
        )
    return name


def _rulebook(value: object, info: ValidationInfo) -> object:
    """Return one of the five, or read a file relative to the folder of the tournament file."""
    if not isinstance(value, str):
        return value
    if value in RULEBOOKS:
        return RULEBOOKS[value]
    folder = (info.context or {}).get("folder")
    if folder is None or not value.endswith(".toml"):
        known = ", ".join(RULEBOOKS)
        raise _mistake(f"{value!r} is not a rulebook. Choose one of {known}, or name a TOML file.")
    try:
        return read(folder / value)
    except InvalidFile as error:
        raise _mistake(str(error)) from error


def _argument(text: str) -> str:
    unknown = [word for word in re.findall(r"\{(\w+)\}", text) if word not in PLACEHOLDERS]
    if unknown:
        raise _mistake(
            f"{{{unknown[0]}}} is not a placeholder. Use {{host}}, {{port}} and {{name}}."
        )
    return text


TOML_LIST = Field(strict=False)
"""For a tuple: TOML has lists, which a strict one refuses; its members stay strict."""
Text = Annotated[str, AfterValidator(_text)]
Seconds = Annotated[float, Field(gt=0, le=86400)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH), AfterValidator(_name)]
Secret = Annotated[
    str, Field(min_length=MIN_SECRET_LENGTH, max_length=MAX_SECRET_LENGTH), AfterValidator(_secret)
]
Command = Annotated[
    tuple[Annotated[Text, AfterValidator(_argument)], ...], TOML_LIST, Field(min_length=1)
]
Variables = Annotated[dict[str, Text], AfterValidator(_variables)]
StrategyName = Annotated[str, AfterValidator(_strategy)]
RulebookValue = Annotated[
    Rulebook,
    BeforeValidator(_rulebook),
    PlainSerializer(lambda rulebook: json.loads(to_json(rulebook))),
]
Folder = Annotated[Path, PlainSerializer(str)]

# -- the sections -------------------------------------------------------------------------------


class PlanSection(BaseModel):
    """A table of the file: frozen, without unknown settings."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, arbitrary_types_allowed=True
    )


class GeneralSettings(PlanSection):
    """``[tournament]``: what is played.

    ``submissions`` is a pattern of folders, each of which is a player, ``roster`` a CSV file of
    students. ``deals`` are the bags for every table (in every round of a Swiss tournament), or the
    blocks that every player of a ladder plays at least; ``workers`` are the
    games played at once, by default one per core; ``outputs`` are kept of the programs that did
    not finish a game, or of all. ``Plan`` has the default of ``duplicate``, which
    depends on the players.
    """

    name: Annotated[str, Field(min_length=1, max_length=100)] = "Tournament"
    submissions: Annotated[Text, Field(min_length=1)] | None = None
    roster: Annotated[Text, Field(min_length=1)] | None = None
    rulebook: RulebookValue = REVISED
    hide: Literal["cash", "certificates", "both"] | None = None
    seats: Seats = 4
    format: Annotated[Format, Field(strict=False)] = Format.ROUND_ROBIN
    challenger: str | None = None
    rounds: Rounds | None = None
    seatings: Annotated[Seatings, Field(strict=False)] = Seatings.ROTATIONS
    deals: Deals = 1
    duplicate: bool | None = None
    points: Annotated[tuple[Points, ...], TOML_LIST] | None = None
    seed: Annotated[int, Field(ge=0, lt=SEEDS)] | None = None
    workers: Annotated[int, Field(ge=1, le=1024)] | None = None
    qualify: bool | None = None
    outputs: Literal["lost", "all"] = "lost"

    @property
    def qualifies(self) -> bool:
        """Whether programs are tried before they play: by default where folders are handed in."""
        return self.submissions is not None if self.qualify is None else self.qualify

    def rulebook_value(self) -> Rulebook:
        """Return the rulebook; ``ValueError`` if its assets cannot be hidden but should be."""
        return with_hidden_assets(self.rulebook, self.hide) if self.hide else self.rulebook


class ClockSettings(PlanSection):
    """``[clocks]``, in seconds: to sign up, for any answer, for all the mover's thinking in a turn,
    and for all answers of a player in a game.

    ``turn`` depends on the number of seats if it is not set, ``game`` is not less than a turn.
    """

    signup: Seconds = 20.0
    reply: Seconds = REPLY_TIMEOUT
    turn: Seconds | None = None
    game: Seconds | None = None


class LobbySettings(PlanSection):
    """``[lobby]``: where players connect; with a certificate, they connect with TLS.

    ``wait`` is how many seconds a game waits for an absent remote player.
    """

    host: Annotated[Text, Field(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    wait: Seconds = 120.0
    certificate: Text | None = None
    key: Text | None = None


class RemoteSettings(PlanSection):
    """A player that connects by itself; it signs up as ``NAME:SECRET``."""

    secret: Secret


class Entrant(PlanSection):
    """``[[players]]``: a name, and one of ``command``, ``strategy`` and ``remote``.

    That there is exactly one is checked when the file is read. ``build`` is run once for every
    version of a program. ``read_only`` are files and folders apart from its own that a program may
    read in its sandbox. ``version`` and ``handed_in`` are not settings, but found when the file is
    read.
    """

    name: Name
    command: Command | None = None
    build: Command | None = None
    directory: Text | None = None
    environment: Variables = Field(default_factory=dict)
    strategy: StrategyName | None = None
    remote: RemoteSettings | None = None
    read_only: Annotated[tuple[Annotated[Text, Field(min_length=1)], ...], TOML_LIST] = ()
    _version: str = PrivateAttr("")
    _read_folder: ReadFolder = PrivateAttr(ReadFolder())
    _handed_in: bool = PrivateAttr(False)

    @property
    def version(self) -> str:
        """The version of the program: 12 hexadecimal digits; empty for all other players."""
        return self._version

    @property
    def read_folder(self) -> ReadFolder:
        """Its folder, as it was when the plan was read; of a folder with other files, nothing."""
        return self._read_folder

    @property
    def handed_in(self) -> bool:
        """Whether its settings are a contestant's own words: then they open nothing."""
        return self._handed_in

    def as_read(self, version: str, folder: ReadFolder, *, handed_in: bool) -> "Entrant":
        """Return the player with what was found when the file was read."""
        player = self.model_copy()
        player._version, player._read_folder, player._handed_in = version, folder, handed_in
        return player

    @property
    def kind(self) -> str:
        """The kind of player, in a word or two."""
        if self.strategy is not None:
            return f"strategy {self.strategy}"
        return "command" if self.command is not None else "remote"


class GradeStep(PlanSection):
    """A grade, and what a player has to reach for it: all conditions that are given.

    ``points`` are per game, ``rank`` is the last place among the players that are not built in,
    ``above`` a player that it has to be placed before. ``finished`` is the least percentage of its
    games that it has to play to the end.
    """

    grade: Annotated[Text, Field(min_length=1, max_length=40)]
    points: Annotated[float, Field(ge=0)] | None = None
    rank: Annotated[int, Field(ge=1)] | None = None
    above: Name | None = None
    finished: Annotated[float, Field(ge=0, le=100)] | None = None


class GradeSettings(PlanSection):
    """``[grades]``: the grades, the best one first, and the one for whoever reaches none."""

    scale: Annotated[tuple[GradeStep, ...], TOML_LIST, Field(min_length=1)]
    otherwise: Annotated[Text, Field(max_length=40)] = ""


class _LeftOut(NamedTuple):
    name: str
    why: str


class LeftOut(_LeftOut):
    """A folder that was handed in and cannot play, with a sentence about why: both can be shown."""

    __slots__ = ()

    def __new__(cls, name: str, why: str) -> "LeftOut":
        """Name a folder as it can be shown: whoever hands it in chooses its name."""
        return super().__new__(cls, printable(name), printable(why))


def default_points(seats: int) -> tuple[float, ...]:
    """Return the points of the places if a file does not set them."""
    return tuple(float(seats - place) for place in range(1, seats + 1))


NOT_FOR_RESULTS = frozenset(
    {"rounds", "workers", "seed", "name", "submissions", "roster", "qualify", "outputs"}
)
"""Settings of ``[tournament]`` that may change between runs, see ``Plan.result_settings``."""


class Plan(PlanSection):
    """A whole tournament file; paths in it are relative to ``folder``.

    ``players`` are those of the file, then those of the submissions; ``left_out`` cannot play.
    ``notes`` are user-facing sentences about players that were tried before.
    """

    tournament: GeneralSettings
    clocks: ClockSettings
    limits: SandboxLimits
    lobby: LobbySettings
    players: tuple[Entrant, ...]
    folder: Folder
    left_out: tuple[LeftOut, ...] = ()
    roster: tuple[Student, ...] = ()
    notes: tuple[str, ...] = ()
    grades: GradeSettings | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in the order of the file."""
        return tuple(player.name for player in self.players)

    @property
    def built_in_only(self) -> bool:
        """Whether all players are built in, so that none has to connect."""
        return all(player.strategy is not None for player in self.players)

    @property
    def duplicate(self) -> bool:
        """Whether all games of a block have the same bag.

        Programs could remember the draws of one game and predict those of the next.
        """
        chosen = self.tournament.duplicate
        return self.built_in_only if chosen is None else chosen

    @property
    def secret_bags(self) -> bool:
        """Whether bags are derived from a secret; else from the seed, as for built-in players."""
        return not self.built_in_only and self.tournament.seed is None

    @property
    def units(self) -> int:
        """The planned rounds of a Swiss tournament, or deals of any other."""
        return self.tournament.rounds or self.tournament.deals

    @property
    def turn_clock(self) -> float:
        """Seconds for all the mover's thinking in a turn."""
        return self.clocks.turn or turn_timeout(self.tournament.seats)

    @property
    def game_clock(self) -> float:
        """Seconds for all answers of a player in a game."""
        return self.clocks.game or max(GAME_TIMEOUT, self.turn_clock, self.clocks.reply)

    @property
    def table_clocks(self) -> Clocks:
        """The clocks of players at a table."""
        return Clocks(self.clocks.reply, self.turn_clock, self.game_clock)

    @property
    def points(self) -> tuple[float, ...]:
        """Points by place, first place first."""
        return self.tournament.points or default_points(self.tournament.seats)

    @property
    def schedule_rules(self) -> ScheduleRules:
        """What the schedule follows from, beside the players."""
        fields = {name: getattr(self.tournament, name) for name in ScheduleRules.model_fields}
        return ScheduleRules(**fields | {"duplicate": self.duplicate, "points": self.points})

    @property
    def participants(self) -> tuple[Participant, ...]:
        """The players as they take part, in the same order."""
        return tuple(
            Participant(player.name, player.kind, player.version) for player in self.players
        )

    def entrant(self, name: str) -> Entrant:
        """Return the player with this name; ``KeyError`` if there is none."""
        return {player.name: player for player in self.players}[name]

    def result_settings(self) -> dict[str, Any]:
        """Return everything that results depend on, as plain values.

        Not included are the number of deals or rounds, which may be raised; the settings that only
        affect how the games are played or what is kept of them, such as the lobby; and the seed and
        the players, which the store keeps separately.
        """
        excluded = {"folder", "lobby", "players", "left_out", "roster", "notes", "grades"}
        fields = self.model_dump(mode="json", exclude=excluded)
        for field in NOT_FOR_RESULTS:
            del fields["tournament"][field]
        if self.tournament.format is not Format.SWISS:  # where rounds depend on all deals before
            del fields["tournament"]["deals"]
        fields["tournament"]["duplicate"] = self.duplicate  # the same if set explicitly
        if self.points == default_points(self.tournament.seats):  # the same if set explicitly
            fields["tournament"]["points"] = None
        if self.turn_clock == turn_timeout(self.tournament.seats):
            fields["clocks"]["turn"] = None
        if self.clocks.game == max(GAME_TIMEOUT, self.turn_clock, self.clocks.reply):
            fields["clocks"]["game"] = None
        return fields
