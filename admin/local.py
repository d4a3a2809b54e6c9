"""The story of a match told to strategies in this process: no socket, no clock, no XML."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from admin.outcome import Outcome
from admin.referee import Replies, Reply, Story
from protocol.messages import AdministratorMessage, PlayerMessage

Strategy: TypeAlias = Callable[[AdministratorMessage], PlayerMessage]
"""A house player: it is given each message of the administrator and returns its answer."""


def play(story: Story, strategies: Mapping[str, Strategy]) -> Outcome:
    """Play a match to its end and return its outcome; a strategy's exceptions pass through."""
    asks = next(story)
    while True:
        replies: Replies = {
            name: Reply(strategies[name](ask.message)) for name, ask in asks.items()
        }
        try:
            asks = story.send(replies)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
