"""Games that other people's programs played agree with our rules, but for what is documented.

Their logs verify, and each turn of them is what the other program reported. That needs no file from
outside the repository; ``tests/golden/others/README.md`` says what the files are.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import succeed
from oracle_files import (
    CLASSIC_GAMES,
    CLASSIC_POSITIONS,
    CLASSIC_RARE_GAMES,
    MESSAGES_HERE,
    OTHERS,
    REVISED_GAMES,
    STREAM_HERE,
    STREAMS,
    STUDENT_MESSAGES,
    TEXTS_HERE,
    WIRE_GAMES,
    lines,
    needs,
)
from others_features import Features, features_of
from others_games import Differs, Follower, Report, reports_of
from others_sample import messages, sample_games, shortest_stream, texts, write_game

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play.events import Event

LOGS = sorted(OTHERS.glob("*.xml.gz"))

DIFFERENCES = {
    "revised": {Differs.TRUNCATED: 7, Differs.LAST_TILE: 2},
    "classic": {Differs.REPLACED_AGAIN: 6, Differs.ALL_TILES: 6},
}
"""How often the games differ, each in a way that the README explains."""

RARE = {
    "revised": {
        *(f"{count} players" for count in (3, 4, 5, 6)),
        *(f"ending: {how}" for how in ("final", "no-placeable-tile", "tiles-exhausted")),
        *(f"{count} hotels merge" for count in (2, 3)),
        "2 hotels tie for survivor",
        *(f"{count} tie for the majority" for count in (2, 3, 4)),
        *(f"{count} tie for the minority" for count in (2, 3)),
        "all seven on the board",
        "bank sold out",
        "founded while a hotel is sold out",
        "no certificate of the survivor left",
        "one holder",
    },
    "classic": {
        *(f"{count} players" for count in (2, 3, 4, 5, 6)),
        *(f"ending: {how}" for how in ("declared", "all-tiles-placed", "dead-round")),
        *(f"{count} hotels merge" for count in (2, 3, 4)),
        *(f"{count} hotels tie for survivor" for count in (2, 3)),
        "acquired hotels tie",
        *(f"{count} tie for the majority" for count in (2, 3, 4, 5)),
        *(f"{count} tie for the minority" for count in (2, 3, 4, 5)),
        "all seven on the board",
        "bank sold out",
        "dead tile set aside",
        "founded while a hotel is sold out",
        "merger beside a safe hotel",
        "no certificate of the survivor left",
        "nothing placed",
        "one holder",
        "trade takes the bank's last",
    },
}


class Followed(NamedTuple):
    """What a log showed when it was verified and compared."""

    rulebook: str
    differences: list[tuple[int, Differs]]
    features: set[str]


def follow(log: Path, reports: list[Report]) -> Followed:
    """Verify a log, and assert that every turn is as it was reported."""
    record, follower, features = read(log), Follower(reports), Features()

    def tell(event: Event) -> None:
        follower(event)
        features(event)

    verdict = Verifier(record, tell).verify()
    assert verdict.divergence is None
    follower.finish()
    found = features.found | features_of(reports)
    return Followed(record.header.rulebook.id, follower.differences, found)


@cache
def followed(log: Path) -> Followed:
    return follow(log, reports_of(log))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name.partition(".")[0])
def test_game_of_another_program_is_as_that_program_reported(log: Path) -> None:
    assert followed(log)


@pytest.mark.parametrize("rulebook", ["revised", "classic"])
def test_games_differ_as_often_as_documented_and_show_all_that_is_rare(rulebook: str) -> None:
    games = [followed(log) for log in LOGS if log.name.startswith(rulebook)]
    assert len(games) == 20 and {game.rulebook for game in games} == {rulebook}
    found = Counter(differs for game in games for _, differs in game.differences)
    assert found == DIFFERENCES[rulebook]
    assert set.union(*(game.features for game in games)) >= RARE[rulebook]


@pytest.mark.parametrize("name", ["revised-54", "classic-58"])
def test_logs_of_other_programs_games_verify_on_the_command_line(name: str) -> None:
    assert "log complete" in succeed("replay", OTHERS / f"{name}.xml.gz", "--verify").output


# -- the larger sets give the same files ---------------------------------------------------------


@pytest.mark.soak
@needs(REVISED_GAMES)
@needs(CLASSIC_GAMES)
@needs(CLASSIC_RARE_GAMES)
def test_sample_of_games_is_chosen_again() -> None:
    chosen = [*sample_games("revised"), *sample_games("classic")]
    assert {f"{name}.xml.gz" for name in chosen} == {log.name for log in LOGS}


@needs(REVISED_GAMES)
@needs(CLASSIC_GAMES)
@needs(CLASSIC_RARE_GAMES)
def test_sample_of_games_is_converted_again(tmp_path: Path) -> None:
    for log in LOGS[::5]:
        write_game(log.name.removesuffix(".xml.gz"), tmp_path)
    written = sorted(tmp_path.iterdir())
    assert len(written) == 2 * len(LOGS[::5])
    for path in written:
        assert [*lines(path)] == [*lines(OTHERS / path.name)]


@needs(WIRE_GAMES)
@needs(STUDENT_MESSAGES)
def test_sample_of_messages_is_chosen_again() -> None:
    assert [*messages()] == [*lines(MESSAGES_HERE)]


@needs(CLASSIC_POSITIONS)
def test_sample_of_texts_is_chosen_again() -> None:
    assert [*texts()] == [*lines(TEXTS_HERE)]


@needs(STREAMS)
def test_sampled_stream_is_chosen_again() -> None:
    assert [*shortest_stream()] == [*lines(STREAM_HERE)]
