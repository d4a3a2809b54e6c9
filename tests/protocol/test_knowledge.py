"""What a player knows: everything that it was sent, and nothing else."""

import random
from functools import cache

from asked_games import Asked, asked_in
from loops import for_each

from acquire.game.rulebook import Hands, Rulebook, with_hidden_assets
from acquire.game.rulebooks import DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.state import State
from acquire.game.tiles import mask_of, tiles_in
from acquire.protocol import messages
from acquire.protocol.knowledge import Knowledge
from acquire.protocol.player_view import view_for
from acquire.protocol.question import Known

HIDING = [with_hidden_assets(DIGEST, "both"), with_hidden_assets(WIKIPEDIA, "cash")]
DIALECT = [*(each for each in RULEBOOKS.values() if each is not REVISED), *HIDING]
IN_DIALECT = for_each("rulebook", DIALECT)
NAMES = ("ann", "bob", "cyd")


@cache
def asked(rulebook: Rulebook, seed: int = 4) -> list[Asked]:
    return [*asked_in(rulebook, NAMES, seed)]


def without_bag(state: State) -> State:
    return state._replace(bag=(), idle=0)


def holding_otherwise(state: State, viewer: str) -> State:
    """The same position with other tiles in the others' hands and in the bag."""
    others = [each for each in state.players if each.name != viewer]
    pool = [*state.bag, *(tile for each in others for tile in tiles_in(each.hand))]
    random.Random(1).shuffle(pool)
    dealt = {each.name: [pool.pop() for _ in range(each.hand.bit_count())] for each in others}
    players = tuple(
        each._replace(hand=mask_of(dealt.get(each.name, tiles_in(each.hand))))
        for each in state.players
    )
    return state._replace(players=players, bag=tuple(pool))


def turn_of(state: State) -> Known:
    """What the mover knows that is asked for its turn in a position."""
    question = Knowledge(state.rulebook).hear(messages.TurnView(view_for(state, state.mover.name)))
    assert question is not None and question.name == state.mover.name
    return question.known


@IN_DIALECT
def test_position_is_what_the_player_may_see_of_the_referees(rulebook: Rulebook) -> None:
    for each in asked(rulebook):
        name, known, state = each.known.name, each.known.known, each.question.state
        assert known.view == view_for(state, name)
        assert known.state.player(name) == state.player(name)
        assert (known.state.board, known.state.bank) == (state.board, state.bank)
        assert known.state.bag == () and known.bag == len(state.bag)


@IN_DIALECT
def test_hidden_is_none_to_be_shown_and_zero_for_the_rules(rulebook: Rulebook) -> None:
    assets, certificates = rulebook.assets, 0
    for each in asked(rulebook):
        known = each.known.known
        assert known.cash_is_open is not assets.hides_cash
        assert known.certificates_are_open is not assets.hides_certificates
        for seat, player in zip(known.seats, known.state.players, strict=True):
            if seat.name == each.known.name:
                continue
            assert (player.hand == seat.hand == 0) or rulebook.hands is Hands.OPEN
            assert (seat.cash is None) is assets.hides_cash
            assert (seat.shares is None) is assets.hides_certificates
            assert player.cash == (seat.cash or 0)
            certificates += sum(player.shares)
    assert bool(certificates) is not assets.hides_certificates


@IN_DIALECT
def test_tiles_that_are_hidden_make_no_difference(rulebook: Rulebook) -> None:
    different = 0
    for each in asked(rulebook):
        begun = each.begun
        otherwise = holding_otherwise(begun, begun.mover.name)
        different += otherwise != begun
        one, other = turn_of(begun), turn_of(otherwise)
        assert (one.state, one.seats, one.bag) == (other.state, other.seats, other.bag)
    assert different > 20


def test_own_merger_is_known_though_the_course_does_not_repeat_the_board() -> None:
    own, others = 0, 0
    for each in (each for seed in range(4, 7) for each in asked(REVISED, seed)):
        known, mover = each.known, each.begun.mover.name
        match known.message:
            case messages.Keep() if known.name == mover:
                own += 1
                assert known.merger is not None and each.question.merger is not None
                assert known.merger.acquired == each.question.merger.acquired
                assert known.merger.prices == each.question.merger.prices
                assert without_bag(known.state) == without_bag(each.question.state)
            case messages.Keep():
                others += 1
                assert known.merger is None
                assert without_bag(known.state).board == each.begun.board
            case messages.Players():
                assert without_bag(known.state) == without_bag(each.question.state)
    assert own > 1 and others > 1


def test_merger_is_forgotten_with_the_next_position() -> None:
    keep = next(each for each in asked(REVISED) if isinstance(each.known.message, messages.Keep))
    knowledge = Knowledge(REVISED, keep.known.name)
    knowledge.hear(messages.Turn(keep.begun.board, keep.begun.players))
    for answer in keep.before[:1]:
        knowledge.answered(answer)
    assert knowledge.merger is not None
    knowledge.hear(messages.State(keep.begun.board, keep.begun.players))
    assert knowledge.merger is None
    assert knowledge.known is not None
    assert without_bag(knowledge.known.state) == without_bag(keep.begun)


def test_message_without_a_question_is_only_acknowledged() -> None:
    knowledge = Knowledge(REVISED)
    assert knowledge.hear(messages.SignUp("bob")) is None
    assert (knowledge.name, knowledge.known, knowledge.merger) == ("bob", None, None)
    assert knowledge.hear(messages.NewTile(5)) is None
    state = asked(REVISED)[0].begun
    assert knowledge.hear(messages.State(state.board, state.players)) is None
    assert knowledge.seated == len(state.players)
