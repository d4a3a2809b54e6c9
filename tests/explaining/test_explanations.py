"""Every ejection is explained: by the right rule, in the right position, with the correct answers.

A member of the misbehaving cast plays in this process beside `ordered`, up to its ejection; the
game's log, which is cut short there, is explained. What would have been legal is what the question
lists, which `tests/protocol/test_question.py` tries at the referee. The usual tests have each way
to break an answer, each reason at each step, each illegal move under two rulebooks, and under the
others an illegal move for each kind of list of legal answers; the soak has the whole casts.
"""

import base64
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import pytest
from loops import for_each
from misbehaviour import WHOLE_CASTS, deal_for, is_illegal, is_sample, plays, seats_for
from positions import at_table, hotels, placement, player
from rich.console import Console

from acquire.admin.advising.explaining.alternatives import Alternative, legal_in, suggest
from acquire.admin.advising.explaining.explanation import Explanation, Findings, as_json, findings
from acquire.admin.advising.explaining.explanation_text import draw_explanation, readable
from acquire.admin.advising.explaining.sources import PROTOCOL_PAGE, RULEBOOKS_PAGE, sources_of
from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.log.recorder import Header, SeatRecord
from acquire.admin.refereeing.log.writer import GameLog, MemoryFile
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.events import Event
from acquire.admin.refereeing.play.questions import Reply
from acquire.admin.refereeing.play.referee import Referee
from acquire.admin.refereeing.view.board_text import draw_board
from acquire.game.notation import parse_position
from acquire.game.placement import Placement
from acquire.game.rulebook import Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED, RULEBOOKS
from acquire.game.state import State, deal
from acquire.game.tiles import parse_tile, tile_name
from acquire.game.turn import worth
from acquire.game.violation import Violation
from acquire.player.misbehaving.cast import SCORE, Member, MisbehavingPlayer, cast_for
from acquire.player.misbehaving.wire_faults import Flood, HalfClose, RawBytes, Reset, WireFault
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.conversation import Conversation, Side, Step
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.framing import LIMIT_FROM_PLAYER
from acquire.protocol.inbox import DocumentCache, Inbox
from acquire.protocol.messages import TAGS, PlayerMessage, RefereeMessage
from acquire.protocol.player_view import view_for
from acquire.protocol.question import Known, Question
from acquire.protocol.reading import player_reader

ROOT = Path(__file__).parents[2]
LOG = Path("log.xml")
ABOUT_ORDERS = {
    Violation.MIXED_ORDER,
    Violation.NO_PRICE,
    Violation.SOLD_OUT,
    Violation.TOO_DEAR,
    Violation.NOT_OVER,
}
TOO_LONG = ("three-certificates", "four-certificates")
"""Ways to send an order for which the schema has no form."""


@cache
def illegal_sample(rulebook: Rulebook) -> tuple[Member, ...]:
    """A member for each question that an illegal move answers, for orders apart from placements."""
    found: dict[tuple[str, bool], Member] = {}
    for member in cast_for(rulebook).values():
        if is_illegal(member):
            found.setdefault((member.step.name, member.violation in ABOUT_ORDERS), member)
    return tuple(found.values())


def is_usual(rulebook: Rulebook, member: Member) -> bool:
    """Whether a member is among those that `make test` tries."""
    if rulebook in WHOLE_CASTS:
        return is_sample(rulebook, member)
    return member in illegal_sample(rulebook)


def groups(wanted: Callable[[Member], bool]) -> pytest.MarkDecorator:
    """Parametrise over the wanted members of each rulebook and step, those for the soak apart."""
    found = []
    for rulebook in RULEBOOKS.values():
        members = [member for member in cast_for(rulebook).values() if wanted(member)]
        for step in dict.fromkeys(member.step.name for member in members):
            at_step = [member for member in members if member.step.name == step]
            sample = [member for member in at_step if is_usual(rulebook, member)]
            rest = [member for member in at_step if member not in sample]
            if sample:
                found.append(pytest.param(rulebook, sample, id=f"{rulebook.id}-{step}"))
            if rest:
                found.append(
                    pytest.param(
                        rulebook, rest, id=f"{rulebook.id}-{step}-rest", marks=pytest.mark.soak
                    )
                )
    return pytest.mark.parametrize(("rulebook", "members"), found)


all_members = groups(plays)
illegal_members = groups(is_illegal)
each_rulebook = for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)

