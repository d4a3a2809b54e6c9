"""A game between players whose names are hostile, one of them ejected over hostile bytes."""

import re
from pathlib import Path

from acquire.admin.refereeing.log.recorder import Header, SeatRecord
from acquire.admin.refereeing.log.writer import open_log
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.in_process import Answerer, LocalSeat, drive
from acquire.admin.refereeing.play.judge import Emit
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.rulebook import Rulebook
from acquire.player.strategies.simple import Random
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.messages import PlayerMessage, RefereeMessage, Turn, TurnView

_LONG = (
    "</script><script>document.title='owned'</script><img src=x onerro",
    "<!--]]>&amp;\"'{{7*7}}[red]b[/red]",
    "\u202eright\u2066to\u200bleft\u200d\ufeff",
    "a\u009b31mb\u009d0;t\u009cc\u0085d\te\u2028f\u2029",
    "\U0001f600\U0001f468\u200d\U0001f469 e" + "\u0301" * 10 + "\u0335",
    "\u05d0\u05d1\u05d2 " + "x" * 60,
)
"""Markup, ends of sections, overrides, C1 controls and separators, emoji, right to left."""
DETAIL = "What came: \u202e\u009b2J</script>\u2028&amp;."
BYTES = bytes(range(256))
NAMES = tuple(name[:64] for name in _LONG)

STYLING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""What rich writes to move and to colour on a terminal."""


class _Rogue(Random):
    """Says something else in its third turn."""

    _turns = 0

    def misspeaks(self, message: RefereeMessage) -> PlayerMessage | Fault:
        """Answer, or be at fault."""
        self._turns += isinstance(message, Turn | TurnView)
        return Fault(Reason.MALFORMED, DETAIL, BYTES) if self._turns == 3 else self(message)


def hostile_game(folder: Path, rulebook: Rulebook, emit_also: Emit = lambda _: None) -> Path:
    """Play it, and return its log."""
    path, _, _ = hostile_outcome(folder, rulebook, emit_also)
    return path


def hostile_outcome(
    folder: Path, rulebook: Rulebook, emit_also: Emit = lambda _: None
) -> tuple[Path, Header, Outcome]:
    """Play it, and return its log, its header and its outcome."""
    dealer, dialect = Dealer(2), Dialect.of(rulebook)
    header = Header(rulebook, 2, 1, dealer.bag, tuple(SeatRecord(name, "remote") for name in NAMES))
    log = open_log(folder, header)

    def take(event: Event) -> None:
        log(event)
        emit_also(event)

    players: dict[str, Answerer] = {name: Random(rulebook, 1) for name in NAMES}
    players[NAMES[2]] = _Rogue(rulebook, 1).misspeaks
    seats = {name: LocalSeat(name, play, dialect=dialect) for name, play in players.items()}
    referee = Referee(rulebook, NAMES, dealer.bag, dealer.shuffle, take)
    outcome = drive(referee.play(), seats)
    log.close()
    return log.path, header, outcome


def steering(text: str) -> set[str]:
    """What is left in a text that would steer a terminal, beside its own colours and lines."""
    return {sign for sign in STYLING.sub("", text) if not sign.isprintable() and sign != "\n"}
