"""A rerun for the terminal: how far the answers agree, and the first that does not."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from admin.explaining.explanation_text import readable, when
from admin.rerun.rerunning import Answer, Break, Rerun
from admin.trial.recorded import Said
from admin.view.board_text import draw
from admin.view.plain_text import plural, printable
from protocol.faults import Fault
from protocol.writing import Writer

NAMED = 6
"""How many turns are named in which answers differ."""
SHOWN = 400
"""How many characters of an answer are shown."""


def draw_rerun(rerun: Rerun) -> RenderableType:
    """Draw the first answer that differs, beside the recorded one, and say how it ended.

    Where the player was ejected in the match, what it answers there now is drawn as well.
    """
    parts: list[RenderableType] = []
    differing = rerun.differing
    if differing:
        parts += [_difference(rerun, differing[0], "The first answer that differs"), Text()]
    left_in = rerun.recorded.left_in.get(rerun.subject)
    fatal = [answer for answer in differing[1:] if answer.turn == left_in]
    if fatal:
        parts += [_difference(rerun, fatal[-1], "Where it was ejected then"), Text()]
    return Group(*parts, *_summary(rerun, differing))


def _difference(rerun: Rerun, answer: Answer, title: str) -> RenderableType:
    head = Text.assemble(
        (title, "bold"),
        f": {when(answer.turn)}, to <{answer.question}>",
    )
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    table.add_row("recorded", Text(_written(rerun, answer.recorded)))
    table.add_row("now", Text(_written(rerun, answer.came)))
    judged = _judged(rerun, answer)
    if judged:
        table.add_row("", Text(judged, "bold red"))
    position = draw(rerun.position(answer.turn))
    return Group(head, Padding(table, (0, 0, 0, 2), expand=False), Text(), position)


def _written(rerun: Rerun, said: Said) -> str:
    """Write an answer as it is sent, or what was wrong in place of one."""
    if isinstance(said, Fault):
        came = f" came: {readable(said.data)}" if said.data else ""
        text = f"({said.reason.value}) {said.detail}{came}"
    else:
        text = Writer(rerun.recorded.header.rulebook).text(said)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} .."


def _judged(rerun: Rerun, answer: Answer) -> str:
    """Say what the referee found wrong with the answer that came, if it was this one."""
    left = rerun.tried.ejected
    if left is None or left.violation is None or isinstance(answer.came, Fault):
        return ""
    last = rerun.answers[-1]
    return printable(left.detail) if last is answer else ""


def _summary(rerun: Rerun, differing: list[Answer]) -> list[Text]:
    """Say how many answers agree, and how it ended."""
    compared = len(rerun.answers)
    if not compared:
        lines = ["No answer could be compared."]
    elif not differing:
        all_of_them = f"All {compared} answers are" if compared > 1 else "The one answer is"
        lines = [f"{all_of_them} as recorded."]
    else:
        verb = "differs" if len(differing) == 1 else "differ"
        lines = [f"{len(differing)} of {plural(compared, 'answer')} {verb} from what was recorded."]
    lines += _ends(rerun)
    return [Text(line, "bold" if place == 0 else "") for place, line in enumerate(lines)]


def _listed(turns: list[int]) -> str:
    """Name turns, or the first of them."""
    told = ", ".join(when(turn) for turn in turns[:NAMED])
    more = len(turns) - NAMED
    return f"{told} and {plural(more, 'other turn')}" if more > 0 else told


def _ends(rerun: Rerun) -> list[str]:
    """Say how the player left, then and now."""
    was, now = rerun.recorded.ejected.get(rerun.subject), Break.of(rerun.tried)
    then = "stayed to the end"
    if was is not None:
        code = was.violation.value if was.violation is not None else was.reason.value
        turn = rerun.recorded.left_in[rerun.subject]
        then = f"was ejected {when(turn)} ({code}, in answer to <{was.question}>)"
    here = "it stayed to the end" if now is None else f"it was ejected ({now})"
    lines = [f"In the recorded match the player {then}; now {here}."]
    if rerun.departure is not None and rerun.departure.exit.badly:
        lines.append(rerun.departure.how)
    return lines
