"""Messages in pieces and in other forms: the same simple turn, delivered in different ways."""

from functools import partial

from ..case_parts import message_forms
from ..case_parts.case import READ_GAP, CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.lone_tiles import SHORT_TURN, lone_tiles
from ..case_parts.position_text import OPPONENTS
from ..trial.wire import Delivery

IN_MERGER = "keep dispose holders players"
"""What the mover may be asked in a turn with a merger."""

SPLIT = CaseSource(
    "On the socket", "**read until the root element is closed**, however many pieces"
)
COMPACT = CaseSource("On the socket", "The referee sends compact UTF-8")
ONE_READ = "treating each read as exactly one message."

MERGING_BOARD = """
    SSSSSS......
    ............
    AAAAAAA.....
    ............
    ............
    ............
    ............
    ..........CC
    """
ALL_MERGE = MERGING_BOARD + "player 1B 2B 3B 4B 5B 6B S3 A1 | ann S2 C2 | bob A2"
"""Each of the player's tiles merges the same two hotels."""

OF_EACH = "S3 W3 T3 A3 F3 I3 C3"
LONG_NAMES = ["-".join([name] * 16)[:62] for name in OPPONENTS]
CROWDED = f"""
    SSS.WWW.TTT.
    SSS.WWW.TTT.
    ............
    AAAAA.FFFFF.
    AAAAA.FFFFF.
    ............
    IIIII.CCCCC.
    IIIII.CCCCC.
    IIIII.CCCCC.
    player 12A 12C 12D 12F 12G 12I $700 {OF_EACH}
    """ + "".join(f"| {name} $900 {OF_EACH}" for name in LONG_NAMES)
"""A position whose message is long, but which is easy to play."""

# The answer to the sign-up is delivered in the same way as all later messages.
_whole = partial(CaseRow, tested=f"{SHORT_TURN} signup", must_answer=SHORT_TURN)
_in_pieces = partial(_whole, source=SPLIT, scenario=lone_tiles())
_rewritten = partial(_whole, scenario=lone_tiles(), guaranteed=False)
"""Forms that this referee never sends, but another might."""

CASES = (
    _in_pieces(
        "whole",
        "Each message in one piece",
        expected="Answer each position and the tile at once, and place a tile.",
        hint="waiting for more bytes although the root element is closed.",
    ),
    _in_pieces(
        "halves",
        "Each message in two halves",
        expected="Wait for the second half before reading the message.",
        hint=ONE_READ,
        delivery=Delivery(split=message_forms.split_in_half, pause=READ_GAP),
    ),
    _in_pieces(
        "in-a-tag",
        "Split inside the name of a tag",
        expected="Wait for the rest of the tag before reading it.",
        hint="searching each piece for whole tags, and discarding the rest.",
        delivery=Delivery(split=message_forms.split_tag_names, pause=READ_GAP),
    ),
    _in_pieces(
        "in-a-value",
        "Split inside the value of an attribute",
        expected="Wait for the rest of the value before reading it.",
        hint="parsing each piece as a whole document.",
        delivery=Delivery(split=message_forms.split_values, pause=READ_GAP),
    ),
    _in_pieces(
        "before-a-bracket",
        "Split between / and >",
        expected="Wait for the last > before treating the message as complete.",
        hint="treating a message as complete at the name of its end tag.",
        delivery=Delivery(split=message_forms.split_before_brackets, pause=READ_GAP),
    ),
    _in_pieces(
        "in-a-character",
        "Split inside a multi-byte character",
        scenario=lone_tiles("Zoë", "漢字"),
        expected="Read names such as Zoë and 漢字, wherever their bytes are split.",
        hint="decoding each piece separately. Collect bytes, and decode whole messages.",
        delivery=Delivery(split=message_forms.split_characters, pause=READ_GAP),
    ),
    _in_pieces(
        "trickle",
        "One byte at a time, near both ends of each message",
        expected="Collect bytes until the root element is closed.",
        hint=ONE_READ,
        delivery=Delivery(split=message_forms.split_into_bytes, pause=0.001),
        extra_time=2.0,
    ),
    _in_pieces(
        "scraps",
        "A merger in many pieces of random length",
        scenario=ALL_MERGE,
        expected="Place a tile that merges {S} into {A}, and answer all questions that follow.",
        hint=ONE_READ,
        tested=f"{SHORT_TURN} signup {IN_MERGER}",
        must_answer=f"{SHORT_TURN} {IN_MERGER}",
        delivery=Delivery(split=message_forms.split_at_random, pause=0.002),
        extra_time=2.0,
    ),
    _whole(
        "large",
        "Six players and all hotels: several kilobytes in one piece",
        CaseSource("On the socket", "A message can be several kilobytes long"),
        CROWDED,
        expected="Read the whole message, even if it is larger than the read buffer.",
        hint="reading once into a buffer of 1024 or 4096 bytes.",
    ),
    _rewritten(
        "white-space",
        "Not guaranteed: each element on its own line",
        COMPACT,
        expected="Ignore white space between elements and between messages.",
        hint="expecting tags without white space between them. Use an XML parser.",
        delivery=Delivery(rewrite=message_forms.pretty_print),
    ),
    _rewritten(
        "declaration",
        "Not guaranteed: an XML declaration before each message",
        CaseSource("On the socket", "without an XML declaration"),
        expected="Skip the declaration.",
        hint="taking whatever comes first for the root element.",
        delivery=Delivery(rewrite=message_forms.add_declaration),
    ),
    _rewritten(
        "comments",
        "Not guaranteed: comments",
        CaseSource("On the socket", "It sends no comments, CDATA or processing instructions"),
        expected="Skip comments.",
        hint="counting everything that begins with < as a tag.",
        delivery=Delivery(rewrite=message_forms.add_comments),
    ),
    _rewritten(
        "attributes",
        "Not guaranteed: attributes in single quotes and in another order",
        CaseSource("On the socket", "attributes are in double quotes"),
        expected="Find attributes by name, in either kind of quotes.",
        hint="extracting attributes with a regular expression. Use an XML parser.",
        delivery=Delivery(rewrite=message_forms.reorder_attributes),
    ),
)
