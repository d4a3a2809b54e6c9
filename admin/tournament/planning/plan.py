"""A tournament as it is planned: what its file contains, and what was found with it."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import PlainSerializer

from ...launching.player_folder import ReadFolder
from ...refereeing.table.clocks import Clocks, turn_timeout
from ...refereeing.view.plain_text import printable
from ..games.entries import Participant
from .facts import Format, ScheduleRules
from .roster import Student
from .sections import PlayerSettings, TournamentFile

GAME_TIMEOUT = 300.0  # default seconds for all answers of a player in a game


class Entrant(PlayerSettings):
    """A player: the settings of its table, and what was found when the file was read."""

    version: str = ""  # the program's, 12 hexadecimal digits; empty for all other players
    read_folder: ReadFolder = ReadFolder()  # as it was then; empty if it has other files

    @property
    def kind(self) -> str:
        """The kind of player, in a word or two."""
        if self.strategy is not None:
            return f"strategy {self.strategy}"
        return "command" if self.command is not None else "remote"


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


class Plan(TournamentFile):
    """A whole tournament file, and what was found when it was read."""

    players: tuple[Entrant, ...]  # those of the file, then those of the submissions
    folder: Annotated[Path, PlainSerializer(str)]  # paths in the file are relative to it
    left_out: tuple[LeftOut, ...] = ()  # those who cannot play
    roster: tuple[Student, ...] = ()
    notes: tuple[str, ...] = ()  # sentences for users about players that were tried before

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in the order of the file."""
        return tuple(player.name for player in self.players)

    @property
    def programs(self) -> tuple[Entrant, ...]:
        """The players that a command starts for each game."""
        return tuple(player for player in self.players if player.command is not None)

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
    def table_clocks(self) -> Clocks:
        """The clocks of players at a table."""
        clocks = Clocks.for_seats(self.tournament.seats, self.clocks.reply, self.clocks.turn)
        longest = max(GAME_TIMEOUT, clocks.turn, clocks.reply)
        return clocks._replace(game=self.clocks.game or longest)

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
        clocks = self.table_clocks
        if clocks.turn == turn_timeout(self.tournament.seats):
            fields["clocks"]["turn"] = None
        if clocks.game == max(GAME_TIMEOUT, clocks.turn, clocks.reply):
            fields["clocks"]["game"] = None
        return fields
