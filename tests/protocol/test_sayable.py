"""What no message can say is what the schema refuses: the two are compared answer by answer."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from loops import for_each

from acquire.game.placement import Placement
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS
from acquire.protocol import messages
from acquire.protocol.dialect import Dialect
from acquire.protocol.messages import PlayerMessage
from acquire.protocol.reading import player_reader
from acquire.protocol.sayable import unsayable
from acquire.protocol.writing import Writer

hotels = st.integers(-1, 8)
tiles = st.integers(-1, 130)
lists_of_hotels = st.lists(hotels, max_size=5).map(tuple)
placements = st.builds(Placement, tiles, st.none() | hotels, lists_of_hotels)
IN_COURSE = (
    st.builds(messages.Merge, placements),
    st.builds(messages.Pbuy, placements, lists_of_hotels, st.booleans()),
    st.builds(messages.Order, lists_of_hotels, st.booleans()),
    st.builds(messages.KeepAnswer, st.lists(st.booleans(), max_size=5).map(tuple)),
)
IN_DIALECT = (
    *IN_COURSE,
    st.builds(messages.Pbuy, st.none(), lists_of_hotels, st.booleans()),
    st.builds(messages.DisposeAnswer, st.integers(-1, 27), st.integers(-1, 27)),
)


def arrives(answer: PlayerMessage, rulebook: Rulebook) -> bool:
    """Whether an answer can be written, and is read as what it was."""
    reader = player_reader(rulebook)
    try:
        document = Writer(rulebook).write(answer)
    except (IndexError, KeyError):  # no such hotel, no such tile
        return False
    return reader.convert(reader.parse(document), document) == answer


@for_each("rulebook", RULEBOOKS.values(), ids=lambda book: book.id)
def test_answer_is_sayable_if_it_arrives_as_it_was(rulebook: Rulebook) -> None:
    course = Dialect.of(rulebook) is Dialect.COURSE

    @settings(max_examples=150, deadline=None)
    @given(st.one_of(*(IN_COURSE if course else IN_DIALECT)))
    def compare(answer: PlayerMessage) -> None:
        assert (unsayable(answer, rulebook) is None) == arrives(answer, rulebook)

    compare()
