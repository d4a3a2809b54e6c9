"""The rule of the game behind an invalid message: the schema has no form for too long an order."""

from lxml import etree

from ....game.rulebook import Rulebook
from ....game.violation import Violation
from ....protocol.reading import parser


def rule_in_schema(rulebook: Rulebook, message: bytes) -> Violation | None:
    """Return the rule for which the schema rejects a message, ``None`` if it is a matter of form.

    >>> from acquire.game.rulebooks import REVISED
    >>> rule_in_schema(REVISED, b"<order><hotel/><hotel/><hotel/></order>")
    <Violation.TOO_MANY: 'order-too-large'>
    >>> rule_in_schema(REVISED, b"<order><hotel/><hotel/></order>")
    """
    try:
        root = etree.fromstring(message, parser())
    except etree.XMLSyntaxError:
        return None
    orders = [len(order.findall("hotel")) for order in root.iter("order")]
    return Violation.TOO_MANY if max(orders, default=0) > rulebook.order_limit else None
