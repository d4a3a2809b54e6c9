"""The XML Schemas (``*.xsd``) of everything on the wire and in a match log."""

from pathlib import Path

from lxml import etree

FOLDER = Path(__file__).parent


def load(name: str) -> etree.XMLSchema:
    """Load the schema ``player``, ``administrator``, ``match-log`` or ``greeting``.

    The first three are for the rulebook ``revised``. For the other rulebooks the name ends with
    ``-hotels`` or ``-corporations``, after the hotels that they use.
    """
    return etree.XMLSchema(etree.parse(FOLDER / f"{name}.xsd"))
