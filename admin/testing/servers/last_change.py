"""The last event that changed a value that differs, where no mistaken rule explains it."""

from ....game.placement import Kind
from ...refereeing.play import events
from ...refereeing.view.sentences import Sentences
from .game_moment import GameMoment
from .sent_messages import PLAYERS, RESULTS, SentDifference

_COUNTS = {"cash": "cash", "shares": "certificates", "bank": "bank"}
_BOARD = {"holds": "board", "the unincorporated tiles are": "board", "hand": "hand"}
_CHANGES: dict[type, tuple[str, dict[str, str]]] = {
    events.Placed: ("placing/board", _BOARD),
    events.FoundersShare: ("placing/founders-share", _COUNTS),
    events.BonusPaid: ("mergers/bonuses", {"cash": "cash"}),
    events.Returned: ("mergers/returned", _COUNTS),
    events.Sold: ("mergers/sold", _COUNTS),
    events.Traded: ("mergers/traded", _COUNTS),
    events.Bought: ("buying/price", _COUNTS),
    events.Drew: ("drawing/tile", {"hand": "hand"}),
}
"""What an event changes, each with what it is called, and the case that fails if that is wrong."""
_OF_KIND = {
    Kind.SINGLETON: "placing/alone",
    Kind.FOUNDING: "placing/founding",
    Kind.GROWING: "placing/growing",
    Kind.MERGING: "mergers/joining",
}
_ORDER = "The acquired hotels are not in their order."
_FIXED = {
    "cash": ("buying/price", ""),
    "shares": ("buying/price", ""),
    "bank": ("buying/bank", "The bank is not what the players' certificates leave."),
    "hand": ("drawing/tile", ""),
    "score": ("end/scores", "The scores are wrong."),
    "holds": ("placing/board", ""),
    "the unincorporated tiles are": ("placing/board", ""),
    PLAYERS: ("conversation/turn-order", "The players are not in turn order."),
    RESULTS: ("end/order", "The results are not by falling score, ties by name."),
    "the results are for": (
        "end/ejected",
        "The results are not those of the players at the table.",
    ),
    "the count is": ("mergers/market", ""),
    "the hotels are": ("mergers/several", _ORDER),
    "the hotel is": ("mergers/several", _ORDER),
    "the price is": ("mergers/price", ""),
}
"""The case and a sentence for a value that differs, where nothing better is known."""


def last_change(wrong: SentDifference, moment: GameMoment) -> tuple[str, str, str]:
    """Return the case that fails, what is suspected, and a sentence, which may be empty."""
    for event in reversed(moment.turn):
        case, fields = _CHANGES.get(type(event), ("", {}))
        hotels = getattr(event, "hotel", None), getattr(event, "survivor", None)
        own = wrong.who in ("", getattr(event, "name", ""))
        if wrong.field not in fields or not own:
            continue
        if wrong.field in ("shares", "bank") and wrong.hotel not in hotels:
            continue
        if isinstance(event, events.Placed) and wrong.field != "hand":
            case = _OF_KIND[event.kind]
        if case == "buying/price" and wrong.field == "bank":
            case = "buying/bank"
        what = f"{wrong.who}'s {fields[wrong.field]}" if wrong.who else f"The {fields[wrong.field]}"
        do = "do" if wrong.field == "shares" else "does"
        told = Sentences(moment.rulebook).sentence(event)
        return case, f"{case} {wrong.field}", f"{what} {do} not show this: {told}"
    case, words = _FIXED.get(wrong.field, ("conversation/position", ""))
    return case, wrong.field, words
