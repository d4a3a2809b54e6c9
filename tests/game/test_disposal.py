"""An acquired hotel's certificates: kept or returned; held, sold and traded."""

import pytest
from loops import for_each
from positions import (
    CENTRE,
    at_table,
    by_initials,
    cash,
    crossing,
    held,
    hotel,
    hotels,
    move,
    owned,
    placement,
    player,
    scene,
)

from acquire.game.disposal import (
    Disposal,
    dispose,
    holders,
    keep,
    legal_disposals,
    verify_disposal,
    verify_keep,
)
from acquire.game.merger import Merger, join, merge, pay_bonuses
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, WIKIPEDIA
from acquire.game.violation import Violation

TOWER = hotel("Tower")

# Keeping and returning: the protocol's question


def merged(*certificates: dict[str, int]) -> Merger:
    """Festival 3 and Tower 2, at 400 dollars each, go to Sackson 4; nobody has other cash."""
    owners = [
        player(name, CENTRE if name == "a" else "", 0, **held_by)
        for name, held_by in zip("abcdef", certificates, strict=False)
    ]
    state = at_table(crossing(Festival=3, Tower=2, Sackson=4), *owners)
    return merge(state, placement(CENTRE, "Sackson"))


def test_returned_certificates_are_paid_at_the_price_before_the_merger() -> None:
    merger = merged({"Tower": 3}, {"Festival": 2}, {})
    before = cash(merger.state)
    assert merger.acquired == hotels("Festival Tower") and merger.prices == (400, 400)
    after = keep(merger, "a", (True, False)).state
    assert after.player("a").cash == before["a"] + 3 * 400
    assert held(after.player("a")) == {}
    assert after.bank[TOWER] == 25
    assert after.players[1:] == merger.state.players[1:]


def test_kept_certificates_stay_and_nothing_is_paid() -> None:
    merger = merged({"Tower": 3}, {}, {})
    assert keep(merger, "a", (True, True)) == merger


def test_each_acquired_hotel_is_kept_or_returned_by_itself() -> None:
    merger = merged({"Tower": 3, "Festival": 2, "Sackson": 1}, {}, {})
    start = merger.state.player("a").cash
    outcomes = {}
    for decisions in [(True, True), (True, False), (False, True), (False, False)]:
        owner = keep(merger, "a", decisions).state.player("a")
        outcomes[decisions] = (owner.cash - start, held(owner))
    assert outcomes == {
        (True, True): (0, {"Festival": 2, "Sackson": 1, "Tower": 3}),
        (True, False): (1_200, {"Festival": 2, "Sackson": 1}),
        (False, True): (800, {"Sackson": 1, "Tower": 3}),
        (False, False): (2_000, {"Sackson": 1}),
    }


def test_who_has_none_returns_none() -> None:
    merger = merged({"Tower": 3}, {}, {"Sackson": 2})
    assert keep(merger, "b", (False, False)) == merger
    assert keep(merger, "c", (False, False)) == merger


def test_all_are_asked_and_the_bank_has_what_each_returned_at_once() -> None:
    merger = merged({"Tower": 3}, {"Tower": 4}, {"Tower": 5})
    banks = []
    for name, kept in [("a", False), ("b", True), ("c", False)]:
        merger = keep(merger, name, (True, kept))
        banks.append(merger.state.bank[TOWER])
    assert banks == [16, 16, 21]


def test_answering_leaves_the_rest_of_the_merger_as_it_was() -> None:
    merger = merged({"Tower": 3}, {"Tower": 1}, {})
    after = keep(merger, "a", (False, False))
    assert after == merger._replace(state=after.state)
    assert after.state.board == merger.state.board and after.state.bag == merger.state.bag


@pytest.mark.parametrize(
    ("decisions", "received"),
    [((), "0 answers"), ((True,), "1 answer"), ((True, False, True), "3 answers")],
)
def test_keep_is_answered_once_for_each_acquired_hotel(
    decisions: tuple[bool, ...], received: str
) -> None:
    merger = merged({}, {}, {})
    assert verify_keep(merger, (True, False)) is None
    assert verify_keep(merger, decisions) == (
        Violation.KEEP_COUNT,
        f"Received {received} for 2 acquired hotels (Festival, Tower).",
    )
    with pytest.raises(ValueError, match="zip"):
        keep(merger, "a", decisions)


def test_no_other_player_can_answer() -> None:
    with pytest.raises(KeyError, match="zoe"):
        keep(merged({}, {}, {}), "zoe", (True, True))


# Holding, selling, trading: what the other rulebooks ask

ASKING = [CORPORATIONS, CLASSIC, WIKIPEDIA, DIGEST]


