"""A game's events as one player can tell them, from the messages of its own connection.

The wire carries positions; what happened between two of them is worked out with the rules. Where
that is not enough, there is a :class:`Remark` instead of an event: the course's messages do not say
which tile merges hotels before the merger is settled, nor why a player was ejected, and under some
rulebooks certificates are hidden.
"""

from collections.abc import Iterator, Sequence

from ....game.disposal import Disposal
from ....game.market import Holding
from ....game.rulebook import EmptyBag, End, Rulebook
from ....game.state import State
from ....game.turn import Ending, declared_ending, ending, pay_out
from ....protocol import messages
from ....protocol.knowledge import Knowledge
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.question import Known, Question
from ..play import events
from ..play.outcome import standings
from .frames import FrameKind
from .heard_turn import Heard, HeardTurn, Remark, without


class HeardEvents:
    """Works out the events of a game for one player: ``hear`` every message, in order.

    ``names`` are all players in turn order, once the game has begun.
    """

    def __init__(self, rulebook: Rulebook, name: str) -> None:
        self.names: list[str] = []
        self.rulebook = rulebook  # with what the table hides, once the game has begun
        self._name = name
        self._number = 0
        self._turn: HeardTurn | None = None
        self._ejected: list[str] = []

    @property
    def turn(self) -> HeardTurn:
        """The turn as far as it has been told."""
        assert self._turn is not None, "the first position comes before anything else"
        return self._turn

    def hear(
        self, message: RefereeMessage, knowledge: Knowledge, asked: Question | None
    ) -> Iterator[Heard]:
        """Take a message, with what is known after it and what it asks."""
        known = knowledge.known if asked is None else asked.known
        if known is not None and self._turn is not None:
            yield from self._undone_turns(known)
        match message:
            case messages.State() | messages.StateView():
                assert known is not None
                yield from self._commit(known)
            case messages.Turn() | messages.TurnView():
                assert known is not None
                yield from self.turn.replaced_hand(known)
            case messages.Keep(hotels) if knowledge.merger is None:
                yield from self.turn.announce(hotels)
            case messages.Holders(hotel, counts):
                self.turn.holders[hotel] = dict(counts)
                held = ", ".join(f"{name} {count}" for name, count in counts) or "nobody"
                text = f"Holders of {self.rulebook.hotel_name(hotel)}: {held}."
                yield Remark(FrameKind.NOTE, text, self.turn.state)
            case messages.MarketTile(hotel, tile, _):
                self.turn.market[hotel] = Holding(hotel, tile)
            case messages.NewTile(tile):
                self.turn.drawn.append(tile)
            case messages.Score(results=results) | messages.ScoreView(results=results):
                assert known is not None
                yield from self._end(known, results)
            case _ if asked is not None and not isinstance(message, messages.Replace):
                if isinstance(message, messages.Dispose):
                    self.turn.disposing = message.hotel
                elif isinstance(message, messages.PlayersView):  # the merger is settled
                    self.turn.disposing = None
                yield from self.turn.advance(asked.known)

    def answered(self, asked: Question, answer: PlayerMessage) -> None:
        """Take the player's own answer: how it disposed of certificates is known exactly."""
        if isinstance(asked.message, messages.Dispose) and isinstance(
            answer, messages.DisposeAnswer
        ):
            self.turn.disposed[asked.message.hotel] = Disposal(answer.sell, answer.trade)

    def _undone_turns(self, known: Known) -> Iterator[Heard]:
        """Tell of each player that was ejected in its own turn, which is undone.

        Nothing is sent before the turn after it.
        """
        remaining = {seat.name for seat in known.seats}
        while (mover := self.turn.begun.mover.name) not in remaining:
            self._ejected += [*self.turn.ejected, mover]
            begun = without(self.turn.begun, mover)
            self._turn = HeardTurn(begun, known.bag, self._name)
            yield Remark(FrameKind.Ejected, f"{mover} is ejected.", begun, mover)
            self._number += 1
            yield events.TurnBegan(self._number, begun.mover.name, begun)

    def _commit(self, known: Known) -> Iterator[Heard]:
        if self._turn is None:
            self.names = [seat.name for seat in known.seats]
            self.rulebook = known.rulebook
        else:
            yield from self._turn.finish(known)
            self._ejected += self._turn.ejected
        self._turn = HeardTurn(known.state, known.bag, self._name)
        if _announced(known.state) is None:
            self._number += 1
            yield events.TurnBegan(self._number, known.state.mover.name, known.state)

    def _end(self, known: Known, results: Sequence[tuple[str, int]]) -> Iterator[Heard]:
        turn, to = self.turn, known.state
        mover = turn.state.mover.name
        played = [one.name for one in to.players] != [one.name for one in turn.state.players]
        if played:
            yield from turn.finish(known)
        why = _announced(to) or declared_ending(to, turn.begun)
        if why is None and self.rulebook.empty_bag is EmptyBag.ENDS_GAME and not known.bag:
            why = Ending.BAG_EMPTY
        if why is None:
            yield Remark(FrameKind.Ended, "The game is over.", to)
        else:
            if played and why.regular and self.rulebook.end is not End.ADMINISTRATOR:
                yield events.Declared(mover, to)
            yield events.Ended(why, self._number, to)
        yield from self._pay_out(to)
        for standing in standings(results, [*self._ejected, *turn.ejected]):
            yield events.Ranked(*standing)

    def _pay_out(self, state: State) -> Iterator[Heard]:
        final = [held for held in self.turn.market.values() if state.board.sizes[held.hotel]]
        for held in final:
            yield events.MarketDrew(*held, held.shares, state)
        if not self.rulebook.assets.hides_certificates:
            for bonus in pay_out(state, {held.hotel: held.shares for held in final}).bonuses:
                yield events.BonusPaid(bonus.name, bonus.hotel, bonus.amount, state)


def _announced(state: State) -> Ending | None:
    """Return the ending that the referee announces in a position, as far as a player can tell."""
    found = ending(state)
    return None if found is Ending.NOTHING_PLACEABLE and not state.mover.hand else found
