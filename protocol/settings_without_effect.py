"""Settings of a rulebook file that can change nothing, or contradict each other.

Every setting must be able to change some position that a game can reach. All five rulebooks are so;
where a file has made a setting useless, its author has probably meant something else.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ..game import rulebook as rules
from ..game.rulebook import Rulebook
from ..game.tiles import TILES
from .settings_file import Mistake


def settings_without_effect(rulebook: Rulebook, written: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield the settings without effect; ``written`` are those of the file.

    What can be switched off is a mistake even if it comes from the base, since the file has made it
    useless. What cannot is one only if the file writes it.
    """
    yield from _of_any_file(rulebook)
    yield from _of_bonuses(rulebook, written)
    yield from _of_sizes(rulebook, written)
    tiers = {hotel.tier for hotel in rulebook.hotels}
    for tier, prices in written.get("prices", {}).items():
        if tier not in tiers:
            yield Mistake(
                f"prices.{tier}",
                f"has no effect, since no hotel is {tier}. Remove it, or give a hotel this tier in "
                "[hotels].",
            )
        elif {"1", "2"} <= prices.keys():
            yield Mistake(
                f"prices.{tier}.1",
                "has no effect, since a hotel has 0 tiles or at least 2. Remove it, or write 0 "
                "instead of 1 for a hotel that is not on the board.",
            )


def _of_any_file(rulebook: Rulebook) -> Iterator[Mistake]:
    least, limit, certificates = rulebook.min_players, rulebook.order_limit, rulebook.certificates
    if rulebook.market_for_two and least > 2:
        yield Mistake(
            "market_for_two",
            f"is true, but the market plays with two players, and min_players is {least}. Set "
            "market_for_two = false, or min_players = 2.",
        )
    to_buy = certificates * (len(rulebook.hotels) if rulebook.mixed_orders else 1)
    if limit > to_buy:
        which = "in all" if rulebook.mixed_orders else "of each hotel"
        yield Mistake(
            "order_limit",
            f"is {limit}, but there are only {to_buy} certificates {which}. Set at most {to_buy}, "
            "or more certificates.",
        )
    if rulebook.mixed_orders and limit == 1:
        yield Mistake(
            "mixed_orders",
            "is true, but an order is for one certificate (order_limit). Set mixed_orders = false, "
            "or a larger order_limit.",
        )
    at_once = rulebook.disposal is rules.DisposalRule.KEEP_OR_RETURN
    if at_once and rulebook.equal_acquired is rules.EqualAcquired.PLACER_ORDERS:
        yield Mistake(
            "equal_acquired",
            'is "placer-orders", but all acquired hotels are settled at once (disposal), so their '
            'order changes nothing. Set "alphabetical", or disposal = "hold-sell-trade".',
        )
    if rulebook.draw is rules.Draw.UP_TO_FULL and rulebook.hand_size == 1:
        yield Mistake(
            "draw",
            'is "up-to-full", but a hand has one tile (hand_size), so never lacks more. Set "one", '
            "or a larger hand_size.",
        )


def _of_sizes(rulebook: Rulebook, written: Collection[str]) -> Iterator[Mistake]:
    safe, final, most = rulebook.safe_size, rulebook.final_size, len(TILES)
    two_safe = rulebook.forbidden_merger is rules.ForbiddenMerger.TWO_SAFE
    fits = (most - 1) // 2 if two_safe else most - 3
    if safe > final:
        yield Mistake(
            "safe_size",
            f"is {safe}, but the game can end with a hotel of {final} tiles (final_size), before "
            f"any is safe. Set at most {final}, or a larger final_size.",
        )
    elif safe > fits:
        beside = "two such hotels" if two_safe else "such a hotel, another"
        yield Mistake(
            "safe_size",
            f"is {safe}, but {beside} and a tile between them do not fit on the board, so no "
            f"merger is ever forbidden. Set at most {fits}.",
        )
    if "final_size" not in written:
        return
    if safe == 2:
        yield Mistake(
            "final_size",
            "has no effect, since every hotel is safe (safe_size = 2), which already lets the "
            "game end. Remove it, or set a larger safe_size.",
        )
    placed = most + 1 - rulebook.min_players * rulebook.hand_size
    if rulebook.empty_bag is rules.EmptyBag.ENDS_GAME and final > placed:
        yield Mistake(
            "final_size",
            f"is {final}, but the bag is empty, which ends the game (empty_bag), when {placed} "
            f"tiles are on the board. Set at most {placed}, or fewer tiles in hand.",
        )


def _of_bonuses(rulebook: Rulebook, written: Collection[str]) -> Iterator[Mistake]:
    multiples, step = rulebook.bonus_multiples, rulebook.rounding_step
    holders = max(rulebook.max_players, 3 if rulebook.market_for_two else 0)
    places, alone = len(multiples), rulebook.sole_holder is rules.SoleHolder.MAJORITY_ALONE
    if places > holders and alone:
        yield Mistake(
            "bonus_multiples",
            f"has {places} places, but at most {holders} can hold certificates of a hotel. Write "
            f"at most {holders}, or raise max_players.",
        )
    if places == 1 and "sole_holder" in written:
        yield Mistake(
            "sole_holder",
            "has no effect, since there is one bonus (bonus_multiples). Remove it, or write more "
            "bonuses.",
        )
    prices = {price for table in rulebook.prices for price in table}
    uneven = any(
        sum(multiples[place : place + tied]) * price % (tied * step)
        for price in prices
        for place in range(places)
        for tied in range(2, holders - place + 1)
    )
    for setting in ("rounding", "rounding_step"):
        if setting in written and not uneven:
            yield Mistake(
                setting,
                f"has no effect, since every share of a bonus is a multiple of ${step:,} as it is. "
                "Remove it, or set a larger rounding_step.",
            )
