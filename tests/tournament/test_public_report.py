"""A public report: no name of a student is in any byte of it, and it is audited like any other."""

import base64
import csv
import gzip
import json
import re
import stat
from pathlib import Path

import pytest
from command_line import printed, refused, succeed
from forging import ALARM, play
from tournament_process import PlayerEntry, TournamentFolder, built_in

from acquire.admin.tournament.games.result import Alarm
from acquire.admin.tournament.planning.facts import PlayerAndKind
from acquire.admin.tournament.planning.roster import Student
from acquire.admin.tournament.reporting.public_edition import (
    Aliases,
    aliases_of,
    public_copy,
    renamed_log,
)
from acquire.admin.tournament.store.secret_file import TournamentSecret
from acquire.admin.tournament.store.store import Store
from acquire.played_games import play_game
from acquire.player.strategies.simple import Random

SECRET = TournamentSecret(bytes(32))
NAMED = """
connection = sign_up("Wilhelmina")
print("wilhelmina was here", file=sys.stderr)
read(connection, b"</state>")
connection.sendall(b"<Wilhelmina/>")
read(connection, b"</ejected>")
"""
"""Fails with its own name in what it sends and prints."""
ROSTER = "id,name,team,section\nq4711,Ottoline Wigglesworth,team <Wilhelmina>,A\n"
SUBMITTED = {"submissions": "in/*", "qualify": False}
PRIVATE = ("wilhelmina", "ottoline", "wigglesworth", "q4711", "cunegonde", "bartholomew")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> TournamentFolder:
    folder = TournamentFolder(tmp_path_factory.mktemp("public"))
    (folder.folder / "students.csv").write_text(ROSTER)
    named = folder.program("named", NAMED).settings
    players = [PlayerEntry("team <Wilhelmina>", named), *built_in("random", "ordered")]
    absent = folder.program("absent", "sys.exit(3)").settings
    (folder.folder / "in" / "Cunegonde").mkdir(parents=True)  # empty, so it is left out
    folder.write(
        [*players, PlayerEntry("Bartholomew", absent)],
        tournament={"seats": 3, "rulebook": "quick.toml", "roster": "students.csv", **SUBMITTED},
    )
    folder.play()
    succeed("tournament", "report", folder.file)
    succeed("tournament", "report", folder.file, "--public")
    return folder


def contents(report: Path) -> dict[str, str]:
    """All files of a report by path, logs as text, and the bytes in them decoded."""
    found = {}
    for path in report.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
            sent = re.findall(r"<bytes>([^<]*)</bytes>", text)
            parts = [text, *(base64.b64decode(each).decode() for each in sent)]
            found[str(path.relative_to(report))] = "\n".join(parts)
    return found


def test_no_name_or_id_is_in_any_byte(folder: TournamentFolder) -> None:
    real = contents(folder.folder / "cup")
    for word in PRIVATE[:1] + PRIVATE[-1:]:
        assert sum(word in (path + text).lower() for path, text in real.items()) > 10, word
    public = contents(folder.folder / "cup-public")
    for path, text in public.items():
        for word in PRIVATE:
            assert word not in (path + text).lower(), (path, word)
    private = ("outputs/", "minimal/")
    assert len(public) == len([path for path in real if not path.startswith(private)])
    assert any("<bytes>" in text for text in public.values())
    assert "Wilhelmina" in real["games.csv"].replace("team <Wilhelmina>", "")  # in a detail


def test_public_report_is_audited_like_any_other(folder: TournamentFolder) -> None:
    report = folder.folder / "cup-public"
    found = printed("tournament", "audit", report, "--json")
    assert found["holds"] and not any(check["not_checked"] for check in found["checks"])
    assert any("of this public report" in sentence for sentence in found["testimony"])
    private = printed("tournament", "audit", folder.folder / "cup", "--json")
    assert found["key"] == private["key"] and found["commitments"] == private["commitments"]
    assert not any("public" in sentence for sentence in private["testimony"])


def test_results_are_those_of_the_real_report(folder: TournamentFolder) -> None:
    lines = (folder.folder / "cup-private" / "aliases.csv").read_text().splitlines()
    aliases = {line["player"]: line["alias"] for line in csv.DictReader(lines)}
    assert aliases.keys() == {"team <Wilhelmina>", "Bartholomew", "Cunegonde"}
    left_out = [
        json.loads((folder.folder / name / "tournament.json").read_text())["left_out"]
        for name in ("cup", "cup-public")
    ]
    assert left_out == [["Cunegonde"], [aliases["Cunegonde"]]]

    def standings(report: str, names: dict[str, str]) -> list[dict[str, str]]:
        text = (folder.folder / report / "standings.csv").read_text()
        rows = [dict(row) for row in csv.DictReader(text.splitlines())]
        named = [{**row, "player": names.get(row["player"], row["player"])} for row in rows]
        return sorted(named, key=lambda row: row["player"])

    assert standings("cup-public", {}) == standings("cup", aliases)


