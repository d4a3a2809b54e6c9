"""The contract: what may be on the wire and in a match log, as XML Schema (``*.xsd``)."""

from pathlib import Path

from lxml import etree

FOLDER = Path(__file__).parent


def load(name: str) -> etree.XMLSchema:
    """Load ``player``, ``administrator`` or ``match-log``."""
    return etree.XMLSchema(etree.parse(FOLDER / f"{name}.xsd"))
