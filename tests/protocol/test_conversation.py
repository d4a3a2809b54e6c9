"""Who may say what, and when: every step, side and message, against the protocol's own account."""

from __future__ import annotations

import pytest

from protocol.conversation import TABLE, Conversation, Side, Step, allowed, diagram, spoke_ahead
from protocol.faults import Fault, Misspoken, ProtocolError, Reason
from protocol.messages import TAGS

MESSAGES = sorted(set(TAGS.values()))

ACCOUNT = """
connected      P  signup     signed up
signed up      A  signup     seated
seated         A  state      informed
informed       P  void       waiting
waiting        A  turn       moving
waiting        A  keep       keeping
waiting        A  state      informed
waiting        A  score      scored
keeping        P  keep       waiting
moving         P  pbuy       moved
moving         P  placement  merging
merging        A  keep       mover keeping
mover keeping  P  keep       merged
merged         A  players    ordering
ordering       P  order      moved
moved          A  tile       drawing
moved          A  score      scored
drawing        P  void       waiting
scored         P  void       over
"""
"""At this step, this side may say this, and the next step is that."""

NEXT = {
    (Step(line[:15].strip()), Side(line[15]), line[18:29].strip()): Step(line[29:].strip())
    for line in ACCOUNT.strip().splitlines()
} | {(step, Side.ADMINISTRATOR, "ejected"): Step.OVER for step in Step if step is not Step.OVER}

OTHER = {Side.ADMINISTRATOR: Side.PLAYER, Side.PLAYER: Side.ADMINISTRATOR}

EVERY_PAIR = pytest.mark.parametrize(
    ("step", "side", "message"),
    [
        pytest.param(step, side, message, id=f"{step.value}-{side.value}-{message}")
        for step in Step
        for side in Side
        for message in MESSAGES
    ],
)

TURNS = {
    "plain": "A turn  P pbuy  A tile  P void  A state  P void",
    "merger": "A turn  P placement  A keep  P keep  A players  P order  A tile  P void"
    "  A state  P void",
    "another's": "A state  P void",
    "another's merger": "A keep  P keep  A state  P void",
    "last": "A score  P void",
    "last, the bag empty": "A turn  P pbuy  A score  P void",
    "last, the bag empty after a merger": "A turn  P placement  A keep  P keep  A players  P order"
    "  A score  P void",
}


def test_a_conversation_is_begun_by_the_players_sign_up() -> None:
    for one in (Conversation.of_administrator(), Conversation.of_player()):
        assert one.step is Step.CONNECTED


def test_table_has_each_step_and_message_of_a_side_once() -> None:
    keys = [(row.step, row.side, row.message) for row in TABLE]
    assert len(keys) == len(set(keys))


@EVERY_PAIR
def test_say_goes_on_or_is_misspoken(step: Step, side: Side, message: str) -> None:
    one = Conversation(side, step)
    then = NEXT.get((step, side, message))
    if then is None:
        with pytest.raises(Misspoken, match=f"^<{message}> cannot be said while {step.value}$"):
            one.say(message)
        assert one.step is step
    else:
        one.say(message)
        assert one.step is then


@EVERY_PAIR
def test_hear_goes_on_or_is_out_of_turn(step: Step, side: Side, message: str) -> None:
    one = Conversation(OTHER[side], step)
    then = NEXT.get((step, side, message))
    fault = one.hear(message, b"what came")
    if then is None:
        assert fault is not None
        assert fault.reason is Reason.OUT_OF_TURN
        assert fault.detail.startswith(f"<{message}> came, due was ")
        assert fault.data == b"what came"
        assert one.step is step
    else:
        assert fault is None
        assert one.step is then


@pytest.mark.parametrize(
    ("step", "due"),
    [
        (Step.CONNECTED, "<signup>"),
        (Step.MOVING, "<pbuy> or <placement>"),
        (Step.INFORMED, "<void>"),
        (Step.WAITING, "nothing"),
        (Step.OVER, "nothing"),
    ],
)
def test_out_of_turn_fault_says_what_came_and_what_was_due(step: Step, due: str) -> None:
    one = Conversation.of_administrator(step)
    assert one.due() == due
    fault = one.hear("order", b"<order/>")
    assert fault is not None
    assert fault.detail == f"<order> came, due was {due}."


def test_out_of_turn_administrator_is_told_all_that_was_due() -> None:
    fault = Conversation(Side.PLAYER, Step.MOVED).hear("state", b"")
    assert fault is not None
    assert fault.detail == "<state> came, due was <tile> or <score> or <ejected>."


