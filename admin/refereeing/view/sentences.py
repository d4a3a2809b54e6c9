"""Events in words: one sentence for each event that the pages show."""

from collections.abc import Sequence
from typing import assert_never

from ....game.placement import Kind
from ....game.rulebook import Rulebook
from ....game.tiles import tile_name, tiles_in
from ....game.turn import Ending
from ..log.reader import RecordedGame
from ..log.verifier import Verification
from ..play import events
from ..play.events import Event
from ..play.outcome import Standing
from .plain_text import dollars, listed, plural, shortened


def missing(record: RecordedGame, verdict: Verification) -> str:
    """Return what is missing from a game shown from its log; ``""`` if nothing is."""
    if verdict.divergence is not None:
        why = shortened(verdict.divergence)
        return f"The log diverges from the rules, and is shown up to there: {why}"
    if verdict.ending is Ending.INTERRUPTED:
        return "The game was interrupted: it has no scores."
    if not record.complete:
        return "The log was cut short: what follows is missing."
    return ""


def result_sentence(standings: Sequence[Standing]) -> str:
    """Return who has won, or who ties for the first place."""
    winners = [place for place in standings if place.won]
    if not winners:
        return "No player finished."
    score = dollars(winners[0].score)
    names = listed(place.name for place in winners)
    if len(winners) == 1:
        return f"{names} wins with {score}."
    return f"{names} tie for first place with {score} each."


class Sentences:
    """Writes events as sentences, with the hotels' names of one rulebook."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._name = rulebook.hotel_name

    def _certificates(self, count: int, hotel: int) -> str:
        return plural(count, f"{self._name(hotel)} certificate")

    def sentence(self, event: Event, *, public: bool = False) -> str:
        """Return the sentence, ``""`` for none; a ``public`` one is for who may not see hands."""
        match event:
            case events.StartTile(name, tile):
                return f"{name} draws {tile_name(tile)} to decide who starts."
            case events.LaidOut():
                return "A position is laid out."
            case events.TurnBegan(number, name):
                return f"Turn {number}: {name}"
            case events.Placed():
                return self._placed(event)
            case events.HandKept(name):
                return f"{name} keeps a hand without a playable tile."
            case events.NothingPlaced(name):
                return f"{name} has no playable tile."
            case events.FoundersShare(name, hotel, 1):
                return f"{name} gets a free {self._name(hotel)} certificate for founding it."
            case events.FoundersShare(name, hotel, shares):
                free = plural(shares, f"free {self._name(hotel)} certificate")
                return f"{name} gets {free} for founding it."
            case events.Acquired(survivor, hotel, size, price):
                return (
                    f"{self._name(survivor)} acquires {self._name(hotel)} ({size} tiles, "
                    f"{dollars(price)} per certificate)."
                )
            case events.BonusPaid(name, hotel, amount):
                return f"{name} gets a bonus of {dollars(amount)} in {self._name(hotel)}."
            case events.Returned(name, hotel, shares, amount):
                return f"{name} returns {self._certificates(shares, hotel)} for {dollars(amount)}."
            case events.Sold(name, hotel, shares, amount):
                return f"{name} sells {self._certificates(shares, hotel)} for {dollars(amount)}."
            case events.Traded(name, hotel, shares, survivor, gained):
                given, got = self._certificates(shares, hotel), self._certificates(gained, survivor)
                return f"{name} trades {given} for {got}."
            case events.MarketDrew(hotel, tile, shares):
                drawn = "nothing" if tile is None else tile_name(tile)
                return f"The market draws {drawn}: it holds {self._certificates(shares, hotel)}."
            case events.MarketPlaced():
                return self._placed_for_market(event)
            case events.Bought(name, hotel, shares, amount):
                return f"{name} buys {self._certificates(shares, hotel)} for {dollars(amount)}."
            case events.Declared(name):
                return f"{name} declares the end of the game."
            case events.Drew(name, tile):
                return f"{name} draws {'a tile' if public else tile_name(tile)}."
            case events.SetAside(name, tiles):
                return f"{name} sets aside {' '.join(map(tile_name, tiles_in(tiles)))}."
            case events.Ejected(name):
                told = f"{name} is ejected ({event.rule.value})."
                return told if public else f"{told} {event.with_hint}"
            case events.TurnUndone(name):
                return f"The turn of {name} is undone."
            case events.Ended(ending):
                return f"The game is over. {ending.sentence}"
            case events.Ranked(rank, name, score, finished):
                return f"{rank}. {name}, {dollars(score) if finished else 'ejected'}."
            case events.Answered() | events.OutOfStep():
                return ""
        assert_never(event)

    def _placed(self, event: events.Placed) -> str:
        played = f"{event.name} plays {tile_name(event.tile)}"
        hotel = "" if event.hotel is None else self._name(event.hotel)
        match event.kind:
            case Kind.SINGLETON:
                return f"{played}."
            case Kind.GROWING:
                return f"{played}: {hotel} grows."
            case Kind.FOUNDING:
                return f"{played} and founds {hotel}." if hotel else f"{played}."
            case Kind.MERGING:
                return f"{played}: hotels merge into {hotel}."
        assert_never(event.kind)

    def _placed_for_market(self, event: events.MarketPlaced) -> str:
        tile = f"The market's tile {tile_name(event.tile)}"
        if event.kind is None:
            return f"{tile} is set aside."
        if event.hotel is None:
            return f"{tile} is placed."
        hotel, merges = self._name(event.hotel), event.kind is Kind.MERGING
        return f"{tile} is placed: {f'hotels merge into {hotel}' if merges else f'{hotel} grows'}."
