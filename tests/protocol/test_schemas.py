"""What the schemas of the wire accept and refuse, under ``revised`` and the other rulebooks.

In the documents below ``{one}`` and ``{two}`` are hotels of the rulebook, ``{other}`` is one of
another edition's. Under the other rulebooks a position has more than under ``revised``, the
course's: ``{more}`` and ``{tiles}``.
"""

from typing import NamedTuple

from loops import for_each
from lxml import etree

from acquire import schemas
from acquire.protocol.faults import Reason
from acquire.protocol.player_names import MAX_NAME


class Edition(NamedTuple):
    """The schemas of one edition, and what stands in the places of the documents below."""

    player: etree.XMLSchema
    administrator: etree.XMLSchema
    places: dict[str, str]

    def valid(self, side: str, text: str) -> bool:
        """Whether this side's schema accepts a document."""
        schema = getattr(self, side)
        return bool(schema.validate(etree.fromstring(text.format(**self.places))))


def edition(suffix: str, hotels: str, more: str, tiles: str) -> Edition:
    one, two, other = hotels.split()
    places = {"one": one, "two": two, "other": other, "more": more, "tiles": tiles}
    player, administrator = (
        schemas.load(f"{side}{suffix}") for side in ("player", "administrator")
    )
    return Edition(player, administrator, places)


FULL = ("<bank/><aside/>", ' tiles="6"')
COURSE = edition("", "Tower Sackson Quantum", "", "")
OTHERS = {
    "hotels": edition("-hotels", "Tower Sackson Quantum", *FULL),
    "corporations": edition("-corporations", "Quantum Sackson Tower", *FULL),
}
GREETING = schemas.load("greeting")

TILE = '<tile column="1" row="A"/>'
ONE, TWO = '<hotel label="{one}"/>', '<hotel label="{two}"/>'
OTHER = '<hotel label="{other}"/>'
PLACEMENT = f"<placement>{TILE}</placement>"
SHARE = '<share name="{one}" count="1"/>'
HOTEL = f'<hotel name="{{one}}">{TILE}{TILE}</hotel>'
ANN = '<player name="ann" cash="8000"{tiles}/>'
POSITION = f"<board/>{{more}}{ANN}"
RESULT = '<result name="ann" score="9000"/>'

# Positions of the other rulebooks alone
OWN = '<player name="ann" cash="6000" tiles="6"/>'
BOB = '<player name="bob" tiles="6"/>'
SIGHT = f"<board/><bank/><aside/>{OWN}"
ASKED = 'hotel="{one}" price="300" survivor="{two}"'


def at(column: str, row: str) -> str:
    """A placement on this tile."""
    return f'<placement><tile column="{column}" row="{row}"/></placement>'


def in_player(inner: str) -> str:
    """A message with one player of this content."""
    return f'<state><board/>{{more}}<player name="ann" cash="0"{{tiles}}>{inner}</player></state>'


def in_board(inner: str) -> str:
    """A message with a board of this content."""
    return f"<state><board>{inner}</board>{{more}}{ANN}</state>"


SIGN_UPS = [
    '<signup name="a"/>',
    '<signup name=" a "/>',
    '<signup name="é"> \n</signup>',
    f'<signup name="{"a" * MAX_NAME}"/>',
    f'<signup name="{"😀" * MAX_NAME}"/>',
]
BOTH_REFUSE = [
    "<signup/>",
    '<signup name=""/>',
    '<signup name=" "/>',
    '<signup name="&#9;&#32;"/>',
    '<signup name="a&#10;b"/>',
    f'<signup name="{"a" * (MAX_NAME + 1)}"/>',
    '<signup name="a">a</signup>',
    '<signup name="a"><void/></signup>',
    '<signup name="a" seat="1"/>',
    '<signup Name="a"/>',
    '<signUp name="a"/>',
    '<signup xmlns="http://example.org/" name="a"/>',
    "<nothing/>",
    ONE,
    SHARE,
    ANN,
    "<board/>",
    "<true/>",
    "<end/>",
    RESULT,
]
"""What neither side may send under any rulebook."""