def test_aliases_are_for_their_owner_alone_and_stay_the_same(folder: TournamentFolder) -> None:
    path = folder.folder / "cup-private" / "aliases.csv"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    assert b"q4711,Ottoline Wigglesworth,A,team <Wilhelmina>,player-" in before
    again = folder.folder / "again"
    succeed("tournament", "report", folder.file, "--public", "--to", again)
    assert path.read_bytes() == before
    assert (again / "index.html").read_bytes() == (
        folder.folder / "cup-public" / "index.html"
    ).read_bytes()


def test_without_the_secret_there_is_no_public_report(
    folder: TournamentFolder, tmp_path: Path
) -> None:
    (tmp_path / "cup.sqlite").write_bytes(folder.store.read_bytes())
    (tmp_path / "cup.toml").write_bytes(folder.file.read_bytes())
    words = refused("tournament", "report", tmp_path / "cup.toml", "--public")
    assert "cup.secret is missing" in words
    assert not (tmp_path / "cup-public").exists()


def test_alarms_have_aliases_for_the_players_in_them(tmp_path: Path) -> None:
    played = play(tmp_path, 1)
    with Store.open_to_read(played.store) as store:
        aliases = aliases_of(store, played.secret)
        key = played.secret.signing_key()
        with public_copy(store, aliases, key, tmp_path / "public.sqlite") as copy:
            alarms = [alarm for row, *_ in copy.rows() for alarm in row.alarms]
    assert "eve" in ALARM
    expected = Alarm(aliases.of("ann"), ALARM.replace("eve", aliases.of("eve")))
    assert alarms == [expected] * 2, "one of a void attempt too"


# -- words --------------------------------------------------------------------------------------

ALIASES = Aliases(
    SECRET,
    [
        PlayerAndKind("Max", "command"),
        PlayerAndKind("max2", "remote"),
        PlayerAndKind("bot", "strategy x"),
    ],
    [Student("s9", "Jo Lindqvist", "Max")],
)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Max and maximum", "xxx and maximum"),
        ("MAX2.py, aMax2b", "xxxx.py, axxxxb"),
        ("s9 lindqvist Jo joke bot", "xx xxxxxxxxx xx joke bot"),
        ("Jo Lindqvist", "xxxxxxxxxxxx"),
    ],
)
def test_names_and_ids_are_masked_in_any_case_with_as_many_bytes(text: str, masked: str) -> None:
    assert ALIASES.masked(text) == masked
    assert ALIASES.masked_bytes(b"\xff" + text.encode()) == b"\xff" + masked.encode()


def test_sentences_have_aliases_and_built_in_players_their_names() -> None:
    one, other = ALIASES.of("Max"), ALIASES.of("max2")
    found = ALIASES.in_text("Max reached the address of max2; Lindqvist of bot.")
    assert found == f"{one} reached the address of {other}; xxxxxxxxx of bot."
    assert ALIASES.of("bot") == "bot" and ALIASES.of("Max") != ALIASES.of("max2")
    elsewhere = Aliases(TournamentSecret(bytes([1] * 32)), [PlayerAndKind("Max", "command")], [])
    assert elsewhere.of("Max") != one
    assert re.fullmatch(r"player-[a-z2-7]{8}", one)


# -- logs ---------------------------------------------------------------------------------------


def test_tied_players_are_ranked_in_the_order_of_their_aliases() -> None:
    names = ("ann", "bob", "cyd")
    game = play_game(dict.fromkeys(names, lambda rules, _: Random(rules, 1)), seed=166)
    data = gzip.compress(game.log)
    orders = set()
    for number in range(8):  # some have the aliases of two tied players in the other order
        secret = TournamentSecret(bytes([number] * 32))
        aliases = Aliases(secret, [PlayerAndKind(name, "command") for name in names], [])
        text = gzip.decompress(renamed_log("d1-t1-s1", data, aliases)[0]).decode()
        ranked = re.findall(r'<ranked rank="(\d)" player="([^"]*)"', text)
        assert [rank for rank, _ in ranked] == ["1", "2", "2"]
        back = {alias: name for name, alias in aliases.by_name.items()}
        orders.add(tuple(back[alias] for _, alias in ranked))
    assert len(orders) == 2
