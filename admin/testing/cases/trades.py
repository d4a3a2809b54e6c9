"""Certificates of acquired hotels, held, sold and traded: where mergers ask <dispose>."""

from functools import partial

from ....game.rulebook import Assets, DisposalRule, Rulebook
from ..case_parts.acquisitions import (
    ELSEWHERE,
    MOVER_LEAVES,
    ONE,
    OPPONENT_LEAVES,
    THREE,
    TWO,
    TWO_TURNS,
    UNDONE,
    merger_turn,
)
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.scenario import Scenario
from ..case_parts.special_opponents import trades_all

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
ANY_MIX = "Answer <dispose>, with sell plus trade at most 4, and trade even."

_row = partial(CaseRow, tested="dispose", when=DisposalRule.HOLD_SELL_TRADE)

OF_ONE = (
    _row(
        "mover",
        "Your own merger",
        HOLDERS,
        merger_turn(ONE, "player S4 A1 $2000 | ann S2 A3 | bob A2 T3"),
        expected=ANY_MIX,
        hint="expecting <players> at once, or sending the order.",
    ),
    _row(
        "bystander",
        "Another player's merger",
        HOLDERS,
        merger_turn(ONE, "ann S2 A3 | player S4 A1 $2000 | bob A2 T3"),
        expected=ANY_MIX,
        hint="answering <dispose> only in your own mergers.",
    ),
    _row(
        "not-asked",
        "Another player's merger, without certificates of the acquired hotel",
        NOT_ASKED,
        merger_turn(ONE, "ann S2 A3 | player A4 $2000 | bob S3 A2 T3"),
        expected="Answer <void/> to the <state> afterwards, and send nothing before it: you hold "
        "no {S}.",
        hint="sending an answer without a question.",
        tested="state",
    ),
    _row(
        "all-certificates",
        "All 25 certificates of the acquired hotel",
        EVEN,
        merger_turn(ONE, "player S25 A1 $400 | ann A3 | bob A2 T3"),
        expected=ANY_MIX,
        hint="trading all, though 25 is odd.",
    ),
)

OF_MORE = (
    _row(
        "mover-two",
        "Your own merger: two hotels are acquired",
        ONE_BY_ONE,
        merger_turn(TWO, "player A2 F3 I3 S2 T2 W2 $2000 | ann A3 T3 S2 | bob F4 I4 W2"),
        expected="Answer one <dispose> for each of the two, the larger first.",
        hint="taking one answer as valid for both, and waiting for <players>.",
    ),
    _row(
        "bystander-three",
        "Another player's merger: three hotels are acquired",
        ONE_BY_ONE,
        merger_turn(THREE, "ann A3 T3 S2 | player A2 C1 S5 F1 $900 | bob F4 C3 W2"),
        expected="Answer <dispose> three times: for {S}, then for {A} and {C}, which are smaller.",
        hint="counting the certificates of another hotel than the one in the question.",
    ),
    _row(
        "twice",
        "Two mergers of other players in a row",
        HOLDERS,
        TWO_TURNS,
        expected="Answer one <dispose> in each turn: for {S}, then for {I}.",
        hint="remembering the first merger, and answering that question again.",
    ),
)

AMONG_UNUSUAL_EVENTS = (
    _row(
        "mover-leaves",
        "The mover is ejected after you have answered",
        UNDONE,
        MOVER_LEAVES,
        expected="<turn> follows your answer to <dispose>: send a bare placement that names {A}, "
        "because {S} is back.",
        hint="not removing the undone merger from a board of your own.",
        tested="dispose turn",
    ),
    _row(
        "bystander-leaves",
        "Another player is ejected when asked before you",
        TAKEN_OUT,
        OPPONENT_LEAVES,
        expected="Answer one <dispose> for {S}, and <void/> to a <state> with two players.",
        hint="expecting the same number of players in every position.",
        tested="dispose state",
    ),
)

