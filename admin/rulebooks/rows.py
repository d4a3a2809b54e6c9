"""What the rulebooks say, row by row: a cell is drawn from the rulebook's data.

Where all rule texts agree, and nothing is left to choose, it is a sentence. A row has a slug; the
test that proves it is named after it.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from typing import NamedTuple

from game.rulebook import (
    MAJORITY,
    MINORITY,
    Assets,
    DeadTiles,
    DisposalRule,
    Draw,
    EighthHotel,
    EmptyBag,
    End,
    EqualAcquired,
    ForbiddenMerger,
    Hands,
    LooseNeighbours,
    Rulebook,
    SoleHolder,
    Start,
    StuckHand,
    nearest_dollar,
    next_hundred,
)
from game.rulebooks import RULEBOOKS


class Row(NamedTuple):
    """One row of the table: its section, its title, and what a rulebook has there."""

    section: str
    title: str
    slug: str
    cell: Callable[[Rulebook], str]


TIERS = ("cheap", "medium", "expensive")


def dollars(amount: int) -> str:
    """Write an amount of money."""
    return f"${amount:,}"


def tier_names(rulebook: Rulebook, tier: str) -> str:
    """Write the hotels of a price tier."""
    return ", ".join(hotel.name for hotel in rulebook.hotels if hotel.tier == tier)


def tier_prices(rulebook: Rulebook, tier: str) -> tuple[int, ...]:
    """Return the prices by size of a tier's hotels."""
    return next(
        prices
        for hotel, prices in zip(rulebook.hotels, rulebook.prices, strict=True)
        if hotel.tier == tier
    )


def smallest_sizes(rulebook: Rulebook, tier: str) -> dict[int, int]:
    """Return for each price of a tier the smallest size at which it holds."""
    sizes: dict[int, int] = {}
    for size, price in enumerate(tier_prices(rulebook, tier)):
        if price:
            sizes.setdefault(price, size)
    return sizes


def _off_board(rulebook: Rulebook) -> str:
    prices = [(tier, tier_prices(rulebook, tier)[0]) for tier in TIERS]
    told = [f"{tier} {dollars(price)}" for tier, price in prices if price]
    return ", ".join(told) or "none"


def _chosen(field: str, texts: Mapping[Enum, str]) -> Callable[[Rulebook], str]:
    """Say which of a field's closed choices a rulebook makes."""

    def cell(rulebook: Rulebook) -> str:
        return texts[getattr(rulebook, field)].format(rulebook=rulebook)

    return cell


def _always(text: str) -> Callable[[Rulebook], str]:
    return lambda rulebook: text.format(rulebook=rulebook)


def _for_two(text: str) -> Callable[[Rulebook], str]:
    """Say what is special where two play."""

    def cell(rulebook: Rulebook) -> str:
        if rulebook.min_players > 2:
            return "two cannot play"
        return text if rulebook.market_for_two else "there is no market"

    return cell


def _may_see(rulebook: Rulebook) -> str:
    if rulebook.hands is Hands.OPEN:
        return "everything, others' tiles included"
    assets = {
        Assets.OPEN: "cash and certificates of all",
        Assets.OPTIONAL: "cash and certificates of all, unless the table hides them",
        Assets.HIDDEN: "own cash and certificates",
    }
    return f"own tiles; {assets[rulebook.assets]}"


def _order(rulebook: Rulebook) -> str:
    mixed = "any mix" if rulebook.mixed_orders else "all of the same hotel"
    return f"{rulebook.order_limit} a turn, {mixed}"


def _buys(rulebook: Rulebook) -> str:
    if _off_board(rulebook) == "none":
        return "hotels on the board"
    return "any hotel that has a price at its present size, on the board or not"


def _regular(rulebook: Rulebook) -> str:
    ground = f"a hotel of {rulebook.final_size} or more, or all on the board safe (at least one)"
    if rulebook.end is End.ADMINISTRATOR:
        return f"the administrator, between turns: {ground}"
    return f"a player who declares it in his own turn: {ground}; he finishes the turn"


_ROUNDINGS: dict[Callable[[int, int], int], str] = {
    nearest_dollar: "to the nearest dollar, halves up",
    next_hundred: "up to the next $100",
}


def _irregular(rulebook: Rulebook) -> str:
    endings = []
    if rulebook.stuck_hand is StuckHand.ENDS_GAME:
        endings.append("the player to move can place none of his tiles")
    if rulebook.empty_bag is EmptyBag.ENDS_GAME:
        endings.append("no tile is left to hand back")
    return "; ".join(endings) or "a full round in which nobody placed a tile and no hand changed"


_SETUP, _HOTELS, _PLACING, _MERGER = "Setup", "Hotels and prices", "Placing a tile", "A merger"
_TWO = "Two players"
_BUYING, _DRAWING, _ENDING = "Buying", "Drawing, and hands that cannot move", "The end"