Player: TypeAlias = Callable[[RefereeMessage], PlayerMessage | WireFault]


# -- games ------------------------------------------------------------------------------------


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
        return Fault(Reason.MALFORMED, "Too long.", b"<void".ljust(LIMIT_FROM_PLAYER + 1))
    return Fault(Reason.TIMED_OUT, "Nothing came in time.")


def play(
    rulebook: Rulebook,
    players: Mapping[str, Player],
    seed: int,
    until: Callable[[Event], bool] = lambda _: False,
) -> bytes:
    """Play a game in this process up to an event, and return its log as far as it then is."""
    dealer, file, over = Dealer(seed), MemoryFile(), False
    seats = tuple(SeatRecord(name, "remote") for name in players)
    log = GameLog(Path("log"), file, Header(rulebook, seed, 1, dealer.bag, seats))
    talks = {name: Conversation(Side.REFEREE, Step.SEATED, Dialect.of(rulebook))
             for name in players}  # fmt: skip

    def emit(event: Event) -> None:
        nonlocal over
        if not over:
            log(event)
            over = until(event)

    def ask(name: str, message: RefereeMessage) -> Reply | Fault:
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
    return file.data()


class Offender:
    """A member of the cast at play; ``question`` is the one that it answers wrongly."""

    def __init__(self, rulebook: Rulebook, member: Member) -> None:
        self._misbehaving = MisbehavingPlayer(member, rulebook, 0)
        self.question: RefereeMessage | None = None

    @property
    def fault(self) -> object:
        """Its wrong answer."""
        return self._misbehaving.fault

    def __call__(self, message: RefereeMessage) -> PlayerMessage | WireFault:
        self.question = message if self.fault is None else self.question
        return self._misbehaving(message)


NAME = "member"


class Case(NamedTuple):
    """A game in which a member was ejected, and its explanation."""

    rulebook: Rulebook
    member: Member
    offender: Offender
    found: Findings
    explanation: Explanation


@cache
def case_of(rulebook: Rulebook, member: Member) -> Case:
    offender, seed = Offender(rulebook, member), deal_for(rulebook, member)
    others = {f"other-{seat}": Ordered(rulebook, 0) for seat in range(1, seats_for(member))}
    players: dict[str, Player] = {NAME: offender, **others}
    log = play(rulebook, players, seed, lambda event: isinstance(event, events.Ejected))
    found = findings(read_bytes(LOG, log))
    (explanation,) = found.explanations
    return Case(rulebook, member, offender, found, explanation)


def explained(rulebook: Rulebook, member: str) -> Explanation:
    return case_of(rulebook, cast_for(rulebook)[member]).explanation


@pytest.fixture
def each_case(rulebook: Rulebook, members: list[Member]) -> Iterator[Case]:
    """The cases of these members; the last one printed is the one for which a test fails."""

    def make() -> Iterator[Case]:
        for member in members:
            print(rulebook.id, member.name)
            yield case_of(rulebook, member)

    return make()


# -- what is shown -------------------------------------------------------------------------------


@all_members
def test_reason_and_rule_are_those_of_the_fault(each_case: Iterator[Case]) -> None:
    for rulebook, member, _, found, explanation in each_case:
        assert found.verdict.divergence is None
        broken = explanation.name, explanation.reason, explanation.violation
        assert broken == (NAME, member.reason, member.violation)
        repeats = member.way == "too-many-children" and member.step.name == "order"
        too_long = (member.way in TOO_LONG or repeats) and member.reason is Reason.INVALID
        limit = Violation.TOO_MANY if too_long else None
        assert explanation.rule.startswith((member.violation or limit or member.reason).sentence)
        assert explanation.detail
        assert explanation.rule not in explanation.detail or member.violation is None
        assert explanation.position.rulebook is rulebook
        assert explanation.sources == sources_of(rulebook, member.reason, member.violation or limit)
        assert (explanation.turn == 0) is (member.step.name == "setup")
        assert explanation.keeps_score is (member.step is SCORE)


@all_members
def test_position_is_the_one_of_the_question(each_case: Iterator[Case]) -> None:
    for _, _, offender, _, explanation in each_case:
        state, question, merger = explanation.position, offender.question, explanation.ask.merger
        assert question is not None and explanation.ask.tag == TAGS[type(question)]
        assert explanation.ask.message == question
        sent = {"board": state.board, "players": state.players, "view": view_for(state, NAME)}
        for field, known in sent.items():
            assert getattr(question, field, known) == known
        match question:
            case messages.Keep(hotels):
                assert merger is not None and merger.acquired == hotels
            case messages.Dispose(hotel, price, survivor):
                assert merger is not None
                assert (merger.price(hotel), merger.survivor) == (price, survivor)
            case messages.NewTile(tile):
                assert state.player(NAME).hand >> tile & 1


