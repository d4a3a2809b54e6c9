"""The misbehaving cast as data: who is in it under each rulebook."""

from __future__ import annotations

from loops import for_each

from acquire.game.rulebook import Rulebook, StuckHand
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, DIGEST, REVISED, RULEBOOKS, WIKIPEDIA
from acquire.game.violation import Violation
from acquire.player.misbehaving.broken_answers import broken_answers
from acquire.player.misbehaving.cast import cast_for, steps_for
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Reason

every_rulebook = for_each("rulebook", RULEBOOKS.values(), ids=lambda r: r.id)

STEPS_OF = {
    Dialect.COURSE: ("signup", "setup", "turn", "keep", "order", "tile", "state", "score"),
    Dialect.FULL: (
        "signup", "setup", "replace", "turn", "dispose", "market", "merger", "order", "tile",
        "state", "score",
    ),
}  # fmt: skip
FOR_TWO = ("market", "merger")

EVERYWHERE = (
    "silent", "dribble", "unclosed", "goes-away", "goes-away-half", "crashes", "speaks-ahead",
    "not-xml", "mismatched", "not-utf-8", "utf-16", "nul", "doctype", "doctype-bomb",
    "doctype-file", "undefined-entity", "too-deep", "too-long", "floods", "unknown-element",
    "wrong-case", "unknown-child", "unknown-attribute", "stray-text",
)  # fmt: skip
ONLY_AT: dict[Dialect, dict[str, tuple[str, ...]]] = {
    Dialect.COURSE: {
        "missing-attribute": ("signup", "turn", "order"),
        "wrong-child-order": ("turn",),
        "too-many-children": ("turn", "keep", "order"),
        "no-children": ("turn", "keep"),
        "three-certificates": ("turn", "order"),
        "four-certificates": ("turn", "order"),
        "no-order": ("turn",),
        "column-0": ("turn",),
        "column-13": ("turn",),
        "row-j": ("turn",),
        "unknown-hotel": ("turn", "order"),
        "empty-name": ("signup",),
        "long-name": ("signup",),
    },
    Dialect.FULL: {
        "missing-attribute": ("signup", "turn", "dispose", "merger", "order"),
        "wrong-child-order": ("turn", "merger", "order"),
        "too-many-children": ("replace", "turn", "merger", "order"),
        "no-children": ("replace", "turn", "merger"),
        "four-certificates": ("turn", "order"),
        "no-order": ("turn",),
        "end-first": ("turn", "order"),
        "column-0": ("turn", "merger"),
        "column-13": ("turn", "merger"),
        "row-j": ("turn", "merger"),
        "unknown-hotel": ("turn", "merger", "order"),
        "sells-minus-1": ("dispose",),
        "trades-26": ("dispose",),
        "empty-name": ("signup",),
        "long-name": ("signup",),
    },
}
"""The faults that are not everywhere, and the steps whose answers give an opening for them."""

EXPECTED = {
    "signup": ("signup",),
    "turn": ("pbuy", "placement"),
    "keep": ("keep",),
    "replace": ("replace",),
    "dispose": ("dispose",),
    "merger": ("placement",),
    "order": ("order",),
}
"""What is expected at a step; elsewhere a ``<void/>``."""

