"""Messages in pieces and in other forms: the same simple turn, delivered in different ways."""

from collections.abc import Iterator
from functools import partial

from ....game.rulebook import DisposalRule, Rulebook
from ....game.state import State
from ..case_parts import message_forms
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.lone_tiles import SHORT_TURN, lone_tiles
from ..case_parts.position_text import OPPONENTS, hotel_name, make_script, parse_position
from ..trial.wire import Delivery

FRAMING = section("framing")
GREETING = frozenset({"signup"})
"""The answer to the sign-up is delivered in the same way as all later messages."""

SPLIT = CaseSource(
    "On the socket", "**read until the root element is closed**, however many pieces"
)
ONE_READ = "treating each read as exactly one message."
READ_GAP = 0.03
"""Seconds between two pieces so that a player reads them separately."""

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
    """Return a position in which each of the player's tiles merges the same two hotels."""
    player = "player 1B 2B 3B 4B 5B 6B S3 A1"
    return parse_position(rulebook, PARALLEL, player, "ann S2 C2", "bob A2")


def crowded(rulebook: Rulebook) -> State:
    """Return a position whose message is long, but which is easy to play."""
    player = f"player 12A 12C 12D 12F 12G 12I $700 {OF_EACH}"
    others = [f"{'-'.join([name] * 16)[:62]} $900 {OF_EACH}" for name in OPPONENTS]
    return parse_position(rulebook, FULL, player, *others)


def asked_in_merger(rulebook: Rulebook) -> frozenset[str]:
    """Return the additional questions to the mover in a turn with a merger."""
    if rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
        return frozenset({"keep", "players"})
    shown = {"holders"} if rulebook.assets.hides_certificates else set()
    return frozenset({"dispose", "players", *shown})


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section: guaranteed forms first, then others."""
    yield from _in_pieces(rulebook)
    yield from _whole(rulebook)
    yield from _rewritten(rulebook)


def _in_pieces(rulebook: Rulebook) -> Iterator[Case]:
    simple = partial(
        Case,
        section=FRAMING,
        source=SPLIT,
        tested=SHORT_TURN | GREETING,
        must_answer=SHORT_TURN,
        script=make_script(rulebook, lone_tiles(rulebook)),
    )
    yield simple(
        slug="whole",
        title="Each message in one piece",
        expected="Answer each position and the tile at once, and place a tile.",
        hint="waiting for more bytes although the root element is closed.",
    )
    yield simple(
        slug="halves",
        title="Each message in two halves",
        expected="Wait for the second half before reading the message.",
        hint=ONE_READ,
        delivery=Delivery(split=message_forms.split_in_half, pause=READ_GAP),
    )
    yield simple(
        slug="in-a-tag",
        title="Split inside the name of a tag",
        expected="Wait for the rest of the tag before reading it.",
        hint="searching each piece for whole tags, and discarding the rest.",
        delivery=Delivery(split=message_forms.split_tag_names, pause=READ_GAP),
    )
    yield simple(
        slug="in-a-value",
        title="Split inside the value of an attribute",
        expected="Wait for the rest of the value before reading it.",
        hint="parsing each piece as a whole document.",
        delivery=Delivery(split=message_forms.split_values, pause=READ_GAP),
    )
    yield simple(
        slug="before-a-bracket",
        title="Split between / and >",
        expected="Wait for the last > before treating the message as complete.",
        hint="treating a message as complete at the name of its end tag.",
        delivery=Delivery(split=message_forms.split_before_brackets, pause=READ_GAP),
    )
    yield simple(
        slug="in-a-character",
        title="Split inside a multi-byte character",
        expected="Read names such as Zoë and 漢字, wherever their bytes are split.",
        hint="decoding each piece separately. Collect bytes, and decode whole messages.",
        script=make_script(rulebook, lone_tiles(rulebook, "Zoë", "漢字")),
        delivery=Delivery(split=message_forms.split_characters, pause=READ_GAP),
    )
    yield simple(
        slug="trickle",
        title="One byte at a time, near both ends of each message",
        expected="Collect bytes until the root element is closed.",
        hint=ONE_READ,
        delivery=Delivery(split=message_forms.split_into_bytes, pause=0.001),
        extra_time=2.0,
    )
    small, large = hotel_name(rulebook, "S"), hotel_name(rulebook, "A")
    yield simple(
        slug="scraps",
        title="A merger in many pieces of random length",
        expected=f"Place a tile that merges {small} into {large}, and answer all questions "
        "that follow.",
        hint=ONE_READ,
        tested=SHORT_TURN | GREETING | asked_in_merger(rulebook),
        must_answer=SHORT_TURN | asked_in_merger(rulebook),
        script=make_script(rulebook, all_merge(rulebook)),
        delivery=Delivery(split=message_forms.split_at_random, pause=0.002),
        extra_time=2.0,
    )


def _whole(rulebook: Rulebook) -> Iterator[Case]:
    yield Case(
        section=FRAMING,
        slug="large",
        title="Six players and all hotels: several kilobytes in one piece",
        source=CaseSource("On the socket", "A message can be several kilobytes long"),
        expected="Read the whole message, even if it is larger than the read buffer.",
        hint="reading once into a buffer of 1024 or 4096 bytes.",
        tested=SHORT_TURN | GREETING,
        must_answer=SHORT_TURN,
        script=make_script(rulebook, crowded(rulebook)),
    )


def _rewritten(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the forms that this referee never sends, but another might."""
    simple = partial(
        Case,
        section=FRAMING,
        tested=SHORT_TURN | GREETING,
        must_answer=SHORT_TURN,
        script=make_script(rulebook, lone_tiles(rulebook)),
        guaranteed=False,
    )
    compact = CaseSource("On the socket", "The referee sends compact UTF-8")
    yield simple(
        slug="white-space",
        title="Not guaranteed: each element on its own line",
        source=compact,
        expected="Ignore white space between elements and between messages.",
        hint="expecting tags without white space between them. Use an XML parser.",
        delivery=Delivery(rewrite=message_forms.pretty_print),
    )
    yield simple(
        slug="declaration",
        title="Not guaranteed: an XML declaration before each message",
        source=CaseSource("On the socket", "without an XML declaration"),
        expected="Skip the declaration.",
        hint="taking whatever comes first for the root element.",
        delivery=Delivery(rewrite=message_forms.add_declaration),
    )
    yield simple(
        slug="comments",
        title="Not guaranteed: comments",
        source=CaseSource(
            "On the socket", "It sends no comments, CDATA or processing instructions"
        ),
        expected="Skip comments.",
        hint="counting everything that begins with < as a tag.",
        delivery=Delivery(rewrite=message_forms.add_comments),
    )
    yield simple(
        slug="attributes",
        title="Not guaranteed: attributes in single quotes and in another order",
        source=CaseSource("On the socket", "attributes are in double quotes"),
        expected="Find attributes by name, in either kind of quotes.",
        hint="extracting attributes with a regular expression. Use an XML parser.",
        delivery=Delivery(rewrite=message_forms.reorder_attributes),
    )