@all_members
def test_answer_is_shown_byte_for_byte_or_as_parsed(each_case: Iterator[Case]) -> None:
    for _, _, offender, _, explanation in each_case:
        if isinstance(offender.fault, RawBytes):
            assert explanation.exact and explanation.understood is None
            sent = offender.fault.data[: LIMIT_FROM_PLAYER + 1]
            assert explanation.received.strip() == sent.strip()
        elif not isinstance(offender.fault, WireFault):
            assert (explanation.exact, explanation.understood) == (False, offender.fault)
            assert isinstance(offender.fault, PlayerMessage)
            assert explanation.received == explanation.written(offender.fault)


@all_members
def test_suggestion_is_legal_and_can_be_read(each_case: Iterator[Case]) -> None:
    for rulebook, _, _, _, explanation in each_case:
        memory, question = DocumentCache(player_reader(rulebook)), explanation.ask.question(NAME)
        assert memory.read(explanation.send) == explanation.suggestion
        assert explanation.suggestion in ([messages.VOID] if question is None else question.answers)


# -- what would have been legal -----------------------------------------------------------------


PLACING = messages.Pbuy | messages.Merge


def expected(explanation: Explanation) -> set[PlayerMessage]:
    """The legal answers that are listed: placements without orders, or orders of one hotel."""
    question, received = explanation.ask.question(NAME), explanation.understood
    placed = received.placement if isinstance(received, messages.Pbuy) else None
    about_order = explanation.violation in ABOUT_ORDERS

    def is_listed(answer: PlayerMessage) -> bool:
        match answer:
            case messages.Pbuy(placement, order, end) if about_order:
                return placement == placed and len({*order}) < 2 and not end
            case messages.Pbuy(_, order, end):
                return not (order or end)
            case messages.Order(order, end):
                return len({*order}) < 2 and not end
            case messages.Merge():
                return not about_order
        return True

    assert question is not None
    return {*filter(is_listed, question.answers)}


def check_words(explanation: Explanation, alternative: Alternative) -> None:
    """An alternative names exactly the hotels, or the largest numbers, of its messages."""
    words, answers, limits = alternative.words, alternative.messages, explanation.legal.limits
    rulebook, cash = explanation.position.rulebook, explanation.position.mover.cash
    match answers[0]:
        case messages.DisposeAnswer():
            found = re.search(r"sell 0 to (\d+) at .* 0 to (\d+), for half", words)
            most = [max(getattr(each, name) for each in answers) for name in ("sell", "trade")]
            assert found is not None and [int(found[1]), int(found[2])] == most
        case messages.Pbuy() | messages.Order() if "for at most" in limits:
            assert words.startswith(f"up to {len(answers)} at ") or alternative.of == "none"
            assert f"At most {rulebook.order_limit} " in limits and f"${cash:,}." in limits
            assert ("any mix" in limits) is rulebook.mixed_orders
        case _ if isinstance(answers[0], PLACING):
            placed = [each.placement for each in answers if isinstance(each, PLACING)]
            named = {one.hotel for one in placed if one is not None} - {None}
            names = {hotel.name for at, hotel in enumerate(rulebook.hotels) if at in named}
            told = words.partition("; name ")[2].partition(";")[0]
            assert {*re.split(", | or ", told)} == (names or {"no hotel"})


@illegal_members
def test_alternatives_are_exactly_the_legal_ones(each_case: Iterator[Case]) -> None:
    for _, _, _, _, explanation in each_case:
        alternatives = explanation.legal.alternatives
        listed = [message for each in alternatives for message in each.messages]
        assert {*listed} == expected(explanation) and len({*listed}) == len(listed) > 0
        if explanation.violation in ABOUT_ORDERS and explanation.tried is not None:
            assert tile_name(explanation.tried) in explanation.legal.heading
        for each in alternatives:
            check_words(explanation, each)


