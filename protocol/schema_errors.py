"""Why the schema rejected an element, in words that help the player's author to fix it.

The validator's own messages assume knowledge of XML Schema.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from lxml import etree

MAX_QUOTED = 60
"""Most characters of a wrong value that are quoted."""

COURSE_FORMS = {
    "signup": '<signup name="1 to 64 characters"/>',
    "void": "<void/>",
    "tile": '<tile column="1..12" row="A..I"/>',
    "hotel": '<hotel label="NAME"/>, NAME spelled like Tower',
    "placement": "<placement>, a <tile/>, a <hotel/> when it founds or merges, </placement>",
    "order": "<order>, none, one or two <hotel/>, </order>",
    "pbuy": "<pbuy>, a <placement/>, an <order/>, </pbuy>",
    "keep": "<keep>, a <true/> or a <false/> for each hotel asked about, </keep>",
}
"""How a player writes each element of the course's protocol."""


def dialect_forms(hotels: Sequence[str]) -> dict[str, str]:
    """Return how a player writes each element under the other rulebooks.

    >>> dialect_forms(["American", "Tower"])["hotel"]
    '<hotel label="NAME"/>, NAME one of American, Tower'
    """
    return {
        **COURSE_FORMS,
        "hotel": f'<hotel label="NAME"/>, NAME one of {", ".join(hotels)}',
        "placement": "<placement>, a <tile/>, a <hotel/> when it founds or merges, after a "
        "survivor optionally the acquired hotels tied in size, </placement>",
        "order": "<order>, up to three <hotel/>, an <end/> to declare the end, </order>",
        "pbuy": "<pbuy>, a <placement/> if a tile can be placed, an <order/>, </pbuy>",
        "dispose": '<dispose sell="0..25" trade="0..25"/>',
    }


_MISPLACED = "<{0}> is not allowed here."

_SENTENCES = (
    (r"Element '([^']*)', attribute '([^']*)': The attribute '[^']*' is not allowed\.",
     "<{0}> has no attribute {1!r}."),
    (r"Element '([^']*)': The attribute '([^']*)' is required but missing\.",
     "<{0}> is missing the attribute {1!r}."),
    (r"Element '([^']*)', attribute '([^']*)': \[facet '[^']*'\] The value '(.*)' (?:is|has) .*",
     "<{0}> cannot have {1}={2!r}."),
    (r"Element '([^']*)', attribute '([^']*)': '(.*)' is not a valid value .*",
     "<{0}> cannot have {1}={2!r}."),
    (r"Element '([^']*)': This element is not expected\..*",
     _MISPLACED),
    (r"Element '([^']*)': Missing child element\(s\)\..*",
     "<{0}> is missing a child element."),
    (r"Element '([^']*)': (?:Character content|\[facet '[^']*'\] The value has a length of).*",
     "<{0}> cannot contain text."),
    (r"Element '([^']*)': Element content is not allowed.*",
     "<{0}> cannot contain an element."),
)  # fmt: skip
"""The validator's messages, and what is shown instead."""


def explain_schema_error(
    root: etree._Element, error: str, known: Iterable[str], forms: Mapping[str, str]
) -> str:
    """Explain a validator's ``error`` about the message ``root``.

    ``known`` are the messages that this side may send, ``forms`` how its elements are written. An
    error that is not in the table is returned as it is.

    >>> message = etree.fromstring("<keep/>")
    >>> error = "Element 'keep': Missing child element(s). Expected is one of ( true, false )."
    >>> explain_schema_error(message, error, ["keep", "void"], COURSE_FORMS)[:51]
    '<keep> is missing a child element. Write <keep>, a '
    >>> explain_schema_error(etree.fromstring("<Void/>"), "", ["keep", "void"], COURSE_FORMS)
    'Unknown message <Void>. Did you mean <void>? Valid messages: <keep>, <void>.'
    """
    tag, known = str(root.tag), sorted(known)
    if tag not in known:
        close = get_close_matches(tag.lower(), known, n=1)
        meant = f" Did you mean <{close[0]}>?" if close else ""
        every = ", ".join(f"<{name}>" for name in known)
        return f"Unknown message <{_shortened(tag)}>.{meant} Valid messages: {every}."
    error = " ".join(error.split())
    for pattern, sentence in _SENTENCES:
        if found := re.fullmatch(pattern, error):
            # For a misplaced element the form of its parent, the message, is the more helpful one.
            misplaced = sentence is _MISPLACED
            names = dict.fromkeys((tag, found[1]) if misplaced else (found[1], tag))
            write = [f"Write {forms[name]}." for name in names if name in forms]
            explained = sentence.format(*map(_shortened, found.groups()))
            return " ".join([explained, *write])
    return error.rstrip(".") + "."


def _shortened(value: str) -> str:
    return value if len(value) <= MAX_QUOTED else f"{value[:MAX_QUOTED]}..."
