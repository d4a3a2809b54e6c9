"""Names programs that are alike, for ``acquire tournament similar``."""

import os
from functools import partial

from rich.text import Text

from ..launching.launch import Launcher
from ..launching.program import Program
from ..refereeing.table.run import run_until_stopped
from ..refereeing.view.plain_text import plural, printable
from ..tournament.comparing import similar_programs
from ..tournament.planning.plan import Entrant
from ..tournament.planning.plan_file import read_plan
from ..tournament.qualifying.trying import launch_each
from ..tournament.store.store import Store
from .console import echo_json, exit_after
from .safe_console import SafeConsole
from .tournament import SimilarOptions
from .tournament_files import errors_refused


def similar(options: SimilarOptions) -> None:
    """Compare the programs of a tournament, and print the pairs that are alike."""
    console = SafeConsole(stderr=options.as_json)
    answers: dict[str, similar_programs.Answers] = {}
    failures: dict[str, str] = {}

    async def play(player: Entrant, program: Program, launcher: Launcher) -> None:
        answers[player.name] = await similar_programs.answers_of(plan, program, launcher, games)

    def failed(player: Entrant, why: str, _output: bytes) -> None:
        failures[player.name] = why

    with errors_refused():
        plan = read_plan(options.file)
        players = [player for player in plan.players if player.command is not None]
        sources = similar_programs.sources_of(plan.folder, players)
        games: list[similar_programs.Asked] = []
        if options.games and options.path.exists():
            with Store.open_to_read(options.path) as store:
                games = similar_programs.games_to_ask(store, options.games)
        positions = sum(len(turns) for _, _, turns in games)
        what = f"{plural(len(players), 'program')}, asked in {plural(positions, 'position')}."
        console.print(what, highlight=False)
        at_once = options.workers or os.cpu_count() or 1
        asked = partial(launch_each, plan, options.path, players, at_once, play, failed)
        if games and (stopped_by := run_until_stopped(asked)) is not None:
            exit_after(stopped_by)
    found = similar_programs.likenesses(sources, answers, similar_programs.known_answers(games))
    if options.as_json:
        pairs = [{**each._asdict(), "alike": each.alike} for each in found]
        echo_json({"pairs": pairs, "not_asked": failures})
        return
    for each in (alike := [each for each in found if each.alike]):
        line = Text(" and ".join(map(printable, each.players)), "bold")
        line.append(f": {each.part:.0%} of the smaller source in common", "not bold")
        if each.positions:
            same = f"; the same answer in {each.agreed} of {each.positions} positions"
            chance = f", {each.expected:.0f} expected, by chance {each.chance:.0e}"
            line.append(same + chance, "not bold")
        console.print(line)
    console.print(
        "Each is a reason for a conversation, never a verdict." if alike else "None are alike."
    )