def acquiring(*seats: str, rulebook: Rulebook = CLASSIC) -> Merger:
    """F of 3 tiles, at 400 dollars, then A of 2, at 300, go to S; no bonus is paid."""
    ann, *others = seats
    drawing = crossing(F=3, A=2, S=4)
    state = scene(rulebook, drawing, f"{ann} {CENTRE}", *others)
    return join(state, move(f"{CENTRE} S", rulebook))


def index(initial: str, rulebook: Rulebook = CLASSIC) -> int:
    (found,) = by_initials(initial, rulebook)
    return found


def test_two_certificates_are_traded_for_one() -> None:
    assert [Disposal(0, trade).gained for trade in (0, 2, 4, 24)] == [0, 1, 2, 12]
    assert Disposal() == Disposal(sell=0, trade=0)


@pytest.mark.parametrize("rulebook", ASKING, ids=lambda rulebook: rulebook.id)
def test_certificates_are_held_sold_and_traded_in_any_mix(rulebook: Rulebook) -> None:
    """Sold at the price before the merger; nothing is paid for what is traded or held."""
    merger = acquiring("ann F7 $10", "bob", rulebook=rulebook)
    after = dispose(merger, "ann", index("F", rulebook), Disposal(sell=2, trade=4)).state
    assert owned(after, "ann") == "F1 S2 $810"
    assert (after.bank[index("F", rulebook)], after.bank[index("S", rulebook)]) == (24, 23)


@for_each(
    ("disposed", "left"),
    [
        ((0, 0), "F6 $0"),
        ((6, 0), "$2400"),
        ((1, 0), "F5 $400"),
        ((0, 6), "S3 $0"),
        ((0, 2), "F4 S1 $0"),
        ((2, 4), "S2 $800"),
        ((4, 2), "S1 $1600"),
    ],
    ids=["all held", "all sold", "one sold", "all traded", "two traded", "2 and 4", "4 and 2"],
)
def test_whatever_is_neither_sold_nor_traded_is_held(disposed: tuple[int, int], left: str) -> None:
    merger = acquiring("ann F6", "bob")
    assert verify_disposal(merger, "ann", index("F"), Disposal(*disposed)) is None
    assert owned(dispose(merger, "ann", index("F"), Disposal(*disposed)).state, "ann") == left


def test_each_acquired_hotel_sells_at_its_own_price_before_the_merger() -> None:
    merger = acquiring("ann F1 A1", "bob")
    assert merger.acquired == by_initials("FA", CLASSIC) and merger.prices == (400, 300)
    for initial, left in [("F", "A1 $400"), ("A", "F1 $300")]:
        sold = dispose(merger, "ann", index(initial), Disposal(sell=1)).state
        assert owned(sold, "ann") == left


@pytest.mark.parametrize("name", ["ann", "bob", "cyd"])
def test_only_the_one_who_disposes_and_the_bank_are_changed(name: str) -> None:
    merger = acquiring("ann F4 A1", "bob F4 A1", "cyd F4 A1")
    after = dispose(merger, name, index("F"), Disposal(1, 2))
    others = [other for other in ("ann", "bob", "cyd") if other != name]
    assert all(after.state.player(other) == merger.state.player(other) for other in others)
    assert owned(after.state, name) == "A1 F1 S1 $400"
    assert after == merger._replace(state=after.state)
    assert after.state.board == merger.state.board and after.state.bag == merger.state.bag


def test_holding_all_leaves_everything_as_it_was() -> None:
    merger = acquiring("ann F4", "bob")
    assert dispose(merger, "ann", index("F"), Disposal()) == merger


def test_certificates_given_up_are_in_the_bank_for_the_next_at_once() -> None:
    """The bank has 13 of F and two of S."""
    merger = acquiring("ann F4 S22", "bob F4 S1", "cyd F4")
    f, s = index("F"), index("S")
    banks = [(merger.state.bank[f], merger.state.bank[s])]
    for name, disposed in [("ann", Disposal(4, 0)), ("bob", Disposal(0, 2)), ("cyd", Disposal(2))]:
        assert verify_disposal(merger, name, f, disposed) is None
        merger = dispose(merger, name, f, disposed)
        banks.append((merger.state.bank[f], merger.state.bank[s]))
    assert banks == [(13, 2), (17, 2), (19, 1), (21, 1)]


def test_later_holder_trades_only_for_what_the_earlier_have_left() -> None:
    merger = acquiring("ann F4 S22", "bob F4 S1", "cyd F4")
    f = index("F")
    assert verify_disposal(merger, "cyd", f, Disposal(0, 4)) is None
    merger = dispose(merger, "ann", f, Disposal(0, 2))
    illegal = verify_disposal(merger, "cyd", f, Disposal(0, 4))
    assert illegal is not None and illegal.violation is Violation.TRADE_TOO_LARGE
    merger = dispose(merger, "bob", f, Disposal(0, 2))
    assert verify_disposal(merger, "cyd", f, Disposal(0, 2)) is not None
    assert verify_disposal(merger, "cyd", f, Disposal(4, 0)) is None