ROWS: tuple[Row, ...] = (
    Row(
        _SETUP,
        "players",
        "players",
        _always("{rulebook.min_players} to {rulebook.max_players}"),
    ),
    Row(_SETUP, "cash", "cash", lambda rulebook: dollars(rulebook.cash)),
    Row(_SETUP, "tiles in hand", "tiles_in_hand", _always("{rulebook.hand_size}")),
    Row(_SETUP, "certificates of each hotel", "certificates", _always("{rulebook.certificates}")),
    Row(
        _SETUP,
        "who starts",
        "who_starts",
        _chosen(
            "start",
            {
                Start.SIGN_UP: "the first to sign up",
                Start.ROW_FIRST: "the tile of the topmost row, then of the leftmost column: "
                "9A before 1B",
                Start.COLUMN_FIRST: "the tile of the lowest number, then of the letter nearest "
                "A: 2B before 2E and 3A",
            },
        ),
    ),
    Row(
        _SETUP,
        "tiles drawn for the start",
        "start_tiles",
        lambda rulebook: (
            "none"
            if rulebook.start is Start.SIGN_UP
            else "one each, in sign-up order; they stay on the board, unincorporated even where "
            "they touch"
        ),
    ),
    Row(
        _SETUP,
        "order of the players",
        "order_of_players",
        lambda rulebook: (
            "sign-up order"
            if rulebook.start is Start.SIGN_UP
            else "sign-up order, from the one who starts"
        ),
    ),
    Row(_SETUP, "a player may see", "may_see", _may_see),
    Row(
        _SETUP,
        "certificates left in the bank",
        "bank_is_known",
        lambda rulebook: (
            f"{rulebook.certificates} less those that the players hold"
            if rulebook.hands is Hands.OPEN
            else "told in every position"
        ),
    ),
    Row(
        _SETUP,
        "the stock market",
        "market",
        lambda rulebook: (
            "the third holder where two play" if rulebook.market_for_two else "no holder"
        ),
    ),
    *(Row(_HOTELS, tier, f"{tier}_hotels", partial(tier_names, tier=tier)) for tier in TIERS),
    Row(_HOTELS, "prices off the board", "prices_off_the_board", _off_board),
    Row(
        _HOTELS,
        "bonuses",
        "bonuses",
        _always(f"majority {MAJORITY} times the price, minority {MINORITY} times"),
    ),
    Row(_PLACING, "no neighbour", "no_neighbour", _always("stays on the board, unincorporated")),
    Row(
        _PLACING,
        "unincorporated neighbours only",
        "founding",
        _always(
            "founds a hotel that is not on the board, of all tiles connected; the placer chooses"
        ),
    ),
    Row(
        _PLACING,
        ".. with all seven on the board",
        "eighth_hotel",
        _chosen(
            "eighth_hotel",
            {
                EighthHotel.STAYS_LOOSE: "allowed: nothing is founded, the tile stays "
                "unincorporated",
                EighthHotel.REFUSED: "not allowed now (temporarily unplayable)",
            },
        ),
    ),
    Row(
        _PLACING,
        "founder's free certificate",
        "founders_certificate",
        _always("one, if the bank has one"),
    ),
    Row(_PLACING, "one hotel", "growing", _always("the hotel grows")),
    Row(
        _PLACING,
        "one hotel, and unincorporated tiles",
        "absorbing",
        _chosen(
            "loose_neighbours",
            {
                LooseNeighbours.REFUSED: "not allowed",
                LooseNeighbours.ABSORBED: "the hotel takes in all that is connected",
            },
        ),
    ),
    Row(_PLACING, "two hotels or more", "merging", _always("a merger")),
    Row(
        _PLACING,
        ".. and unincorporated tiles",
        "merging_beside_loose",
        _chosen(
            "loose_neighbours",
            {
                LooseNeighbours.REFUSED: "not allowed",
                LooseNeighbours.ABSORBED: "the survivor takes them in; they and the tile count "
                "for no size in the merger",
            },
        ),
    ),
    Row(_PLACING, "a hotel is safe from", "safe_from", _always("{rulebook.safe_size} tiles")),
    Row(
        _PLACING,
        "no merger when",
        "forbidden_merger",
        _chosen(
            "forbidden_merger",
            {
                ForbiddenMerger.ANY_SAFE: "any hotel in it is safe",
                ForbiddenMerger.TWO_SAFE: "two hotels in it are safe (permanently unplayable)",
            },
        ),
    ),
    Row(_MERGER, "survivor", "survivor", _always("the largest; among equals the placer chooses")),
    Row(
        _MERGER,
        "order of the acquired",
        "order_of_acquired",
        _chosen(
            "equal_acquired",
            {
                EqualAcquired.ALPHABETICAL: "largest first, equals alphabetically",
                EqualAcquired.PLACER_ORDERS: "largest first, equals as the placer orders them",
            },
        ),
    ),
    Row(_MERGER, "sizes and prices", "sizes_before", _always("those before the tile was placed")),
    Row(
        _MERGER,
        "only one holder",
        "sole_holder",
        _chosen(
            "sole_holder",
            {
                SoleHolder.MAJORITY_ALONE: "the majority bonus alone",
                SoleHolder.BOTH_BONUSES: "both bonuses",
            },
        ),
    ),
    Row(
        _MERGER,
        "tie for the majority",
        "majority_tie",
        _always("both bonuses shared equally; no minority is paid"),
    ),
    Row(
        _MERGER,
        "tie for the minority",
        "minority_tie",
        _always("the minority bonus shared equally"),
    ),
    Row(
        _MERGER,
        "rounding of a share",
        "rounding",
        lambda rulebook: _ROUNDINGS[rulebook.share_of_bonus],
    ),
    Row(_MERGER, "nobody holds any", "nobody_holds", _always("nothing is paid")),
    Row(
        _MERGER,
        "the acquired's certificates",
        "disposal",
        _chosen(
            "disposal",
            {
                DisposalRule.KEEP_OR_RETURN: "each player, for each acquired hotel, keeps all or "
                "returns all at the price before the merger",
                DisposalRule.HOLD_SELL_TRADE: "hold, sell at the price before the merger, trade "
                "two for one of the survivor: any mix, as far as the bank goes",
            },
        ),
    ),
    Row(
        _MERGER,
        "who is asked",
        "who_is_asked",
        _chosen(
            "disposal",
            {
                DisposalRule.KEEP_OR_RETURN: "all, from the placer on in turn order, once for all "
                "acquired hotels",
                DisposalRule.HOLD_SELL_TRADE: "the holders, from the placer on in turn order, "
                "hotel by hotel",
            },
        ),
    ),
    Row(_BUYING, "at most", "order_limit", _order),
    Row(_BUYING, "of", "buys_of", _buys),
    Row(
        _BUYING,
        "priced",
        "priced",
        _always("after the placement and its merger, with the money that those brought"),
    ),
    Row(
        _BUYING,
        "when no tile can be placed",
        "buys_without_placing",
        lambda rulebook: (
            "the game has ended" if rulebook.stuck_hand is StuckHand.ENDS_GAME else "may still buy"
        ),
    ),
    Row(
        _DRAWING,
        "draws",
        "draws",
        _chosen(
            "draw",
            {
                Draw.ONE: "one tile at the end of the turn",
                Draw.UP_TO_FULL: "up to {rulebook.hand_size} in hand at the end of the turn",
            },
        ),
    ),
    Row(
        _DRAWING,
        "permanently unplayable tiles",
        "dead_tiles",
        _chosen(
            "dead_tiles",
            {
                DeadTiles.KEPT: "kept",
                DeadTiles.REPLACED: "set aside, face up, and replaced at the end of the turn, "
                "once a turn",
            },
        ),
    ),
    Row(
        _DRAWING,
        "no playable tile in hand",
        "stuck_hand",
        _chosen(
            "stuck_hand",
            {
                StuckHand.ENDS_GAME: "the game ends",
                StuckHand.SKIPS: "the placement is skipped; the player may buy",
                StuckHand.REPLACED: "the whole hand is set aside and replaced before placing, "
                "once, if the bag has as many tiles; if there is still none, the placement is "
                "skipped",
            },
        ),
    ),
    Row(
        _DRAWING,
        "the bag is empty when a tile is due",
        "empty_bag",
        _chosen(
            "empty_bag",
            {
                EmptyBag.ENDS_GAME: "the game ends",
                EmptyBag.PLAYS_ON: "play goes on with fewer tiles",
            },
        ),
    ),
    Row(_ENDING, "regular, by", "regular_ending", _regular),
    Row(
        _ENDING,
        "a declaration",
        "declaration",
        _chosen(
            "end",
            {
                End.ADMINISTRATOR: "none",
                End.DECLARED: "need not be made; a false one is an illegal move",
            },
        ),
    ),
    Row(_ENDING, "irregular", "irregular_ending", _irregular),
    Row(
        _ENDING,
        "pay-out",
        "pay_out",
        _always(
            "the bonuses of every hotel on the board, then all its certificates sold at its price"
        ),
    ),
    Row(_ENDING, "a hotel not on the board", "worthless", _always("worthless")),
    Row(_ENDING, "the winner", "winner", _always("has most money; equals share the rank")),
    Row(
        _ENDING,
        "an ejected player",
        "ejection",
        _always(
            "certificates to the bank, tiles shuffled into the bag, cash gone; ranks below all "
            "who finished, later ejections first"
        ),
    ),
    Row(
        _TWO,
        "the market holds in a merger",
        "market_in_a_merger",
        _for_two("the number of a tile drawn for the acquired hotel; with an empty bag none"),
    ),
    Row(
        _TWO,
        "the market's tiles",
        "markets_tiles",
        _for_two(
            "are placed after the disposals, in the order drawn: none founds a hotel, one that can "
            "never be placed is set aside, one that merges is a merger of its own"
        ),
    ),
    Row(
        _TWO,
        "the market holds at the end",
        "market_at_the_end",
        _for_two("the number of a tile drawn for each hotel on the board, largest first"),
    ),
)
"""Every row, section by section."""


def differs(row: Row, rulebook: Rulebook) -> bool:
    """Whether a rulebook says something else there than ``classic``."""
    return row.cell(rulebook) != row.cell(RULEBOOKS["classic"])
