"""Texts of moves and positions with which another program is tested, under the rules of `classic`.

Every move in them is made again; every one that was refused there is refused here, for the same
reason. The texts begin in any way, with one player or with teams, so the positions are laid out and
not dealt. Some are told as one player or a watcher sees a game: then hands are partly unknown.
"""

from collections import Counter
from collections.abc import Sequence

from classic_oracle import HOTELS, Move, Reason
from classic_table import Table
from classic_texts import Text, read_text, texts_in
from oracle_files import CLASSIC_POSITIONS, TEXTS_HERE, needs, oracle_files

from acquire.game.disposal import Disposal, verify_disposal
from acquire.game.placement import Placement, verify_placement
from acquire.game.purchase import verify_order
from acquire.game.rulebooks import CLASSIC
from acquire.game.tiles import TILE_NAMES, parse_tile, tile_name
from acquire.game.violation import Illegal, Violation
from acquire.protocol import messages
from acquire.protocol.faults import Fault
from acquire.protocol.faults import Reason as FaultReason
from acquire.protocol.reading import player_reader

HERE = {"texts": 10, "moves": 338, "refused": 36, "positions": 17}
"""What the repository has: all texts with a refused move, and two more."""
ALL = {"texts": 33, "moves": 1_690, "refused": 36, "positions": 83}
DIFFERENCES_HERE = {Reason.DECLARATION: 1}
DIFFERENCES = {Reason.DECLARATION: 9, Reason.REPLACED_AGAIN: 21, Reason.ALL_TILES: 4}

# -- saying it -----------------------------------------------------------------------------------

READER = player_reader(CLASSIC)


def words(table: Table, move: Move) -> str:
    """The element by which one of our players sends the same, well formed or not."""
    labels = [CLASSIC.hotel_name(HOTELS[c]) if c in HOTELS else c for c in move.chains]
    match move.action:
        case "PlayTile":
            return placement_element(move.tile, [])
        case "SelectNewChain" | "SelectMergerSurvivor":
            assert table.laid is not None
            return placement_element(tile_name(table.laid), labels)
        case "SelectChainToDisposeOfNext":
            assert table.merger is not None
            if move.chains[0] in HOTELS:
                _, survivor, equals = table.placement(HOTELS[move.chains[0]])
                assert survivor is not None
                labels = list(map(CLASSIC.hotel_name, [survivor, *equals]))
            return placement_element(tile_name(table.merger.placement.tile), labels)
        case "DisposeOfShares":
            return f'<dispose sell="{move.sell}" trade="{move.trade}"/>'
        case _:
            return f"<order>{hotel_elements(labels)}{'<end/>' if move.end else ''}</order>"


def placement_element(name: str, labels: list[str]) -> str:
    """A placement alone, of a tile that need not exist."""
    tile = f'<tile column="{name[:-1]}" row="{name[-1]}"/>'
    return f"<placement>{tile}{hotel_elements(labels)}</placement>"


def hotel_elements(labels: list[str]) -> str:
    """Hotels, which need not exist."""
    return "".join(f'<hotel label="{label}"/>' for label in labels)


def read(document: str) -> messages.PlayerMessage | Fault:
    """What the referee would receive."""
    return READER.convert(READER.parse(document.encode()), document.encode())


def message(table: Table, move: Move) -> messages.PlayerMessage:
    """What the referee should receive for a move that has the right form."""
    match move.action:
        case "PlayTile":
            return messages.Merge(Placement(parse_tile(move.tile)))
        case "DisposeOfShares":
            return messages.DisposeAnswer(move.sell, move.trade)
        case "PurchaseShares":
            return messages.Order(tuple(HOTELS[chain] for chain in move.chains), move.end)
        case _:
            return messages.Merge(table.placement(HOTELS[move.chains[0]]))


def well_formed(move: Move) -> bool:
    """Whether a move can be expressed: tiles, hotels, few enough, numbers of certificates."""
    counts = range(CLASSIC.certificates + 1)
    return (
        (move.action != "PlayTile" or move.tile in TILE_NAMES.values())
        and set(move.chains) <= set(HOTELS)
        and len(move.chains) <= CLASSIC.order_limit
        and move.trade in counts
        and move.sell in counts
    )


# -- refusing it ---------------------------------------------------------------------------------

