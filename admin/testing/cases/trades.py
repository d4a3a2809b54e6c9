"""Certificates of acquired hotels: held, sold and traded; hidden assets, and the market."""

from collections.abc import Iterator

from ....game.rulebook import Assets, DisposalRule, Rulebook, with_hidden_assets
from ....game.state import State
from ....game.tiles import mask_of
from ..case_parts.acquisitions import (
    ELSEWHERE,
    ONE,
    THREE,
    TWO,
    UNDONE,
    disposal_case,
    hotel_names,
    merger_turn,
    mover_leaves,
    opponent_leaves,
    two_turns,
)
from ..case_parts.case import Case, CaseSource
from ..case_parts.position_text import (
    make_script,
    parse_position,
    parse_tiles,
    with_bag_top,
)
from ..case_parts.special_opponents import with_trader
from ..trial.script import Script

DISPOSING = "A merger: hold, sell, trade"
HOLDERS = CaseSource(
    DISPOSING,
    "each **holder** of the hotel, the mover first and then in turn order, is asked what to do "
    "with the certificates",
)
NOT_ASKED = CaseSource(DISPOSING, "Players who hold none are not asked.")
ONE_BY_ONE = CaseSource(DISPOSING, "The acquired hotels are handled one by one, largest first.")
EVEN = CaseSource(
    DISPOSING,
    "so `trade` must be even and the bank must have enough of the survivor; you hold the rest",
)
AT_THAT_MOMENT = CaseSource(
    DISPOSING,
    "The position is the one at that moment: the hotels are joined, and earlier answers are "
    "carried out.",
)
HOLDERS_SENT = CaseSource(
    DISPOSING,
    "all players first receive the number of certificates of the hotel that each player holds",
)
TAKEN_OUT = CaseSource(
    DISPOSING,
    "A player ejected during all this is taken out as in a `keep`: another player alone; the "
    "mover with the whole turn",
)
SHOWN_TO_BOTH = CaseSource(
    "Two players",
    "a tile is drawn from the bag and shown to both players: its number is how many certificates "
    "the market counts as holding",
)
NO_TILE = CaseSource(
    "Two players", "With an empty bag there is no tile, and the market holds none."
)


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases if mergers ask <dispose>."""
    if rulebook.disposal is not DisposalRule.KEEP_OR_RETURN:
        yield from _of_one(rulebook)
        yield from _of_more(rulebook)
        yield from _among_unusual_events(rulebook)
        yield from _of_trades(rulebook)
        if rulebook.assets is Assets.OPTIONAL or rulebook.assets.hides_certificates:
            yield from _where_assets_are_hidden(rulebook)
    if rulebook.market_for_two:
        yield from _of_the_market(rulebook)


ANY_MIX = ", with sell plus trade at most {count}, and trade even"


def _of_one(rulebook: Rulebook) -> Iterator[Case]:
    with_names = hotel_names(rulebook)
    yield disposal_case(
        merger_turn(rulebook, ONE, "player S4 A1 $2000", "ann S2 A3", "bob A2 T3"),
        "mover",
        "Your own merger",
        HOLDERS,
        f"Answer <dispose>{ANY_MIX.format(count=4)}.",
        "expecting <players> at once, or sending the order.",
        "dispose",
    )
    yield disposal_case(
        merger_turn(rulebook, ONE, "ann S2 A3", "player S4 A1 $2000", "bob A2 T3"),
        "bystander",
        "Another player's merger",
        HOLDERS,
        f"Answer <dispose>{ANY_MIX.format(count=4)}.",
        "answering <dispose> only in your own mergers.",
        "dispose",
    )
    yield disposal_case(
        merger_turn(rulebook, ONE, "ann S2 A3", "player A4 $2000", "bob S3 A2 T3"),
        "not-asked",
        "Another player's merger, without certificates of the acquired hotel",
        NOT_ASKED,
        with_names(
            "Answer <void/> to the <state> afterwards, and send nothing before it: you hold no {S}."
        ),
        "sending an answer without a question.",
        "state",
    )
    yield disposal_case(
        merger_turn(rulebook, ONE, "player S25 A1 $400", "ann A3", "bob A2 T3"),
        "all-certificates",
        "All 25 certificates of the acquired hotel",
        EVEN,
        f"Answer <dispose>{ANY_MIX.format(count=4)}.",
        "trading all, though 25 is odd.",
        "dispose",
    )


def _of_more(rulebook: Rulebook) -> Iterator[Case]:
    with_names = hotel_names(rulebook)
    shares = "A2 F3 I3 S2 T2 W2"
    yield disposal_case(
        merger_turn(rulebook, TWO, f"player {shares} $2000", "ann A3 T3 S2", "bob F4 I4 W2"),
        "mover-two",
        "Your own merger: two hotels are acquired",
        ONE_BY_ONE,
        "Answer one <dispose> for each of the two, the larger first.",
        "taking one answer as valid for both, and waiting for <players>.",
        "dispose",
    )
    yield disposal_case(
        merger_turn(rulebook, THREE, "ann A3 T3 S2", "player A2 C1 S5 F1 $900", "bob F4 C3 W2"),
        "bystander-three",
        "Another player's merger: three hotels are acquired",
        ONE_BY_ONE,
        with_names(
            "Answer <dispose> three times: for {S}, then for {A} and {C}, which are smaller."
        ),
        "counting the certificates of another hotel than the one in the question.",
        "dispose",
    )
    yield disposal_case(
        two_turns(rulebook),
        "twice",
        "Two mergers of other players in a row",
        HOLDERS,
        with_names("Answer one <dispose> in each turn: for {S}, then for {I}."),
        "remembering the first merger, and answering that question again.",
        "dispose",
    )


def _among_unusual_events(rulebook: Rulebook) -> Iterator[Case]:
    with_names = hotel_names(rulebook)
    yield disposal_case(
        mover_leaves(rulebook),
        "mover-leaves",
        "The mover is ejected after you have answered",
        UNDONE,
        with_names(
            "<turn> follows your answer to <dispose>: send a bare placement that names {A}, "
            "because {S} is back."
        ),
        "not removing the undone merger from a board of your own.",
        *("dispose", "turn"),
    )
    yield disposal_case(
        opponent_leaves(rulebook, "dispose"),
        "bystander-leaves",
        "Another player is ejected when asked before you",
        TAKEN_OUT,
        with_names("Answer one <dispose> for {S}, and <void/> to a <state> with two players."),
        "expecting the same number of players in every position.",
        *("dispose", "state"),
    )


def _of_trades(rulebook: Rulebook) -> Iterator[Case]:
    with_names = hotel_names(rulebook)
    yield disposal_case(
        merger_turn(rulebook, ONE, "ann S2 A3", "player S7 A1 $2000", "bob A2 T3"),
        "odd",
        "An odd number of certificates",
        EVEN,
        "Answer <dispose> with at most 7 in all, and trade 0, 2, 4 or 6.",
        "trading all certificates, even an odd number.",
        "dispose",
    )
    yield disposal_case(
        merger_turn(rulebook, ONE, "ann S2 A3", "player S1 A1 $2000", "bob A2 T3"),
        "single",
        "One certificate",
        EVEN,
        "Answer <dispose> with trade 0: one certificate can only be sold or held.",
        "rounding up half a certificate.",
        "dispose",
    )
    yield disposal_case(
        merger_turn(rulebook, ONE, "ann S2 A12", "player S6 $2000", "bob A13 T3"),
        "bank-empty",
        "The bank has none of the survivor",
        EVEN,
        with_names("Answer <dispose> with trade 0: the bank has no {A}."),
        "not checking what the bank has left.",
        "dispose",
    )
    yield disposal_case(
        merger_turn(rulebook, ONE, "ann S2 A12", "player S6 $2000", "bob A12 T3"),
        "bank-has-one",
        "The bank has one certificate of the survivor",
        EVEN,
        with_names("Answer <dispose> with trade 0 or 2: the bank has one {A}."),
        "comparing the bank with the certificates given up, not with those received.",
        "dispose",
    )
    yield disposal_case(
        with_trader(
            merger_turn(rulebook, ONE, "ann S4 A12", "player S6 $2000", "bob A11 T3"), "ann"
        ),
        "traded-before",
        "The mover has traded for the last certificates of the survivor",
        AT_THAT_MOMENT,
        with_names(
            "Answer <dispose> with trade 0: the bank had two of {A}, and the mover has them now."
        ),
        "using the bank of an older position, not the one in <dispose>.",
        "dispose",
    )


# -- hidden assets ------------------------------------------------------------------------------


def _where_assets_are_hidden(rulebook: Rulebook) -> Iterator[Case]:
    hides = rulebook.assets.hides_certificates
    hidden = rulebook if hides else with_hidden_assets(rulebook)
    with_names = hotel_names(rulebook)
    yield disposal_case(
        merger_turn(hidden, ONE, "player S4 A1 $2000", "ann S2 A3", "bob A2 T3"),
        "holders-mover",
        "Hidden assets, and your own merger",
        HOLDERS_SENT,
        with_names(
            "Answer <void/> to <holders>, which lists the holders of {S}, then answer <dispose>."
        ),
        "expecting <dispose> at once, or the cash of other players in every position.",
        *("holders", "dispose"),
    )
    yield disposal_case(
        merger_turn(hidden, ONE, "ann S2 A3", "player A4 $2000", "bob S3 A2 T3"),
        "holders-bystander",
        "Hidden assets, and another player's merger",
        HOLDERS_SENT,
        with_names("Answer <void/> to <holders>, though you hold no {S}."),
        "expecting <holders> only as a holder.",
        "holders",
    )


# -- the market ---------------------------------------------------------------------------------


def _of_the_market(rulebook: Rulebook) -> Iterator[Case]:
    with_names = hotel_names(rulebook)
    yield disposal_case(
        _with_market(rulebook, f"player {ONE.hand} S4 A1 $2000", f"bob {ELSEWHERE} S2 A3 T3"),
        "market-mover",
        "A tile sets the market's certificates, in your own merger",
        SHOWN_TO_BOTH,
        with_names("Answer <void/> to <market>, which gives it 12 of {S}, then answer <dispose>."),
        "not knowing <market>, because it never comes with three players.",
        *("market", "dispose"),
    )
    yield disposal_case(
        _with_market(rulebook, f"bob {ONE.hand} S2 A3 T3", f"player {ELSEWHERE} A4 $2000"),
        "market-bystander",
        "A tile sets the market's certificates, in the other player's merger",
        SHOWN_TO_BOTH,
        with_names("Answer <void/> to <market>, though you hold none of {S}."),
        "expecting only <state> in the other player's turn.",
        "market",
    )
    yield disposal_case(
        make_script(rulebook, _with_empty_bag(rulebook)),
        "market-empty-bag",
        "The bag is empty, and the market has no certificates",
        NO_TILE,
        "Answer <void/> to a <market> without a tile.",
        "reading a tile from every <market>.",
        "market",
    )


def _with_market(rulebook: Rulebook, *seats: str) -> Script:
    """Make a script for two in which the market's tile is 12I, which stays unincorporated."""
    state = parse_position(rulebook, ONE.drawing, *seats)
    return make_script(rulebook, with_bag_top(state, "12I"))


def _with_empty_bag(rulebook: Rulebook) -> State:
    """Return a position with an empty bag in which the player can merge two small hotels.

    The tiles between the two safe hotels were set aside."""
    state = parse_position(
        rulebook,
        """
        AAAAAAAAAAAA
        AAAAAAAAAAAA
        ............
        IIIIIIIIIIII
        IIIIIIIIIIII
        ............
        SSSSSS.TT.CC
        .......TT.CC
        WWWWWW.TT.CC
        """,
        "player 1H 2H 3H 4H 5H 6H S4 W3 A5 $1200",
        "bob 7G 10G 7H 10H 7I 10I S2 W5 I6 $900",
        bag="",
    )
    between = [f"{column}{row}" for row in "CF" for column in range(1, 13)]
    return state._replace(aside=mask_of(parse_tiles(" ".join(between))))
