"""Misbehaving players as users have them: as processes, many at one table, game after game."""

import gc
import sys
from functools import partial
from pathlib import Path

import pytest
import trio
from command_line import ACQUIRE
from encounters import misbehave, sit_down, sit_down_after
from loopback import PATIENT, serving, verified
from misbehaviour import deal_for, plays, seats_for

from acquire.admin.refereeing.table.clocks import Clocks
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED, WIKIPEDIA
from acquire.player.misbehaving.cast import Member, cast_for
from acquire.protocol.faults import Reason

# -- as processes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulebook", "name"),
    [
        (REVISED, "tile-goes-away-half"),
        (CLASSIC, "signup-utf-16"),
        *(
            pytest.param(rulebook, name, marks=pytest.mark.soak)
            for rulebook, name in (
                (REVISED, "setup-crashes"),
                (CORPORATIONS, "dispose-odd-trade"),
                (REVISED, "signup-doctype-bomb"),
                (REVISED, "turn-dribble"),
                (REVISED, "turn-floods"),
                (REVISED, "turn-tile-not-in-hand"),
                (REVISED, "keep-speaks-ahead"),
                (REVISED, "state-stray-text"),
                (CLASSIC, "merger-silent"),
                (CLASSIC, "turn-declares-falsely"),
                (CLASSIC, "market-nul"),
                (WIKIPEDIA, "turn-unknown-hotel"),
            )
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value.id,
)
async def test_player_process_prints_why_it_was_ejected(
    rulebook: Rulebook, name: str, tmp_path: Path
) -> None:
    member = cast_for(rulebook)[name]
    others = ["b", "c"][: seats_for(member) - 1]
    clocks = Clocks(2, 2) if member.reason is Reason.TIMED_OUT else PATIENT
    async with serving(
        tmp_path,
        rulebook=rulebook,
        players=seats_for(member),
        seed=deal_for(rulebook, member),
        clocks=clocks,
    ) as (_, witness):
        command = [ACQUIRE, "play", "127.0.0.1", str(witness.port), "--name", "mallory"]
        run = partial(
            trio.run_process,
            [*command, "--strategy", name],
            capture_stdout=True,
            capture_stderr=True,
            check=False,
        )
        if not plays(member):
            process = await run()
            await sit_down(witness, "a", "b", "c", rulebook=rulebook)
        else:
            sit_others = partial(sit_down_after, witness, "mallory", *others, rulebook=rulebook)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(sit_others)
                process = await run()
    assert process.returncode == 1
    assert process.stdout == (b"Signed up as mallory.\n" if plays(member) else b"")
    (line,) = process.stderr.decode().splitlines()
    outcome = witness.games[1].outcome
    assert [(left.name, left.reason, left.violation) for left in outcome.ejected] == (
        [("mallory", member.reason, member.violation)] if plays(member) else []
    )
    if name == "setup-crashes":
        assert (
            line == "mallory: The connection was closed or lost. This player reset the connection."
        )
    else:
        assert line.startswith(f"mallory: ejected ({member.reason.value}). ")
    verified(witness.games[1].log)


# -- many at one table --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulebook", "rogues"),
    [
        (REVISED, ("turn-mixed", "tile-not-xml", "state-crashes", "keep-says-void")),
        (CLASSIC, ("turn-places-none", "tile-not-xml", "state-crashes", "dispose-sells-too-many")),
    ],
    ids=["revised", "classic"],
)
async def test_honest_players_finish_beside_four_who_misbehave(
    rulebook: Rulebook, rogues: tuple[str, ...], tmp_path: Path
) -> None:
    cast = cast_for(rulebook)
    async with (
        serving(tmp_path, rulebook=rulebook, players=6, seed=3) as (_, witness),
        trio.open_nursery() as nursery,
    ):
        for count, name in enumerate(rogues, 1):  # with other seats it would be another game
            nursery.start_soon(
                trio.to_thread.run_sync, misbehave, witness.port, rulebook, cast[name]
            )
            await witness.until_signed_up(*rogues[:count])
        nursery.start_soon(partial(sit_down, witness, "h1", "h2", rulebook=rulebook))
    outcome = witness.games[1].outcome
    assert {left.name: left.reason for left in outcome.ejected} == {
        name: cast[name].reason for name in rogues
    }
    assert {place.name for place in outcome.standings if place.finished} == {"h1", "h2"}
    verified(witness.games[1].log)


# -- memory -------------------------------------------------------------------------------------

SOME = ("turn-floods", "state-goes-away-half", "signup-not-utf-8")
GROWTH = 150
"""Blocks of memory that a game may leave behind: the interpreter keeps a few lists."""


async def play_beside_others(rulebook: Rulebook, member: Member, log_dir: Path) -> None:
    """Let a member play a game beside two players who behave well."""
    seed = deal_for(rulebook, member)
    async with serving(log_dir, rulebook=rulebook, seed=seed) as (_, witness):
        play = partial(trio.to_thread.run_sync, misbehave, witness.port, rulebook, member)
        if not plays(member):
            await play()
            await sit_down(witness, "a", "b", "c", rulebook=rulebook)
        else:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(play)
                await sit_down_after(witness, member.name, "b", "c", rulebook=rulebook)


async def test_memory_does_not_grow_from_game_to_game(tmp_path: Path, soak: bool) -> None:
    async def play_round(number: int) -> int:
        for name in SOME:
            member = cast_for(REVISED)[name]
            await play_beside_others(REVISED, member, tmp_path / f"{number}-{name}")
        gc.collect()
        return sys.getallocatedblocks()

    for number in range(2):
        first = await play_round(number)  # what is read, rendered and remembered
    rounds = 20 if soak else 1
    for number in range(2, 2 + rounds):
        last = await play_round(number)
    assert (last - first) / (rounds * len(SOME)) < GROWTH
