"""Plays a match for ``acquire arena``, shows it in a browser, and says why each player lost."""

import shlex
import time
import webbrowser
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from threading import Thread

from ...game.turn import Ending
from ...protocol.files import replace_file
from ..advising.explaining.explanation import Explanation, findings
from ..advising.explaining.money import money_story
from ..launching.sandbox import Chosen, Sandbox
from ..pages.html.replay_page import page_and_verdict
from ..pages.web.serving import Pages, run_with_feed, served
from ..refereeing.log.reader import UnreadableLog, read
from ..refereeing.play.dealer import new_seed
from ..refereeing.table.run import run_until_stopped
from ..refereeing.view.plain_text import listed, plural, shortened
from ..tournament.arena.arena import Arena
from ..tournament.dueling import duel_plan
from ..tournament.dueling.contestants import parse_contestants, port_notes
from ..tournament.games.result import GameResult, SeatResult
from ..tournament.planning.plan_file import read_plan
from ..tournament.planning.schedule import Game
from ..tournament.reporting.game_story import decisive_sentence, output_text, replay
from ..tournament.run import run_events
from ..tournament.run.tournament_run import TournamentRun
from ..tournament.store.store import Store
from ..tournament.store.store_reader import advised
from .arena import ArenaOptions
from .console import exit_after, refuse, unwritable_refused
from .options import LOCALHOST
from .safe_console import SafeConsole

MATCHES = Path("arena")  # where the folders of matches are, unless another is given
LOAD_TIME = 3.0  # seconds for a browser to load the board, even if the match is over sooner
MAX_OUTPUT_LINES = 12


def run(options: ArenaOptions) -> None:
    """Play a match, show how it ended, and exit with the code for it."""
    here, console = Path.cwd(), SafeConsole()
    contestants = parse_contestants(options.contest.all, here)
    seated = duel_plan.match_lineup(contestants, options.rulebook.value, options.seats)
    folder = options.log_dir or duel_plan.new_folder(
        MATCHES, [one.label for one in contestants[:2]]
    )
    plan_file = folder / "match.toml"
    if plan_file.exists():
        refuse(f"{folder} has a match already. Give another --log-dir.")
    clocks, limits = options.programs.sections
    seed = new_seed() if options.seed is None else options.seed
    settings = duel_plan.DuelSettings(options.rulebook.given, 1, clocks, limits, seed)
    with unwritable_refused(plan_file, "Give another --log-dir."):
        folder.mkdir(parents=True, exist_ok=True)
        written = duel_plan.match_file(seated, settings, folder, here)
        replace_file(plan_file, duel_plan.toml_text(written).encode())
    for note in port_notes(contestants):
        console.say(note, style="yellow")
    console.say(f"{listed(name for team in seated.teams for name in team)}, seed {seed}.")
    with served(LOCALHOST, 0) as pages:
        watch = _Watch(console, pages, folder / "match.xml", opens=not options.no_browser)
        result, stopped_by = _play(console, plan_file, watch, seated)
        watch.wait_for_browser()
    clean = result is not None and all(seat.finished for seat in result.seats)
    exit_after(stopped_by if result is None else None, 0 if clean else 1)


def _play(
    console: SafeConsole, plan_file: Path, watch: "_Watch", seated: duel_plan.Lineup
) -> tuple[GameResult | None, int | None]:
    """Play the match and show how it ended; return that, and the signal that stopped it."""
    path = plan_file.with_suffix(".sqlite")
    with advised("Give another --log-dir."), Store.open_to_write(path) as store:
        one = _OneGame(read_plan(plan_file), store, watch)
        arena = Arena(one, 1)
        stopped_by = run_until_stopped(partial(run_with_feed, arena.run, watch.feed))
        results = one.results()
        outputs = store.outputs(results[0].game) if results else {}
    for result in results:
        _show(console, watch.log, result, outputs)
        for who, names in zip(seated.contestants, seated.teams, strict=True):
            fallen = [seat.player for seat in result.seats if seat.turn and seat.player in names]
            for name in fallen if who.as_command else ():
                again = f"To repeat the ejection of {name}: {who.rerun(watch.log, name)}"
                console.say(again, copied=True)
    if not results:
        console.say("The match was stopped." if stopped_by else "The match was not played.")
    _show_files(console, watch.log)
    return (results[0] if results else None), stopped_by


class _OneGame(TournamentRun):
    """A run that plays the first game of its plan only."""

    def stages(self) -> Iterator[list[Game]]:
        """Yield that game."""
        yield next(super().stages())[:1]


