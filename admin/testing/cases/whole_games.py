"""Whole games, from the deal to the scores."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ....game.rulebook import Rulebook
from ....protocol.faults import Fault
from ....protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ...refereeing.play.in_process import Answerer
from ...refereeing.play.referee import Segment
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.lone_tiles import SHORT_TURN
from ..case_parts.position_text import OPPONENTS, deal_game, make_script
from ..case_parts.special_opponents import LEAVES
from ..trial.script import MakePlayer, Script
from .framing import asked_in_merger

WHOLE_GAMES = section("matches")

SEEDS = {"two": 5, "three": 165, "four": 439, "six": 571, "ejections": 4}
"""Deals in which ``ordered`` merges hotels, and is asked in opponents' mergers."""
TURNS_PLAYED = 5
"""How many turns the first leaver plays before it leaves."""

SCORE = CaseSource("The conversation", "`A> score` to every player still at the table")


class Leaver:
    """An opponent that leaves at a certain question.

    It answers ``answered`` questions with one of the ``tags``, and leaves at the next.
    """

    def __init__(self, player: Answerer, tags: frozenset[str], answered: int) -> None:
        self._player = player
        self._tags = tags
        self._left = answered

    def __call__(self, message: RefereeMessage) -> PlayerMessage | Fault:
        """Answer one message, or leave."""
        if TAGS[type(message)] in self._tags:
            if not self._left:
                return LEAVES
            self._left -= 1
        return self._player(message)


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    asked = SHORT_TURN | asked_in_merger(rulebook)
    game = partial(
        Case,
        section=WHOLE_GAMES,
        tested=asked,
        must_answer=frozenset({"score"}),
        hint="failing in a position that no other case has. The log of the case shows it.",
    )
    if rulebook.market_for_two:
        yield game(
            slug="two",
            title="Two players and the stock market",
            source=CaseSource("Two players", "a table of two has a third holder, the stock market"),
            expected="Answer everything legally until the score, and <market> with <void/>.",
            tested=asked | {"market", "merger"},
            script=whole(rulebook, 2, "two"),
        )
    yield game(
        slug="three-ordered",
        title="Three players; the opponents place the first playable tile",
        source=SCORE,
        expected="Answer everything legally until the score.",
        script=whole(rulebook, 3, "three"),
    )
    yield game(
        slug="four-random",
        title="Four players; the opponents make random legal moves",
        source=SCORE,
        expected="Answer everything legally until the score.",
        script=whole(rulebook, 4, "four", "random"),
    )
    yield game(
        slug="six-investors",
        title="Six players; the opponents play to win",
        source=SCORE,
        expected="Answer everything legally until the score.",
        script=whole(rulebook, 6, "six", "investor"),
    )
    yield game(
        slug="ejections",
        title="Four players; two opponents are ejected",
        source=CaseSource("The conversation", "The game goes on with those who remain"),
        expected="Answer everything legally until the score, even as players leave.",
        hint="expecting the players of the first position in all later ones.",
        script=with_ejections(rulebook),
    )


def whole(rulebook: Rulebook, seats: int, deal: str, strategy: str = "ordered") -> Script:
    """Make the script of a whole game against opponents that all play by one strategy."""
    state = deal_game(rulebook, seats, SEEDS[deal], place=seats // 2)
    played = dict.fromkeys(OPPONENTS, strategy)
    return make_script(rulebook, Segment(state, None), strategies=played)


def with_ejections(rulebook: Rulebook) -> Script:
    """Make the script of a game in which one opponent leaves in a turn, and one in a merger."""
    played = whole(rulebook, 4, "ejections")
    in_turn, in_merger = OPPONENTS[:2]
    asked = asked_in_merger(rulebook) - {"players", "holders"}
    return replace(
        played,
        opponents={
            **played.opponents,
            in_turn: _leaver(played.opponents[in_turn], frozenset({"turn"}), TURNS_PLAYED),
            in_merger: _leaver(played.opponents[in_merger], asked, 0),
        },
    )


def _leaver(make: MakePlayer, tags: frozenset[str], answered: int) -> MakePlayer:
    return lambda rulebook: Leaver(make(rulebook), tags, answered)
