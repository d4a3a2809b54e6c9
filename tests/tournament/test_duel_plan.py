"""Who a duel's contestants are, where they sit, and the tournament file that follows."""

import re
import shlex
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from acquire.admin.tournament.dueling.contestants import (
    parse_contestants,
    port_notes,
    same_programs,
)
from acquire.admin.tournament.dueling.duel_plan import (
    DuelSettings,
    Lineup,
    continued,
    duel_file,
    lineup,
    match_lineup,
    toml_text,
)
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.schedule import new_schedule
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.protocol.user_error import UserError

BUILT_IN = ("investor", "random", "ordered", "smallest-anti", "largest-alpha")
SETTINGS = DuelSettings("revised", 100, {"reply": 1.0}, {"sandbox": "none"})


def labels(folder: Path, *texts: str) -> list[str]:
    return [one.label for one in parse_contestants(texts, folder)]


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("class Mine: ...\nclass Other: ...\n")


def seated(*texts: str, seats: int | None = None, rulebook: str = "revised") -> Lineup:
    value = CLASSIC if rulebook == "classic" else REVISED
    return lineup(parse_contestants(texts, Path.cwd()), value, seats)


# -- contestants --------------------------------------------------------------------------------


def test_labels_are_the_shortest_names_that_differ(tmp_path: Path) -> None:
    write(tmp_path, "new.py", "old.py", "v1/bot.py", "v2/bot.py", "bot.2.py", "player.py")
    assert labels(tmp_path, "new.py:Mine", "investor") == ["Mine", "investor"]
    assert labels(tmp_path, "new.py:Mine", "old.py:Mine") == ["new", "old"]
    assert labels(tmp_path, "new.py:Mine", "new.py:Other") == ["Mine", "Other"]
    assert labels(tmp_path, "v1/bot.py:Mine", "v2/bot.py:Mine") == ["v1", "v2"]
    three = ("new.py:Mine", "new.py:Other", "old.py:Mine")
    assert labels(tmp_path, *three) == ["new.Mine", "new.Other", "old.Mine"]
    assert labels(tmp_path, "random", "random") == ["random", "random-b"]
    write(tmp_path, "v1/Bot.py")
    assert labels(tmp_path, "v1/Bot.py:Mine", "v2/bot.py:Mine") == ["v1", "v2"]
    write(tmp_path, "mine/player/player.py")
    assert labels(tmp_path, "mine/player", "random") == ["mine", "random"]


def test_command_is_called_after_what_it_runs(tmp_path: Path) -> None:
    write(tmp_path, "new.py", "v1/bot.py", "v2/bot.py")
    ends = "{host} {port} {name}"
    assert labels(tmp_path, f"python3 new.py {ends} --depth 3", "random")[0] == "new"
    commands = [f"python3 {folder}/bot.py {ends}" for folder in ("v1", "v2")]
    assert labels(tmp_path, *commands) == ["v1", "v2"]
    assert labels(tmp_path, f"env -i Player {ends}", "random")[0] == "Player"


def test_command_that_is_not_told_the_port_has_a_note(tmp_path: Path) -> None:
    write(tmp_path, "new.py", "told.py", "by-variable/player.py")
    settings = 'command = ["python3", "player.py"]\nenvironment = { PLACE = "{port}" }\n'
    (tmp_path / "by-variable" / "player.toml").write_text(settings)
    texts = ["python3 new.py", "python3 told.py {port}", "by-variable", "random"]
    (note,) = port_notes(parse_contestants(texts, tmp_path))
    assert note.startswith("Note: new: no {port} in the command. ")


def test_folders_are_the_same_program_if_all_files_are(tmp_path: Path) -> None:
    for folder in ("a", "b", "c"):
        write(tmp_path, f"{folder}/player.py")
    (tmp_path / "c" / "player.py").write_text("another")
    found = parse_contestants(["a", "b", "c"], tmp_path)
    assert [*same_programs(found)] == [("b", "a")]


def test_files_named_like_built_in_players_are_not_those(tmp_path: Path) -> None:
    write(tmp_path, "random", "ordered")
    assert [*same_programs(parse_contestants(["ordered", "random"], tmp_path))] == []


def test_words_that_no_path_can_be_are_part_of_a_command(tmp_path: Path) -> None:
    long = f"python3 -c 'print({'x' * 300})'"
    found = parse_contestants([long, "random"], tmp_path)
    assert found[0].settings["command"][:2] == ["python3", "-c"]
    assert [*same_programs(found)] == []


