"""Games that other people's programs played agree with our rules, but for what is documented.

Their logs verify, and each turn of them is what the other program reported. That needs no file from
outside the repository; ``tests/golden/others/README.md`` says what the files are.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command_line import succeed
from loops import in_soak
from oracle_files import (
    CLASSIC_GAMES,
    CLASSIC_POSITIONS,
    CLASSIC_RARE_GAMES,
    MESSAGES_HERE,
    MORE,
    OTHERS,
    REVISED_GAMES,
    STREAM_HERE,
    STREAMS,
    STUDENT_MESSAGES,
    TEXTS_HERE,
    WIRE_GAMES,
    json_lines,
    lines,
    needs,
)
from others_conversion import play
from others_features import Features, features_of
from others_games import Differs, Follower, Report, agree_on_the_deal, reports_of
from others_sample import GAMES, READERS, messages, sample_games, shortest_stream, texts, write_game
from positions import names, tiles

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play.events import Event
from acquire.game.rulebooks import CLASSIC
from acquire.game.state import deal, start_tiles
from acquire.game.tiles import column_of, row_of, tile_name

LOGS = sorted(OTHERS.glob("*.xml.gz"))
IN_SOAK = sorted(MORE.glob("*.xml.gz"))

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
    if "bag" in reports[0]:
        agree_on_the_deal(reports[0])
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


@pytest.mark.parametrize(
    "log", [*LOGS, *in_soak(*IN_SOAK)], ids=lambda log: log.name.partition(".")[0]
)
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


# -- what was reported counts --------------------------------------------------------------------


def altered(report: Report) -> Iterator[tuple[str, Report]]:
    """For each thing that a report has, the report with another value of it."""
    for key, value in report.get("sheet", {}).items():
        yield key, report | {"sheet": report["sheet"] | {key: another(value)}}
    for key, value in report.items():
        if key != "sheet" and value:
            yield key, report | {key: another(value)}


def another(value: object) -> object:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 100
        case str():
            return value.replace("A", "B") if "A" in value else value + "A"
        case list():
            return [another(value[0]), *value[1:]]
        case dict():
            return {key: another(each) for key, each in value.items()}
    raise AssertionError(value)


def agrees(log: Path, reports: list[Report]) -> bool:
    """Whether a log is as these reports say."""
    try:
        return bool(follow(log, reports))
    except (AssertionError, KeyError):  # it is another position, or there is no such name
        return False


ALWAYS = {"player", "tile", "merged", "board", "cash", "shares", "tiles", "ending", "scores"}
REPORTED = {
    "revised": {*ALWAYS, "kind", "hotel"},
    "classic": {
        *ALWAYS,
        *("bag", "drew", "legal", "choices", "bonuses", "disposals", "can_end"),
        *("worth", "bank", "sizes", "prices"),
    },
}


@pytest.mark.parametrize("name", ["revised-54", "classic-rare-13"])
def test_any_other_report_of_a_turn_is_noticed(name: str) -> None:
    log = OTHERS / f"{name}.xml.gz"
    reports = reports_of(log)
    tried: dict[str, list[Report]] = {}
    for place, report in enumerate(reports):
        for key, other in altered(report):
            tried.setdefault(key, [*reports[:place], other, *reports[place + 1 :]])
    assert [key for key, others in tried.items() if agrees(log, others)] == []
    assert tried.keys() >= REPORTED[name.partition("-")[0]]


# -- the larger sets -----------------------------------------------------------------------------

ALL_DIFFERENCES = {
    "revised": {Differs.TRUNCATED: 9, Differs.LAST_TILE: 2},
    "classic": {Differs.REPLACED_AGAIN: 32, Differs.ALL_TILES: 12},
    "classic-rare": {Differs.REPLACED_AGAIN: 4, Differs.ALL_TILES: 4},
}
"""How often all games of a file differ, which are 60, 60 and 17."""


def recorded_games(prefix: str) -> list[Any]:
    """All games of a larger set, by what the names of its games begin with."""
    return json_lines(GAMES[prefix.partition("-")[0]][prefix])


def played_again(prefix: str, number: int, game: Any) -> list[Differs]:
    """Play a recorded game, assert that each turn is as reported, and return the differences."""
    recorded = READERS[prefix.partition("-")[0]](game)
    follower = Follower(recorded.reports)
    play(recorded, number, follower)
    follower.finish()
    return [differs for _, differs in follower.differences]


@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param("revised", marks=needs(REVISED_GAMES)),
        pytest.param("classic", marks=needs(CLASSIC_GAMES)),
        pytest.param("classic-rare", marks=needs(CLASSIC_RARE_GAMES)),
    ],
)
def test_every_game_of_another_program_is_as_that_program_reported(prefix: str, soak: bool) -> None:
    games = [*enumerate(recorded_games(prefix), start=1)]
    every = 1 if soak or prefix == "classic-rare" else 4
    found = Counter[Differs]()
    for number, game in games[::every]:
        try:
            found.update(played_again(prefix, number, game))
        except AssertionError as failure:
            failure.add_note(f"in recorded game {prefix}-{number}")
            raise
    if every == 1:
        assert found == ALL_DIFFERENCES[prefix]


@needs(CLASSIC_GAMES)
@needs(CLASSIC_RARE_GAMES)
def test_recorded_bag_is_dealt_as_recorded_but_for_the_order_of_the_seats() -> None:
    """There the players sit in the order of the tiles that they drew for the start."""
    for game in [*recorded_games("classic"), *recorded_games("classic-rare")]:
        begin, bag = game["steps"][0]["after"], tiles(" ".join(game["tile_bag"]))
        said = [message.split() for message in begin["messages"]]
        drew = [(words[0], words[2]) for words in said if words[1] == "DrewPositionTile"]
        signed_up = [name for name, _ in drew]
        starts = start_tiles(CLASSIC, signed_up, bag)
        assert drew == [(name, tile_name(tile)) for name, tile in starts]
        dealt = deal(CLASSIC, signed_up, bag)
        assert dealt.mover.name == "0", "who starts"
        racks = [sorted(filter(None, rack)) for rack in begin["racks"]]
        assert [sorted(names(player.hand).split()) for player in dealt.players] == racks
        by_tile = sorted(starts, key=lambda drawn: (column_of(drawn[1]), row_of(drawn[1])))
        assert [name for name, _ in by_tile] == sorted(signed_up)


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