ILLEGAL_ANYWHERE = {
    "turn-tile-not-in-hand": Violation.NOT_IN_HAND,
    "turn-tile-on-board": Violation.NOT_IN_HAND,
    "turn-founds-unnamed": Violation.NO_HOTEL_NAMED,
    "turn-merges-unnamed": Violation.NO_HOTEL_NAMED,
    "turn-names-for-growing": Violation.HOTEL_NOT_DUE,
    "turn-names-for-nothing": Violation.HOTEL_NOT_DUE,
    "turn-founds-again": Violation.HOTEL_ON_BOARD,
    "turn-merges-nothing": Violation.NOT_A_MERGER,
    "turn-merges-with-order": Violation.MERGER_WITH_ORDER,
    "turn-survivor-not-involved": Violation.NOT_INVOLVED,
    "turn-survivor-not-largest": Violation.NOT_LARGEST,
    "turn-no-price": Violation.NO_PRICE,
    "turn-sold-out": Violation.SOLD_OUT,
    "turn-too-dear": Violation.TOO_DEAR,
    "order-no-price": Violation.NO_PRICE,
    "order-sold-out": Violation.SOLD_OUT,
    "order-too-dear": Violation.TOO_DEAR,
}
ILLEGAL_ONLY_IN = {
    Dialect.COURSE: {
        "turn-tile-of-another": Violation.NOT_IN_HAND,
        "turn-beside-loose": Violation.BESIDE_LOOSE,
        "turn-safe-merger": Violation.SAFE_MERGER,
        "turn-founds-an-eighth": Violation.HOTEL_NOT_DUE,
        "turn-mixed": Violation.MIXED_ORDER,
        "keep-one-too-many": Violation.KEEP_COUNT,
        "keep-one-too-few": Violation.KEEP_COUNT,
        "order-mixed": Violation.MIXED_ORDER,
    },
    Dialect.FULL: {
        "turn-places-an-eighth": Violation.EIGHTH_HOTEL,
        "turn-merges-two-safe": Violation.TWO_SAFE,
        "turn-equals-wrong": Violation.WRONG_EQUALS,
        "turn-places-none": Violation.PLACEMENT_DUE,
        "turn-declares-falsely": Violation.NOT_OVER,
        "dispose-odd-trade": Violation.ODD_TRADE,
        "dispose-sells-too-many": Violation.NOT_OWNED,
        "dispose-trades-too-many": Violation.NOT_OWNED,
        "dispose-sells-what-it-trades": Violation.NOT_OWNED,
        "dispose-trade-sold-out": Violation.TRADE_TOO_LARGE,
        "merger-another-tile": Violation.OTHER_TILE,
        "merger-merges-unnamed": Violation.NO_HOTEL_NAMED,
        "merger-survivor-not-involved": Violation.NOT_INVOLVED,
        "merger-survivor-not-largest": Violation.NOT_LARGEST,
        "merger-equals-wrong": Violation.WRONG_EQUALS,
        "order-declares-falsely": Violation.NOT_OVER,
    },
}

_NO_RULE_OF_THE_DIALECT = {
    Violation.TOO_MANY,  # the schema refuses four certificates
    Violation.SAFE_MERGER,
    Violation.BESIDE_LOOSE,
    Violation.KEEP_COUNT,
    Violation.MIXED_ORDER,
}
CANNOT_BE_BROKEN = {
    REVISED: {
        Violation.TOO_MANY,  # the schema refuses three certificates
        Violation.EIGHTH_HOTEL,  # it is not founded, but nothing is refused
        Violation.TWO_SAFE,
        Violation.WRONG_EQUALS,
        Violation.PLACEMENT_DUE,
        Violation.OTHER_TILE,
        Violation.ODD_TRADE,
        Violation.NOT_OWNED,
        Violation.TRADE_TOO_LARGE,
        Violation.NOT_OVER,
    },
    CORPORATIONS: {*_NO_RULE_OF_THE_DIALECT, Violation.OTHER_TILE},
    CLASSIC: _NO_RULE_OF_THE_DIALECT,
    WIKIPEDIA: {*_NO_RULE_OF_THE_DIALECT, Violation.OTHER_TILE},
    DIGEST: {*_NO_RULE_OF_THE_DIALECT, Violation.OTHER_TILE},
}
"""The rules that no answer of a player can break, by rulebook."""


def step_names(rulebook: Rulebook) -> list[str]:
    """The steps that there should be under a rulebook."""
    steps = STEPS_OF[Dialect.of(rulebook)]
    asks = rulebook.stuck_hand is StuckHand.MAY_REPLACE
    absent = {*(() if rulebook.market_for_two else FOR_TWO), *(() if asks else ("replace",))}
    return [step for step in steps if step not in absent]


def illegal(rulebook: Rulebook) -> dict[str, Violation]:
    """The illegal moves that there should be."""
    moves = {**ILLEGAL_ANYWHERE, **ILLEGAL_ONLY_IN[Dialect.of(rulebook)]}
    steps = step_names(rulebook)
    return {name: rule for name, rule in moves.items() if name.partition("-")[0] in steps}


def expected_at(step: str) -> tuple[str, ...]:
    """What a player may send at a step."""
    return EXPECTED.get(step, ("void",))


# -- its members -------------------------------------------------------------------------------


@every_rulebook
def test_steps_are_those_at_which_a_player_answers(rulebook: Rulebook) -> None:
    assert [step.name for step in steps_for(rulebook)] == step_names(rulebook)


