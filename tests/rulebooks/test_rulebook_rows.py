"""The table of the rulebooks, row by row: what each says is how the rules and the referee act.

A test is named after its row and runs once for each rulebook; what is expected of each stands
over the test. Positions are drawn with hotels that all five have: A and F are medium, S is cheap.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import pytest
from play.driven import play_on
from positions import (
    CENTRE,
    ROW_E_IS_DEAD,
    by_initials,
    crossing,
    initials_of,
    mask,
    move,
    names,
    owned,
    scene,
    sizes,
    tiles,
)

from acquire.admin.advising.rulebooks.rows import ROWS
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play import in_process as local
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.merger import Merger, merge
from acquire.game.placement import Placement, legal_placements, place, playable, verify_placement
from acquire.game.purchase import buy, legal_orders, verify_order
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import RULEBOOKS
from acquire.game.state import State, deal
from acquire.game.tiles import TILES, Tile, mask_of, tile_name
from acquire.game.turn import Ending, pass_turn, pay_out
from acquire.game.violation import Violation
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.dialect import Dialect
from acquire.protocol.messages import PlayerMessage, RefereeMessage

E = TypeVar("E")

IDS = ["revised", "corporations", "classic", "wikipedia", "digest"]


def by_rulebook(*, revised: object, others: object, **exceptions: object) -> pytest.MarkDecorator:
    """Run a test for each rulebook with what is ``expected`` there."""
    expected = {**dict.fromkeys(IDS, others), "revised": revised, **exceptions}
    cases = [pytest.param(RULEBOOKS[each], due, id=each) for each, due in expected.items()]
    return pytest.mark.parametrize(("rulebook", "expected"), cases)


def by_names(old: str, new: str) -> pytest.MarkDecorator:
    """Run a test for each rulebook with the hotels of the older or the newer names."""
    return by_rulebook(revised=old, others=new, classic=old, wikipedia=old)


in_all = pytest.mark.parametrize("rulebook", [pytest.param(RULEBOOKS[i], id=i) for i in IDS])
"""Run a test for each rulebook, with one outcome for all."""


# -- the referee, driven by hand -------------------------------------------------------------------


class Told(NamedTuple):
    """What came out of a game up to the first question that was left unanswered."""

    events: list[Event]
    asked: list[tuple[str, RefereeMessage]]
    state: State
    outcome: Outcome | None

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def waits_for(self) -> tuple[str, str]:
        """Who has to answer next, and what."""
        name, message = self.asked[-1]
        return name, messages.TAGS[type(message)]

    @property
    def broken(self) -> list[Violation | None]:
        """The rules for which players were ejected."""
        return [left.violation for left in self.of(events.Ejected)]


def told(state: State, *script: tuple[str, PlayerMessage]) -> Told:
    """Let the referee judge from a position on, answered by a script; it ends where that ends.

    Information is noted, and who is not in the script holds the certificates he is asked about.
    """
    waiting = list(script)

    def answer(name: str, message: RefereeMessage) -> PlayerMessage | None:
        fitting = ANSWERS.get(messages.TAGS[type(message)], ())
        if waiting and waiting[0][0] == name and isinstance(waiting[0][1], fitting):
            return waiting.pop(0)[1]
        match message:
            case messages.Keep(acquired):
                return messages.KeepAnswer((True,) * len(acquired))
            case messages.Dispose():
                return messages.DisposeAnswer(0, 0)
        assert not (fitting and waiting), f"{waiting[0]} is no answer to {message} for {name}"
        return None

    game = play_on(state, answer)
    asked = [(name, ask.message) for asks in game.asked for name, ask in asks.items()]
    outcome = getattr(game, "outcome", None)
    assert outcome is None or not waiting
    return Told(game.events, asked, game.referee.state, outcome)


ANSWERS: dict[str, tuple[type[PlayerMessage], ...]] = {
    "turn": (messages.Pbuy, messages.Merge),
    "keep": (messages.KeepAnswer,),
    "dispose": (messages.DisposeAnswer,),
    "players": (messages.Order,),
    "merger": (messages.Merge,),
    "replace": (messages.ReplaceAnswer,),
}
"""The questions that want more than to be noted, and what answers them."""


def turned_round(bag: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(reversed(bag))


class Quiet(Ordered):
    """Places the first tile that it can, buys nothing and never declares the end."""

    def order(self, state: State) -> tuple[int, ...]:
        return ()

    def declare(self, state: State) -> bool:
        return False


class Cheat(Quiet):
    """Places a tile that is in no hand."""

    def place(self, state: State) -> Placement:
        return move("12I", self.rulebook)


def played(state: State, happened: list[Event] | None = None, *, cheats: str = "") -> Outcome:
    """Let quiet players play from a position on; cheats leave at their first turn."""
    seated = [player.name for player in state.players]
    emit = ([] if happened is None else happened).append
    referee = Referee(state.rulebook, seated, TILES, turned_round, emit)
    referee.state = state
    players = {
        name: (Cheat if name in cheats.split() else Quiet)(state.rulebook, 0) for name in seated
    }
    return local.play(referee.play(), players, Dialect.of(state.rulebook))


def pbuy(rulebook: Rulebook, placed: str, order: str = "", *, end: bool = False) -> PlayerMessage:
    return messages.Pbuy(move(placed, rulebook), by_initials(order, rulebook), end)


def merging(rulebook: Rulebook, placed: str) -> PlayerMessage:
    return messages.Merge(move(placed, rulebook))


def ordering(rulebook: Rulebook, order: str) -> PlayerMessage:
    return messages.Order(by_initials(order, rulebook))


def only_buying(rulebook: Rulebook, order: str = "") -> PlayerMessage:
    return messages.Pbuy(None, by_initials(order, rulebook))


def seen(message: RefereeMessage, name: str) -> Any:
    """A player as a message tells of him."""
    match message:
        case messages.State(_, players) | messages.Turn(_, players) | messages.Players(players):
            (found,) = [player for player in players if player.name == name]
            return found
        case (
            messages.StateView(view)
            | messages.Replace(view)
            | messages.TurnView(view)
            | messages.PlayersView(view)
        ):
            (other,) = [player for player in view.players if player.name == name]
            return other
    raise AssertionError(message)


def possessions(rulebook: Rulebook, message: RefereeMessage, name: str) -> str:
    """A player's certificates and money as a message tells of them: "A2 S1 $600", "$600"."""
    player = seen(message, name)
    shares = zip(rulebook.hotels, player.shares or (), strict=player.shares is not None)
    held = [f"{hotel.name[0]}{count}" for hotel, count in shares if count]
    return " ".join([*held, *([] if player.cash is None else [f"${player.cash}"])])


