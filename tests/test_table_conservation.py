"""What no game by the four other rulebooks may break, whatever the players choose.

Every tile, certificate and dollar is booked as the events tell it (`ledger`), and at every turn the
position has to be what the books say; also where players break rules in the middle of a merger.
"""

from __future__ import annotations

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from ledger import Ledger
from table_drivers import TableMinds, Temper, judged

from game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, WIKIPEDIA

GAMES = st.builds(
    TableMinds,
    st.sampled_from([CLASSIC, CORPORATIONS, DIGEST, WIKIPEDIA]),
    st.integers(0, 10**9),
    st.builds(
        Temper,
        names=st.sampled_from([0.0, 0.5, 1.0]),
        buys=st.sampled_from([0.0, 0.9]),
        trades=st.sampled_from([0.0, 0.5, 1.0]),
        declares=st.sampled_from([0.0, 0.2]),
        breaks=st.sampled_from([0.0, 0.01, 0.02, 0.05]),
    ),
)


@given(GAMES)
@settings(max_examples=150, deadline=None, phases=[Phase.reuse, Phase.generate])
def test_the_books_are_right_at_every_turn(minds: TableMinds) -> None:
    ledger = Ledger(minds.rulebook, minds.names)
    outcome = judged(minds, ledger)
    assert ledger.turns == outcome.turns
