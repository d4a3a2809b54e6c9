"""A match told again from its log while that is still being written: records in, events out.

The answers go into the referee, and everything that happened comes out, as when it happened.
Nothing is compared: that is what :mod:`admin.log.verifier` is for.
"""

from lxml import etree

from admin.log.reader import AnswerReader
from admin.log.writer import Header
from admin.match.dealer import Dealer
from admin.match.draw_sync import Steps
from admin.match.judge import Emit
from admin.match.questions import Asks, Replies, Reply
from admin.match.referee import Referee
from protocol.faults import Reason


class Retelling:
    """One match. ``take`` every record of its log in order; ``emit`` is told the events.

    Positions that were laid out cannot be followed: a match is told from its set-up on.
    """

    def __init__(self, header: Header, emit: Emit) -> None:
        dealer = Dealer(header.seed, header.game)
        names = [seat.name for seat in header.seats]
        self._reader = AnswerReader(header)
        self._story = Referee(
            header.rulebook,
            names,
            header.bag,
            dealer.shuffle,
            Steps(emit) if header.duplicate else emit,
        ).story()
        self._asks: Asks = next(self._story)
        self._replies: Replies = {}

    def take(self, record: etree._Element) -> None:
        """Take a record; events come when all who were asked at once have answered."""
        if record.tag == "answer":
            reply = Reply(self._reader.message(record), int(record.attrib["latency"]))
            self._replies[record.attrib["player"]] = reply
        elif record.tag == "ejected" and record.attrib["reason"] != Reason.ILLEGAL.value:
            self._replies[record.attrib["player"]] = self._reader.fault(record)
        else:
            return
        if self._replies.keys() >= self._asks.keys():
            replies, self._replies = self._replies, {}
            try:
                self._asks = self._story.send(replies)
            except StopIteration:
                self._asks = {}
