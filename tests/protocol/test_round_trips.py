"""Whatever we write, under any rulebook, is valid and reads as it was."""

import copy
import pickle
from functools import cache
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st
from loops import for_each
from lxml import etree

from acquire import schemas
from acquire.game.board import Board, lay_out
from acquire.game.placement import Placement
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED, RULEBOOKS
from acquire.game.state import Player
from acquire.game.tiles import TILES, mask_of
from acquire.protocol import messages
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Reason
from acquire.protocol.messages import TAGS, Message, PlayerMessage, RefereeMessage
from acquire.protocol.player_view import PlayerView, SeatView
from acquire.protocol.reading import Reader, greeting_reader, player_reader, referee_reader
from acquire.protocol.writing import Writer

SCHEMAS = {
    "revised": ("player", "administrator"),
    "corporations": ("player-corporations", "administrator-corporations"),
    "classic": ("player-hotels", "administrator-hotels"),
}
"""A rulebook of each kind: the schema of a player's messages, and that of the referee's."""

NOT_IN_XML = [*map(chr, range(32)), "\ufffe", "\uffff"]
ALPHABETS = (
    "\t \"'<>&;]é€😀",
    st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters=NOT_IN_XML),
)
player_names = st.one_of(
    [st.text(alphabet, min_size=1, max_size=64) for alphabet in ALPHABETS]
).filter(lambda name: name.strip(" \t") != "")
sentences = st.one_of([st.text(alphabet, max_size=200) for alphabet in (*ALPHABETS, "\n ]]>")])
tiles = st.sampled_from(TILES)
hotels = st.integers(0, 6)
dollars = st.integers(0, 10**9)
certificates = st.integers(0, 25)
shares = st.tuples(*[certificates] * 7)
hands = st.lists(tiles, max_size=6).map(mask_of)
up_to_three_hotels = st.lists(hotels, min_size=1, max_size=3).map(tuple)
results = st.lists(st.tuples(player_names, dollars), min_size=1, max_size=6).map(tuple)


@st.composite
def boards(draw: st.DrawFn, rulebook: Rulebook) -> Board:
    """Any tiles, unincorporated or in hotels of at least two."""
    owners = draw(st.dictionaries(tiles, st.integers(0, 7), max_size=108))
    lots = [[tile for tile, owner in owners.items() if owner == index] for index in range(8)]
    loose = [*lots[7], *(tile for lot in lots[:7] if len(lot) == 1 for tile in lot)]
    chains = [mask_of(lot) if len(lot) > 1 else 0 for lot in lots[:7]]
    return lay_out(rulebook, mask_of(loose), tuple(chains))


players = st.builds(Player, player_names, dollars, shares, hands)
tables = st.lists(players, min_size=1, max_size=6).map(tuple)
seen = st.builds(
    SeatView, player_names, st.none() | dollars, st.none() | shares, hands, st.integers(0, 6)
)


def views(rulebook: Rulebook) -> st.SearchStrategy[PlayerView]:
    """Anything that one player could see of a table, and much that is impossible."""
    aside = st.lists(tiles, max_size=108).map(mask_of)
    at_table = st.lists(seen, min_size=1, max_size=6).map(tuple)
    return st.builds(PlayerView, boards(rulebook), shares, aside, at_table)


def course_players() -> dict[type, st.SearchStrategy[PlayerMessage]]:
    """A player's messages in the course's protocol."""
    placements = st.builds(Placement, tiles, st.none() | hotels, st.just(()))
    orders = st.lists(hotels, max_size=2).map(tuple)
    return {
        messages.Merge: st.builds(messages.Merge, placements),
        messages.Pbuy: st.builds(messages.Pbuy, placements, orders),
        messages.Order: st.builds(messages.Order, orders),
    }


def dialect_players() -> dict[type, st.SearchStrategy[PlayerMessage]]:
    """A player's messages in the dialect."""
    equals = st.lists(hotels, max_size=3).map(tuple)
    placements = st.builds(Placement, tiles, st.none(), st.just(())) | st.builds(
        Placement, tiles, hotels, equals
    )
    orders = st.lists(hotels, max_size=3).map(tuple)
    return {
        messages.Merge: st.builds(messages.Merge, placements),
        messages.Pbuy: st.builds(messages.Pbuy, st.none() | placements, orders, st.booleans()),
        messages.Order: st.builds(messages.Order, orders, st.booleans()),
        messages.ReplaceAnswer: st.builds(messages.ReplaceAnswer, st.booleans()),
        messages.DisposeAnswer: st.builds(messages.DisposeAnswer, certificates, certificates),
    }


@cache
def from_players(dialect: Dialect) -> dict[type, st.SearchStrategy[PlayerMessage]]:
    """Any message of a player, by its class."""
    kept = st.lists(st.booleans(), min_size=1, max_size=3).map(tuple)
    return {
        messages.SignUp: st.builds(messages.SignUp, player_names),
        messages.Void: st.builds(messages.Void),
        messages.KeepAnswer: st.builds(messages.KeepAnswer, kept),
        **(course_players() if dialect is Dialect.COURSE else dialect_players()),
    }


def in_the_open(rulebook: Rulebook) -> dict[type, st.SearchStrategy[RefereeMessage]]:
    """The referee's messages where everything is open."""
    laid = boards(rulebook)
    return {
        messages.SignUp: st.builds(messages.SignUp, player_names),
        messages.State: st.builds(messages.State, laid, tables),
        messages.Turn: st.builds(messages.Turn, laid, tables),
        messages.Players: st.builds(messages.Players, tables),
        messages.Score: st.builds(messages.Score, results, laid, tables),
    }


