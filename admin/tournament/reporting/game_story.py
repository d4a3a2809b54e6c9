"""What the log of a game tells: its frames, the decisive turn, and why players were ejected.

All of it comes from the events that :class:`GameTeller` is given while the log is verified.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...advising.explaining.explanation import Explainer
from ...advising.explaining.explanation_text import explanation_text
from ...refereeing.log.reader import RecordedGame, UnreadableLog, read_bytes
from ...refereeing.log.recorder import Header
from ...refereeing.log.verifier import Verification, Verifier
from ...refereeing.play.events import Event
from ...refereeing.view.decisive_turn import DecisiveTurn, decisive_turn
from ...refereeing.view.frames import OF_PLACEMENT, Frame, FrameKind, recorded_frames
from ...refereeing.view.plain_text import listed
from ...refereeing.view.sentences import missing

TOLD = frozenset(
    {*OF_PLACEMENT.values(), FrameKind.Acquired, FrameKind.Ejected, FrameKind.Declared}
)
"""The kinds of frames of a decisive turn that say why it was decisive."""


@dataclass(frozen=True, slots=True)
class Fall:
    """An ejection: its turn, 0 in the set-up, and the number of its frame.

    ``rule`` is the rule of the game that was broken, ``""`` if it was none; ``question`` the root
    element of the question. ``text`` is what ``acquire explain`` prints.
    """

    turn: int
    step: int
    rule: str
    question: str
    text: str


@dataclass(frozen=True, slots=True)
class GameStory:
    """What pages about players need of a game: the decisive turn, and the ejections by player.

    ``told`` are sentences about the decisive turn.
    """

    players: tuple[str, ...] = ()
    decisive: DecisiveTurn | None = None
    told: tuple[str, ...] = ()
    falls: Mapping[str, Fall] | None = None

    def fall_of(self, player: str) -> Fall | None:
        """Return the ejection of a player, ``None`` if the log has none."""
        return (self.falls or {}).get(player)

    @property
    def open(self) -> int:
        """The number of the frame at which the game is opened.

        The first ejection, else the decisive turn, else the beginning. A player that never came is
        ejected at the set-up, which shows nothing.
        """
        falls = [fall.step for fall in (self.falls or {}).values()]
        in_turns = [fall.step for fall in (self.falls or {}).values() if fall.turn]
        if in_turns or self.decisive is None:
            return min(in_turns or falls, default=0)
        return self.decisive.step


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game played again from its log; ``notice`` says what is missing, if anything is.

    ``holds`` is whether no recorded fact contradicts the rules.
    """

    header: Header
    frames: list[Frame]
    notice: str
    story: GameStory
    holds: bool


class GameTeller:
    """Collects what a game tells: call ``take`` with each event that holds, then ``told``."""

    def __init__(self, record: RecordedGame) -> None:
        self._record = record
        self._frames = recorded_frames(record.header)
        self._explainer = Explainer()
        self._told = [self._frames.begin()]

    def take(self, event: Event) -> None:
        """Take the next event."""
        self._told.extend(self._frames.take(event))
        self._explainer.take(event)

    def told(self, verdict: Verification) -> ReplayedGame:
        """Return the whole game, after its log was verified."""
        header, frames = self._record.header, self._told
        names = tuple(seat.name for seat in header.seats)
        decisive = decisive_turn(frames)
        told = () if decisive is None else _told(frames, names, decisive)
        story = GameStory(names, decisive, told, self._falls(names))
        notice = missing(self._record, verdict)
        return ReplayedGame(header, frames, notice, story, verdict.divergence is None)

    def _falls(self, names: Sequence[str]) -> dict[str, Fall]:
        steps = {
            names[frame["player"]]: step
            for step, frame in enumerate(self._told)
            if frame["kind"] == FrameKind.Ejected
        }
        return {
            each.name: Fall(
                each.turn,
                steps[each.name],
                "" if each.violation is None else each.violation.value,
                each.question,
                explanation_text(each),
            )
            for each in self._explainer.explanations
            if not each.keeps_score
        }


def replay(game: str, log: bytes, *, seeded: bool = True) -> ReplayedGame | None:
    """Play a game again from its compressed log, ``None`` if that cannot be read.

    ``seeded`` is whether the bag has to follow from the seed.
    """
    try:
        record = read_bytes(Path(f"{game}.xml"), log)
    except UnreadableLog:
        return None
    teller = GameTeller(record)
    return teller.told(Verifier(record, teller.take, seeded=seeded).verify())


def _told(frames: list[Frame], names: Sequence[str], decisive: DecisiveTurn) -> tuple[str, ...]:
    """Return what happened in the decisive turn in sentences, without the causes of ejections."""
    return tuple(
        f"{names[frame['player']]} is ejected." if frame["kind"] == "ejected" else frame["text"]
        for frame in frames[decisive.step :]
        if frame["turn"] == decisive.turn and frame["kind"] in TOLD
    )


def decisive_sentence(story: GameStory) -> str:
    """Return what made the decisive turn decisive, in a sentence or two; ``""`` without one."""
    decisive = story.decisive
    if decisive is None:
        return ""
    winners = listed(story.players[place] for place in decisive.winners)
    are = "was" if len(decisive.winners) == 1 else "were"
    start = f"{winners} {are} ahead in net worth from then on"
    if decisive.after is not None:
        start += f", by ${decisive.after:,} after this turn"
    if decisive.before is None or decisive.rival is None:
        return f"{start}."
    rival = story.players[decisive.rival]
    if not decisive.before:
        return f"{start}. Before it, {rival} had as much."
    return f"{start}. Before it, {rival} was ahead by ${-decisive.before:,}."
