"""What the schemas accept and refuse under the other rulebooks, and ``revised`` not at all.

In the documents below ``{one}`` and ``{two}`` are hotels of the rulebook, ``{other}`` is one of
another edition's.
"""

from typing import NamedTuple

import pytest
from loops import for_each
from lxml import etree

from acquire import schemas
from acquire.protocol.faults import Reason


class Edition(NamedTuple):
    """The schemas of one edition, and the hotels that they know."""

    player: etree.XMLSchema
    administrator: etree.XMLSchema
    hotels: dict[str, str]


EDITIONS = {
    edition: Edition(
        schemas.load(f"player-{edition}"),
        schemas.load(f"administrator-{edition}"),
        dict(zip(["one", "two", "other"], hotels.split(), strict=True)),
    )
    for edition, hotels in {
        "hotels": "Tower Sackson Quantum",
        "corporations": "Quantum Sackson Tower",
    }.items()
}
COURSE = Edition(schemas.load("player"), schemas.load("administrator"), EDITIONS["hotels"].hotels)
GREETING = schemas.load("greeting")

TILE = '<tile column="1" row="A"/>'
ONE, TWO = '<hotel label="{one}"/>', '<hotel label="{two}"/>'
OTHER = '<hotel label="{other}"/>'
PLACEMENT = f"<placement>{TILE}</placement>"
SHARE = '<share name="{one}" count="1"/>'
ANN = '<player name="ann" cash="6000" tiles="6"/>'
BOB = '<player name="bob" tiles="6"/>'
SIGHT = f"<board/><bank/><aside/>{ANN}"
RESULT = '<result name="ann" score="9000"/>'
ASKED = 'hotel="{one}" price="300" survivor="{two}"'

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

ADMINISTRATOR_ADDS = [
    '<signup name="ann" rulebook="classic"/>',
    f"<state>{SIGHT}</state>",
    f"<state>\n<board>\n</board>\n<bank>\n</bank>\n<aside>\n</aside>\n{ANN}\n{BOB}</state>",
    f"<state>{SIGHT}{BOB * 5}</state>",
    f"<state><board>{TILE}</board><bank>{SHARE}</bank><aside>{TILE * 3}</aside>{ANN}</state>",
    f'<state><board><hotel name="{{two}}">{TILE * 2}</hotel></board><bank/><aside/>{BOB}</state>',
    f"<state><board/><bank>{SHARE * 7}</bank><aside>{TILE * 108}</aside>{ANN}</state>",
    f'<state>{SIGHT}<player name="bob" tiles="0">{SHARE}</player></state>',
    f'<state>{SIGHT}<player name="bob" cash="0" tiles="6">{SHARE * 7}{TILE * 6}</player></state>',
    f"<turn>{SIGHT}</turn>",
    f"<replace>{SIGHT}</replace>",
    f"<players>{SIGHT}</players>",
    f"<score>{RESULT}<state>{SIGHT}</state></score>",
    f"<score>{RESULT * 6}<state>{SIGHT}{BOB}</state></score>",
    f"<dispose {ASKED}>{SIGHT}{BOB}</dispose>",
    f"<merger>{TILE}{SIGHT}</merger>",
    f'<market hotel="{{one}}" count="9">{TILE}</market>',
    '<market hotel="{one}" count="0"/>',
    '<market hotel=" {two} " count="12"> </market>',
]
"""What the referee may send under the other rulebooks and not under ``revised``."""

PLAYER_ACCEPTS = [
    '<signup name="ann"/>',
    "<void/>",
    PLACEMENT,
    f"<placement>{TILE}{ONE}</placement>",
    "<order/>",
    f"<order>{ONE}{TWO}</order>",
    f"<pbuy>{PLACEMENT}<order/></pbuy>",
    "<keep><true/><false/><true/></keep>",
]
"""What a player may send under every rulebook."""

ADMINISTRATOR_ACCEPTS = [
    f"<keep>{ONE}</keep>",
    f"<keep>{ONE}{TWO}{ONE}</keep>",
    TILE,
    *(f'<ejected reason="{reason.value}">Because.</ejected>' for reason in Reason),
]
"""What the referee may send under every rulebook."""

