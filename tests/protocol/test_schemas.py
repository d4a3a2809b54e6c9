"""What the two schemas of the wire accept and refuse under ``revised``, the course's words."""

from loops import for_each
from lxml import etree

from acquire import schemas
from acquire.protocol.faults import Reason
from acquire.protocol.player_names import MAX_NAME

PLAYER = schemas.load("player")
ADMINISTRATOR = schemas.load("administrator")

TILE = '<tile column="1" row="A"/>'
TOWER = '<hotel label="Tower"/>'
HOTEL = f'<hotel name="Tower">{TILE}{TILE}</hotel>'
ANN = '<player name="ann" cash="8000"/>'
RESULT = '<result name="ann" score="9000"/>'
STATE = f"<state><board/>{ANN}</state>"

NAMES = ["American", "Continental", "Festival", "Imperial", "Sackson", "Tower", "Worldwide"]


def in_player(inner: str) -> str:
    """A message with one player of this content."""
    return f'<players><player name="ann" cash="0">{inner}</player></players>'


def in_board(inner: str) -> str:
    """A message with a board of this content."""
    return f"<state><board>{inner}</board>{ANN}</state>"


BOTH_ACCEPT = [
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
    "<nothing/>",
    '<hotel label="Tower"/>',
    '<share name="Tower" count="1"/>',
    '<player name="a" cash="1"/>',
    "<board/>",
    "<true/>",
    '<result name="a" score="1"/>',
    '<signup xmlns="http://example.org/" name="a"/>',
]

PLAYER_ACCEPTS = [
    "<void/>",
    "<void></void>",
    "<void> \t\r\n</void>",
    *(f'<placement><tile column="{column}" row="A"/></placement>' for column in range(1, 13)),
    *(f'<placement><tile column="1" row="{row}"/></placement>' for row in "ABCDEFGHI"),
    '<placement><tile column="08" row="A"/></placement>',
    '<placement><tile column=" +007 " row=" A "/></placement>',
    '<placement><tile row="A" column="1"> </tile></placement>',
    f"<placement>{TILE}{TOWER}</placement>",
    f"<placement>\n{TILE}\n{TOWER}\n</placement>",
    *(f'<order><hotel label="{name}"/></order>' for name in NAMES),
    '<order><hotel label=" Tower "> </hotel></order>',
    "<order/>",
    "<order>\n</order>",
    f"<order>{TOWER}{TOWER}</order>",
    '<order><hotel label="Tower"/><hotel label="Sackson"/></order>',
    f"<pbuy><placement>{TILE}</placement><order/></pbuy>",
    f"<pbuy><placement>{TILE}{TOWER}</placement><order>{TOWER}{TOWER}</order></pbuy>",
    "<keep><true/></keep>",
    "<keep><false/><false/></keep>",
    "<keep>\n<true> </true>\n<false/>\n<true/></keep>",
]
PLAYER_REFUSES = [
    "<void>ok</void>",
    "<void>&#160;</void>",
    '<void a="b"/>',
    "<void><void/></void>",
    "<Void/>",
    "<placement/>",
    f"<placement>{TOWER}</placement>",
    f"<placement>{TOWER}{TILE}</placement>",
    f"<placement>{TILE}{TILE}</placement>",
    f"<placement>{TILE}{TOWER}{TOWER}</placement>",
    f"<placement>tile{TILE}</placement>",
    f'<placement at="1">{TILE}</placement>',
    f'<placement>{TILE}<hotel name="Tower"/></placement>',
    f'<placement>{TILE}<hotel label="Tower" size="2"/></placement>',
    f'<placement>{TILE}<hotel label="Tower">{TILE}</hotel></placement>',
    '<placement><tile column="0" row="A"/></placement>',
    '<placement><tile column="13" row="A"/></placement>',
    '<placement><tile column="-1" row="A"/></placement>',
    '<placement><tile column="1.0" row="A"/></placement>',
    '<placement><tile column="" row="A"/></placement>',
    '<placement><tile column="one" row="A"/></placement>',
    '<placement><tile column="\u0661" row="A"/></placement>',
    '<placement><tile column="0x1" row="A"/></placement>',
    '<placement><tile column="1 2" row="A"/></placement>',
    '<placement><tile column="1" row="J"/></placement>',
    '<placement><tile column="1" row="a"/></placement>',
    '<placement><tile column="1" row="AB"/></placement>',
    '<placement><tile column="1" row=""/></placement>',
    '<placement><tile row="A"/></placement>',
    '<placement><tile column="1"/></placement>',
    '<placement><tile column="1" row="A">1A</tile></placement>',
    '<placement><tile column="1" row="A" hotel="Tower"/></placement>',
    f"<order>{TOWER * 3}</order>",
    '<order><hotel label="tower"/></order>',
    '<order><hotel label="Hydra"/></order>',
    '<order><hotel label=""/></order>',
    "<order><hotel/></order>",
    '<order><share name="Tower" count="2"/></order>',
    '<order count="2"/>',
    "<order>Tower</order>",
    f"<pbuy><placement>{TILE}</placement></pbuy>",
    "<pbuy><order/></pbuy>",
    f"<pbuy><order/><placement>{TILE}</placement></pbuy>",
    f"<pbuy><placement>{TILE}</placement><order/><order/></pbuy>",
    f"<pbuy>{TILE}<order/></pbuy>",
    f"<pbuy><placement>{TILE}</placement>and<order/></pbuy>",
    "<keep/>",
    "<keep> </keep>",
    "<keep>true</keep>",
    "<keep><true>yes</true></keep>",
    "<keep><True/></keep>",
    '<keep><true hotel="Tower"/></keep>',
    f"<keep>{TOWER}</keep>",
    "<keep><true/><true/><true/><true/></keep>",
    TILE,
    STATE,
    f"<turn><board/>{ANN}</turn>",
    f"<players>{ANN}</players>",
    f"<score>{RESULT}{STATE}</score>",
    '<ejected reason="illegal"/>',
]

