"""Long names, names with markup, and names that are easy to confuse."""

from functools import partial

from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.lone_tiles import SHORT_TURN, lone_tiles
from ..case_parts.scenario import Scenario
from .framing import COMPACT

LONGEST = "Anna-Amalia-von-Braunschweig-Wolfenbuettel-und-Sachsen-Weimar-I."
RIGHT_TO_LEFT = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}\N{HEBREW LETTER GIMEL}"
HOSTILE = ("</turn><score>", "]]>&amp;<!--", "\"/><player name='")
ALIKE = "ann"

SPECIAL = CaseSource("On the socket", "are written as `&lt;`, `&gt;`, `&amp;` and `&quot;`")
SAME = CaseSource("The conversation", "The name in it is your name in every position")


def among(*names: str) -> Scenario:
    """Return an easy scenario in which the opponents have these names."""
    third = ("cyd",) if len(names) > 2 else ()
    return Scenario(lone_tiles("ann", "bob", *third), names=names)


# A name is written at sign-up and read in every position.
_row = partial(
    CaseRow, source=SAME, scenario=among(), tested=f"{SHORT_TURN} signup", must_answer=SHORT_TURN
)

CHARACTERS = (
    _row(
        "longest",
        "A name of 64 characters",
        source=CaseSource("The messages", "1 to 64 characters"),
        expected="Sign up with the whole name, and answer <turn>.",
        hint="cutting the name at a shorter maximum length.",
        name=LONGEST,
    ),
    _row(
        "longest-and-taken",
        "A name of 64 characters that is taken: its end is replaced by a suffix",
        scenario=among(LONGEST),
        expected="Answer <turn> as the player with the given name, which ends with -2.",
        hint="computing the name from the requested one. It is in the answer.",
        name=LONGEST,
    ),
    _row(
        "markup",
        "A name with <, >, &, \" and '",
        source=SPECIAL,
        expected="Sign up with these characters escaped, and answer <turn>.",
        hint="putting the name between quotes unescaped. Let an XML library write the attribute.",
        name="a<b>&\"c'",
    ),
    _row(
        "spaces",
        "A name with spaces and a comma",
        expected="Sign up with the name as it is, including both spaces, and answer <turn>.",
        hint="splitting names at spaces, or collapsing several spaces to one.",
        name="Ada King,  Countess of Lovelace",
    ),
    _row(
        "other-letters",
        "Names with multi-byte letters, an emoji, and right-to-left text",
        source=COMPACT,
        scenario=among(RIGHT_TO_LEFT, "Łukasz \N{ALEMBIC}"),
        expected="Sign up in UTF-8, and answer <turn>.",
        hint="using the machine's default encoding, which may not be UTF-8.",
        name="Zoë 漢字 \N{GAME DIE}",
    ),
    _row(
        "hostile",
        "Other players have names that look like XML",
        source=SPECIAL,
        scenario=among(*HOSTILE),
        expected="Answer <turn> as if the others had plain names.",
        hint="searching the text for tags, even inside attributes.",
    ),
)

CONFUSING = (
    _row(
        "parts",
        "Names that are parts of each other",
        scenario=among(f"{ALIKE}-2", ALIKE[:-1], f"Jo{ALIKE}"),
        expected=f"Answer <turn> as {ALIKE}; only the whole name is yours.",
        hint="comparing names by their beginning, or by what they contain.",
        name=ALIKE,
    ),
    _row(
        "capitals",
        "The name is taken, in other capitals",
        scenario=among(ALIKE.title()),
        expected=f"Answer <turn> as {ALIKE}-2, the given name; {ALIKE.title()} is another player.",
        hint="looking for the requested name, or ignoring case.",
        name=ALIKE,
    ),
    _row(
        "hotels",
        "Players named like hotels",
        scenario=among("{A}", "{S}"),
        expected="Answer <turn> as {T}, which is a player here; no hotel of that name is on "
        "the board.",
        hint="treating everything with the name of a hotel as a hotel.",
        name="{T}",
    ),
    _row(
        "elements",
        "Players named like elements and tiles",
        scenario=among("score", "6H", "void"),
        expected="Answer <turn> as if the players had ordinary names.",
        hint="finding the kind of a message by searching the text for a word.",
        name="turn",
    ),
)

CASES = CHARACTERS + CONFUSING
