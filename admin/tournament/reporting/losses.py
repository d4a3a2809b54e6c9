"""Games that a player did not finish, by cause: the same bug is one cause, however often it came.

Of an illegal move the cause is the rule, of a crash the last line of the error, of anything else
the question that was not answered as it should have been.
"""

import re
import shlex
from dataclasses import dataclass, field
from typing import NamedTuple

from ....game.violation import Violation
from ...refereeing.view.plain_text import printable_text
from ..games.result import GameResult, PlayerVerdict, SeatResult
from .game_story import Fall, GameStory
from .page_files import log_path, minimal_path

MAX_EXPLAINED = 10
"""Losses of one cause that are shown with the explanation and the output; of others the game is
linked, whose page has both."""
MAX_OUTPUT = 8000
"""Characters of an output that are shown, the last ones."""
MAX_TITLE = 120
"""Characters of the title of a cause."""
_BY_OUTPUT = {PlayerVerdict.CRASHED, PlayerVerdict.DISCONNECTED, PlayerVerdict.NEVER_STARTED}
"""Verdicts whose cause is in what the program printed."""
_ERROR = re.compile(r"^\S.*(error|exception|panic|abort|fault|killed)", re.IGNORECASE)
_RULES = {violation.value: violation.sentence for violation in Violation}


class Loss(NamedTuple):
    """A game that a player did not finish; ``output`` is the end of what the program printed.

    ``minimal`` is where the log of the shortest match with this loss is, if there is one.
    """

    game: str
    seat: SeatResult
    fall: Fall | None
    output: str
    minimal: str


@dataclass(slots=True)
class Cause:
    """A cause with its losses; ``sentence`` explains it."""

    verdict: PlayerVerdict
    title: str
    sentence: str
    losses: list[Loss] = field(default_factory=list)


@dataclass(slots=True)
class PlayerGames:
    """All games of a player: those lost by cause, and those played to the end."""

    causes: dict[tuple[PlayerVerdict, str], Cause] = field(default_factory=dict)
    finished: list[tuple[GameResult, SeatResult, GameStory]] = field(default_factory=list)

    def take(self, result: GameResult, number: int, story: GameStory, output: bytes) -> None:
        """Add a game; ``number`` is the player's seat, from 1."""
        seat = result.seats[number - 1]
        if seat.finished:
            self.finished.append((result, seat, story))
            return
        fall, text = story.fall_of(seat.player), output_text(output)
        title, sentence = _cause(seat, fall, text)
        cause = self.causes.setdefault((seat.verdict, title), Cause(seat.verdict, title, sentence))
        text = text if len(cause.losses) < MAX_EXPLAINED else ""
        cause.losses.append(Loss(result.game, seat, fall, text, minimal_path(result.game, number)))

    def by_number(self) -> list[Cause]:
        """Return the causes, the most frequent first."""
        return sorted(self.causes.values(), key=lambda cause: (-len(cause.losses), cause.title))


def output_text(output: bytes) -> str:
    """Return what a program printed as text that a page may contain, its end if it is long."""
    return printable_text(output.decode(errors="replace"))[-MAX_OUTPUT:].rstrip()


def case_command(case: str, start: str = "COMMAND") -> str:
    """Return the command that plays a loss again, whose log is quoted for a shell."""
    return f"acquire check --case {case} -- {start}"


def commands_for(game: str, seat: SeatResult) -> tuple[str, ...]:
    """Return the commands that explain, show and reproduce a loss, in the folder of the report."""
    log, name = log_path(game), shlex.quote(seat.player)
    turn = f" --turn {seat.turn}" if seat.turn is not None else ""
    start = f" --from {seat.turn}" if seat.turn else ""
    return (
        f"acquire explain {log} --seat {name}",
        f"acquire replay {log}{turn}",
        f"acquire rerun {log} --seat {name}{start} -- COMMAND",
    )


def _cause(seat: SeatResult, fall: Fall | None, output: str) -> tuple[str, str]:
    """Return the title of a loss' cause, and what it means.

    The title of a crash is the last line that names an error, else the last one, without addresses
    and long numbers, which are new each time.
    """
    if fall is not None and fall.rule:
        return fall.rule, _RULES.get(fall.rule, "")
    if seat.verdict in _BY_OUTPUT:
        lines = [line for line in output.splitlines() if line.strip()]
        errors = [line for line in lines if _ERROR.search(line)]
        line = (errors or lines or [""])[-1].strip() or printable_text(seat.explanation)
        return re.sub(r"0x[0-9a-fA-F]+|\d{4,}", "…", line)[:MAX_TITLE], seat.verdict.sentence
    question = f"in answer to <{fall.question}>" if fall is not None else ""
    return question, seat.verdict.sentence
