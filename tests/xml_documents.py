"""Documents as peers may write them: messages, what the schema refuses, and what is not XML.

A document of `SPELLINGS` and `INVALID` has no white space around it.
"""

from hypothesis import strategies as st
from positions import hotels, placement

from acquire.protocol.messages import KeepAnswer, Merge, Order, Pbuy, PlayerMessage, SignUp, Void

(TOWER,) = hotels("Tower")
VOID = Void()

PBUY = (
    b'<pbuy><placement><tile column="6" row="E"/><hotel label="Tower"/></placement>'
    b'<order><hotel label="Tower"/><hotel label="Tower"/></order></pbuy>'
)
FOUNDED = Pbuy(placement("6E", "Tower"), (TOWER, TOWER))

# fmt: off
SPELLINGS: dict[bytes, PlayerMessage] = {
    b"<void/>": VOID,
    b"<void />": VOID,
    b"<void></void>": VOID,
    b"<void>\n</void>": VOID,  # as the course writes it
    b"<void>\r\n\t </void>": VOID,
    b"<void>&#32;&#10;</void>": VOID,
    b'<?xml version="1.0"?><void/>': VOID,
    b"<?xml version='1.0' encoding='utf-8'?>\n<void/>": VOID,
    b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\r\n<void/>': VOID,  # as Java does
    b'<?xml version="1.0" encoding="UTF-16"?><void/>': VOID,  # which it is not
    b'<?xml version="1.0" encoding="whatever"?><void/>': VOID,
    '<?xml version="1.0" encoding="ISO-8859-1"?><signup name="é"/>'.encode(): SignUp("é"),
    b"\xef\xbb\xbf<void/>": VOID,  # a byte order mark
    b'\xef\xbb\xbf<?xml version="1.0"?><void/>': VOID,
    b"<!-- > --><void/>": VOID,
    b"<void><!-- </void> --></void>": VOID,
    b"<?a </void>?><void><?b >?></void>": VOID,
    b'<signup name="a"/>': SignUp("a"),
    b'<signup \r\n name\t=\n"a" \n></signup \t>': SignUp("a"),
    b'<signup name=" a  b "/>': SignUp(" a  b "),
    b"""<signup name='"'/>""": SignUp('"'),
    b'<signup name="/>a>"/>': SignUp("/>a>"),
    b"<signup name='>&lt;/signup>'></signup>": SignUp("></signup>"),
    b'<signup name="&#65;&#x62;&amp;&lt;&gt;&quot;&apos;&#9;"/>': SignUp("Ab&<>\"'\t"),
    '<signup name="é€😀"/>'.encode(): SignUp("é€😀"),
    f'<signup name="{"é" * 64}"/>'.encode(): SignUp("é" * 64),
    b'<placement><tile row="A" column="8"/></placement>': Merge(placement("8A")),
    b'<placement><tile column="0000000000000012" row="B"/></placement>': Merge(placement("12B")),
    b'<placement><tile column="&#10; +007 " row="&#9;C "/><hotel label="\n Tower\t"/></placement>':
        Merge(placement("7C", "Tower")),
    b"<order> </order>": Order(()),
    b"<keep><false/><true></true><false> </false></keep>": KeepAnswer((False, True, False)),
    PBUY: FOUNDED,
    b"<pbuy\n>\n <placement >\r\n\t<tile\ncolumn = '6'\trow\n=\n'E'\n>\n</tile >\n"
    b"<hotel label='Tower'>\n</hotel>\n</placement\n>\n<order>\n <hotel label='Tower' />\n"
    b"<hotel label='Tower'\n/>\n</order>\n</pbuy \n>": FOUNDED,
    b"<!-- a --><pbuy><!-- <b> --><placement><!-- c --><tile column='6' row='E'/>"
    b"<hotel label='Tower'><!-- d --></hotel></placement><order><hotel label='Tower'/>"
    b"<!-- e --><hotel label='Tower'/></order><!-- f --></pbuy>": FOUNDED,
    b"<?a b?><pbuy><?a b?><placement><?a b?><tile column='&#51;' row='&#x43;'><?a b?></tile>"
    b"</placement><order><?a b?><![CDATA[ \n]]></order></pbuy>": Pbuy(placement("3C"), ()),
}
# fmt: on
"""Messages of a player, also in other spellings than ours."""

