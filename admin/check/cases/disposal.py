"""Certificates of acquired hotels: kept or returned, or held, sold and traded.

Every tile of the mover merges. Where the player moves it places one of six that do the same; where
another does, that one places its first tile row by row.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from admin.check.case import Case, Source, section
from admin.check.scene import hotel_name, scene, script, tiles
from admin.check.tablemates import leaving, trading
from admin.referee import Stretch
from admin.trial.script import Script
from game.rulebook import Assets, Disposal, Rulebook, with_hidden_assets
from game.state import State
from game.tiles import mask_of

DISPOSAL = section("disposal")

CONVERSATION = "The conversation"
EVERYBODY = Source(
    CONVERSATION,
    "is asked about the hotels that were acquired, also those who hold none of their certificates",
)
ONE_FOR_EACH = Source(
    CONVERSATION,
    "The answer has one `<true/>` (keeps all) or `<false/>` (returns all at the price before the "
    "merger) for each, in the same order",
)
IN_ORDER = Source(
    CONVERSATION, "The remaining equal-largest stand first, then by falling size, equals by name."
)
UNDONE = Source(
    CONVERSATION,
    "the whole turn is undone, bonuses included, and the next player moves; no `state` is sent for "
    "a turn that was undone",
)
GOES_ON = Source(CONVERSATION, "the merger goes on without it")

DEALT_WITH = "A merger: hold, sell, trade"
HOLDERS = Source(
    DEALT_WITH,
    "each of the hotel's **holders**, the mover first and then in turn order, is asked what "
    "becomes of the certificates",
)
NOT_ASKED = Source(DEALT_WITH, "Whoever holds none is not asked.")
ONE_BY_ONE = Source(DEALT_WITH, "The acquired hotels are dealt with one by one, largest first.")
EVEN = Source(
    DEALT_WITH, "so `trade` is even, and the bank must have that many; the rest you hold"
)  # fmt: skip
AT_THAT_MOMENT = Source(
    DEALT_WITH,
    "The position is the one at that moment: the hotels are joined, earlier answers carried out.",
)
COUNTED = Source(DEALT_WITH, "all are told first who holds how many certificates of the hotel")
TAKEN_OUT = Source(
    DEALT_WITH,
    "Whoever is ejected in all this is taken out as in a `keep`: another player alone, the mover "
    "with the whole turn",
)
TOLD_BOTH = Source(
    "Two players",
    "a tile is drawn from the bag, and both players are told of it: its number is how many "
    "certificates the market is taken to hold",
)
NO_TILE = Source("Two players", "With an empty bag there is no tile, and the market holds none.")


class Merging(NamedTuple):
    """A board, and six tiles of which each merges: the first does what a case is about."""

    drawing: str
    hand: str


ONE = Merging(
    """
    ............
    ..SSSSSS....
    ............
    .AAAAAAA....
    ............
    ............
    .........TT.
    """,
    "3C 4C 5C 6C 7C 8C",
)
"""S, of 6 tiles, is acquired by A."""
TWO = Merging(
    """
    ....TTT.....
    ..TTTTTTT...
    FF.......II.
    F.AAAAAAA.I.
    FF.......II.
    F.WWWWWWW.I.
    FF.......II.
    ..SSSSSSS...
    ...SSS......
    """,
    "3C 9C 3E 9E 3G 9G",
)
"""Two of three hotels are acquired, wherever; F, of 8 tiles, and A, of 7, at the first."""
THREE = Merging(
    """
    ..FFFFFFF...
    ..F..F..F...
    AA.CC.II.WW.
    ..S..S..T...
    ..SSSS..T...
    ............
    ..o..o..o...
    """,
    "3C 6C 9C 3F 6F 9F",
)
"""Three of four hotels are acquired by F; S, A and C at the first. The last three tiles cannot be
placed where a tile may not touch a hotel and an unincorporated tile at once."""
LONG = Merging(
    """
    ............
    .SSSSSSSSSS.
    ............
    AAAAAAAAAAA.
    ............
    ............
    ......TT....
    """,
    "2C 3C 4C 5C 1I 12I",
)
"""S, of 10 tiles, is acquired by A, of 11; 6C to 11C would do it, too."""
ELSEWHERE = "11A 12C 1F 3F 11F 1H"
"""Tiles that merge nothing on the board of ONE."""
SECOND = Merging(
    """
    ..SSSSSS....
    ............
    .AAAAAAA....
    ............
    ..........TT
    ..IIIIII....
    ............
    .WWWWWWW....
    """,
    "3B 4B 5B 6B 7B 8B",
)
"""As ONE, with I, of 6 tiles, that W acquires by the tiles 3G to 8G."""


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    if rulebook.disposal is Disposal.KEEP_OR_RETURN:
        yield from _of_keeping(rulebook)
    else:
        yield from _of_disposing(rulebook)
        yield from _of_trades(rulebook)
    if rulebook.assets is not Assets.OPEN:
        yield from _where_assets_are_hidden(rulebook)
    if rulebook.market_for_two:
        yield from _of_the_market(rulebook)


Tell = Callable[[str], str]
"""Writes the hotel's name for each letter in braces: ``{S} is acquired``."""


