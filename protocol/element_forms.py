"""How a player writes each element, for sentences that explain what was wrong."""

from ..game.rulebook import Rulebook
from .player_names import MAX_NAME


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
