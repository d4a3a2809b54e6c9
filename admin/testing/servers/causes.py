"""Which rule a difference comes from: what would follow if one rule were another.

Each suspicion is tried: where it gives exactly what was sent, it is the cause. Otherwise the case
is that of the first value that differs.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....game.placement import Kind
from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import tile_names
from ....protocol import messages
from ...refereeing.play import events
from ...refereeing.play.questions import Ask
from ...refereeing.view.plain_text import dollars, plural
from .bonus_causes import other_prices, suspect_bonuses
from .differences import SentDifference
from .game_moment import GameMoment


class Suspicion(NamedTuple):
    """The case that a difference fails, and what it comes from, a sentence or nothing."""

    case: str
    sentence: str = ""


class _Scene(NamedTuple):
    """Some differences in one message, and the moment at which they show."""

    found: Sequence[SentDifference]
    ask: Ask
    moment: GameMoment
    rulebook: Rulebook

    def of(self, *fields: str) -> list[SentDifference]:
        return [each for each in self.found if each.field in fields]


def cause_of(
    found: Sequence[SentDifference], ask: Ask, moment: GameMoment, rulebook: Rulebook
) -> Suspicion:
    """Return the cause of some differences in one message."""
    scene = _Scene(found, ask, moment, rulebook)
    for suspect in (_set_up, _stale, _ejection, _bonus, _money, _certificates, _tiles, _board):
        for cause in suspect(scene):
            return cause
    return _first_difference(scene)


_USUAL = {
    "cash": Suspicion("buying/price"),
    "shares": Suspicion("buying/price"),
    "bank": Suspicion("buying/bank", "The bank is not what the players' certificates leave."),
    "hand": Suspicion("drawing/tile"),
    "score": Suspicion("end/scores"),
    "holds": Suspicion("placing/board"),
    "the unincorporated tiles are": Suspicion("placing/board"),
    "the order of the players is": Suspicion(
        "conversation/turn-order", "The players are not in turn order."
    ),
    "the order of the results is": Suspicion(
        "end/order", "The results are not by falling score, ties by name."
    ),
    "the results are for": Suspicion(
        "end/ejected", "The results are not those of the players at the table."
    ),
    "the market holds": Suspicion("mergers/market"),
    "<keep> asks about": Suspicion(
        "mergers/several", "The acquired hotels are not in their order."
    ),
    "the price in <dispose> is": Suspicion("mergers/price"),
    "the hotel in <dispose> is": Suspicion(
        "mergers/several", "The acquired hotels are not in their order."
    ),
}
"""The case of a value that differs, where nothing better is known."""


def _first_difference(scene: _Scene) -> Suspicion:
    first = scene.found[0].field
    ordering = isinstance(scene.ask.message, messages.Players | messages.PlayersView)
    if first == "cash" and ordering:
        return Suspicion("conversation/players")
    return _USUAL.get(first, Suspicion("conversation/position"))


# -- the first position, and ejections ----------------------------------------------------------


def _set_up(scene: _Scene) -> Iterator[Suspicion]:
    book = scene.rulebook
    if scene.moment.number:
        return
    if cash := scene.of("cash"):
        words = f"Everybody begins with {dollars(book.cash)}, not {cash[0].sent}."
        yield Suspicion("set-up/cash", words)
    if scene.of("the order of the players is", "the players are"):
        yield Suspicion("set-up/order", f"Who is first: {book.start.value}.")
    if scene.of("hand"):
        yield Suspicion("set-up/tiles", f"Everybody begins with {book.hand_size} different tiles.")
    if scene.of("holds", "the unincorporated tiles are"):
        yield Suspicion("set-up/board")


def _stale(scene: _Scene) -> Iterator[Suspicion]:
    """Yield that ``players`` shows the turn's beginning, as the course's administrator sent it."""
    turn = scene.moment.turn
    began = next((each.state for each in turn if isinstance(each, events.TurnBegan)), None)
    if began is None or not isinstance(scene.ask.message, messages.Players | messages.PlayersView):
        return
    then = {player.name: player for player in began.players}
    for each in scene.found:
        player = then.get(each.who)
        if player is None:
            return
        held = None if each.hotel is None else player.shares[each.hotel]
        values = {"cash": player.cash, "shares": held, "hand": tile_names(player.hand)}
        if values.get(each.field) != each.sent:
            return
    words = "<players> shows the players as they were before the merger."
    yield Suspicion("conversation/players", words)


def _ejection(scene: _Scene) -> Iterator[Suspicion]:
    pending = scene.moment.pending
    left = [each.name for each in pending if isinstance(each, events.Ejected)]
    if not left:
        return
    name, listed = left[-1], scene.of("the players are")
    if listed and name in str(listed[0].sent).split(", "):
        cheat = scene.moment.cheats.get(name)
        yield Suspicion(
            f"ejection/{cheat}" if cheat else "ejection/goes-on", f"{name} was not ejected."
        )
    elif listed:
        yield Suspicion("ejection/goes-on", f"{name} was ejected, and somebody else is missing.")
    elif scene.of("bank"):
        yield Suspicion("ejection/goods", f"The certificates of {name} are not back in the bank.")
    elif any(isinstance(each, events.TurnUndone) for each in pending):
        yield Suspicion("ejection/undone", f"The turn of {name} was not undone as a whole.")


# -- money --------------------------------------------------------------------------------------


def _bonus(scene: _Scene) -> Iterator[Suspicion]:
    money = {each.who: each.delta for each in scene.of("cash", "score")}
    found = suspect_bonuses(scene.moment, money, scene.rulebook) if money else None
    if found is not None:
        yield Suspicion(*found)


def _money(scene: _Scene) -> Iterator[Suspicion]:
    """Yield which certificates were paid for at another price, or not at all."""
    if scores := scene.of("score"):
        yield _final_sale(scores, scene.moment.last)
    moment, book = scene.moment, scene.rulebook
    began = next((e.state for e in moment.turn if isinstance(e, events.TurnBegan)), moment.before)
    for money in scene.of("cash"):
        for event in moment.turn:
            match event:
                case events.Bought(name, hotel, count, amount, _) if name == money.who:
                    case, verb = "buying/price", "bought"
                    prices = [
                        ("the price before the placement", began.price(hotel)),
                        *((words, at(hotel)) for words, at in other_prices(moment, book)),
                    ]
                    worth = -amount
                case events.Returned(name, hotel, count, amount, _) | events.Sold(
                    name, hotel, count, amount, _
                ) if name == money.who:
                    sold = isinstance(event, events.Sold)
                    case, verb = (
                        ("mergers/sold", "sold") if sold else ("mergers/returned", "returned")
                    )
                    prices = [(words, at(hotel)) for words, at in other_prices(moment, book)]
                    worth = amount
                case _:
                    continue
            sign = 1 if worth > 0 else -1
            options = [(-worth, "were not paid for"), (worth, "were paid for twice")]
            options += [(sign * count * at - worth, f"were taken at {w}") for w, at in prices]
            what = plural(count, f"{book.hotel_name(hotel)} certificate")
            for delta, words in options:
                if delta and delta == money.delta:
                    each = dollars(amount // count)
                    yield Suspicion(
                        case, f"{name} {verb} {what}, which {words}: expected {each} each."
                    )


def _final_sale(scores: Sequence[SentDifference], state: State) -> Suspicion:
    """Return what is wrong with the sale of all certificates at the end."""
    on: dict[str, int] = {}
    off: dict[str, int] = {}
    for player in state.players:
        for hotel, count in enumerate(player.shares):
            worth = on if state.board.sizes[hotel] else off
            worth[player.name] = worth.get(player.name, 0) + count * state.price(hotel)
    if all(each.delta == -on[each.who] for each in scores):
        return Suspicion("end/scores", "The certificates were not sold at the end.")
    if all(each.delta == off.get(each.who, 0) for each in scores):
        return Suspicion("end/not-on-board", "Certificates of hotels not on the board were sold.")
    return Suspicion("end/scores")


# -- certificates -------------------------------------------------------------------------------


def _certificates(scene: _Scene) -> Iterator[Suspicion]:
    """Yield which certificates are missing or too many."""
    for held in scene.of("shares", "bank"):
        assert held.hotel is not None
        name, whose = scene.rulebook.hotel_name(held.hotel), held.who or "the bank"
        for event in scene.moment.turn:
            who, hotel = getattr(event, "name", ""), getattr(event, "hotel", None)
            if held.who not in ("", who):
                continue
            match event:
                case events.FoundersShare() if hotel == held.hotel and abs(held.delta) == 1:
                    got = "did not get the" if held.delta < 0 else "got a second"
                    words = f"{who} founded {name} and {got} free certificate."
                    if not held.who:
                        words = f"The bank does not show the founder's certificate of {name}."
                    yield Suspicion("placing/founders-share", words)
                case events.Returned(shares=count) | events.Sold(shares=count) if (
                    hotel == held.hotel and abs(held.delta) == count
                ):
                    verb = "sold" if isinstance(event, events.Sold) else "returned"
                    words = f"{who} {verb} {count} {name} certificates: {whose} does not show it."
                    yield Suspicion(f"mergers/{verb}", words)
                case events.Traded(shares=count, survivor=survivor, gained=gained) if (
                    held.hotel in (hotel, survivor)
                ):
                    words = f"{who} traded {count} certificates for {gained}: {whose} has others."
                    yield Suspicion("mergers/traded", words)
                case events.Bought(shares=count) if hotel == held.hotel and held.delta:
                    case = "buying/price" if held.who else "buying/bank"
                    words = f"{who} bought {count} {name} certificates: {whose} does not show it."
                    yield Suspicion(case, words)


# -- tiles --------------------------------------------------------------------------------------


def _tiles(scene: _Scene) -> Iterator[Suspicion]:
    turn = scene.moment.turn
    for drawn in scene.of("the tile drawn is"):
        where = _place_of(str(drawn.sent), scene.ask.state)
        words = f"{drawn.sent} was drawn, which is not in the bag: it {where}."
        yield Suspicion("drawing/new-tile", words)
    for hand in scene.of("hand"):
        due, came = str(hand.expected).split(), str(hand.sent).split()
        if any(isinstance(each, events.SetAside) for each in turn):
            words = "Tiles that can never be placed were not replaced."
            yield Suspicion("drawing/dead-tiles", words)
        placed = [
            each for each in turn if isinstance(each, events.Placed) and each.name == hand.who
        ]
        tile = tile_names(1 << placed[0].tile) if placed else ""
        if tile in came:
            yield Suspicion("placing/board", f"{hand.who} still has {tile}, which it placed.")
        if len(came) < len(due):
            yield Suspicion("drawing/tile", f"{hand.who} did not get the tile that it drew.")
        if len(came) > len(due):
            yield Suspicion("drawing/tile", f"{hand.who} has too many tiles.")


def _place_of(tile: str, state: State) -> str:
    if tile in tile_names(state.board.occupied).split():
        return "lies on the board"
    for player in state.players:
        if tile in tile_names(player.hand).split():
            return f"is in the hand of {player.name}"
    return "was drawn before"


_PLACED = {
    Kind.SINGLETON: ("placing/alone", "{} touches nothing and stays alone."),
    Kind.FOUNDING: ("placing/founding", "{} founds {} of all connected tiles."),
    Kind.GROWING: ("placing/growing", "{} makes {} grow."),
    Kind.MERGING: ("mergers/joining", "{} joins hotels, and {} survives."),
}


def _board(scene: _Scene) -> Iterator[Suspicion]:
    if not scene.of("holds", "the unincorporated tiles are"):
        return
    for event in scene.moment.turn:
        if isinstance(event, events.Placed):
            hotel = "" if event.hotel is None else scene.rulebook.hotel_name(event.hotel)
            case, words = _PLACED[event.kind]
            yield Suspicion(case, words.format(tile_names(1 << event.tile), hotel))