PLAYER_ACCEPTS = [
    *SIGN_UPS,
    "<void/>",
    "<void></void>",
    "<void> \t\r\n</void>",
    *(at(str(column), "A") for column in range(1, 13)),
    *(at("1", row) for row in "ABCDEFGHI"),
    at("08", "A"),
    at(" +007 ", " A "),
    '<placement><tile row="A" column="1"> </tile></placement>',
    f"<placement>{TILE}{ONE}</placement>",
    f"<placement>\n{TILE}\n{ONE}\n</placement>",
    '<order><hotel label=" {one} "> </hotel></order>',
    "<order/>",
    "<order>\n</order>",
    f"<order>{ONE}{ONE}</order>",
    f"<order>{ONE}{TWO}</order>",
    f"<pbuy>{PLACEMENT}<order/></pbuy>",
    f"<pbuy><placement>{TILE}{ONE}</placement><order>{ONE}{ONE}</order></pbuy>",
    "<keep><true/></keep>",
    "<keep><false/><false/></keep>",
    "<keep>\n<true> </true>\n<false/>\n<true/></keep>",
]
"""What a player may send under every rulebook."""

PLAYER_ADDS = [
    "<order><end/></order>",
    "<order>\n<end> </end>\n</order>",
    f"<order>{ONE}<end/></order>",
    f"<order>{ONE * 3}</order>",
    f"<order>{ONE}{TWO}{ONE}<end/></order>",
    f"<placement>{TILE}{ONE}{TWO}</placement>",
    f"<placement>{TILE}{ONE}{TWO}{ONE}{TWO}</placement>",
    "<pbuy><order/></pbuy>",
    f"<pbuy><order>{ONE}<end/></order></pbuy>",
    f"<pbuy>{PLACEMENT}<order><end/></order></pbuy>",
    f"<pbuy>{PLACEMENT}<order>{ONE}{ONE}{TWO}</order></pbuy>",
    '<dispose sell="0" trade="0"/>',
    '<dispose trade="25" sell="0"> </dispose>',
    '<dispose sell=" +007 " trade="025"/>',
    '<dispose sell="3" trade="1"/>',
    "<replace><true/></replace>",
    "<replace>\n<false>\n</false></replace>",
]
"""What a player may send under the other rulebooks and not under ``revised``."""

PLAYER_REFUSES = [
    '<signup name="ann" rulebook="classic"/>',
    "<void>ok</void>",
    "<void>&#160;</void>",
    '<void a="b"/>',
    "<void><void/></void>",
    "<Void/>",
    "<placement/>",
    f"<placement>{ONE}</placement>",
    f"<placement>{ONE}{TILE}</placement>",
    f"<placement>{TILE}{TILE}</placement>",
    f"<placement>{TILE}{OTHER}</placement>",
    f"<placement>{TILE}{ONE}{OTHER}</placement>",
    f"<placement>{TILE}{ONE}{TWO}{ONE}{TWO}{ONE}</placement>",
    f"<placement>{TILE}<end/></placement>",
    f"<placement>tile{TILE}</placement>",
    f'<placement at="1">{TILE}</placement>',
    f'<placement>{TILE}<hotel name="{{one}}"/></placement>',
    f'<placement>{TILE}<hotel label="{{one}}" size="2"/></placement>',
    f'<placement>{TILE}<hotel label="{{one}}">{TILE}</hotel></placement>',
    *(at(column, "A") for column in ["0", "13", "-1", "1.0", "", "one", "\u0661", "0x1", "1 2"]),
    *(at("1", row) for row in ["J", "a", "AB", ""]),
    '<placement><tile row="A"/></placement>',
    '<placement><tile column="1"/></placement>',
    '<placement><tile column="1" row="A">1A</tile></placement>',
    '<placement><tile column="1" row="A" hotel="{one}"/></placement>',
    f"<order>{ONE * 4}</order>",
    f"<order>{ONE}{TWO}{ONE}{TWO}<end/></order>",
    f"<order>{OTHER}</order>",
    f"<order>{ONE}{OTHER}</order>",
    *(f'<order><hotel label="{label}"/></order>' for label in ["sackson", "Ritz", ""]),
    "<order><hotel/></order>",
    f"<order>{SHARE}</order>",
    '<order count="2"/>',
    "<order>{one}</order>",
    f"<order><end/>{ONE}</order>",
    f"<order>{ONE}<end/>{ONE}</order>",
    "<order><end/><end/></order>",
    "<order><end>now</end></order>",
    '<order><end at="once"/></order>',
    '<order end="true"/>',
    "<pbuy/>",
    f"<pbuy>{PLACEMENT}</pbuy>",
    f"<pbuy>{PLACEMENT}<end/></pbuy>",
    f"<pbuy>{PLACEMENT}<order/><end/></pbuy>",
    f"<pbuy>{PLACEMENT}{PLACEMENT}<order/></pbuy>",
    f"<pbuy><order/>{PLACEMENT}</pbuy>",
    "<pbuy><order/><order/></pbuy>",
    f"<pbuy>{PLACEMENT}<order/><order/></pbuy>",
    f"<pbuy>{TILE}<order/></pbuy>",
    f"<pbuy>{PLACEMENT}and<order/></pbuy>",
    "<keep/>",
    "<keep> </keep>",
    "<keep>true</keep>",
    "<keep><true>yes</true></keep>",
    "<keep><True/></keep>",
    '<keep><true hotel="{one}"/></keep>',
    f"<keep>{ONE}</keep>",
    "<keep><true/><true/><true/><true/></keep>",
    "<replace/>",
    "<replace><true/><false/></replace>",
    "<replace><true>yes</true></replace>",
    "<replace>true</replace>",
    '<replace hand="true"/>',
    "<dispose/>",
    '<dispose sell="1"/>',
    '<dispose trade="2"/>',
    *(f'<dispose sell="{sell}" trade="0"/>' for sell in ["26", "-1", "1.5", "", "all"]),
    '<dispose sell="0" trade="26"/>',
    '<dispose sell="0" trade="-2"/>',
    '<dispose sell="1" trade="0" hold="0"/>',
    '<dispose sell="1" trade="0" hotel="{one}"/>',
    '<dispose sell="1" trade="0">1</dispose>',
    f'<dispose sell="1" trade="0">{ONE}</dispose>',
    TILE,
    f"<state>{POSITION}</state>",
    f"<turn>{POSITION}</turn>",
    f"<players>{ANN}</players>",
    f"<score>{RESULT}<state>{POSITION}</state></score>",
    f"<dispose {ASKED}>{SIGHT}</dispose>",
    f"<merger>{TILE}{SIGHT}</merger>",
    '<market hotel="{one}" count="0"/>',
    '<ejected reason="illegal"/>',
]
"""What a player may not send under any rulebook."""

