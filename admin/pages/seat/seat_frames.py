"""Frames of a game from one player's messages, for the script that draws replays.

They are those of :mod:`acquire.admin.refereeing.view.frames`, as far as the player knows: what is
hidden is absent.
"""

from typing import Any

from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.turn import pay_out
from ....protocol.knowledge import Knowledge
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.question import Question
from ...refereeing.log.recorder import Header, SeatRecord
from ...refereeing.play import events
from ...refereeing.view.frames import Frame, FrameKind, Frames, without_secrets
from ...refereeing.view.heard_events import HeardEvents
from ...refereeing.view.heard_turn import Heard, Remark
from ..html.replay_page import game_fields


class SeatFrames:
    """The frames so far of a player's game. ``take`` every message, in order."""

    def __init__(self, rulebook: Rulebook, name: str) -> None:
        self._name = name
        self._heard = HeardEvents(rulebook, name)
        self._frames: Frames | None = None
        self._bag: int | None = None
        self.frames: list[Frame] = []

    @property
    def names(self) -> list[str]:
        """All players in turn order, once the game has begun."""
        return self._heard.names

    def fields(self) -> dict[str, Any]:
        """Return what the page has to know of the game beside its frames."""
        seats = tuple(SeatRecord(name, "remote") for name in self.names)
        fields = game_fields(Header(self._heard.rulebook, 0, 1, (), seats))
        del fields["seed"]  # which the player is not sent
        return fields | {"me": self.names.index(self._name)}

    def take(self, message: RefereeMessage, knowledge: Knowledge, asked: Question | None) -> None:
        """Take a message, what is known with it, and what it asks."""
        for heard in self._heard.hear(message, knowledge, asked):
            if self._frames is None:
                self._frames = Frames(self._heard.turn.state, self.names)
                self._add(self._frames.begin())
            self._take(self._frames, heard)

    def answered(self, asked: Question, answer: PlayerMessage) -> None:
        """Take the player's own answer."""
        self._heard.answered(asked, answer)

    def closed(self, text: str) -> None:
        """Take why the game went on without the player, or not at all."""
        if self._frames is not None:
            self._add(self._frames.remark(FrameKind.NOTE, text, self._heard.turn.state))

    def _take(self, frames: Frames, heard: Heard) -> None:
        if isinstance(heard, Remark):
            self._add(frames.remark(*heard))
            return
        for frame in frames.take(heard):
            if isinstance(heard, events.Ranked) and frame["kind"] is FrameKind.Ranked:
                frame |= self._made(heard, self._heard.turn.state)
            self._add(frame)

    def _add(self, frame: Frame) -> None:
        """Add a frame as the player may see it."""
        frame.pop("bag", None)  # of which only the number of tiles is known
        if self._heard.turn.bag != self._bag:
            frame["bag"] = self._bag = self._heard.turn.bag
        self.frames.append(
            without_secrets(frame, self._heard.rulebook, self.names.index(self._name))
        )

    def _made(self, ranked: events.Ranked, state: State) -> Frame:
        """Return of what a score consists: cash, bonuses, certificates; nothing if hidden."""
        assets = self._heard.rulebook.assets
        if assets.hides_cash or assets.hides_certificates:
            return {}
        paid, scores = pay_out(state)
        if dict(scores).get(ranked.name) != ranked.score:
            return {}  # the stock market has its part in it
        cash = state.player(ranked.name).cash
        bonus = sum(one.amount for one in paid if one.name == ranked.name)
        return {"made": [cash, bonus, ranked.score - cash - bonus]}