INVALID = [
    b"<nothing/>",
    b"<Void/>",
    b"<a><a/><a></a></a>",
    b"<a><b/></a>",
    b"<a><!--</a>--><b/></a>",
    b'<tile column="1" row="A"/>',
    b"<void>ok</void>",
    b"<void><![CDATA[</void>]]></void>",
    b'<void at="1"/>',
    b'<void xmlns="http://example.org/"/>',
    b'<placement><tile column="13" row="A"/></placement>',
    b"<void>" * 16 + b"</void>" * 16,
]
"""Documents that are no message of a player."""

NOT_WELL_FORMED = {
    "nul": b"<void>\0</void>",
    "nul-in-an-attribute": b'<signup name="a\0b"/>',
    "control-character": b'<signup name="\x01"/>',
    "control-character-by-reference": b'<signup name="&#1;"/>',
    "utf-16-little-endian": "<void/>".encode("utf-16-le"),
    "latin-1": '<signup name="é"/>'.encode("latin-1"),
    "latin-1-as-declared": '<?xml version="1.0" encoding="latin-1"?><signup name="é"/>'.encode(
        "latin-1"
    ),
    "overlong-utf-8": b'<signup name="\xc0\xaf"/>',
    "surrogate-in-utf-8": b'<signup name="\xed\xa0\x80"/>',
    "beyond-unicode": b'<signup name="\xf4\x90\x80\x80"/>',
    "undefined-entity": b'<signup name="&name;"/>',
    "undefined-entity-in-text": b"<void>&name;</void>",
    "bare-ampersand": b'<signup name="a & b"/>',
    "less-than-in-an-attribute": b'<signup name="<"/>',
    "no-quotes": b"<signup name=a/>",
    "same-attribute-twice": b'<signup name="a" name="b"/>',
    "wrong-end-tag": b"<void></vold>",
    "end-tag-alone": b"</void>",
    "crossed": b"<a><b></a></b>",
    "no-name": b"<>",
    "newer-name-characters": "<ƿ𐐀/>".encode(),
    "declaration-inside": b'<a><?xml version="1.0"?></a>',
    "declaration-twice": b'<?xml version="1.0"?><?xml version="1.0"?><void/>',
    "declaration-after-a-comment": b'<!-- a --><?xml version="1.0"?><void/>',
    "two-hyphens-in-a-comment": b"<a><!-- b -- c --></a>",
}

NO_ELEMENT = {
    "text-before": b"ready <void/>",
    "text-alone": b"hello",
    "http": b"GET / HTTP/1.1\r\n\r\n",
    "nul-before": b"\0<void/>",
    "utf-16-with-a-byte-order-mark": "<void/>".encode("utf-16"),
    "utf-16-big-endian": "<void/>".encode("utf-16-be"),
    "length-prefix": b"\x07<void/>",
    "vertical-tab-before": b"\v<void/>",
}

DOCTYPES = {
    "bare": b"<!DOCTYPE void><void/>",
    "after-a-declaration": b'<?xml version="1.0"?>\n<!DOCTYPE void><void/>',
    "after-a-comment": b"<!-- a --><!DOCTYPE void><void/>",
    "entity": b'<!DOCTYPE void [<!ENTITY a "b">]><void>&a;</void>',
    "entity-from-a-file": b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "billion-laughs": b'<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]><a>&d;</a>',
    "dtd-from-elsewhere": b'<!DOCTYPE void SYSTEM "http://127.0.0.1/void.dtd"><void/>',
}

MALFORMED = {**NOT_WELL_FORMED, **NO_ELEMENT, **DOCTYPES}

SPLINTERS = [
    b"<", b">", b"/>", b"</", b"</void>", b"<void>", b"<!", b"<!--", b"-->", b"<?", b"?>", b'"',
    b"&", b"&#1;", b"&a;", b"\0", b"\xff", b"\xc3", b"\xa9", b"<!DOCTYPE a>", b"<![CDATA[", b"]]>",
    b"=", b"'", b" ", b"\n", b"a", b"xmlns:a='b'", b"<a:b/>", b"<?pi?>",
]  # fmt: skip

PLACES = st.lists(st.integers(0, 300), max_size=8)
"""Where to cut a stream of them."""


@st.composite
def splintered(draw: st.DrawFn, streams: st.SearchStrategy[bytes]) -> bytes:
    """One of these streams, with up to three splinters put in or in the place of bytes."""
    stream = draw(streams)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(stream)))
        end = draw(st.integers(start, min(start + 3, len(stream))))
        stream = stream[:start] + draw(st.sampled_from(SPLINTERS)) + stream[end:]
    return stream
