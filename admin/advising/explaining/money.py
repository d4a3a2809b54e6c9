"""What a match came to for one player, in money: net worth turn by turn, swings, missed bonuses.

Nothing is played on here, so it takes no time, and says nothing of luck.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.turn import worth
from ...refereeing.log.reader import RecordedGame
from ...refereeing.log.verifier import Verifier
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.play.outcome import Outcome, Standing
from ...refereeing.view.plain_text import dollars, listed, plural
from ...refereeing.view.sentences import Sentences

MOST_MISSED = 3  # how many missed bonuses are listed, the largest first
_TOLD = (events.Placed, events.Acquired, events.BonusPaid, events.Bought, events.FoundersShare)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class MissedBonus(NamedTuple):
    """A bonus of a hotel that a holder did not get; with ``needed`` certificates it had got it."""

    turn: int
    hotel: int
    held: int
    needed: int
    amount: int


class Swing(NamedTuple):
    """A turn, and the player's lead in net worth before and after it, in dollars."""

    turn: int
    mover: str
    before: int
    after: int
    told: str


@dataclass
class MoneyStory:
    """What happened to one player's money; ``worths`` are the net worths as each turn began.

    The last entry of ``worths`` is that at the end, under the number of the turn after the last.
    """

    name: str
    rulebook: Rulebook
    worths: dict[int, dict[str, int]] = field(default_factory=dict)
    movers: dict[int, str] = field(default_factory=dict)
    told: dict[int, list[str]] = field(default_factory=dict)
    missed: list[MissedBonus] = field(default_factory=list)
    outcome: Outcome | None = None

    def take(self, event: Event) -> None:
        """Take the next event of the game."""
        turn = max(self.movers, default=0)
        match event:
            case events.TurnBegan(number, mover, state):
                self.movers[number], self.worths[number] = mover, worth(state)
            case events.Ended(_, _, state) if turn:
                self.worths[turn + 1] = worth(state)
                for hotel, size in enumerate(state.board.sizes):
                    if size:
                        self._miss(turn + 1, hotel, state.price(hotel), state)
            case events.Acquired(hotel=hotel, price=price, state=state):
                self._miss(turn, hotel, price, state)
        if isinstance(event, _TOLD):
            sentence = Sentences(self.rulebook).sentence(event, public=True)
            self.told.setdefault(turn, []).append(sentence)

    def _miss(self, turn: int, hotel: int, price: int, state: State) -> None:
        """Note that the player holds certificates of a hotel, but too few for a bonus."""
        held = {player.name: player.shares[hotel] for player in state.players}
        mine = held.get(self.name, 0)
        more = sorted((count for count in held.values() if count > mine), reverse=True)
        places = len(self.rulebook.bonus_multiples)
        if mine and len(more) >= places:
            amount = self.rulebook.bonus_multiples[-1] * price
            self.missed.append(MissedBonus(turn, hotel, mine, more[places - 1] + 1, amount))

    @property
    def standing(self) -> Standing | None:
        """The player's place, ``None`` if the game did not end."""
        standings = self.outcome.standings if self.outcome else ()
        return next((each for each in standings if each.name == self.name), None)

    def lead(self, turn: int) -> int:
        """Return by how much the player leads the best other player, in net worth."""
        found = self.worths[turn]
        others = [money for name, money in found.items() if name != self.name]
        return found.get(self.name, 0) - max(others, default=0)

    @property
    def swing(self) -> Swing | None:
        """The turn in which the lead fell most, or rose most for the winner."""
        changes = {
            turn: self.lead(turn + 1) - self.lead(turn)
            for turn in self.movers
            if turn + 1 in self.worths and self.name in self.worths[turn + 1]
        }
        if not changes:
            return None
        own = self.standing
        most = max if own is not None and own.won else min
        turn = most(changes, key=lambda each: changes[each])
        told = " ".join(self.told.get(turn, []))
        return Swing(turn, self.movers[turn], self.lead(turn), self.lead(turn + 1), told)

    # -- in words -------------------------------------------------------------------------------

    @property
    def result(self) -> str:
        """How the match ended for the player, without a full stop."""
        own = self.standing
        if own is None or self.outcome is None:
            return f"The game did not end, so {self.name} has no score"
        place = f"{_ORDINALS[own.rank - 1]} of {len(self.outcome.standings)}"
        others = [each for each in self.outcome.standings if each is not own and each.finished]
        told = f"{self.name} finished {place} with {dollars(own.score)}"
        if not others:
            return told
        return f"{told}, {_ahead(own.score - others[0].score)} {others[0].name}"

    def sentences(self) -> list[str]:
        """Return what the money shows, in sentences."""
        said = [f"{self.result}."]
        if swing := self.swing:
            said.append(
                f"The largest swing of net worth was in turn {swing.turn}, of {swing.mover}: "
                f"{self.name} was {_ahead(swing.before)} the best other player before it, and "
                f"{_ahead(swing.after)} the best other player after it. {swing.told}"
            )
        if self.missed:
            most = sorted(self.missed, key=lambda each: -each.amount)[:MOST_MISSED]
            said.append(f"Bonuses missed: {listed(map(self._missed, most))}.")
        return said

    def _missed(self, missed: MissedBonus) -> str:
        short = missed.needed - missed.held
        when = "at the end" if missed.turn not in self.movers else f"in turn {missed.turn}"
        name = self.rulebook.hotel_name(missed.hotel)
        return (
            f"{name} {when} ({missed.held} held, {plural(short, 'more certificate')} would have "
            f"brought about {dollars(missed.amount)})"
        )

    def fields(self) -> dict[str, Any]:
        """Return all of it for a program."""
        swing = self.swing
        return {
            "result": f"{self.result}.",
            "net_worth": [{"turn": turn, "players": found} for turn, found in self.worths.items()],
            "swing": None if swing is None else swing._asdict(),
            "missed": [
                each._asdict() | {"hotel": self.rulebook.hotel_name(each.hotel)}
                for each in self.missed
            ],
        }


def _ahead(lead: int) -> str:
    return f"{dollars(abs(lead))} {'ahead of' if lead >= 0 else 'behind'}" if lead else "level with"


def money_story(record: RecordedGame, name: str) -> MoneyStory:
    """Return what happened to a player's money in a game, as far as its log holds."""
    story, verdict = MoneyStory(name, record.header.rulebook), Verifier(record).verify()
    for event in verdict.events:
        story.take(event)
    if record.complete:
        story.outcome = verdict.outcome
    return story
