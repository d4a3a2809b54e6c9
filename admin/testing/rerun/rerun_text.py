"""A rerun for the terminal: how many answers agree, and the first that does not."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ....protocol.faults import Fault
from ....protocol.writing import Writer
from ...advising.explaining.explanation_text import readable, when
from ...refereeing.play.in_process import Response
from ...refereeing.view.board_text import draw
from ...refereeing.view.plain_text import plural, printable
from ...refereeing.view.sentences import shortened
from .rerunning import AnswerComparison, Failure, RerunResult

MAX_SHOWN = 400
"""Characters of an answer that are shown."""


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
    if result.early_exit:
        lines.append(printable(result.early_exit))
    elif result.exit_report is not None and result.exit_report.exit.failed:
        lines.append(result.exit_report.sentence)
    return Group(*parts, *(Text(line, "" if place else "bold") for place, line in enumerate(lines)))


def _difference(result: RerunResult, differing: AnswerComparison, title: str) -> RenderableType:
    head = Text.assemble((title, "bold"), f": {when(differing.turn)}, to <{differing.question}>")
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    table.add_row("recorded", Text(_written(result, differing.recorded)))
    table.add_row("now", Text(_written(result, differing.actual)))
    left = result.trial.ejected
    is_last = result.comparisons[-1] is differing and not isinstance(differing.actual, Fault)
    if is_last and left is not None and left.violation is not None:
        table.add_row("", Text(printable(left.detail), "bold red"))
    position = draw(result.position(differing.turn))
    return Group(head, Padding(table, (0, 0, 0, 2), expand=False), Text(), position)


def _written(result: RerunResult, response: Response) -> str:
    """Write an answer as it is sent, or a fault."""
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
    if before is None and now is None and max(result.turns, default=0) < result.last_turn:
        return ""
    recorded = "stayed to the end"
    if before is not None:
        turn = when(result.recorded.left_in[result.subject])
        recorded = f"was ejected {turn} ({before})"
    current = "it stayed to the end" if now is None else f"it was ejected ({now})"
    return f"In the recorded game the player {recorded}; now {current}."