# -- the rules, by hand ----------------------------------------------------------------------------


def why_not(state: State, placed: str) -> Violation | None:
    """The rule that keeps the mover from a placement."""
    illegal = verify_placement(state, move(placed, state.rulebook))
    return None if illegal is None else illegal.violation


def after(state: State, placed: str) -> State:
    """The position after a placement, which is legal."""
    choice = move(placed, state.rulebook)
    assert verify_placement(state, choice) is None
    return place(state, choice)


def merged(state: State, placed: str) -> Merger:
    """The merger of a placement, which is legal."""
    choice = move(placed, state.rulebook)
    assert verify_placement(state, choice) is None
    return merge(state, choice)


def paid(state: State, placed: str) -> list[str]:
    """Who is paid what in a merger: "A: ann 3000"."""
    rulebook = state.rulebook
    return [
        f"{initials_of([hotel], rulebook)}: {name} {amount}"
        for hotel, name, amount in merged(state, placed).bonuses
    ]


def bag_from(first: str) -> tuple[Tile, ...]:
    """All tiles, these on top."""
    top = tiles(first)
    return (*top, *(tile for tile in TILES if tile not in top))


def block(initial: str, size: int) -> str:
    """A drawing of one hotel that fills rows from A on."""
    cells = initial * size
    return "\n".join(cells[begin : begin + 12] for begin in range(0, size, 12))


NOTHING, TWO = [".", ".", ".", "."], [".", ".", ".....S", ".....S"]
TWELVE = [".", "........SSSS", ".....SSSSSSS", ".....S"]
MERGERS_OF_SAFE = [
    "\n".join([*above, f"AAAAA{right}", "AAAA", "AAAA"])
    for above, right in [(NOTHING, ".FF"), (TWO, ".FF"), (TWELVE, ""), (TWELVE, ".FF")]
]
"""Hotels that meet at 6E, of which one or two are safe: A has 13 tiles, S 2 or 12, F 2."""


def all_seven(rulebook: Rulebook) -> str:
    """All hotels on the board, two tiles each, and a tile at 1I."""
    first, second = (
        "".join(hotel.name[0] * 2 + "." for hotel in some)
        for some in (rulebook.hotels[:4], rulebook.hotels[4:])
    )
    return "\n".join([first, "", second, *[""] * 5, "o"])


# -- Setup -----------------------------------------------------------------------------------------


@by_rulebook(revised=[3, 4, 5, 6], others=[2, 3, 4, 5, 6], wikipedia=[3, 4, 5, 6])
def test_players(rulebook: Rulebook, expected: list[int]) -> None:
    able = []
    for count in range(9):
        try:
            able.append(len(deal(rulebook, "abcdefgh"[:count], TILES).players))
        except ValueError:
            continue
    assert able == expected


@by_rulebook(revised=8_000, others=6_000)
def test_cash(rulebook: Rulebook, expected: int) -> None:
    dealt = deal(rulebook, ["ann", "bob", "cyd"], TILES)
    assert [player.cash for player in dealt.players] == [expected] * 3


@in_all
def test_tiles_in_hand(rulebook: Rulebook) -> None:
    dealt = deal(rulebook, "abcdef", TILES)
    hands = [player.hand for player in dealt.players]
    assert [hand.bit_count() for hand in hands] == [6] * 6
    assert not sum(hands) & mask_of(dealt.bag)


@in_all
def test_certificates(rulebook: Rulebook) -> None:
    assert deal(rulebook, "abc", TILES).bank == (25,) * 7
    last = scene(rulebook, "AA", "ann $5000", "bob A24", "cyd")
    assert verify_order(last, by_initials("A", rulebook)) is None
    sold = buy(last, by_initials("A", rulebook))
    illegal = verify_order(sold, by_initials("A", rulebook))
    assert illegal is not None and illegal.violation is Violation.SOLD_OUT


@by_rulebook(revised="ann ann ann ann", others="cyd ann bob bob", classic="bob cyd bob bob")
def test_who_starts(rulebook: Rulebook, expected: str) -> None:
    draws = ["12I 1B 9A", "3A 2E 2B", "5D 4C 4D", "10A 2A 12B"]
    first = [deal(rulebook, ["ann", "bob", "cyd"], bag_from(drawn)).mover.name for drawn in draws]
    assert first == expected.split()


@by_rulebook(revised="", others="5E 6E 9I")
def test_start_tiles(rulebook: Rulebook, expected: str) -> None:
    happened: list[Event] = []
    seated = ["ann", "bob", "cyd"]
    referee = Referee(rulebook, seated, bag_from("9I 5E 6E"), turned_round, happened.append)
    next(referee.play())
    assert (names(referee.state.board.loose), sizes(referee.state)) == (expected, "")
    in_hand = [names(player.hand & mask("9I 5E 6E")) for player in referee.state.players]
    assert in_hand == (["", "", ""] if expected else ["5E 6E 9I", "", ""])
    drawn = list(zip(seated, tiles("9I 5E 6E"), strict=True))
    assert [event[:2] for event in happened] == (drawn if expected else [])


