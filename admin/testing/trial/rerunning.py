"""Plays recorded turns against one player, and compares its answers with the recorded ones.

``Shrinker`` finds the fewest turns in which the player still fails. Each turn begins with its own
position, so turns can be left out. First the last turn is tried, then the last two, four, eight and
so on. From what is left, every half, quarter and so on that is not needed is removed (delta
debugging, after Zeller and Hildebrandt, 2002).
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from ....game.violation import Violation
from ....protocol.faults import Fault, Reason
from ....protocol.writing import Writer
from ...advising.explaining.explanation_text import readable, when
from ...refereeing.play.in_process import Response
from ...refereeing.table.clocks import Clocks
from ...refereeing.table.lag import Lag
from ...refereeing.table.run import beside
from ...refereeing.view.board_text import draw
from ...refereeing.view.plain_text import plural, printable, shortened
from .game_history import GameHistory, includes_set_up, responses_in
from .player_source import PlayerNotConnected, PlayerSource
from .trial import Trial, TrialResult


class AnswerComparison(NamedTuple):
    """A question in a turn (0 is the set-up), with the recorded response and the actual one."""

    turn: int
    question: str
    recorded: Response
    actual: Response

    @property
    def same(self) -> bool:
        """Whether both responses are the same; two faults are if their reasons are."""
        recorded, actual = (
            each.reason if isinstance(each, Fault) else each
            for each in (self.recorded, self.actual)
        )
        return recorded == actual


class Failure(NamedTuple):
    """How a player failed: the broken rule of the game, or else the reason, and the question."""

    rule: Violation | Reason
    question: str

    @classmethod
    def in_trial(cls, trial: TrialResult) -> "Failure | None":
        """Return how the player failed in a trial, if it did."""
        if trial.sign_up_fault is not None:
            return cls(trial.sign_up_fault.reason, "signup")
        left = trial.ejected
        return None if left is None else cls(left.rule, left.question)

    def __str__(self) -> str:
        return f"{self.rule.value}, in answer to <{self.question}>"


@dataclass(frozen=True, slots=True)
class RerunResult:
    """The result of playing recorded turns against a player."""

    recorded: GameHistory
    subject: str
    turns: tuple[int, ...]
    trial: TrialResult
    comparisons: tuple[AnswerComparison, ...]  # per turn, up to the first different response

    @property
    def differing(self) -> list[AnswerComparison]:
        """The comparisons in which the responses differ."""
        return [each for each in self.comparisons if not each.same]

    @property
    def agrees(self) -> bool:
        """Whether the player responded as recorded to everything, and ended in the same way."""
        ended_alike = Failure.in_trial(self.trial) == self.recorded_failure
        return bool(self.comparisons) and not self.differing and ended_alike

    @property
    def recorded_failure(self) -> Failure | None:
        """How the player failed in the recorded game, if that was in these turns."""
        left_in = self.recorded.left_in.get(self.subject)
        if left_in not in self.turns and not (left_in == 0 and includes_set_up(self.turns)):
            return None
        left = self.recorded.ejected[self.subject]
        return Failure(left.rule, left.question)

    @property
    def early_exit(self) -> str:
        """How the program ended instead of answering; empty if it did not end so."""
        early, report = self.trial.early_exit, self.trial.exit_report
        return report.told(early) if early and report else ""

    @property
    def reason_only(self) -> bool:
        """Whether the player failed, and nothing that was seen tells more than the reason."""
        left = self.trial.ejected
        return left is not None and not (self.early_exit or left.violation or left.data)

    def fails_like(self, other: "RerunResult") -> bool:
        """Whether the player fails here as there, as far as can be seen.

        In doubt the failures differ: then more turns are kept.
        """
        (how, sent, mistake), (theirs, there, same) = self._signs, other._signs
        return how == theirs and (sent == there or mistake == same != "")

    @property
    def _signs(self) -> tuple[object, object, str]:
        """The reason and how the program ended, what the player sent, its recognised mistake.

        From texts is left out what is new each time: addresses, numbers, tiles and hotels.
        """
        hotels = "|".join(re.escape(each.name) for each in self.recorded.header.rulebook.hotels)
        varying = re.compile(rf"0x[0-9a-f]+|\d+[A-I]?|\b(?:{hotels})\b", re.IGNORECASE)
        left, report = self.trial.ejected, self.trial.exit_report
        code = report.exit.code if report and self.early_exit else None
        how = Failure.in_trial(self.trial), code, varying.sub("…", self.early_exit)
        sent = left and (self.trial.answers[-1][1].message if left.violation else left.data)
        return how, sent, varying.sub("…", left.hint if left else "")


async def rerun(
    recorded: GameHistory, subject: str, turns: Sequence[int], source: PlayerSource, clocks: Clocks
) -> RerunResult:
    """Play these turns against the player from ``source``; raises ``PlayerNotConnected``."""
    lag = Lag()
    script = recorded.script(subject, list(turns))
    trial = Trial(script, clocks, lag)
    async with source.connect(subject) as player, beside(lag.run):
        result = await trial.play(player.socket, player.peer, player.work)
    result.exit_report = player.exit_report
    comparisons = tuple(_compare(recorded, subject, turns, result))
    return RerunResult(recorded, subject, tuple(turns), result, comparisons)


def _compare(
    recorded: GameHistory, subject: str, turns: Sequence[int], trial: TrialResult
) -> list[AnswerComparison]:
    """Pair recorded and actual responses, in each turn up to the first difference.

    After that, the same turn may go on with other questions than in the game.
    """
    found: list[AnswerComparison] = []
    given = responses_in(trial.events)
    # without the set-up the first position is left out: the game has no such question there
    set_up = [(0, 0)] if includes_set_up(turns) else []
    for number, turn in [*set_up, *enumerate(turns, 1)]:
        pairs = zip(recorded.responses(turn, subject), given[number, trial.name], strict=False)
        for (recorded_question, before), (question, now) in pairs:
            if recorded_question != question:
                break
            found.append(AnswerComparison(turn, question, before, now))
            if not found[-1].same:
                break
    return found


MAX_NOT_CONNECTED = 3  # after this many trials in a row without a connection, no more are tried


@dataclass(slots=True)
class Shrinker:
    """Looks for the fewest turns; ``play`` plays some of them against a new player."""

    play: Callable[[Sequence[int]], Awaitable[RerunResult]]
    on_trial: Callable[[int, int], None]  # gets each trial's number and how many turns it has
    best: RerunResult  # the shortest rerun so far that fails in the same way as the first
    trials: int = 0
    not_connected: int = 0  # trials in a row to which the player did not connect

    async def shrink(self) -> None:
        """Try shorter and shorter reruns until none is left to try."""
        assert Failure.in_trial(self.best.trial) is not None, "the player does not fail"
        whole, turns = self.best, self._take(self.best)
        count = 1
        while count < len(turns):
            if await self._fails(turns[-count:], whole):
                turns = list(self.best.turns)
                break
            count *= 2
        parts = 2
        while len(turns) > 1:  # the last turn, in which the player fails, is always needed
            size = max(1, (len(turns) - 1 + parts - 1) // parts)
            for start in range(0, len(turns) - 1, size):
                fewer = turns[:start] + turns[min(start + size, len(turns) - 1) :]
                if await self._fails(fewer, whole):
                    turns = list(self.best.turns)
                    parts = max(2, parts - 1)
                    break
            else:
                if size == 1:
                    break
                parts *= 2

    def _take(self, found: RerunResult) -> list[int]:
        """Take a rerun for the best, with those of its turns that began; return them."""
        outcome = found.trial.outcome
        self.best = replace(found, turns=found.turns[: outcome.turns if outcome else 0])
        return list(self.best.turns)

    async def _fails(self, turns: Sequence[int], whole: RerunResult) -> bool:
        """Whether the player fails here as in the whole game; if so this becomes the best."""
        if self.not_connected >= MAX_NOT_CONNECTED:
            return False
        self.trials += 1
        self.on_trial(self.trials, len(turns))
        try:
            found = await self.play(turns)
        except PlayerNotConnected:
            self.not_connected += 1
            return False
        self.not_connected = 0
        if not found.fails_like(whole):
            return False
        self._take(found)
        return True


# -- for a terminal ------------------------------------------------------------------------------

MAX_SHOWN = 400  # characters of an answer that are shown
UNSEEN = (
    "It has not seen the turns before turn {}: a player that remembers them, or counts, may do "
    "otherwise here. `rerun` without --from and `debug --whole` replay them."
)


def draw_rerun(result: RerunResult) -> RenderableType:
    """Draw the first answer that differs, beside the recorded one, and the summary.

    If the player was ejected in the game, its new answer there is drawn as well.
    """
    parts: list[RenderableType] = []
    left_in = result.recorded.left_in.get(result.subject)
    fatal = [each for each in result.differing[1:] if each.turn == left_in]
    for title, differing in (
        ("First different answer", result.differing[:1]),
        ("The answer that ended the recorded game", fatal[-1:]),
    ):
        for each in differing:
            parts += [_difference(result, each, title), Text()]
    lines = [line for line in (_agreement(result), _endings(result)) if line]
    if not includes_set_up(result.turns):
        lines.append(UNSEEN.format(result.turns[0]))
    if result.early_exit:
        lines.append(printable(result.early_exit))
    elif (report := result.trial.exit_report) is not None and report.exit.failed:
        lines.append(report.sentence)
    return Group(*parts, *(Text(line, "" if place else "bold") for place, line in enumerate(lines)))


def _difference(result: RerunResult, differing: AnswerComparison, title: str) -> RenderableType:
    head = Text.assemble((title, "bold"), f": {when(differing.turn)}, to <{differing.question}>")
    table = Table.grid(Column(style="bold", no_wrap=True), Column(overflow="fold"), padding=(0, 2))
    table.add_row("recorded", Text(_written(result, differing.recorded)))
    table.add_row("now", Text(_written(result, differing.actual)))
    left = result.trial.ejected
    is_last = result.comparisons[-1] is differing and not isinstance(differing.actual, Fault)
    if is_last and left is not None and left.violation is not None:
        table.add_row("", Text(printable(left.detail), "bold red"))
    position = result.recorded.positions.get(differing.turn, result.recorded.start)
    return Group(head, Padding(table, (0, 0, 0, 2), expand=False), Text(), draw(position))


def _written(result: RerunResult, response: Response) -> str:
    if isinstance(response, Fault):
        received = f" Received: {readable(response.data)}" if response.data else ""
        text = f"({response.reason.value}) {response.detail}{received}"
    else:
        text = Writer(result.recorded.header.rulebook).text(response)
    return shortened(text, MAX_SHOWN)


def _agreement(result: RerunResult) -> str:
    compared, differing = len(result.comparisons), len(result.differing)
    if not compared:
        return "No answers could be compared."
    if differing:
        verb = "differs" if differing == 1 else "differ"
        return f"{differing} of {plural(compared, 'answer')} {verb} from the recorded game."
    every = f"All {compared} answers agree" if compared > 1 else "The only answer agrees"
    return f"{every} with the recorded game."


def _endings(result: RerunResult) -> str:
    """Return how the player ended in the game, and now; empty if the turns have neither end."""
    before, now = result.recorded_failure, Failure.in_trial(result.trial)
    last = max(result.recorded.turns_of(result.subject), default=0)
    if before is None and now is None and max(result.turns, default=0) < last:
        return ""
    recorded = "stayed to the end"
    if before is not None:
        turn = when(result.recorded.left_in[result.subject])
        recorded = f"was ejected {turn} ({before})"
    current = "it was not ejected" if now is None else f"it was ejected ({now})"
    return f"In the recorded game the player {recorded}; now {current}."
