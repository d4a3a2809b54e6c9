"""The clocks: waiting for others, and answering in time."""

from collections.abc import Iterator

from admin.check.case import Case, Source, section
from admin.check.cases.framing import PARALLEL, all_merge
from admin.check.lone_tiles import FIRST_LONE, LONE, LOOSE_TILES, SECOND_LONE, drawing_lone
from admin.check.scene import scene, script
from admin.match.referee import Segment
from game.rulebook import DisposalRule, Rulebook

CLOCKS = section("clocks")
OTHERS_THINK = 2.5
"""Seconds that another player takes for a turn, while the player has nothing to do."""
TURNS = 30
"""Turns without a pause, a third of them the player's."""

REPLY = Source("The clocks", "the answer to `state`, `keep`, `tile` and `score`")
TURN = Source(
    "The clocks",
    "all the mover's thinking in one turn: the answers to `turn` and to `players` together",
)

MUCH_TO_CHOOSE = """
    AAA.SSS.....
    ............
    .o.FFF.III..
    ............
    o...WW.....o
    ............
    ..o......o..
"""


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section."""
    yield from _waiting(rulebook)
    yield from _answering(rulebook)


def _waiting(rulebook: Rulebook) -> Iterator[Case]:
    yield Case(
        section=CLOCKS,
        slug="before-the-match",
        title="Three seconds until the match begins",
        source=Source("The conversation", "Then wait, possibly for minutes"),
        expected="Nothing until the first position has come, and then <void/>.",
        hint="Often reading gives up after a second or two; a player waits without a limit.",
        about=frozenset({"signup", "setup"}),
        reaches=frozenset({"setup"}),
        script=script(rulebook, scene(rulebook, LOOSE_TILES, LONE, "ann", "bob")),
        pause=3.0,
    )
    seats = f"ann {FIRST_LONE}", LONE, "bob"
    yield Case(
        section=CLOCKS,
        slug="others-think",
        title=f"Another player thinks for {OTHERS_THINK:g} seconds",
        source=TURN,
        expected="Nothing until the next question comes, and then an answer to it.",
        hint="Often reading gives up after a second or two; a player waits without a limit.",
        about=frozenset({"state", "turn"}),
        script=script(
            rulebook, Segment(scene(rulebook, LOOSE_TILES, *seats), 2), thinking=OTHERS_THINK
        ),
    )
    yield _anothers_merger(rulebook)


def _anothers_merger(rulebook: Rulebook) -> Case:
    """Make the case of a question that comes while another player is to move."""
    tag, source = "keep", REPLY
    if rulebook.disposal is DisposalRule.HOLD_SELL_TRADE:
        tag, source = "dispose", Source("The conversation as one picture", "`--reply-timeout`")
    seats = "ann 1B 2B 3B 4B 5B 6B S2 C2", "player S3 A1", "bob A2"
    return Case(
        section=CLOCKS,
        slug="asked-in-anothers-turn",
        title="Another player thinks, merges, and the player is asked",
        source=source,
        expected=f"An answer to <{tag}> within a second.",
        hint="Often a question is awaited in the own turn only, or taken for the next position.",
        about=frozenset({tag}),
        script=script(rulebook, scene(rulebook, PARALLEL, *seats), thinking=0.5),
    )


def _answering(rulebook: Rulebook) -> Iterator[Case]:
    seats = "player 4A 7C 1D 2D 11E 10F S2 A3 I2 W1", "ann S3 F2 I2", "bob A3 F2 W4"
    yield Case(
        section=CLOCKS,
        slug="much-to-choose",
        title="Much to choose from",
        source=TURN,
        expected="An answer to <turn> in good time: hotels to found, to merge, to buy.",
        hint="Often every move is looked at to the end; look at fewer, or stop at a time.",
        about=frozenset({"turn"}),
        script=script(rulebook, scene(rulebook, MUCH_TO_CHOOSE, *seats)),
    )
    yield Case(
        section=CLOCKS,
        slug="merger",
        title="One clock for the merger and the order after it",
        source=TURN,
        expected="The placement, and after it the order, both within the seconds of one turn.",
        hint="Often each answer is given the time of a whole turn.",
        about=frozenset({"turn", "players"}),
        script=script(rulebook, all_merge(rulebook)),
    )
    seats = LONE, f"ann {FIRST_LONE}", f"bob {SECOND_LONE}"
    state = drawing_lone(scene(rulebook, LOOSE_TILES, *seats))
    yield Case(
        section=CLOCKS,
        slug="quick-turns",
        title="Thirty turns without a pause",
        source=Source("In one minute", "From then on the administrator asks"),
        expected="Every question answered, as fast as they come.",
        hint="Often something piles up: positions kept, calls within calls, output unread.",
        about=frozenset({"turn", "tile", "state"}),
        script=script(rulebook, Segment(state, TURNS)),
    )