@by_rulebook(revised="ann bob cyd dan", others="cyd dan ann bob")
def test_order_of_players(rulebook: Rulebook, expected: str) -> None:
    state = deal(rulebook, ["ann", "bob", "cyd", "dan"], bag_from("9I 5E 1A 6E"))
    turns = []
    for _ in range(4):
        turns.append(state.mover.name)
        state = pass_turn(state)
    assert turns == expected.split()


@by_rulebook(
    revised=("2I 3I", "A2 $700", None), others=("", "A2 $700", ""), classic=("", "A2 $700", None)
)
def test_may_see(rulebook: Rulebook, expected: tuple[str, str, str | None]) -> None:
    """What ann sees: bob's tiles, what he owns, and what of it where the table hides that."""
    tiles_seen, assets, hidden = expected
    state = scene(rulebook, "AA", "ann 1I S1 $900", "bob 2I 3I A2 $700", "cyd", bag="4I 5I")

    def told_to_ann(state: State) -> RefereeMessage:
        return next(message for name, message in told(state).asked if name == "ann")

    def looks(state: State, name: str) -> tuple[str, str]:
        message = told_to_ann(state)
        return names(seen(message, name).hand), possessions(rulebook, message, name)

    assert looks(state, "ann") == ("1I", "S1 $900")
    assert looks(state, "bob") == (tiles_seen, assets)
    if hidden is None:
        with pytest.raises(ValueError, match=f"rulebook {rulebook.id} keeps cash"):
            with_hidden_assets(rulebook)
    else:
        for part, bobs in (("both", hidden), ("cash", "A2"), ("certificates", "$700")):
            state = state._replace(rulebook=with_hidden_assets(rulebook, part))
            assert looks(state, "ann") == ("1I", "S1 $900")
            assert looks(state, "bob") == (tiles_seen, bobs)


@by_rulebook(revised="to be counted", others="told")
def test_bank_is_known(rulebook: Rulebook, expected: str) -> None:
    (a,) = by_initials("A", rulebook)
    state = scene(rulebook, "AA", "ann 1I A3", "bob 2I A5", "cyd", bag="4I 5I")
    _, message = told(state).asked[0]
    if expected == "told":
        assert isinstance(message, messages.StateView)
        assert message.view.bank[a] == 17
    else:
        assert isinstance(message, messages.State)
        assert 25 - sum(player.shares[a] for player in message.players) == 17


@by_rulebook(
    revised=None, others=("ann 3000, bob 1500", ""), classic=("ann 3000", "9F"), wikipedia=None
)
def test_market(rulebook: Rulebook, expected: tuple[str, str] | None) -> None:
    """Of A ann has 11 and bob 5; the tile 9F gives the market 9, where it is a holder."""

    def paid_and_placed(*others: str) -> tuple[str, str]:
        state = scene(rulebook, "AA.SSS", "ann 3A A11", "bob A5", *others, bag="9F 5I 6I")
        game = told(state, ("ann", merging(rulebook, "3A S")))
        bonuses = [f"{name} {amount}" for name, _, amount, _ in game.of(events.BonusPaid)]
        placed = [tile_name(event.tile) for event in game.of(events.MarketPlaced)]
        return ", ".join(bonuses), " ".join(placed)

    assert paid_and_placed("cyd") == ("ann 3000, bob 1500", "")
    if expected is None:
        two_cannot_play(rulebook)
    else:
        assert paid_and_placed() == expected


# -- Hotels and prices -----------------------------------------------------------------------------


def costing(rulebook: Rulebook, dollars: int) -> str:
    """The hotels whose certificates cost so much when each has two tiles."""
    state = scene(rulebook, all_seven(rulebook), "ann", "bob", "cyd")
    assert state.board.sizes == (2,) * 7
    found = [h.name for index, h in enumerate(rulebook.hotels) if state.price(index) == dollars]
    return " ".join(found)


@by_names("Sackson Worldwide", "Sackson Zeta")
def test_cheap_hotels(rulebook: Rulebook, expected: str) -> None:
    assert costing(rulebook, 200) == expected


@by_names("American Festival Imperial", "America Fusion Hydra")
def test_medium_hotels(rulebook: Rulebook, expected: str) -> None:
    assert costing(rulebook, 300) == expected


@by_names("Continental Tower", "Phoenix Quantum")
def test_expensive_hotels(rulebook: Rulebook, expected: str) -> None:
    assert costing(rulebook, 400) == expected


@by_rulebook(
    revised={"American": 200, "Continental": 300, "Festival": 200, "Imperial": 200, "Tower": 300},
    others={},
)
def test_prices_off_the_board(rulebook: Rulebook, expected: dict[str, int]) -> None:
    state = scene(rulebook, "", "ann $1000", "bob", "cyd")
    costs = {}
    for order in legal_orders(state):
        if len(order) == 1:
            costs[rulebook.hotel_name(order[0])] = 1_000 - buy(state, order).mover.cash
    assert costs == expected


