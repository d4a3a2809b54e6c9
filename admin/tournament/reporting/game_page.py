"""The page of one game: the viewer, opened where it matters, and why players were ejected.

All pages of games share the viewer's files, so that a thousand games stay small.
"""

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from ...pages.html.html_page import asset, template
from ...pages.html.replay_page import Printed, Surroundings, page_beside_others, shared_files
from ...refereeing.view.decisive_turn import DEFINITION
from ..games.program_output import KeptOutput, by_turn
from ..games.result import GameResult
from .game_story import Fall, ReplayedGame, decisive_sentence
from .losses import commands_for, output_text

PACKAGE = "acquire.admin.tournament.reporting"


class _LostGame(NamedTuple):
    name: str
    fall: Fall
    verdict: str
    sentence: str
    output: str
    commands: tuple[str, ...]


def viewer_files() -> dict[str, bytes]:
    """Return the files that all pages of games share, by name."""
    files = shared_files()
    return {**files, "viewer.css": files["viewer.css"] + asset(PACKAGE, "game.css").encode()}


def game_page(
    tournament: str,
    result: GameResult,
    replayed: ReplayedGame,
    outputs: Mapping[str, bytes],
    pages: Mapping[str, str],
) -> str:
    """Return the page of a game as HTML; ``pages`` are where those of the players are."""
    story = replayed.story
    falls = [
        _LostGame(
            *(seat.player, fall, seat.verdict.value, seat.explanation),
            output_text(outputs.get(seat.player, b"")),
            commands_for(result.game, seat),
        )
        for seat in result.seats
        if not seat.finished and (fall := story.fall_of(seat.player)) is not None
    ]
    turn = None if story.decisive is None else story.decisive.turn
    fields = {
        "tournament": tournament,
        "game": result.game,
        "players": [(seat.player, _name(pages[seat.player])) for seat in result.seats],
        "falls": sorted(falls, key=lambda each: each.fall.step),
        "turn": turn,
        "sentence": decisive_sentence(story),
        "definition": DEFINITION,
    }
    top, key_turns, end = (
        Markup(template(PACKAGE, f"{name}.jinja").render(fields))
        for name in ("game_top", "game_key_turns", "game_end")
    )
    printed = {
        place: _printed(by_turn(outputs[seat.name]))
        for place, seat in enumerate(replayed.header.seats)
        if outputs.get(seat.name)
    }
    around = Surroundings("../", story.open, printed, top, key_turns, end)
    return page_beside_others(replayed.header, replayed.frames, around, replayed.notice)


def _printed(output: KeptOutput) -> Printed:
    return Printed(output.cut, [(turn, output_text(text)) for turn, text in output.turns])


def _name(path: str) -> str:
    return path.rpartition("/")[2]
