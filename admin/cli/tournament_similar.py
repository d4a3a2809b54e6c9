"""Names programs that are alike, for ``acquire tournament similar``."""

import os
from functools import partial

import click

from ..launching.launch import Launcher
from ..launching.program import Program
from ..refereeing.table.run import run_until_stopped
from ..refereeing.view.plain_text import plural, printable
from ..tournament.comparing import similar_programs as alike
from ..tournament.planning.plan import Entrant
from ..tournament.planning.plan_file import read_plan
from ..tournament.qualifying.trying import launch_each
from ..tournament.store.store import Store
from .console import echo_json, exit_after
from .tournament import SimilarOptions
from .tournament_files import errors_refused


def similar(options: SimilarOptions) -> None:
    """Compare the programs of a tournament, and print the pairs that are alike."""
    answers: dict[str, alike.Answers] = {}
    failures: dict[str, str] = {}

    async def play(player: Entrant, program: Program, launcher: Launcher) -> None:
        answers[player.name] = await alike.answers_of(plan, program, launcher, games)

    def failed(player: Entrant, why: str, _output: bytes) -> None:
        failures[player.name] = why

    with errors_refused():
        plan, games = read_plan(options.file), list[alike.Asked]()
        players = [player for player in plan.players if player.command is not None]
        if options.games and options.path.exists():
            with Store.open_to_read(options.path) as store:
                games = alike.games_to_ask(store, options.games)
        positions = plural(sum(len(turns) for _, _, turns in games), "position")
        click.echo(f"{plural(len(players), 'program')}, asked in {positions}.", err=True)
        at_once = options.workers or os.cpu_count() or 1
        ask = partial(launch_each, plan, options.path, players, at_once, play, failed)
        if games and (stopped_by := run_until_stopped(ask)) is not None:
            exit_after(stopped_by)
    sources, starters = alike.sources_of(plan.folder, players), alike.fingerprints(alike.STARTERS)
    found = alike.likenesses(sources, starters, answers, alike.known_answers(games))
    if options.as_json:
        pairs = [{**each._asdict(), "alike": each.alike} for each in found]
        echo_json({"pairs": pairs, "not_asked": failures})
        return
    for each in (named := [each for each in found if each.alike]):
        line = f"{' and '.join(each.players)}: {each.part:.0%} of the smaller source in common"
        if each.positions:
            line += f"; the same answer in {each.agreed} of {each.positions} positions"
            line += f", {each.expected:.0f} expected, by chance {each.chance:.0e}"
        click.echo(printable(line))
    verdict = "Each is a reason for a conversation, never a verdict."
    click.echo(verdict if named else "None are alike.")
