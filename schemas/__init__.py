"""The contract: what may be on the wire and in a match log, as XML Schema (``*.xsd``)."""

from pathlib import Path

from lxml import etree

FOLDER = Path(__file__).parent


def load(name: str) -> etree.XMLSchema:
    """Load ``player``, ``administrator``, ``match-log`` or ``greeting``.

    The first three are those of ``revised``; ``-hotels`` and ``-corporations`` after a name are
    the other rulebooks', by the hotels that they have.
    """
    return etree.XMLSchema(etree.parse(FOLDER / f"{name}.xsd"))
