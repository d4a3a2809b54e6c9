"""An introduction for people who have never played, with the figures of the rulebook in play."""

from typing import NamedTuple

from ....game.market import takes_part
from ....game.rulebook import (
    DeadTiles,
    DisposalRule,
    EighthHotel,
    EmptyBag,
    End,
    ForbiddenMerger,
    Hands,
    LooseNeighbours,
    Rulebook,
    SoleHolder,
    StuckHand,
)
from ...refereeing.view.plain_text import dollars, listed


class GuideSection(NamedTuple):
    """A heading, and what there is to know."""

    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The sentences as one paragraph."""
        return " ".join(filter(None, self.sentences))


def introduction(rulebook: Rulebook, seats: int) -> list[GuideSection]:
    """Return the rules that a first game of so many players needs, shortly."""
    return [
        GuideSection("Aim", _aim(rulebook)),
        GuideSection("Your turn", _turn(rulebook)),
        GuideSection("Founding", _founding(rulebook)),
        GuideSection("Growing", _growing(rulebook)),
        GuideSection("Mergers", _mergers(rulebook)),
        GuideSection("Bonuses", _bonuses(rulebook, seats)),
        GuideSection("End", _end(rulebook)),
    ]


def _aim(rulebook: Rulebook) -> tuple[str, ...]:
    hidden = {
        Hands.OPEN: "Everybody sees everybody's tiles.",
        Hands.HIDDEN: "Nobody sees another hand.",
    }
    return (
        "Have the most money at the end. Certificates, which are shares in a hotel, make it: they "
        "rise in price as their hotel grows, and the two players who hold most of it get bonuses.",
        f"You begin with {dollars(rulebook.cash)} and {rulebook.hand_size} tiles.",
        hidden[rulebook.hands],
    )


def _turn(rulebook: Rulebook) -> tuple[str, ...]:
    mixed = "" if rulebook.mixed_orders else ", all of the same hotel"
    off_board = [
        hotel.name
        for hotel, prices in zip(rulebook.hotels, rulebook.prices, strict=True)
        if prices[0]
    ]
    return (
        "Place one of your tiles on the square of its name, then buy up to "
        f"{rulebook.order_limit} certificates{mixed}. A new tile is drawn for you.",
        f"{listed(off_board)} can be bought before they are on the board." if off_board else "",
    )


def _founding(rulebook: Rulebook) -> tuple[str, ...]:
    most = max(max(prices) for prices in rulebook.prices)
    least = min(min(filter(None, prices)) for prices in rulebook.prices)
    full = {
        EighthHotel.STAYS_LOOSE: "none is founded.",
        EighthHotel.REFUSED: "no tile can found one.",
    }
    return (
        "A tile beside unincorporated tiles, the dark ones that belong to no hotel, founds a hotel "
        "of them. You choose which, and get one of its certificates free. Tiles on the board "
        "belong to nobody.",
        f"Prices go from {dollars(least)} to {dollars(most)}, by the hotel and its size.",
        f"While all {len(rulebook.hotels)} hotels are on the board, {full[rulebook.eighth_hotel]}",
    )


def _growing(rulebook: Rulebook) -> tuple[str, ...]:
    loose = {
        LooseNeighbours.ABSORBED: "",
        LooseNeighbours.REFUSED: "But no tile can touch both a hotel and an unincorporated tile.",
    }
    forbidden = {
        ForbiddenMerger.ANY_SAFE: "no tile can merge it with another hotel",
        ForbiddenMerger.TWO_SAFE: "it can only acquire others: no tile can merge two safe hotels",
    }
    return (
        "A tile beside a hotel joins it.",
        loose[rulebook.loose_neighbours],
        f"From {rulebook.safe_size} tiles a hotel is safe: {forbidden[rulebook.forbidden_merger]}.",
    )


def _mergers(rulebook: Rulebook) -> tuple[str, ...]:
    disposal = {
        DisposalRule.KEEP_OR_RETURN: "its holders keep all their certificates of it or return all "
        "at the old price",
        DisposalRule.HOLD_SELL_TRADE: "its holders sell certificates at the old price, trade two "
        "for one of the survivor, or hold them",
    }
    return (
        "A tile between hotels merges them. The largest survives and acquires the others; among "
        "equals the player who places the tile chooses.",
        f"For each acquired hotel bonuses are paid; then {disposal[rulebook.disposal]}.",
        "A certificate that is kept is worth something only if its hotel is founded again.",
    )


def _bonuses(rulebook: Rulebook, seats: int) -> tuple[str, ...]:
    places = ("majority", "minority", "third", "fourth", "fifth", "sixth")
    amounts = [
        f"the {place} bonus is {multiple} times the price of a certificate"
        for place, multiple in zip(places, rulebook.bonus_multiples, strict=False)
    ]
    alone = {
        SoleHolder.ALL_BONUSES: "A sole holder gets them all.",
        SoleHolder.MAJORITY_ALONE: "A sole holder gets the majority bonus alone.",
    }
    market = "With two players the stock market is a holder, too: a tile is drawn from the bag, "
    market += "and its number is how many certificates it holds."
    every = ", ".join(amounts)
    return (
        f"{every[:1].upper()}{every[1:]}. Most certificates make the majority; "
        "players who tie share the bonuses.",
        alone[rulebook.sole_holder],
        "They are paid when a hotel is acquired, and at the end.",
        market if takes_part(rulebook, seats) else "",
    )


def _end(rulebook: Rulebook) -> tuple[str, ...]:
    reached = f"a hotel has {rulebook.final_size} tiles or all hotels on the board are safe"
    if rulebook.end is End.ADMINISTRATOR:
        stuck = rulebook.stuck_hand is StuckHand.ENDS_GAME
        ends = f"The game ends when {reached}"
        ends += ", or the next player can place no tile" if stuck else ""
        ends += ", or no tile is left to draw." if _ends_with_bag(rulebook) else "."
    else:
        ends = f"When {reached}, the player to move may declare the end, and should if ahead."
        ends += " It also ends when no tile is left to draw." if _ends_with_bag(rulebook) else ""
    dead = rulebook.dead_tiles is DeadTiles.REPLACED
    return (
        ends,
        "Then all bonuses are paid and all certificates are sold.",
        "Tiles that can never be placed are replaced after your turn." if dead else "",
    )


def _ends_with_bag(rulebook: Rulebook) -> bool:
    return rulebook.empty_bag is EmptyBag.ENDS_GAME
