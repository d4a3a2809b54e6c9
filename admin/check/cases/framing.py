"""Messages in pieces and in other forms: the same simple turn, sent in one manner after another."""

from collections.abc import Iterator
from functools import partial

from admin.check import manners
from admin.check.case import Case, Source, section
from admin.check.lone_tiles import SHORT_TURN, lone_tiles
from admin.check.scene import OTHERS, hotel_name, scene, script
from admin.trial.wire import Manner
from game.rulebook import Assets, DisposalRule, Rulebook
from game.state import State

FRAMING = section("framing")
GREETING = frozenset({"signup"})
"""The answer to the sign-up is sent in the same manner as all that follows."""

CUT = Source("On the socket", "**read until the root element is closed**, however many pieces")
PLAIN = "Often what one read has brought is taken for one message, no more and no less."
APART = 0.03
"""Seconds between two pieces that are to be seen as two, or two messages."""

PARALLEL = """
    SSSSSS......
    ............
    AAAAAAA.....
    ............
    ............
    ............
    ............
    ..........CC
"""

FULL = """
    SSS.WWW.TTT.
    SSS.WWW.TTT.
    ............
    AAAAA.FFFFF.
    AAAAA.FFFFF.
    ............
    IIIII.CCCCC.
    IIIII.CCCCC.
    IIIII.CCCCC.
"""
OF_EACH = "S3 W3 T3 A3 F3 I3 C3"


def all_merge(rulebook: Rulebook) -> State:
    """Lay out a position in which each of the player's tiles merges the same two hotels."""
    player = "player 1B 2B 3B 4B 5B 6B S3 A1"
    return scene(rulebook, PARALLEL, player, "ann S2 C2", "bob A2")


def crowded(rulebook: Rulebook) -> State:
    """Lay out a position that takes many bytes to tell, and yet is simple to play."""
    player = f"player 12A 12C 12D 12F 12G 12I $700 {OF_EACH}"
    others = [f"{'-'.join([name] * 16)[:62]} $900 {OF_EACH}" for name in OTHERS]
    return scene(rulebook, FULL, player, *others)


def asked_in_merger(rulebook: Rulebook) -> frozenset[str]:
    """Return what the mover is asked in a merger, beyond what a turn without one asks."""
    if rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
        return frozenset({"keep", "players"})
    told = {"holders"} if rulebook.assets is Assets.HIDDEN else set()
    return frozenset({"dispose", "players", *told})


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section: what is promised first, then what others may do."""
    yield from _in_pieces(rulebook)
    yield from _whole(rulebook)
    yield from _dressed(rulebook)


def _in_pieces(rulebook: Rulebook) -> Iterator[Case]:
    simple = partial(
        Case,
        section=FRAMING,
        source=CUT,
        about=SHORT_TURN | GREETING,
        reaches=SHORT_TURN,
        script=script(rulebook, lone_tiles(rulebook)),
    )
    yield simple(
        slug="whole",
        title="Each message in one piece",
        expected="Each position and the tile are answered at once, and a tile is placed.",
        hint="Often the next answer waits for more bytes, though the root element is closed.",
    )
    yield simple(
        slug="halves",
        title="Each message in two halves",
        expected="The second half is awaited before a message is read.",
        hint=PLAIN,
        manner=Manner(cut=manners.halves, pause=APART),
    )
    yield simple(
        slug="in-a-tag",
        title="Cut inside the name of a tag",
        expected="The rest of the tag is awaited before it is read.",
        hint="Often a piece is searched for whole tags, and what is left of it is thrown away.",
        manner=Manner(cut=manners.in_tag_names, pause=APART),
    )
    yield simple(
        slug="in-a-value",
        title="Cut inside the value of an attribute",
        expected="The rest of the value is awaited before it is read.",
        hint="Often each piece is given to a parser as if it were a whole document.",
        manner=Manner(cut=manners.in_values, pause=APART),
    )
    yield simple(
        slug="before-a-bracket",
        title="Cut between / and >",
        expected="The last > is awaited before the message is held to be complete.",
        hint="Often a message counts as complete when the name of its end tag has come.",
        manner=Manner(cut=manners.before_brackets, pause=APART),
    )
    yield simple(
        slug="in-a-character",
        title="Cut inside a character of several bytes",
        expected="Names such as Zoë and 漢字 are read, wherever their bytes were cut.",
        hint="Often each piece is decoded by itself: collect bytes, and decode whole messages.",
        script=script(rulebook, lone_tiles(rulebook, "Zoë", "漢字")),
        manner=Manner(cut=manners.in_characters, pause=APART),
    )
    yield simple(
        slug="trickle",
        title="One byte at a time, near both ends of a message",
        expected="Bytes are collected until the root element is closed.",
        hint=PLAIN,
        manner=Manner(cut=manners.trickle, pause=0.001),
        patience=2.0,
    )
    small, large = hotel_name(rulebook, "S"), hotel_name(rulebook, "A")
    yield simple(
        slug="scraps",
        title="A merger in many pieces of random length",
        expected=f"A tile that merges {small} into {large}, and all answers that follow from it.",
        hint=PLAIN,
        about=SHORT_TURN | GREETING | asked_in_merger(rulebook),
        reaches=SHORT_TURN | asked_in_merger(rulebook),
        script=script(rulebook, all_merge(rulebook)),
        manner=Manner(cut=manners.scraps, pause=0.002),
        patience=2.0,
    )


def _whole(rulebook: Rulebook) -> Iterator[Case]:
    yield Case(
        section=FRAMING,
        slug="large",
        title="Six players and all hotels: some kilobytes in one piece",
        source=Source("On the socket", "A message can be several kilobytes long"),
        expected="The whole message is read, however large the buffer is into which it is read.",
        hint="Often one read into a buffer of 1024 or 4096 bytes is thought to bring a message.",
        about=SHORT_TURN | GREETING,
        reaches=SHORT_TURN,
        script=script(rulebook, crowded(rulebook)),
    )


def _dressed(rulebook: Rulebook) -> Iterator[Case]:
    """Yield what this administrator never does, but another might."""
    simple = partial(
        Case,
        section=FRAMING,
        about=SHORT_TURN | GREETING,
        reaches=SHORT_TURN,
        script=script(rulebook, lone_tiles(rulebook)),
        promised=False,
    )
    compact = Source("On the socket", "The administrator sends compact UTF-8")
    yield simple(
        slug="white-space",
        title="Not promised: each element on a line of its own",
        source=compact,
        expected="White space between elements, and between messages, means nothing.",
        hint="Often a tag is expected to follow the one before it at once; a parser sees no space.",
        manner=Manner(dress=manners.spread),
    )
    yield simple(
        slug="declaration",
        title="Not promised: an XML declaration before each message",
        source=Source("On the socket", "without an XML declaration"),
        expected="A declaration is passed over.",
        hint="Often the first tag is taken for the root element, whatever it begins with.",
        manner=Manner(dress=manners.declared),
    )
    yield simple(
        slug="comments",
        title="Not promised: comments",
        source=Source("On the socket", "It sends no comments, CDATA or processing instructions"),
        expected="Comments are passed over.",
        hint="Often whatever begins with < is counted as a tag.",
        manner=Manner(dress=manners.commented),
    )
    yield simple(
        slug="attributes",
        title="Not promised: attributes in single quotes and in another order",
        source=Source("On the socket", "attributes are in double quotes"),
        expected="Attributes are found by their names, in whichever quotes.",
        hint="Often attributes are cut out of the text by a pattern; a parser knows their names.",
        manner=Manner(dress=manners.requoted),
    )