ADMINISTRATOR_ACCEPTS = [
    f"<state>{POSITION}</state>",
    f"<state>\n<board>\n</board>\n{{more}}{ANN}\n</state>",
    f"<state>{POSITION}{ANN * 5}</state>",
    f"<turn>{POSITION}</turn>",
    in_board(TILE),
    in_board(TILE * 108),
    in_board(HOTEL),
    in_board(TILE + HOTEL * 7),
    in_board('<hotel name="{one}">' + TILE * 41 + "</hotel>"),
    in_player(""),
    in_player("\n"),
    in_player(TILE * 6),
    in_player(SHARE),
    in_player('<share name="{one}" count="25"> </share>' + TILE),
    in_player('<share name="{two}" count="+03"/>' * 7 + TILE * 6),
    '<state><board/>{more}<player name="ann" cash=" 008000 "{tiles}/></state>',
    f"<keep>{ONE}</keep>",
    f"<keep>{ONE}{TWO}{ONE}</keep>",
    TILE,
    f"<score>{RESULT}<state>{POSITION}</state></score>",
    f"<score>{RESULT * 6}\n<state>{POSITION}</state></score>",
    *(f'<ejected reason="{reason.value}">Because.</ejected>' for reason in Reason),
    '<ejected reason="illegal"/>',
]
"""What the referee may send under every rulebook."""

COURSE_ADDS = [*SIGN_UPS, f"<players>{ANN * 6}</players>", f"<players>\n{ANN}\n</players>"]
"""What the referee may send under ``revised`` and not under the other rulebooks."""

ADMINISTRATOR_ADDS = [
    '<signup name="ann" rulebook="classic"/>',
    f"<state>\n<board>\n</board>\n<bank>\n</bank>\n<aside>\n</aside>\n{OWN}\n{BOB}</state>",
    f"<state>{SIGHT}{BOB * 5}</state>",
    f"<state><board>{TILE}</board><bank>{SHARE}</bank><aside>{TILE * 3}</aside>{OWN}</state>",
    f'<state><board><hotel name="{{two}}">{TILE * 2}</hotel></board><bank/><aside/>{BOB}</state>',
    f"<state><board/><bank>{SHARE * 7}</bank><aside>{TILE * 108}</aside>{OWN}</state>",
    f'<state>{SIGHT}<player name="bob" tiles="0">{SHARE}</player></state>',
    f'<state>{SIGHT}<player name="bob" cash="0" tiles="6">{SHARE * 7}{TILE * 6}</player></state>',
    f"<replace>{SIGHT}</replace>",
    f"<players>{SIGHT}</players>",
    f"<score>{RESULT * 6}<state>{SIGHT}{BOB}</state></score>",
    f"<dispose {ASKED}>{SIGHT}{BOB}</dispose>",
    f"<merger>{TILE}{SIGHT}</merger>",
    f'<market hotel="{{one}}" count="9">{TILE}</market>',
    '<market hotel="{one}" count="0"/>',
    '<market hotel=" {two} " count="12"> </market>',
]
"""What the referee may send under the other rulebooks and not under ``revised``."""

