"""The page of one game: the viewer, opened where it matters, and why players were ejected.

All pages of games share the viewer's files, so that a thousand games stay small. Each is made while
the game's log is verified, so that no log is read twice. That may be in another process: the
arguments of what makes it are plain values, and so is a made page.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from markupsafe import Markup

from ...pages.html.board_svg import board_svg
from ...pages.html.html_page import asset, template
from ...pages.html.replay_page import page_beside_others, shared_files
from ...refereeing.view.decisive_turn import DEFINITION
from ...refereeing.view.palette import PAGE_COLORS
from ..games.program_output import by_turn
from ..games.result import GameResult
from ..planning.facts import TournamentFacts
from .game_story import GameStory, ReplayedGame, commands_for, decisive_sentence, output_text
from .published import game_path, player_paths

PACKAGE = "acquire.admin.tournament.reporting"
OnPage: TypeAlias = Callable[[str, bytes], object]  # is given the path of a page and its bytes
MadePage: TypeAlias = tuple[GameStory, bytes]  # what other pages need of a game, and its page
MakePage: TypeAlias = Callable[[ReplayedGame], MadePage]  # makes the page of a replayed game


def viewer_files() -> dict[str, bytes]:
    """Return the files that all pages of games share, by name."""
    files = shared_files()
    return {**files, "viewer.css": files["viewer.css"] + asset(PACKAGE, "game.css").encode()}


def _made(
    tournament: str,
    result: GameResult,
    paths: Mapping[str, str],
    outputs: Mapping[str, bytes],
    draws: bool,
    replayed: ReplayedGame,
) -> MadePage:
    """Make the page of a game; ``draws`` is whether to draw the last position, too.

    ``paths`` are where the pages of the players are, ``outputs`` what their programs printed.
    """
    story = replayed.story
    falls = [
        (seat, fall, output_text(outputs.get(seat.player, b"")), commands_for(result.game, seat))
        for seat in result.seats
        if not seat.finished and (fall := story.falls.get(seat.player)) is not None
    ]
    fields = {
        "tournament": tournament,
        "game": result.game,
        "players": [(name, paths[name].rpartition("/")[2]) for name in result.players],
        "falls": sorted(falls, key=lambda each: each[1].step),
        "turn": None if story.decisive is None else story.decisive.turn,
        "sentence": decisive_sentence(story),
        "definition": DEFINITION,
    }
    parts = (
        Markup(template(PACKAGE, f"{name}.jinja").render(fields))
        for name in ("game_top", "game_key_turns", "game_end")
    )
    printed = {}
    for place, name in enumerate(replayed.header.names):
        if outputs.get(name):
            kept = by_turn(outputs[name])
            turns = [(turn, output_text(text)) for turn, text in kept.turns]
            printed[place] = {"cut": kept.cut, "turns": turns}
    header, frames, notice = replayed.header, replayed.frames, replayed.notice
    page = page_beside_others(header, frames, notice, story.open, printed, *parts)
    if draws:
        story = replace(story, board=_last_board(replayed))
    return story, page.encode(errors="replace")


def _last_board(replayed: ReplayedGame) -> str:
    """Draw the last position of a game, in the colors of the page, light or dark."""
    drawn = board_svg(replayed.last)
    for name in ("paper", "line", "loose", "ink", "soft"):
        drawn = drawn.replace(PAGE_COLORS[name].light, f"var(--{name})")
    return drawn.replace(f'fill="{PAGE_COLORS["cell"].light}" stroke', 'fill="var(--cell)" stroke')


class GamePages:
    """The pages of the games that count; what other pages need of these games is kept."""

    def __init__(self, facts: TournamentFacts, on_page: OnPage) -> None:
        self._title = facts.name
        self._players = player_paths(facts.names)
        self._on_page = on_page
        self._most = 0
        self.stories: dict[str, GameStory] = {}
        """What was told of each game; a page itself is far too large to be kept."""

    def maker(self, result: GameResult, outputs: Mapping[str, bytes]) -> MakePage:
        """Return what makes a game's page; ``outputs`` are what programs printed."""
        paths = {name: self._players[name] for name in result.players}
        money = max(seat.money for seat in result.seats)
        draws, self._most = money >= self._most, max(money, self._most)  # for the index
        return partial(_made, self._title, result, paths, outputs, draws)

    def take(self, game: str, made: MadePage) -> None:
        """Take the page of a game."""
        self.stories[game], page = made
        self._on_page(game_path(game), page)