def _names(rulebook: Rulebook) -> Tell:
    names = {letter: hotel_name(rulebook, letter) for letter in "ACFISTW"}
    return lambda text: text.format(**names)


def _case(
    played: Script,
    slug: str,
    title: str,
    source: Source,
    expected: str,
    hint: str,
    *about: str,
) -> Case:
    return Case(
        section=DISPOSAL,
        slug=slug,
        title=title,
        source=source,
        expected=expected,
        hint=hint,
        about=frozenset(about),
        script=played,
    )


def _turn(rulebook: Rulebook, merging: Merging, *seats: str) -> Script:
    """Make a script of one turn, in which the first of the seats has the tiles that merge."""
    mover, *others = seats
    return script(
        rulebook, scene(rulebook, merging.drawing, f"{mover} {merging.hand}", *others)
    )  # fmt: skip


# -- keep or return -----------------------------------------------------------------------------


def _of_keeping(rulebook: Rulebook) -> Iterator[Case]:
    yield from _keeping_as_mover(rulebook)
    yield from _keeping_as_bystander(rulebook)
    yield from _keeping_in_odd_company(rulebook)


def _keeping_as_mover(rulebook: Rulebook) -> Iterator[Case]:
    tell = _names(rulebook)
    yield _case(
        _turn(rulebook, ONE, "player S4 A1 $2000", "ann S2 A3", "bob A2 T3"),
        "mover-one",
        "Your own merger of one hotel",
        ONE_FOR_EACH,
        tell("A <keep> with one <true/> or <false/>, for {S}."),
        "Often <void/> is answered, or the answer names the hotel again.",
        "keep",
    )
    yield _case(
        _turn(rulebook, ONE, "player A4 $2000", "ann S2 A3", "bob A2 T3"),
        "mover-none",
        "Your own merger, and no certificates of the hotel",
        EVERYBODY,
        tell("A <keep> with one <true/> or <false/>, for {S}, though none is held."),
        "Often <players> is waited for, since there is nothing to keep.",
        "keep",
    )
    yield _case(
        _turn(rulebook, TWO, "player A3 F2 W1 I2 $2000", "ann A3 T3 S2", "bob F4 I3 W2"),
        "mover-two",
        "Your own merger of two hotels",
        IN_ORDER,
        "A <keep> with two answers, in the order of the question.",
        "Often one answer is given for all hotels together.",
        "keep",
    )
    yield _case(
        _turn(rulebook, THREE, "player A3 C2 W1 I2 $2000", "ann A1 T3 S2", "bob F4 I3 W2"),
        "mover-three",
        "Your own merger of three hotels",
        IN_ORDER,
        "A <keep> with three answers, in the order of the question.",
        "Often two hotels are thought to be the most that can be acquired at once.",
        "keep",
    )
    yield _case(
        _turn(rulebook, ONE, "player S25 A1 $400", "ann A3", "bob A2 T3"),
        "all-certificates",
        "All 25 certificates of the hotel",
        ONE_FOR_EACH,
        tell("A <keep> with one <true/> or <false/>, for all 25 of {S}."),
        "Often the second holder of a bonus is looked for, and there is none.",
        "keep",
    )


