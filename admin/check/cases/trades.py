"""Certificates of acquired hotels: held, sold and traded; hidden assets, and the market."""

from collections.abc import Iterator

from admin.check.acquisitions import (
    ELSEWHERE,
    ONE,
    THREE,
    TWO,
    UNDONE,
    bystander_leaves,
    case,
    mover_leaves,
    names,
    turn,
    two_turns,
)
from admin.check.case import Case, Source
from admin.check.scene import scene, script, tiles
from admin.check.tablemates import trading
from admin.trial.script import Script
from game.rulebook import Assets, DisposalRule, Rulebook, with_hidden_assets
from game.state import State
from game.tiles import mask_of

DEALT_WITH = "A merger: hold, sell, trade"
HOLDERS = Source(
    DEALT_WITH,
    "each **holder** of the hotel, the mover first and then in turn order, is asked what to do "
    "with the certificates",
)
NOT_ASKED = Source(DEALT_WITH, "Players who hold none are not asked.")
ONE_BY_ONE = Source(DEALT_WITH, "The acquired hotels are handled one by one, largest first.")
EVEN = Source(
    DEALT_WITH,
    "so `trade` must be even and the bank must have enough of the survivor; you hold the rest",
)
AT_THAT_MOMENT = Source(
    DEALT_WITH,
    "The position is the one at that moment: the hotels are joined, and earlier answers are "
    "carried out.",
)
COUNTED = Source(
    DEALT_WITH,
    "all players first receive the number of certificates of the hotel that each player holds",
)
TAKEN_OUT = Source(
    DEALT_WITH,
    "A player ejected during all this is taken out as in a `keep`: another player alone; the "
    "mover with the whole turn",
)
TOLD_BOTH = Source(
    "Two players",
    "a tile is drawn from the bag and shown to both players: its number is how many certificates "
    "the market counts as holding",
)
NO_TILE = Source("Two players", "With an empty bag there is no tile, and the market holds none.")


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of rulebooks whose mergers ask what is sold and traded."""
    if rulebook.disposal is not DisposalRule.KEEP_OR_RETURN:
        yield from _of_one(rulebook)
        yield from _of_more(rulebook)
        yield from _in_odd_company(rulebook)
        yield from _of_trades(rulebook)
    if rulebook.assets is not Assets.OPEN:
        yield from _where_assets_are_hidden(rulebook)
    if rulebook.market_for_two:
        yield from _of_the_market(rulebook)


ANY_MIX = "with sell and trade together at most {count}, and trade even"


def _of_one(rulebook: Rulebook) -> Iterator[Case]:
    tell = names(rulebook)
    yield case(
        turn(rulebook, ONE, "player S4 A1 $2000", "ann S2 A3", "bob A2 T3"),
        "mover",
        "Your own merger",
        HOLDERS,
        f"A <dispose> {ANY_MIX.format(count=4)}.",
        "Often <players> is expected at once, or the order is sent.",
        "dispose",
    )
    yield case(
        turn(rulebook, ONE, "ann S2 A3", "player S4 A1 $2000", "bob A2 T3"),
        "bystander",
        "Another's merger",
        HOLDERS,
        f"A <dispose> {ANY_MIX.format(count=4)}.",
        "Often <dispose> is answered only after a merger of one's own.",
        "dispose",
    )
    yield case(
        turn(rulebook, ONE, "ann S2 A3", "player A4 $2000", "bob S3 A2 T3"),
        "not-asked",
        "Another's merger, and no certificates of the hotel",
        NOT_ASKED,
        tell("The answer <void/> to the <state> after it, and nothing before it: no {S} is held."),
        "Often an answer is sent though nothing was asked.",
        "state",
    )
    yield case(
        turn(rulebook, ONE, "player S25 A1 $400", "ann A3", "bob A2 T3"),
        "all-certificates",
        "All 25 certificates of the hotel",
        EVEN,
        f"A <dispose> {ANY_MIX.format(count=25)}.",
        "Often all are traded, though 25 is odd.",
        "dispose",
    )


def _of_more(rulebook: Rulebook) -> Iterator[Case]:
    tell = names(rulebook)
    shares = "A2 F3 I3 S2 T2 W2"
    yield case(
        turn(rulebook, TWO, f"player {shares} $2000", "ann A3 T3 S2", "bob F4 I4 W2"),
        "mover-two",
        "Your own merger: two hotels are acquired",
        ONE_BY_ONE,
        "A <dispose> for each of the two, the larger first.",
        "Often one answer is thought to be for both, and <players> is waited for.",
        "dispose",
    )
    yield case(
        turn(rulebook, THREE, "ann A3 T3 S2", "player A2 C1 S5 F1 $900", "bob F4 C3 W2"),
        "bystander-three",
        "Another's merger: three hotels are acquired",
        ONE_BY_ONE,
        tell("Three times <dispose>: for {S}, then for {A} and {C}, which are smaller."),
        "Often the certificates of another hotel than the one asked about are counted.",
        "dispose",
    )
    yield case(
        two_turns(rulebook),
        "twice",
        "Two mergers of others, one after the other",
        HOLDERS,
        tell("A <dispose> in each turn: for {S}, then for {I}."),
        "Often what was asked in the first merger is kept in mind, and answered again.",
        "dispose",
    )


def _in_odd_company(rulebook: Rulebook) -> Iterator[Case]:
    tell = names(rulebook)
    yield case(
        mover_leaves(rulebook),
        "mover-leaves",
        "The mover is ejected after you have answered",
        UNDONE,
        tell(
            "After <dispose> comes <turn>: a placement alone, naming {A}, for {S} is there again."
        ),
        "Often the merger that was undone is still on the program's own board.",
        *("dispose", "turn"),
    )
    yield case(
        bystander_leaves(rulebook, "dispose"),
        "bystander-leaves",
        "Another is ejected when asked before you",
        TAKEN_OUT,
        tell("A <dispose> for {S}, and <void/> to a <state> of two players."),
        "Often as many players are expected in each position as in the first.",
        *("dispose", "state"),
    )


def _of_trades(rulebook: Rulebook) -> Iterator[Case]:
    tell = names(rulebook)
    yield case(
        turn(rulebook, ONE, "ann S2 A3", "player S7 A1 $2000", "bob A2 T3"),
        "odd",
        "An odd number of certificates",
        EVEN,
        "A <dispose> of at most 7, with trade 0, 2, 4 or 6.",
        "Often all certificates are traded, whether their number is even or not.",
        "dispose",
    )
    yield case(
        turn(rulebook, ONE, "ann S2 A3", "player S1 A1 $2000", "bob A2 T3"),
        "single",
        "One certificate",
        EVEN,
        "A <dispose> with trade 0: one certificate is sold or held.",
        "Often half a certificate is rounded up.",
        "dispose",
    )
    yield case(
        turn(rulebook, ONE, "ann S2 A12", "player S6 $2000", "bob A13 T3"),
        "bank-empty",
        "The bank has none of the survivor",
        EVEN,
        tell("A <dispose> with trade 0: the bank has no {A}."),
        "Often the bank is not asked whether it has what is to be traded for.",
        "dispose",
    )
    yield case(
        turn(rulebook, ONE, "ann S2 A12", "player S6 $2000", "bob A12 T3"),
        "bank-has-one",
        "The bank has one certificate of the survivor",
        EVEN,
        tell("A <dispose> with trade 0 or 2: the bank has one {A}."),
        "Often the certificates given up are counted against the bank, or none are.",
        "dispose",
    )
    yield case(
        trading(turn(rulebook, ONE, "ann S4 A12", "player S6 $2000", "bob A11 T3"), "ann"),
        "traded-before",
        "The mover has traded for the last of the survivor",
        AT_THAT_MOMENT,
        tell("A <dispose> with trade 0: of {A} the bank had two, and the mover has them now."),
        "Often the bank is taken from an older position than the one in <dispose>.",
        "dispose",
    )


# -- hidden assets ------------------------------------------------------------------------------


def _where_assets_are_hidden(rulebook: Rulebook) -> Iterator[Case]:
    hidden = rulebook if rulebook.assets is Assets.HIDDEN else with_hidden_assets(rulebook)
    tell = names(rulebook)
    yield case(
        turn(hidden, ONE, "player S4 A1 $2000", "ann S2 A3", "bob A2 T3"),
        "holders-mover",
        "Hidden assets, and your own merger",
        COUNTED,
        tell("The answer <void/> to <holders>, who has how many of {S}, and then a <dispose>."),
        "Often <dispose> is expected at once, or others' cash in every position.",
        *("holders", "dispose"),
    )
    yield case(
        turn(hidden, ONE, "ann S2 A3", "player A4 $2000", "bob S3 A2 T3"),
        "holders-bystander",
        "Hidden assets, and another's merger",
        COUNTED,
        tell("The answer <void/> to <holders>, though the player is no holder of {S}."),
        "Often only holders are expected to be told.",
        "holders",
    )


# -- the market ---------------------------------------------------------------------------------


def _of_the_market(rulebook: Rulebook) -> Iterator[Case]:
    tell = names(rulebook)
    yield case(
        _with_market(rulebook, f"player {ONE.hand} S4 A1 $2000", f"bob {ELSEWHERE} S2 A3 T3"),
        "market-mover",
        "A tile says what the market holds, in your own merger",
        TOLD_BOTH,
        tell("The answer <void/> to <market>, by which it holds 12 of {S}, and then a <dispose>."),
        "Often <market> is unknown to a program that has only met tables of three.",
        *("market", "dispose"),
    )
    yield case(
        _with_market(rulebook, f"bob {ONE.hand} S2 A3 T3", f"player {ELSEWHERE} A4 $2000"),
        "market-bystander",
        "A tile says what the market holds, in the other's merger",
        TOLD_BOTH,
        tell("The answer <void/> to <market>, though the player holds none of {S}."),
        "Often <state> is the only message expected in the other's turn.",
        "market",
    )
    yield case(
        script(rulebook, _with_empty_bag(rulebook)),
        "market-empty-bag",
        "The bag is empty, and the market holds nothing",
        NO_TILE,
        "The answer <void/> to a <market> that has no tile.",
        "Often a tile is read from every <market>.",
        "market",
    )


def _with_market(rulebook: Rulebook, *seats: str) -> Script:
    """Make a script for two in which the market's tile is 12I, which will lie alone."""
    state = scene(rulebook, ONE.drawing, *seats)
    (first,) = tiles("12I")
    rest = [tile for tile in state.bag if tile != first]
    return script(rulebook, state._replace(bag=(first, *rest)))


def _with_empty_bag(rulebook: Rulebook) -> State:
    """Lay out two safe hotels, beside them tiles set aside, and a merger of two small ones."""
    state = scene(
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
    return state._replace(aside=mask_of(tiles(" ".join(between))))
