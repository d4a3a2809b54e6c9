"""The report for a terminal, drawn from the plain values that :mod:`.report` returns."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from ...refereeing.view.fitted_table import Column, FittedTable
from ...refereeing.view.plain_text import plural, printable
from ..statistics.intervals import INTERVAL
from ..statistics.plots import number
from .report import Fields
from .single_game import ABSENT


def draw_report(report: Fields) -> RenderableType:
    """Draw a report for a terminal."""
    parts: list[RenderableType] = [_head(report)]
    for seat in report["seats"]:
        parts += [Text(), _table(seat), *(Text(line) for line in _notes(seat["variants"]))]
    found = [each for seat in report["seats"] for each in seat["variants"] if each["games"]]
    if found:
        parts += [Text(), Text(_legend(found))]
    return Group(*parts)


def _head(report: Fields) -> Text:
    dealt = "the other players' hands and the bag" if "hands" in report["dealt_anew"] else "the bag"
    text = Text.assemble(
        (f"From turn {report['from']}, {printable(report['mover'])} to move", "bold"),
        f": played on with {dealt} redealt, seed {report['seed']}.",
    )
    for each in report["others"]:
        why = f", in place of {each['instead_of']}" if each["instead_of"] else ", as in the game"
        said = f"{each['name']} is played by {each['strategy']}{why}"
        text.append(f"\n  {printable(said)}.")
    return text


def _table(seat: Fields) -> FittedTable:
    headings = ("games", "mean", "median", "wins %", "vs the first")
    columns = (Column("played by", text=True), *map(Column, headings))
    table = FittedTable(*columns, title=f"Score of {printable(seat['name'])}", dense=True)
    played = [each for each in seat["variants"] if each["games"]]
    for place, each in enumerate(played, start=1):
        score, difference = each["score"], each["difference"]
        quartiles = f"{number(score['lower_quartile'])}..{number(score['upper_quartile'])}"
        table.add_row(
            f"{place} {printable(each['player'])}",
            str(each["games"]),
            estimate_lines(score),
            f"{number(score['median'])}\n{quartiles}",
            estimate_lines(each["wins"], 100),
            estimate_lines(difference["score"], signed=True) if difference else "",
        )
    real = seat["really"]
    shown = number(real["score"]) if real["finished"] else "-"
    table.add_row("the real game", "1", shown, "", _rank(real), "")
    return table


def estimate_lines(estimate: Fields, factor: int = 1, *, signed: bool = False) -> str:
    """Write a mean, and under it the bounds of its interval where there is one."""
    found = [estimate[key] for key in ("mean", "low", "high") if estimate[key] is not None]
    value, *bounds = (
        f"{'+' if signed and round(bound) > 0 else ''}{number(bound * factor)}" for bound in found
    )
    return f"{value}\n{'..'.join(bounds)}".rstrip()


def _rank(real: Fields) -> str:
    if real["ejected_in"] is not None:
        left = real["ejected_in"]
        return f"ejected in turn {left}" if left else "ejected at the set-up"
    return f"rank {real['rank']}" if real["rank"] is not None else "interrupted"


def _notes(variants: list[Fields]) -> Iterator[str]:
    """Yield what went wrong in the games."""
    for found in variants:
        label = printable(found["player"])
        if not found["games"]:
            yield f"{label}: no game was played."
            continue
        for reason, count in found["lost"].items():
            what = "did not connect for" if reason == ABSENT else f"ejected ({reason}) in"
            yield f"{label}: {what} {plural(count, 'game')}, which score 0."
        if found["amended"]:
            games = plural(found["amended"], "game")
            yield f"{label}: in {games} part of the move was no longer legal."


def _legend(results: list[Fields]) -> str:
    """Explain the numbers, and over what differences are taken if there are any."""
    intervals = f"under a mean its {INTERVAL}"
    if any(found["score"]["low"] is None for found in results):
        intervals = "there are no intervals for fewer than five games"
    text = f"Under a median are the quartiles; {intervals}."
    pairs = [found["difference"]["games"] for found in results if found["difference"]]
    if not pairs:
        return text
    some = min(pairs) < max(found["games"] for found in results)
    only = " Only games that both have played count." if some else ""
    return (
        f'{text}\n"vs the first" is the mean difference from player 1, game by game: in the same '
        f"game all\nhave the same deal, and the others the same random choices.{only}"
    )
