"""Well-formed XML that is no valid message: what its author did, and what to write instead.

The validator's own messages assume knowledge of XML Schema. So the document is looked through for
the mistakes that programs make, and only where none is found is the validator quoted.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import TypeAlias

from lxml import etree

from ..game.rulebook import DisposalRule, End, Rulebook, StuckHand
from ..game.rulebooks import RULEBOOKS
from ..game.tiles import COLUMNS, ROWS
from .conversation import Side, sent_by
from .dialect import Dialect
from .faults import MAX_SHOWN, Diagnosis
from .player_names import MAX_NAME, name_too_long

Explain: TypeAlias = Callable[[etree._Element, etree._LogEntry], str]
"""Says in sentences why a schema rejects a document, given its root and the validator's error."""
PARTS = {"tile": ("column", "row"), "hotel": ("label",), "true": (), "false": (), "end": ()}
"""The elements within a player's messages, apart from other messages, and their attributes."""
ATTRIBUTES = {**PARTS, "signup": ("name",), "dispose": ("sell", "trade")}
NO_VALUES = frozenset(
    {"", "None", "null", "undefined", "NaN", "nil", "nullptr", "[object Object]", "True", "False"}
)
"""What programs write for a value that is missing."""
CHILDREN = {"pbuy": ("placement", "order"), "placement": ("tile", "hotel")}
LOWER_CASE = "The names of elements and attributes are all in lower case."
_TILE = re.compile(r"([1-9]|1[0-2])([A-Ia-i])")


def explain_to_player(rulebook: Rulebook) -> Explain:
    """Return what explains a player's invalid messages under a rulebook."""
    known, forms = sent_by(Side.PLAYER, Dialect.of(rulebook)), forms_of(rulebook)

    def explain(root: etree._Element, error: etree._LogEntry) -> str:
        found = next(_findings(root, error, known, rulebook), None)
        explained = one_line(error.message) if found is None else str(found)
        tag = str(root.tag)
        return f"{explained} The whole message: {forms[tag]}." if tag in known else explained

    return explain


def forms_of(rulebook: Rulebook) -> dict[str, str]:
    """Return how a player writes each element under a rulebook.

    >>> from acquire import CLASSIC, REVISED
    >>> forms_of(REVISED)["order"]
    '<order>, up to two <hotel/>, one for each certificate, </order>'
    >>> forms_of(CLASSIC)["dispose"]
    '<dispose sell="0..25" trade="0..25"/>'
    """
    most = {1: "one", 2: "two", 3: "three"}.get(rulebook.order_limit, str(rulebook.order_limit))
    order = f"<order>, up to {most} <hotel/>, one for each certificate, "
    forms = {
        "signup": f'<signup name="1 to {MAX_NAME} characters"/>',
        "void": "<void/>",
        "tile": '<tile column="1..12" row="A..I"/>',
        "hotel": f'<hotel label="NAME"/>, NAME spelled like {rulebook.hotels[-2].name}',
        "placement": "<placement>, a <tile/>, a <hotel/> when it founds or merges, </placement>",
        "order": f"{order}</order>",
        "pbuy": "<pbuy>, a <placement/>, an <order/>, </pbuy>",
        "keep": "<keep>, a <true/> or a <false/> for each hotel asked about, </keep>",
    }
    if Dialect.of(rulebook) is Dialect.COURSE:
        return forms
    names, count = ", ".join(hotel.name for hotel in rulebook.hotels), rulebook.certificates
    return forms | {
        "hotel": f'<hotel label="NAME"/>, NAME one of {names}',
        "placement": "<placement>, a <tile/>, a <hotel/> when it founds or merges, after a "
        "survivor optionally the acquired hotels tied in size, </placement>",
        "order": f"{order}an <end/> to declare the end, </order>",
        "pbuy": "<pbuy>, a <placement/> if a tile can be placed, an <order/>, </pbuy>",
        "replace": "<replace>, a <true/> for a new hand or a <false/>, </replace>",
        "dispose": f'<dispose sell="0..{count}" trade="0..{count}"/>',
    }


def explain_briefly(known: Iterable[str]) -> Explain:
    """Return what explains invalid messages of another side, which sends the ``known`` ones."""
    names = {*known}

    def explain(root: etree._Element, error: etree._LogEntry) -> str:
        unknown = root.tag not in names
        return str(_unknown(str(root.tag), names)) if unknown else one_line(error.message)

    return explain


