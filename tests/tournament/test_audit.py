"""A forged tournament is found out, by a sentence that names what was forged; an honest one holds.

The forger can change the store with SQL, and all files of the report. It may compute the chain
again (without the key), or even be the owner of the key: then the rules, the schedule and the
commitment still hold it to the truth.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import struct
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from forging import (
    ALARM,
    GAMES,
    Forged,
    chain_again,
    change_log,
    change_result,
    command,
    connected,
    play,
    write_whole_report,
)
from tournament_process import TournamentFolder, built_in

from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.log.recorder import Recorder
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.admin.refereeing.play.events import LaidOut
from acquire.admin.refereeing.table.server_events import to_each
from acquire.admin.tournament.auditing.game_checks import (
    audit_game,
    differences,
    header_differences,
)
from acquire.admin.tournament.games.entries import MAX_VOIDS
from acquire.admin.tournament.games.result import FailedGame, FinishedGame
from acquire.admin.tournament.planning.facts import stored_facts
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.reporting.published import FileEntry, Manifest, sign_manifest
from acquire.admin.tournament.run.built_in import play_batch
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.store.store import Store
from acquire.game.rulebooks import REVISED

GAME, OTHER = "d1-t1-s1", "d1-t1-s2"
"""The two games that were played to the end; the first has an alarm, an output, a void attempt."""


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Forged:
    return play(tmp_path_factory.mktemp("honest"))


@pytest.fixture
def forged(honest: Forged, tmp_path: Path) -> Forged:
    return honest.copy(tmp_path / "forged")


def audit(what: Path, *options: object) -> tuple[int, dict[str, Any]]:
    done = command("audit", what, "--json", *options)
    return done.exit_code, json.loads(done.stdout)


def checks_of(found: dict[str, Any]) -> dict[str, str]:
    """Return what was checked, by the names of the checks."""
    return {check["check"]: check["checked"] for check in found["checks"]}


def findings(what: Path, *options: object) -> str:
    """Return all findings of an audit that does not hold, one per line."""
    code, found = audit(what, *options)
    sentences = [sentence for check in found["checks"] for sentence in check["findings"]]
    assert (code, found["holds"]) == ((1, False) if sentences else (0, True))
    return "\n".join(sentences)


# -- honest -------------------------------------------------------------------------------------


def test_honest_tournament_holds(honest: Forged) -> None:
    for what in (honest.file, honest.store, honest.report, honest.report / "index.html"):
        code, found = audit(what, "--key", honest.key)
        assert (code, found["holds"], found["key"]) == (0, True, honest.key), found
        checked = checks_of(found)
        assert checked.pop("Chain").startswith(f"{GAMES + 1} rows linked")
        assert checked.items() >= {
            ("Rows", f"{GAMES} games, 1 void"),
            ("Logs", f"{GAMES} played again by the rules"),
            ("Results", f"{GAMES} recomputed from their logs"),
            ("Schedule", f"{GAMES} of {GAMES} games"),
            ("Bags", f"{GAMES} from the revealed secret"),
        }
        assert not any(check["not_checked"] for check in found["checks"])
        assert len(found["commitments"]) == 1
        (said,) = [line for line in found["testimony"] if "lost connections" in line]
        assert said.endswith("2; of these, crashed or never started: 2.")


def test_audit_prints_a_line_for_each_check_and_the_key(honest: Forged) -> None:
    text = command("audit", honest.report).stdout
    assert text.count("\nok ") == 10
    assert f"Key of the results: {honest.key}\nCompare it with the one announced" in text
    assert text.endswith("No contradiction was found.\n")


def test_key_can_be_in_a_file(honest: Forged, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{honest.key}\n")
    assert audit(honest.report, "--key", tmp_path / "key")[0] == 0
    assert command("audit", honest.report, "--key", "abc").exit_code == 2


def test_report_says_how_to_check_it_and_shows_alarms(honest: Forged) -> None:
    page = (honest.report / "index.html").read_text()
    assert f"acquire tournament audit FOLDER --key {honest.key}" in page
    assert ALARM in page and 'name="referrer" content="no-referrer"' in page
    whole = json.loads((honest.report / "tournament.json").read_text())
    alarms = [(alarm["game"], alarm["attempt"]) for alarm in whole["alarms"]]
    assert alarms == [(GAME, 0), (GAME, 1)]
    void, *_ = map(json.loads, (honest.report / "rows.jsonl").read_text().splitlines()[1:])
    assert void["kind"] == "void" and void["alarms"] == [["ann", ALARM]]


def test_show_counts_alarms_and_lists_those_of_a_game(honest: Forged) -> None:
    assert "Alarms: 2 in 1 game" in command("show", honest.file).stdout
    text = command("show", honest.file, "--game", GAME).stdout
    assert f"Alarm: ann: {ALARM}" in text and f"Alarm in void attempt 1: ann: {ALARM}" in text
    assert "Alarm" not in command("show", honest.file, "--game", OTHER).stdout


def play_without_one_game(folder: TournamentFolder, form: dict[str, object]) -> str:
    """Play a tournament in which a game of the first round is given up; return its id."""
    general = {"seats": 2, "seed": 1, "rulebook": "quick.toml", **form}
    folder.write(
        built_in("ordered", "random", "largest-alpha", "smallest-anti"), tournament=general
    )
    plan, lost = read_plan(folder.file), None
    with Store.open_to_write(folder.store) as store:
        run = TournamentRun(plan, store, to_each())
        for games in run.stages():
            for game in games:
                if lost is None:
                    lost = game.id
                    for _ in range(MAX_VOIDS):
                        run.void(FailedGame(lost, "The machine was too busy."))
                else:
                    (played,) = play_batch(run.settings, [run.start(game)])
                    assert isinstance(played, FinishedGame)
                    run.finish([played])
    assert lost is not None
    return lost


@pytest.mark.parametrize(
    ("form", "finding"),
    [
        ({"format": "swiss", "rounds": 2}, "is not one of the schedule."),
        ({"format": "ladder", "deals": 2}, "is missing, although round"),
    ],
    ids=["swiss", "ladder"],
)
def test_later_rounds_are_paired_without_games_that_were_given_up_and_no_others(
    folder: TournamentFolder, tmp_path: Path, form: dict[str, object], finding: str
) -> None:
    lost = play_without_one_game(folder, form)
    code, found = audit(folder.file)
    assert code == 0, found
    checked = checks_of(found)["Schedule"]
    assert ", 1 given up" in checked and "not played" not in checked
    sentence = f"Given up after 5 void attempts: {lost}."
    assert sentence in command("show", folder.file).stdout
    assert json.loads(command("show", folder.file, "--json").stdout)["given_up"] == [lost]
    report = tmp_path / "report"
    assert command("report", folder.file, "--to", report).exit_code == 0
    assert sentence in (report / "index.html").read_text()
    assert audit(report)[0] == 0
    again = command("run", folder.file)
    assert (again.exit_code, sentence in again.stdout) == (1, True), "scripts have to know"

    with connected(folder.store) as connection:
        connection.execute("DELETE FROM voids WHERE attempt = ?", (MAX_VOIDS,))
    assert finding in findings(folder.file)


@contextmanager
def verified_logs() -> Iterator[list[object]]:
    """Collect the logs that are verified."""
    found: list[object] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code is Verifier.verify.__code__:
            found.append(frame.f_locals["self"])

    for set_profile in (sys.setprofile, threading.setprofile):
        set_profile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.mark.skipif("ACQUIRE_COMPILED" in os.environ, reason="compiled calls are not seen")
def test_every_log_is_verified_once(forged: Forged) -> None:
    """A public report has logs of its own, with aliases for names, that have to hold too."""
    for words, logs in (
        (("report", forged.file), GAMES),
        (("report", forged.file, "--no-logs"), GAMES),
        (("report", forged.file, "--public"), 2 * GAMES),
        (("audit", forged.folder / "cup-public"), GAMES),
        (("audit", forged.store), GAMES),
    ):
        with verified_logs() as verified:
            assert command(*words).exit_code == 0
        assert len(verified) == logs, words


# -- a forged store -----------------------------------------------------------------------------

Forgery = Callable[[Forged], object]


def sql(script: str) -> Forgery:
    def forge(forged: Forged) -> None:
        with connected(forged.store) as connection:
            connection.executescript(script)

    return forge


def in_result(game: str, change: Callable[[dict[str, Any]], object]) -> Forgery:
    return lambda forged: change_result(forged.store, game, change)


def in_text(game: str, change: Callable[[str], str]) -> Forgery:
    return lambda forged: change_log(forged.store, game, change)


def in_log(game: str, old: str, new: str) -> Forgery:
    return in_text(game, lambda text: text.replace(old, new, 1))


def seat(number: int, **fields: object) -> Callable[[dict[str, Any]], object]:
    return lambda result: result["seats"][number].update(fields)


def in_series(**fields: str) -> Forgery:
    def forge(forged: Forged) -> None:
        with connected(forged.store) as connection:
            query = "SELECT value FROM about WHERE key = 'series'"
            (series,) = json.loads(connection.execute(query).fetchone()[0])
            new = json.dumps([{**series, **fields}])
            connection.execute("UPDATE about SET value = ? WHERE key = 'series'", [new])

    return forge


def copied(game: str, old: str, new: str) -> str:
    """Return what adds the first game once more, under another id."""
    return (
        f"INSERT INTO games SELECT 90, link, '{game}', replace(result, '{old}', '{new}'), log "
        f"FROM games WHERE id = '{GAME}'"
    )


VOID_AFTER_ITS_GAME = sql(
    "INSERT INTO voids SELECT (SELECT max(number) FROM games) + 1, link, game, 2, why, detail, log "
    "FROM voids"
)


def void_after_its_damaged_game(forged: Forged) -> None:
    in_result(GAME, seat(0, player="mallory"))(forged)
    VOID_AFTER_ITS_GAME(forged)


ON = f"game {GAME}"
BAG = f"game {OTHER}: its bag is not the one that follows from the secret and its commitment"


def about(script: str) -> Forgery:
    """Change what the store says of the tournament."""
    return sql(f"UPDATE about SET value = {script}")


def unsigned(fact: str) -> str:
    return f"the fact '{fact}' is not the signed one"


def all_finished(result: dict[str, Any]) -> None:
    for each in result["seats"]:
        each["verdict"] = "finished"


def closed_early(text: str) -> str:
    return text[: text.rindex('<turn number="')] + "</match>"


ANOTHER_FORM = """
UPDATE about SET value = replace(value, '"gauntlet", "challenger": "ann"',
'"ladder", "challenger": null');
UPDATE games SET id = '{0}-s1',
result = replace(replace(result, '"{1}"', '"{0}-s1"'), '"d1-t1"', '"{0}"') WHERE id = '{1}'
""".format("r1999999-d1-t1", OTHER)

FORGED_STORES: dict[str, tuple[Forgery, str, str]] = {
    "rank": (in_result(GAME, seat(0, rank=1, money=90_000)), f"({ON}) is not", "has money"),
    "never started": (
        in_result("d1-t2-s1", all_finished),
        "game d1-t2-s1",
        "has verdict of eve 'finished'",
    ),
    "a name": (in_result(GAME, seat(0, player="eve")), ON, "has seat order 'eve"),
    "unknown name": (in_result(GAME, seat(0, player="mallory")), ON, "'mallory' is not"),
    "seats": (in_result(GAME, lambda result: result["seats"].reverse()), ON, "has seat order"),
    "block": (
        in_result(GAME, lambda result: result.update(block="d1-t2")),
        ON,
        f"{ON}: its block is d1-t2; expected d1-t1",
    ),
    "log line": (in_log(GAME, "<drew ", "<bought "), ON, "its log"),
    "log score": (in_log(GAME, 'rank="1"', 'rank="2"'), ON, "its log does not hold"),
    "latency": (in_log(GAME, 'latency="0"', 'latency="900"'), ON, "its log gives 900"),
    "bag": (in_log(GAME, "<bag>", "<bag>1A "), ON, "its log cannot be read"),
    "log cut": (in_text(GAME, lambda text: text[: len(text) // 2]), ON, "before the game does"),
    "log without its last line": (
        in_log(GAME, "</match>", ""),
        ON,
        f"{ON}: its log does not hold: it ends in turn",
    ),
    "log closed early": (in_text(GAME, closed_early), ON, "its log does not hold"),
    "log of another game": (
        sql(
            f"UPDATE games SET log = (SELECT log FROM games WHERE id = '{OTHER}') "
            f"WHERE id = '{GAME}'"
        ),
        ON,
        f"{ON}: the result has seed",
    ),
    "commitment in a log": (in_log(GAME, 'commitment="', 'commitment="0000'), ON, "its log"),
    "rulebook in a log": (
        in_log("d1-t2-s1", 'rulebook="quick"', 'rulebook="revised"'),
        "game d1-t2-s1",
        "game d1-t2-s1",
    ),
    "strategy in a log": (
        in_log(GAME, 'strategy="ordered"', 'strategy="random"'),
        ON,
        f"{ON}: its log has the players",
    ),
    "dropped": (sql(f"DELETE FROM games WHERE id = '{OTHER}'"), "rows were removed", ""),
    "dropped last": (
        sql("DELETE FROM games WHERE number = (SELECT max(number) FROM games)"),
        "the last ones were removed",
        "",
    ),
    "one that went badly replaced": (
        sql(f"DELETE FROM games WHERE id = '{OTHER}'; {copied(OTHER, GAME, OTHER)}"),
        "rows were",
        f"game {OTHER}",
    ),
    "foreign": (
        sql(copied("d7-t1-s1", "d1-t1", "d7-t1")),
        "row 90 (game d7-t1-s1)",
        "is not one of the schedule",
    ),
    "order of rows": (
        sql(
            "UPDATE games SET number = 90 WHERE number = 3; UPDATE games SET number = 3 WHERE "
            "number = 4; UPDATE games SET number = 4 WHERE number = 90"
        ),
        "row 3",
        "",
    ),
    "alarm removed": (sql("DELETE FROM alarms WHERE attempt = 0"), f"row 2 ({ON})", ""),
    "void removed": (
        sql("DELETE FROM voids"),
        f"row 2 ({ON}) comes where row 1",
        f"{ON}: its bag is not the one that follows from the secret",
    ),
    "void attempt": (sql("UPDATE voids SET attempt = 3"), "row 1 (void game", "expected attempt 1"),
    "void after its game": (
        VOID_AFTER_ITS_GAME,
        f"(void {ON}, attempt 2)",
        f": {ON} is void, but was played before.",
    ),
    "void after its damaged game": (
        void_after_its_damaged_game,
        f"(void {ON}, attempt 2)",
        f": {ON} is void, but was played before.",
    ),
    "void foreign": (
        sql("UPDATE voids SET game = 'd5-t1-s1'"),
        "row 1 (void game d5-t1-s1",
        "void game d5-t1-s1 (row 1) is not one of the schedule",
    ),
    "commitment": (in_series(commitment="00" * 32), unsigned("series"), BAG),
    "secret": (in_series(secret="00" * 32), unsigned("series"), BAG),
    "secret and commitment": (
        in_series(secret="00" * 32, commitment=hashlib.sha256(bytes(32)).hexdigest()),
        unsigned("series"),
        BAG,
    ),
    "seed withheld": (
        sql("DELETE FROM about WHERE key = 'seed'"),
        unsigned("seed"),
        f"the seed is missing, although {GAMES} games were played",
    ),
    "seed and commitment withheld": (
        sql("DELETE FROM about WHERE key IN ('seed', 'series')"),
        unsigned("series"),
        f"game {OTHER}: its bag is not the one that follows from the seed",
    ),
    "round that nobody waits for": (
        sql(ANOTHER_FORM),
        unsigned("shown.format"),
        "game r1999999-d1-t1-s1 (row 4) is not one of the schedule",
    ),
    "points": (about("replace(value, '[1.0, 0.0]', '[9.0, 0.0]')"), unsigned("shown.points"), ""),
    "planned": (
        about(f"replace(value, '\"total\": {GAMES}', '\"total\": 3')"),
        unsigned("shown.total"),
        f"3 games are planned; expected {GAMES}",
    ),
    "player in about": (
        about("replace(value, 'bea <&>', 'mallory') WHERE key = 'shown'"),
        unsigned("shown.players"),
        "the current entries are not those of the players",
    ),
    "kind in about": (
        about("replace(value, 'strategy ordered', 'strategy investor')"),
        unsigned("shown.players"),
        "its log has the players",
    ),
}
"""By name: what is forged, what is found, and what is found whoever has signed it.