def in_sight(rulebook: Rulebook) -> dict[type, st.SearchStrategy[RefereeMessage]]:
    """The referee's messages where each player is sent its own view."""
    view, held = views(rulebook), st.integers(0, 12)
    return {
        messages.SignUp: st.builds(messages.SignUp, player_names, st.just(rulebook.id)),
        messages.StateView: st.builds(messages.StateView, view),
        messages.Replace: st.builds(messages.Replace, view),
        messages.TurnView: st.builds(messages.TurnView, view),
        messages.PlayersView: st.builds(messages.PlayersView, view),
        messages.ScoreView: st.builds(messages.ScoreView, results, view),
        messages.Dispose: st.builds(messages.Dispose, hotels, st.integers(1, 1200), hotels, view),
        messages.Holders: st.builds(
            messages.Holders,
            hotels,
            st.lists(st.tuples(player_names, st.integers(1, 25)), max_size=6).map(tuple),
        ),
        messages.MarketTile: st.builds(messages.MarketTile, hotels, st.none() | tiles, held),
        messages.MarketMerger: st.builds(messages.MarketMerger, tiles, view),
    }


ejections = st.builds(
    messages.Ejected, st.sampled_from([reason.value for reason in Reason]), sentences
)


@cache
def from_referee(rulebook: Rulebook) -> dict[type, st.SearchStrategy[RefereeMessage]]:
    """Any message of the referee, by its class."""
    course = Dialect.of(rulebook) is Dialect.COURSE
    return {
        messages.Keep: st.builds(messages.Keep, up_to_three_hotels),
        messages.NewTile: st.builds(messages.NewTile, tiles),
        messages.Ejected: ejections,
        **(in_the_open(rulebook) if course else in_sight(rulebook)),
    }


EACH = for_each("rulebook", [RULEBOOKS[id_] for id_ in SCHEMAS], ids=SCHEMAS)


def tried(soak: bool) -> settings:
    """How many messages are generated for a test."""
    return settings(deadline=None, max_examples=1_000 if soak else 15)


def is_read_again(
    message: Message,
    schema: etree.XMLSchema,
    reader: Reader[PlayerMessage] | Reader[RefereeMessage],
    writer: Writer,
) -> None:
    """Assert that what is written is of the schema, and an equal message when it is read."""
    data = writer.write(message)
    root = reader.parse(data)
    assert root.tag == TAGS[type(message)]
    schema.assertValid(root)
    assert reader.convert(root, data) == message


def test_every_kind_of_message_is_written_and_read_here() -> None:
    players = {kind for dialect in Dialect for kind in from_players(dialect)}
    assert players == set(get_args(PlayerMessage))
    referees = {kind for book in RULEBOOKS.values() for kind in from_referee(book)}
    assert referees == set(get_args(RefereeMessage))


@EACH
def test_players_message_is_valid_and_reads_as_it_was(rulebook: Rulebook, soak: bool) -> None:
    schema = schemas.load(SCHEMAS[rulebook.id][0])
    reader, writer = player_reader(rulebook), Writer(rulebook)

    @tried(soak)
    @given(message=st.one_of(*from_players(Dialect.of(rulebook)).values()))
    def every(message: PlayerMessage) -> None:
        is_read_again(message, schema, reader, writer)

    every()


@EACH
def test_referees_message_is_valid_and_reads_as_it_was(rulebook: Rulebook, soak: bool) -> None:
    schema = schemas.load(SCHEMAS[rulebook.id][1])
    reader, writer = referee_reader(rulebook), Writer(rulebook)

    @tried(soak)
    @given(message=st.one_of(*from_referee(rulebook).values()))
    def every(message: RefereeMessage) -> None:
        is_read_again(message, schema, reader, writer)

    every()


@EACH
def test_the_greeting_is_read_before_it_is_known_which_rulebook_is_played(
    rulebook: Rulebook, soak: bool
) -> None:
    schema, reader, writer = schemas.load("greeting"), greeting_reader(), Writer(rulebook)
    sent = st.just(None if Dialect.of(rulebook) is Dialect.COURSE else rulebook.id)

    @tried(soak)
    @given(message=st.builds(messages.SignUp, player_names, sent) | ejections)
    def every(message: RefereeMessage) -> None:
        is_read_again(message, schema, reader, writer)

    every()


@for_each("rulebook", [REVISED, CLASSIC])
def test_message_is_copied_and_pickled(rulebook: Rulebook) -> None:
    """Compiled or not: environments and players are, which remember messages."""

    @settings(max_examples=2, deadline=None)
    @given(st.data())
    def each(data: st.DataObject) -> None:
        kinds = {**from_players(Dialect.of(rulebook)), **from_referee(rulebook)}
        for strategy in kinds.values():
            message = data.draw(strategy)
            assert pickle.loads(pickle.dumps(message)) == message == copy.deepcopy(message)

    each()


@for_each("kind", get_args(Message), ids=lambda kind: str(kind.__name__))
def test_message_cannot_be_changed(kind: type) -> None:
    """Connections share the messages that were read before."""
    assert kind.__hash__ is not None, "a dataclass that is not frozen has no hash"