@pytest.mark.parametrize("step", Step)
def test_allowed_lists_what_each_side_may_say(step: Step) -> None:
    for side in Side:
        said = [message for at, by, message in NEXT if (at, by) == (step, side)]
        assert sorted(allowed(step, side)) == sorted(said)


@pytest.mark.parametrize("step", [step for step in Step if step is not Step.OVER])
def test_only_one_side_speaks_at_a_step_ejections_apart(step: Step) -> None:
    speaking = [side for side in Side if set(allowed(step, side)) - {"ejected"}]
    assert len(speaking) == 1


@pytest.mark.parametrize("step", [step for step in Step if step is not Step.OVER])
def test_player_can_be_ejected_whenever_the_conversation_is_not_over(step: Step) -> None:
    one, peer = Conversation.of_administrator(step), Conversation(Side.PLAYER, step)
    one.say("ejected")
    assert peer.hear("ejected", b"") is None
    assert one.step is peer.step is Step.OVER


def reachable(start: Step, *, ejections: bool) -> set[Step]:
    """The steps that can come after a step, itself included."""
    found, fresh = {start}, [start]
    while fresh:
        step = fresh.pop()
        for row in TABLE:
            if row.step is step and row.then not in found:
                if row.message == "ejected" and not ejections:
                    continue
                found.add(row.then)
                fresh.append(row.then)
    return found


def test_every_step_can_be_reached_from_the_connection() -> None:
    assert reachable(Step.CONNECTED, ejections=False) == set(Step)


@pytest.mark.parametrize("step", Step)
def test_every_step_can_reach_the_end_without_an_ejection(step: Step) -> None:
    assert Step.OVER in reachable(step, ejections=False)


def test_nothing_is_said_after_the_end() -> None:
    assert [row for row in TABLE if row.step is Step.OVER] == []


def converse(said: str, administrator: Conversation, player: Conversation) -> None:
    """Let both ends say and hear what a script says, and stay at the same step."""
    words = said.split()
    for side, message in zip(words[::2], words[1::2], strict=True):
        speaker, hearer = (administrator, player) if side == "A" else (player, administrator)
        speaker.say(message)
        assert hearer.hear(message, b"") is None
        assert administrator.step is player.step


@pytest.mark.parametrize("last", [name for name in TURNS if name.startswith("last")])
def test_both_ends_walk_a_whole_match_side_by_side(last: str) -> None:
    administrator, player = Conversation.of_administrator(), Conversation.of_player()
    converse("P signup  A signup  A state  P void", administrator, player)
    for turn in ["plain", "another's", "merger", "another's merger", "another's", "plain"]:
        converse(TURNS[turn], administrator, player)
        assert player.step is Step.WAITING
    converse(TURNS[last], administrator, player)
    assert player.step is Step.OVER


def test_misspoken_is_the_packages_own_exception() -> None:
    assert issubclass(Misspoken, ProtocolError)


@pytest.mark.parametrize(
    ("surplus", "shown"),
    [
        (b"<void/>", "'<void/>'"),
        (b"\xff\n", "'\\\\xff\\n'"),
        (b"<a>" + b"b" * 100, "'<a>" + "b" * 37 + "'"),
    ],
    ids=["message", "not-utf-8", "long"],
)
def test_who_spoke_ahead_is_out_of_turn_and_told_what_was_too_much(
    surplus: bytes, shown: str
) -> None:
    assert spoke_ahead("<order>", surplus, b"<order/>" + surplus) == Fault(
        Reason.OUT_OF_TURN,
        f"<order> was due, and {shown} came beyond it: say one message when asked, and nothing "
        "else.",
        b"<order/>" + surplus,
    )


def test_diagram_draws_every_row_of_the_table_but_ejections() -> None:
    lines = diagram().splitlines()
    drawn = {line.strip() for line in lines if ">" in line and "[*]" not in line}
    assert drawn == {
        f"{step.value.replace(' ', '_')} --> {then.value.replace(' ', '_')} : {side.value}> {said}"
        for (step, side, said), then in NEXT.items()
        if said != "ejected"
    }


def test_diagram_begins_and_ends_where_a_connection_does() -> None:
    lines = diagram().splitlines()
    assert lines[:2] == ["stateDiagram-v2", "    [*] --> connected"]
    assert lines[-1] == "    over --> [*]"
    assert diagram().endswith("\n")


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence_of_its_own(reason: Reason) -> None:
    assert reason.sentence.endswith(".")
    assert [other for other in Reason if other.sentence == reason.sentence] == [reason]


def test_fault_reads_as_its_reasons_sentence_and_its_detail() -> None:
    fault = Fault(Reason.TIMED_OUT, "1 s were allowed.")
    assert str(fault) == "No complete answer came in time. 1 s were allowed."
    assert fault.data == b""
