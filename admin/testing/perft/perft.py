"""How many sequences of legal decisions there are from a position, with a bag that is known.

docs/students/perft.md defines a decision. Chess engines compare such counts to find out where they
differ. The referee of every game asks for the decisions, so what is counted is what it accepts. It
cannot be copied in the middle of a turn: a turn is played again for each way through it. Positions
for comparing two engines are files; the same page describes them.
"""

from collections.abc import Generator, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from ....game.placement import Placement
from ....game.rulebook import Rulebook
from ....game.state import State
from ....game.tiles import TILES, tile_name
from ....game.turn import Ending
from ....protocol import messages
from ....protocol.messages import VOID, PlayerMessage
from ....protocol.question import Question
from ...refereeing.play import events
from ...refereeing.play.questions import Replies, Reply
from ...refereeing.play.referee import Referee, Segment
from ..cases.position_text import NO_HAND, SIGNS, UNUSUAL, impossible, parse_position


class Choices(NamedTuple):
    """What a player can decide at one point: each choice once."""

    player: str
    rulebook: Rulebook
    values: Sequence[Any]

    @property
    def words(self) -> list[str]:
        """All choices in words, in their order."""
        return [_say(self.rulebook, choice) for choice in self.values]


_Turn: TypeAlias = Generator[Choices, int, State | None]
"""Yields decisions, and is sent the index of a choice; the next position, ``None`` at the end."""


class Node(NamedTuple):
    """A point in a game: the position before the turn, and the choices made in it, by index."""

    start: State
    taken: tuple[int, ...] = ()

    def decision(self) -> "tuple[Node, Choices] | None":
        """Return what is decided here, ``None`` if the game is over.

        If the turn is over, the next one begins: the node returned is in the turn of the decision.
        """
        turn = _turn(self.start)
        try:
            found = next(turn)
            for index in self.taken:
                found = turn.send(index)
        except StopIteration as over:
            return None if over.value is None else Node(over.value).decision()
        return self, found

    def then(self, index: int) -> "Node":
        """Return the point after one more choice in this turn."""
        return Node(self.start, (*self.taken, index))


def perft(node: Node, depth: int) -> int:
    """Count the sequences of exactly ``depth`` decisions; a game that ends earlier has none.

    >>> from acquire.game.notation import parse_position
    >>> from acquire.game.rulebooks import REVISED
    >>> state = parse_position(REVISED, "", ["ann 1A 9I $500", "bob 2A", "cyd 3A"], bag="4A 5A")
    >>> [perft(Node(state), depth) for depth in (0, 1, 2)]
    [1, 2, 18]
    """
    if not depth:
        return 1
    if (here := node.decision()) is None:
        return 0
    node, decision = here
    if depth == 1:
        return len(decision.values)
    return sum(perft(node.then(index), depth - 1) for index in range(len(decision.values)))


def divide(node: Node, depth: int) -> Iterator[tuple[str, int]]:
    """Yield each first choice in words, and how many sequences begin with it, as it is counted."""
    if (here := node.decision()) is not None:
        node, decision = here
        for index, words in enumerate(decision.words):
            yield words, perft(node.then(index), depth - 1)


def _turn(start: State) -> _Turn:
    """Play one turn, with all players as they are asked."""
    ended: list[Ending] = []

    def emit(event: events.Event) -> None:
        assert not isinstance(event, events.Ejected), "what is listed as legal is accepted"
        if isinstance(event, events.Ended):
            ended.append(event.ending)

    referee = Referee(start.rulebook, _signed_up(start), TILES, tuple, emit)
    referee.state = start
    questions = referee.play_segments([Segment(start)])
    replies: Replies = {}
    try:
        asks = next(questions)
        while True:
            replies = {}
            for name, ask in asks.items():
                question = ask.question(name)
                answer = VOID if question is None else (yield from _answer(question))
                replies[name] = Reply(answer)
            asks = questions.send(replies)
    except StopIteration:
        return referee.state if ended == [Ending.NO_MORE_TURNS] else None


def _signed_up(start: State) -> list[str]:
    """Return the names of a table at which these players sit, and maybe others have left."""
    names = [player.name for player in start.players]
    missing = start.rulebook.min_players - len(names)
    return [*names, *(f"{number} who left" for number in range(missing))]


def _answer(question: Question) -> Generator[Choices, int, PlayerMessage]:
    """Take the decisions of one question: a placement and the order with it are two."""
    name, rulebook = question.name, question.known.rulebook
    match question.message:
        case messages.Keep() | messages.Dispose() | messages.Replace():
            answers = question.legal()
            return answers[(yield Choices(name, rulebook, answers))]
    placement: Placement | None = None
    if placements := question.placements():
        placement = placements[(yield Choices(name, rulebook, placements))]
        if question.merges(placement):
            return question.turn_answer(placement)
    ends = (False, True) if question.ending(placement) else (False,)
    orders = [(order, end) for order in question.orders(placement) for end in ends]
    return question.turn_answer(placement, *orders[(yield Choices(name, rulebook, orders))])


def _say(rulebook: Rulebook, choice: Any) -> str:
    match choice:
        case Placement(tile, hotel, equals):
            hotels = () if hotel is None else (hotel, *equals)
            return " ".join(["place", tile_name(tile), *map(rulebook.hotel_name, hotels)])
        case messages.KeepAnswer(kept):
            return " ".join(["keep", *map(str, kept)]).lower()
        case messages.DisposeAnswer(sell, trade):
            return f"dispose sell {sell} trade {trade}"
        case messages.ReplaceAnswer(replaces):
            return f"replace {replaces}".lower()
    order, end = choice
    names = [*map(rulebook.hotel_name, order)] or ["nothing"]
    return " ".join(["buy", *names, *["end"][: int(end)]])


# -- positions as files ---------------------------------------------------------------------------

BAG = "bag:"


class InvalidPosition(ValueError):
    """A text is not a position; its message is a sentence that says why."""


def read_position(rulebook: Rulebook, text: str) -> State:
    """Read a position: rows of the board, a player a line, the mover first, and the bag.

    ``InvalidPosition`` if the text is not of this form or there can be no such position.

    >>> from acquire.game.rulebooks import CORPORATIONS
    >>> text = '''AA.TT    # row A: America and Quantum
    ... ann $600 A3 3A 9I
    ... bob T2 1I
    ... bag: 12I 11I'''
    >>> state = read_position(CORPORATIONS, text)
    >>> state.board.sizes, state.bank[4], len(state.bag)
    ((2, 0, 0, 0, 2, 0, 0), 23, 2)
    """
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    bag = " ".join(line.removeprefix(BAG) for line in lines if line.startswith(BAG))
    lines = [line for line in lines if line and not line.startswith(BAG)]
    rows = [line for line in lines if not line.strip(SIGNS)]
    players = [f"{line} {NO_HAND}" for line in lines if line.strip(SIGNS)]
    names = {line.split()[0] for line in players}
    if not 1 <= len(players) <= rulebook.max_players or len(names) < len(players):
        most = rulebook.max_players
        raise InvalidPosition(f"A position has 1 to {most} players with different names.")
    try:
        state = parse_position(rulebook, "\n".join([*rows, "|".join(players)]), bag)
    except KeyError as error:
        raise InvalidPosition(f"{error} is not the letter of a hotel.") from None
    except ValueError as error:
        raise InvalidPosition(f"{error}.") from None
    wrong = [what for what in impossible(state) if what not in UNUSUAL]
    if any(min(player.shares) < 0 for player in state.players):
        wrong.append("fewer certificates than none")
    if wrong:
        raise InvalidPosition(f"The position has {wrong[0]}.")
    return state
