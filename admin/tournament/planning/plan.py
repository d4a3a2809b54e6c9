"""What a tournament file says: its parts as values, each checked by itself.

What hangs on more than one part, and what the file is read from, is in
:mod:`admin.tournament.planning.plan_file`.
"""

import re
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from admin.launching.limits import Limits
from admin.launching.program import PLACEHOLDERS
from admin.match.dealer import SEEDS
from admin.table.clocks import REPLY_TIMEOUT, turn_timeout
from admin.tournament.planning.seatings import Seatings
from game.rulebook import Rulebook, with_hidden_assets
from game.rulebooks import RULEBOOKS

MAX_NAME_LENGTH = 32
"""Characters of a player's name: at sign-up its proof follows, and 64 is all a name may have."""
MAX_SECRET_LENGTH = 31
MIN_SECRET_LENGTH = 8


def mistake(text: str) -> PydanticCustomError:
    """Return what a validator raises; ``text`` is a sentence for people."""
    return PydanticCustomError("plan", "{text}", {"text": text})


def _text(text: str) -> str:
    if "\0" in text:
        raise mistake("has a NUL character, which nothing on this system can have. Leave it out.")
    return text


def _variables(environment: dict[str, str]) -> dict[str, str]:
    for key in environment:
        if not key or "=" in key or "\0" in key:
            raise mistake(f"{key!r} cannot name a variable. Write {{ NAME = 'value' }}.")
    return environment


def _name(name: str) -> str:
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise mistake(
            f"{name!r} cannot be a name. Write 1 to {MAX_NAME_LENGTH} printable characters without "
            "spaces at the ends."
        )
    if ":" in name:
        raise mistake(
            f"{name!r} has a colon, which parts name and secret at sign-up. Leave it out."
        )
    return name


def _secret(secret: str) -> str:
    if not secret.isprintable() or " " in secret or ":" in secret:
        raise mistake("has a blank, a colon or a character that cannot be shown. Leave it out.")
    return secret


def _strategy(name: str) -> str:
    from admin.match.plugins import STRATEGIES, plugins

    known = list(plugins(STRATEGIES))
    if name not in known:
        raise mistake(f"{name!r} is no house player. Installed are {', '.join(known)}.")
    return name


def _rulebook(name: str) -> str:
    if name not in RULEBOOKS:
        raise mistake(f"{name!r} is no rulebook. There are {', '.join(RULEBOOKS)}.")
    return name


def _argument(text: str) -> str:
    unknown = [word for word in re.findall(r"\{(\w+)\}", text) if word not in PLACEHOLDERS]
    if unknown:
        raise mistake(
            f"{{{unknown[0]}}} is no placeholder. There are {{host}}, {{port}} and {{name}}."
        )
    return text


Text = Annotated[str, AfterValidator(_text)]
Seconds = Annotated[float, Field(gt=0, le=86400)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH), AfterValidator(_name)]
Secret = Annotated[
    str,
    Field(min_length=MIN_SECRET_LENGTH, max_length=MAX_SECRET_LENGTH),
    AfterValidator(_secret),
]
Folder = Annotated[Path, PlainSerializer(str)]


