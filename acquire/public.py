"""The public names of :mod:`acquire`, which documents them. They are imported when one is used."""

from .admin.refereeing.play import events
from .admin.refereeing.play.outcome import Outcome, Standing
from .answers import Answer, Chooser, legal_answers
from .game.disposal import Disposal
from .game.merger import Bonus, Merger, after, bonuses_for, merge
from .game.notation import parse_position
from .game.placement import Kind, Placement, kind_of, legal_placements, place, playable
from .game.purchase import buy, legal_orders
from .game.rulebook import Hands, Rulebook
from .game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from .game.state import Player, State
from .game.tiles import parse_tile, tile_name, tiles_in
from .game.turn import Ending, worth
from .played_games import (
    GameEnd,
    GameRecord,
    GameRow,
    InvalidLogError,
    PlayerMaker,
    Players,
    Strategy,
    built_in,
    complete,
    play_game,
    play_games,
    play_on,
    play_remote,
    read_game,
    simulate,
)
from .protocol import messages
from .protocol.question import Question

__all__ = [
    "CLASSIC",
    "CORPORATIONS",
    "DIGEST",
    "REVISED",
    "RULEBOOKS",
    "WIKIPEDIA",
    "Answer",
    "Bonus",
    "Chooser",
    "Disposal",
    "Ending",
    "GameEnd",
    "GameRecord",
    "GameRow",
    "Hands",
    "InvalidLogError",
    "Kind",
    "Merger",
    "Outcome",
    "Placement",
    "Player",
    "PlayerMaker",
    "Players",
    "Question",
    "Rulebook",
    "Standing",
    "State",
    "Strategy",
    "after",
    "bonuses_for",
    "built_in",
    "buy",
    "complete",
    "events",
    "kind_of",
    "legal_answers",
    "legal_orders",
    "legal_placements",
    "merge",
    "messages",
    "parse_position",
    "parse_tile",
    "place",
    "play_game",
    "play_games",
    "play_on",
    "play_remote",
    "playable",
    "read_game",
    "simulate",
    "tile_name",
    "tiles_in",
    "worth",
]
