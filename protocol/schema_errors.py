"""Why the schema rejected an element, in words that help the player's author to fix it.

The validator's own messages assume knowledge of XML Schema.
"""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from lxml import etree

from ..game.rulebook import Rulebook
from .player_names import MAX_NAME

MAX_QUOTED = 60
"""Most characters of a wrong value that are quoted."""


def course_forms(rulebook: Rulebook) -> dict[str, str]:
    """Return how a player writes each element of the course's protocol.

    >>> from acquire.game.rulebooks import REVISED
    >>> course_forms(REVISED)["order"]
    '<order>, up to two <hotel/>, one for each certificate, </order>'
    """
    most = _number(rulebook.order_limit)
    return {
        "signup": f'<signup name="1 to {MAX_NAME} characters"/>',
        "void": "<void/>",
        "tile": '<tile column="1..12" row="A..I"/>',
        "hotel": f'<hotel label="NAME"/>, NAME spelled like {rulebook.hotels[-2].name}',
        "placement": "<placement>, a <tile/>, a <hotel/> when it founds or merges, </placement>",
        "order": f"<order>, up to {most} <hotel/>, one for each certificate, </order>",
        "pbuy": "<pbuy>, a <placement/>, an <order/>, </pbuy>",
        "keep": "<keep>, a <true/> or a <false/> for each hotel asked about, </keep>",
    }


def dialect_forms(rulebook: Rulebook) -> dict[str, str]:
    """Return how a player writes each element under the other rulebooks.

    >>> from acquire.game.rulebooks import CLASSIC
    >>> dialect_forms(CLASSIC)["dispose"]
    '<dispose sell="0..25" trade="0..25"/>'
    """
    names = ", ".join(hotel.name for hotel in rulebook.hotels)
    count, most = f"0..{rulebook.certificates}", _number(rulebook.order_limit)
    return {
        **course_forms(rulebook),
        "hotel": f'<hotel label="NAME"/>, NAME one of {names}',
        "placement": "<placement>, a <tile/>, a <hotel/> when it founds or merges, after a "
        "survivor optionally the acquired hotels tied in size, </placement>",
        "order": f"<order>, up to {most} <hotel/>, one for each certificate, an <end/> to declare "
        "the end, </order>",
        "pbuy": "<pbuy>, a <placement/> if a tile can be placed, an <order/>, </pbuy>",
        "replace": "<replace>, a <true/> for a new hand or a <false/>, </replace>",
        "dispose": f'<dispose sell="{count}" trade="{count}"/>',
    }


def _number(number: int) -> str:
    return {1: "one", 2: "two", 3: "three"}.get(number, str(number))


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
    root: etree._Element, error: str, known: Iterable[str], forms: Mapping[str, str], path: str = ""
) -> str:
    """Explain a validator's ``error`` about the message ``root``.

    ``known`` are the messages that this side may send, ``forms`` how its elements are written.
    ``path`` is the XPath of the wrong element, without which the root is taken for it. An error
    that is not in the table is returned as it is.

    >>> from acquire.game.rulebooks import REVISED
    >>> forms = course_forms(REVISED)
    >>> message = etree.fromstring("<keep/>")
    >>> error = "Element 'keep': Missing child element(s). Expected is one of ( true, false )."
    >>> explain_schema_error(message, error, ["keep", "void"], forms)[:51]
    '<keep> is missing a child element. Write <keep>, a '
    >>> explain_schema_error(etree.fromstring("<Void/>"), "", ["keep", "void"], forms)
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
            if sentence is _MISPLACED:
                return _explain_misplaced(root, found[1], forms, path)
            names = dict.fromkeys((found[1], tag))
            write = [f"Write {forms[name]}." for name in names if name in forms]
            explained = sentence.format(*map(_shortened, found.groups()))
            return " ".join([explained, *write])
    return error.rstrip(".") + "."


def _explain_misplaced(root: etree._Element, tag: str, forms: Mapping[str, str], path: str) -> str:
    """Explain that an element cannot stand where it does, by the form of its parent.

    >>> root = etree.fromstring("<order><hotel/><hotel/><hotel/></order>")
    >>> print(_explain_misplaced(root, "hotel", {}, "/order/hotel[3]"))
    <order> has 3 <hotel/>, but at most 2 are allowed.
    """
    (element, *_) = root.getroottree().xpath(path) if path else [root]
    parent, before = element.getparent(), element.getprevious()
    parent = root if parent is None else parent
    name, explained = str(parent.tag), _MISPLACED.format(_shortened(tag))
    if tag == "hotel" and before is not None and before.tag == tag:
        hotels = parent.findall(tag)
        most = hotels.index(element)
        verb = "is" if most == 1 else "are"
        explained = f"<{name}> has {len(hotels)} <{tag}/>, but at most {most} {verb} allowed."
    form = forms.get(name)
    return explained if form is None else f"{explained} Write {form}."


def _shortened(value: str) -> str:
    return value if len(value) <= MAX_QUOTED else f"{value[:MAX_QUOTED]}..."