def test_label_is_never_that_of_a_second_seat(tmp_path: Path) -> None:
    write(tmp_path, "bot.2.py", "bot.py")
    found = parse_contestants(["bot.py:Mine", "bot.2.py:Mine"], tmp_path)
    names = [name for team in lineup(found, REVISED, 6).teams for name in team]
    assert len({*names}) == 6


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("investro", "neither a built-in player (investor,"),
        ("nowhere.py:Mine", "there is no file"),
        ("new.py:Absent", "has no class 'Absent'. There is Mine, Other."),
        ("new.py", "name a class in it, such as 'new.py:Mine'"),
        ("raises.py:Mine", "ZeroDivisionError"),
        ("python3 new.py {hots}", "{hots} is not a placeholder"),
        ("python3 'new.py", "cannot be parsed as a command: No closing quotation"),
        ("", "neither a built-in player"),
        ("./raises.py {port}", "it is not executable. Run chmod +x ./raises.py, or"),
        ("nowhere {port}", "'nowhere': not found in PATH"),
    ],
)
def test_contestant_that_cannot_play_is_refused(tmp_path: Path, text: str, found: str) -> None:
    write(tmp_path, "new.py")
    (tmp_path / "raises.py").write_text("1 / 0\n")
    with pytest.raises(UserError) as error:
        parse_contestants(["random", text], tmp_path)
    assert found in str(error.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("python3 new.py \udcff {host} {port} {name}", r"new.py \udcff {host}"),
        ("b\udcff.py:Mine", r"/b\udcff.py:Mine'"),
        ("at\udcff/player", r"/at\udcff/player'"),
    ],
)
def test_bytes_that_no_tournament_file_can_have_are_refused(
    tmp_path: Path, text: str, found: str
) -> None:
    write(tmp_path, "new.py", "b\udcff.py", "at\udcff/player/player.py")
    with pytest.raises(UserError, match=r"not UTF-8 in '[^']*" + re.escape(found)):
        parse_contestants(["random", text], tmp_path)


def test_classes_with_different_modules_of_one_name_are_refused(tmp_path: Path) -> None:
    """In one process both would import the first of them."""
    for version in ("v1", "v2"):
        write(tmp_path, f"{version}/duel_bot.py", f"{version}/unused.py")
        (tmp_path / version / "duel_brain.py").write_text("")
        with (tmp_path / version / "duel_bot.py").open("a") as file:
            file.write("import duel_brain\n")
    with pytest.raises(UserError, match=r"have a module duel_brain\.py"):
        parse_contestants(["v1/duel_bot.py:Mine", "v2/duel_bot.py:Mine"], tmp_path)
    assert parse_contestants(["v1/duel_bot.py:Mine", "v1/duel_bot.py:Other"], tmp_path)


# -- seats --------------------------------------------------------------------------------------


def test_two_contestants_share_the_seats() -> None:
    even = seated("investor", "random")
    assert even.teams == (("investor", "investor.2"), ("random", "random.2"))
    assert (even.tables, even.games_in_block) == (1, 4)
    assert [*map(len, seated("investor", "random", seats=5).teams)] == [2, 3]
    assert [*map(len, seated("investor", "random", seats=2, rulebook="classic").teams)] == [1, 1]


def test_several_opponents_share_what_one_leaves() -> None:
    assert [*map(len, seated(*BUILT_IN[:4]).teams)] == [1, 1, 1, 1]
    assert seated(*BUILT_IN[:4]).games_in_block == 4
    many = seated(*BUILT_IN, seats=3)
    assert (many.tables, many.games_in_block) == (6, 18)
    assert [*map(len, seated(*BUILT_IN[:3], seats=6).teams)] == [1, 3, 3]


def test_more_players_than_letters_are_more_than_seats() -> None:
    crowd = parse_contestants(["investor"] * 29, Path.cwd())
    assert [one.label for one in crowd[24:]] == [
        *("investor-y", "investor-z", "investor-27", "investor-28", "investor-29")
    ]
    with pytest.raises(UserError, match="29 players at a table of 29: rulebook revised has tables"):
        match_lineup(crowd, REVISED, None)
    with pytest.raises(UserError, match="28 opponents at tables of 6 meet in"):
        lineup(crowd, REVISED, None)


def test_seats_must_suit_the_rulebook() -> None:
    with pytest.raises(UserError, match="between 3 and 6 for rulebook revised, not 2"):
        seated("investor", "random", seats=2)
    with pytest.raises(UserError, match="meet in 84 ways"):
        seated("investor", *("random", "ordered", "largest-alpha") * 3, seats=4)


