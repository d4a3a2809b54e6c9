"""The XML Schemas (``*.xsd``) of everything on the wire and in a game log.

The files are the schemas for the five rulebooks. Another rulebook has its own hotels and limits in
the same places, and its schemas are derived from the files.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lxml import etree

FOLDER = Path(__file__).parent
XS = "{http://www.w3.org/2001/XMLSchema}"


class SchemaLimits(NamedTuple):
    """What differs between the schemas of two rulebooks that use the same messages."""

    hotels: Sequence[str]
    certificates: int
    hand_size: int
    order_limit: int


def load(name: str) -> etree.XMLSchema:
    """Load the schema ``player``, ``administrator``, ``match-log`` or ``greeting``.

    The first three are for the rulebook ``revised``. For the other rulebooks the name ends with
    ``-hotels`` or ``-corporations``, after the hotels that they use.
    """
    return etree.XMLSchema(etree.parse(FOLDER / f"{name}.xsd"))


def document(name: str, limits: SchemaLimits) -> etree._Element:
    """Return a schema with these limits as one document, with all that its file includes.

    >>> names = ["Alto", "Bravo", "Cima", "Duna", "Este", "Faro", "Gala"]
    >>> schema = etree.XMLSchema(document("player", SchemaLimits(names, 30, 7, 4)))
    >>> order = '<order>' + 4 * '<hotel label="Faro"/>' + '</order>'
    >>> schema.validate(etree.fromstring(order))
    True
    """
    root = etree.Element(f"{XS}schema", nsmap={"xs": XS.strip("{}")})
    _include(root, name, set())
    for hotel_name in _find(root, "simpleType[@name='hotel-name']/xs:restriction"):
        hotel_name[:] = [etree.Element(f"{XS}enumeration", value=name) for name in limits.hotels]
    for bound in _find(
        root,
        "complexType[@name='share']//xs:maxInclusive",
        "complexType[@name='holders']//xs:maxInclusive",
        "simpleType[@name='certificates']//xs:maxInclusive",
    ):
        bound.set("value", str(limits.certificates))
    for bound in _find(root, "complexType[@name='player']/xs:attribute//xs:maxInclusive"):
        bound.set("value", str(limits.hand_size))
    for tile in _find(
        root,
        "complexType[@name='player']//xs:element[@name='tile']",
        "complexType[@name='holdings']//xs:element[@name='tile']",
    ):
        tile.set("maxOccurs", str(limits.hand_size))
    for hotel in _find(root, "complexType[@name='order']//xs:element[@name='hotel']"):
        hotel.set("maxOccurs", str(limits.order_limit))
    etree.indent(root)
    return root


def _include(root: etree._Element, name: str, included: set[str]) -> None:
    """Add the content of a file, and of those that it includes, each once."""
    for element in list(etree.parse(FOLDER / f"{name}.xsd").getroot()):
        location = element.get("schemaLocation")
        if location is None:
            root.append(element)
        elif location not in included:
            included.add(location)
            _include(root, location.removesuffix(".xsd"), included)


def _find(root: etree._Element, *paths: str) -> list[etree._Element]:
    namespaces = {"xs": XS.strip("{}")}
    return [found for path in paths for found in root.findall(f".//xs:{path}", namespaces)]
