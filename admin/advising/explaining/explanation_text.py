"""An explanation drawn for the terminal: the mistake, the position, and the correct answers.

If the output is not a terminal, the same text is plain.
"""

from collections.abc import Iterator
from io import StringIO

from rich.console import Console, Group, RenderableType, group
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from ....game.tiles import tile_name
from ....protocol.faults import Reason
from ...refereeing.view.board_text import BoardAndHotels, draw_players, player_rows
from ...refereeing.view.plain_text import printable, printable_text
from .alternatives import Legal
from .explanation import Explanation
from .sources import RuleSource

WIDTH = 80  # columns of an explanation as text
SHOWN = 600  # characters of the received bytes that are shown; the log has all of them
BODY = 2  # columns by which text below a heading is indented
WRONG, RIGHT, HEADING = "bold red", "bold green", "bold"


def explanation_text(explanation: Explanation) -> str:
    """Return all of an explanation as plain text."""
    return plain_text(draw_explanation(explanation), WIDTH) + "\n"


def plain_text(drawing: RenderableType, width: int) -> str:
    """Return a drawing as plain text, the same on every machine."""
    file = StringIO()
    console = Console(
        file=file, width=width, height=100, color_system=None, legacy_windows=False, _environ={}
    )
    console.print(drawing)
    lines = printable_text(file.getvalue()).split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")


@group()
def draw_explanation(explanation: Explanation) -> Iterator[RenderableType]:
    """Draw all of an explanation, with a correct answer at the end."""
    code, example = explanation.reason.value, explanation.send.decode()
    if explanation.violation is not None:
        code = f"{code}: {explanation.violation.value}"
    yield Text.assemble(
        (printable(explanation.name), WRONG),
        (f" was ejected {when(explanation.turn)}", HEADING),
        f", {explanation.occasion}  ",
        (code, WRONG),
    )
    wrong = Text(printable(explanation.detail))
    if explanation.keeps_score:
        wrong.append(" The game was over by then: the player keeps the score.", "italic")
    hint = [Text(printable(explanation.hint), "bold")] if explanation.hint else []
    yield from _part("What was wrong", *hint, wrong)
    yield from _part("The rule", Text(explanation.rule), *map(_source, explanation.sources))
    yield from _part(*_came(explanation))
    yield from _position(explanation)
    if explanation.legal.alternatives:
        yield from _part("Legal answers", _legal(explanation.legal))
    expected = f"Expected {explanation.expected}. For example:"
    if example == explanation.expected:
        expected = "Expected exactly this:"
    yield from _part("A correct answer", Text(expected), Text(example, RIGHT))


def _part(title: str, *bodies: RenderableType) -> Iterator[RenderableType]:
    """Draw a part under its title."""
    yield Text()
    yield Text(title, HEADING)
    for body in bodies:
        yield Padding(body, (0, 0, 0, BODY), expand=False)


def when(turn: int) -> str:
    """Return in which turn something happened."""
    return f"in turn {turn}" if turn else "at the set-up"


def _source(source: RuleSource) -> Text:
    text = Text.assemble((f"{source.page}, {source.section}", "dim"))
    if source.row:
        text.append(f': "{source.row}": ', "dim").append(source.text)
    return text


def readable(data: bytes) -> str:
    """Write bytes as text, with escapes for those that cannot be printed: ``\\n``, ``\\x00``."""
    text = data.decode(errors="backslashreplace")
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def _came(explanation: Explanation) -> tuple[str, Text]:
    data = explanation.received
    if not data:
        silent = {Reason.TIMED_OUT: "Nothing.", Reason.DISCONNECTED: "Nothing more."}
        return "What was received", Text(silent.get(explanation.reason, "The log does not say."))
    text = Text(readable(data), "red")
    if len(text) > SHOWN:
        text = text[:SHOWN].append(f" .. {len(data):,} bytes are in the log", "italic")
    how = "byte for byte" if explanation.exact else "rebuilt from the parsed message"
    return f"What was received, {how}", text


def _position(explanation: Explanation) -> Iterator[RenderableType]:
    """Draw the position; it is not indented, so that it fits where any other position does."""
    state, tried = explanation.position, explanation.tried
    where = "" if tried is None else f", [ ] where {tile_name(tried)} was tried"
    yield from _part(f"The position then{where}")
    yield BoardAndHotels(state, tried)
    yield Text()
    yield draw_players(state.rulebook, player_rows(state, explanation.net_worth))


def _legal(legal: Legal) -> RenderableType:
    table = Table.grid(Column(no_wrap=True, style=RIGHT), Column(), padding=(0, 2))
    for alternative in legal.alternatives:
        table.add_row(Text(alternative.of), Text(alternative.words))
    parts: list[RenderableType] = [Text(f"{legal.heading}:"), table]
    if legal.limits:
        parts.append(Text(legal.limits, "italic"))
    return Group(*parts)