OF_TRADES = (
    _row(
        "odd",
        "An odd number of certificates",
        EVEN,
        merger_turn(ONE, "ann S2 A3 | player S7 A1 $2000 | bob A2 T3"),
        expected="Answer <dispose> with at most 7 in all, and trade 0, 2, 4 or 6.",
        hint="trading all certificates, even an odd number.",
    ),
    _row(
        "single",
        "One certificate",
        EVEN,
        merger_turn(ONE, "ann S2 A3 | player S1 A1 $2000 | bob A2 T3"),
        expected="Answer <dispose> with trade 0: one certificate can only be sold or held.",
        hint="rounding up half a certificate.",
    ),
    _row(
        "bank-empty",
        "The bank has none of the survivor",
        EVEN,
        merger_turn(ONE, "ann S2 A12 | player S6 $2000 | bob A13 T3"),
        expected="Answer <dispose> with trade 0: the bank has no {A}.",
        hint="not checking what the bank has left.",
    ),
    _row(
        "bank-has-one",
        "The bank has one certificate of the survivor",
        EVEN,
        merger_turn(ONE, "ann S2 A12 | player S6 $2000 | bob A12 T3"),
        expected="Answer <dispose> with trade 0 or 2: the bank has one {A}.",
        hint="comparing the bank with the certificates given up, not with those received.",
    ),
    _row(
        "traded-before",
        "The mover has traded for the last certificates of the survivor",
        AT_THAT_MOMENT,
        Scenario(
            ONE.drawing + f"ann {ONE.hand} S4 A12 | player S6 $2000 | bob A11 T3",
            others={"ann": trades_all("ann")},
        ),
        expected="Answer <dispose> with trade 0: the bank had two of {A}, and the mover has them "
        "now.",
        hint="using the bank of an older position, not the one in <dispose>.",
    ),
)


def _may_hide_certificates(rulebook: Rulebook) -> bool:
    """Whether mergers ask <dispose> at tables where certificates can be hidden."""
    assets = rulebook.assets
    can_hide = assets is Assets.OPTIONAL or assets.hides_certificates
    return can_hide and rulebook.disposal is DisposalRule.HOLD_SELL_TRADE


WITH_HIDDEN_ASSETS = (
    _row(
        "holders-mover",
        "Hidden assets, and your own merger",
        HOLDERS_SENT,
        Scenario(
            ONE.drawing + f"player {ONE.hand} S4 A1 $2000 | ann S2 A3 | bob A2 T3",
            hides_assets=True,
        ),
        expected="Answer <void/> to <holders>, which lists the holders of {S}, then answer "
        "<dispose>.",
        hint="expecting <dispose> at once, or the cash of other players in every position.",
        tested="holders dispose",
        when=_may_hide_certificates,
    ),
    _row(
        "holders-bystander",
        "Hidden assets, and another player's merger",
        HOLDERS_SENT,
        Scenario(
            ONE.drawing + f"ann {ONE.hand} S2 A3 | player A4 $2000 | bob S3 A2 T3",
            hides_assets=True,
        ),
        expected="Answer <void/> to <holders>, though you hold no {S}.",
        hint="expecting <holders> only as a holder.",
        tested="holders",
        when=_may_hide_certificates,
    ),
)

_market = partial(CaseRow, tested="market", when=lambda rulebook: rulebook.market_for_two)
"""A case for two players. The market's tile 12I stays unincorporated."""

OF_THE_MARKET = (
    _market(
        "market-mover",
        "A tile sets the market's certificates, in your own merger",
        SHOWN_TO_BOTH,
        Scenario(
            ONE.drawing + f"player {ONE.hand} S4 A1 $2000 | bob {ELSEWHERE} S2 A3 T3", bag_top="12I"
        ),
        expected="Answer <void/> to <market>, which gives it 12 of {S}, then answer <dispose>.",
        hint="not knowing <market>, because it never comes with three players.",
        tested="market dispose",
    ),
    _market(
        "market-bystander",
        "A tile sets the market's certificates, in the other player's merger",
        SHOWN_TO_BOTH,
        Scenario(
            ONE.drawing + f"bob {ONE.hand} S2 A3 T3 | player {ELSEWHERE} A4 $2000", bag_top="12I"
        ),
        expected="Answer <void/> to <market>, though you hold none of {S}.",
        hint="expecting only <state> in the other player's turn.",
    ),
    _market(
        "market-empty-bag",
        "The bag is empty, and the market has no certificates",
        NO_TILE,
        Scenario(  # the tiles between the two safe hotels were set aside
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
            player 1H 2H 3H 4H 5H 6H S4 W3 A5 $1200 | bob 7G 10G 7H 10H 7I 10I S2 W5 I6 $900
            """,
            bag="",
            aside="1C 2C 3C 4C 5C 6C 7C 8C 9C 10C 11C 12C 1F 2F 3F 4F 5F 6F 7F 8F 9F 10F 11F 12F",
        ),
        expected="Answer <void/> to a <market> without a tile.",
        hint="reading a tile from every <market>.",
    ),
)

CASES = (*OF_ONE, *OF_MORE, *AMONG_UNUSUAL_EVENTS, *OF_TRADES, *WITH_HIDDEN_ASSETS, *OF_THE_MARKET)