@pytest.mark.parametrize("texts", [BUILT_IN[:2], BUILT_IN[:3], BUILT_IN])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_everybody_has_every_seat_equally_often(
    tmp_path: Path, texts: tuple[str, ...], seats: int
) -> None:
    found = seated(*texts, seats=seats)
    plan = read_plan(written(tmp_path, found))
    games = [game for game in new_schedule(plan, 1).stage(1) if game.id.startswith("d1-")]
    assert len(games) == found.games_in_block
    assert len({game.seed for game in games}) == found.tables, "a table shares its deal"
    mine = {*found.teams[0]}
    assert {len(mine & {*game.players}) for game in games} == {len(mine)}
    for team in found.teams[1:]:
        in_seat = [Counter(game.players[at] in team for game in games) for at in range(seats)]
        assert len({count[True] for count in in_seat}) == 1, "every seat equally often"
    played = {
        sum(name in team for game in games for name in game.players) for team in found.teams[1:]
    }
    assert len(played) == 1, "all opponents equally often"


# -- the file -----------------------------------------------------------------------------------


def written(
    folder: Path, found: Lineup, settings: DuelSettings = SETTINGS, here: Path | None = None
) -> Path:
    file = folder / "duel" / "duel.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(toml_text(duel_file(found, settings, file.parent, here or Path.cwd())))
    return file


def test_programs_run_where_the_command_was_given(tmp_path: Path) -> None:
    write(tmp_path, "new.py")
    command = "python3 new.py '{host}' {port} {name} 'a \"quoted\" word'"
    found = lineup(parse_contestants([command, "new.py:Mine"], tmp_path), REVISED, 4)
    plan = read_plan(written(tmp_path, found, here=tmp_path))
    program, _, strategy, _ = plan.players
    words = ("python3", "new.py", "{host}", "{port}", "{name}", 'a "quoted" word')
    assert program.command == words
    assert (plan.folder / str(program.directory)).resolve() == tmp_path.resolve()
    assert (plan.folder / program.read_only[0]).resolve() == tmp_path.resolve()
    assert strategy.strategy == f"{tmp_path}/new.py:Mine"
    assert plan.duplicate and plan.tournament.deals == 25


def test_folder_is_shown_itself_alone_unless_the_match_is_in_it(tmp_path: Path) -> None:
    write(tmp_path / "mine", "player.py")
    own = 'command = ["./p", "{port}"]\nbuild = ["make", "all of it"]\nenvironment = { A = "1" }\n'
    write(tmp_path / "mine", "p")
    (tmp_path / "mine" / "p").chmod(0o755)
    (tmp_path / "mine" / "player.toml").write_text(own)
    write(tmp_path, "player.py")
    found = lineup(parse_contestants(["mine", "."], tmp_path), REVISED, 2 + 2)
    plan = read_plan(written(tmp_path, found, here=tmp_path))
    shown = {player.name: (player.directory, player.read_only) for player in plan.players}
    mine, whole = str(tmp_path / "mine"), str(tmp_path)
    assert shown["mine"] == (mine, ())
    assert {shown[name] for name in found.teams[1]} == {(whole, (whole,))}
    again = found.contestants[0].rerun(Path("/a b.xml"), "mine.2")
    assert again == (
        f"cd {shlex.quote(mine)} && env A=1 make 'all of it' && "
        "acquire rerun '/a b.xml' --seat mine.2 -- env A=1 ./p {port}"
    )
    assert plan.limits.read_only == () and plan.players[0].environment == {"A": "1"}


def test_rulebook_file_is_found_from_the_folder(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("base = 'classic'\nid = 'own'\n")
    settings = DuelSettings("own.toml", 100, {}, {})
    plan = read_plan(written(tmp_path, seated("random", "ordered"), settings, tmp_path))
    assert plan.tournament.rulebook.id == "own"


def test_only_the_number_of_games_of_a_duel_may_change(tmp_path: Path) -> None:
    def file(max_games: int, *texts: str, seed: int | None = None) -> dict[str, Any]:
        settings = DuelSettings("revised", max_games, SETTINGS.clocks, SETTINGS.limits, seed)
        return tomllib.loads(toml_text(duel_file(seated(*texts), settings, tmp_path, tmp_path)))

    pair = ("random", "ordered")
    before = file(100, *pair, seed=7)
    more = continued(file(200, *pair), before)
    assert (more["tournament"]["deals"], more["tournament"]["seed"]) == (50, 7)
    assert continued(file(8, *pair), before) == before, "at least its games"
    for other in (file(100, "random", "investor"), file(100, *pair, seed=8)):
        with pytest.raises(UserError):
            continued(other, before)
