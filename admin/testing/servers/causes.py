"""What a difference may come from: what would have been sent if a rule were another.

Each suspicion predicts values; where they are those that were sent, it is a cause. There may be
several: over all matches of a check, the one that explains most is probably right. Where none
explains a difference, the last event that changed the value is named.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from ....game.merger import bonuses_for
from ....game.placement import Kind
from ....game.rulebook import Rounding, Rulebook, SoleHolder
from ....game.state import State
from ....game.tiles import tile_names
from ....protocol import messages
from ...refereeing.play import events
from ...refereeing.play.questions import Ask
from ...refereeing.view.plain_text import dollars, listed, plural
from ...refereeing.view.sentences import Sentences
from .differences import SentDifference
from .game_moment import GameMoment
from .sent_messages import parts

Deltas: TypeAlias = Counter[tuple[str, str, int | None]]
"""How much more is sent than expected, by field, player and hotel."""
Deal: TypeAlias = type[events.Bought | events.Returned | events.Sold]
Pay: TypeAlias = Callable[[State, int, int], Mapping[str, int]]
"""Returns the bonuses of a hotel by player, given the position and the hotel's price."""


class Suspicion(NamedTuple):
    """A possible cause: the case that fails, and a sentence or nothing.

    ``rule`` is what is suspected, the same in all matches. ``weight`` counts the values explained.
    """

    case: str
    rule: str
    sentence: str = ""
    weight: int = 1


class _Scene(NamedTuple):
    """Some differences in one message, and the moment at which they show."""

    found: Sequence[SentDifference]
    ask: Ask
    moment: GameMoment

    def of(self, *fields: str) -> list[SentDifference]:
        return [each for each in self.found if each.field in fields]

    def explained_by(self, deltas: Deltas, *, whole: bool = False) -> int:
        """Return how many differences these are, 0 if others are of the fields that they are about.

        As a ``whole`` they have to be all of those that follow.
        """
        due = {key: delta for key, delta in deltas.items() if delta}
        fields = {field for field, _, _ in due}
        found = {(e.field, e.who, e.hotel): e.delta for e in self.found if e.field in fields}
        if whole:
            return len(due) if found == due else 0
        right = all(due.get(key, 0) == delta for key, delta in found.items())
        return sum(key in due for key in found) if right else 0


def causes_of(found: Sequence[SentDifference], ask: Ask, moment: GameMoment) -> list[Suspicion]:
    """Return what may have caused some differences in one message, the most general first."""
    scene = _Scene(found, ask, moment)
    for suspect in (_set_up, _ejection):
        if first := next(suspect(scene), None):
            return [first]
    causes = [
        cause
        for suspect in (_stale, _bonuses, _deals, _certificates, _scores, _tiles)
        for cause in suspect(scene)
    ]
    field = found[0].field
    case, words = _FIXED.get(field, ("conversation/position", ""))
    return causes or [next(_last_change(scene), Suspicion(case, field, words))]


# -- the first position, and ejections ----------------------------------------------------------


def _set_up(scene: _Scene) -> Iterator[Suspicion]:
    if scene.moment.number:
        return
    book, wrong = scene.moment.rulebook, {each.field: each for each in scene.found}
    if cash := wrong.get("cash"):
        words = f"Everybody begins with {dollars(book.cash)}, not {cash.sent}."
        yield Suspicion("set-up/cash", "cash", words)
    if wrong.keys() & {"the order of the players is", "the players are"}:
        yield Suspicion("set-up/order", "order", f"The wrong player is first: {book.start.value}.")
    if "hand" in wrong:
        words = f"Everybody begins with {book.hand_size} different tiles."
        yield Suspicion("set-up/tiles", "tiles", words)
    if wrong.keys() & {"holds", "the unincorporated tiles are"}:
        yield Suspicion("set-up/board", "board", "The board at the beginning is wrong.")


def _ejection(scene: _Scene) -> Iterator[Suspicion]:
    pending = scene.moment.pending
    left = [each.name for each in pending if isinstance(each, events.Ejected)]
    if not left:
        return
    name, others = left[-1], scene.of("the players are")
    case = "ejection/goes-on"
    if others and name in str(others[0].sent).split(", "):
        cheat = scene.moment.cheats.get(name)
        case = f"ejection/{cheat}" if cheat else case
        yield Suspicion(case, "accepted", f"{name} was not ejected.")
    elif others:
        yield Suspicion(case, "missing", f"{name} was ejected, and somebody else is missing.")
    elif scene.of("bank"):
        words = f"The certificates of {name} are not back in the bank."
        yield Suspicion("ejection/goods", "goods", words)
    elif any(isinstance(each, events.TurnUndone) for each in pending):
        words = f"The turn of {name} was not undone as a whole."
        yield Suspicion("ejection/undone", "undone", words)


