"""What a difference may come from: what would have been sent if a rule were another.

Each suspicion predicts values; where they are those that were sent, it is a cause. There may be
several: over all matches of a check, the one that explains most is probably right. Where none
explains a difference, the last event that changed the value is named.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from ....game.rulebook import Hands
from ....game.state import State
from ....game.tiles import tile_names
from ....protocol import messages
from ...refereeing.play import events
from ...refereeing.play.questions import Ask
from ...refereeing.view.plain_text import dollars, listed, plural
from .game_moment import GameMoment, last_change
from .other_bonuses import BONUSES, WAYS, Pay, as_held_in, at_price, due_bonuses
from .sent_messages import PLAYERS, Key, SentDifference, parts

Deltas: TypeAlias = Counter[Key]  # how much more is sent than expected


class Suspicion(NamedTuple):
    """A possible cause of a breach."""

    case: str  # the case that fails
    rule: str  # what is suspected, the same in all matches
    sentence: str = ""  # for people; may be empty
    weight: int = 1  # how many values it explains


Suspect: TypeAlias = tuple[str, str, str, Deltas]
"""A case, a rule, a sentence, and what would have been sent then: a cause if that was sent."""


class _Scene(NamedTuple):
    """Some differences in one message, and the moment at which they show."""

    found: Sequence[SentDifference]
    ask: Ask
    moment: GameMoment

    def of(self, *fields: str) -> list[SentDifference]:
        return [each for each in self.found if each.field in fields]

    def happened(self, *kinds: type[Any]) -> list[Any]:
        """Return the events of the turn of some kinds."""
        return [each for each in self.moment.turn if isinstance(each, kinds)]

    def explained_by(self, deltas: Deltas) -> int:
        """Return how many differences these are, 0 if others are of the fields they are about."""
        due = {key: delta for key, delta in deltas.items() if delta}
        fields = {field for field, _, _ in due}
        found = {each[:3]: each.delta for each in self.found if each.field in fields}
        right = all(due.get(key, 0) == delta for key, delta in found.items())
        return sum(key in due for key in found) if right else 0

    def lacks(self, deltas: Deltas) -> int:
        """Return how many values should differ as well, and do not; some may have before."""
        found = {each[:3] for each in self.found}
        return sum(key not in found for key, delta in deltas.items() if delta)


def causes_of(found: Sequence[SentDifference], ask: Ask, moment: GameMoment) -> list[Suspicion]:
    """Return what may have caused some differences in one message, the most exact first."""
    scene = _Scene(found, ask, moment)
    for suspicions in (_set_up, _ejection):
        if first := next(suspicions(scene), None):
            return [first]
    likely = [
        (scene.lacks(deltas), Suspicion(case, rule, sentence, count))
        for suspects in (_stale, _bonuses, _deals, _certificates, _scores)
        for case, rule, sentence, deltas in suspects(scene)
        if (count := scene.explained_by(deltas))
    ]
    causes = [cause for _, cause in sorted(likely, key=lambda each: each[0])]
    causes += _tiles(scene)
    return causes or [Suspicion(*last_change(found[0], moment))]


# -- the first position, and ejections ----------------------------------------------------------


def _set_up(scene: _Scene) -> Iterator[Suspicion]:
    if scene.moment.number:
        return
    book, wrong = scene.moment.rulebook, {each.field: each for each in scene.found}
    if cash := wrong.get("cash"):
        words = f"Everybody begins with {dollars(book.cash)}, not {cash.sent}."
        yield Suspicion("set-up/cash", "cash", words)
    if wrong.keys() & {PLAYERS, "the players are"}:
        words = f"The wrong player begins. Who is to begin: {book.start.value}."
        yield Suspicion("set-up/order", "order", words)
    if hand := wrong.get("hand"):
        words = f"Everybody begins with {book.hand_size} different tiles."
        if hand.sent == "empty" and book.hands is Hands.OPEN:
            words = f"The hand of {hand.who} is not shown, and all hands are open."
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
    if others and (back := [e for e in scene.moment.out if e != name and e in others[0].sent]):
        words = f"{back[0]} was ejected, and is back after the turn of {name} was undone."
        yield Suspicion("ejection/twice", "back", words)
    elif others and name in others[0].sent:
        cheat = scene.moment.cheats.get(name)
        case = f"ejection/{cheat}" if cheat else case
        yield Suspicion(case, "accepted", f"{name} was not ejected.")
    elif others:
        yield Suspicion(case, "missing", f"{name} was ejected, and somebody else is missing.")
    elif scene.of("bank"):
        words = f"The certificates of {name} are not back in the bank."
        yield Suspicion("ejection/goods", "goods", words)
    elif any(isinstance(each, events.TurnUndone) for each in pending) or all(
        isinstance(each, (*events.WIRE_EVENTS, events.TurnBegan, events.Ejected))
        for each in pending
    ):
        words = f"The turn of {name} was not undone as a whole, or its ejection changed more."
        yield Suspicion("ejection/undone", "undone", words)


def _stale(scene: _Scene) -> Iterator[Suspect]:
    """Yield that ``players`` shows the turn's beginning, as the course's administrator sent it."""
    began = scene.happened(events.TurnBegan)
    if not began or not isinstance(scene.ask.message, messages.Players | messages.PlayersView):
        return
    deltas = Deltas()
    then = {player.name: player for player in began[0].state.players}
    for seat in parts(scene.ask.message)[3]:
        before = then[seat.name]
        if seat.cash is not None:
            deltas["cash", seat.name, None] = before.cash - seat.cash
        for hotel, count in enumerate(seat.shares or ()):
            deltas["shares", seat.name, hotel] = before.shares[hotel] - count
    if len(+deltas) + len(-deltas) == len(scene.of("cash", "shares")):  # all of it, or none
        words = "<players> shows the players as they were before the merger."
        yield "conversation/players", "before the merger", words, deltas


# -- bonuses ------------------------------------------------------------------------------------


def _bonuses(scene: _Scene) -> Iterator[Suspect]:
    ended, acquired = scene.happened(events.Ended), scene.happened(events.Acquired)
    field = "score" if ended else "cash"
    if not scene.of(field) or not (ended or acquired):
        return
    state = (ended or acquired)[0].state
    paid = {each.hotel for each in scene.happened(events.BonusPaid)}
    prices = {each.hotel: each.price for each in acquired if each.hotel in paid}
    if ended:
        prices = {h: state.price(h) for h, size in enumerate(state.board.sizes) if size}
    yield from _paid_ahead(scene, [each for each in acquired if each.hotel not in paid])

    def paid_so(pay: Pay) -> tuple[Deltas, str]:
        """Return how much more is paid so than is right, and of which hotels."""
        deltas, hotels = Deltas(), []
        for hotel, price in prices.items():
            due, other = due_bonuses(state, hotel, price), pay(state, hotel, price)
            if other != due:
                hotels.append(state.rulebook.hotel_name(hotel))
            for name in {**due, **other}:
                deltas[field, name, None] += other.get(name, 0) - due.get(name, 0)
        return deltas, listed(hotels)

    for case, ways in WAYS.items():
        for rule, pay in ways.items():
            deltas, hotels = paid_so(pay)
            fails = "end/bonuses" if ended and case == BONUSES else case
            yield fails, rule, f"The bonuses of {hotels}: {rule}.", deltas
    for given in scene.happened(events.Returned, events.Sold, events.Traded)[-1:]:
        late, hotels = paid_so(as_held_in(given.state))
        rule = "they were paid by what was held after certificates had been given up"
        yield BONUSES, rule, f"The bonuses of {hotels}: {rule}.", late
    for words, price in [] if ended else _prices(scene):
        alone, hotels = paid_so(at_price(price))
        told = f"The price of {hotels} in the merger is wrong: it was {words}."
        both = Deltas(alone)
        both.update(_dealt(scene.happened(events.Returned, events.Sold), 1, price))
        explains = both if scene.explained_by(both) else alone
        yield "mergers/price", words, told, explains if hotels else Deltas()


def _paid_ahead(scene: _Scene, later: list[events.Acquired]) -> Iterator[Suspect]:
    """Yield that bonuses of hotels were paid that are handled later in the merger."""
    deltas, hotels = Deltas(), listed(scene.moment.rulebook.hotel_name(e.hotel) for e in later)
    for each in later:
        for name, amount in due_bonuses(each.state, each.hotel, each.price).items():
            deltas["cash", name, None] += amount
    words = f"The bonuses of {hotels} were paid before another hotel's certificates were handled."
    yield "mergers/several", "bonuses first", words, deltas


def _prices(scene: _Scene) -> Iterator[tuple[str, Callable[[int], int]]]:
    """Yield prices at which certificates may have been taken by mistake, in words."""
    book, after = scene.moment.rulebook, scene.moment.last
    acquired = scene.happened(events.Acquired)
    sizes = [*after.board.sizes]
    for each in acquired:
        sizes[each.hotel] = each.size

    def of_survivor(state: State) -> Callable[[int], int]:
        survivors = {each.hotel: each.survivor for each in acquired}
        return lambda hotel: state.price(survivors.get(hotel, hotel))

    yield "the price with the placed tile", lambda h: book.price(h, min(sizes[h] + 1, 108))
    yield "the price of one tile less", lambda h: book.price(h, max(sizes[h] - 1, 0))
    yield "the price after the merger", lambda hotel: book.price(hotel, 0)
    yield "the survivor's price after the merger", of_survivor(after)
    for began in scene.happened(events.TurnBegan):
        yield "the survivor's price", of_survivor(began.state)
        yield "the price before the placement", began.state.price
    for other in sorted({price for prices in book.prices for price in prices if price}):
        yield f"a price of {dollars(other)}", lambda _, price=other: price  # type: ignore[misc]  # bound


# -- certificates and their price ---------------------------------------------------------------


_DEALS = (
    (events.Bought, "buying/price", "bought", -1),
    (events.Returned, "mergers/returned", "returned", 1),
    (events.Sold, "mergers/sold", "sold", 1),
)
"""The deals in certificates: the case, the verb, and whether they bring money or cost it."""


def _dealt(deals: list[Any], sign: int, price: Callable[[int], int]) -> Deltas:
    """Return how much more money some deals bring at another price."""
    deltas = Deltas()
    for deal in deals:
        deltas["cash", deal.name, None] += sign * (deal.shares * price(deal.hotel) - deal.amount)
    return deltas


def _deals(scene: _Scene) -> Iterator[Suspect]:
    """Yield how else certificates were paid for, or that they did not change hands."""
    for kind, case, verb, sign in _DEALS:
        if not (deals := scene.happened(kind)):
            continue
        kept, due = Deltas(), {deal.hotel: deal.amount // deal.shares for deal in deals}
        for deal in deals:
            kept["shares", deal.name, deal.hotel] += sign * deal.shares
        name = scene.moment.rulebook.hotel_name(deal.hotel)
        what = f"{deal.name} {verb} {plural(deal.shares, f'{name} certificate')}"
        twice = {hotel: 2 * price for hotel, price in due.items()}
        for words, other in (
            ("for nothing", lambda _: 0),
            ("at twice the price", twice.__getitem__),
            *((f"at {words}", price) for words, price in _prices(scene)),
        ):
            told = f"{what} {words}; the price is {dollars(due[deal.hotel])} each."
            yield case, f"{verb} {words}", told, _dealt(deals, sign, other)
        yield case, f"{verb} unchanged", f"{what}, which did not change hands.", kept


def _certificates(scene: _Scene) -> Iterator[Suspect]:
    for name, hotel, free, state in scene.happened(events.FoundersShare):
        founded = f"{name} founded {state.rulebook.hotel_name(hotel)} and"
        shares, cash = ("shares", name, hotel), ("cash", name, None)
        for key, more, words in (
            (shares, -free, "got no free certificate."),
            (shares, 1, "got one free certificate too many."),
            (cash, -free * state.price(hotel), "paid for what is free."),
        ):
            yield "placing/founders-share", words, f"{founded} {words}", Deltas({key: more})
    acquired = {each.hotel: each.price for each in scene.happened(events.Acquired)}
    said = [(each.name, each.message) for each in scene.happened(events.Answered)]
    kept = {name: each.decisions for name, each in said if isinstance(each, messages.KeepAnswer)}
    deltas = Deltas()
    for player in scene.moment.before.players:  # what was sent may have lost one who answered
        for hotel, keeps in zip(acquired, kept.get(player.name, ()), strict=False):
            more = -player.shares[hotel] if keeps else player.shares[hotel]
            deltas["shares", player.name, hotel] = more
            deltas["cash", player.name, None] -= more * acquired[hotel]
    words = "What was kept was returned, and the other way round."
    yield "mergers/returned", "keep and return mixed up", words, deltas


def _scores(scene: _Scene) -> Iterator[Suspect]:
    """Yield what is wrong with the sale of all certificates at the end."""
    board, players = scene.moment.last.board, scene.moment.last.players

    def sold(price: Callable[[int], int], *, on: bool = True) -> Deltas:
        """Return how much more everybody gets if hotels on or off the board have this price."""
        right = scene.moment.last.price if on else lambda _: 0
        deltas = Deltas()
        for player in players:
            for hotel, count in enumerate(player.shares):
                if bool(board.sizes[hotel]) is on:
                    deltas["score", player.name, None] += count * (price(hotel) - right(hotel))
        return deltas

    words = "The certificates were not sold at the end."
    yield "end/scores", "not sold", words, sold(lambda _: 0)
    words = "Certificates of hotels not on the board were sold."
    yield "end/not-on-board", "sold off the board", words, sold(scene.moment.last.price, on=False)
    for what, price in _prices(scene):
        yield "end/scores", what, f"At the end certificates were sold at {what}.", sold(price)
    for ended in scene.happened(events.Ended):
        cash = {each.name: each.cash for each in ended.state.players}
        none = Deltas({("score", who, None): -had for who, had in cash.items()})
        yield "end/scores", "no cash", "The scores are without the cash.", none
        paid = dict(getattr(scene.ask.message, "results", ()))
        paid |= {each.who: each.sent for each in scene.of("score")}
        late = Deltas({("cash", who, None): paid[who] - cash[who] for who in paid})
        words = "<score> shows the cash after the pay-out; the position in it is that before it."
        yield "end/scores", "after the pay-out", words, late


# -- tiles --------------------------------------------------------------------------------------


def _tiles(scene: _Scene) -> Iterator[Suspicion]:
    for drawn in scene.of("the tile is") if scene.ask.tag == "tile" else ():
        where = _place_of(str(drawn.sent), scene.ask.state)
        words = f"{drawn.sent} was drawn, which is not in the bag: it {where}."
        yield Suspicion("drawing/new-tile", "not in the bag", words)
    for hand in scene.of("hand"):
        due, came = str(hand.expected).split(), str(hand.sent).split()
        if scene.happened(events.SetAside):
            words = "Tiles that can never be placed were not replaced."
            yield Suspicion("drawing/dead-tiles", "not replaced", words)
        placed = [each for each in scene.happened(events.Placed) if each.name == hand.who]
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
