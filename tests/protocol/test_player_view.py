"""What one player sees: by the rulebook, and whatever is sent to a seat in whole games."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import pytest
from loops import for_each
from lxml import etree
from positions import board, mask
from quick_players import QUICK

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play import in_process as local
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.questions import Asks, Replies, Reply
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.placement import Placement
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import Player, State, position
from acquire.game.tiles import Mask, Tile, mask_of, tiles_in
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.dialect import Dialect
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.player_view import SeatView, Views, view_for
from acquire.protocol.position_messages import PositionMessages
from acquire.protocol.writing import Writer

PARTS = ("cash", "certificates", "both")
HIDING = {
    f"{rulebook.id}-{part}-hidden": with_hidden_assets(rulebook, part)
    for rulebook in (CORPORATIONS, WIKIPEDIA, DIGEST)
    for part in PARTS
}
EVERY = {**RULEBOOKS, **HIDING}


def each(rulebooks: dict[str, Rulebook]) -> pytest.MarkDecorator:
    """Parametrise over these rulebooks."""
    return pytest.mark.parametrize("rulebook", rulebooks.values(), ids=rulebooks)


NAMES = ("ann", "bob", "cyd")
VIEWERS = for_each("viewer", (*NAMES, "dan"))
"""Those at the table, and one without a seat."""
ANN = Player("ann", 100, (3, 0, 0, 2, 1, 0, 0), mask("1I 2I 3I 4I 5I 6I"))
BOB = Player("bob", 0, (4, 5, 0, 0, 0, 0, 25), mask("7I 8I 9I 10I 11I"))
CYD = Player("cyd", 9000, (0, 0, 0, 0, 6, 0, 0), 0)


def table(rulebook: Rulebook) -> State:
    """A position with something in every place."""
    laid = board("SS.o", rulebook)
    bag = tuple(tiles_in(mask("1H 2H 3H")))
    return position(rulebook, laid, (ANN, BOB, CYD), bag)._replace(aside=mask("1G 12G"))


def seen_by(rulebook: Rulebook, viewer: str) -> dict[str, SeatView]:
    """The players at that table as one of them sees them."""
    return {seen.name: seen for seen in view_for(table(rulebook), viewer).players}


# -- one position ---------------------------------------------------------------------------------


@VIEWERS
@for_each("rulebook", EVERY.values(), ids=EVERY)
def test_player_sees_all_of_its_own_and_of_others_what_is_not_hidden(
    rulebook: Rulebook, viewer: str
) -> None:
    """The number of tiles in a hand is shown to all, also to a viewer without a seat."""
    part = rulebook.assets.hidden
    for name, cash, shares, hand in table(rulebook).players:
        own, count = name == viewer, hand.bit_count()
        assert seen_by(rulebook, viewer)[name] == SeatView(
            name,
            None if part in ("cash", "both") and not own else cash,
            None if part in ("certificates", "both") and not own else shares,
            hand if own or rulebook is REVISED else 0,
            count,
        )


@VIEWERS
@each(EVERY)
def test_board_bank_and_tiles_set_aside_are_always_shown(rulebook: Rulebook, viewer: str) -> None:
    state = table(rulebook)
    view = view_for(state, viewer)
    assert (view.board, view.bank, view.aside) == (state.board, state.bank, mask("1G 12G"))
    assert view.bank == (18, 20, 25, 23, 18, 25, 0)


@VIEWERS
@each(EVERY)
def test_players_stand_in_turn_order_for_every_viewer(rulebook: Rulebook, viewer: str) -> None:
    assert list(seen_by(rulebook, viewer)) == list(NAMES)
    ann, bob, cyd = table(rulebook).players
    turned = table(rulebook)._replace(players=(cyd, ann, bob))
    assert [seen.name for seen in view_for(turned, viewer).players] == ["cyd", "ann", "bob"]


@each(EVERY)
def test_views_of_positions_in_turn_are_those_of_each_position(rulebook: Rulebook) -> None:
    views, state = Views(rulebook), table(rulebook)
    ann, bob, cyd = state.players
    richer = state._replace(players=(bob._replace(cash=99, hand=0), cyd, ann))
    for each in (state, richer, state, richer._replace(players=(cyd, ann))):
        at_table = [player.name for player in each.players]
        assert views.of(each) == {name: view_for(each, name) for name in at_table}
        assert views.of(each) is views.of(each)


@each(HIDING)
def test_views_hide_what_the_rulebook_of_the_position_hides(rulebook: Rulebook) -> None:
    views, hiding = Views(CLASSIC), table(rulebook)
    views.of(hiding._replace(rulebook=CLASSIC))
    assert views.of(hiding) == {name: view_for(hiding, name) for name in NAMES}


@VIEWERS
@each(EVERY)
def test_bag_is_hidden_from_everybody(rulebook: Rulebook, viewer: str) -> None:
    state = table(rulebook)
    assert view_for(state._replace(bag=()), viewer) == view_for(state, viewer)


# -- whole games ----------------------------------------------------------------------------------


class SentMessage(NamedTuple):
    """A message to a seat, its text, and the answer."""

    name: str
    message: RefereeMessage
    text: str
    answer: PlayerMessage


class Turn(NamedTuple):
    """The position at which a turn began (or a game ended), and everything that was sent in it."""

    state: State
    sent: list[SentMessage]


class WatchedGame:
    """A game of built-in players, and what each was sent, turn by turn."""

    def __init__(self, rulebook: Rulebook, seats: int, seed: int) -> None:
        self.rulebook = rulebook
        self.names = tuple("abcdef"[:seats])
        self.bag = Dealer(seed).bag
        self.writer = Writer(rulebook)
        referee = self.referee(self._happened)
        self.turns = [Turn(referee.state, [])]
        makers = [*QUICK.values()]
        players = {
            name: self._listening(name, makers[(seed + seat) % len(makers)](rulebook, seed + seat))
            for seat, name in enumerate(self.names)
        }
        local.play(referee.play(), players, Dialect.of(rulebook))

    def referee(self, tell: Callable[[Event], None]) -> Referee:
        """A referee of this game, at its beginning."""
        return Referee(self.rulebook, self.names, self.bag, tuple, tell)

    @property
    def sent(self) -> list[SentMessage]:
        """Everything that was sent, in order."""
        return [sent for turn in self.turns for sent in turn.sent]

    def _listening(self, name: str, strategy: Strategy) -> local.Strategy:
        def answer(message: RefereeMessage) -> PlayerMessage:
            answered = strategy(message)
            text = self.writer.text(message)
            self.turns[-1].sent.append(SentMessage(name, message, text, answered))
            return answered

        return answer

    def _happened(self, event: Event) -> None:
        if isinstance(event, events.TurnBegan | events.Ended):
            self.turns.append(Turn(event.state, []))


class Table(NamedTuple):
    """A rulebook, how many play, and what built-in players are certain to be sent in two games."""

    rulebook: Rulebook
    seats: int
    questions: str = "state turn tile dispose players score"


TABLES = {
    "corporations": Table(CORPORATIONS, 4),
    "corporations, assets hidden": Table(HIDING["corporations-both-hidden"], 4),
    "classic of two": Table(CLASSIC, 2, "state turn tile dispose players score market merger"),
    "classic": Table(CLASSIC, 5),
    "wikipedia": Table(WIKIPEDIA, 3),
    "wikipedia, cash hidden": Table(HIDING["wikipedia-cash-hidden"], 3),
    "digest of two": Table(DIGEST, 2),
    "digest, certificates hidden": Table(HIDING["digest-certificates-hidden"], 6),
}
SEEDS = range(2)
AT_EACH_TABLE = for_each("table", TABLES.values(), ids=TABLES)
WHERE_ASSETS_ARE_HIDDEN = pytest.mark.parametrize(
    "table", [table for table in TABLES.values() if table.rulebook in HIDING.values()],
    ids=[name for name, table in TABLES.items() if table.rulebook in HIDING.values()],
)  # fmt: skip


@cache
def games(table: Table) -> list[WatchedGame]:
    """Some games at a table, in all of which something was sent."""
    played = [WatchedGame(table.rulebook, table.seats, seed) for seed in SEEDS]
    assert played and all(game.sent for game in played)
    return played


@WHERE_ASSETS_ARE_HIDDEN
def test_no_message_shows_anothers_cash_and_certificates_but_those_acquired(table: Table) -> None:
    """Those are sent to all in `holders`, before the first of them is asked to dispose."""
    counted, assets = 0, table.rulebook.assets
    for game in games(table):
        last_counted = ""
        for sent in game.sent:
            root = etree.fromstring(sent.text)
            if root.tag == "holders":
                last_counted = root.attrib["hotel"]
                counted += len(root)
            if root.tag == "dispose" and assets.hides_certificates:
                assert root.attrib["hotel"] == last_counted
            for player in root.iter("player"):
                own = player.attrib["name"] == sent.name
                hidden = assets.hides_certificates and not own
                assert ("cash" in player.attrib) == (own or not assets.hides_cash)
                assert ("certificates" in player.attrib) == hidden
                assert not (hidden and list(player.iter("share")))
    assert bool(counted) == assets.hides_certificates, (
        "somebody was seen to hold certificates of an acquired hotel"
    )


# -- positions that differ in what is hidden ------------------------------------------------------

KEPT_ON_TOP = 24
"""Tiles of the bag that a turn may draw and show, which therefore stay where they are."""


def holding_otherwise(
    state: State, viewer: str, chance: random.Random, kept: Mask = 0, on_top: int = KEPT_ON_TOP
) -> State:
    """The same position with other tiles in the others' hands, as many as before.

    Tiles of ``kept`` stay in hand, and so does the bag's top; the rest is shuffled.
    """
    others = [player for player in state.players if player.name != viewer]
    pool: list[Tile] = [tile for player in others for tile in tiles_in(player.hand & ~kept)]
    pool += state.bag[on_top:]
    chance.shuffle(pool)
    players = []
    for player in state.players:
        hand = player.hand
        if player.name != viewer:
            missing = (hand & ~kept).bit_count()
            hand = hand & kept | mask_of(pool[:missing])
            del pool[:missing]
        players.append(player._replace(hand=hand))
    return state._replace(players=tuple(players), bag=(*state.bag[:on_top], *pool))


def with_assets_of_others_rotated(state: State, viewer: str) -> State:
    """The same position with what is hidden of the others passed on from one to the next."""
    assets = state.rulebook.assets
    others = [player for player in state.players if player.name != viewer]
    passed = dict(zip([player.name for player in others], [*others[1:], *others[:1]], strict=True))

    def after(player: Player) -> Player:
        if player.name == viewer:
            return player
        other = passed[player.name]
        return player._replace(
            cash=other.cash if assets.hides_cash else player.cash,
            shares=other.shares if assets.hides_certificates else player.shares,
        )

    return state._replace(players=tuple(map(after, state.players)))


def messages_for(game: WatchedGame, state: State, viewer: str) -> list[bytes]:
    """All messages that one player can be sent of a position, in bytes."""
    position_messages, results = PositionMessages(game.rulebook), (("a", 1),)
    texts = [
        position_messages.states(state, game.names)[viewer],
        position_messages.scores(results, state, game.names)[viewer],
    ]
    if state.mover.name == viewer:
        texts += [position_messages.turn(state), position_messages.players(state)]
    return [game.writer.write(message) for message in texts]


def positions_and_viewers(table: Table) -> Iterator[tuple[WatchedGame, State, str]]:
    """Every position of some games, from every seat."""
    for game in games(table):
        for turn in game.turns:
            for name in game.names:
                yield game, turn.state, name


@AT_EACH_TABLE
def test_position_is_sent_in_the_same_bytes_whatever_tiles_the_others_hold(table: Table) -> None:
    chance, noticed = random.Random(1), 0
    for game in games(table):
        for turn in game.turns[::2]:
            state = turn.state
            sent = {name: messages_for(game, state, name) for name in game.names}
            for viewer, other in zip(game.names, [*game.names[1:], game.names[0]], strict=True):
                otherwise = holding_otherwise(state, viewer, chance, on_top=0)
                assert messages_for(game, otherwise, viewer) == sent[viewer]
                noticed += messages_for(game, otherwise, other) != sent[other]
    assert noticed > 50, "a player with other tiles sees them"


@WHERE_ASSETS_ARE_HIDDEN
def test_position_is_sent_in_the_same_bytes_whatever_assets_the_others_have(table: Table) -> None:
    noticed = 0
    for game, state, viewer in positions_and_viewers(table):
        otherwise = with_assets_of_others_rotated(state, viewer)
        assert messages_for(game, otherwise, viewer) == messages_for(game, state, viewer)
        noticed += otherwise != state
    assert noticed > 100


def replayed(game: WatchedGame, turn: Turn, state: State) -> list[tuple[str, str]]:
    """What everybody is sent, until the mover draws, when the same answers are given in a turn.

    ``state`` is where it begins, and is sent first.
    """
    happened: list[Event] = []
    referee = game.referee(happened.append)
    referee.state = state
    answers = {
        name: [sent.answer for sent in turn.sent if sent.name == name] for name in game.names
    }
    questions = referee.play()
    asks: Asks = next(questions)
    texts = [(name, game.writer.text(ask.message)) for name, ask in asks.items()]
    asks = questions.send({name: Reply(messages.Void()) for name in asks})
    while not is_done(happened, asks):
        texts += [(name, game.writer.text(ask.message)) for name, ask in asks.items()]
        replies: Replies = {name: Reply(answers[name].pop(0)) for name in asks}
        asks = questions.send(replies)
    questions.close()
    return texts


def is_done(happened: list[Event], asks: Asks) -> bool:
    """Whether a turn is done but for the draw, or the game is over."""
    after = messages.NewTile, messages.StateView
    return any(isinstance(event, events.Ended) for event in happened) or any(
        isinstance(ask.message, after) for ask in asks.values()
    )


def kept_by_the_mover(turn: Turn) -> Mask:
    """The tile that the mover places; all his tiles where he cannot, or got them in the turn."""
    hand = turn.state.mover.hand
    match turn.sent[0].answer:
        case messages.Pbuy(Placement(tile)) | messages.Merge(Placement(tile)) if hand >> tile & 1:
            return 1 << tile
    return hand


@AT_EACH_TABLE
def test_turn_is_sent_in_the_same_words_whatever_tiles_the_others_hold(table: Table) -> None:
    chance = random.Random(2)
    compared: set[str] = set()
    for game in games(table):
        for turn in game.turns[1:-1]:
            as_it_was = replayed(game, turn, turn.state)
            happened = [(sent.name, sent.text) for sent in turn.sent]
            turns_own = as_it_was[len(game.names) :]
            assert happened[: len(turns_own)] == turns_own, "the same answers make the same turn"
            for viewer in game.names:
                otherwise = holding_otherwise(turn.state, viewer, chance, kept_by_the_mover(turn))
                mine, mine_otherwise = (
                    [text for name, text in texts if name == viewer]
                    for texts in (as_it_was, replayed(game, turn, otherwise))
                )
                assert mine == mine_otherwise
                compared |= {str(etree.fromstring(text).tag) for text in mine}
    assert compared >= set(table.questions.split()) - {"tile", "score"}