def _stale(scene: _Scene) -> Iterator[Suspicion]:
    """Yield that ``players`` shows the turn's beginning, as the course's administrator sent it."""
    began = next((each for each in scene.moment.turn if isinstance(each, events.TurnBegan)), None)
    if began is None or not isinstance(scene.ask.message, messages.Players | messages.PlayersView):
        return
    deltas = Deltas()
    then = {player.name: player for player in began.state.players}
    for seat in parts(scene.ask.message)[3]:
        before = then[seat.name]
        if seat.cash is not None:
            deltas["cash", seat.name, None] = before.cash - seat.cash
        for hotel, count in enumerate(seat.shares or ()):
            deltas["shares", seat.name, hotel] = before.shares[hotel] - count
    if not (count := scene.explained_by(deltas, whole=True)):
        return
    words = "<players> shows the players as they were before the merger."
    yield Suspicion("conversation/players", "before the merger", words, count)


# -- bonuses ------------------------------------------------------------------------------------


def _bonuses(scene: _Scene) -> Iterator[Suspicion]:
    """Yield the other ways to pay bonuses that give the money that was sent."""
    moment = scene.moment
    ended = [each for each in moment.turn if isinstance(each, events.Ended)]
    acquired = [each for each in moment.turn if isinstance(each, events.Acquired)]
    field = "score" if ended else "cash"
    if not scene.of(field) or not (ended or acquired):
        return
    state = ended[0].state if ended else acquired[0].state
    prices = {each.hotel: each.price for each in acquired}
    if ended:
        prices = {h: state.price(h) for h, size in enumerate(state.board.sizes) if size}

    def paid_so(pay: Pay) -> tuple[Deltas, str]:
        """Return how much more is paid so than is right, and of which hotels."""
        deltas, hotels = Deltas(), []
        for hotel, price in prices.items():
            due, other = _right(state, hotel, price), pay(state, hotel, price)
            if other != due:
                hotels.append(moment.rulebook.hotel_name(hotel))
            for name in [*due, *(each for each in other if each not in due)]:
                deltas[field, name, None] += other.get(name, 0) - due.get(name, 0)
        return deltas, listed(hotels)

    for case, rule, pay in _WAYS:
        deltas, hotels = paid_so(pay)
        if count := scene.explained_by(deltas):
            case = "end/bonuses" if ended and case == "mergers/bonuses" else case
            yield Suspicion(case, rule, f"The bonuses of {hotels}: {rule}.", count)
    for words, price in [] if ended else _prices(moment):
        alone, hotels = paid_so(_at(price))
        both = Deltas(alone)
        both.update(_dealt(moment, (events.Returned, events.Sold), 1, _worth(price)))
        if hotels and (count := scene.explained_by(both) or scene.explained_by(alone)):
            told = f"The price of {hotels} in the merger is wrong: it was {words}."
            yield Suspicion("mergers/price", words, told, count)


def _right(
    state: State, hotel: int, price: int, rulebook: Rulebook | None = None
) -> dict[str, int]:
    due = bonuses_for(rulebook or state.rulebook, hotel, price, state.players)
    return {each.name: each.amount for each in due}


def _at(price: Callable[[int], int]) -> Pay:
    return lambda state, hotel, _: _right(state, hotel, price(hotel))


def _under(**changes: Any) -> Pay:
    return lambda state, hotel, price: _right(
        state, hotel, price, replace(state.rulebook, **changes)
    )


def _to_mover(*, mine: bool) -> Pay:
    return lambda state, hotel, price: {
        name: paid
        for name, paid in _right(state, hotel, price).items()
        if (name == state.mover.name) is mine
    }