def _keeping_as_bystander(rulebook: Rulebook) -> Iterator[Case]:
    tell = _names(rulebook)
    yield _case(
        _turn(rulebook, ONE, "ann S2 A3", "player S4 A1 $2000", "bob A2 T3"),
        "bystander",
        "Another's merger",
        EVERYBODY,
        tell("A <keep> with one <true/> or <false/>, for {S}."),
        "Often <keep> is answered only after a merger of one's own.",
        "keep",
    )
    yield _case(
        _turn(rulebook, ONE, "ann S2 A3", "player T2 $2000", "bob A2 T3"),
        "bystander-none",
        "Another's merger, and no certificates of the hotels",
        EVERYBODY,
        tell("A <keep> with one <true/> or <false/>, for {S}, though none is held."),
        "Often only those who hold certificates are expected to be asked.",
        "keep",
    )
    yield _case(
        _turn(
            rulebook,
            TWO,
            *("ann A3 T3", "bob F4 I3", "cyd W2 S2", "dan A1 W4", "eve S3", "player F2 A2 $900"),
        ),
        "bystander-last",
        "Two hotels, and the last of six to be asked",
        IN_ORDER,
        tell("A <keep> with two answers: {F} stands first, which is larger than {A}."),
        "Often the reply is late, or one answer is given for all hotels together.",
        "keep",
    )
    yield _case(
        _turn(rulebook, THREE, "ann A3 T3 S2", "bob F4 C3 W2", "player A2 C1 S5 $900"),
        "bystander-three",
        "Another's merger of three hotels",
        IN_ORDER,
        tell("A <keep> with three answers: for {S}, and for {A} and {C}, which are smaller."),
        "Often two hotels are thought to be the most that can be acquired at once.",
        "keep",
    )


def _keeping_in_odd_company(rulebook: Rulebook) -> Iterator[Case]:
    tell = _names(rulebook)
    yield _case(
        _two_turns(rulebook),
        "twice",
        "Two mergers of others, one after the other",
        ONE_FOR_EACH,
        tell("A <keep> with one answer in each turn: for {S}, then for {I}."),
        "Often what was asked in the first merger is kept in mind, and answered again.",
        "keep",
    )
    yield _case(
        _mover_leaves(rulebook),
        "mover-leaves",
        "The mover is ejected after you have answered",
        UNDONE,
        tell(
            "After <keep> comes <turn>: a placement alone that names {A}, for {S} is there again."
        ),
        "Often the merger that was undone is still on the program's own board.",
        *("keep", "turn"),
    )
    yield _case(
        _bystander_leaves(rulebook, "keep"),
        "bystander-leaves",
        "Another is ejected when asked before you",
        GOES_ON,
        tell("A <keep> with one answer for {S}, and <void/> to a <state> of two players."),
        "Often as many players are expected in each position as in the first.",
        *("keep", "state"),
    )


def _two_turns(rulebook: Rulebook) -> Script:
    """Make a script of two mergers, of S and of I, neither of them the player's."""
    state = scene(
        rulebook,
        SECOND.drawing,
        f"ann {SECOND.hand} S2 A3",
        "bob 3G 4G 5G 6G 7G 8G I2 W3",
        "player S4 I3 $1500",
    )
    return script(rulebook, Stretch(state, 2))


def _mover_leaves(rulebook: Rulebook) -> Script:
    """Make a script in which a merger is undone that the player can then cause again."""
    state = scene(
        rulebook,
        LONG.drawing,
        f"ann {LONG.hand} S2 A3",
        "player 6C 7C 8C 9C 10C 11C S4 A1 $1500",
        "bob A2 T3",
    )
    return leaving(script(rulebook, Stretch(state, 2)), "ann", "players")