def one_line(message: str) -> str:
    """Fold a validator's message into one line that ends with a full stop."""
    return " ".join(message.split()).rstrip(".") + "."


def _findings(
    root: etree._Element, error: etree._LogEntry, known: set[str], rulebook: Rulebook
) -> Iterator[Diagnosis]:
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    for element in elements:
        if found := _namespace(element):
            yield found
            return
    if str(root.tag) not in known:
        yield _root(root, known, rulebook)
        return
    for element in elements:
        name = str(element.tag)
        if name not in known and name not in PARTS:
            yield _unknown_part(element, known | PARTS.keys())
        yield from _attributes(element, rulebook)
    for element in elements:
        yield from _content(element, rulebook.order_limit)
    yield from _misplaced(root, error)


# -- names of elements --------------------------------------------------------------------------


def _namespace(element: etree._Element) -> Diagnosis | None:
    # not by etree.QName, which refuses names that the parser takes, such as <void:>
    namespace, _, name = str(element.tag).rpartition("}")
    bare = name.strip(":").rpartition(":")[2]
    if namespace:
        how = f"has the prefix {element.prefix!r}" if element.prefix else "is in a namespace"
        cause = f"<{_short(bare)}> {how}, but the protocol uses no namespaces."
    elif ":" in str(element.tag):
        cause = f"<{_short(str(element.tag))}> has a prefix, but the protocol uses no namespaces."
    else:
        return None
    return Diagnosis(cause, f"Write <{_short(bare)}> without xmlns and without a prefix.")


def _root(root: etree._Element, known: set[str], rulebook: Rulebook) -> Diagnosis:
    tag, asked = str(root.tag), sent_by(Side.REFEREE, Dialect.of(rulebook))
    inner = next((str(each.tag) for each in root.iterdescendants("*") if each.tag in known), None)
    if tag in asked:
        return Diagnosis(
            f"<{tag}> is a message of the administrator's, not an answer.",
            "Answer it, and do not send it back.",
        )
    if within := _within(tag, rulebook):
        return Diagnosis(
            f"<{tag}> is a part of a message, and was sent alone.",
            f"Put it where it belongs: {within}.",
        )
    if found := _misspelled(tag, known):
        return found
    if inner is not None:
        return Diagnosis(
            f"<{inner}> was sent within <{_short(tag)}>.",
            f"Send <{inner}> itself, in nothing else.",
        )
    return _unknown(tag, known)


def _unknown(tag: str, known: set[str]) -> Diagnosis:
    every = ", ".join(f"<{name}>" for name in sorted(known))
    return Diagnosis(f"No message is called <{_short(tag)}>.", f"Valid messages: {every}.")


def _within(tag: str, rulebook: Rulebook) -> str:
    """Return where an element belongs by the questions of a rulebook, empty if nowhere."""
    asked = ["keep"] if rulebook.disposal is DisposalRule.KEEP_OR_RETURN else []
    asked += ["replace"] if rulebook.stuck_hand is StuckHand.MAY_REPLACE else []
    return {
        "tile": "<placement><tile .../></placement>",
        "hotel": "<order> or <placement>",
        **dict.fromkeys(("true", "false"), " or ".join(f"<{m}><{tag}/></{m}>" for m in asked)),
        "end": "" if rulebook.end is End.ADMINISTRATOR else "<order><end/></order>",
    }.get(tag, "")


def _unknown_part(element: etree._Element, names: set[str]) -> Diagnosis:
    tag, parent = str(element.tag), element.getparent()
    within = "" if parent is None else f" in <{parent.tag!s}>"
    if tag == "share":
        return Diagnosis(
            f"<share> was sent{within}, which lists hotels.",
            'Write one <hotel label="..."/> for each certificate.',
        )
    return _misspelled(tag, names) or Diagnosis(
        f"There is no element <{_short(tag)}>{within}.", "Use the elements of the protocol alone."
    )


def _misspelled(tag: str, names: set[str]) -> Diagnosis | None:
    if tag.lower() in names:
        return Diagnosis(f"<{tag}> should be <{tag.lower()}>, in lower case.", LOWER_CASE)
    if close := get_close_matches(tag.lower(), sorted(names), n=1):
        return Diagnosis(f"There is no <{_short(tag)}>: probably <{close[0]}> was meant.")
    return None


# -- attributes ---------------------------------------------------------------------------------


