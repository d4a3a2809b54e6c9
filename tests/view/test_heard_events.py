"""What a player hears on its wire is told in the words of the replay, and nothing else is told."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.view.frames import FrameKind
from acquire.admin.refereeing.view.heard_events import HeardEvents
from acquire.admin.refereeing.view.heard_turn import Heard, Remark
from acquire.admin.refereeing.view.sentences import Sentences
from acquire.game.rulebook import Hands, Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, WIKIPEDIA
from acquire.game.state import State
from acquire.played_games import GameRecord, play_game
from acquire.player.strategies.simple import Random
from acquire.protocol import messages
from acquire.protocol.knowledge import Knowledge
from acquire.protocol.messages import PlayerMessage, RefereeMessage

THREE, TWO = ("ann", "me", "bob"), ("ann", "me")
HIDING = with_hidden_assets(DIGEST)
UNSENT = (events.Drew, events.StartTile, events.HandKept)
"""Events of others of which the wire says nothing where hands are hidden."""


class Listener(Random):
    """Plays at random, and notes what it hears."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self.wire, self.known = HeardEvents(rulebook, "me"), Knowledge(rulebook, "me")
        self.heard: list[tuple[int, Heard]] = []
        self.turn = 0

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        answer = super().__call__(message)
        if isinstance(message, messages.SignUp):
            return answer
        asked = self.known.hear(message)
        for one in self.wire.hear(message, self.known, asked):
            if isinstance(one, events.TurnBegan):
                self.turn = one.number
            self.heard.append((self.turn, one))
        if asked is not None:
            self.known.answered(answer)
            self.wire.answered(asked, answer)
        return answer


class Leaver(Random):
    """Buys what does not exist from its third turn on."""

    turns = 0

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        self.turns += isinstance(message, messages.Turn | messages.TurnView)
        if self.turns < 3 or not isinstance(message, messages.Turn | messages.TurnView):
            return super().__call__(message)
        return messages.Pbuy(None, (0, 1, 2, 3, 4, 5, 6))


def played(rulebook: Rulebook, names: tuple[str, ...], seed: int) -> tuple[GameRecord, Listener]:
    """A game of one who listens against players at random, and one who is ejected."""
    listeners: list[Listener] = []

    def listener(rules: Rulebook, own: int) -> Listener:
        listeners.append(Listener(rules, own))
        return listeners[-1]

    players: dict[str, Any] = dict.fromkeys(names, "random") | {"me": listener}
    if "eve" in names:
        players["eve"] = Leaver
    return play_game(players, rulebook, seed), listeners[0]


def by_turn(happened: Iterable[Heard], rulebook: Rulebook) -> dict[int, Counter[str]]:
    """The sentences of some events, without those about what nobody is sent."""
    said, found, turn = Sentences(rulebook), dict[int, Counter[str]](), 0
    for event in happened:
        if isinstance(event, events.TurnBegan):
            turn = event.number
        if isinstance(event, Remark | events.Ejected | events.TurnUndone | events.StartTile):
            continue
        others = getattr(event, "name", "me") != "me" and rulebook.hands is not Hands.OPEN
        if not (others and isinstance(event, UNSENT)) and (text := said.sentence(event)):
            found.setdefault(turn, Counter())[text] += 1
    return found


@pytest.mark.parametrize(
    ("rulebook", "names"),
    [
        (REVISED, THREE),
        (REVISED, ("ann", "eve", "me", "bob")),
        (CORPORATIONS, THREE),
        (CLASSIC, THREE),
        (CLASSIC, TWO),
        (WIKIPEDIA, ("me", "eve", "ann", "bob", "cyd")),
        (DIGEST, THREE),
        (HIDING, THREE),
    ],
    ids=lambda each: f"{each.id} {each.assets.name}" if isinstance(each, Rulebook) else len(each),
)
def test_sentences_are_those_of_the_replay(rulebook: Rulebook, names: tuple[str, ...]) -> None:
    """All of them where nothing is hidden, but in turns with a remark, which says why."""
    remarks: Counter[str] = Counter()
    for seed in range(4):
        game, listener = played(rulebook, names, seed)
        assert [*game.ejected] == [name for name in names if name == "eve"]
        replayed = by_turn(game.events, rulebook)
        heard = by_turn((one for _, one in listener.heard), rulebook)
        unclear = {
            turn
            for turn, one in listener.heard
            if isinstance(one, Remark) and one.kind in ("settled", "ejected", "ended")
        }
        remarks.update(one.kind for _, one in listener.heard if isinstance(one, Remark))
        for turn in {*replayed, *heard} - unclear:
            said, told = replayed.get(turn, Counter()), heard.get(turn, Counter())
            assert not told - said, f"turn {turn} of seed {seed}: told, and not so"
            if rulebook is not HIDING:
                assert not said - told, f"turn {turn} of seed {seed}: not told"
    assert remarks["settled"] <= 6, "a rare case, where trading is the same as selling and buying"
    assert remarks["ejected"] == 4 * names.count("eve")


def test_positions_of_events_are_those_of_the_referee() -> None:
    """So a page that shows them has the same numbers, in the middle of a merger too."""
    game, listener = played(REVISED, THREE, 2)
    told = [one for _, one in listener.heard if isinstance(one, events.Bought | events.Returned)]
    true = {one[:-1]: one.state for one in game.events if isinstance(one, type(told[0]))}
    compared = 0
    for one in told:
        if one[:-1] in true and isinstance(true[one[:-1]], State):
            now, then = one.state, true[one[:-1]]
            compared += (now.board, now.bank, now.players) == (then.board, then.bank, then.players)
    assert compared > 20


def test_open_hands_tell_which_tile_merges_before_it_is_sent() -> None:
    """Under `revised` no message says so; where several of the mover's tiles can, all are named."""
    known: list[bool] = []
    for seed in range(8):
        _, listener = played(REVISED, THREE, seed)
        for _, one in listener.heard:
            if isinstance(one, Remark) and one.kind is FrameKind.ACQUIRING:
                assert re.search(r"merges hotels with \w+( or|,) .*: .* acquired", one.text)
                known.append(False)
        for turn in {turn for turn, _ in listener.heard}:
            kinds = [type(one) for at, one in listener.heard if at == turn]
            if events.Acquired in kinds and events.BonusPaid in kinds:
                known.append(kinds.index(events.Placed) < kinds.index(events.BonusPaid))
    assert Counter(known)[True] > 5 * Counter(known)[False] > 0