REFUSALS: dict[str, set[Violation]] = {
    "tile is not a valid tile": set(),
    "player does not have given tile": {Violation.NOT_IN_HAND},
    "cannot play given tile": {Violation.TWO_SAFE, Violation.EIGHTH_HOTEL},
    "chain is not a valid chain": set(),
    "cannot select chain as the new chain": {Violation.HOTEL_ON_BOARD},
    "cannot select chain as the controlling chain": {Violation.NOT_INVOLVED, Violation.NOT_LARGEST},
    "cannot select chain as the next chain": {Violation.WRONG_EQUALS},
    "trade amount is not an integer >= 0": set(),
    "sell amount is not an integer >= 0": set(),
    "trade amount is not a multiple of 2": {Violation.ODD_TRADE},
    "cannot trade for more shares than are available": {Violation.TRADE_TOO_LARGE},
    "cannot trade and sell more shares than owned": {Violation.NOT_OWNED},
    "number of chains is larger than 3": {Violation.TOO_MANY},
    "a chain is not a valid chain": set(),
    "a requested chain does not exist on the board": {Violation.NO_PRICE},
    "more shares requested for a chain than are available": {Violation.SOLD_OUT},
    "not enough cash to pay for requested shares": {Violation.TOO_DEAR},
}
"""The rules of ours for each reason of a refusal; none where the form of the message is wrong."""


def refused(table: Table, move: Move) -> Illegal | None:
    """The verdict of our rules on a move whose parts exist."""
    match move.action:
        case "PlayTile":
            return verify_placement(table.state, Placement(parse_tile(move.tile)))
        case "DisposeOfShares":
            assert table.merger is not None
            disposed = Disposal(move.sell, move.trade)
            return verify_disposal(table.merger, table.asked[0], table.defunct, disposed)
        case "PurchaseShares":
            return verify_order(table.state, tuple(HOTELS[chain] for chain in move.chains))
        case _:
            return verify_placement(table.state, table.placement(HOTELS[move.chains[0]]))


def broken(table: Table, move: Move) -> set[Violation]:
    """All rules that a refused move breaks, of which ours and theirs may each name another."""
    parts = [move]
    if move.action == "PurchaseShares":
        parts += [move._replace(chains=(c,) * move.chains.count(c)) for c in set(move.chains)]
    found = {illegal.violation for part in parts if (illegal := refused(table, part))}
    if move.action == "DisposeOfShares" and table.merger is not None:
        left = table.merger.state.bank[table.merger.survivor]
        found |= {Violation.TRADE_TOO_LARGE} if move.trade > 2 * left else set()
    return found


def refuse(table: Table, move: Move) -> None:
    """Assert that a move which was refused is refused here for the reason given."""
    assert (move.player, move.action) == table.due[:2]
    assert move.error in REFUSALS, f"a reason that stands in no table: {move.error}"
    rules = REFUSALS[move.error]
    answer = read(words(table, move))
    if well_formed(move):
        assert answer == message(table, move)
    else:
        assert isinstance(answer, Fault) and answer.reason is FaultReason.INVALID
    if rules:
        assert refused(table, move) is not None
        assert rules & broken(table, move)
    else:
        assert not well_formed(move)


# -- playing it ----------------------------------------------------------------------------------


def replay(text: Text) -> list[tuple[int, Reason]]:
    """Make all moves of a text, assert that it agrees, and return the documented differences."""
    table = Table(text.players, text.bag)
    start, *moves = text.moves
    assert start.action == "StartGame"
    if start.told is not None:
        table.compare(start.told)
    for number, move in enumerate(moves, start=1):
        try:
            if move.error is not None:
                refuse(table, move)
            else:
                assert read(words(table, move)) == message(table, move)
                table.make(move)
        except AssertionError as failure:
            failure.add_note(f"at move {number}: {move}")
            raise
    return table.differences


def agrees(texts: Sequence[Text], counts: dict[str, int], differences: dict[Reason, int]) -> None:
    """Assert that texts agree but for these differences, and have so much in them."""
    found: Counter[Reason] = Counter()
    for number, text in enumerate(texts, start=1):
        try:
            found.update(reason for _, reason in replay(text))
        except AssertionError as failure:
            failure.add_note(f"in text {number}")
            raise
    moves = [move for text in texts for move in text.moves]
    assert {
        "texts": len(texts),
        "moves": len(moves),
        "refused": sum(move.error is not None for move in moves),
        "positions": sum(move.told is not None for move in moves),
    } == counts
    assert {move.error for move in moves if move.error is not None} == set(REFUSALS)
    assert found == differences


def test_moves_in_the_repository_are_made_and_refused_as_documented() -> None:
    agrees(texts_in(TEXTS_HERE), HERE, DIFFERENCES_HERE)


@needs(CLASSIC_POSITIONS)
def test_recorded_moves_are_made_and_refused_as_documented() -> None:
    agrees([*map(read_text, oracle_files(CLASSIC_POSITIONS))], ALL, DIFFERENCES)