def _attributes(element: etree._Element, rulebook: Rulebook) -> Iterator[Diagnosis]:
    tag, allowed = str(element.tag), ATTRIBUTES.get(str(element.tag), ())
    for key, value in element.attrib.items():
        name, text = str(key), str(value)
        if name not in allowed:
            yield _unknown_attribute(tag, name, allowed)
        elif text.strip() in NO_VALUES and (tag, name) != ("signup", "name"):
            yield Diagnosis(
                f"A value is missing: the program wrote {name}={text!r} in <{tag}>.",
                "Look at where that variable is set, before the message is written.",
            )
        elif tag == "hotel":
            yield from _label(text, rulebook)
        elif tag == "tile":
            yield from _coordinate(element, name, text)
        elif tag == "signup":
            yield from _name(text)
        elif tag == "dispose" and not _is_number(text.strip(), 0, rulebook.certificates):
            yield Diagnosis(
                f"{_short(text)!r} is not a number of certificates.",
                f"There are {rulebook.certificates} of each hotel.",
            )
    missing = [name for name in allowed if name not in element.attrib]
    if missing:
        yield Diagnosis(
            f"<{tag}> lacks its {' and '.join(missing)}.",
            f"Write it as <{tag} {' '.join(f'{name}=...' for name in allowed)}/>.",
        )


def _unknown_attribute(tag: str, name: str, allowed: tuple[str, ...]) -> Diagnosis:
    shown = _short(name)
    if name.lower() in allowed:
        return Diagnosis(
            f"The attribute {shown} of <{tag}> should be {name.lower()}, in lower case.", LOWER_CASE
        )
    if tag == "hotel" and name == "name":
        return Diagnosis(
            "In an answer the attribute of <hotel> is label, not name.",
            "Only the boards that you receive have <hotel name=...>.",
        )
    if tag == "hotel" and name == "count":
        return Diagnosis(
            "<hotel> has no count: an order repeats it.", "Write one <hotel/> for each certificate."
        )
    close = get_close_matches(name.lower(), allowed, n=1, cutoff=0.4)
    advice = f"It has {' and '.join(allowed)}." if allowed else "Write it without attributes."
    if close:
        advice = f"Its name is {close[0]}."
    return Diagnosis(f"<{tag}> has no attribute {shown}.", advice)


def _label(text: str, rulebook: Rulebook) -> Iterator[Diagnosis]:
    label, names = text.strip(), [hotel.name for hotel in rulebook.hotels]
    if label in names:
        return
    shown, here = repr(_short(label)), f"The hotels here are {', '.join(names)}."
    same = [name for name in names if name.lower() == label.lower()]
    others = [
        other.id
        for other in RULEBOOKS.values()
        if label.lower() in (hotel.name.lower() for hotel in other.hotels)
    ]
    advice = "Write the names of hotels as they come in <hotel name=...>."
    if same:
        cause = f"The hotel {shown} should be spelled {same[0]!r}, with its capital."
    elif others:
        cause = (
            f"{shown} is a hotel of the rulebook {others[0]}, but {rulebook.id} is being played."
        )
        advice = here
    elif close := get_close_matches(label.capitalize(), names, n=1):
        cause = f"The hotel {shown} is misspelled: it is {close[0]!r}."
    else:
        cause, advice = f"There is no hotel {shown}.", here
    yield Diagnosis(cause, advice)


def _coordinate(element: etree._Element, name: str, text: str) -> Iterator[Diagnosis]:
    value = text.strip()
    column, row = (str(element.get(key, "")).strip() for key in ("column", "row"))
    cause, advice = "", 'A tile such as 12B is written <tile column="12" row="B"/>.'
    if name == "column" and not _is_number(value, 1, COLUMNS):
        if _TILE.fullmatch(value):
            cause = f"The column {value!r} contains the row as well."
        elif value.upper() in ROWS and _is_number(row, 1, COLUMNS):
            cause = "The row and the column of <tile> are exchanged."
        elif value == "0":
            cause = (
                "The column of <tile> is 0: columns are counted from 0, only the last digit of 10 "
                "was read, or no tile was chosen."
            )
            advice = "Columns are 1 to 12; read all digits."
        elif re.fullmatch(r"\d+\.0+", value):
            cause = f"The column {value} is not a whole number."
            advice = "Convert it to an integer."
        elif value == str(COLUMNS + 1):
            cause = f"The column {value} does not exist: columns are counted from 1, not 0."
        else:
            cause = f"{_short(value)!r} is not a column."
    elif name == "row" and (len(value) != 1 or value not in ROWS):
        if len(value) == 1 and value.upper() in ROWS:
            cause = f"The row {value!r} should be {value.upper()!r}, a capital letter."
        elif _TILE.fullmatch(value):
            cause = f"The row {value!r} contains the column as well."
        elif column and column.upper() in ROWS:
            pass  # said of the column already
        elif value.isdigit():
            cause = f"The row {_short(value)!r} is a number, not a letter."
        else:
            cause = f"{_short(value)!r} is not a row: rows are A to I."
    if cause:
        yield Diagnosis(cause, advice)