def _ranked(majority: int, after_tie: int, minority: int, *, split: bool = True) -> Pay:
    """Pay those with the most, and with the second most, so many times the price, shared."""

    def pay(state: State, hotel: int, price: int) -> dict[str, int]:
        held = {player.name: player.shares[hotel] for player in state.players}
        ranks = sorted({count for count in held.values() if count}, reverse=True)
        tied = bool(ranks) and [*held.values()].count(ranks[0]) > 1
        found: dict[str, int] = {}
        for rank, multiple in zip(ranks, (majority, after_tie if tied else minority), strict=False):
            names = [name for name, count in held.items() if count == rank]
            found |= dict.fromkeys(names, multiple * price // (len(names) if split else 1))
        return found

    return pay


def _first_of_ties(state: State, hotel: int, price: int) -> dict[str, int]:
    order = sorted(state.players, key=lambda player: -player.shares[hotel])
    holders = [player.name for player in order if player.shares[hotel]]
    return dict(zip(holders, (10 * price, 5 * price), strict=False))


_BONUSES, _TIED = "mergers/bonuses", "mergers/tied-majority"
_WAYS: list[tuple[str, str, Pay]] = [
    (_BONUSES, "they were not paid", lambda *_: {}),
    (_BONUSES, "they were paid twice", lambda *due: {n: 2 * a for n, a in _right(*due).items()}),
    (_BONUSES, "the minority bonus is missing", _under(bonus_multiples=(10,))),
    *(
        (_BONUSES, f"they were {a} and {b} times the price", _under(bonus_multiples=(a, b)))
        for a, b in ((5, 10), (10, 10), (20, 10), (10, 3), (5, 5), (10, 2), (5, 2), (1, 1))
    ),
    (_BONUSES, "only the mover was paid", _to_mover(mine=True)),
    (_BONUSES, "the mover was not paid", _to_mover(mine=False)),
    *(
        (
            "mergers/rounding",
            f"shares were rounded {rounding.name.lower()} to {unit}",
            _under(rounding=rounding, rounding_step=step),
        )
        for step, unit in {1: "whole dollars", 100: "$100"}.items()
        for rounding in Rounding
    ),
    *(
        ("mergers/sole-holder", f"a sole holder got {sole.value}", _under(sole_holder=sole))
        for sole in SoleHolder
    ),
    (_TIED, "everybody who tied got a whole bonus", _ranked(10, 5, 5, split=False)),
    (_TIED, "a tie for the majority shared the majority bonus only", _ranked(10, 0, 5)),
    (_TIED, "after a tie for the majority a minority bonus was paid too", _ranked(10, 5, 5)),
    (_TIED, "of those who tied only the first got a bonus", _first_of_ties),
]
"""Other ways to pay bonuses, each with the case that it fails."""


def _prices(moment: GameMoment) -> Iterator[tuple[str, Callable[[int], int]]]:
    """Yield prices at which certificates may have been taken by mistake, in words."""
    book, sizes = moment.rulebook, moment.last.board.sizes
    acquired = {each.hotel: each for each in moment.turn if isinstance(each, events.Acquired)}
    began = [each.state for each in moment.turn if isinstance(each, events.TurnBegan)]

    def at(hotel: int, by: int) -> int:
        size = acquired[hotel].size if hotel in acquired else sizes[hotel]
        return book.price(hotel, max(0, min(size + by, 108)))

    def survivors(hotel: int, before: State) -> int:
        survivor = acquired[hotel].survivor if hotel in acquired else hotel
        return before.price(survivor)

    yield "the price with the placed tile", lambda hotel: at(hotel, 1)
    yield "the price of one tile less", lambda hotel: at(hotel, -1)
    yield "the price after the merger", lambda hotel: book.price(hotel, 0)
    yield "the survivor's price after the merger", lambda hotel: survivors(hotel, moment.last)
    for before in began:
        yield "the survivor's price", lambda hotel: survivors(hotel, before)  # noqa: B023  # once
        yield "the price before the placement", before.price
    for other in sorted({price for prices in book.prices for price in prices if price}):
        yield f"a price of {dollars(other)}", lambda _, price=other: price  # type: ignore[misc]  # bound


# -- certificates and their price ---------------------------------------------------------------


_DEALS: tuple[tuple[Deal, str, str, int], ...] = (
    (events.Bought, "buying/price", "bought", -1),
    (events.Returned, "mergers/returned", "returned", 1),
    (events.Sold, "mergers/sold", "sold", 1),
)
"""The deals in certificates: the case, the verb, and whether they bring money or cost it."""


def _worth(price: Callable[[int], int]) -> Callable[[Any], int]:
    return lambda deal: int(deal.shares * price(deal.hotel))


def _dealt(
    moment: GameMoment, kinds: tuple[Deal, ...], sign: int, way: Callable[[Any], int]
) -> Deltas:
    """Return how much more money the deals of a turn bring if they are paid so."""
    deltas = Deltas()
    for deal in moment.turn:
        if isinstance(deal, kinds):
            deltas["cash", deal.name, None] += sign * (way(deal) - deal.amount)
    return deltas


def _deals(scene: _Scene) -> Iterator[Suspicion]:
    """Yield how else certificates were paid for, or that they did not change hands."""
    moment, book = scene.moment, scene.moment.rulebook
    ways: list[tuple[str, Callable[[Any], int]]] = [
        ("for nothing", lambda _: 0),
        ("at twice the price", lambda deal: 2 * deal.amount),
        *((f"at {words}", _worth(price)) for words, price in _prices(moment)),
    ]
    for kind, case, verb, sign in _DEALS:
        deals = [each for each in moment.turn if isinstance(each, kind)]
        kept = Deltas()
        for deal in deals:
            what = plural(deal.shares, f"{book.hotel_name(deal.hotel)} certificate")
            kept["shares", deal.name, deal.hotel] += sign * deal.shares
        for words, way in ways if deals and scene.of("cash") else ():
            deltas = _dealt(moment, (kind,), sign, way)
            if count := scene.explained_by(deltas):
                deal = next(each for each in deals if deltas["cash", each.name, None])
                what = plural(deal.shares, f"{book.hotel_name(deal.hotel)} certificate")
                due = dollars(deal.amount // deal.shares)
                told = f"{deal.name} {verb} {what} {words}; the price is {due} each."
                yield Suspicion(case, f"{verb} {words}", told, count)
        if count := scene.explained_by(kept):
            told = f"{deal.name} {verb} {what}, which did not change hands."
            yield Suspicion(case, f"{verb} unchanged", told, count)


def _certificates(scene: _Scene) -> Iterator[Suspicion]:
    """Yield which certificates are missing or too many."""
    name_of, turn = scene.moment.rulebook.hotel_name, scene.moment.turn
    for event in turn:
        if isinstance(event, events.FoundersShare):
            who, hotel, name = event.name, event.hotel, name_of(event.hotel)
            for more, words in (
                (-1, f"{who} founded {name} and did not get the free certificate."),
                (1, f"{who} founded {name} and got a second free certificate."),
            ):
                if scene.explained_by(Deltas({("shares", who, hotel): more})):
                    yield Suspicion("placing/founders-share", f"founder {more}", words)
    acquired = {each.hotel: each.price for each in turn if isinstance(each, events.Acquired)}
    deltas = Deltas()
    for event in turn:
        match event:
            case events.Answered(name, "keep", messages.KeepAnswer(kept)):
                held = scene.moment.before.player(name).shares
                for hotel, keeps in zip(acquired, kept, strict=False):
                    more = -held[hotel] if keeps else held[hotel]
                    deltas["shares", name, hotel] = more
                    deltas["cash", name, None] -= more * acquired[hotel]
    if count := scene.explained_by(deltas):
        words = "What was kept was returned, and the other way round."
        yield Suspicion("mergers/returned", "keep and return mixed up", words, count)


def _scores(scene: _Scene) -> Iterator[Suspicion]:
    """Yield what is wrong with the sale of all certificates at the end."""
    on, off = Deltas(), Deltas()
    state = scene.moment.last
    for player in state.players if scene.of("score") else ():
        for hotel, count in enumerate(player.shares):
            worth, sign = (on, -1) if state.board.sizes[hotel] else (off, 1)
            worth["score", player.name, None] += sign * count * state.price(hotel)
    if scene.explained_by(on):
        words = "The certificates were not sold at the end."
        yield Suspicion("end/scores", "not sold", words)
    if scene.explained_by(off):
        words = "Certificates of hotels not on the board were sold."
        yield Suspicion("end/not-on-board", "sold off the board", words)


# -- tiles --------------------------------------------------------------------------------------


def _tiles(scene: _Scene) -> Iterator[Suspicion]:
    turn = scene.moment.turn
    for drawn in scene.of("the tile drawn is"):
        where = _place_of(str(drawn.sent), scene.ask.state)
        words = f"{drawn.sent} was drawn, which is not in the bag: it {where}."
        yield Suspicion("drawing/new-tile", "not in the bag", words)
    for hand in scene.of("hand"):
        due, came = str(hand.expected).split(), str(hand.sent).split()
        if any(isinstance(each, events.SetAside) for each in turn):
            words = "Tiles that can never be placed were not replaced."
            yield Suspicion("drawing/dead-tiles", "not replaced", words)
        placed = [e for e in turn if isinstance(e, events.Placed) and e.name == hand.who]
        tile = tile_names(1 << placed[0].tile) if placed else ""
        if tile in came:
            words = f"{hand.who} still has {tile}, which it placed."
            yield Suspicion("placing/board", "still in hand", words)
        elif len(came) < len(due):
            words = f"{hand.who} did not get the tile that it drew."
            yield Suspicion("drawing/tile", "not drawn", words)
        elif len(came) > len(due):
            yield Suspicion("drawing/tile", "too many", f"{hand.who} has too many tiles.")


def _place_of(tile: str, state: State) -> str:
    if tile in tile_names(state.board.occupied).split():
        return "lies on the board"
    for player in state.players:
        if tile in tile_names(player.hand).split():
            return f"is in the hand of {player.name}"
    return "was drawn before"


# -- where no rule explains it ------------------------------------------------------------------

_COUNTS = {"cash": "cash", "shares": "certificates", "bank": "bank"}
_BOARD = {"holds": "board", "the unincorporated tiles are": "board", "hand": "hand"}
_CHANGES: dict[type, tuple[str, dict[str, str]]] = {
    events.Placed: ("placing/board", _BOARD),
    events.FoundersShare: ("placing/founders-share", _COUNTS),
    events.BonusPaid: ("mergers/bonuses", {"cash": "cash", "score": "score"}),
    events.Returned: ("mergers/returned", _COUNTS),
    events.Sold: ("mergers/sold", _COUNTS),
    events.Traded: ("mergers/traded", _COUNTS),
    events.Bought: ("buying/price", _COUNTS),
    events.Drew: ("drawing/tile", {"hand": "hand"}),
}
"""What an event changes, each with what it is called, and the case that fails if that is wrong."""
_OF_KIND = {
    Kind.SINGLETON: "placing/alone",
    Kind.FOUNDING: "placing/founding",
    Kind.GROWING: "placing/growing",
    Kind.MERGING: "mergers/joining",
}


def _last_change(scene: _Scene) -> Iterator[Suspicion]:
    """Yield the last event that changed the first value that differs."""
    wrong = scene.found[0]
    for event in reversed(scene.moment.turn):
        case, fields = _CHANGES.get(type(event), ("", {}))
        hotels = getattr(event, "hotel", None), getattr(event, "survivor", None)
        own = wrong.who in ("", getattr(event, "name", ""))
        if wrong.field not in fields or not own:
            continue
        if wrong.field in ("shares", "bank") and wrong.hotel not in hotels:
            continue
        if isinstance(event, events.Placed) and wrong.field != "hand":
            case = _OF_KIND[event.kind]
        if case == "buying/price" and wrong.field == "bank":
            case = "buying/bank"
        if wrong.field == "score":
            case = "end/bonuses"
        what = f"{wrong.who}'s {fields[wrong.field]}" if wrong.who else f"The {fields[wrong.field]}"
        do = "do" if wrong.field == "shares" else "does"
        told = Sentences(scene.moment.rulebook).sentence(event)
        yield Suspicion(case, f"{case} {wrong.field}", f"{what} {do} not show this: {told}")


_ORDER = "The acquired hotels are not in their order."
_FIXED = {
    "cash": ("buying/price", ""),
    "shares": ("buying/price", ""),
    "bank": ("buying/bank", "The bank is not what the players' certificates leave."),
    "hand": ("drawing/tile", ""),
    "score": ("end/scores", "The scores are wrong."),
    "holds": ("placing/board", ""),
    "the unincorporated tiles are": ("placing/board", ""),
    "the order of the players is": (
        "conversation/turn-order",
        "The players are not in turn order.",
    ),
    "the order of the results is": (
        "end/order",
        "The results are not by falling score, ties by name.",
    ),
    "the results are for": (
        "end/ejected",
        "The results are not those of the players at the table.",
    ),
    "the market holds": ("mergers/market", ""),
    "<keep> asks about": ("mergers/several", _ORDER),
    "the hotel in <dispose> is": ("mergers/several", _ORDER),
    "the price in <dispose> is": ("mergers/price", ""),
}
"""The case and a sentence for a value that differs, where nothing better is known."""
