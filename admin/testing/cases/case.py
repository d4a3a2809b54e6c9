"""A case: a short scenario for a player, and what is expected of it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cache, partial
from typing import NamedTuple, TypeAlias

from ....game.disposal import TRADED_FOR_ONE
from ....game.rulebook import Rulebook, with_hidden_assets
from ....game.state import State, deal
from ....game.tiles import mask_of
from ....protocol import messages
from ....protocol.faults import Fault, Reason
from ....protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ....protocol.plugins import STRATEGIES, load_strategy, plugins
from ...advising.explaining.sources import PROTOCOL_PAGE
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.in_process import Answerer
from ...refereeing.play.referee import Segment
from ..trial.trial import Script, renamed
from ..trial.wire import PLAIN_DELIVERY, Delivery
from .position_text import fill, parse_position, parse_tiles

READ_GAP = 0.03  # seconds between two messages or pieces, so that they are read separately
PLAYER = "player"  # the player's name in a script, and `{name}` unless a case sets it


class CaseSection(NamedTuple):
    """A group of cases."""

    number: int
    slug: str  # its name on the command line
    title: str
    visibility: str = "visible"  # when Gradescope shows them to students


class CaseSource(NamedTuple):
    """Where a rule is written: a page, a heading on it, and a quotation from below it."""

    heading: str
    words: str
    page: str = PROTOCOL_PAGE

    @property
    def quoted(self) -> str:
        """The quotation without Markdown's marks for emphasis and code."""
        return _MARKS.sub(lambda found: found[2], self.words)

    def __str__(self) -> str:
        """Return the page, the heading and the quotation; empty if there is no source."""
        return f"{self.page}, {self.heading}: “{self.quoted}”" if self.words else ""


_MARKS = re.compile(r"(\*\*|\*|`)(.+?)\1")


Inspect: TypeAlias = Callable[[Sequence[PlayerMessage]], str]
"""Inspects answers, and returns a warning or an empty string."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case under a rulebook: what it says, and how it is delivered to the player and judged.

    ``tested`` names the questions under test: ``signup``, ``setup`` (the first ``state``),
    ``state`` (a later one), ``turn``, ``players``, ``keep``, ``dispose``, ``tile``, ``score`` ... A
    mistake in answering one of them fails the case; with a mistake elsewhere the case was not
    reached: other cases are about that. So a player that cannot acknowledge a tile fails two cases
    and not a hundred.
    """

    slug: str
    title: str
    _: KW_ONLY
    section: CaseSection
    source: CaseSource
    expected: str
    hint: str  # a common bug: completes the sentence "A common bug here is"
    tested: frozenset[str]
    script: Script
    must_answer: frozenset[str] | None = None  # needed to pass; None: all tested but `signup`
    name: str = PLAYER  # the name that the player is asked to sign up with
    delivery: Delivery = PLAIN_DELIVERY
    pause: float = READ_GAP  # seconds between sign-up and the first position
    extra_time: float = 0.0  # seconds added to every clock for a slow delivery
    guaranteed: bool = True  # by the protocol; if not, a failure is only a warning
    inspect: Inspect | None = None  # looks at the tested answers for legal but doubtful ones
    turns: int | None = None  # turns that must begin; None: all scripted, 0 in a whole game
    number: str = ""

    @property
    def id(self) -> str:
        """A name that stays the same when cases are added: ``mergers/tie``."""
        return f"{self.section.slug}/{self.slug}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names that choose it: its section's number and slug, then its own."""
        return str(self.section.number), self.section.slug, self.number, self.id

    @property
    def required_turns(self) -> int:
        """How many turns have to begin for a pass."""
        if self.turns is not None:
            return self.turns
        return sum(turns or 0 for _, turns in self.script.segments)

    @property
    def waits(self) -> float:
        """For how many seconds the player waits for the game to begin, or for an opponent."""
        return self.pause + self.script.think_time

    @property
    def required(self) -> frozenset[str]:
        """The questions that have to be answered for a pass."""
        return self.tested - {"signup"} if self.must_answer is None else self.must_answer


OPPONENTS = ("ann", "bob", "cyd", "dan", "eve")
ABSENT = "gone"


