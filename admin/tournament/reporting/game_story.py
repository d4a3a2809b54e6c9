"""What the log of a game tells, and what those of a player tell together: the causes of its losses.

A game tells its frames, its decisive turn, and why players were ejected. All of it comes from the
events of its log, as it is verified.

The same bug is one cause, however often it came. Of an illegal move the cause is the rule, of a
crash the last line of the error, of anything else the question that was not answered as it should
have been.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ....game.state import State
from ....game.violation import Violation
from ...advising.explaining.explanation import Explainer
from ...advising.explaining.explanation_text import explanation_text
from ...launching.sandbox import Sandbox
from ...refereeing.log.reader import RecordedGame, UnreadableLog, read_bytes
from ...refereeing.log.recorder import Header
from ...refereeing.log.verifier import Verification, Verifier
from ...refereeing.table.clocks import Clocks
from ...refereeing.view.decisive_turn import DecisiveTurn, decisive_turn
from ...refereeing.view.frames import OF_PLACEMENT, Frame, FrameKind, recorded_frames
from ...refereeing.view.plain_text import listed, printable_text, shortened
from ...refereeing.view.sentences import missing
from ..games.result import GameResult, PlayerVerdict, SeatResult, log_name
from ..planning.facts import TournamentFacts
from .published import log_path, minimal_path

TOLD = frozenset({*OF_PLACEMENT, FrameKind.Acquired, FrameKind.Ejected, FrameKind.Declared})
"""The kinds of frames of a decisive turn that say why it was decisive."""
MAX_EXPLAINED = 10
"""Losses of one cause that are shown with the explanation and the output; of others the game is
linked, whose page has both."""
MAX_OUTPUT = 8000  # characters of an output that are shown, the last ones
MAX_TITLE = 120  # characters of the title of a cause
_BY_OUTPUT = {PlayerVerdict.CRASHED, PlayerVerdict.DISCONNECTED, PlayerVerdict.NEVER_STARTED}
"""Verdicts whose cause is in what the program printed."""
_ERROR = re.compile(r"^(?=\S).*(error|exception|panic|abort|fault|killed)", re.IGNORECASE)
_CHANGING = re.compile(r"0x[0-9a-fA-F]+|\d{4,}")
_VALUE = re.compile(r"""^(\w+: )(?:-?\d+|'[^']*'|"[^"]*")$""")
_RULES = {violation.value: violation.sentence for violation in Violation}


@dataclass(frozen=True, slots=True)
class Fall:
    """An ejection."""

    turn: int  # 0 in the set-up
    step: int  # the number of its frame
    rule: str  # the rule of the game that was broken; empty if it was none
    occasion: str  # at which question it happened, in words
    text: str  # what `acquire explain` prints


