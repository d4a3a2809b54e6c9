"""The legal answers to a question are those that the referee accepts, and no others."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

from asked_games import Asked, asked_in
from loops import for_each

from acquire.game.notation import parse_position
from acquire.game.placement import Placement
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import RULEBOOKS, WIKIPEDIA
from acquire.protocol import messages
from acquire.protocol.messages import TAGS, PlayerMessage
from acquire.protocol.player_view import view_for
from acquire.protocol.question import Known, Question

NAMES = ("ann", "bob", "cyd", "dee")
EACH_RULEBOOK = for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
TRIED = 8
"""Answers to a question that the referee is given, of those that are legal and of the others."""
HOTELS = (None, *range(7))


@cache
def asked(rulebook: Rulebook) -> list[Asked]:
    """Some questions of each kind, the rare ones all, from two games, one of the fewest players."""
    sizes = (max(rulebook.min_players, 2), 4)
    found = [
        each for seed, seats in enumerate(sizes) for each in asked_in(rulebook, NAMES[:seats], seed)
    ]
    kinds = Counter(TAGS[type(each.question.message)] for each in found)
    chance = random.Random(5)
    return [
        each for each in found if chance.random() * kinds[TAGS[type(each.question.message)]] < 10
    ]


def others(question: Question, answer: PlayerMessage) -> Iterator[PlayerMessage]:
    """Answers that differ in little from a legal one; some are legal as well."""
    match answer:
        case messages.Pbuy(placement, order, end):
            yield messages.Pbuy(placement, order, not end)
            for more in range(7):
                yield messages.Pbuy(placement, tuple(sorted((*order, more))), end)
            if placement is not None:
                yield messages.Pbuy(None, order, end)
                for hotel in HOTELS:
                    yield messages.Pbuy(Placement(placement.tile, hotel), order, end)
                yield messages.Merge(placement)
        case messages.Order(order, end):
            yield messages.Order(order, not end)
            for more in range(7):
                yield messages.Order(tuple(sorted((*order, more))), end)
        case messages.Merge(placement):
            for hotel in HOTELS:
                yield messages.Merge(Placement(placement.tile, hotel))
                yield messages.Merge(Placement(placement.tile, hotel, (0, 1)))
            if not isinstance(question.message, messages.MarketMerger):
                yield messages.Pbuy(placement, ())
        case messages.KeepAnswer(kept):
            yield messages.KeepAnswer((*kept, True))
            yield messages.KeepAnswer(kept[1:])
        case messages.DisposeAnswer(sell, trade):
            yield messages.DisposeAnswer(sell + 1, trade)
            yield messages.DisposeAnswer(sell, trade + 1)
            yield messages.DisposeAnswer(sell, trade + 2)


@EACH_RULEBOOK
def test_every_kind_of_question_is_tried(rulebook: Rulebook) -> None:
    kinds = {TAGS[type(each.question.message)] for each in asked(rulebook)}
    assert kinds >= {"turn", "players"} and kinds & {"keep", "dispose"}


@EACH_RULEBOOK
def test_legal_answers_are_accepted(rulebook: Rulebook) -> None:
    chance = random.Random(1)
    for each in asked(rulebook):
        legal = each.question.legal()
        for answer in chance.sample(legal, min(TRIED, len(legal))):
            assert each.is_accepted(answer), answer


@EACH_RULEBOOK
def test_answers_that_are_not_listed_are_refused(rulebook: Rulebook) -> None:
    chance, refused = random.Random(2), Counter[str]()
    for each in asked(rulebook):
        legal = each.question.legal()
        near = [
            one for like in (chance.choice(legal), legal[-1]) for one in others(each.question, like)
        ]
        illegal = [answer for answer in dict.fromkeys(near) if answer not in legal]
        for answer in chance.sample(illegal, min(TRIED, len(illegal))):
            assert not each.is_accepted(answer), answer
            refused[TAGS[type(answer)]] += 1
    assert refused.keys() >= {"pbuy", "order", "placement"} and refused.total() > 100, refused


def test_new_hand_is_taken_or_not() -> None:
    blocked = "AAAAAAAAAAA/............/CCCCCCCCCCC"
    state = parse_position(WIKIPEDIA, blocked, ["ann 1B 2B", "bob", "cyd"], bag="12I 11I 9F 9G")
    question = Question(messages.Replace(view_for(state, "ann")), "ann", Known(state))
    legal = [messages.ReplaceAnswer(True), messages.ReplaceAnswer(False)]
    assert question.legal() == legal and question.simplest() == legal[0]
    assert "<replace>" in question.describe()
    for answer in legal:
        assert Asked(NAMES[:3], state, (), question, question).is_accepted(answer)


@EACH_RULEBOOK
def test_answers_are_listed_once_and_the_simplest_is_the_first(rulebook: Rulebook) -> None:
    for each in asked(rulebook):
        legal = each.question.legal()
        assert len({*map(repr, legal)}) == len(legal)
        assert each.question.simplest() == legal[0]


@EACH_RULEBOOK
def test_description_names_the_element_of_every_legal_answer(rulebook: Rulebook) -> None:
    for each in asked(rulebook):
        described = each.question.describe()
        for answer in each.question.legal():
            assert f"<{TAGS[type(answer)]}>" in described


@EACH_RULEBOOK
def test_player_knows_enough_to_list_its_legal_answers(rulebook: Rulebook) -> None:
    for each in asked(rulebook):
        assert each.known.legal() == each.question.legal()
        assert each.known.describe() == each.question.describe()