ADMINISTRATOR_REFUSES = [
    '<signup name="ann" rulebook=""/>',
    '<signup name="ann" rulebook="not one"/>',
    '<signup rulebook="classic"/>',
    "<state/>",
    "<state><board/>{more}</state>",
    f"<state>{{more}}{ANN}</state>",
    f"<state>{ANN}<board/>{{more}}</state>",
    f"<state><board/>{POSITION}</state>",
    f"<state>{POSITION}{ANN * 6}</state>",
    f"<state><board/>and{{more}}{ANN}</state>",
    f'<state turn="1">{POSITION}</state>',
    "<turn/>",
    "<turn><board/>{more}</turn>",
    in_board(TILE * 109),
    in_board(HOTEL * 8),
    in_board(HOTEL + TILE),
    in_board(f'<hotel name="{{one}}">{TILE}</hotel>'),
    in_board('<hotel name="{one}"/>'),
    in_board(f'<hotel label="{{one}}">{TILE}{TILE}</hotel>'),
    in_board(f'<hotel name="{{other}}">{TILE}{TILE}</hotel>'),
    in_board(f"<hotel>{TILE}{TILE}</hotel>"),
    in_board(ONE),
    in_board("1A"),
    in_player(TILE * 7),
    *(in_player(f'<share name="{{one}}" count="{count}"/>') for count in ("0", "26", "-1")),
    in_player('<share name="{one}"/>'),
    in_player('<share count="1"/>'),
    in_player('<share label="{one}" count="1"/>'),
    in_player('<share name="{one}" count="1">one</share>'),
    in_player(SHARE * 8),
    in_player(TILE + SHARE),
    in_player("money"),
    '<state><board/>{more}<player cash="1"{tiles}/></state>',
    '<state><board/>{more}<player name="" cash="1"{tiles}/></state>',
    *(
        f'<state><board/>{{more}}<player name="ann" cash="{cash}"{{tiles}}/></state>'
        for cash in ("", "-1", "1.5")
    ),
    '<state><board/>{more}<player name="ann" cash="1"{tiles} seat="1"/></state>',
    "<players/>",
    '<players><player name="ann"/></players>',
    f"<players>{ANN * 7}</players>",
    "<keep/>",
    f"<keep>{OTHER}</keep>",
    f"<keep>{ONE * 4}</keep>",
    "<keep><true/></keep>",
    '<tile column="13" row="A"/>',
    '<tile column="1" row="J"/>',
    '<tile column="1" row="A">1A</tile>',
    "<tile/>",
    f"<score>{RESULT}</score>",
    f"<score><state>{POSITION}</state></score>",
    f"<score><state>{POSITION}</state>{RESULT}</score>",
    f"<score>{RESULT * 7}<state>{POSITION}</state></score>",
    f'<score><result name="ann"/><state>{POSITION}</state></score>',
    f'<score><result name="ann" score="-1"/><state>{POSITION}</state></score>',
    "<ejected/>",
    '<ejected reason="because"/>',
    '<ejected reason="illegal"><b/></ejected>',
    # what the other rulebooks add, in a wrong form
    f"<state><board/>{OWN}</state>",
    f"<state><board/><bank/>{OWN}</state>",
    f"<state><board/><aside/>{OWN}</state>",
    f"<state><board/><aside/><bank/>{OWN}</state>",
    f"<state>{SIGHT}<aside/></state>",
    f"<state><board/><bank>{TILE}</bank><aside/>{OWN}</state>",
    f"<state><board/><bank>{SHARE * 8}</bank><aside/>{OWN}</state>",
    f'<state><board/><bank><share name="{{one}}" count="26"/></bank><aside/>{OWN}</state>',
    f'<state><board/><bank><share name="{{other}}" count="1"/></bank><aside/>{OWN}</state>',
    f"<state><board/><bank/><aside>{SHARE}</aside>{OWN}</state>",
    f"<state><board/><bank/><aside>{TILE * 109}</aside>{OWN}</state>",
    '<state><board/><bank/><aside/><player name="ann" cash="1"/></state>',
    *(
        f'<state><board/><bank/><aside/><player name="ann" tiles="{count}"/></state>'
        for count in ("7", "-1", "")
    ),
    f"<dispose {ASKED}/>",
    f'<dispose hotel="{{one}}" price="300">{SIGHT}</dispose>',
    f'<dispose hotel="{{one}}" survivor="{{two}}">{SIGHT}</dispose>',
    f'<dispose price="300" survivor="{{two}}">{SIGHT}</dispose>',
    f'<dispose hotel="{{one}}" price="0" survivor="{{two}}">{SIGHT}</dispose>',
    f'<dispose hotel="{{other}}" price="300" survivor="{{two}}">{SIGHT}</dispose>',
    f'<dispose hotel="{{one}}" price="300" survivor="{{other}}">{SIGHT}</dispose>',
    f"<merger>{SIGHT}</merger>",
    f"<merger>{TILE}</merger>",
    f"<merger>{SIGHT}{TILE}</merger>",
    f"<merger>{TILE * 2}{SIGHT}</merger>",
    '<market hotel="{one}"/>',
    '<market count="1"/>',
    '<market hotel="{other}" count="1"/>',
    '<market hotel="{one}" count="13"/>',
    '<market hotel="{one}" count="-1"/>',
    f'<market hotel="{{one}}" count="1">{TILE * 2}</market>',
    # what a player sends
    "<void/>",
    "<order/>",
    "<order><end/></order>",
    PLACEMENT,
    f"<pbuy>{PLACEMENT}<order/></pbuy>",
    "<pbuy><order/></pbuy>",
    '<dispose sell="1" trade="0"/>',
]
"""What the referee may not send under any rulebook."""