def test_holders_alone_are_asked_the_mover_first_then_in_turn_order() -> None:
    merger = acquiring("dan A1", "ann F2", "cyd F1 A1", "bob S3")
    assert holders(merger, index("F")) == ["ann", "cyd"]
    assert holders(merger, index("A")) == ["dan", "cyd"]


def test_who_has_none_left_is_not_asked() -> None:
    merger = acquiring("ann F2", "bob F3")
    assert holders(merger, index("F")) == ["ann", "bob"]
    assert holders(dispose(merger, "ann", index("F"), Disposal(2, 0)), index("F")) == ["bob"]
    assert holders(acquiring("ann S1", "bob"), index("F")) == []


def test_bonus_of_the_next_hotel_is_paid_after_the_first_was_disposed_of() -> None:
    """What is done with the certificates of the larger changes nothing in those of the smaller."""
    merger = acquiring("ann F2 A2", "bob F1 A1")
    f, a = index("F"), index("A")
    merger = dispose(pay_bonuses(merger, [f]), "ann", f, Disposal(0, 2))
    assert owned(merger.state, "ann") == "A2 S1 $4000"
    merger = pay_bonuses(merger, [a])
    assert cash(merger.state) == {"ann": 4_000 + 3_000, "bob": 2_000 + 1_500}


@for_each(
    ("sell", "trade", "violation", "detail"),
    [
        (0, 1, Violation.ODD_TRADE, "1 Festival to be given up is an odd number."),
        (0, 3, Violation.ODD_TRADE, "3 Festival to be given up is an odd number."),
        (
            6, 0, Violation.NOT_OWNED,
            "Selling 6 and trading 0 needs 6 Festival; the player holds 5.",
        ),
        (
            4, 4, Violation.NOT_OWNED,
            "Selling 4 and trading 4 needs 8 Festival; the player holds 5.",
        ),
        (
            0, 4, Violation.TRADE_TOO_LARGE,
            "Trading 4 Festival needs 2 Sackson; the bank has 1.",
        ),
    ],
    ids=["one", "three", "more sold", "more in all", "more than the bank has"],
)  # fmt: skip
def test_disposal_that_breaks_a_rule(
    sell: int, trade: int, violation: Violation, detail: str
) -> None:
    merger = acquiring("ann F5 S24", "bob")
    illegal = verify_disposal(merger, "ann", index("F"), Disposal(sell, trade))
    assert illegal == (violation, detail)


def test_nobody_trades_when_the_bank_has_no_survivors_certificates_left() -> None:
    merger = acquiring("ann F5 S20", "bob S5")
    assert verify_disposal(merger, "ann", index("F"), Disposal(0, 2)) == (
        Violation.TRADE_TOO_LARGE,
        "Trading 2 Festival needs 1 Sackson; the bank has none.",
    )
    assert verify_disposal(merger, "ann", index("F"), Disposal(5, 0)) is None


def test_acquired_hotel_is_disposed_of_and_no_other() -> None:
    """Certificates of one acquired hotel cannot stand in for those of the other."""
    merger = acquiring("ann F1 A5", "bob")
    assert verify_disposal(merger, "ann", index("A"), Disposal(5, 0)) is None
    illegal = verify_disposal(merger, "ann", index("F"), Disposal(2, 0))
    assert illegal is not None and illegal.violation is Violation.NOT_OWNED


@for_each("left", range(5))
@for_each("held_by_ann", range(8))
def test_legal_disposals_are_all_that_break_no_rule(held_by_ann: int, left: int) -> None:
    merger = acquiring(f"ann F{held_by_ann} S{20 - left}", "bob S5")
    f = index("F")
    legal = [
        Disposal(sell, trade)
        for sell in range(held_by_ann + 3)
        for trade in range(held_by_ann + 3)
        if verify_disposal(merger, "ann", f, Disposal(sell, trade)) is None
    ]
    assert legal_disposals(held_by_ann, left) == legal
    for disposed in legal:
        after = dispose(merger, "ann", f, disposed).state
        assert min(after.bank) >= 0 and min(after.mover.shares) >= 0
        told = zip(after.bank, *(seated.shares for seated in after.players), strict=True)
        assert [sum(counts) for counts in told] == [25] * 7


def test_stranger_disposes_of_nothing() -> None:
    with pytest.raises(KeyError, match="zoe"):
        verify_disposal(acquiring("ann F1", "bob"), "zoe", index("F"), Disposal())