PLAYER_REFUSES = [
    '<signup name="ann" rulebook="classic"/>',
    f"<order>{ONE * 4}</order>",
    f"<order>{ONE}{TWO}{ONE}{TWO}<end/></order>",
    f"<order>{OTHER}</order>",
    f"<order>{ONE}{OTHER}</order>",
    f"<order><end/>{ONE}</order>",
    f"<order>{ONE}<end/>{ONE}</order>",
    "<order><end/><end/></order>",
    "<order><end>now</end></order>",
    '<order><end at="once"/></order>',
    '<order end="true"/>',
    "<end/>",
    f"<placement>{TILE}{ONE}{TWO}{ONE}{TWO}{ONE}</placement>",
    f"<placement>{ONE}{TWO}</placement>",
    f"<placement>{ONE}{TILE}</placement>",
    f"<placement>{TILE}{TILE}</placement>",
    f"<placement>{TILE}{OTHER}</placement>",
    f"<placement>{TILE}{ONE}{OTHER}</placement>",
    f"<placement>{TILE}<end/></placement>",
    "<pbuy/>",
    f"<pbuy>{PLACEMENT}</pbuy>",
    f"<pbuy>{PLACEMENT}<end/></pbuy>",
    f"<pbuy>{PLACEMENT}<order/><end/></pbuy>",
    f"<pbuy>{PLACEMENT}{PLACEMENT}<order/></pbuy>",
    f"<pbuy><order/>{PLACEMENT}</pbuy>",
    "<pbuy><order/><order/></pbuy>",
    "<replace/>",
    "<replace><true/><false/></replace>",
    "<replace><true>yes</true></replace>",
    "<replace>true</replace>",
    '<replace hand="true"/>',
    "<dispose/>",
    '<dispose sell="1"/>',
    '<dispose trade="2"/>',
    '<dispose sell="26" trade="0"/>',
    '<dispose sell="0" trade="26"/>',
    '<dispose sell="-1" trade="0"/>',
    '<dispose sell="0" trade="-2"/>',
    '<dispose sell="1.5" trade="0"/>',
    '<dispose sell="" trade="0"/>',
    '<dispose sell="all" trade="0"/>',
    '<dispose sell="1" trade="0" hold="0"/>',
    '<dispose sell="1" trade="0" hotel="{one}"/>',
    '<dispose sell="1" trade="0">1</dispose>',
    f'<dispose sell="1" trade="0">{ONE}</dispose>',
    "<keep><true/><true/><true/><true/></keep>",
    f"<turn>{SIGHT}</turn>",
    f"<dispose {ASKED}>{SIGHT}</dispose>",
    f"<merger>{TILE}{SIGHT}</merger>",
    '<market hotel="{one}" count="0"/>',
    TILE,
]

