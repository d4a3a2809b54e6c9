"""What no message can say is what the schema refuses: the two are compared answer by answer.

Tiles, hotels and numbers are those on both sides of each border."""

from itertools import product

from loops import for_each

from acquire.game.placement import Placement
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage
from acquire.protocol.reading import Reader, player_reader
from acquire.protocol.sayable import unsayable
from acquire.protocol.writing import Writer

HOTELS = [
    (),
    (0,),
    (6,),
    (7,),
    (-1,),
    (2, 2),
    (5, 0),
    (0, 1, 2),
    (3, 3, 3),
    (0, 1, 7),
    (3, 2, 1, 0),
]
PLACEMENTS = [
    *(Placement(tile, None, ()) for tile in (-1, 0, 107, 108)),
    *(Placement(5, hotel, equals) for hotel in (None, -1, 4, 6, 7) for equals in HOTELS),
]
ANSWERS: list[PlayerMessage] = [
    *map(messages.Merge, PLACEMENTS),
    *(messages.Pbuy(placed, (1,)) for placed in PLACEMENTS),
    *(messages.Pbuy(PLACEMENTS[1], order, end) for order in HOTELS for end in (False, True)),
    *(messages.Order(order, end) for order in HOTELS for end in (False, True)),
    *(messages.KeepAnswer((True, False, False, True)[:count]) for count in range(5)),
    *(messages.Pbuy(None, order, end) for order in HOTELS for end in (False, True)),
    *(messages.DisposeAnswer(*counts) for counts in product((-1, 0, 25, 26), repeat=2)),
    *map(messages.ReplaceAnswer, (False, True)),
]


def arrives(answer: PlayerMessage, reader: Reader[PlayerMessage], writer: Writer) -> bool:
    """Whether an answer can be written, and is read as what it was."""
    try:
        document = writer.write(answer)
    except (IndexError, KeyError):  # no such hotel, no such tile
        return False
    return reader.convert(reader.parse(document), document) == answer


@for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_answer_is_sayable_if_it_arrives_as_it_was(rulebook: Rulebook) -> None:
    reader, writer = player_reader(rulebook), Writer(rulebook)
    for answer in ANSWERS:
        sayable = unsayable(answer, rulebook) is None
        assert sayable == arrives(answer, reader, writer), answer
