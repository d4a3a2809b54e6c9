"""What happened between two positions, in words, as far as a player can tell."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....game.merger import bonuses_for
from ....game.tiles import tile_name, tiles_in
from ....protocol.known import Known
from ....protocol.player_view import SeatView
from ...refereeing.view.plain_text import plural
from ...refereeing.view.sentences import dollars


class Told(NamedTuple):
    """Something that happened: its kind as in :mod:`acquire.admin.refereeing.view.frames`, the
    text, who did it.

    ``amount`` is that of a bonus, in dollars.
    """

    kind: str
    text: str
    player: str | None = None
    tile: int | None = None
    amount: int = 0


class Settled(NamedTuple):
    """What of a turn's merger has been told before the turn is over."""

    placed: bool = False
    bonuses: bool = False


def tell(before: Known, after: Known, settled: Settled, *, market: bool) -> Iterator[Told]:
    """Tell what the player to move in ``before`` did, and what it meant for the others.

    ``settled`` has been told; ``market`` is whether the stock market takes part.
    """
    remaining = {seat.name for seat in after.seats}
    for seat in before.seats:
        if seat.name not in remaining:
            yield Told("ejected", f"{seat.name} is ejected.", seat.name)
    mover = before.state.mover.name
    if mover not in remaining:
        return
    gone = acquired(before, after)
    if not settled.placed:
        yield placed(before, after, mover)
    if not settled.bonuses:
        yield from bonuses(before, gone, market=market)
    was_seats = {seat.name: seat for seat in before.seats}
    for seat in after.seats:
        was = was_seats[seat.name]
        if gone:
            yield from _settled(after, was, seat)
        elif seat.name == mover:
            yield from _bought(before, after, was, seat)


def acquired(before: Known, after: Known) -> list[int]:
    """List the hotels that have left the board."""
    sizes = after.state.board.sizes
    return [
        hotel for hotel, size in enumerate(before.state.board.sizes) if size and not sizes[hotel]
    ]


def bonuses(before: Known, hotels: Sequence[int], *, market: bool) -> Iterator[Told]:
    """Tell who gets which bonus for acquired hotels, where all that decides it is known."""
    state = before.state
    if market or any(seat.shares is None for seat in before.seats):
        return
    for hotel in hotels:
        name, price = state.rulebook.hotel_name(hotel), state.price(hotel)
        for bonus in bonuses_for(state.rulebook, hotel, price, state.players):
            text = f"{bonus.name} gets a bonus of {dollars(bonus.amount)} in {name}."
            yield Told("bonus", text, bonus.name, amount=bonus.amount)


def placed(before: Known, after: Known, mover: str) -> Told:
    """Tell which tile was placed, and what it did."""
    old, new = before.state.board, after.state.board
    name = after.state.rulebook.hotel_name
    tiles = [*tiles_in(new.occupied & ~old.occupied)]
    if not tiles:
        return Told("nothing", f"{mover} places no tile.", mover)
    founded = [h for h, size in enumerate(new.sizes) if size and not old.sizes[h]]
    gone = [h for h, size in enumerate(old.sizes) if size and not new.sizes[h]]
    grown = [h for h, size in enumerate(new.sizes) if size > old.sizes[h] > 0]
    text = f"{mover} plays {' and '.join(map(tile_name, tiles))}"
    if gone:
        into = " and ".join(map(name, grown))
        lost = " and ".join(map(name, gone))
        verb = "merges" if len(gone) == 1 else "merge"
        return Told("merged", f"{text}: {lost} {verb} into {into}.", mover, tiles[0])
    if founded:
        return Told("founded", f"{text} and founds {name(founded[0])}.", mover, tiles[0])
    if grown:
        return Told(
            "grown", f"{text}: {name(grown[0])} grows to {new.sizes[grown[0]]}.", mover, tiles[0]
        )
    return Told("placed", f"{text}.", mover, tiles[0])


def _bought(before: Known, after: Known, was: SeatView, seat: SeatView) -> Iterator[Told]:
    """Tell what the mover bought: the bank shows it even where certificates are hidden."""
    old, new = before.state.board.sizes, after.state.board.sizes
    bought = []
    for hotel, left in enumerate(before.state.bank):
        count = left - after.state.bank[hotel] - (1 if new[hotel] and not old[hotel] else 0)
        if count > 0:
            bought.append(f"{count} {after.state.rulebook.hotel_name(hotel)}")
    if bought:
        cost = ""
        if was.cash is not None and seat.cash is not None:
            cost = f" for {dollars(was.cash - seat.cash)}"
        yield Told("bought", f"{seat.name} buys {listed(bought)}{cost}.", seat.name)


def _settled(after: Known, was: SeatView, seat: SeatView) -> Iterator[Told]:
    """Tell how a merger's turn has changed what a player has."""
    changes = []
    if was.shares is not None and seat.shares is not None:
        for hotel, (had, has) in enumerate(zip(was.shares, seat.shares, strict=True)):
            if had != has:
                changes.append(f"{after.state.rulebook.hotel_name(hotel)} {had} → {has}")
    if was.cash is not None and seat.cash is not None and was.cash != seat.cash:
        changes.append(f"cash {dollars(was.cash)} → {dollars(seat.cash)}")
    if changes:
        yield Told("settled", f"{seat.name}: {', '.join(changes)}.", seat.name)


def listed(items: Sequence[str]) -> str:
    """Join items as a sentence does."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if items[1:] else items)


def certificates(count: int, hotel: str) -> str:
    """Write a number of certificates."""
    return plural(count, f"{hotel} certificate")