@in_all
def test_bonuses(rulebook: Rulebook) -> None:
    """The printed columns of a cheap hotel."""
    printed = {2: 2_000, 3: 3_000, 4: 4_000, 5: 5_000, 6: 6_000, 10: 6_000, 11: 7_000, 20: 7_000,
               21: 8_000, 30: 8_000, 31: 9_000, 40: 9_000, 41: 10_000}  # fmt: skip
    for size, majority in printed.items():
        state = scene(rulebook, block("S", size), "ann S2", "bob S1", "cyd")
        amounts = [(bonus.name, bonus.amount) for bonus in pay_out(state).bonuses]
        assert amounts == [("ann", majority), ("bob", majority // 2)], size


# -- Placing a tile --------------------------------------------------------------------------------


@in_all
def test_no_neighbour(rulebook: Rulebook) -> None:
    state = after(scene(rulebook, "AA..o", "ann 2B 4B", "bob", "cyd"), "4B")
    assert (names(state.board.loose), sizes(state)) == ("5A 4B", "A2")
    assert names(state.mover.hand) == "2B"


@in_all
def test_founding(rulebook: Rulebook) -> None:
    state = scene(rulebook, "AA..oo\n.....o.o", "ann 7A", "bob", "cyd")
    can = {choice.hotel for choice in legal_placements(state)}
    assert can == set(range(7)) - {*by_initials("A", rulebook)}
    assert why_not(state, "7A") is Violation.NO_HOTEL_NAMED
    assert why_not(state, "7A A") is Violation.HOTEL_ON_BOARD
    founded = after(state, "7A F")
    assert (sizes(founded), names(founded.board.loose)) == ("A2 F4", "8B")


@by_rulebook(revised=None, others=Violation.EIGHTH_HOTEL)
def test_eighth_hotel(rulebook: Rulebook, expected: Violation | None) -> None:
    state = scene(rulebook, all_seven(rulebook), "ann 2I 12I", "bob", "cyd")
    assert why_not(state, "2I") is expected
    assert names(playable(state)) == ("2I 12I" if expected is None else "12I")
    if expected is None:
        still = after(state, "2I")
        assert (names(still.board.loose), still.bank) == ("1I 2I", (25,) * 7)
        assert still.board.sizes == (2,) * 7
    six = scene(rulebook, all_seven(rulebook).replace("SS", ".."), "ann 2I", "bob", "cyd")
    assert names(after(six, "2I S").board.loose) == ""


@in_all
def test_founders_certificate(rulebook: Rulebook) -> None:
    founded = after(scene(rulebook, "o", "ann 2A", "bob F24", "cyd"), "2A F")
    assert owned(founded, "ann") == "F1 $0"
    founded = after(scene(rulebook, "o", "ann 2A", "bob F25", "cyd"), "2A F")
    assert (owned(founded, "ann"), sizes(founded)) == ("$0", "F2")


@in_all
def test_growing(rulebook: Rulebook) -> None:
    state = scene(rulebook, "AA..o", "ann 3A", "bob", "cyd")
    grown = after(state, "3A")
    assert (sizes(grown), names(grown.board.loose), owned(grown, "ann")) == ("A3", "5A", "$0")
    assert why_not(state, "3A A") is Violation.HOTEL_NOT_DUE


@by_rulebook(revised=None, others="A6")
def test_absorbing(rulebook: Rulebook, expected: str | None) -> None:
    state = scene(rulebook, "AA.o.o\n...oo", "ann 3A", "bob", "cyd")
    if expected is None:
        assert why_not(state, "3A") is Violation.BESIDE_LOOSE
        assert names(playable(state)) == ""
    else:
        grown = after(state, "3A")
        assert (sizes(grown), names(grown.board.loose)) == (expected, "6A")


@in_all
def test_merging(rulebook: Rulebook) -> None:
    state = scene(rulebook, crossing(A=2, S=4, F=3), f"ann {CENTRE}", "bob", "cyd")
    assert why_not(state, CENTRE) is Violation.NO_HOTEL_NAMED
    merger = merged(state, f"{CENTRE} S")
    assert (sizes(merger.state), initials_of(merger.acquired, rulebook)) == ("S10", "FA")


@by_rulebook(revised=None, others=("S9", 300))
def test_merging_beside_loose(rulebook: Rulebook, expected: tuple[str, int] | None) -> None:
    state = scene(rulebook, "AA.SSS\n..oo..o\n...o", "ann 3A", "bob A2", "cyd A1")
    if expected is None:
        assert why_not(state, "3A S") is Violation.BESIDE_LOOSE
        assert names(playable(state)) == ""
    else:
        size, price = expected
        merger = merged(state, "3A S")
        assert (sizes(merger.state), names(merger.state.board.loose)) == (size, "7B")
        assert merger.prices == (price,)
        assert paid(state, "3A S") == [f"A: bob {10 * price}", f"A: cyd {5 * price}"]


@by_rulebook(revised=12, others=11)
def test_safe_from(rulebook: Rulebook, expected: int) -> None:
    refused = [
        size
        for size in range(2, 13)
        if why_not(scene(rulebook, f"{'A' * size}\n\n{'S' * size}", "ann 1B", "bob", "cyd"), "1B S")
    ]
    assert refused == [*range(expected, 13)]


@by_rulebook(revised="no no no no", others="yes yes no no")
def test_forbidden_merger(rulebook: Rulebook, expected: str) -> None:
    said = []
    for drawing in MERGERS_OF_SAFE:
        state = scene(rulebook, drawing, f"ann {CENTRE}", "bob", "cyd")
        rule = why_not(state, f"{CENTRE} A")
        assert rule in (None, Violation.SAFE_MERGER, Violation.TWO_SAFE)
        assert bool(playable(state)) == (rule is None)
        said.append("yes" if rule is None else "no")
    assert said == expected.split()


# -- A merger --------------------------------------------------------------------------------------


@in_all
def test_survivor(rulebook: Rulebook) -> None:
    state = scene(rulebook, crossing(A=2, S=3, F=3), f"ann {CENTRE}", "bob", "cyd")
    assert why_not(state, f"{CENTRE} A") is Violation.NOT_LARGEST
    for survivor, acquired in [("S", "FA"), ("F", "SA")]:
        merger = merged(state, f"{CENTRE} {survivor}")
        assert sizes(merger.state) == f"{survivor}9"
        assert initials_of(merger.acquired, rulebook) == acquired


@by_rulebook(revised={"AFS"}, others={"AFS", "ASF"})
def test_order_of_acquired(rulebook: Rulebook, expected: set[str]) -> None:
    """The orders that a placer can bring about: A has 3 tiles, F and S have 2."""
    survivor = rulebook.hotels[3].name
    drawing = crossing(**{survivor: 4, "S": 2, "A": 3, "F": 2})
    state = scene(rulebook, drawing, f"ann {CENTRE}", "bob", "cyd")
    orders = set()
    for equals in ["", "FS", "SF"]:
        choice = move(f"{CENTRE} {survivor[0]} {equals}", rulebook)
        if verify_placement(state, choice) is None:
            orders.add(initials_of(merge(state, choice).acquired, rulebook))
    listed = [merge(state, choice).acquired for choice in legal_placements(state)]
    assert {initials_of(acquired, rulebook) for acquired in listed} == expected
    assert orders == expected


@in_all
def test_sizes_before(rulebook: Rulebook) -> None:
    """A had 2 tiles, at 300 dollars; S had 3."""
    state = scene(rulebook, "AA.SSS", "ann 3A A2", "bob A1", "cyd S5")
    assert merged(state, "3A S").prices == (300,)
    assert paid(state, "3A S") == ["A: ann 3000", "A: bob 1500"]


@by_rulebook(revised=3_000, others=4_500)
def test_sole_holder(rulebook: Rulebook, expected: int) -> None:
    state = scene(rulebook, "AA.SSS", "ann 3A", "bob A1", "cyd S5")
    assert paid(state, "3A S") == [f"A: bob {expected}"]


@in_all
def test_majority_tie(rulebook: Rulebook) -> None:
    """A of 3 tiles costs 400 dollars: 4,000 and 2,000 in bonuses."""
    state = scene(rulebook, "AAA.SSSS", "ann 4A A3", "bob A3", "cyd A2")
    assert paid(state, "4A S") == ["A: ann 3000", "A: bob 3000"]
    state = scene(rulebook, "AAA.SSSS", "ann 4A A3", "bob A3", "cyd A3")
    assert paid(state, "4A S") == ["A: ann 2000", "A: bob 2000", "A: cyd 2000"]


@in_all
def test_minority_tie(rulebook: Rulebook) -> None:
    state = scene(rulebook, "AAA.SSSS", "ann 4A A2", "bob A3", "cyd A2", "dan A1")
    assert paid(state, "4A S") == ["A: ann 1000", "A: bob 4000", "A: cyd 1000"]


@by_rulebook(revised=(750, 667, 333, 2_250), others=(800, 700, 400, 2_300))
def test_rounding(rulebook: Rulebook, expected: tuple[int, ...]) -> None:
    """Ann's share of 1,500 for two, 2,000 for three, 1,000 for three, and 4,500 for two."""
    shares = []
    for drawing, placed, *seats in [
        ("AA.SSS", "3A S", "ann 3A A1", "bob A2", "cyd A1"),
        ("AAA.SSSS", "4A S", "ann 4A A1", "bob A2", "cyd A1", "dan A1"),
        ("SS.AAA", "3A A", "ann 3A S1", "bob S2", "cyd S1", "dan S1"),
        ("AA.SSS", "3A S", "ann 3A A2", "bob A2", "cyd A1"),
    ]:
        first, *_ = merged(scene(rulebook, drawing, *seats), placed).bonuses
        assert first.name == "ann"
        shares.append(first.amount)
    assert tuple(shares) == expected


@in_all
def test_nobody_holds(rulebook: Rulebook) -> None:
    state = scene(rulebook, "AA.SSS", "ann 3A S2 $5", "bob F1 $6", "cyd $7")
    after_it = merged(state, "3A S").state
    assert [player.cash for player in after_it.players] == [5, 6, 7]


KEEP_OR_RETURN = {"A3 $0", "$900"}
HOLD_SELL_TRADE = {"A3 $0", "A2 $300", "A1 $600", "$900", "A1 S1 $0", "S1 $300"}


@by_rulebook(revised=KEEP_OR_RETURN, others=HOLD_SELL_TRADE)
def test_disposal(rulebook: Rulebook, expected: set[str]) -> None:
    """All that can be done with three certificates of A at 300 dollars; the bank has one of S.

    Bob and cyd have more of A, so that ann is paid no bonus.
    """
    answers: list[PlayerMessage] = [messages.KeepAnswer((kept,)) for kept in (True, False)]
    if expected is HOLD_SELL_TRADE:
        answers = [messages.DisposeAnswer(sell, trade) for sell in range(5) for trade in range(5)]
    outcomes = set()
    state = scene(rulebook, "AA.SSS", "ann 3A A3", "bob A5", "cyd A4 S24", bag="1I")
    for answer in answers:
        game = told(state, ("ann", merging(rulebook, "3A S")), ("ann", answer))
        if game.waits_for == ("ann", "players"):
            outcomes.add(possessions(rulebook, game.asked[-1][1], "ann"))
        else:
            assert game.broken, answer
    assert outcomes == expected


@by_rulebook(revised="dan:FA ann:FA cyd:FA bob:FA", others="ann:F cyd:F dan:A cyd:A")
def test_who_is_asked(rulebook: Rulebook, expected: str) -> None:
    """F and A are acquired; dan moves, and bob has nothing of either."""
    seats = [f"dan {CENTRE} A1", "ann F2", "cyd F1 A1", "bob S3"]
    state = scene(rulebook, crossing(A=2, F=3, S=4), *seats)
    asked = []
    for name, message in told(state, ("dan", merging(rulebook, f"{CENTRE} S"))).asked:
        match message:
            case messages.Keep(hotels):
                asked.append(f"{name}:{initials_of(hotels, rulebook)}")
            case messages.Dispose(hotel):
                asked.append(f"{name}:{initials_of([hotel], rulebook)}")
    assert asked == expected.split()


# -- Buying ----------------------------------------------------------------------------------------


@by_rulebook(revised="A AA", others="A AA AF AAA AAF AFS")
def test_order_limit(rulebook: Rulebook, expected: str) -> None:
    state = scene(rulebook, "AA.FF.SS", "ann $9000", "bob", "cyd")
    orders = ["A", "AA", "AF", "AAA", "AAF", "AFS", "AAAA", "AAFS"]
    legal = [o for o in orders if verify_order(state, by_initials(o, rulebook)) is None]
    assert legal == expected.split()
    assert all(
        (tuple(sorted(by_initials(order, rulebook))) in legal_orders(state)) == (order in legal)
        for order in orders
    )


@by_rulebook(
    revised="American Continental Festival Imperial Sackson Tower",
    others="America Sackson",
    classic="American Sackson",
    wikipedia="American Sackson",
)
def test_buys_of(rulebook: Rulebook, expected: str) -> None:
    """American or America and Sackson are on the board."""
    state = scene(rulebook, "AA.SS", "ann $1000", "bob", "cyd")
    bought = {order[0] for order in legal_orders(state) if order}
    assert " ".join(rulebook.hotel_name(hotel) for hotel in sorted(bought)) == expected


@in_all
def test_priced(rulebook: Rulebook) -> None:
    """A grows to 3 tiles and costs 400; a bonus of 3,000 buys of S with 6 tiles, at 600."""
    state = scene(rulebook, "AA", "ann 3A $850", "bob 1I", "cyd 3I", bag="5I 6I")
    game = told(state, ("ann", pbuy(rulebook, "3A", "AA")))
    assert owned(game.state, "ann") == "A2 $50"
    state = scene(rulebook, "AA.SSS", "ann 3A A2", "bob 1I A1", "cyd 3I", bag="5I 6I")
    script = [("ann", merging(rulebook, "3A S")), ("ann", ordering(rulebook, "SS"))]
    game = told(state, *script)
    assert game.waits_for == ("bob", "turn")
    assert owned(game.state, "ann") == "A2 S2 $1800"


@by_rulebook(revised=None, others="F1 $200")
def test_buys_without_placing(rulebook: Rulebook, expected: str | None) -> None:
    state = scene(rulebook, ROW_E_IS_DEAD, "ann 1E $500", "bob 1I", "cyd 2I")
    if expected is None:
        over = told(state).outcome
        assert over is not None and over[:2] == (Ending.NOTHING_PLACEABLE, 0)
    else:
        game = told(state, ("ann", only_buying(rulebook, "F")))
        assert game.waits_for == ("bob", "turn")
        assert [event.name for event in game.of(events.NothingPlaced)] == ["ann"]
        assert owned(game.state, "ann") == expected


# -- Drawing, and hands that cannot move -----------------------------------------------------------


@by_rulebook(revised="1B", others="1B", wikipedia="1B 3B 5B 7B")
def test_draws(rulebook: Rulebook, expected: str) -> None:
    """Ann has two tiles left of six when she has placed one."""
    bag = "1B 3B 5B 7B 9B 11B 1C"
    state = scene(rulebook, "", "ann 1I 3I 5I", "bob 7I", "cyd 9I", bag=bag)
    game = told(state, ("ann", pbuy(rulebook, "1I")))
    drawn = " ".join(tile_name(drew.tile) for drew in game.of(events.Drew))
    assert drawn == expected
    assert names(game.state.player("ann").hand) == f"{expected} 3I 5I"
    told_of = [asked.tile for _, asked in game.asked if isinstance(asked, messages.NewTile)]
    assert told_of == list(tiles(expected))


@by_rulebook(revised=("1E 3I", ""), others=("2E 3I", "1E"), wikipedia=("1E 2E 3I 5I", ""))
def test_dead_tiles(rulebook: Rulebook, expected: tuple[str, str]) -> None:
    """Of ann's 9I and 1E the latter is dead; 2E is as well, and stays for this turn."""
    hand, aside = expected
    state = scene(rulebook, ROW_E_IS_DEAD, "ann 9I 1E", "bob 7I", "cyd 11I", bag="3I 2E 5I")
    game = told(state, ("ann", pbuy(rulebook, "9I")))
    assert names(game.state.player("ann").hand) == hand
    assert [names(event.tiles) for event in game.of(events.SetAside)] == aside.split()
    last = game.asked[-1][1]
    assert names(last.view.aside if isinstance(last, messages.TurnView) else 0) == aside


@by_rulebook(revised=[None, None], others=["1E 2E", "1E 2E"], wikipedia=["3E 9I", "3E 4E"])
def test_stuck_hand(rulebook: Rulebook, expected: list[str | None]) -> None:
    """The hand with which ann moves, with two bags, if she takes a new one where she may."""
    for bag, hand in zip(["9I 3E 7I", "3E 4E 7I"], expected, strict=True):
        state = scene(rulebook, ROW_E_IS_DEAD, "ann 1E 2E", "bob 3I", "cyd 11I", bag=bag)
        game = told(state)
        if hand is None:
            assert game.outcome is not None
            assert game.outcome.ending is Ending.NOTHING_PLACEABLE
            continue
        chosen: list[tuple[str, PlayerMessage]] = []
        if hand != "1E 2E":
            assert game.waits_for == ("ann", "replace")
            assert names(seen(game.asked[-1][1], "ann").hand) == "1E 2E"
            kept = told(state, ("ann", messages.ReplaceAnswer(replaces=False)))
            assert names(seen(kept.asked[-1][1], "ann").hand) == "1E 2E"
            assert kept.waits_for == ("ann", "turn") and not kept.of(events.SetAside)
            chosen = [("ann", messages.ReplaceAnswer(replaces=True))]
            game = told(state, *chosen)
        assert game.waits_for == ("ann", "turn")
        assert names(seen(game.asked[-1][1], "ann").hand) == hand
        aside = [names(event.tiles) for event in game.of(events.SetAside)]
        assert aside == ([] if hand == "1E 2E" else ["1E 2E"])
        passed = told(state, *chosen, ("ann", only_buying(rulebook)))
        assert passed.broken == ([Violation.PLACEMENT_DUE] if "9I" in hand else [])
        assert passed.waits_for == ("bob", "turn")


@by_rulebook(revised=Ending.BAG_EMPTY, others=None)
def test_empty_bag(rulebook: Rulebook, expected: Ending | None) -> None:
    state = scene(rulebook, "", "ann 1I 3I", "bob 5I", "cyd 7I")
    game = told(state, ("ann", pbuy(rulebook, "1I")))
    assert names(game.state.player("ann").hand) == "3I"
    if expected is None:
        assert game.waits_for == ("bob", "turn")
    else:
        assert game.outcome is not None and game.outcome.ending is expected


# -- The end ---------------------------------------------------------------------------------------


@by_rulebook(revised=("referee", "A12, A40 S2, A41 S2"), others=("ann", "A11, A12, A41 S2"))
def test_regular_ending(rulebook: Rulebook, expected: tuple[str, str]) -> None:
    """Who can end the game, and with which hotels on the board; ann moves, and buys one of A."""
    ended, declared, refused = [], [], []
    for large, small in [(0, 0), (10, 0), (11, 0), (12, 0), (39, 2), (40, 2), (41, 2)]:
        rows = [*block("A", large).split("\n"), *["."] * 9][:8]
        drawing = "\n".join(row or "." for row in [*rows, "S" * small])
        state = scene(rulebook, drawing, "ann 12G $2000", "bob 11G", "cyd 9G", bag="12I 9I")
        if told(state).outcome is not None:
            ended.append(sizes(state))
            continue
        order = "A" if large else ""
        game = told(state, ("ann", pbuy(rulebook, "12G", order, end=True)))
        if game.outcome is None:
            assert game.broken == [Violation.NOT_OVER]
            refused.append(sizes(state))
        else:
            assert game.outcome.ending.regular and game.outcome.turns == 1
            assert [event.name for event in game.of(events.Declared)] == ["ann"]
            assert len(game.of(events.Placed)) == len(game.of(events.Bought)) == 1
            declared.append(sizes(state))
            goes_on = told(state, ("ann", pbuy(rulebook, "12G", order)))
            assert goes_on.waits_for == ("bob", "turn")
    by, when = expected
    assert ", ".join(ended) == (when if by == "referee" else "")
    assert ", ".join(declared) == (when if by == "ann" else "")
    assert "" in refused and "A10" in refused and "A39 S2" in refused


@by_rulebook(revised=None, others="41")
def test_declaration(rulebook: Rulebook, expected: str | None) -> None:
    """A hotel that ann makes one larger, to 39, 40 and 41: may she declare the end, must she?

    She may also when all hotels were safe at the start of her turn, and she founds one.
    """
    for size in (39, 40, 41) if expected else (39,):  # of 40 it is over by itself
        tile = f"{(size - 1) % 12 + 1}D"
        state = scene(rulebook, f"{block('A', size - 1)}\n\nSS", f"ann {tile}", "bob", "cyd")
        game = told(state, ("ann", pbuy(rulebook, tile, end=True)))
        if expected is None or size < int(expected):
            assert game.broken == [Violation.NOT_OVER] and not game.of(events.Declared)
        else:
            assert game.of(events.Declared) and game.outcome is not None
            silent = told(state, ("ann", pbuy(rulebook, tile)))
            assert silent.outcome is None and silent.waits_for == ("bob", "turn")
    if expected:
        state = scene(rulebook, f"{block('A', 12)}\n\no", "ann 2C $2000", "bob", "cyd")
        game = told(state, ("ann", pbuy(rulebook, "2C S", "SS", end=True)))
        assert game.outcome is not None and game.outcome.ending is Ending.ALL_SAFE
        assert len(game.of(events.Bought)) == 1 and sizes(game.state) == "A12 S2"


DEAD = Ending.DEAD_ROUND


@by_rulebook(
    revised=[(Ending.NOTHING_PLACEABLE, 0), (Ending.BAG_EMPTY, 1), (Ending.NOTHING_PLACEABLE, 0)],
    others=[(DEAD, 3), (DEAD, 6), (DEAD, 6)],
    wikipedia=[(DEAD, 3), (DEAD, 6), (DEAD, 3)],
)
def test_irregular_ending(rulebook: Rulebook, expected: list[tuple[Ending, int]]) -> None:
    """The bag is empty: no tile in hand, one tile each, a dead one each."""
    endings = []
    for seats in ["ann/bob/cyd", "ann 1I/bob 3I/cyd 5I", "ann 1E/bob 3E/cyd 5E"]:
        outcome = played(scene(rulebook, ROW_E_IS_DEAD, *seats.split("/")))
        endings.append((outcome.ending, outcome.turns))
    assert endings == expected


@in_all
def test_pay_out(rulebook: Rulebook) -> None:
    """A of 3 costs 400 and S of 2 costs 200; nobody has a tile left."""
    state = scene(rulebook, "AAA.SS", "ann A2 S1 $50", "bob A1 S3", "cyd $70")
    happened: list[Event] = []
    scores = {place.name: place.score for place in played(state, happened).standings}
    bonuses = [
        f"{initials_of([event.hotel], rulebook)}: {event.name} {event.amount}"
        for event in happened
        if isinstance(event, events.BonusPaid)
    ]
    assert bonuses == ["A: ann 4000", "A: bob 2000", "S: ann 1000", "S: bob 2000"]
    assert scores == {
        "ann": 50 + 4_000 + 1_000 + 2 * 400 + 200,
        "bob": 2_000 + 2_000 + 400 + 3 * 200,
        "cyd": 70,
    }


@in_all
def test_worthless(rulebook: Rulebook) -> None:
    state = scene(rulebook, "AA", "ann F25 $50", "bob S2", "cyd $70")
    scores = {place.name: place.score for place in played(state).standings}
    assert scores == {"ann": 50, "bob": 0, "cyd": 70}


@in_all
def test_winner(rulebook: Rulebook) -> None:
    state = scene(rulebook, "", "ann $500", "bob $700", "cyd $700", "dan $100")
    ranks = {place.name: place.rank for place in played(state).standings}
    assert ranks == {"bob": 1, "cyd": 1, "ann": 3, "dan": 4}


@in_all
def test_ejection(rulebook: Rulebook) -> None:
    """Ann and then bob break a rule; cyd plays on. The bag is shuffled by being turned round."""
    seats = ["ann 1I 3I A3 $9000", "bob 5I A1 F2 $8000", "cyd 7I A1 $30"]
    state = scene(rulebook, "", *seats, bag="1B 3B")
    happened: list[Event] = []
    outcome = played(state, happened, cheats="ann bob")
    first = [event.state for event in happened if isinstance(event, events.TurnBegan)][:3]
    assert ["".join(player.name[0] for player in turn.players) for turn in first] == [
        "abc", "bc", "c",
    ]  # fmt: skip
    a, f = by_initials("AF", rulebook)
    assert [(turn.bank[a], turn.bank[f]) for turn in first] == [(20, 23), (23, 23), (24, 25)]
    bags = ["1B 3B", "3I 1I 3B 1B", "5I 1B 3B 1I 3I"]
    assert [turn.bag for turn in first] == [tiles(bag) for bag in bags]
    assert [owned(turn, "cyd") for turn in first] == ["A1 $30"] * 3
    places = [(place.rank, place.name, place.finished) for place in outcome.standings]
    assert places == [(1, "cyd", True), (2, "bob", False), (3, "ann", False)]
    assert [place.score for place in outcome.standings[1:]] == [0, 0]


# -- Two players -----------------------------------------------------------------------------------


def by_two(rulebook: Rulebook, drawing: str, bag: str, *merged: str) -> Told:
    """Ann, who holds one of A, places 3A beside bob, and ends the game unless hotels are merged."""
    answers = [merging(rulebook, each) for each in merged] or [pbuy(rulebook, "3A", end=True)]
    state = scene(rulebook, drawing, "ann 3A A1", "bob", bag=bag)
    return told(state, *(("ann", answer) for answer in answers))


def two_cannot_play(rulebook: Rulebook) -> None:
    with pytest.raises(ValueError, match="is for 3 to 6 players, not 2"):
        told(scene(rulebook, "", "ann", "bob"))


@by_rulebook(revised=None, others=[[], []], classic=[[9], [0]], wikipedia=None)
def test_market_in_a_merger(rulebook: Rulebook, expected: list[list[int]] | None) -> None:
    """A bag that begins with 9F, and an empty one."""
    if expected is None:
        return two_cannot_play(rulebook)
    games = [by_two(rulebook, "AA.SSS", bag, "3A S") for bag in ("9F 5I", "")]
    held = [[event.shares for event in game.of(events.MarketDrew)] for game in games]
    assert held == expected


BESIDE_F = "AA.SSS\n.....S\n.....S\n.....S\n..FF.S\n\n.o"
BETWEEN_SAFE = "AA.SSSSSSSSS\n...SSSSS....\n\n.FFFFFFFFFFF\n.F"


@by_rulebook(
    revised=None,
    others=["", "", ""],
    classic=["2H singleton", "5E merging, 9I singleton", "5C aside"],
    wikipedia=None,
)
def test_markets_tiles(rulebook: Rulebook, expected: list[str] | None) -> None:
    """2H is below a loose tile, 5E between F and the survivor S, 5C between two safe hotels."""
    if expected is None:
        return two_cannot_play(rulebook)
    found = []
    for drawing, tile in ((BESIDE_F, "2H"), (BESIDE_F, "5E"), (BETWEEN_SAFE, "5C")):
        script = ["3A S", "5E S"] if tile == "5E" and any(expected) else ["3A S"]
        placed = by_two(rulebook, drawing, f"{tile} 9I", *script).of(events.MarketPlaced)
        kinds = [each.kind.value if each.kind else "aside" for each in placed]
        tiles = [tile_name(each.tile) for each in placed]
        found.append(", ".join(map("{} {}".format, tiles, kinds)))
    assert found == expected


@by_rulebook(revised=None, others=[], classic=["S 7", "A 5"], wikipedia=None)
def test_market_at_the_end(rulebook: Rulebook, expected: list[str] | None) -> None:
    """S is larger than A; both are safe, and ann ends the game."""
    if expected is None:
        return two_cannot_play(rulebook)
    drawing = "AA..........\nAAAAAAAAAAAA\n\nSSSSSSSSSSSS\nSSSSSS......"
    drew = by_two(rulebook, drawing, "7I 5I 3I").of(events.MarketDrew)
    names = [f"{rulebook.hotel_name(event.hotel)[0]} {event.shares}" for event in drew]
    assert names == expected


# -- The rows themselves ---------------------------------------------------------------------------


def test_every_row_has_its_test_which_runs_for_all_five_rulebooks() -> None:
    here = {
        name.removeprefix("test_"): test
        for name, test in globals().items()
        if name.startswith("test_") and "_every_row_" not in name
    }
    assert list(here) == [row.slug for row in ROWS]
    for slug, test in here.items():
        marks = test.pytestmark
        assert [mark.name for mark in marks] == ["parametrize"], slug
        cases = {case.id: case.values[0] for case in marks[0].args[1]}
        assert cases == {i: RULEBOOKS[i] for i in RULEBOOKS}, slug
        assert list(cases) == IDS