More of what the chain alone tells is in ``CHANGES`` of ``test_store``.
"""


def forge_store(forged: Forged, name: str) -> str:
    """Forge a store, and return what has to be found."""
    with Store.open_to_read(forged.store) as store:
        before = [*store.rows()], store.facts()
    forge, words, _ = FORGED_STORES[name]
    forge(forged)
    with Store.open_to_read(forged.store) as store:
        assert ([*store.rows()], store.facts()) != before
    return words


@pytest.mark.parametrize("name", FORGED_STORES)
def test_forged_store_is_found_out(forged: Forged, name: str) -> None:
    words = forge_store(forged, name)
    found = findings(forged.store, "--key", forged.key)
    assert words in found and FORGED_STORES[name][2] in found


@pytest.mark.parametrize("name", ["rank", "dropped last", "alarm removed", "points"])
def test_forged_store_is_neither_published_nor_resumed(forged: Forged, name: str) -> None:
    words = forge_store(forged, name)
    done = command("report", forged.file, "--to", forged.folder / "new")
    assert done.exit_code == 1 and words in done.output
    assert not (forged.folder / "new").exists()
    done = command("run", forged.file)
    assert done.exit_code == 2 and words in done.output


def test_ladder_of_very_many_versions_is_not_paired_again_and_the_audit_says_so(
    forged: Forged,
) -> None:
    with connected(forged.store) as connection:
        about = dict(connection.execute("SELECT key, value FROM about"))
        shown, (first, *_) = json.loads(about["shown"]), json.loads(about["entries"])
        shown["format"], first["last"] = "ladder", 1
        entries = json.dumps([{**first, "number": number} for number in range(1, 2002)])
        changed = [(json.dumps(shown), "shown"), (entries, "entries")]
        connection.executemany("UPDATE about SET value = ? WHERE key = ?", changed)
    skipped = {check["check"]: check["not_checked"] for check in audit(forged.store)[1]["checks"]}
    assert skipped["Schedule"] == "a ladder of more than 2,000 versions of players."


def test_show_warns_of_a_forged_store_and_not_of_an_honest_one(forged: Forged) -> None:
    assert "Warning" not in command("show", forged.file).output
    words = forge_store(forged, "rank")
    done = command("show", forged.file, "--json")
    assert "Warning: " in done.stderr and words in done.stderr and json.loads(done.stdout)


@pytest.mark.parametrize("name", ["rank", "dropped", "order of rows", "alarm removed", "points"])
def test_chain_that_is_computed_again_needs_the_key(forged: Forged, name: str) -> None:
    forge_store(forged, name)
    chain_again(forged.store)
    assert "the head of the chain is not signed" in findings(forged.store)
    done = command("run", forged.file)
    assert done.exit_code == 2 and "is not signed by the key" in done.output


@pytest.mark.parametrize(
    "name",
    [
        *("rank", "latency", "void removed", "secret and commitment"),
        *("seed withheld", "seed and commitment withheld"),
    ],
)
def test_owner_of_the_key_cannot_forge_what_follows_from_logs_and_plan(
    forged: Forged, name: str
) -> None:
    forge_store(forged, name)
    words = FORGED_STORES[name][2]
    chain_again(forged.store, forged.secret)
    found = findings(forged.store)
    assert words in found and "the key" not in found


def test_store_signed_by_another_key_is_found_out(forged: Forged, honest: Forged) -> None:
    found = findings(forged.store, "--key", "0" * 64)
    assert f"the key is {honest.key}; expected {'0' * 64}" in found


def test_report_of_other_software_is_not_called_whole(forged: Forged) -> None:
    """Whoever has the key can say so, and exchange the standings."""
    assert command("audit", forged.report).output.endswith("No contradiction was found.\n")
    edit("standings.csv", "ann", "eve")(forged)
    sign_manifest_again(forged, software={"acquire-referee": "9"})
    done = command("audit", forged.report)
    text = done.output
    assert "\npart  Page and tables: " in text and "standings.csv and perhaps others differ" in text
    assert done.exit_code == 2 and text.endswith(
        "The pages and tables differ from those of this software, so they prove nothing. Audit the "
        "report with the software that it names.\n"
    )


def test_missing_secret_leaves_the_key_to_be_compared(forged: Forged) -> None:
    (forged.folder / "cup.secret").unlink()
    code, found = audit(forged.store)
    assert (code, found["key_known"]) == (0, False)
    done = command("report", forged.file)
    assert done.exit_code == 0 and "The report is not signed" in done.output
    assert "This report is not signed:" in (forged.report / "index.html").read_text()
    assert "manifest.sig is missing: the report is not signed" in findings(forged.report)


def test_games_that_were_not_played_yet_are_no_forgery(tmp_path: Path) -> None:
    part = play(tmp_path, 1)
    code, found = audit(part.store)
    checked = {check["check"]: check for check in found["checks"]}
    assert (code, checked["Schedule"]["checked"]) == (0, f"1 of {GAMES} games, 3 not played yet")
    bags = checked["Bags"]  # by the secret beside the store, before it is revealed
    words = "1 from the owner's secret, which is not revealed yet"
    assert (bags["checked"], bags["not_checked"]) == (words, "")
    command("report", part.file)
    code, found = audit(part.report, "--key", part.key)
    checked = {check["check"]: check for check in found["checks"]}
    assert code == 0
    assert "published when all games are played" in checked["Bags"]["not_checked"]
    assert part.secret.deals(1).hex() not in "".join(
        path.read_text() for path in part.report.iterdir() if path.is_file()
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ""),
        ({"game": 2}, "its log has the number 2; expected 1"),
        ({"duplicate": True}, "its log has duplicate deals True; expected False"),
        ({"rulebook": REVISED}, "its log has rulebook revised (other values); expected quick"),
    ],
)
def test_log_played_with_other_settings_is_found_out(
    honest: Forged, fields: dict[str, Any], words: str
) -> None:
    with Store.open_to_read(honest.store) as store:
        facts, entries = stored_facts(store), store.entries()
        (result,) = (result for _, result in store.results() if result.game == GAME)
        header = audit_game(result, store.log(GAME)).header
    assert header is not None
    found = [*header_differences(header._replace(**fields), result, facts, entries)]
    assert found == ([f"game {GAME}: {words}."] if words else [])


def test_result_has_to_be_that_of_its_log_in_every_field(honest: Forged) -> None:
    with Store.open_to_read(honest.store) as store:
        (result,) = (result for _, result in store.results() if result.game == GAME)
    assert not [*differences(result, result)]
    for field in ("seed", "ending", "turns", "out_of_step"):
        other: dict[str, Any] = {field: "forged"}
        (found,) = differences(result._replace(**other), result)
        assert found.startswith(f"the result has {field.replace('_', ' ')} 'forged'; its log gives")
    first, second = result.seats
    for field in first._fields[1:]:
        other = {field: "forged"}
        (found,) = differences(result._replace(seats=(first._replace(**other), second)), result)
        assert found.startswith(f"the result has {field} of {first.player} 'forged'; its log gives")


def test_position_that_is_laid_out_in_a_log_is_found_out(forged: Forged) -> None:
    with Store.open_to_read(forged.store) as store:
        ((_, log),) = store.logs([GAME])
    record = read_bytes(Path(GAME), log)
    state = Verifier(record).verify().state
    laid_out = Recorder(record.header.rulebook).record(LaidOut(state))
    in_log(GAME, '<turn number="1"', f'{laid_out}\n<turn number="1"')(forged)
    found = findings(forged.store)
    assert f"game {GAME}: its log does not hold: a position is laid out in it" in found


# -- a forged report ----------------------------------------------------------------------------


def edit(name: str, old: str, new: str) -> Forgery:
    def forge(forged: Forged) -> None:
        path = forged.report / name
        data = path.read_bytes()
        assert old.encode() in data
        path.write_bytes(data.replace(old.encode(), new.encode(), 1))

    return forge


def remove(name: str) -> Forgery:
    return lambda forged: (forged.report / name).unlink()


def add(name: str, data: bytes = b"x") -> Forgery:
    return lambda forged: (forged.report / name).write_bytes(data)


def link(name: str) -> Forgery:
    def forge(forged: Forged) -> None:
        path = forged.report / name
        path.rename(forged.folder / "moved")
        path.symlink_to(forged.folder / "moved")

    return forge


def linked_folder(forged: Forged) -> None:
    (forged.report / "logs").rename(forged.folder / "moved")
    (forged.report / "logs").symlink_to(forged.folder / "moved")


def folder(name: str) -> Forgery:
    return lambda forged: (forged.report / name).mkdir()


def link_from(name: str) -> Forgery:
    return lambda forged: (forged.report / name).symlink_to("/etc")


def folder_for(name: str) -> Forgery:
    def forge(forged: Forged) -> None:
        (forged.report / name).unlink()
        (forged.report / name).mkdir()

    return forge


FORGED_FILES: dict[str, tuple[Forgery, str]] = {
    "standings": (edit("standings.csv", "ann", "eve"), "standings.csv is not what follows from"),
    "games": (edit("games.csv", ",finished,", ",crashed,"), "games.csv is not what follows from"),
    "page": (
        edit("index.html", "Alarms</h2>", "All the games</h2>"),
        "index.html is not what follows from the",
    ),
    "tournament.json": (
        edit("tournament.json", '"rank": 1', '"rank": 2'),
        "tournament.json is not",
    ),
    "output of the same size": (
        edit(f"outputs/{GAME}-seat2.txt", "printed", "changed"),
        f"outputs/{GAME}-seat2.txt is not the file in manifest.json",
    ),
    "file added": (add("logs/d9-t1-s1.xml.gz"), "logs/d9-t1-s1.xml.gz does not belong to the"),
    "hidden file": (add(".htaccess"), ".htaccess does not belong to the report"),
    "hidden link": (link_from("logs/.l"), "logs/.l does not belong to the report"),
    "hidden folder": (folder(".x"), ".x does not belong to the report"),
    "folder named like a file": (folder("players/.DS_Store"), "players/.DS_Store does not belong"),
    "link named like a folder": (link_from("games/.git"), "games/.git does not belong"),
    "page added": (add("players/eva.html"), "players/eva.html does not belong to the report"),
    "page of a game": (
        edit(f"games/{GAME}.html", "The table is set.", "The table is laid."),
        f"games/{GAME}.html is not what follows from",
    ),
    "page of a player": (
        edit("players/eve.html", "It was not in the lobby", "It was in the lobby"),
        "players/eve.html is not what follows from",
    ),
    "viewer": (
        edit("viewer.js", "go(current.at + 1)", "go(current.at + 2)"),
        "viewer.js is not what follows from",
    ),
}
"""Files of which each is found out by itself."""


def test_every_forged_file_of_a_report_is_found_out(forged: Forged) -> None:
    for forge, _ in FORGED_FILES.values():
        forge(forged)
    found = findings(forged.report, "--key", forged.key)
    assert [name for name, (_, words) in FORGED_FILES.items() if words not in found] == []


def test_what_other_programs_keep_in_a_published_report_is_no_forgery(forged: Forged) -> None:
    (forged.report / ".git").mkdir()
    for name in (".git/config", ".nojekyll", "logs/.DS_Store", "games/.git"):  # as in a worktree
        add(name)(forged)
    assert findings(forged.report, "--key", forged.key) == ""
    assert command("report", forged.file).exit_code == 0
    assert (forged.report / "logs" / ".DS_Store").exists()
    add(".htaccess")(forged)
    assert ".htaccess in it is not a file of a report" in command("report", forged.file).output


FORGED_REPORTS: dict[str, tuple[Forgery, str]] = {
    "figure": (edit("index.html", "0.00", "0.01"), "index.html is not what follows from the"),
    "row": (edit("rows.jsonl", '"turns":', '"turns":1'), "(game"),
    "row removed": (edit("rows.jsonl", '{"row":3', '{"row":9'), "row 9 (game"),
    "void's reason": (
        edit("rows.jsonl", "was late itself", "was ill"),
        f"row 1 (void game {GAME}, attempt 1) is not",
    ),
    "alarm": (edit("rows.jsonl", ALARM, "Nothing."), f"row 1 (void game {GAME}"),
    "points": (edit("rows.jsonl", "[1.0, 0.0]", "[5.0, 0.0]"), "'shown.points' is not the signed"),
    "player of the facts": (
        edit("rows.jsonl", '[\\"eve\\", ', '[\\"eva\\", '),
        "the current entries are not those of the players",
    ),
    "log of the store": (
        add(f"logs/{GAME}.xml.gz"),
        f"row 2 (game {GAME}): logs/{GAME}.xml.gz is not the file of the store",
    ),
    "log": (add(f"logs/{GAME}.xml.gz"), f"logs/{GAME}.xml.gz is not the file in manifest.json"),
    "log emptied": (add(f"logs/{GAME}.xml.gz", b""), f"game {GAME}: its log cannot be read"),
    "log removed": (remove(f"logs/{GAME}.xml.gz"), "1 logs are missing"),
    "output": (add(f"outputs/{GAME}-seat2.txt"), f"outputs/{GAME}-seat2.txt is not the file in"),
    "file removed": (remove("standings.csv"), "standings.csv is missing"),
    "link": (link("standings.csv"), "standings.csv is missing, a link"),
    "folder": (folder_for("standings.csv"), "standings.csv is missing, a link"),
    "linked logs": (linked_folder, f"logs/{GAME}.xml.gz is missing, a link"),
    "manifest": (edit("manifest.json", '"size": ', '"size": 1'), "manifest.json is not signed"),
    "signature": (add("manifest.sig", b"0" * 128), "manifest.json is not signed by the key"),
    "signature removed": (remove("manifest.sig"), "manifest.sig is missing"),
}


@pytest.mark.parametrize("name", FORGED_REPORTS)
def test_forged_report_is_found_out(forged: Forged, name: str) -> None:
    forge, words = FORGED_REPORTS[name]
    forge(forged)
    assert words in findings(forged.report, "--key", forged.key)


def sign_manifest_again(forged: Forged, head: str | None = None, **fields: Any) -> None:
    """List the files of the report as they are now, and sign that with the secret beside it."""
    manifest = Manifest.of((forged.report / "manifest.json").read_bytes())
    files = {
        name: FileEntry.of((forged.report / name).read_bytes())
        for name in manifest.files
        if (forged.report / name).exists()
    }
    data = manifest._replace(files=files, head=head or manifest.head, **fields).data()
    (forged.report / "manifest.json").write_bytes(data)
    signature = sign_manifest(forged.secret.signing_key(), data)
    (forged.report / "manifest.sig").write_bytes(signature)


def test_manifest_and_rows_have_to_be_of_the_same_store(forged: Forged) -> None:
    sign_manifest_again(forged)
    assert audit(forged.report, "--key", forged.key)[0] == 0
    sign_manifest_again(forged, head="acquire tournament store\nrows 9\nlink 0\n")
    found = findings(forged.report, "--key", forged.key)
    assert found == "rows.jsonl has another key, or another head of the chain."


def test_report_without_logs_is_neither_contradicted_nor_clean(forged: Forged) -> None:
    """So a forger who has the key, and leaves them out, does not pass for honest."""
    written = command("report", forged.file, "--no-logs").output
    assert "nobody can recompute its results" in written and "Everybody can" not in written
    page = (forged.report / "index.html").read_text()
    assert "nobody can recompute its results" in page and "plays all games again" not in page
    change_result(forged.store, GAME, lambda result: result.update(turns=result["turns"] + 1))
    chain_again(forged.store, forged.secret)
    assert "the result has turns" in findings(forged.store)
    forged_report = Forged(forged.folder / "forged")
    with Store.open_to_read(forged.store) as store:
        write_whole_report(store, forged_report.folder, forged.secret)
    for folder in (forged.report, forged_report.folder):
        code, found = audit(folder, "--key", forged.key)
        assert (code, found["holds"]) == (2, False)
        assert not any(check["findings"] for check in found["checks"])
        parts = {check["check"] for check in found["checks"] if check["not_checked"]}
        assert parts == {"Logs", "Results", "Settings in the logs", "Bags"}
        text = command("audit", folder).stdout
        assert "\npart  Results: 0 recomputed" in text and "contradict" not in text
        assert text.endswith(
            "No result was recomputed, for there are no logs. Ask for a report that has them.\n"
        )


def test_logs_that_were_deleted_from_a_report_are_missed(forged: Forged) -> None:
    shutil.rmtree(forged.report / "logs")
    assert f"logs/{GAME}.xml.gz is missing" in findings(forged.report, "--key", forged.key)


def test_output_that_is_in_the_rows_has_to_be_in_the_report(forged: Forged) -> None:
    """Not even the owner of the key can leave out what a program printed."""
    remove(f"outputs/{GAME}-seat2.txt")(forged)
    sign_manifest_again(forged)
    found = findings(forged.report, "--key", forged.key)
    assert f"row 2 (game {GAME}): outputs/{GAME}-seat2.txt is not the file of the store" in found


def test_manifest_signed_with_another_key_is_found_out(forged: Forged, honest: Forged) -> None:
    """Somebody publishes a forged report of their own, with a key of their own."""
    change_result(forged.store, GAME, seat(0, slowest=0))
    (forged.folder / "cup.secret").write_text("ab" * 32 + "\n")
    other = forged.key
    for name in ("manifest.json", "rows.jsonl", "index.html"):
        edit(name, honest.key, other)(forged)
    sign_manifest_again(forged)
    found = findings(forged.report, "--key", honest.key)
    assert f"manifest.json has the key {other}; expected {honest.key}" in found
    assert "the head of the chain is not signed" in findings(forged.report)


def test_report_written_again_leaves_no_file_of_the_earlier_one(forged: Forged) -> None:
    (forged.report / "logs" / "d9-t1-s1.xml.gz").write_bytes(b"stale")
    assert command("report", forged.file, "--no-logs").exit_code == 0
    assert not (forged.report / "logs").exists()
    assert command("report", forged.file).exit_code == 0
    assert audit(forged.report)[0] == 0
    (forged.report / "thesis.txt").write_text("mine")
    done = command("report", forged.file)
    assert done.exit_code == 2 and "thesis.txt in it is not a file of a report" in done.output
    assert (forged.report / "thesis.txt").exists()


def test_report_that_is_interrupted_leaves_the_earlier_one_as_it_was(forged: Forged) -> None:
    """So that no half of a report looks like a whole one."""

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    (forged.report / "index.html").write_text("earlier")
    before = {path.name: path.stat().st_mtime_ns for path in forged.report.iterdir()}
    with Store.open_to_read(forged.store) as store, pytest.raises(KeyboardInterrupt):
        write_whole_report(store, forged.report, forged.secret, logs=True, advance=interrupt)
    assert {path.name: path.stat().st_mtime_ns for path in forged.report.iterdir()} == before
    assert not [*forged.folder.glob(".cup-*")], "what was written is gone"


def test_report_reads_each_game_three_times(forged: Forged) -> None:
    """To audit it, to explain what was lost, and to write it."""
    read: Counter[str] = Counter()

    class CountingStore(Store):
        def outputs(self, game: str) -> dict[str, bytes]:
            read[game] += 1
            return super().outputs(game)

    with CountingStore.open_to_read(forged.store) as store:
        write_whole_report(store, forged.report, forged.secret, logs=True)
    assert [*read.values()] == [3] * GAMES


# -- hostile files ------------------------------------------------------------------------------


def bomb(forged: Forged) -> None:
    import gzip

    zeros = gzip.compress(bytes(50_000_000))
    with connected(forged.store) as connection:
        connection.execute("UPDATE games SET log = ? WHERE id = ?", [zeros, GAME])
    (forged.report / "logs" / f"{GAME}.xml.gz").write_bytes(zeros)


def huge(name: str) -> Forgery:
    """Make a file huge, without using the disk."""

    def forge(forged: Forged) -> None:
        os.truncate(forged.report / name, 20 * 2**30)

    return forge


def hostile_names(forged: Forged) -> None:
    (forged.report / "\x1b[31mred").write_text("")
    (forged.report / "outputs" / "<b>.txt").write_text("")


HOSTILE: dict[str, Forgery] = {
    "gzip bomb": bomb,
    "deep manifest": add("manifest.json", b"[" * 1_000_000),
    "deep row": add("rows.jsonl", b'{"row":' * 1_000_000),
    "no lines": add("rows.jsonl", b"x" * 3_000_000),
    "empty manifest": add("manifest.json", b""),
    "not UTF-8": add("manifest.json", b"\xff\xfe"),
    "path": edit("manifest.json", '"standings.csv"', '"../../standings.csv"'),
    "id": edit("rows.jsonl", f'"game":"{GAME}"', '"game":"../../x"'),
    "number": edit("rows.jsonl", '"row":1', '"row":1' + "0" * 5000),
    "planned": edit("rows.jsonl", f'\\"total\\": {GAMES}', '\\"total\\": 1000000000'),
    "names": hostile_names,
    "huge manifest": huge("manifest.json"),
    "huge rows": huge("rows.jsonl"),
    "huge log": huge(f"logs/{GAME}.xml.gz"),
    "no rows": remove("rows.jsonl"),
    "no manifest": remove("manifest.json"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_report_is_answered_by_sentences(forged: Forged, name: str) -> None:
    HOSTILE[name](forged)
    done = command("audit", forged.report)
    assert done.exit_code in (1, 2)
    assert "Traceback" not in done.output and "\x1b" not in done.output
    assert len(done.output) < 20_000


@pytest.mark.parametrize("forge", [bomb, in_log(GAME, "<rulebook>", "<rulebook>" + "[" * 50_000)])
def test_log_that_cannot_be_read_is_named(forged: Forged, forge: Forgery) -> None:
    forge(forged)
    assert f"game {GAME}: its log cannot be read" in findings(forged.store)


def test_pipe_in_a_report_does_not_block_the_audit(forged: Forged) -> None:
    (forged.report / "standings.csv").unlink()
    os.mkfifo(forged.report / "standings.csv")
    assert "standings.csv is missing" in findings(forged.report)


@pytest.mark.parametrize("verb", ["audit", "show", "report"])
def test_journal_beside_a_store_deletes_no_file(forged: Forged, verb: str) -> None:
    """A rollback journal may name a file, which SQLite removes when it has played it back."""
    with connected(forged.store) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    mine, data = forged.folder / "thesis.txt", forged.store.read_bytes()
    mine.write_text("mine")
    page, name, magic = data[:4096], bytes(mine), bytes.fromhex("d9d505f920a163d7")
    head = magic + struct.pack(">IIIII", 1, 0, len(data) // 4096, 512, 4096)
    old = struct.pack(">I4096sI", 1, page, sum(page[at] for at in range(4096 - 200, 0, -200)))
    last = struct.pack(">I", 2**30 // 4096 + 1) + name
    checksum = sum(memoryview(name).cast("b")) % 2**32  # of signed characters
    last += struct.pack(">II", len(name), checksum) + magic
    Path(f"{forged.store}-journal").write_bytes(head.ljust(512, b"\0") + old + last)
    done = command(verb, forged.file)
    assert (mine.read_text(), done.exit_code) == ("mine", 2)
    assert "cup.sqlite-journal is not of a tournament" in done.output
    with sqlite3.connect(forged.store) as careless:
        careless.execute("SELECT * FROM about")
    careless.close()
    assert not mine.exists(), "the journal is one that does harm"


@pytest.mark.parametrize("what", ["nothing", "cup.toml/x", "."])
def test_what_cannot_be_audited_is_refused(honest: Forged, what: str) -> None:
    done = command("audit", honest.folder / what)
    assert done.exit_code == 2 and "Traceback" not in done.output


def test_copy_without_the_rest_is_refused(honest: Forged, tmp_path: Path) -> None:
    shutil.copy(honest.report / "index.html", tmp_path)
    done = command("audit", tmp_path / "index.html")
    assert done.exit_code == 2 and "has no manifest.json" in done.output


# -- killed -------------------------------------------------------------------------------------


@pytest.mark.soak
def test_store_of_a_killed_tournament_holds(folder: TournamentFolder) -> None:
    folder.write(
        built_in("random", "ordered", "largest-alpha"), tournament={"seats": 3, "deals": 40}
    )
    with folder.run() as process:
        process.until("game")
        process.process.kill()
        process.process.wait()
        code, found = audit(folder.store)
    assert (code, found["holds"]) == (0, True), found
    assert checks_of(found)["Schedule"].endswith("not played yet")


BAD_STORES: dict[str, Forgery] = {
    "not JSON": sql(f"UPDATE games SET result = 'x' WHERE id = '{GAME}'"),
    "unknown verdict": in_result(GAME, seat(0, verdict="won")),
    "missing field": in_result(GAME, lambda result: result.pop("turns")),
    "wrong type": in_result(GAME, seat(0, money="1")),
    "impossible rank": in_result(GAME, lambda result: [s.update(rank=2) for s in result["seats"]]),
    "log not gzip": sql(f"UPDATE games SET log = x'1f8b00' WHERE id = '{GAME}'"),
    "gzip bomb": bomb,
}


@pytest.mark.parametrize("name", BAD_STORES)
def test_bad_row_is_answered_by_a_sentence_that_names_the_game(forged: Forged, name: str) -> None:
    BAD_STORES[name](forged)
    commands: tuple[tuple[str, ...], ...] = (("audit",),)
    if name == "wrong type":
        commands = (("show",), ("show", "--player", "ann"), ("report",), ("audit",), ("run",))
    if name == "gzip bomb":
        commands = (("logs",), ("report",), ("audit",), ("run",))
    for words in commands:
        done = command(words[0], forged.file, *words[1:])
        assert done.exit_code in (1, 2), words
        assert GAME in done.output and "Traceback" not in done.output