@every_rulebook
def test_faults_that_any_answer_gives_an_opening_for_are_at_every_step(rulebook: Rulebook) -> None:
    everywhere = {f"{step}-{way}" for step in step_names(rulebook) for way in EVERYWHERE}
    assert everywhere <= cast_for(rulebook).keys()


@every_rulebook
def test_other_faults_are_at_the_steps_whose_answers_give_an_opening(rulebook: Rulebook) -> None:
    steps, cast = step_names(rulebook), cast_for(rulebook)
    expected = ONLY_AT[Dialect.of(rulebook)]
    found = {
        way.name: tuple(step for step in steps if f"{step}-{way.name}" in cast)
        for way in broken_answers(lambda _: True)
        if way.name not in EVERYWHERE
    }
    assert {way: at for way, at in found.items() if at} == {
        way: tuple(step for step in at if step in steps) for way, at in expected.items()
    }


def test_every_fault_is_in_the_cast_of_some_rulebook() -> None:
    tried = {*EVERYWHERE, *ONLY_AT[Dialect.COURSE], *ONLY_AT[Dialect.FULL]}
    assert {way.name for way in broken_answers(lambda _: True)} == tried


@every_rulebook
def test_every_message_that_is_not_expected_at_a_step_is_sent_by_a_member(
    rulebook: Rulebook,
) -> None:
    steps = step_names(rulebook)
    words = {word for step in steps for word in expected_at(step)} | {"keep"}
    for step in steps:
        says = f"{step}-says-"
        said = {name.removeprefix(says) for name in cast_for(rulebook) if name.startswith(says)}
        assert said == words.difference(expected_at(step)), step


@every_rulebook
def test_illegal_moves_are_those_that_break_a_rule_of_the_rulebook(rulebook: Rulebook) -> None:
    found = {name: member.violation for name, member in cast_for(rulebook).items()}
    assert {name: rule for name, rule in found.items() if rule} == illegal(rulebook)


@every_rulebook
def test_cast_has_no_other_members(rulebook: Rulebook) -> None:
    steps = step_names(rulebook)
    words = {word for step in steps for word in expected_at(step)} | {"keep"}
    everywhere = len(steps) * len(EVERYWHERE)
    in_places = sum(
        sum(step in steps for step in at) for at in ONLY_AT[Dialect.of(rulebook)].values()
    )
    said = sum(len(words.difference(expected_at(step))) for step in steps)
    assert len(cast_for(rulebook)) == everywhere + in_places + said + len(illegal(rulebook))


@every_rulebook
def test_every_violation_that_a_player_can_commit_is_in_the_cast(rulebook: Rulebook) -> None:
    broken = {member.violation for member in cast_for(rulebook).values()} - {None}
    assert broken == {*Violation} - CANNOT_BE_BROKEN[rulebook]


@every_rulebook
def test_every_reason_to_eject_a_player_is_in_the_cast(rulebook: Rulebook) -> None:
    # the other two are no fault of a player
    reasons = {member.reason for member in cast_for(rulebook).values()}
    assert reasons == {*Reason} - {Reason.NO_SEAT, Reason.INTERRUPTED}


# -- each of them -------------------------------------------------------------------------------


@every_rulebook
def test_members_that_break_a_rule_are_to_be_ejected_for_an_illegal_move(
    rulebook: Rulebook,
) -> None:
    for name, member in cast_for(rulebook).items():
        assert (member.reason is Reason.ILLEGAL) is (member.violation is not None), name


@every_rulebook
def test_each_member_is_named_after_its_step_and_its_way(rulebook: Rulebook) -> None:
    for name, member in cast_for(rulebook).items():
        assert name == member.name == f"{member.step.name}-{member.way}"
        assert member.step in steps_for(rulebook)


@every_rulebook
def test_members_of_one_name_are_ejected_for_the_same_under_every_rulebook(
    rulebook: Rulebook,
) -> None:
    """So a name tells what to expect, and ``--cast`` has one line for it."""
    for name, member in cast_for(rulebook).items():
        for other in RULEBOOKS.values():
            if (namesake := cast_for(other).get(name)) is not None:
                assert namesake.reason is member.reason, (name, other.id)
                assert namesake.violation is member.violation, (name, other.id)
                assert namesake.description == member.description, (name, other.id)