def check(edition: Edition, side: str, accepted: list[str], refused: list[str]) -> None:
    """Check that a side's schema accepts and refuses these documents."""
    assert [text for text in accepted if not edition.valid(side, text)] == []
    assert [text for text in refused + BOTH_REFUSE if edition.valid(side, text)] == []


def test_what_each_side_may_send_and_may_not_under_revised() -> None:
    check(COURSE, "player", PLAYER_ACCEPTS, PLAYER_REFUSES + PLAYER_ADDS)
    accepted = ADMINISTRATOR_ACCEPTS + COURSE_ADDS
    check(COURSE, "administrator", accepted, ADMINISTRATOR_REFUSES + ADMINISTRATOR_ADDS)


@for_each("edition", OTHERS.values(), ids=OTHERS)
def test_what_each_side_may_send_and_may_not_under_another_rulebook(edition: Edition) -> None:
    check(edition, "player", PLAYER_ACCEPTS + PLAYER_ADDS, PLAYER_REFUSES)
    accepted = ADMINISTRATOR_ACCEPTS + ADMINISTRATOR_ADDS
    check(edition, "administrator", accepted, ADMINISTRATOR_REFUSES + COURSE_ADDS)


@for_each(
    ("text", "good"),
    [
        ('<signup name="ann"/>', True),
        ('<signup name="ann" rulebook="revised"/>', True),
        ('<signup name="ann" rulebook=" digest "/>', True),
        ('<ejected reason="no-seat">Full.</ejected>', True),
        ('<signup name="ann" rulebook=""/>', False),
        ('<signup name="ann" rulebook="a b"/>', False),
        ('<signup rulebook="digest"/>', False),
        ('<signup name="ann" seat="1"/>', False),
        ('<ejected reason="because"/>', False),
        ('<state><board/><player name="ann" cash="8000"/></state>', False),
        (f"<state>{SIGHT}</state>", False),
        (TILE, False),
        ("<void/>", False),
    ],
)
def test_greeting_is_a_name_with_or_without_a_rulebook_or_an_ejection(
    text: str, good: bool
) -> None:
    assert GREETING.validate(etree.fromstring(text)) is good


def test_every_reason_of_an_ejection_is_in_the_schema() -> None:
    found = etree.parse(schemas.FOLDER / "table.xsd").findall(
        ".//{*}complexType[@name='ejected']//{*}enumeration"
    )
    assert {element.get("value") for element in found} == {reason.value for reason in Reason}