class _Watch:
    """Sees the match: writes its log, feeds the board, opens it in a browser, prints troubles."""

    def __init__(self, console: SafeConsole, pages: Pages, log: Path, *, opens: bool) -> None:
        self.log, self.feed = log, pages.feed
        self._console, self._address, self._opens = console, pages.address, opens
        self._attempt, self._opened = 0, 0.0
        self.feed.show(title="Arena")

    def __call__(self, event: run_events.RunEvent) -> None:
        feed, name = self.feed, str(self._attempt)
        match event:
            case run_events.GameStarted(game):
                # a log and a board for each attempt; all hands are open on it
                self._attempt += 1
                replace_file(self.log, b"")
                name, players = str(self._attempt), list(game.players)
                feed.send("begun", match=name, title="Match", players=players, sealed=False)
            case run_events.GameLogged(_, data):
                with self.log.open("ab") as file:
                    file.write(data)
                feed.log(name, data)
                self._open()
            case run_events.GameFinished(result):
                feed.send("over", match=name, ending=Ending(result.ending).sentence)
            case run_events.GameVoided(void, again):
                feed.send("over", match=name, ending=f"Void. {void.why}", cut=True)
                out = " It is played again." if again else ""
                self._console.say(f"The match could not be judged: {void.why}{out}")
            case Chosen(Sandbox.NONE, why):
                self._console.say(f"No sandbox. {Sandbox.NONE.sentence} {why}".rstrip())
            case run_events.Trouble(sentence):
                self._console.say(sentence)

    def _open(self) -> None:
        """Show the board once there is something on it; where no browser is, it has an address."""
        if self._opened:
            return
        self._opened = time.monotonic()
        address = f"{self._address}match/{self._attempt}"
        self._console.say(f"Board: {address}")
        if self._opens:  # some browsers run in the terminal, until they are left
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    def wait_for_browser(self) -> None:
        """Give a browser the time to load the board."""
        if self._opened and self._opens:
            time.sleep(max(0.0, self._opened + LOAD_TIME - time.monotonic()))


# -- how it ended -------------------------------------------------------------------------------


def _show(
    console: SafeConsole, log: Path, result: GameResult, outputs: Mapping[str, bytes]
) -> None:
    seats = sorted(result.seats, key=lambda seat: (seat.rank, -seat.money))
    ending = f"{Ending(result.ending).sentence} {plural(result.turns, 'turn')} were played."
    lines = [
        f"{seat.rank}. {seat.player}  {f'${seat.money:,}' if seat.finished else 'ejected'}"
        for seat in seats
    ]
    console.say("", ending, "", *lines, "")
    record = read(log)
    explained = {each.name: each for each in findings(record).explanations if each.turn}
    for seat in seats:
        if not seat.finished:
            console.say(*_fall(seat, explained.get(seat.player), log))
            output = output_text(outputs.get(seat.player, b"")).splitlines()[-MAX_OUTPUT_LINES:]
            if output:
                console.say(*(f"    {shortened(line)}" for line in output))
        elif seat.rank > 1:
            console.say(
                " ".join(money_story(record, seat.player).sentences()),
                f"What decided it, in chances to win: {_explain(log, seat.player)}",
            )
    replayed = replay(log.stem, log.read_bytes())
    if replayed is not None and (decisive := replayed.story.decisive) is not None:
        sentences = " ".join((*replayed.story.told, decisive_sentence(replayed.story)))
        console.say(f"Turn {decisive.turn} decided it. {sentences}")


def _fall(seat: SeatResult, explained: Explanation | None, log: Path) -> tuple[str, ...]:
    """Say why a player was ejected, as `acquire explain` does, and how to get all."""
    if explained is None:
        return (f"{seat.player} lost: it was ejected. {seat.explanation}",)
    rule = explained.rule if explained.violation is not None else ""
    said = dict.fromkeys((explained.hint, explained.detail, rule, seat.cause))
    why = " ".join(filter(None, said))
    told = f"{seat.player} lost: it was ejected in turn {explained.turn}. {why}"
    return told, f"All about it: {_explain(log, seat.player)}"


def _explain(log: Path, player: str) -> str:
    return f"acquire explain {shlex.quote(str(log))} --seat {shlex.quote(player)}"


def _show_files(console: SafeConsole, log: Path) -> None:
    if not log.exists() or not log.stat().st_size:
        return
    console.say("", f"Log: {shlex.quote(str(log))}")
    try:
        text, _ = page_and_verdict(read(log), None)
    except UnreadableLog as error:
        console.say(f"There is no page of it: {error}")
        return
    page = log.with_suffix(".html")
    with unwritable_refused(page, code=1):
        replace_file(page, text.encode())
    console.say(f"Page: {shlex.quote(str(page))}")
