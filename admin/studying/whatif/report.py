"""The results of a game that was played on, as plain values: for a program, and to be drawn.

As in a tournament, tied winners share a win, and an ejected player has no money and no win. A game
is a block of its own: two variants play it with the same deal, so their difference is taken
game by game.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from ....game.rulebook import Hands
from ...refereeing.view.fitted_table import Column, FittedTable
from ...refereeing.view.plain_text import number, plural, printable
from ...testing.trial.game_history import GameHistory
from ..statistics.intervals import INTERVAL, Estimate, IntervalKind, block_means, estimates
from .single_game import ABSENT, WIN, GameSetup, SeatOutcome, Variant

DIGITS = 4  # decimals of the estimates
Fields: TypeAlias = dict[str, Any]


class Opponent(NamedTuple):
    """Who plays for a seat unless a variant does; ``instead_of`` whom, if not of itself."""

    name: str
    strategy: str
    instead_of: str | None


def real_results(recorded: GameHistory) -> dict[str, Fields]:
    """Return the real result of every seat of a game.

    Its standing is ``None`` if the game did not end; ``ejected_in`` is the turn in which the player
    was ejected, 0 at the set-up.
    """
    found = {standing.name: standing for standing in recorded.outcome.standings}
    return {
        name: {
            **{key: getattr(found.get(name), key, None) for key in ("score", "rank", "finished")},
            "ejected_in": recorded.left_in.get(name),
        }
        for name in recorded.names
    }


def report_of(
    log: str,
    turn: int,
    setup: GameSetup,
    opponents: Sequence[Opponent],
    games_of: Mapping[Variant, Sequence[SeatOutcome]],
    real: Mapping[str, Fields],
    decision: str | None = None,
) -> Fields:
    """Return a report: what ``--from`` with ``--json`` writes.

    ``decision`` is the kind of the decision with which it begins, if that is within the turn.

    Scores are in dollars, wins are shares of the games, ``difference`` is to the first variant of
    the seat, game by game (``paired_over`` says what such a game has in common).
    Bounds are those of 95 % intervals, ``null`` with too few games.
    """
    seats: dict[str, list[Variant]] = {}
    for variant in games_of:
        seats.setdefault(variant.seat, []).append(variant)
    return {
        "log": log,
        "from": turn,
        "mover": setup.position.mover.name,
        "decision": decision,
        "seed": setup.seed,
        "dealt_anew": ["bag", "hands"] if setup.rulebook.hands is Hands.HIDDEN else ["bag"],
        "paired_over": "games with the same deal and the same random choices",
        "others": [each._asdict() for each in opponents if {*seats} != {each.name}],
        "seats": [
            {
                "name": seat,
                "really": real[seat],
                "variants": [
                    {
                        "player": each.label,
                        "kind": each.kind,
                        "games": len(games_of[each]),
                        **spread_of(games_of[each], None if at == 0 else games_of[variants[0]]),
                    }
                    for at, each in enumerate(variants)
                ],
            }
            for seat, variants in seats.items()
        ],
    }


def spread_of(games: Sequence[SeatOutcome], first: Sequence[SeatOutcome] | None) -> Fields:
    """Return the statistics of games, compared with those of ``first``; nothing without a game.

    ``lost`` counts the games that were not finished, by reason; ``amended`` those in which part of
    the recorded move was illegal.
    """
    if not games:
        return {}
    scores = [game.score for game in games]
    mean, wins = estimated([(game.score, game.win) for game in games], (0.0, 1.0))
    lower, median, upper = np.quantile(scores, (0.25, 0.5, 0.75)).tolist()
    difference = None
    if first:
        pairs = list(zip(games, first, strict=False))
        rows = [(one.score - other.score, one.win - other.win) for one, other in pairs]
        score, won = map(estimate_json, estimated(rows, (-1.0, 1.0)))
        difference = {"games": len(pairs), "score": score, "wins": won}
    return {
        "score": {
            **estimate_json(mean),
            "lowest": min(scores),
            "lower_quartile": lower,
            "median": median,
            "upper_quartile": upper,
            "highest": max(scores),
        },
        "wins": estimate_json(wins),
        "difference": difference,
        "lost": dict(sorted(Counter(game.lost for game in games if game.lost).items())),
        "amended": sum(game.amended for game in games),
        "scores": scores,
    }


def estimated(
    rows: Sequence[tuple[int, int]], bounds: tuple[float, float]
) -> tuple[Estimate, Estimate]:
    """Return the means of dollars, and of wins (given in units of ``WIN``), with their intervals.

    ``bounds`` are those of the wins in a game. Wins that are the same in all games have no
    interval: some games in which nothing made a difference do not show that nothing ever does.
    """
    sums = np.array([[(1, *row)] for row in rows], np.float64)
    kinds = IntervalKind(1, DIGITS), IntervalKind(WIN, DIGITS, bounds)
    ((money, wins),) = estimates(sums, block_means(sums, (1, WIN)), kinds)
    return money, Estimate(wins.value) if wins.low == wins.high else wins


def estimate_json(estimate: Estimate) -> dict[str, float | None]:
    """Return a mean and the bounds of its interval."""
    return {"mean": estimate.value, "low": estimate.low, "high": estimate.high}


# -- for a terminal -------------------------------------------------------------------------------


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
    mover = printable(report["mover"])
    begins = f"From turn {report['from']}, {mover} to move"
    if report["decision"]:
        begins = f"From the {report['decision']} decision in turn {report['from']} of {mover}"
    text = Text.assemble(
        (begins, "bold"), f": played on with {dealt} redealt, seed {report['seed']}."
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
    value, *bounds = (number(bound * factor, signed=signed) for bound in found)
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
