"""A scenario: positions, and how the players at the table behave.

It says nothing of who is under test, what that player is asked, and what it should answer.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

from ....game.disposal import TRADED_FOR_ONE
from ....game.rulebook import Rulebook, with_hidden_assets
from ....game.state import State, deal
from ....game.tiles import mask_of
from ....protocol import messages
from ....protocol.faults import Fault, Reason
from ....protocol.messages import TAGS, PlayerMessage, RefereeMessage
from ....protocol.plugins import STRATEGIES, load_strategy, plugins
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.in_process import Answerer
from ...refereeing.play.referee import Segment
from ..trial.script import Script, renamed
from .case import PLAYER
from .position_text import Words, parse_position, parse_tiles

OPPONENTS = ("ann", "bob", "cyd", "dan", "eve")
ABSENT = "gone"


@dataclass(frozen=True, slots=True)
class Deal:
    """The first position of a game; the player is on this ``place``, from 0 on.

    Instead there may be how many players move ``before`` it, whoever starts.
    """

    seats: int
    seed: int
    place: int = 0
    before: int | None = None

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
    """A position as text, and what follows it.

    The text has the rows of the board, then the players with bars between them, the mover first:
    ``"AA.TT \\n ann 3A | bob"``. All tiles that are not elsewhere are in the bag, unless ``bag``
    lists those that are left; the tiles ``bag_top`` come first, and those set ``aside`` never.
    ``names`` replace those of the opponents, in their order.

    ``turns`` are played from the position, ``None`` for the whole game; then those of the scenarios
    ``later`` are. Opponents behave as ``others`` says, all in one way or each by its name, and else
    play as ``ordered``: legally, and the same each time. They take ``think_time`` seconds for a
    turn. Of the ``at_table`` players at sign-up, those that the position lacks have left.
    """

    position: str | Deal
    bag: str | None = None
    bag_top: str = ""
    aside: str = ""
    names: tuple[str, ...] = ()
    turns: int | None = 1
    later: "tuple[Scenario, ...]" = ()
    others: str | Mapping[str, str] = "ordered"
    think_time: float = 0.0
    at_table: int = 0
    hides_assets: bool = False
    """Whether the table hides cash and certificates, where the rulebook leaves that open."""

    def laid_out(self, rulebook: Rulebook) -> State:
        """Return the position under a rulebook."""
        if isinstance(self.position, Deal):
            return self.position.laid_out(rulebook)
        words = Words(rulebook)
        state = parse_position(rulebook, self.position.format_map(words), bag=self.bag)
        top, aside = parse_tiles(self.bag_top), parse_tiles(self.aside)
        first = [tile for tile in top if tile in state.bag]
        rest = [tile for tile in state.bag if tile not in (*top, *aside)]
        names = zip(OPPONENTS, self.names, strict=False)
        return renamed(
            state._replace(bag=(*first, *rest), aside=mask_of(aside)),
            {old: new.format_map(words) for old, new in names},
        )

    def script(self, rulebook: Rulebook, subject: str = PLAYER) -> Script:
        """Return the script in which the player with this name is the one under test."""
        if self.hides_assets and not rulebook.assets.hides_certificates:
            rulebook = with_hidden_assets(rulebook)
        segments = tuple(
            Segment(each.laid_out(rulebook), each.turns) for each in (self, *self.later)
        )
        names = [player.name for player in segments[0].position.players]
        if subject not in names:
            raise ValueError(f"no seat for {subject!r}")
        absent = range(1, max(self.at_table, rulebook.min_players) - len(names) + 1)
        given = self.others
        others = dict.fromkeys(names, given) if isinstance(given, str) else given
        return Script(
            rulebook,
            (*names, *(f"{ABSENT}-{number}" for number in absent)),
            subject,
            segments,
            {
                name: partial(opponent, others.get(name, "ordered"), name)
                for name in names
                if name != subject
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