@for_each(
    ("rulebook", "drawing", "words"),
    [
        (REVISED, "o", "founds a hotel of 2 tiles; name {0}, {1}, {2}, {3}, {4}, {5} or {6}"),
        (REVISED, "AA", "{0} grows to 3 tiles; name no hotel"),
        (REVISED, "", "stays unincorporated; name no hotel"),
        (REVISED, "AA.CC", "merges {0} (2) and {1} (2); name {0} or {1}"),
        (REVISED, "AA.CCC", "merges {0} (2) and {1} (3); name {1}"),
        (
            CLASSIC,
            "AA.CC/..F/..F/..F",
            "merges {0} (2), {1} (2) and {2} (3); name {2}; after {2}, if you like, {0} and {1} "
            "in any order",
        ),
    ],
)
def test_what_a_tile_does_is_described(rulebook: Rulebook, drawing: str, words: str) -> None:
    tile = "2A" if drawing == "o" else "3A"
    state = parse_position(rulebook, drawing, [f"ann {tile}", "bob", "cyd"])
    turn = messages.Turn(state.board, state.players)
    question = Question(turn, "ann", Known(state))
    (alternative,) = legal_in(question, None).alternatives
    names = [hotel.name for hotel in rulebook.hotels]
    assert (alternative.of, alternative.words) == (tile, words.format(*names))


def suggested(state: State, received: PlayerMessage) -> PlayerMessage:
    turn = messages.Turn(state.board, state.players)
    return suggest(Question(turn, state.mover.name, Known(state)), received)


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
    after_a_merger = Question(messages.Players(state.players), "ann", Known(state))
    assert suggest(after_a_merger, mixed) == messages.Order((sackson, sackson))


def test_suggestion_keeps_the_survivor_that_was_named() -> None:
    state = at_table("TT.SS", player("ann", "3A"), player("bob"))
    for name in ("Sackson", "Tower"):
        named = placement("3A", name)
        assert suggested(state, messages.Pbuy(named, (0,))) == messages.Merge(named)
    assert suggested(state, messages.Merge(placement("3A", "American"))) == messages.Merge(
        placement("3A", "Sackson")
    )


def test_suggestion_names_no_order_of_equals_in_place_of_a_wrong_one() -> None:
    state = parse_position(CLASSIC, "AA.CC/..F/..F/..F", ["ann 3A", "bob", "cyd"])
    wrong = Placement(parse_tile("3A"), 2, (0,))
    assert suggested(state, messages.Merge(wrong)) == messages.Merge(wrong._replace(equals=()))
    legal = wrong._replace(equals=(1, 0))
    assert suggested(state, messages.Merge(legal)) == messages.Merge(legal)


# -- where it is written ------------------------------------------------------------------------


@cache
def headings(page: str) -> set[str]:
    return set(re.findall(r"^#+ (.*)$", (ROOT / page).read_text(), re.MULTILINE))


@each_rulebook
def test_every_rule_is_written_in_the_places_named(rulebook: Rulebook) -> None:
    page = (ROOT / RULEBOOKS_PAGE).read_text()
    for violation in Violation:
        sources = sources_of(rulebook, Reason.ILLEGAL, violation)
        assert [source.page for source in sources][-1] == PROTOCOL_PAGE, violation
        assert RULEBOOKS_PAGE in [source.page for source in sources], violation
        for source in sources:
            assert source.section in headings(source.page), violation
            if source.page == RULEBOOKS_PAGE:
                (said,) = page.split(f"\n- **{source.row}**")[1:]
                assert source.text in said.partition("\n- ")[0], violation


@each_rulebook
def test_every_reason_is_written_in_the_place_named(rulebook: Rulebook) -> None:
    for reason in Reason:
        (source,) = sources_of(rulebook, reason, None)
        assert (source.page, source.row) == (PROTOCOL_PAGE, ""), reason
        assert source.section in headings(PROTOCOL_PAGE), reason


# -- several, and none --------------------------------------------------------------------------


def quits(rulebook: Rulebook, question: str, at: int = 2) -> Player:
    """A player that plays as `ordered` and leaves at the `at`-th question of a kind."""
    player, asked = Ordered(rulebook, 0), 0

    def answer(message: RefereeMessage) -> PlayerMessage | WireFault:
        nonlocal asked
        right = player(message)
        asked += TAGS[type(message)] == question
        return HalfClose() if asked == at and TAGS[type(message)] == question else right

    return answer


