"""The built-in players: what each chooses, and that it is legal."""

from collections import Counter
from contextlib import suppress

import pytest
from loops import for_each
from positions import at_table, crossing, hotels, named, placement, player
from quick_players import QUICK
from quiet_games import play_quietly

from acquire.admin.refereeing.play.events import Event, Returned
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.game.placement import Placement
from acquire.game.purchase import Order, legal_orders
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import State
from acquire.player.strategies.simple import LargestAlpha, Ordered, Random, SmallestAnti
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages

SIMPLE = (Random, Ordered, LargestAlpha, SmallestAnti)
every_player = for_each("name", QUICK)


# -- placing ------------------------------------------------------------------------------------

AT_A_MERGER = crossing(Tower=3, Sackson=3)


@for_each(
    ("strategy", "drawing", "hand", "chosen"),
    [
        # the first or the last tile row by row
        (Ordered, "", "9I 2C 12A 3C", "12A"),
        (SmallestAnti, "", "9I 2C 12A 3C", "12A"),
        (LargestAlpha, "", "9I 2C 12A 3C", "9I"),
        # founds the first hotel
        (Ordered, "o...", "2A 5E", "2A American"),
        (SmallestAnti, "o...", "2A 5E", "2A American"),
        (LargestAlpha, "o...", "2A", "2A American"),
        (Ordered, "AA.....o", "9A", "9A Continental"),
        # playable tiles alone
        (Ordered, "AA.o", "3A 1I", "1I"),
        (LargestAlpha, "AA.o", "1I 1H 3A", "1I"),
        # the first of equals survives
        (Ordered, AT_A_MERGER, "6E", "6E Sackson"),
        (LargestAlpha, AT_A_MERGER, "6E", "6E Sackson"),
        (SmallestAnti, crossing(Tower=3, Sackson=2), "6E", "6E Tower"),
    ],
)
def test_placement(strategy: type[Strategy], drawing: str, hand: str, chosen: str) -> None:
    state = at_table(drawing, player("ann", hand), player("bob"), player("cyd"))
    assert strategy(REVISED, 0).place(state) == placement(*chosen.split())


# -- ordering -----------------------------------------------------------------------------------

SOLD_OUT = {"American": 25}
ONE_LEFT = {"American": 24}
TOWERS_BUT_ONE = {"Tower": 24}


def with_cash(drawing: str, cash: int, **held_by_bob: int) -> State:
    """A position for an order: ann has this cash, bob some of the certificates."""
    bob = player("bob", "", 8_000, **held_by_bob)
    return at_table(drawing, player("ann", "1I", cash), bob, player("cyd"))


@for_each(
    ("strategy", "state", "order"),
    [
        # as many as possible of the first or the last hotel that has a price
        (Ordered, with_cash("", 8_000), "American American"),
        (LargestAlpha, with_cash("", 8_000), "American American"),
        (SmallestAnti, with_cash("", 8_000), "Tower Tower"),
        (SmallestAnti, with_cash("WW", 8_000), "Worldwide Worldwide"),
        # that the cash pays for
        (Ordered, with_cash("", 399), "American"),
        (Ordered, with_cash("AAAA", 400), "Continental"),
        (Ordered, with_cash("", 199), ""),
        (SmallestAnti, with_cash("", 299), "Imperial"),
        # that the bank has
        (Ordered, with_cash("", 8_000, **SOLD_OUT), "Continental Continental"),
        (Ordered, with_cash("", 8_000, **ONE_LEFT), "American"),
        (SmallestAnti, with_cash("", 8_000, **TOWERS_BUT_ONE), "Tower"),
    ],
)
def test_order(strategy: type[Strategy], state: State, order: str) -> None:
    assert strategy(REVISED, 0).order(state) == hotels(order)


# -- chance -------------------------------------------------------------------------------------


def test_random_chooses_all_legal_placements_about_equally_often() -> None:
    state = at_table("o...", player("ann", "2A 5E"), player("bob"), player("cyd"))
    chooser = Random(REVISED, 1)
    seen = Counter(named(chooser.place(state)) for _ in range(800))
    founding = [("2A", name.name, ()) for name in REVISED.hotels]
    assert {*seen} == {*founding, ("5E", None, ())}
    assert all(60 < count < 140 for count in seen.values())


def test_random_orders_none_one_or_two_about_equally_often_and_every_hotel() -> None:
    state = with_cash("", 8_000)
    chooser = Random(REVISED, 1)
    seen = Counter(chooser.order(state) for _ in range(1_200))
    assert {*seen} == {*legal_orders(state)}
    assert all(340 < count < 460 for count in Counter(map(len, seen.elements())).values())


def test_random_orders_none_where_it_cannot_pay() -> None:
    chooser = Random(REVISED, 1)
    assert {chooser.order(with_cash("", 0)) for _ in range(20)} == {()}


def test_random_depends_only_on_its_seed() -> None:
    first, again, other = [moves(Random, seed) for seed in (1, 1, 2)]
    assert first == again != other


@pytest.mark.parametrize("strategy", [Ordered, LargestAlpha, SmallestAnti])
def test_the_others_do_not_depend_on_a_seed(strategy: type[Strategy]) -> None:
    assert moves(strategy, 1) == moves(strategy, 2)


