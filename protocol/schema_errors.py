"""Why the schema refused an element, in words that tell its author what to mend.

The validator's own sentences are for people who know XML Schema; the players' authors need not.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from lxml import etree

MAX_QUOTED = 60
"""Characters of a wrong value that are quoted."""

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
    """Return how a player writes each element where another rulebook is played."""
    return {
        **COURSE_FORMS,
        "hotel": f'<hotel label="NAME"/>, NAME one of {", ".join(hotels)}',
        "placement": "<placement>, a <tile/>, a <hotel/> when it founds or merges, after a "
        "survivor the equal acquired hotels if you like, </placement>",
        "order": "<order>, up to three <hotel/>, an <end/> to declare the end, </order>",
        "pbuy": "<pbuy>, a <placement/> if a tile can be placed, an <order/>, </pbuy>",
        "dispose": '<dispose sell="0..25" trade="0..25"/>',
    }


_SENTENCES = (
    (r"Element '([^']*)', attribute '([^']*)': The attribute '[^']*' is not allowed\.",
     "<{0}> has no attribute {1!r}."),
    (r"Element '([^']*)': The attribute '([^']*)' is required but missing\.",
     "<{0}> lacks the attribute {1!r}."),
    (r"Element '([^']*)', attribute '([^']*)': \[facet '[^']*'\] The value '(.*)' (?:is|has) .*",
     "<{0}> cannot have {1}={2!r}."),
    (r"Element '([^']*)', attribute '([^']*)': '(.*)' is not a valid value .*",
     "<{0}> cannot have {1}={2!r}."),
    (r"Element '([^']*)': This element is not expected\..*",
     "<{0}> cannot stand where it does."),
    (r"Element '([^']*)': Missing child element\(s\)\..*",
     "<{0}> lacks something inside."),
    (r"Element '([^']*)': (?:Character content|\[facet '[^']*'\] The value has a length of).*",
     "<{0}> has text in it."),
    (r"Element '([^']*)': Element content is not allowed.*",
     "<{0}> has an element in it."),
)  # fmt: skip
"""The validator's sentences, and what is said instead."""


def explain(
    root: etree._Element, error: str, known: Iterable[str], forms: Mapping[str, str]
) -> str:
    """Say in words what a validator's ``error`` means for the message ``root``.

    ``known`` are the messages that this side may send, ``forms`` how its elements are written.
    """
    tag, known = str(root.tag), sorted(known)
    if tag not in known:
        close = get_close_matches(tag.lower(), known, n=1)
        meant = f" Is <{close[0]}> meant?" if close else ""
        every = ", ".join(f"<{name}>" for name in known)
        return f"There is no message <{_shortened(tag)}>.{meant} There are {every}."
    error = " ".join(error.split())
    for pattern, sentence in _SENTENCES:
        if found := re.fullmatch(pattern, error):
            names = dict.fromkeys((tag, found[1]) if "stand" in sentence else (found[1], tag))
            write = [f"Write {forms[name]}." for name in names if name in forms]
            said = sentence.format(*map(_shortened, found.groups()))
            return " ".join([said, *write])
    return error.rstrip(".") + "."


def _shortened(value: str) -> str:
    return value if len(value) <= MAX_QUOTED else f"{value[:MAX_QUOTED]} .."