ADMINISTRATOR_REFUSES = [
    '<signup name="ann"/>',
    '<signup name="ann" rulebook=""/>',
    '<signup name="ann" rulebook="not one"/>',
    '<signup rulebook="classic"/>',
    '<state><board/><player name="ann" cash="6000"/></state>',
    f"<state><board/>{ANN}</state>",
    f"<state><board/><bank/>{ANN}</state>",
    f"<state><board/><aside/>{ANN}</state>",
    f"<state><board/><aside/><bank/>{ANN}</state>",
    f"<state><bank/><aside/>{ANN}</state>",
    "<state><board/><bank/><aside/></state>",
    f"<state>{SIGHT}{BOB * 6}</state>",
    f"<state>{SIGHT}<aside/></state>",
    f"<state><board/><bank>{TILE}</bank><aside/>{ANN}</state>",
    f"<state><board/><bank>{SHARE * 8}</bank><aside/>{ANN}</state>",
    f'<state><board/><bank><share name="{{one}}" count="26"/></bank><aside/>{ANN}</state>',
    f'<state><board/><bank><share name="{{other}}" count="1"/></bank><aside/>{ANN}</state>',
    f"<state><board/><bank/><aside>{SHARE}</aside>{ANN}</state>",
    f"<state><board/><bank/><aside>{TILE * 109}</aside>{ANN}</state>",
    f'<state><board><hotel name="{{other}}">{TILE * 2}</hotel></board><bank/><aside/>{ANN}</state>',
    '<state><board/><bank/><aside/><player name="ann" cash="1"/></state>',
    '<state><board/><bank/><aside/><player cash="1" tiles="6"/></state>',
    '<state><board/><bank/><aside/><player name="ann" tiles="7"/></state>',
    '<state><board/><bank/><aside/><player name="ann" tiles="-1"/></state>',
    '<state><board/><bank/><aside/><player name="ann" tiles=""/></state>',
    '<state><board/><bank/><aside/><player name="ann" cash="" tiles="6"/></state>',
    '<state><board/><bank/><aside/><player name="ann" cash="-1" tiles="6"/></state>',
    f'<state><board/><bank/><aside/><player name="a" tiles="6">{TILE * 7}</player></state>',
    f'<state><board/><bank/><aside/><player name="a" tiles="6">{TILE}{SHARE}</player></state>',
    "<turn/>",
    f"<players>{ANN}</players>",
    f"<score><state>{SIGHT}</state></score>",
    f"<score>{RESULT}</score>",
    f"<score>{RESULT * 7}<state>{SIGHT}</state></score>",
    f"<score>{RESULT}<state><board/>{ANN}</state></score>",
    f"<dispose {ASKED}/>",
    f'<dispose hotel="{{one}}" price="300">{SIGHT}</dispose>',
    f'<dispose hotel="{{one}}" survivor="{{two}}">{SIGHT}</dispose>',
    f'<dispose price="300" survivor="{{two}}">{SIGHT}</dispose>',
    f'<dispose hotel="{{one}}" price="0" survivor="{{two}}">{SIGHT}</dispose>',
    f'<dispose hotel="{{other}}" price="300" survivor="{{two}}">{SIGHT}</dispose>',
    f'<dispose hotel="{{one}}" price="300" survivor="{{other}}">{SIGHT}</dispose>',
    '<dispose sell="1" trade="0"/>',
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
    f"<keep>{OTHER}</keep>",
    f"<keep>{ONE * 4}</keep>",
    '<ejected reason="because"/>',
    "<void/>",
    "<order><end/></order>",
    "<pbuy><order/></pbuy>",
]


def valid(schema: etree.XMLSchema, text: str, hotels: dict[str, str]) -> bool:
    """Whether a document is of a schema, with these hotels in their places."""
    return bool(schema.validate(etree.fromstring(text.format(**hotels))))


def wrong(edition: Edition, side: str, texts: list[str], *, valid_ones: bool) -> list[str]:
    """Which of these documents of one side an edition's schema judges otherwise."""
    schema = getattr(edition, side)
    return [text for text in texts if valid(schema, text, edition.hotels) is not valid_ones]


@for_each("edition", EDITIONS.values(), ids=EDITIONS)
def test_what_each_side_may_send_and_may_not(edition: Edition) -> None:
    assert not wrong(edition, "player", PLAYER_ACCEPTS + PLAYER_ADDS, valid_ones=True)
    assert not wrong(edition, "player", PLAYER_REFUSES, valid_ones=False)
    accepted = ADMINISTRATOR_ACCEPTS + ADMINISTRATOR_ADDS
    assert not wrong(edition, "administrator", accepted, valid_ones=True)
    assert not wrong(edition, "administrator", ADMINISTRATOR_REFUSES, valid_ones=False)


def test_under_revised_only_what_every_rulebook_lets_somebody_send_is_valid() -> None:
    assert not wrong(COURSE, "player", PLAYER_ACCEPTS, valid_ones=True)
    assert not wrong(COURSE, "player", PLAYER_ADDS, valid_ones=False)
    assert not wrong(COURSE, "administrator", ADMINISTRATOR_ACCEPTS, valid_ones=True)
    assert not wrong(COURSE, "administrator", ADMINISTRATOR_ADDS, valid_ones=False)


@pytest.mark.parametrize("edition", EDITIONS)
def test_hotels_of_one_edition_are_invalid_under_the_other(edition: str) -> None:
    text = f"<order>{ONE}</order>"
    assert {
        name: valid(EDITIONS[name].player, text, EDITIONS[edition].hotels) for name in EDITIONS
    } == {name: name == edition for name in EDITIONS}


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
        (f"<state><board/>{ANN}</state>", False),
        (f"<state>{SIGHT}</state>", False),
        (TILE, False),
        ("<void/>", False),
    ],
)
def test_greeting_is_a_name_with_or_without_a_rulebook_or_an_ejection(
    text: str, good: bool
) -> None:
    assert valid(GREETING, text, COURSE.hotels) is good