class Section(BaseModel):
    """A table of the file: frozen, and nothing in it that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Format(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"


class GeneralSettings(Section):
    """``[tournament]``: what is played.

    ``deals`` are the bags that each combination of players gets (each round, in a Swiss);
    ``workers`` the matches played at once, by default one for every core.
    """

    name: Annotated[str, Field(min_length=1, max_length=100)] = "Tournament"
    rulebook: Annotated[str, AfterValidator(_rulebook)] = "revised"
    hide_assets: bool = False
    seats: Annotated[int, Field(ge=2, le=6)] = 4
    format: Annotated[Format, Field(strict=False)] = Format.ROUND_ROBIN
    challenger: str | None = None
    rounds: Annotated[int, Field(ge=1, le=1000)] | None = None
    seatings: Annotated[Seatings, Field(strict=False)] = Seatings.BALANCED
    deals: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    duplicate: bool = True
    points: tuple[Annotated[float, Field(ge=0)], ...] | None = None
    seed: Annotated[int, Field(ge=0, lt=SEEDS)] | None = None
    workers: Annotated[int, Field(ge=1, le=1024)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _listed_points(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("points"), list):
            return {**data, "points": tuple(data["points"])}
        return data

    def book(self) -> Rulebook:
        """Return the rulebook; ``ValueError`` where assets cannot be hidden in it."""
        rulebook = RULEBOOKS[self.rulebook]
        return with_hidden_assets(rulebook) if self.hide_assets else rulebook


class ClockSettings(Section):
    """``[clocks]``, in seconds: to sign up, for any answer, for all that a mover thinks in a turn.

    Without ``turn`` it is three for every player and three more.
    """

    signup: Seconds = 20.0
    reply: Seconds = REPLY_TIMEOUT
    turn: Seconds | None = None


class LobbySettings(Section):
    """``[lobby]``: where players connect; with a certificate, by TLS.

    ``wait`` is for how many seconds a game waits for a remote player that is not there.
    """

    host: Annotated[Text, Field(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    wait: Seconds = 120.0
    certificate: Text | None = None
    key: Text | None = None


class RemoteSettings(Section):
    """A player who connects by himself: at sign-up, the name is ``NAME:SECRET``."""

    secret: Secret


class Entrant(Section):
    """``[[players]]``: a name, and one of ``command``, ``strategy`` and ``remote``.

    That it is exactly one is checked where the file is read.
    """

    name: Name
    command: (
        Annotated[
            tuple[Annotated[Text, AfterValidator(_argument)], ...],
            Field(min_length=1),
        ]
        | None
    ) = None
    directory: Text | None = None
    environment: Annotated[dict[str, Text], AfterValidator(_variables)] = Field(
        default_factory=dict
    )
    strategy: Annotated[str, AfterValidator(_strategy)] | None = None
    remote: RemoteSettings | None = None

    @model_validator(mode="before")
    @classmethod
    def _listed_command(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("command"), list):
            return {**data, "command": tuple(data["command"])}
        return data

    @property
    def kind(self) -> str:
        """How the player comes to the table, in a word or two."""
        if self.strategy is not None:
            return f"strategy {self.strategy}"
        return "command" if self.command is not None else "remote"


def default_points(seats: int) -> tuple[float, ...]:
    """Return the points of the places when a file does not say."""
    return tuple(float(seats - place) for place in range(1, seats + 1))


class Plan(Section):
    """A whole tournament file; ``folder`` is where its relative paths begin."""

    tournament: GeneralSettings
    clocks: ClockSettings
    limits: Limits
    lobby: LobbySettings
    players: tuple[Entrant, ...]
    folder: Folder

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in the order of the file."""
        return tuple(player.name for player in self.players)

    @property
    def built_in_only(self) -> bool:
        """Whether nobody has to connect."""
        return all(player.strategy is not None for player in self.players)

    @property
    def turn_clock(self) -> float:
        """Seconds that a mover has in a turn."""
        return self.clocks.turn or turn_timeout(self.tournament.seats)

    @property
    def points(self) -> tuple[float, ...]:
        """Points by place, the first one's first."""
        return self.tournament.points or default_points(self.tournament.seats)

    def entrant(self, name: str) -> Entrant:
        """Return the player of this name; ``KeyError`` when there is none."""
        for player in self.players:
            if player.name == name:
                return player
        raise KeyError(name)

    def played(self) -> dict[str, Any]:
        """Return all that the results hang on, as plain values.

        Left out are the number of deals or rounds, which may grow, and what only says how the
        work is done: workers, lobby, and the seed, which the store keeps.
        """
        fields = self.model_dump(mode="json", exclude={"folder", "lobby"})
        for field in ("rounds", "workers", "seed", "name"):
            del fields["tournament"][field]
        if self.tournament.format is not Format.SWISS:  # where rounds hang on those before them
            del fields["tournament"]["deals"]
        if self.points == default_points(self.tournament.seats):  # written out or not
            fields["tournament"]["points"] = None
        if self.turn_clock == turn_timeout(self.tournament.seats):
            fields["clocks"]["turn"] = None
        for player in fields["players"]:
            if player["remote"]:
                player["remote"] = True
        return fields
