"""Every ejection is explained: by the right rule, in the right position, with what was right.

A member of the misbehaving cast plays in this process beside `ordered`, up to its ejection; the
match's log, which is cut short there, is what is explained. What is suggested is then said instead,
in the very same match.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import pytest
from misbehaviour import OTHERS, cases, deal_for, is_illegal, plays, seats_for
from positions import at_table, hotels, placement, player
from rich.console import Console

from admin.explaining.alternatives import legal_in
from admin.explaining.explanation import Explanation, Findings, explain, findings
from admin.explaining.explanation_json import as_json
from admin.explaining.explanation_text import draw_explanation, marked, readable
from admin.explaining.situation import Situation
from admin.explaining.sources import PROTOCOL_PAGE, RULEBOOKS_PAGE, sources_of
from admin.explaining.suggestion import suggest
from admin.log.reader import RecordedMatch, read
from admin.log.writer import Header, MatchLog, SeatRecord
from admin.match import events
from admin.match.dealer import Dealer
from admin.match.events import Event
from admin.match.questions import Reply
from admin.match.referee import Referee
from admin.view.board_text import draw_board
from game.disposal import Disposal, verify_disposal, verify_keep
from game.placement import Kind, Placement, kind_of, place, verify_hotels, verify_placement
from game.purchase import cost, verify_order
from game.rulebook import Rulebook, with_hidden_assets
from game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS
from game.state import State, deal
from game.tiles import TILES, Tile, parse_tile, tile_name
from game.violation import Violation
from player.misbehaving.cast import SCORE, Member, cast_for
from player.misbehaving.misbehaving_player import MisbehavingPlayer
from player.misbehaving.wire_faults import Flood, HalfClose, RawBytes, Reset, WireFault
from player.strategies.simple import Ordered
from protocol import messages
from protocol.conversation import Conversation, Step
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.framing import LIMIT_FROM_PLAYER
from protocol.inbox import DocumentCache, Inbox
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage
from protocol.player_view import view_for
from protocol.reading import player_reader

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
ABOUT_ORDERS = {
    Violation.MIXED_ORDER,
    Violation.NO_PRICE,
    Violation.SOLD_OUT,
    Violation.TOO_DEAR,
    Violation.NOT_OVER,
}
PositionView = messages.StateView | messages.TurnView | messages.PlayersView | messages.ScoreView


def plain_members() -> Iterator[Member]:
    """Of the members of `classic` whose fault is on the wire one for each step and reason."""
    seen = set()
    for member in cast_for(CLASSIC).values():
        if plays(member) and not is_illegal(member) and (member.step, member.reason) not in seen:
            seen.add((member.step, member.reason))
            yield member


PLAIN = list(plain_members())
PLAYERS = [
    *cases([REVISED], plays),
    *cases([CLASSIC], lambda member: is_illegal(member) or member in PLAIN),
    *cases(OTHERS, is_illegal),
]
FOULS = [case for case in PLAYERS if is_illegal(case.values[1])]

every_player = pytest.mark.parametrize(("rulebook", "member"), PLAYERS)
every_foul = pytest.mark.parametrize(("rulebook", "member"), FOULS)

Player: TypeAlias = Callable[[AdministratorMessage], PlayerMessage | WireFault]


# -- matches ------------------------------------------------------------------------------------


class KeepAnswer(io.BytesIO):
    """A log in memory that can be read when it is closed."""

    def close(self) -> None:
        """Keep what was written."""


def fault_in(rulebook: Rulebook, conversation: Conversation, deed: WireFault) -> Fault:
    """The fault that a table would find in what a player does when it is asked."""
    if isinstance(deed, RawBytes):
        memory = DocumentCache(player_reader(rulebook))
        found = Inbox(memory, conversation, LIMIT_FROM_PLAYER).receive(deed.data)
        if isinstance(found, Fault):
            return found
        return Fault(Reason.TIMED_OUT, "Nothing complete came in time.", deed.data)
    if isinstance(deed, HalfClose):
        return Fault(Reason.DISCONNECTED, "The connection was closed.", deed.first)
    if isinstance(deed, Reset):
        return Fault(Reason.DISCONNECTED, "The connection was reset.")
    if isinstance(deed, Flood):
        return Fault(Reason.MALFORMED, "Too long.", b"<void".ljust(LIMIT_FROM_PLAYER))
    return Fault(Reason.TIMED_OUT, "Nothing came in time.")


def play(
    rulebook: Rulebook,
    players: Mapping[str, Player],
    seed: int,
    until: Callable[[Event], bool] = lambda _: False,
) -> bytes:
    """Play a match in this process up to an event, and return its log as far as it then is."""
    dealer, file, over = Dealer(seed), KeepAnswer(), False
    seats = tuple(SeatRecord(name, "remote") for name in players)
    log = MatchLog(Path("log"), file, Header(rulebook, seed, 1, dealer.bag, seats))
    talks = {name: Conversation.of_administrator(Step.SEATED, Dialect.of(rulebook))
             for name in players}  # fmt: skip

    def emit(event: Event) -> None:
        nonlocal over
        if not over:
            log(event)
            over = until(event)

    def ask(name: str, message: AdministratorMessage) -> Reply | Fault:
        talks[name].send(TAGS[type(message)])
        answer = players[name](message)
        if isinstance(answer, WireFault):
            return fault_in(rulebook, talks[name], answer)
        return talks[name].receive(TAGS[type(answer)], b"") or Reply(answer)

    questions = Referee(rulebook, list(players), dealer.bag, dealer.shuffle, emit).play()
    asks = next(questions)
    try:
        while not over:
            asks = questions.send({name: ask(name, each.message) for name, each in asks.items()})
    except StopIteration:
        pass
    if over:
        log.abandon()
    else:
        log.close()
    return file.getvalue()


class Offender:
    """A member of the cast at play; at its misdeed it says ``instead``, if that is given.

    ``question`` is the last that it was asked before it was done with its misdeed.
    """

    def __init__(
        self, rulebook: Rulebook, member: Member, instead: PlayerMessage | None = None
    ) -> None:
        self._misbehaving = MisbehavingPlayer(member, rulebook, 0)
        self._instead = instead
        self.question: AdministratorMessage | None = None

    @property
    def deed(self) -> object:
        """What it has done wrong, or would have."""
        return self._misbehaving.fault

    def __call__(self, message: AdministratorMessage) -> PlayerMessage | WireFault:
        if self.deed is not None:
            return self._misbehaving(message)
        self.question = message
        answer = self._misbehaving(message)
        if self.deed is not None and self._instead is not None:
            return self._instead
        return answer


NAME = "member"


def table(rulebook: Rulebook, member: Member, offender: Offender) -> dict[str, Player]:
    """The players of a match with an offender in the first seat."""
    others = {f"other-{seat}": Ordered(rulebook, 0) for seat in range(1, seats_for(member))}
    return {NAME: offender, **others}


def read_log(folder: Path, log: bytes) -> RecordedMatch:
    path = folder / "log.xml"
    path.write_bytes(log)
    return read(path)


class Case(NamedTuple):
    """A match in which a member was ejected, and its explanation."""

    offender: Offender
    found: Findings
    explanation: Explanation


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def case_of(folder: Path) -> Callable[[Rulebook, Member], Case]:
    """Make the case of a member, once."""

    @cache
    def make(rulebook: Rulebook, member: Member) -> Case:
        offender = Offender(rulebook, member)
        players, seed = table(rulebook, member, offender), deal_for(rulebook, member)
        log = play(rulebook, players, seed, lambda event: isinstance(event, events.Ejected))
        found = findings(read_log(folder, log))
        (explanation,) = found.explanations
        return Case(offender, found, explanation)

    return make


CaseOf = Callable[[Rulebook, Member], Case]


# -- what is shown -------------------------------------------------------------------------------


@every_player
def test_reason_and_rule_are_those_of_the_misdeed(
    case_of: CaseOf, rulebook: Rulebook, member: Member
) -> None:
    _, found, told = case_of(rulebook, member)
    assert found.verdict.divergence is None
    assert (told.name, told.reason, told.violation) == (NAME, member.reason, member.violation)
    assert told.rule == (member.violation or member.reason).sentence
    assert told.detail
    assert told.rule not in told.detail or member.violation is None
    assert told.rulebook is rulebook
    assert told.sources == sources_of(rulebook, member.reason, member.violation)
    assert (told.turn == 0) is (member.step.name == "setup")
    assert told.keeps_score is (member.step is SCORE)


@every_player
def test_position_is_the_one_that_the_player_was_asked_in(
    case_of: CaseOf, rulebook: Rulebook, member: Member
) -> None:
    offender, _, told = case_of(rulebook, member)
    state, question = told.position, offender.question
    assert question is not None and told.question == TAGS[type(question)]
    assert told.situation.question == question
    match question:
        case messages.State(board, players) | messages.Turn(board, players):
            assert (state.board, state.players) == (board, players)
        case messages.Score(_, board, players):
            assert (state.board, state.players) == (board, players)
        case messages.Players(players):
            assert state.players == players
        case messages.Keep(hotels):
            assert told.situation.merger is not None
            assert told.situation.merger.acquired == hotels
        case messages.Dispose(hotel, price, survivor, view):
            merger = told.situation.merger
            assert merger is not None
            assert (merger.price(hotel), merger.survivor) == (price, survivor)
            assert view_for(state, NAME) == view
        case messages.MarketMerger(_, view):
            assert view_for(state, NAME) == view
        case messages.NewTile(tile):
            assert state.player(NAME).hand >> tile & 1
        case messages.MarketTile():
            assert member.step.name == "market"
        case _:
            assert isinstance(question, PositionView)
            assert view_for(state, NAME) == question.view


@every_player
def test_what_came_is_shown_byte_for_byte_or_as_it_was_understood(
    case_of: CaseOf, rulebook: Rulebook, member: Member
) -> None:
    offender, _, told = case_of(rulebook, member)
    if isinstance(offender.deed, RawBytes):
        assert told.exact and told.understood is None
        came, sent = told.came.strip(), offender.deed.data[:LIMIT_FROM_PLAYER].strip()
        assert came == sent
    elif not isinstance(offender.deed, WireFault):
        assert (told.exact, told.understood) == (False, offender.deed)
        assert told.came == told.written(told.understood or messages.Void())


@every_player
def test_suggestion_is_right_when_it_is_said_instead(
    case_of: CaseOf, rulebook: Rulebook, member: Member
) -> None:
    told = case_of(rulebook, member).explanation
    assert told.send == told.written(told.suggestion)
    offender = Offender(rulebook, member, instead=told.suggestion)
    happened: list[Event] = []
    said = False

    def judged(event: Event) -> bool:
        nonlocal said
        if said:
            happened.append(event)
        elif isinstance(event, events.Answered) and offender.deed is not None:
            said = event.name == NAME
        return bool(happened)

    play(rulebook, table(rulebook, member, offender), deal_for(rulebook, member), judged)
    assert said
    ejected = [event for event in happened if isinstance(event, events.Ejected | events.TurnUndone)]
    assert not ejected, told.suggestion


@every_player
def test_suggestion_can_be_read_as_a_message(
    case_of: CaseOf, rulebook: Rulebook, member: Member
) -> None:
    told = case_of(rulebook, member).explanation
    memory = DocumentCache(player_reader(rulebook))
    assert memory.read(told.send) == told.suggestion


# -- what would have been legal -----------------------------------------------------------------


def orders_of_equals(hotels: list[int]) -> list[tuple[int, ...]]:
    """Every way to name some of these hotels after a survivor."""
    return [(), *(order for count in (1, 2, 3) for order in permutations(hotels, count))]


def plainly(placement: Placement) -> Placement:
    """A placement without an order of equals that is the alphabetical one."""
    alphabetical = list(placement.equals) == sorted(placement.equals)
    return placement._replace(equals=()) if alphabetical else placement


def placements(
    state: State, tiles: Iterable[Tile], legal: Callable[[Placement], object]
) -> set[Placement]:
    """Every placement of these tiles by which no rule is broken, found by trying all."""
    return {
        plainly(placement)
        for tile in tiles
        for hotel in (None, *range(len(state.bank)))
        for equals in orders_of_equals(state.board.touched(tile))
        if legal(placement := Placement(tile, hotel, equals)) is None
    }


def check_orders(told: Explanation, state: State) -> None:
    """Whatever can be ordered is within what is listed, and the other way round."""
    rulebook = told.rulebook
    most = {
        rulebook.hotel_index(each.of): len(each.messages)
        for each in told.legal.alternatives
        if each.of != "none"
    }
    assert f"At most {rulebook.order_limit} " in told.legal.limits
    assert f"${state.mover.cash:,}" in told.legal.limits
    assert ("any mix" in told.legal.limits) is rulebook.mixed_orders
    for count in range(rulebook.order_limit + 2):
        for order in combinations_with_replacement(range(len(state.bank)), count):
            within = (
                count <= rulebook.order_limit
                and all(order.count(hotel) <= most.get(hotel, 0) for hotel in order)
                and (rulebook.mixed_orders or len(set(order)) < 2)
                and cost(state, order) <= state.mover.cash
            )
            assert within is (verify_order(state, order) is None), order
    for each in told.legal.alternatives:
        for message in each.messages:
            match message:
                case messages.Order(order) | messages.Pbuy(_, order):
                    assert verify_order(state, order) is None
                case _:
                    pytest.fail(f"{message} orders nothing")
            turn = isinstance(told.understood, messages.Pbuy)
            assert isinstance(message, messages.Pbuy) is turn


def check_placements(told: Explanation, expected: set[Placement]) -> None:
    listed = [message for each in told.legal.alternatives for message in each.messages]
    found = []
    for message in listed:
        assert isinstance(message, messages.Pbuy | messages.Merge) and message.placement
        merges = kind_of(told.position.board, message.placement.tile) is Kind.MERGING
        assert isinstance(message, messages.Merge) is merges
        found.append(message.placement)
    assert len(found) == len(set(found))
    assert set(found) == expected


@every_foul
def test_alternatives_are_exactly_the_legal_ones(
    case_of: CaseOf, rulebook: Rulebook, member: Member
) -> None:
    told = case_of(rulebook, member).explanation
    state, merger = told.position, told.situation.merger
    listed = {message for each in told.legal.alternatives for message in each.messages}
    match told.question:
        case "turn" if told.violation in ABOUT_ORDERS:
            came = told.understood
            assert isinstance(came, messages.Pbuy) and came.placement is not None
            assert tile_name(came.placement.tile) in told.legal.heading
            check_orders(told, place(state, came.placement))
        case "turn":
            legal = placements(state, TILES, lambda each: verify_placement(state, each))
            check_placements(told, legal)
        case "players":
            check_orders(told, state)
        case "keep":
            assert merger is not None
            answers = [kept for count in range(5) for kept in product((True, False), repeat=count)]
            legal_ones = {messages.KeepAnswer(a) for a in answers if verify_keep(merger, a) is None}
            assert listed == legal_ones
        case "dispose":
            question = told.situation.question
            assert merger is not None and isinstance(question, messages.Dispose)
            assert listed == {
                messages.DisposeAnswer(*pair)
                for pair in product(range(26), repeat=2)
                if verify_disposal(merger, NAME, question.hotel, Disposal(*pair)) is None
            }
        case "merger":
            question = told.situation.question
            assert isinstance(question, messages.MarketMerger)
            legal = placements(
                state, [question.tile], lambda each: verify_hotels(rulebook, state.board, each)
            )
            check_placements(told, legal)
        case other:
            pytest.fail(f"no rule can be broken in answer to {other}")


def suggested(state: State, came: PlayerMessage) -> PlayerMessage:
    question = messages.Turn(state.board, state.players)
    return suggest(Situation(1, state.mover.name, question, state), came)


def test_suggestion_keeps_the_tile_the_hotel_and_what_can_be_paid() -> None:
    state = at_table("o.....SS", player("ann", "1B 9A 12I", cash=700), player("bob"))
    found = placement("1B", "Tower")
    tower, sackson = hotels("Tower Sackson")
    asked = messages.Pbuy(found, (tower, tower))  # at $400 each, once it has two tiles
    assert suggested(state, asked) == messages.Pbuy(found, (tower,))
    on_board = messages.Pbuy(placement("1B", "Sackson"), (sackson, sackson))
    kept = suggested(state, on_board)
    assert kept == messages.Pbuy(placement("1B", "American"), (sackson, sackson))
    assert suggested(state, messages.Merge(found)) == messages.Pbuy(found, ())
    mixed = messages.Order((sackson, tower, sackson))
    after_a_merger = Situation(1, "ann", messages.Players(state.players), state)
    assert suggest(after_a_merger, mixed) == messages.Order((sackson, sackson))


def test_suggestion_keeps_the_survivor_that_was_named() -> None:
    state = at_table("TT.SS", player("ann", "3A"), player("bob"))
    for name in ("Sackson", "Tower"):
        named = placement("3A", name)
        assert suggested(state, messages.Pbuy(named, (0,))) == messages.Merge(named)
    assert suggested(state, messages.Merge(placement("3A", "American"))) == messages.Merge(
        placement("3A", "Sackson")
    )


# -- where it is written ------------------------------------------------------------------------


def headings(page: str) -> set[str]:
    return set(re.findall(r"^#+ (.*)$", (ROOT / page).read_text(), re.MULTILINE))


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)
@pytest.mark.parametrize("violation", Violation, ids=lambda violation: violation.value)
def test_every_rule_is_written_where_it_is_said_to_be(
    rulebook: Rulebook, violation: Violation
) -> None:
    sources = sources_of(rulebook, Reason.ILLEGAL, violation)
    assert [source.page for source in sources][-1] == PROTOCOL_PAGE
    assert RULEBOOKS_PAGE in [source.page for source in sources]
    text = (ROOT / RULEBOOKS_PAGE).read_text()
    column = list(RULEBOOKS).index(rulebook.id) + 1
    for source in sources:
        assert source.section in headings(source.page)
        if source.page == RULEBOOKS_PAGE:
            title = source.row[source.row.find("..") :] if ".." in source.row else source.row
            (line,) = [each for each in text.splitlines() if each.startswith(f"| [{title}](")]
            assert line.split(" | ")[column].strip(" |*") == source.text


@pytest.mark.parametrize("rulebook", [REVISED, CLASSIC], ids=lambda rulebook: rulebook.id)
@pytest.mark.parametrize("reason", Reason, ids=lambda reason: reason.value)
def test_every_reason_is_written_where_it_is_said_to_be(rulebook: Rulebook, reason: Reason) -> None:
    (source,) = sources_of(rulebook, reason, None)
    assert (source.page, source.row) == (PROTOCOL_PAGE, "")
    assert source.section in headings(PROTOCOL_PAGE)


# -- several, and none --------------------------------------------------------------------------


def quits(rulebook: Rulebook, question: str, at: int = 2) -> Player:
    """A player that plays as `ordered` and goes away at the so-manieth question of a kind."""
    player, asked = Ordered(rulebook, 0), 0

    def answer(message: AdministratorMessage) -> PlayerMessage | WireFault:
        nonlocal asked
        right = player(message)
        asked += TAGS[type(message)] == question
        return HalfClose() if asked == at and TAGS[type(message)] == question else right

    return answer


def several(rulebook: Rulebook) -> dict[str, Player]:
    return {
        "ann": quits(rulebook, "turn"),
        "bob": quits(rulebook, "state"),
        "cyd": quits(rulebook, "state"),
        "dan": Ordered(rulebook, 0),
    }


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)
def test_each_of_several_is_explained_in_order(rulebook: Rulebook, folder: Path) -> None:
    record = read_log(folder, play(rulebook, several(rulebook), 3))
    told = explain(record)
    assert record.complete
    assert {each.name for each in told} == {"ann", "bob", "cyd"}
    bob, cyd = (next(each for each in told if each.name == name) for name in ("bob", "cyd"))
    assert bob.position == cyd.position  # they were told it at once
    assert len(bob.position.players) == 4
    assert [each.name for each in explain(record, "cyd")] == ["cyd"]
    assert explain(record, "dan") == []


def test_hidden_assets_are_explained(folder: Path) -> None:
    rulebook = with_hidden_assets(CORPORATIONS)
    players: dict[str, Player]
    players = {"ann": quits(rulebook, "holders"), "bob": Ordered(rulebook, 0)}
    (told,) = explain(read_log(folder, play(rulebook, players, 2)))
    assert (told.question, told.suggestion) == ("holders", messages.Void())
    assert told.situation.merger is not None


def test_who_goes_when_told_what_the_market_holds_at_the_end_keeps_the_score(folder: Path) -> None:
    told: list[AdministratorMessage] = []
    ann, bob = Ordered(CLASSIC, 0), Ordered(CLASSIC, 0)

    def listening(message: AdministratorMessage) -> PlayerMessage:
        told.append(message)
        return ann(message)

    play(CLASSIC, {"ann": listening, "bob": bob}, 1)
    last = sum(isinstance(message, messages.MarketTile) for message in told)
    players: dict[str, Player]
    players = {"ann": quits(CLASSIC, "market", last), "bob": Ordered(CLASSIC, 0)}
    record = read_log(folder, play(CLASSIC, players, 1))
    (left,) = explain(record)
    assert (left.question, left.keeps_score) == ("market", True)
    tile = next(m.tile for m in reversed(told) if isinstance(m, messages.MarketTile))
    assert tile is not None and left.position.aside >> tile & 1
    assert "keeps the score" in drawn(left, 300)


@pytest.mark.parametrize("came", [messages.Pbuy(Placement(5), (0,)), messages.Merge(Placement(5))])
def test_an_order_alone_is_right_where_no_tile_can_be_placed(came: PlayerMessage) -> None:
    dealt = deal(CLASSIC, "abc", Dealer(1).bag)
    mover, *others = dealt.players
    state = dealt._replace(players=(mover._replace(hand=0), *others))
    question = messages.TurnView(view_for(state, mover.name))
    situation = Situation(7, mover.name, question, state)
    legal = legal_in(situation, came)
    assert "No tile can be placed" in legal.heading
    assert [each.messages for each in legal.alternatives] == [(messages.Pbuy(None, ()),)]
    assert suggest(situation, came) == messages.Pbuy(None, ())


# -- shown --------------------------------------------------------------------------------------


def drawn(told: Explanation, columns: int = 80, *, terminal: bool = False) -> str:
    file = io.StringIO()
    colours: Literal["truecolor"] | None = "truecolor" if terminal else None
    console = Console(file=file, width=columns, force_terminal=terminal, color_system=colours)
    console.print(draw_explanation(told))
    return file.getvalue()


@every_foul
def test_all_of_it_is_drawn(case_of: CaseOf, rulebook: Rulebook, member: Member) -> None:
    told = case_of(rulebook, member).explanation
    text = " ".join(drawn(told, 300).split())
    for words in (told.detail, told.rule, told.send.decode(), told.came.decode(), told.due):
        assert words in text
    for each in told.legal.alternatives:
        assert f"{each.of} {each.words}" in text
    assert member.violation is not None and f"illegal: {member.violation.value}" in text


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("name", ["turn-beside-loose", "turn-mixed", "keep-one-too-few"])
def test_nothing_is_cut_off_however_narrow_the_terminal_is(
    case_of: CaseOf, name: str, columns: int
) -> None:
    told = case_of(REVISED, cast_for(REVISED)[name]).explanation
    text = drawn(told, columns)
    assert max(map(len, text.splitlines())) <= columns
    assert "…" not in text
    (heads,) = [line for line in text.splitlines() if re.search("tiles +price", line)]
    assert heads.startswith(" A ") is (columns >= 80), "beside the board where there is room"


def test_no_line_in_a_file_is_filled_up_with_blanks(case_of: CaseOf) -> None:
    told = case_of(REVISED, cast_for(REVISED)["turn-beside-loose"]).explanation
    assert max(map(len, drawn(told, 1000).splitlines())) < 120


def test_the_tile_that_was_tried_is_marked_on_the_board() -> None:
    state = deal(REVISED, "abc", Dealer(1).bag)
    for name, line, column in (("1A", 1, 3), ("12I", 9, 36), ("5C", 3, 15)):
        board = marked(draw_board(state), parse_tile(name)).plain
        assert board.splitlines()[line][column : column + 3] == "[·]"
        assert board.count("[") == 1
        assert len(board) == len(draw_board(state).plain)


def test_bytes_that_cannot_be_printed_are_seen() -> None:
    assert readable(b"<a>\n\x00\xff\x1b[31m</a>") == "<a>\\n\\x00\\xff\\x1b[31m</a>"


def test_hostile_names_are_shown_as_text(folder: Path) -> None:
    name = "[red]\u202ex\u200b<b>"
    players: dict[str, Player]
    players = {name: quits(REVISED, "turn"), "b": Ordered(REVISED, 0), "c": Ordered(REVISED, 0)}
    (told,) = explain(read_log(folder, play(REVISED, players, 1)))
    text = drawn(told, 200)
    assert "[red]\ufffdx\ufffd<b>" in text
    assert not re.search("[\u202e\u200b]", text)
    assert as_json(told)["name"] == name


def test_blanks_that_came_are_counted(case_of: CaseOf) -> None:
    told = case_of(REVISED, cast_for(REVISED)["turn-floods"]).explanation
    assert f"<void({LIMIT_FROM_PLAYER - 5:,} blanks)\n" in drawn(told, 1000)


def test_long_answers_are_cut(case_of: CaseOf) -> None:
    told = case_of(REVISED, cast_for(REVISED)["turn-floods"]).explanation
    long = replace(told, came=b"<a" + b"x" * 2000)
    text = drawn(long, 1000)
    assert "x" * 500 in text and "x" * 700 not in text
    assert "2,002 bytes are in the log" in text


@every_player
def test_json_is_plain_values(case_of: CaseOf, rulebook: Rulebook, member: Member) -> None:
    told = case_of(rulebook, member).explanation
    fields: dict[str, Any] = as_json(told)
    assert json.loads(json.dumps(fields)) == fields
    assert base64.b64decode(fields["came_base64"]) == told.came
    assert (fields["reason"], fields["suggestion"]) == (member.reason.value, told.send.decode())
    tiles = [player["tiles"] for player in fields["position"]["players"]]
    assert [len(each) for each in tiles] == [p.hand.bit_count() for p in told.position.players]
    assert "bag" not in fields["position"]