@dataclass(frozen=True, slots=True)
class GameStory:
    """What pages about players need of a game: the decisive turn, and the ejections by player."""

    players: tuple[str, ...] = ()
    decisive: DecisiveTurn | None = None
    told: tuple[str, ...] = ()  # sentences about the decisive turn
    falls: Mapping[str, Fall] = field(default_factory=dict)
    board: str = ""  # the last position, if it was drawn: SVG in the colors of the page

    @property
    def open(self) -> int:
        """The number of the frame at which the game is opened.

        The first ejection, else the decisive turn, else the beginning. A player that never came is
        ejected at the set-up, which shows nothing.
        """
        falls = [fall.step for fall in self.falls.values()]
        in_turns = [fall.step for fall in self.falls.values() if fall.turn]
        if in_turns or self.decisive is None:
            return min(in_turns or falls, default=0)
        return self.decisive.step


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game played again from its log."""

    header: Header
    frames: list[Frame]
    notice: str  # what is missing, if anything is
    story: GameStory
    last: State  # the position in its last frame
    holds: bool  # whether no recorded fact contradicts the rules


def told(record: RecordedGame, verdict: Verification) -> ReplayedGame:
    """Return a whole game, from its log and the verdict on it."""
    header, table, explainer = record.header, recorded_frames(record.header), Explainer()
    frames, names = [table.begin()], header.names
    for event in verdict.events:
        frames.extend(table.take(event))
        explainer.take(event)
    steps = {
        names[frame["player"]]: step
        for step, frame in enumerate(frames)
        if frame["kind"] == FrameKind.Ejected
    }
    falls = {
        each.name: Fall(
            each.turn,
            steps[each.name],
            "" if each.violation is None else each.violation.value,
            each.occasion,
            explanation_text(each),
        )
        for each in explainer.explanations
        if not each.keeps_score
    }
    decisive = decisive_turn(frames)
    sentences = () if decisive is None else _told(frames, names, decisive)
    story = GameStory(names, decisive, sentences, falls)
    holds = verdict.divergence is None
    return ReplayedGame(header, frames, missing(record, verdict), story, table.state, holds)


def replay(game: str, log: bytes, *, seeded: bool = True) -> ReplayedGame | None:
    """Play a game again from its compressed log, ``None`` if that cannot be read.

    ``seeded`` is whether the bag has to follow from the seed.
    """
    try:
        record = read_bytes(Path(log_name(game)), log)
    except UnreadableLog:
        return None
    return told(record, Verifier(record, seeded=seeded).verify())


def _told(frames: list[Frame], names: Sequence[str], decisive: DecisiveTurn) -> tuple[str, ...]:
    """Return what happened in the decisive turn in sentences, without the causes of ejections."""
    return tuple(
        f"{names[frame['player']]} is ejected." if frame["kind"] == "ejected" else frame["text"]
        for frame in frames[decisive.step :]
        if frame["turn"] == decisive.turn and frame["kind"] in TOLD
    )


def decisive_sentence(story: GameStory) -> str:
    """Return what made the decisive turn decisive, in a sentence or two; ``""`` without one."""
    decisive = story.decisive
    if decisive is None:
        return ""
    winners = listed(story.players[place] for place in decisive.winners)
    are = "was" if len(decisive.winners) == 1 else "were"
    start = f"{winners} {are} ahead in net worth from then on"
    if decisive.after is not None:
        start += f", by ${decisive.after:,} after this turn"
    if decisive.before is None or decisive.rival is None:
        return f"{start}."
    rival = story.players[decisive.rival]
    if not decisive.before:
        return f"{start}. Before it, {rival} had as much."
    return f"{start}. Before it, {rival} was ahead by ${-decisive.before:,}."


# -- games that a player did not finish, by cause -----------------------------------------------


class Loss(NamedTuple):
    """A game that a player did not finish."""

    game: str
    seat: SeatResult
    fall: Fall | None
    output: str  # the end of what the program printed
    minimal: str  # where the log of the shortest match with this loss is, if there is one

    @property
    def telling_line(self) -> str:
        """The line of the output that tells most about a crash, shortened."""
        last = self.output.rstrip().rpartition("\n")[2].strip()
        return shortened(_error_line(self.output) or last, MAX_TITLE)


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
        fall, text = story.falls.get(seat.player), output_text(output)
        title, sentence = _cause(seat, fall, text)
        kind = _VALUE.sub(r"\1…", title)
        cause = self.causes.setdefault((seat.verdict, kind), Cause(seat.verdict, title, sentence))
        cause.title = title if title == cause.title else kind
        text = text if len(cause.losses) < MAX_EXPLAINED else ""
        cause.losses.append(Loss(result.game, seat, fall, text, minimal_path(result.game, number)))

    def by_number(self) -> list[Cause]:
        """Return the causes, the most frequent first; last, not being started for the others."""

        def place(cause: Cause) -> tuple[bool, int, str]:
            return cause.losses[0].seat.was_skipped, -len(cause.losses), cause.title

        return sorted(self.causes.values(), key=place)


def output_text(output: bytes) -> str:
    """Return what a program printed as text that a page may contain, its end if it is long."""
    return printable_text(output.decode(errors="replace"))[-MAX_OUTPUT:].rstrip()


def case_command(
    facts: TournamentFacts, case: str, start: str = "COMMAND", sandbox: Sandbox = Sandbox.NONE
) -> str:
    """Return the command that plays a loss again, by the clocks of the tournament.

    The path of its log is quoted for a shell. A ``sandbox`` is for those who start the program of
    somebody else; without one `check` decides.
    """
    usual, options = Clocks.for_seats(facts.seats), ""
    if sandbox is not Sandbox.NONE:
        options += f" --sandbox {sandbox.value}"
    if facts.reply != usual.reply:
        options += f" --reply-timeout {facts.reply:g}"
    if facts.turn != usual.turn:
        options += f" --turn-timeout {facts.turn:g}"
    return f"acquire check --case {case}{options} -- {start}"


def commands_for(game: str, seat: SeatResult) -> tuple[str, ...]:
    """Return the commands that explain, show and reproduce a loss, in the folder of the report."""
    log, name = log_path(game), shlex.quote(seat.player)
    turn = f" --turn {seat.turn}" if seat.turn is not None else ""
    return (
        f"acquire explain {log} --seat {name}",
        f"acquire replay {log}{turn}",
        f"acquire rerun {log} --seat {name} -- COMMAND",
    )


def _cause(seat: SeatResult, fall: Fall | None, output: str) -> tuple[str, str]:
    """Return the title of a loss' cause, and what it means.

    The title of a crash is what the referee knows of it, or the line of the output that names the
    error, without addresses and long numbers, which are new each time.
    """
    if fall is not None and fall.rule:
        return fall.rule, _RULES.get(fall.rule, "")
    if seat.verdict is PlayerVerdict.CRASHED and seat.cause:
        return seat.cause.removesuffix("."), seat.verdict.sentence
    if seat.verdict in _BY_OUTPUT:
        line = _error_line(output) or printable_text(seat.explanation).partition(". ")[0]
        return _CHANGING.sub("…", line).removesuffix(".")[:MAX_TITLE], seat.verdict.sentence
    return fall.occasion if fall is not None else "", seat.verdict.sentence


def _error_line(output: str) -> str:
    """Return the last line that names an error; empty if none does."""
    return next((line.strip() for line in reversed(output.splitlines()) if _ERROR.search(line)), "")
