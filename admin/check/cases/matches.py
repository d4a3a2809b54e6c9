"""Whole matches, from the deal to the scores."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from admin.check.case import Case, Source, section
from admin.check.cases.framing import asked_in_merger
from admin.check.lone_tiles import SHORT_TURN
from admin.check.scene import OTHERS, dealt, script
from admin.match.in_process import Answerer
from admin.match.referee import Segment
from admin.trial.script import Make, Script
from game.rulebook import Rulebook
from protocol.faults import Fault, Reason
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage

MATCHES = section("matches")

SEEDS = {"two": 5, "three": 165, "four": 439, "six": 571, "ejections": 4}
"""Deals in which ``ordered`` merges hotels, and is asked in the mergers of others."""
TURNS_PLAYED = 5
"""How many turns the first of those who leave plays before that."""

SCORE = Source("The conversation", "`A> score` to every player still at the table")


class Leaving:
    """One of the other players, who is gone when a question of some kind comes once more.

    ``tags`` are the kinds, ``answered`` is how many of them it answers.
    """

    def __init__(self, player: Answerer, tags: frozenset[str], answered: int) -> None:
        self._player = player
        self._tags = tags
        self._left = answered

    def __call__(self, message: AdministratorMessage) -> PlayerMessage | Fault:
        """Answer one message, or be gone."""
        if TAGS[type(message)] in self._tags:
            if not self._left:
                return Fault(Reason.DISCONNECTED, "It closed between messages.")
            self._left -= 1
        return self._player(message)


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    asked = SHORT_TURN | asked_in_merger(rulebook)
    match = partial(
        Case,
        section=MATCHES,
        about=asked,
        reaches=frozenset({"score"}),
        hint="Often it is a position that none of the other cases has: the log shows it.",
    )
    if rulebook.market_for_two:
        yield match(
            slug="two",
            title="Two players and the market",
            source=Source("Two players", "a table of two has a third holder, the stock market"),
            expected="A legal answer to everything until the score, <void/> to <market> as well.",
            about=asked | {"market", "merger"},
            script=whole(rulebook, 2, "two"),
        )
    yield match(
        slug="three-ordered",
        title="Three players, two of whom place the first tile that they can",
        source=SCORE,
        expected="A legal answer to everything until the score.",
        script=whole(rulebook, 3, "three"),
    )
    yield match(
        slug="four-random",
        title="Four players, three of whom do anything that is legal",
        source=SCORE,
        expected="A legal answer to everything until the score.",
        script=whole(rulebook, 4, "four", "random"),
    )
    yield match(
        slug="six-investors",
        title="Six players, five of whom play for money",
        source=SCORE,
        expected="A legal answer to everything until the score.",
        script=whole(rulebook, 6, "six", "investor"),
    )
    yield match(
        slug="ejections",
        title="Four players, two of whom are ejected",
        source=Source("The conversation", "The match goes on with those who remain"),
        expected="A legal answer to everything until the score, whoever is missing by then.",
        hint="Often the players of the first position are expected in all that follow.",
        script=with_ejections(rulebook),
    )


def whole(rulebook: Rulebook, seats: int, deal: str, strategy: str = "ordered") -> Script:
    """Make the script of a match from its deal, with others who all play by one strategy."""
    state = dealt(rulebook, seats, SEEDS[deal], place=seats // 2)
    played = dict.fromkeys(OTHERS, strategy)
    return script(rulebook, Segment(state, None), strategies=played)


def with_ejections(rulebook: Rulebook) -> Script:
    """Make the script of a match in which one leaves in a turn, and one in a merger."""
    played = whole(rulebook, 4, "ejections")
    in_turn, in_merger = OTHERS[:2]
    asked = asked_in_merger(rulebook) - {"players", "holders"}
    return replace(
        played,
        others={
            **played.others,
            in_turn: _leaving(played.others[in_turn], frozenset({"turn"}), TURNS_PLAYED),
            in_merger: _leaving(played.others[in_merger], asked, 0),
        },
    )


def _leaving(make: Make, tags: frozenset[str], answered: int) -> Make:
    return lambda: Leaving(make(), tags, answered)