@each_rulebook
def test_each_of_several_is_explained_in_order(rulebook: Rulebook) -> None:
    leaving = {"ann": "turn", "bob": "state", "cyd": "state"}
    players = {name: quits(rulebook, question) for name, question in leaving.items()}
    record = read_bytes(LOG, play(rulebook, {**players, "dan": Ordered(rulebook, 0)}, 3))
    explanation = findings(record).explanations
    assert record.complete
    assert {each.name for each in explanation} == {*leaving}
    bob, cyd = (next(each for each in explanation if each.name == name) for name in ("bob", "cyd"))
    assert bob.position == cyd.position  # they were asked at the same time
    assert len(bob.position.players) == 4
    assert [each.name for each in findings(record, "cyd").explanations] == ["cyd"]
    assert findings(record, "dan").explanations == []


def test_hint_says_that_the_score_came_in_place_of_a_tile() -> None:
    players = {name: quits(REVISED, "score", 1) for name in "abcdef"}
    record = read_bytes(LOG, play(REVISED, players, 2))  # it empties the bag
    last = [each.get("player") for each in record.elements if each.tag == "turn"][-1]
    left = findings(record).explanations
    assert {each.name for each in left} == set(players)
    for explanation in left:
        assert explanation.ask.tag == "score" and explanation.keeps_score
        assert bool(explanation.hint) is (explanation.name == last)
        assert ("<score> came where <tile> comes" in drawn(explanation, 300)) is (
            explanation.name == last
        )


def test_hidden_assets_are_explained() -> None:
    rulebook = with_hidden_assets(CORPORATIONS)
    players: dict[str, Player]
    players = {"ann": quits(rulebook, "holders"), "bob": Ordered(rulebook, 0)}
    (explanation,) = findings(read_bytes(LOG, play(rulebook, players, 2))).explanations
    assert (explanation.ask.tag, explanation.suggestion) == ("holders", messages.Void())
    assert explanation.ask.merger is not None


def test_player_that_leaves_while_the_market_is_shown_keeps_its_score() -> None:
    received: list[RefereeMessage] = []
    ann, bob = Ordered(CLASSIC, 0), Ordered(CLASSIC, 0)

    def recording(message: RefereeMessage) -> PlayerMessage:
        received.append(message)
        return ann(message)

    play(CLASSIC, {"ann": recording, "bob": bob}, 1)
    last = sum(isinstance(message, messages.MarketTile) for message in received)
    players: dict[str, Player]
    players = {"ann": quits(CLASSIC, "market", last), "bob": Ordered(CLASSIC, 0)}
    record = read_bytes(LOG, play(CLASSIC, players, 1))
    (left,) = findings(record).explanations
    assert (left.ask.tag, left.keeps_score) == ("market", True)
    tile = next(m.tile for m in reversed(received) if isinstance(m, messages.MarketTile))
    assert tile is not None and left.position.aside >> tile & 1
    assert "keeps the score" in drawn(left, 300)


@pytest.mark.parametrize(
    "received", [messages.Pbuy(Placement(5), (0,)), messages.Merge(Placement(5))]
)
def test_an_order_alone_is_right_where_no_tile_can_be_placed(received: PlayerMessage) -> None:
    dealt = deal(CLASSIC, "abc", Dealer(1).bag)
    mover, *others = dealt.players
    state = dealt._replace(players=(mover._replace(hand=0), *others))
    turn = messages.TurnView(view_for(state, mover.name))
    question = Question(turn, mover.name, Known(state))
    legal = legal_in(question, received)
    assert "No tile can be placed" in legal.heading
    assert [each.messages for each in legal.alternatives] == [(messages.Pbuy(None, ()),)]
    assert suggest(question, received) == messages.Pbuy(None, ())


@for_each(("rulebook", "count"), [(REVISED, 3), (REVISED, 4), (CLASSIC, 4)])
def test_order_too_long_for_the_schema_is_explained_by_the_limit(
    rulebook: Rulebook, count: int
) -> None:
    explanation, limit = explained(rulebook, f"turn-{TOO_LONG[count - 3]}"), rulebook.order_limit
    assert explanation.reason is Reason.INVALID and explanation.violation is None
    told = f"The order is for {count} certificates, but at most {limit} are allowed."
    assert told in explanation.detail and "spelled" not in explanation.detail
    (row,) = [source for source in explanation.sources if source.page == RULEBOOKS_PAGE]
    assert str(limit) in row.text


# -- shown --------------------------------------------------------------------------------------