def _bystander_leaves(rulebook: Rulebook, question: str) -> Script:
    """Make a script in which somebody is ejected who is asked before the player."""
    seats = ("ann S2 A3", "bob S3 A2 T3", "player S4 A1 $2000")
    return leaving(_turn(rulebook, ONE, *seats), "bob", question)


# -- hold, sell, trade --------------------------------------------------------------------------


def _of_disposing(rulebook: Rulebook) -> Iterator[Case]:
    yield from _disposing_of_one(rulebook)
    yield from _disposing_of_more(rulebook)
    yield from _disposing_in_odd_company(rulebook)


ANY_MIX = "with sell and trade together at most {count}, and trade even"


def _disposing_of_one(rulebook: Rulebook) -> Iterator[Case]:
    tell = _names(rulebook)
    yield _case(
        _turn(rulebook, ONE, "player S4 A1 $2000", "ann S2 A3", "bob A2 T3"),
        "mover",
        "Your own merger",
        HOLDERS,
        f"A <dispose> {ANY_MIX.format(count=4)}.",
        "Often <players> is expected at once, or the order is sent.",
        "dispose",
    )
    yield _case(
        _turn(rulebook, ONE, "ann S2 A3", "player S4 A1 $2000", "bob A2 T3"),
        "bystander",
        "Another's merger",
        HOLDERS,
        f"A <dispose> {ANY_MIX.format(count=4)}.",
        "Often <dispose> is answered only after a merger of one's own.",
        "dispose",
    )
    yield _case(
        _turn(rulebook, ONE, "ann S2 A3", "player A4 $2000", "bob S3 A2 T3"),
        "not-asked",
        "Another's merger, and no certificates of the hotel",
        NOT_ASKED,
        tell("The answer <void/> to the <state> after it, and nothing before it: no {S} is held."),
        "Often an answer is sent though nothing was asked.",
        "state",
    )
    yield _case(
        _turn(rulebook, ONE, "player S25 A1 $400", "ann A3", "bob A2 T3"),
        "all-certificates",
        "All 25 certificates of the hotel",
        EVEN,
        f"A <dispose> {ANY_MIX.format(count=25)}.",
        "Often all are traded, though 25 is odd.",
        "dispose",
    )


def _disposing_of_more(rulebook: Rulebook) -> Iterator[Case]:
    tell = _names(rulebook)
    shares = "A2 F3 I3 S2 T2 W2"
    yield _case(
        _turn(rulebook, TWO, f"player {shares} $2000", "ann A3 T3 S2", "bob F4 I4 W2"),
        "mover-two",
        "Your own merger of two hotels",
        ONE_BY_ONE,
        "A <dispose> for each of the two, the larger first.",
        "Often one answer is thought to be for both, and <players> is waited for.",
        "dispose",
    )
    yield _case(
        _turn(rulebook, THREE, "ann A3 T3 S2", "player A2 C1 S5 F1 $900", "bob F4 C3 W2"),
        "bystander-three",
        "Another's merger of three hotels",
        ONE_BY_ONE,
        tell("Three times <dispose>: for {S}, then for {A} and {C}, which are smaller."),
        "Often the certificates of another hotel than the one asked about are counted.",
        "dispose",
    )
    yield _case(
        _two_turns(rulebook),
        "twice",
        "Two mergers of others, one after the other",
        HOLDERS,
        tell("A <dispose> in each turn: for {S}, then for {I}."),
        "Often what was asked in the first merger is kept in mind, and answered again.",
        "dispose",
    )