@dataclass(frozen=True, slots=True)
class Deal:
    """The first position of a game."""

    seats: int
    seed: int
    place: int = 0  # the player's place, from 0 on
    before: int | None = None  # instead, how many players move before it, whoever starts

    def laid_out(self, rulebook: Rulebook) -> State:
        """Return the position under a rulebook."""
        places = [self.place] if self.before is None else range(self.seats)
        for place in places:
            names = [*OPPONENTS[: self.seats - 1]]
            names.insert(place, PLAYER)
            state = deal(rulebook, names, Dealer(self.seed).bag)
            if self.before is None or state.players[self.before].name == PLAYER:
                return state
        raise AssertionError("one of the places must fit")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A position as text, or the first one of a ``deal``, and what follows it.

    The ``players`` have bars between them, the mover first: ``"ann 3A | bob"``. Opponents behave as
    ``others`` says, all in one way or each by its name, and else play as ``ordered``: legally, and
    the same each time.
    """

    players: str = ""
    board: str = ""
    deal: Deal | None = None
    bag: str | None = None  # the tiles left in it; by default, all that are not elsewhere
    bag_top: str = ""  # the tiles that come first
    aside: str = ""  # the tiles set aside, which never come
    names: tuple[str, ...] = ()  # replace those of the opponents, in their order
    turns: int | None = 1  # played from the position; None for the whole game
    later: "tuple[Scenario, ...]" = ()  # their turns are played after that
    others: str | Mapping[str, str] = "ordered"
    think_time: float = 0.0  # seconds that an opponent takes for a turn
    at_table: int = 0  # players at sign-up; those that the position lacks have left
    hides_assets: bool = False  # hides cash and certificates if the rulebook leaves it open

    def laid_out(self, rulebook: Rulebook) -> State:
        """Return the position under a rulebook."""
        if self.deal is not None:
            return self.deal.laid_out(rulebook)
        text = fill(rulebook, f"{self.board}\n{self.players}")
        state = parse_position(rulebook, text, bag=self.bag)
        top, aside = parse_tiles(self.bag_top), parse_tiles(self.aside)
        first = [tile for tile in top if tile in state.bag]
        rest = [tile for tile in state.bag if tile not in (*top, *aside)]
        names = zip(OPPONENTS, self.names, strict=False)
        return renamed(
            state._replace(bag=(*first, *rest), aside=mask_of(aside)),
            {old: fill(rulebook, new) for old, new in names},
        )

    def script(self, rulebook: Rulebook) -> Script:
        """Return the script under a rulebook; ``ValueError`` without a seat for the player."""
        if self.hides_assets and not rulebook.assets.hides_certificates:
            rulebook = with_hidden_assets(rulebook)
        segments = [Segment(each.laid_out(rulebook), each.turns) for each in (self, *self.later)]
        names = [player.name for player in segments[0].position.players]
        if PLAYER not in names:
            raise ValueError(f"no seat for {PLAYER!r}")
        absent = range(1, max(self.at_table, rulebook.min_players) - len(names) + 1)
        given = self.others
        others = dict.fromkeys(names, given) if isinstance(given, str) else given
        return Script(
            rulebook,
            (*names, *(f"{ABSENT}-{number}" for number in absent)),
            PLAYER,
            tuple(segments),
            {
                name: partial(opponent, others.get(name, "ordered"), name)
                for name in names
                if name != PLAYER
            },
            self.think_time,
        )


# -- opponents ----------------------------------------------------------------------------------

LEAVES = Fault(Reason.DISCONNECTED, "This opponent leaves here, as the case requires.")
_LEAVER = re.compile(r"leaves: ([a-z ]+?)(?: after (\d+))?")
TRADES_ALL = "trades-all"

_load_strategy = cache(load_strategy)
"""Cached: searching all installed packages for a strategy takes longer than a case."""


def known_behaviour(words: str) -> bool:
    """Whether :func:`opponent` knows how to behave so."""
    found = _LEAVER.fullmatch(words)
    if found is not None:
        return {*found[1].split()} <= {*TAGS.values()}
    return words == TRADES_ALL or words in plugins(STRATEGIES)


def opponent(behaviour: str, name: str, rulebook: Rulebook) -> Answerer:
    """Make an opponent: it leaves, trades as much as it can, or plays by an installed strategy.

    ``leaves: keep dispose`` leaves at the first of these questions; ``leaves: turn after 5``
    answers five first. At ``state`` it leaves at the first position. ``trades-all`` trades all its
    certificates of acquired hotels: the bank must have enough of the survivor, or it is ejected.
    """
    leaver = _LEAVER.fullmatch(behaviour)
    plain = leaver is None and behaviour != TRADES_ALL
    answer = _load_strategy(behaviour if plain else "ordered")(rulebook, 0)
    questions, left = (leaver[1].split(), int(leaver[2] or 0)) if leaver else ([], 0)

    def special(message: RefereeMessage) -> PlayerMessage | Fault:
        nonlocal left
        if TAGS[type(message)] in questions:
            left -= 1
            if left < 0:
                return LEAVES
        if leaver is None and isinstance(message, messages.Dispose):
            (own,) = [player for player in message.view.players if player.name == name]
            assert own.shares is not None, "a player sees its own certificates"
            tradable = own.shares[message.hotel] // TRADED_FOR_ONE * TRADED_FOR_ONE
            return messages.DisposeAnswer(0, tradable)
        return answer(message)

    return answer if plain else special