def drawn(explanation: Explanation, columns: int = 80, *, terminal: bool = False) -> str:
    file = io.StringIO()
    colours: Literal["truecolor"] | None = "truecolor" if terminal else None
    console = Console(file=file, width=columns, force_terminal=terminal, color_system=colours)
    console.print(draw_explanation(explanation))
    return file.getvalue()


@illegal_members
def test_all_of_it_is_drawn(each_case: Iterator[Case]) -> None:
    for _, member, _, _, explanation in each_case:
        text = " ".join(drawn(explanation, 300).split())
        sent, received = explanation.send.decode(), explanation.received.decode()
        for words in (explanation.detail, explanation.rule, sent, received, explanation.expected):
            assert words in text
        for each in explanation.legal.alternatives:
            assert f"{each.of} {each.words}" in text
        assert member.violation is not None and f"illegal: {member.violation.value}" in text


def test_net_worth_in_a_merger_counts_certificates_not_yet_disposed_of() -> None:
    explanation = explained(REVISED, "keep-one-too-few")
    state, merger = explanation.position, explanation.ask.merger
    assert merger is not None
    for name, _, shares, _ in state.players:
        unsold = sum(shares[hotel] * merger.price(hotel) for hotel in merger.acquired)
        net_worth = worth(state)[name] + unsold
        assert explanation.net_worth[name] == net_worth
        assert f" {net_worth:,} " in drawn(explanation, 200)


@for_each("columns", [60, 80, 120])
@for_each("name", ["turn-beside-loose", "turn-mixed", "keep-one-too-few"])
def test_nothing_is_cut_off_on_a_narrow_terminal(name: str, columns: int) -> None:
    explanation = explained(REVISED, name)
    text = drawn(explanation, columns)
    assert max(map(len, text.splitlines())) <= columns
    assert "…" not in text
    (heads,) = [line for line in text.splitlines() if re.search("tiles +price", line)]
    assert heads.startswith("    1  2 "), "beside the board"
    assert ("Worldwide " in text) is (columns >= 80), "by their letters where there is no room"


def test_no_line_in_a_file_is_filled_up_with_blanks() -> None:
    explanation = explained(REVISED, "turn-beside-loose")
    assert max(map(len, drawn(explanation, 1000).splitlines())) < 300


def test_tile_of_the_answer_is_marked_on_the_board() -> None:
    state = deal(REVISED, "abc", Dealer(1).bag)
    for name, line, column in (("1A", 1, 3), ("12I", 9, 36), ("5C", 3, 15)):
        board = draw_board(state, parse_tile(name)).plain
        assert board.splitlines()[line][column : column + 3] == "[·]"
        assert board.count("[") == 1
        assert len(board) == len(draw_board(state).plain)


def test_bytes_that_cannot_be_printed_are_escaped() -> None:
    assert readable(b"<a>\n\x00\xff\x1b[31m</a>") == "<a>\\n\\x00\\xff\\x1b[31m</a>"


def test_hostile_names_are_shown_as_text() -> None:
    name = "[red]\u202ex\u200b<b>"
    players: dict[str, Player]
    players = {name: quits(REVISED, "turn"), "b": Ordered(REVISED, 0), "c": Ordered(REVISED, 0)}
    (explanation,) = findings(read_bytes(LOG, play(REVISED, players, 1))).explanations
    text = drawn(explanation, 200)
    assert "[red]\ufffdx\ufffd<b>" in text
    assert not re.search("[\u202e\u200b]", text)
    assert as_json(explanation)["name"] == name


def test_long_answers_are_cut() -> None:
    explanation = explained(REVISED, "turn-floods")
    long = replace(explanation, received=b"<a" + b"x" * 2000)
    text = drawn(long, 1000)
    assert "x" * 500 in text and "x" * 700 not in text
    assert "2,002 bytes are in the log" in text


@all_members
def test_json_is_plain_values(each_case: Iterator[Case]) -> None:
    for _, member, _, _, explanation in each_case:
        fields: dict[str, Any] = as_json(explanation)
        assert json.loads(json.dumps(fields)) == fields
        assert base64.b64decode(fields["received_base64"]) == explanation.received
        told = fields["reason"], fields["suggestion"]
        assert told == (member.reason.value, explanation.send.decode())
        hands = [len(player["tiles"]) for player in fields["position"]["players"]]
        assert hands == [player.hand.bit_count() for player in explanation.position.players]
        assert "bag" not in fields["position"]
