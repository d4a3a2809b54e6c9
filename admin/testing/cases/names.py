"""Long names, names with markup, and names that are easy to confuse."""

from collections.abc import Iterator
from functools import partial

from ....game.rulebook import Rulebook
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.lone_tiles import SHORT_TURN, lone_tiles
from ..case_parts.position_text import OPPONENTS, hotel_name, make_script
from ..trial.script import Script

NAMES = section("names")
TESTED = SHORT_TURN | {"signup"}
"""A name is written at sign-up and read in every position."""

LONGEST = "Anna-Amalia-von-Braunschweig-Wolfenbuettel-und-Sachsen-Weimar-I."
MARKUP = "a<b>&\"c'"
SPACED = "Ada King,  Countess of Lovelace"
FOREIGN = "Zoë 漢字 \N{GAME DIE}"
RIGHT_TO_LEFT = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}\N{HEBREW LETTER GIMEL}"
HOSTILE = ("</turn><score>", "]]>&amp;<!--", "\"/><player name='")
ALIKE = "ann"

LETTERS = CaseSource("The messages", "1 to 64 characters")
SPECIAL = CaseSource("On the socket", "are written as `&lt;`, `&gt;`, `&amp;` and `&quot;`")
UTF_8 = CaseSource("On the socket", "The referee sends compact UTF-8")
SAME = CaseSource("The conversation", "The name in it is your name in every position")

_case = partial(Case, section=NAMES, tested=TESTED, must_answer=SHORT_TURN)


def among(rulebook: Rulebook, *names: str) -> Script:
    """Make the script of an easy position in which the opponents have these names."""
    others = OPPONENTS[: max(len(names), 2)]
    names_of = dict(zip(others, names, strict=False))
    position = lone_tiles(rulebook, *others)
    players = tuple(
        player._replace(name=names_of.get(player.name, player.name)) for player in position.players
    )
    return make_script(rulebook, position._replace(players=players))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section."""
    yield from _characters(rulebook)
    yield from _confusing(rulebook)


def _characters(rulebook: Rulebook) -> Iterator[Case]:
    yield _case(
        slug="longest",
        title="A name of 64 characters",
        source=LETTERS,
        expected="Sign up with the whole name, and answer <turn>.",
        hint="cutting the name at a shorter maximum length.",
        script=among(rulebook),
        name=LONGEST,
    )
    yield _case(
        slug="longest-and-taken",
        title="A name of 64 characters that is taken: its end is replaced by a suffix",
        source=SAME,
        expected="Answer <turn> as the player with the given name, which ends with -2.",
        hint="computing the name from the requested one. It is in the answer.",
        script=among(rulebook, LONGEST),
        name=LONGEST,
    )
    yield _case(
        slug="markup",
        title="A name with <, >, &, \" and '",
        source=SPECIAL,
        expected="Sign up with these characters escaped, and answer <turn>.",
        hint="putting the name between quotes unescaped. Let an XML library write the attribute.",
        script=among(rulebook),
        name=MARKUP,
    )
    yield _case(
        slug="spaces",
        title="A name with spaces and a comma",
        source=SAME,
        expected="Sign up with the name as it is, including both spaces, and answer <turn>.",
        hint="splitting names at spaces, or collapsing several spaces to one.",
        script=among(rulebook),
        name=SPACED,
    )
    yield _case(
        slug="other-letters",
        title="Names with multi-byte letters, an emoji, and right-to-left text",
        source=UTF_8,
        expected="Sign up in UTF-8, and answer <turn>.",
        hint="using the machine's default encoding, which may not be UTF-8.",
        script=among(rulebook, RIGHT_TO_LEFT, "Łukasz \N{ALEMBIC}"),
        name=FOREIGN,
    )
    yield _case(
        slug="hostile",
        title="Other players have names that look like XML",
        source=SPECIAL,
        expected="Answer <turn> as if the others had plain names.",
        hint="searching the text for tags, even inside attributes.",
        script=among(rulebook, *HOSTILE),
    )


def _confusing(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the names that can be confused with others, or with something else."""
    yield _case(
        slug="parts",
        title="Names that are parts of each other",
        source=SAME,
        expected=f"Answer <turn> as {ALIKE}; only the whole name is yours.",
        hint="comparing names by their beginning, or by what they contain.",
        script=among(rulebook, f"{ALIKE}-2", ALIKE[:-1], f"Jo{ALIKE}"),
        name=ALIKE,
    )
    yield _case(
        slug="capitals",
        title="The name is taken, in other capitals",
        source=SAME,
        expected=f"Answer <turn> as {ALIKE}-2, the given name; {ALIKE.title()} is another player.",
        hint="looking for the requested name, or ignoring case.",
        script=among(rulebook, ALIKE.title()),
        name=ALIKE,
    )
    own, *hotels = (hotel_name(rulebook, letter) for letter in "TAS")
    yield _case(
        slug="hotels",
        title="Players named like hotels",
        source=SAME,
        expected=f"Answer <turn> as {own}, which is a player here; no hotel of that name is on "
        "the board.",
        hint="treating everything with the name of a hotel as a hotel.",
        script=among(rulebook, *hotels),
        name=own,
    )
    yield _case(
        slug="elements",
        title="Players named like elements and tiles",
        source=SAME,
        expected="Answer <turn> as if the players had ordinary names.",
        hint="finding the kind of a message by searching the text for a word.",
        script=among(rulebook, "score", "6H", "void"),
        name="turn",
    )