def _is_number(value: str, least: int, most: int) -> bool:
    digits = value.removeprefix("+")
    return digits.isascii() and digits.isdigit() and least <= int(digits[:30]) <= most


def _name(text: str) -> Iterator[Diagnosis]:
    if not text.strip():
        yield Diagnosis(
            "The player signed up with an empty name.",
            f"Pass it on from the command line, or write one of 1 to {MAX_NAME} characters.",
        )
    elif {"\n", "\r"} & {*text}:
        why = "Remove it: the end of a line was probably read with the name."
        yield Diagnosis(f"The name {text!r} has a line break.", why)
    elif len(text) > MAX_NAME:
        yield Diagnosis(name_too_long(text), "Choose a shorter one.")


# -- content ------------------------------------------------------------------------------------

_AS_ELEMENTS = {
    "keep": "Write <true/> or <false/> for each hotel.",
    "order": 'Write <hotel label="..."/> for each certificate.',
    "tile": "Write <tile column=... row=.../>.",
    "true": "Write <true/>.",
    "false": "Write <false/>.",
    "void": "Write <void/>.",
}


def _content(element: etree._Element, order_limit: int) -> Iterator[Diagnosis]:
    tag = str(element.tag)
    children = [str(child.tag) for child in element if isinstance(child.tag, str)]
    texts = [element.text, *(child.tail for child in element)]
    if text := next((text.strip() for text in texts if text and text.strip()), None):
        yield Diagnosis(
            f"<{tag}> contains the text {_short(text)!r}, but only elements may stand in it.",
            _AS_ELEMENTS.get(tag, "Put values into the attributes."),
        )
    due = CHILDREN.get(tag, ())
    if len(due) == 2 and children[:2] == [due[1], due[0]]:
        yield Diagnosis(
            f"In <{tag}> the <{due[1]}> comes before the <{due[0]}>.",
            "Write them the other way round.",
        )
    missing = [name for name in due if name not in children]
    if tag == "pbuy" and missing:
        empty = "An order for nothing is <order/>." if "order" in missing else "Put the tile in it."
        yield Diagnosis(f"<pbuy> lacks its <{missing[0]}>.", empty)
    if tag == "placement" and "tile" not in children:
        yield Diagnosis("<placement> lacks its <tile>.", "Write the tile into it.")
    if tag == "order" and (count := children.count("hotel")) > order_limit:
        yield Diagnosis(
            f"The order is for {count} certificates, but at most {order_limit} are allowed.",
            "Write one <hotel/> for each certificate, and no more in a turn.",
        )
    if tag == "keep" and not children:
        yield Diagnosis(
            "<keep> is empty.", "Write a <true/> or a <false/> for each hotel that was asked about."
        )
    if tag == "keep" and "hotel" in children:
        yield Diagnosis(
            "<keep> repeats the hotels instead of answering for them.",
            "Write a <true/> or a <false/> for each, in the same order.",
        )
    if tag == "void" and children:
        yield Diagnosis(f"<void> contains <{children[0]}>.", "Write <void/>, with nothing in it.")


def _misplaced(root: etree._Element, error: etree._LogEntry) -> Iterator[Diagnosis]:
    """Find an element that is known, but cannot stand where it does: the validator knows where."""
    places = root.getroottree().xpath(error.path) if error.path else []
    if error.type != etree.ErrorTypes.SCHEMAV_ELEMENT_CONTENT or not places or places[0] is root:
        return
    element, parent = places[0], places[0].getparent()
    tag, name, before = str(element.tag), str(parent.tag), element.getprevious()
    if before is not None and before.tag == tag:
        most = parent.findall(tag).index(element)
        count, are = len(parent.findall(tag)), "is" if most == 1 else "are"
        cause = f"<{name}> has {count} <{tag}/>, but at most {most} {are} allowed."
    else:
        cause = f"<{tag}> is not allowed here, in <{name}>."
    yield Diagnosis(cause, "Look at what may stand in it.")


def _short(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