def _disposing_in_odd_company(rulebook: Rulebook) -> Iterator[Case]:
    tell = _names(rulebook)
    yield _case(
        _mover_leaves(rulebook),
        "mover-leaves",
        "The mover is ejected after you have answered",
        UNDONE,
        tell(
            "After <dispose> comes <turn>: a placement alone, naming {A}, for {S} is there again."
        ),
        "Often the merger that was undone is still on the program's own board.",
        *("dispose", "turn"),
    )
    yield _case(
        _bystander_leaves(rulebook, "dispose"),
        "bystander-leaves",
        "Another is ejected when asked before you",
        TAKEN_OUT,
        tell("A <dispose> for {S}, and <void/> to a <state> of two players."),
        "Often as many players are expected in each position as in the first.",
        *("dispose", "state"),
    )


def _of_trades(rulebook: Rulebook) -> Iterator[Case]:
    tell = _names(rulebook)
    yield _case(
        _turn(rulebook, ONE, "ann S2 A3", "player S7 A1 $2000", "bob A2 T3"),
        "odd",
        "An odd number of certificates",
        EVEN,
        "A <dispose> of at most 7, with trade 0, 2, 4 or 6.",
        "Often all certificates are traded, whether their number is even or not.",
        "dispose",
    )
    yield _case(
        _turn(rulebook, ONE, "ann S2 A3", "player S1 A1 $2000", "bob A2 T3"),
        "single",
        "One certificate",
        EVEN,
        "A <dispose> with trade 0: one certificate is sold or held.",
        "Often half a certificate is rounded up.",
        "dispose",
    )
    yield _case(
        _turn(rulebook, ONE, "ann S2 A12", "player S6 $2000", "bob A13 T3"),
        "bank-empty",
        "The bank has none of the survivor",
        EVEN,
        tell("A <dispose> with trade 0: the bank has no {A}."),
        "Often the bank is not asked whether it has what is to be traded for.",
        "dispose",
    )
    yield _case(
        _turn(rulebook, ONE, "ann S2 A12", "player S6 $2000", "bob A12 T3"),
        "bank-has-one",
        "The bank has one certificate of the survivor",
        EVEN,
        tell("A <dispose> with trade 0 or 2: the bank has one {A}."),
        "Often the certificates given up are counted against the bank, or none are.",
        "dispose",
    )
    yield _case(
        trading(_turn(rulebook, ONE, "ann S4 A12", "player S6 $2000", "bob A11 T3"), "ann"),
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
    tell = _names(rulebook)
    yield _case(
        _turn(hidden, ONE, "player S4 A1 $2000", "ann S2 A3", "bob A2 T3"),
        "holders-mover",
        "Hidden assets, and your own merger",
        COUNTED,
        tell("The answer <void/> to <holders>, who has how many of {S}, and then a <dispose>."),
        "Often <dispose> is expected at once, or others' cash in every position.",
        *("holders", "dispose"),
    )
    yield _case(
        _turn(hidden, ONE, "ann S2 A3", "player A4 $2000", "bob S3 A2 T3"),
        "holders-bystander",
        "Hidden assets, and another's merger",
        COUNTED,
        tell("The answer <void/> to <holders>, though the player is no holder of {S}."),
        "Often only holders are expected to be told.",
        "holders",
    )


# -- the market ---------------------------------------------------------------------------------


def _of_the_market(rulebook: Rulebook) -> Iterator[Case]:
    tell = _names(rulebook)
    yield _case(
        _with_market(rulebook, f"player {ONE.hand} S4 A1 $2000", f"bob {ELSEWHERE} S2 A3 T3"),
        "market-mover",
        "A tile says what the market holds, in your own merger",
        TOLD_BOTH,
        tell("The answer <void/> to <market>, by which it holds 12 of {S}, and then a <dispose>."),
        "Often <market> is unknown to a program that has only met tables of three.",
        *("market", "dispose"),
    )
    yield _case(
        _with_market(rulebook, f"bob {ONE.hand} S2 A3 T3", f"player {ELSEWHERE} A4 $2000"),
        "market-bystander",
        "A tile says what the market holds, in the other's merger",
        TOLD_BOTH,
        tell("The answer <void/> to <market>, though the player holds none of {S}."),
        "Often <state> is the only message expected in the other's turn.",
        "market",
    )
    yield _case(
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