def moves(strategy: type[Strategy], seed: int) -> list[Event]:
    return played([strategy(REVISED, seed + seat) for seat in range(3)], 7)[1]


# -- whole games --------------------------------------------------------------------------------


def played(players: list[Strategy], seed: int) -> tuple[Outcome, list[Event]]:
    """Play a game in this process, and return its outcome and its events."""
    seats = {f"player-{number}": one for number, one in enumerate(players, 1)}
    happened: list[Event] = []
    return play_quietly(REVISED, seats, seed, emit=happened.append), happened


@pytest.mark.parametrize("strategy", SIMPLE)
def test_simple_players_keep_all_certificates_in_every_merger(strategy: type[Strategy]) -> None:
    for seed in range(3):
        _, happened = played([strategy(REVISED, seed + seat) for seat in range(3)], seed)
        assert not any(isinstance(event, Returned) for event in happened)


# -- what every player does with a message ------------------------------------------------------

POSITION = at_table(AT_A_MERGER, player("ann", "6E 1A"), player("bob"), player("cyd"))


@every_player
@for_each("acquired", ["Tower", "Tower Sackson", "Tower Sackson American"])
def test_keep_is_answered_for_every_acquired_hotel(name: str, acquired: str) -> None:
    one = QUICK[name](REVISED, 0)
    one(messages.SignUp("ann"))
    drawing = crossing(Tower=2, Sackson=2, American=2, Festival=3)
    state = at_table(drawing, player("bob", "6E"), player("ann"), player("cyd"))
    one(messages.State(state.board, state.players))
    answer = one(messages.Keep(hotels(acquired)))
    assert isinstance(answer, messages.KeepAnswer)
    assert len(answer.decisions) == len(acquired.split())


@pytest.mark.parametrize("strategy", SIMPLE)
def test_merger_is_answered_by_a_bare_placement_and_a_later_order(strategy: type[Strategy]) -> None:
    state = at_table(AT_A_MERGER, player("ann", "6E", 0), player("bob"), player("cyd"))
    one = strategy(REVISED, 0)
    answer = one(messages.Turn(state.board, state.players))
    assert isinstance(answer, messages.Merge)
    assert answer.placement.tile == placement("6E").tile
    richer = player("ann", "", 1_000)
    answer = one(messages.Players((richer, *state.players[1:])))
    assert isinstance(answer, messages.Order)
    if strategy is Ordered:
        assert answer.hotels == hotels("American American")


@pytest.mark.parametrize("strategy", [Ordered, LargestAlpha, SmallestAnti])
def test_order_of_a_merger_is_priced_after_it(strategy: type[Strategy]) -> None:
    """Its certificates are priced by the seven tiles of the survivor, not by three."""
    poor = player("ann", "6E", 699)
    drawing = crossing(Sackson=3, Worldwide=3)
    everything = {name.name: 25 for name in REVISED.hotels if name.name != "Sackson"}
    bob = player("bob", "", 8_000, **everything)
    state = at_table(drawing, poor, bob, player("cyd"))
    one = strategy(REVISED, 0)
    one(messages.Turn(state.board, state.players))
    answer = one(messages.Players((player("ann", "", 599), *state.players[1:])))
    assert answer == messages.Order(())
    one(messages.Turn(state.board, state.players))
    answer = one(messages.Players((player("ann", "", 600), *state.players[1:])))
    assert answer == messages.Order(hotels("Sackson"))


def test_position_that_it_thinks_about_has_an_empty_bag() -> None:
    class Inspector(Ordered):
        def place(self, state: State) -> Placement:
            assert state.bag == ()
            assert state.bank == (25,) * 7
            return super().place(state)

        def order(self, state: State) -> Order:
            assert state.bag == ()
            return super().order(state)

    inspector = Inspector(REVISED, 0)
    inspector(messages.Turn(POSITION.board, POSITION.players))
    assert inspector.state is not None and inspector.name == "ann"


# -- positions of its own -----------------------------------------------------------------------


class Careless(Ordered):
    """Changes the positions that it is given, as nothing prevents in pure Python."""

    careful = False

    def order(self, state: State) -> Order:
        """Take all the money of another player, and clear the board."""
        order = super().order(state)
        for position in (state, self.state):
            assert position is not None
            for record, field in ((position.board, "loose"), (position.players[-1], "cash")):
                if not self.careful:
                    with suppress(AttributeError):  # compiled records cannot be changed
                        setattr(record, field, 0)
        return order


class Careful(Careless):
    """Does not."""

    careful = True


@for_each("rulebook", [REVISED, CLASSIC])
def test_player_that_changes_its_positions_changes_nothing_else(rulebook: Rulebook) -> None:
    outcomes, happened = [], []
    for kind in (Careless, Careful):
        seen: list[str] = []
        players = {name: kind(rulebook, 1) for name in ("ann", "bob", "cyd")}

        def emit(event: Event, seen: list[str] = seen) -> None:
            seen.append(repr(event))

        outcomes.append(play_quietly(rulebook, players, 5, emit=emit))
        happened.append(seen)
    assert outcomes[0] == outcomes[1]
    assert happened[0] == happened[1]