ADMINISTRATOR_ACCEPTS = [
    STATE,
    f"<turn><board/>{ANN}</turn>",
    f"<state>\n<board>\n</board>\n{ANN}\n</state>",
    f"<players>{ANN * 6}</players>",
    in_board(TILE),
    in_board(TILE * 108),
    in_board(HOTEL),
    in_board(TILE + HOTEL * 7),
    in_board('<hotel name="Tower">' + TILE * 41 + "</hotel>"),
    in_player(""),
    in_player("\n"),
    in_player(TILE * 6),
    in_player('<share name="Tower" count="1"/>'),
    in_player('<share name="Tower" count="25"> </share>' + TILE),
    in_player("".join(f'<share name="{name}" count="+03"/>' for name in NAMES) + TILE * 6),
    '<players><player name="ann" cash="0"/></players>',
    '<players><player name="ann" cash=" 008000 "/></players>',
    f"<keep>{TOWER}</keep>",
    f"<keep>{TOWER * 3}</keep>",
    TILE,
    f"<score>{RESULT}{STATE}</score>",
    f"<score>{RESULT * 6}\n{STATE}</score>",
    *(f'<ejected reason="{reason.value}">Because.</ejected>' for reason in Reason),
    '<ejected reason="illegal"/>',
]
ADMINISTRATOR_REFUSES = [
    "<state/>",
    "<state><board/></state>",
    f"<state>{ANN}</state>",
    f"<state>{ANN}<board/></state>",
    f"<state><board/><board/>{ANN}</state>",
    f"<state><board/>{ANN * 7}</state>",
    f"<state><board/>and{ANN}</state>",
    f'<state turn="1"><board/>{ANN}</state>',
    "<turn/>",
    "<turn><board/></turn>",
    in_board(TILE * 109),
    in_board(HOTEL * 8),
    in_board(HOTEL + TILE),
    in_board(f'<hotel name="Tower">{TILE}</hotel>'),
    in_board('<hotel name="Tower"/>'),
    in_board(f'<hotel label="Tower">{TILE}{TILE}</hotel>'),
    in_board(f'<hotel name="Hydra">{TILE}{TILE}</hotel>'),
    in_board(f"<hotel>{TILE}{TILE}</hotel>"),
    in_board(TOWER),
    in_board("1A"),
    in_player(TILE * 7),
    in_player('<share name="Tower" count="0"/>'),
    in_player('<share name="Tower" count="26"/>'),
    in_player('<share name="Tower" count="-1"/>'),
    in_player('<share name="Tower"/>'),
    in_player('<share count="1"/>'),
    in_player('<share label="Tower" count="1"/>'),
    in_player('<share name="Tower" count="1">one</share>'),
    in_player('<share name="Tower" count="1"/>' * 8),
    in_player(TILE + '<share name="Tower" count="1"/>'),
    in_player("money"),
    '<players><player name="ann"/></players>',
    '<players><player cash="1"/></players>',
    '<players><player name="" cash="1"/></players>',
    '<players><player name="ann" cash="-1"/></players>',
    '<players><player name="ann" cash="1.5"/></players>',
    '<players><player name="ann" cash="1" seat="1"/></players>',
    "<players/>",
    f"<players>{ANN * 7}</players>",
    "<keep/>",
    f"<keep>{TOWER * 4}</keep>",
    "<keep><true/></keep>",
    '<tile column="13" row="A"/>',
    '<tile column="1" row="J"/>',
    '<tile column="1" row="A">1A</tile>',
    "<tile/>",
    f"<score>{RESULT}</score>",
    f"<score>{STATE}</score>",
    f"<score>{STATE}{RESULT}</score>",
    f"<score>{RESULT * 7}{STATE}</score>",
    f'<score><result name="ann"/>{STATE}</score>',
    f'<score><result name="ann" score="-1"/>{STATE}</score>',
    "<ejected/>",
    '<ejected reason="because"/>',
    '<ejected reason="illegal"><b/></ejected>',
    "<void/>",
    "<order/>",
    f"<placement>{TILE}</placement>",
    f"<pbuy><placement>{TILE}</placement><order/></pbuy>",
]


@for_each(
    ("schema", "accepted", "refused"),
    [
        (PLAYER, PLAYER_ACCEPTS, PLAYER_REFUSES),
        (ADMINISTRATOR, ADMINISTRATOR_ACCEPTS, ADMINISTRATOR_REFUSES),
    ],
    ids=["player", "administrator"],
)
def test_schema_accepts_and_refuses(
    schema: etree.XMLSchema, accepted: list[str], refused: list[str]
) -> None:
    for text in BOTH_ACCEPT + accepted:
        schema.assertValid(etree.fromstring(text))
    wrong = [text for text in BOTH_REFUSE + refused if schema.validate(etree.fromstring(text))]
    assert not wrong


def test_every_reason_of_an_ejection_is_in_the_schema() -> None:
    found = etree.parse(schemas.FOLDER / "table.xsd").findall(
        ".//{*}complexType[@name='ejected']//{*}enumeration"
    )
    assert {element.get("value") for element in found} == {reason.value for reason in Reason}
