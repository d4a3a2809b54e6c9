"""Long names, and names with markup: whatever people are called, the game is the same."""

from collections.abc import Iterator
from functools import partial

from admin.check.case import Case, Source, section
from admin.check.lone_tiles import SHORT_TURN, lone_tiles
from admin.check.scene import OTHERS, hotel_name, script
from admin.trial.script import Script
from game.rulebook import Rulebook

NAMES = section("names")
ABOUT = SHORT_TURN | {"signup"}
"""A name has to be written when signing up, and read in every position."""

LONGEST = "Anna-Amalia-von-Braunschweig-Wolfenbuettel-und-Sachsen-Weimar-I."
MARKUP = "a<b>&\"c'"
SPACED = "Ada King,  Countess of Lovelace"
FOREIGN = "Zoë 漢字 \N{GAME DIE}"
RIGHT_TO_LEFT = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}\N{HEBREW LETTER GIMEL}"
HOSTILE = ("</turn><score>", "]]>&amp;<!--", "\"/><player name='")
ALIKE = "ann"

LETTERS = Source("The messages", "1 to 64 characters")
SPECIAL = Source("On the socket", "are written as `&lt;`, `&gt;`, `&amp;` and `&quot;`")
UTF_8 = Source("On the socket", "The administrator sends compact UTF-8")
SAME = Source("The conversation", "The name in it is your name in every position")

_case = partial(Case, section=NAMES, about=ABOUT, reaches=SHORT_TURN)


def among(rulebook: Rulebook, *names: str) -> Script:
    """Lay out a simple position, with the others called so; names may hold any characters."""
    others = OTHERS[: max(len(names), 2)]
    calls = dict(zip(others, names, strict=False))
    position = lone_tiles(rulebook, *others)
    players = tuple(
        player._replace(name=calls.get(player.name, player.name)) for player in position.players
    )
    return script(rulebook, position._replace(players=players))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section."""
    yield from _characters(rulebook)
    yield from _mistaken(rulebook)


def _characters(rulebook: Rulebook) -> Iterator[Case]:
    yield _case(
        slug="longest",
        title="A name of 64 characters",
        source=LETTERS,
        expected="The sign-up with the whole name, and the turn.",
        hint="Often names are read into a field that is too short, and cut.",
        script=among(rulebook),
        name=LONGEST,
    )
    yield _case(
        slug="longest-and-taken",
        title="A name of 64 characters that is taken: its end gives way to a suffix",
        source=SAME,
        expected="The turn of the player with the name that was given, which ends with -2.",
        hint="Often the name is made up from the one asked for; it is in the answer.",
        script=among(rulebook, LONGEST),
        name=LONGEST,
    )
    yield _case(
        slug="markup",
        title="A name of its own with <, >, &, \" and '",
        source=SPECIAL,
        expected="A sign-up with these characters escaped, and the turn.",
        hint="Often the name is put between quotes as it is; let a library write the attribute.",
        script=among(rulebook),
        name=MARKUP,
    )
    yield _case(
        slug="spaces",
        title="A name with spaces and a comma",
        source=SAME,
        expected="The sign-up with the name as it is, two spaces included, and the turn.",
        hint="Often names are split at spaces, or several spaces are made one.",
        script=among(rulebook),
        name=SPACED,
    )
    yield _case(
        slug="other-letters",
        title="Names with letters of several bytes, a picture, and from right to left",
        source=UTF_8,
        expected="A sign-up in UTF-8, and the turn.",
        hint="Often bytes are written or read in the encoding of the machine, which is another.",
        script=among(rulebook, RIGHT_TO_LEFT, "Łukasz \N{ALEMBIC}"),
        name=FOREIGN,
    )
    yield _case(
        slug="hostile",
        title="Others have names that look like pieces of XML",
        source=SPECIAL,
        expected="The turn, as if the others had plain names.",
        hint="Often tags are searched for in the text, also inside of attributes.",
        script=among(rulebook, *HOSTILE),
    )


def _mistaken(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the names that can be taken for others, or for something else."""
    yield _case(
        slug="parts",
        title="Names that are part of each other",
        source=SAME,
        expected=f"The turn of {ALIKE}, whom nothing but the whole name tells from the others.",
        hint="Often names are compared by how they begin, or by what they contain.",
        script=among(rulebook, f"{ALIKE}-2", ALIKE[:-1], f"Jo{ALIKE}"),
        name=ALIKE,
    )
    yield _case(
        slug="capitals",
        title="Names that are equal but for capitals",
        source=SAME,
        expected=f"The turn of {ALIKE}: Ann and ANN are others.",
        hint="Often names are compared without regard to capitals.",
        script=among(rulebook, ALIKE.title(), ALIKE.upper()),
        name=ALIKE,
    )
    own, *hotels = (hotel_name(rulebook, letter) for letter in "TAS")
    yield _case(
        slug="hotels",
        title="Players who are called like hotels",
        source=SAME,
        expected=f"The turn of {own}, who is a player; no hotel of that name is on the board.",
        hint="Often whatever has the name of a hotel is taken for one.",
        script=among(rulebook, *hotels),
        name=own,
    )
    yield _case(
        slug="elements",
        title="Players who are called like elements and tiles",
        source=SAME,
        expected="The turn, as if they had names of people.",
        hint="Often the kind of a message is found by searching the text for a word.",
        script=among(rulebook, "score", "6H", "void"),
        name="turn",
    )
