"""What happened in a match, in words: one sentence for each event that a viewer shows."""

from admin.log.reader import RecordedMatch
from admin.log.verifier import Verification
from admin.match import events
from admin.match.events import Event
from game.placement import Kind
from game.rulebook import Rulebook
from game.tiles import tile_name, tiles_in
from game.turn import Ending


def dollars(amount: int) -> str:
    """Write an amount of money."""
    return f"${amount:,}"


def certificates(count: int, of: str) -> str:
    """Write so many certificates of a hotel."""
    return f"{count} {of}"


LONGEST = 1000
"""Characters of what is said of a log: a record that is shown can be as long as the file."""


def shortened(text: str) -> str:
    """Return a text as it is, or its beginning where it is too long to be read."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def missing(record: RecordedMatch, verdict: Verification) -> str:
    """Say what is missing of a match that is shown from its log; ``""`` if nothing is."""
    if verdict.divergence is not None:
        why = shortened(verdict.divergence)
        return f"The log diverges from the rules, and is shown up to there: {why}"
    if verdict.ending is Ending.INTERRUPTED:
        return "The match was interrupted: it has no scores."
    if not record.complete:
        return "The log was cut short: what follows is missing."
    return ""


class Teller:
    """Says what happened, with the hotels' names of one rulebook."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._name = rulebook.hotel_name

    def sentence(self, event: Event) -> str:
        """Say it with all that the table knows, hidden tiles included; ``""`` for an answer."""
        match event:
            case events.StartTile(name, tile):
                return f"{name} draws {tile_name(tile)} for the start."
            case events.LaidOut():
                return "A position is laid out."
            case events.TurnBegan(number, name, _):
                return f"Turn {number}: {name} is to move."
            case events.Placed():
                return self._placed(event)
            case events.NothingPlaced(name):
                return f"{name} can place no tile."
            case events.FoundersShare(name, hotel):
                return f"{name} receives a certificate of {self._name(hotel)} for founding it."
            case events.Ended(ending):
                return f"The game is over. {ending.sentence}"
            case events.Ranked(rank, name, score, finished):
                return f"{rank}. {name}, {dollars(score) if finished else 'ejected'}."
            case _:
                return self._of_merger(event) or self._of_tiles(event)

    def _placed(self, event: events.Placed) -> str:
        tile, placed = tile_name(event.tile), f"{event.name} places {tile_name(event.tile)}"
        if event.hotel is None:
            return f"{placed}."
        hotel = self._name(event.hotel)
        match event.kind:
            case Kind.FOUNDING:
                return f"{placed} and founds {hotel}."
            case Kind.MERGING:
                return f"{event.name} merges hotels by {tile}: {hotel} survives."
            case _:
                return f"{placed}: {hotel} grows."

    def _of_merger(self, event: Event) -> str:
        match event:
            case events.Acquired(survivor, hotel, size, price):
                return (
                    f"{self._name(survivor)} acquires {self._name(hotel)}, of {size} tiles at "
                    f"{dollars(price)}."
                )
            case events.BonusPaid(name, hotel, amount):
                return f"{name} is paid a bonus of {dollars(amount)} for {self._name(hotel)}."
            case events.Returned(name, hotel, shares, amount):
                return f"{name} returns {shares} of {self._name(hotel)} for {dollars(amount)}."
            case events.Sold(name, hotel, shares, amount):
                return f"{name} sells {shares} of {self._name(hotel)} for {dollars(amount)}."
            case events.Traded(name, hotel, shares, survivor, gained):
                return (
                    f"{name} trades {shares} of {self._name(hotel)} for {gained} of "
                    f"{self._name(survivor)}."
                )
            case events.MarketDrew(hotel, tile, shares):
                drew = "nothing" if tile is None else tile_name(tile)
                return f"The market draws {drew}: it holds {shares} of {self._name(hotel)}."
            case events.MarketPlaced(tile, None, _):
                return f"The market's tile {tile_name(tile)} is set aside."
            case events.MarketPlaced(tile, Kind.MERGING, int(survivor)):
                return (
                    f"The market's tile {tile_name(tile)} merges hotels: "
                    f"{self._name(survivor)} survives."
                )
            case events.MarketPlaced(tile, _, hotel):
                where = "" if hotel is None else f": {self._name(hotel)} grows"
                return f"The market's tile {tile_name(tile)} is placed{where}."
        return ""

    def _of_tiles(self, event: Event) -> str:
        match event:
            case events.Bought(name, hotel, shares, amount):
                return f"{name} buys {shares} of {self._name(hotel)} for {dollars(amount)}."
            case events.Declared(name):
                return f"{name} declares the end of the game."
            case events.Drew(name, tile):
                return f"{name} draws {tile_name(tile)}."
            case events.SetAside(name, tiles):
                return f"{name} sets aside {' '.join(map(tile_name, tiles_in(tiles)))}."
            case events.Ejected(name, reason, violation, _, detail):
                code = reason.value if violation is None else violation.value
                return f"{name} is ejected ({code}). {detail}"
            case events.TurnUndone(name):
                return f"What {name} did in this turn is undone."
        return ""

    def in_public(self, event: Event) -> str:
        """Say it to those who may not see hands: without the tiles that are in one."""
        match event:
            case events.Drew(name):
                return f"{name} draws a tile."
            case events.Ejected(name, reason, violation):
                code = reason.value if violation is None else violation.value
                return f"{name} is ejected ({code})."
            case _:
                return self.sentence(event)
