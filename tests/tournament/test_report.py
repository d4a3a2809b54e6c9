"""The report: it has the tables of the summary, and text from players is never markup."""

import json
import re
import shlex
from collections.abc import Sequence
from typing import Any

import pytest
from command_line import on_one_line
from loops import for_each
from lxml import html
from summaries import row, summary

from acquire.admin.refereeing.view.decisive_turn import DecisiveTurn
from acquire.admin.refereeing.view.plain_text import number, printable
from acquire.admin.studying.statistics.intervals import INTERVAL, Estimate
from acquire.admin.tournament.games.entries import Entries
from acquire.admin.tournament.games.result import (
    NOT_STARTED,
    FailedGame,
    GameResult,
    PlayerVerdict,
    SeatResult,
)
from acquire.admin.tournament.planning.facts import Format, PlayerAndKind, Seatings, TournamentFacts
from acquire.admin.tournament.planning.game_seeds import Series
from acquire.admin.tournament.reporting import result_pages
from acquire.admin.tournament.reporting.game_story import (
    MAX_EXPLAINED,
    Cause,
    Fall,
    GameStory,
    PlayerGames,
    commands_for,
    decisive_sentence,
)
from acquire.admin.tournament.reporting.published import player_paths
from acquire.admin.tournament.reporting.report_content import ReportContent
from acquire.admin.tournament.reporting.result_pages import Mark, interval_plot, scale_of
from acquire.admin.tournament.standings.summary import Duel, SeatRow, StandingsRow, Summary, Tie

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><!--<script>",
    "\"><img src=x onerror='alert(1)'>",
    "{{ facts.name }}{% raw %}",
    "&lt;b&gt; &amp; ]]>",
    "a+b %2B #&player=c",
    "שלום \u202eevil",
    "🧑\u200d🎓\u2028",
    "x" * 40,
]
DASH = "\N{EN DASH}"
FACTS = TournamentFacts(
    name="Spring cup",
    rulebook="revised",
    rulebook_json="{}",
    seats=2,
    format=Format.ROUND_ROBIN,
    seatings=Seatings.BALANCED,
    deals=3,
    duplicate=True,
    points=(1.0, 0.0),
    total=2,
    reply=1.5,
    turn=12.0,
    players=(PlayerAndKind("ada", "command"), PlayerAndKind("bob", "strategy investor")),
    left_out=(),
)
VOIDS = (FailedGame("d9-t9-s09", "The referee was late itself.", attempt=2),)


def facts_with(**changes: object) -> TournamentFacts:
    return FACTS.model_copy(update=changes)


def content_of(
    facts: TournamentFacts,
    games: Sequence[GameResult] = (),
    voids: Sequence[FailedGame] = (),
    *,
    logs: bool = False,
    series: tuple[Series, ...] = (),
) -> ReportContent:
    none = Entries(())
    return ReportContent(facts, none, games, voids, (), series, "", signed=False, logs=logs)


def page(facts: TournamentFacts, summary: Summary, *others: Any, **more: Any) -> str:
    return result_pages.page(content_of(facts, *others, **more), summary)


def games_page(*, logs: bool, facts: TournamentFacts, summary: Summary) -> str:
    return result_pages.games_page(content_of(facts, GAMES, VOIDS, logs=logs), summary)


def game(number: int, first: str, second: str) -> GameResult:
    lost = SeatResult(second, PlayerVerdict.TIMED_OUT, 2, 0, "</script>Too late.", 7)
    seats = (SeatResult(first, PlayerVerdict.FINISHED, 1, 29500), lost)
    return GameResult(f"d{number}-t1-s01", f"d{number}-t1", 7, "large-hotel", 70, 5, seats)


ADA = row(1, "ada", Estimate(1.62, 1.41, 1.84))
BOB = row(2, "bob", Estimate(0.38, 0.16, 0.59))
GAMES = (game(10, "ada", "bob"), game(2, "bob", "ada"))
PAGE = page(FACTS, summary(ADA, BOB), GAMES, VOIDS, logs=True)
ALL_GAMES = games_page(logs=True, facts=FACTS, summary=summary(ADA, BOB))


def texts(source: str, path: str) -> list[str]:
    found = html.document_fromstring(source).xpath(path)
    assert isinstance(found, list)
    return [on_one_line(one.text_content()) for one in found]


def test_sections_are_in_order() -> None:
    assert texts(PAGE, "//h2") == [
        *("Standings", "Head to head", "Does the seat matter?", "Verdicts", "Time used"),
        *("How games ended", "Void games", "Alarms", "How to read this", "Check this report"),
    ]


def table(source: str, name: str) -> list[list[str]]:
    """Return the cells of a table's body, row by row."""
    rows = html.document_fromstring(source).xpath(f"//table[@id='{name}']/tbody/tr")
    assert isinstance(rows, list)
    return [[on_one_line(cell.text_content()) for cell in line] for line in rows]


def data(source: str) -> dict[str, Any]:
    (script,) = html.document_fromstring(source).xpath("//script[@id='data']/text()")
    return dict(json.loads(script))


def finding(*rows: StandingsRow) -> str:
    (sentence,) = texts(page(FACTS, summary(*rows)), "//p[@class='finding']")
    return sentence


# -- the page as a document ---------------------------------------------------------------------


def test_page_needs_no_other_file() -> None:
    tree = html.document_fromstring(PAGE)
    assert not tree.xpath("//img | //iframe | //script[@src] | //base")
    assert all(str(icon).startswith("data:") for icon in tree.xpath("//link/@href"))
    links = tree.xpath("//a/@href")
    assert isinstance(links, list) and links
    assert all(re.match(r"#|games\.html|players/\w+\.html", str(link)) for link in links)
    namespace = r"(?!//www\.w3\.org/2000/svg[\"'])"  # that is a name, and no address
    assert not re.search(rf"https?:{namespace}|@import|url\(", PAGE)


FIRST = Series(1, 1, "0c" * 32, last=2, secret="05" * 32)
SECOND = Series(2, 3, "1c" * 32)


@pytest.mark.parametrize(
    ("series", "sentence", "rows"),
    [
        (
            (SECOND._replace(number=1, first=1),),
            "The secret is kept until every planned game counts",
            [["1", "all", "1c" * 32, "not revealed yet"]],
        ),
        (
            (FIRST._replace(tables=5),),
            "Every planned game counts, so the secret is revealed.",
            [["1", f"deals 1{DASH}2, tables 1{DASH}5", "0c" * 32, "05" * 32]],
        ),
        (
            (FIRST, SECOND),
            "The secret of the last series is kept until every planned game counts",
            [
                ["1", f"deals 1{DASH}2", "0c" * 32, "05" * 32],
                ["2", "all others", "1c" * 32, "not revealed yet"],
            ],
        ),
    ],
    ids=["committed", "revealed", "extended"],
)
def test_bags_section_has_every_commitment_and_the_secrets_revealed_so_far(
    series: tuple[Series, ...], sentence: str, rows: list[list[str]]
) -> None:
    facts = facts_with(duplicate=False)
    shown = page(facts, summary(ADA, BOB), GAMES, VOIDS, logs=True, series=series)
    assert table(shown, "bags-table") == rows
    (text, how) = texts(shown, "//section[@aria-labelledby='bags']/p")
    assert sentence in text
    assert "HMAC-SHA256(secret, “bag ID”), read as a number, modulo 1018, where ID is the id" in how
    assert "Bags" in texts(shown, "//nav/a") and "Bags" not in texts(PAGE, "//nav/a")
    (void,) = texts(shown, "//section[@aria-labelledby='voids']/p")
    assert void.endswith("is played again with the same seats, and with another bag.")


def test_links_within_the_page_have_a_target_and_ids_are_unique() -> None:
    tree = html.document_fromstring(PAGE)
    keys = [str(key) for key in tree.xpath("//@id")]
    assert len(keys) == len(set(keys))
    inner = {str(link)[1:] for link in tree.xpath("//nav//@href[starts-with(., '#')]")}
    named = " ".join(str(one) for one in tree.xpath("//@aria-labelledby")).split()
    assert inner and named and inner | set(named) <= set(keys)


def test_tables_have_captions_and_scopes_and_plots_have_descriptions() -> None:
    tree = html.document_fromstring(PAGE)
    tables = tree.xpath("//table")
    assert len(tables) == len(tree.xpath("//table/caption[normalize-space()]")) == 8
    assert tree.xpath("//th") and not tree.xpath("//th[not(@scope)]")
    assert len(tree.xpath("//svg[@role='img'][title][desc]")) == 2


def test_columns_with_intervals_say_so() -> None:
    for name in ("standings-table", "seats-table"):
        heads = texts(PAGE, f"//table[@id='{name}']/thead//th")
        assert INTERVAL in heads, heads
    assert f"average and {INTERVAL}." in texts(PAGE, "//figcaption")[0]


def test_order_of_the_games_does_not_matter() -> None:
    assert page(FACTS, summary(ADA, BOB), GAMES[::-1], VOIDS, logs=True) == PAGE


# -- contents -----------------------------------------------------------------------------------


def test_settings_are_shown() -> None:
    (line,) = texts(PAGE, "//p[@class='facts']")
    for fact in ("revised", "2 players, 2 per table", "round-robin, balanced seatings"):
        assert fact in line
    assert "3 duplicate deals" in line and "2 games played" in line
    assert "1.5 s per reply, 12 s per turn" in line
    plain = page(facts_with(duplicate=False), summary(ADA, BOB))
    assert "3 deals" in texts(plain, "//p[@class='facts']")[0]


def test_standings_are_those_of_the_summary() -> None:
    rest = ["1.37", "61.8 %", "$31,416", "27.2", "1"]
    assert table(PAGE, "standings-table") == [
        ["1", "adaprogram", "a", "2", "1.62", f"1.41{DASH}1.84", *rest],
        ["2", "bobbuilt-in investor", "a", "2", "0.38", f"0.16{DASH}0.59", *rest],
    ]


def test_other_tables_are_those_of_the_summary() -> None:
    assert table(PAGE, "crosstable-table") == [["1ada", "·", "73"], ["2bob", "27", "·"]]
    assert table(PAGE, "seats-table") == [
        ["1", "2", "1.91", f"1.81{DASH}2.01", "1.11", "66.0 %"],
        ["2", "2", "0.19", f"0.09{DASH}0.29", "1.89", "34.0 %"],
    ]
    by_seat = [["ada", "1.46", "0.54"], ["bob", "1.46", "0.54"]]
    assert table(PAGE, "player-seat-table") == by_seat
    assert table(PAGE, "verdicts-table") == [["ada", "5", "17"], ["bob", "5", "17"]]
    times = [[name, "4.321", "0.987", DASH] for name in ("ada", "bob")]
    assert table(PAGE, "time-table") == times
    voids = [["d9-t9-s09", "2", "The referee was late itself."]]
    assert table(PAGE, "voids-table") == voids
    endings = table(PAGE, "endings-table")
    assert [line[:2] for line in endings] == [["large-hotel", "3"], ["dead-round", "1"]]


def test_verdicts_and_endings_are_explained() -> None:
    assert PlayerVerdict.TIMED_OUT.sentence in texts(PAGE, "//dd")
    assert PlayerVerdict.CRASHED.sentence not in texts(PAGE, "//dd")
    assert "A hotel has reached" in table(PAGE, "endings-table")[0][-1]


def test_page_says_what_would_separate_neighbours() -> None:
    ties = (Tie("ada", "<bob>", 0.123, 40),)
    source = page(FACTS, summary(ADA, BOB, ties=ties))
    assert "ada</bdi> and <bdi>&lt;bob&gt;</bdi>: about 40 more blocks of each would" in source


def test_page_names_the_players_that_are_left_out() -> None:
    assert "Left out" not in PAGE
    source = page(facts_with(left_out=("<gus>", "hal")), summary(ADA, BOB))
    assert "Left out, because they cannot play" in source
    assert "<bdi>&lt;gus&gt;</bdi> and <bdi>hal</bdi>" in source


def test_two_players_that_never_met_have_no_share() -> None:
    never = (Duel("ada", "bob", 0, None), Duel("bob", "ada", 0, None))
    source = page(FACTS, summary(ADA, BOB, crosstable=never))
    assert table(source, "crosstable-table") == [["1ada", "·", DASH], ["2bob", DASH, "·"]]


POINTS = Estimate(1.0)


NINE = ", ".join(f"{at} p{at} a" for at in range(1, 10))


@for_each(
    ("rows", "sentence"),
    [
        ("", "No game has been played yet."),
        ("1 ada a", "ada is first."),
        ("1 ada a, 2 bob a", "ada is first, but not clearly ahead of bob."),
        ("1 ada a, 2 bob b", "ada is first, clearly ahead of all other players."),
        (
            "1 ada a, 1 bob a, 3 cyd b",
            "ada and bob share first place, clearly ahead of all other players.",
        ),
        (
            "1 ada a, 2 bob ab, 3 cyd ab, 4 dan b",
            "ada is first, but not clearly ahead of bob and cyd.",
        ),
        ("1 ada a, 2 bob b, 3 cyd ab", "ada is first, but not clearly ahead of cyd."),
        ("1 ada a, 1 bob a", "ada and bob share first place."),
        (
            "1 ada a, 1 bob ab, 3 cyd b",
            "ada and bob share first place, but not clearly ahead of cyd.",
        ),
        (NINE, "p1 is first, but not clearly ahead of any other player."),
        (f"{NINE}, 10 p10 b", "p1 is first, but not clearly ahead of 8 others."),
        ("1 ada a, 2 bob b, 3 cyd aa", "ada is first, clearly ahead of all other players."),
    ],
)
def test_finding_names_the_leaders_and_all_players_too_close_to_them(
    rows: str, sentence: str
) -> None:
    """Of each row are given the rank, the player and the groups."""
    cells = [each.split() for each in rows.split(", ") if each]
    standings = (row(int(rank), name, POINTS, groups) for rank, name, groups in cells)
    assert finding(*standings) == sentence


def test_players_without_a_game_are_not_first() -> None:
    assert finding(row(1, "ada", POINTS, games=0)) == "No game has been played yet."


@pytest.mark.parametrize(("played", "shown"), [(0, True), (3, True), (4, False)])
def test_banner_says_that_a_tournament_is_unfinished(played: int, shown: bool) -> None:
    counted = summary(ADA, BOB, games=played)
    banner = texts(page(facts_with(total=4), counted), "//p[@class='banner']")
    assert [f"{played} of 4 games" in line for line in banner] == [True] * shown


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (
            Estimate(1.9, 1.8, 2.0),
            Estimate(0.1, 0.0, 0.2),
            "Seat 1 has significantly more points than average. Seat 2 has significantly fewer",
        ),
        (Estimate(1.1, 0.8, 1.4), Estimate(0.9, 0.6, 1.2), "These games do not show that it does"),
        (Estimate(1.9), Estimate(0.1), "too few blocks"),
    ],
)
def test_seats_matter_if_their_intervals_exclude_the_average(
    first: Estimate, second: Estimate, words: str
) -> None:
    seats = tuple(
        SeatRow(seat, 2, points, Estimate(1.5), Estimate(0.5))
        for seat, points in enumerate((first, second), start=1)
    )
    source = page(FACTS, summary(ADA, BOB, seats=seats))
    (section,) = texts(source, "//section[@aria-labelledby='seats']")
    assert words in section


def test_player_without_a_game_has_a_row_without_numbers() -> None:
    source = page(FACTS, summary(ADA, row(2, "bob", Estimate(0.0), games=0)))
    line = ["2", "bobbuilt-in investor", "a", "0", "no games yet"]
    assert table(source, "standings-table")[1] == line


def test_tournament_without_games_has_a_page() -> None:
    source = page(FACTS, Summary(0, 0, 0, (), (), (), {}, {}, {}, ()))
    assert "No game has ended yet." in source and "None: every game counts." in source


# -- all games ----------------------------------------------------------------------------------


def test_games_are_sorted_by_number() -> None:
    timed_out = list(PlayerVerdict).index(PlayerVerdict.TIMED_OUT)
    seats = ([0, 0, 1, 29500], [1, timed_out, 2, 0, 7, "</script>Too late."])
    swapped = ([1, *seats[0][1:]], [0, *seats[1][1:]])
    assert data(ALL_GAMES) == {
        "players": ["ada", "bob"],
        "verdicts": [verdict.value for verdict in PlayerVerdict],
        "pages": ["players/ada.html", "players/bob.html"],
        "logs": "logs",
        "replays": "games",
        "duplicate": True,
        "games": [
            ["d2-t1-s01", "large-hotel", 70, 5, [*swapped], 0],
            ["d10-t1-s01", "large-hotel", 70, 5, [*seats], 0],
        ],
    }


def test_games_are_linked_only_if_they_have_pages() -> None:
    for logs, folders in ((True, ("logs", "games")), (False, (None, None))):
        source = games_page(logs=logs, facts=FACTS, summary=summary(ADA, BOB))
        found = data(source)
        assert (found["logs"], found["replays"]) == folders
        assert ("id opens it" in source) == logs


def test_games_are_compared_in_step_only_if_they_have_the_same_bags() -> None:
    for duplicate in (True, False):
        facts = facts_with(duplicate=duplicate)
        source = games_page(logs=False, facts=facts, summary=summary(ADA, BOB))
        assert ("Out of step" in source) == ("got out of step" in source) == duplicate
        assert data(source)["duplicate"] is duplicate


def test_names_lead_to_the_pages_of_the_players() -> None:
    names = sorted([*HOSTILE, "Ada", "ada", "nul"])
    facts = facts_with(players=tuple(PlayerAndKind(name, "remote") for name in names))
    source = page(facts, summary(*(row(1, name, POINTS) for name in names)))
    pages = player_paths(names)
    assert len({path.lower() for path in pages.values()}) == len(names)
    assert "players/nul.html" not in pages.values()
    assert all(re.fullmatch(r"players/[A-Za-z0-9_-]+\.html", path) for path in pages.values())
    tree = html.document_fromstring(source)
    assert tree.xpath("//table[@id='standings-table']//@href") == [pages[name] for name in names]
    lost = [f"{pages[name]}#timed-out" for name in names]
    assert tree.xpath("//table[@id='verdicts-table']//td//@href") == lost
    rows = summary(*(row(1, name, POINTS) for name in ("ada", "bob", *names)))
    listed = games_page(logs=False, facts=facts, summary=rows)
    assert data(listed)["pages"][2:] == [
        player_paths(["ada", "bob", *names])[name] for name in names
    ]


# -- hostile text -------------------------------------------------------------------------------


def elements(source: str) -> list[str]:
    return sorted(str(one.tag) for one in html.document_fromstring(source).iter())


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_text(name: str) -> None:
    def of(text: str) -> tuple[str, str]:
        facts = facts_with(
            name=text, players=(PlayerAndKind(text, "remote"), PlayerAndKind("bob", text))
        )
        points = summary(ADA._replace(player=text), BOB)
        voids = (FailedGame("d1-t1-s01", text, attempt=1),)
        games = (game(1, text, "bob"),)
        content = content_of(facts, games, voids)
        return result_pages.page(content, points), result_pages.games_page(content, points)

    source, listed = of(name)
    assert [elements(each) for each in (source, listed)] == [elements(each) for each in of("ada")]
    assert data(listed)["players"] == [name, "bob"]
    (option,) = html.document_fromstring(listed).xpath("//option[@value='0']")
    assert option.text_content() == printable(name)
    tree = html.document_fromstring(source)
    for path in ("//h1/bdi", "//table[@id='standings-table']//tr[1]//bdi"):
        assert [one.text_content() for one in tree.xpath(path)] == [printable(name)], path
    assert printable(name) in [one.text_content() for one in tree.xpath("//svg//text")]


@pytest.mark.parametrize("name", [*HOSTILE, "a; rm -rf *", "$(reboot)", "it's `me`"])
def test_commands_of_a_loss_can_be_copied_whatever_the_name(name: str) -> None:
    lost = SeatResult(name, PlayerVerdict.CRASHED, 2, 0, turn=7)
    explain, show, rerun = map(shlex.split, commands_for("d1-t1-s1", lost))
    log = "logs/d1-t1-s1.xml.gz"
    assert explain == ["acquire", "explain", log, "--seat", name]
    assert show == ["acquire", "replay", log, "--turn", "7"]
    assert rerun == ["acquire", "rerun", log, "--seat", name, "--", "COMMAND"]


def test_characters_that_a_page_may_not_contain_are_replaced() -> None:
    voids = (FailedGame("d1-t1-s01", "a\x00b\x1b[31m", attempt=1),)
    source = page(FACTS, summary(ADA, BOB), (), voids)
    assert "a\ufffdb\ufffd[31m" in source and "\x00" not in source and "\x1b" not in source


# -- plots --------------------------------------------------------------------------------------


def marks_of(source: str, kind: str) -> int:
    found = html.fromstring(source).xpath(f"//*[@class='{kind}']")
    assert isinstance(found, list)
    return len(found)


def test_plot_has_a_mark_for_every_player_and_all_known_intervals() -> None:
    marks = [Mark("ada", Estimate(1.0, 0.5, 1.5)), Mark("<b>", Estimate(2.0)), Mark("c", POINTS)]
    plot = interval_plot("key", "title", "words", marks, reference=1.2)
    assert marks_of(plot, "mark") == 3
    assert marks_of(plot, "interval") == 1
    assert marks_of(plot, "reference") == 1
    assert marks_of(interval_plot("key", "title", "words", marks), "reference") == 0
    assert marks_of(PAGE, "mark") == 4  # two players, two seats


def test_marks_are_at_their_values_on_the_axis() -> None:
    plot = interval_plot("key", "t", "w", [Mark("a", Estimate(2.5, 0.0, 10.0))])
    tree = html.fromstring(plot)
    assert tree.xpath("//circle/@cx") == ["25.00%"]
    line = tree.xpath("//line[@class='interval']")[0]
    assert (line.get("x1"), line.get("x2")) == ("0.00%", "100.00%")


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.0, 10.0], (0.0, 2.0, 4.0, 6.0, 8.0, 10.0)),
        ([0.51, 2.49], (0.5, 1.0, 1.5, 2.0, 2.5)),
        ([-0.3, 0.5], (-0.4, -0.2, 0.0, 0.2, 0.4, 0.6)),
        ([25_400.0, 33_100.0], (24_000.0, 26_000.0, 28_000.0, 30_000.0, 32_000.0, 34_000.0)),
        ([1.0], (0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6)),
        ([], (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
    ],
)
def test_axis_has_round_numbers_and_contains_all_values(
    values: list[float], ticks: tuple[float, ...]
) -> None:
    scale = scale_of(values)
    assert scale.ticks == ticks
    assert all(scale.low <= value <= scale.high for value in values)


def test_numbers_have_commas_and_a_minus_sign() -> None:
    values = ((1234567.0, 0), (1.005, 1), (-2.5, 1), (-0.001, 2), (0.0, 0))
    written = ["1,234,567", "1.0", "\N{MINUS SIGN}2.5", "0.00", "0"]
    assert [number(*each) for each in values] == written


# -- lost games ---------------------------------------------------------------------------------


def losses(*outputs: str, known: str = "") -> list[Cause]:
    """Return the causes of games that a program lost by a crash, each with what it printed.

    ``known`` is what the referee knows of it.
    """
    games, fall = (
        PlayerGames(),
        Fall(7, 4, "", "in answer to <turn>", "What was received: nothing."),
    )
    for output in outputs:
        lost = SeatResult("ada", PlayerVerdict.CRASHED, 2, 0, "It ended.", 7, cause=known)
        games.take(alone(lost), 1, GameStory(falls={"ada": fall}), output.encode())
    return games.by_number()


def alone(seat: SeatResult) -> GameResult:
    return GameResult("d1-t1-s1", "d1-t1", 1, "", 9, None, (seat,))


def test_same_error_is_one_cause_at_whatever_address_and_value() -> None:
    errors = ("error at 0x7f00a1", "KeyError: 'Tower'", "error at 0x1bcd", "thread 81234: error")
    found = losses(*errors, "KeyError: 'Sackson'", "KeyError: 'Tower'", "ImportError: no 'numpy'")
    assert [(cause.title, len(cause.losses)) for cause in found] == [
        ("KeyError: …", 3),
        ("error at …", 2),
        ("ImportError: no 'numpy'", 1),
        ("thread …: error", 1),
    ]
    assert [cause.title for cause in losses(*["KeyError: 'Tower'"] * 2)] == ["KeyError: 'Tower'"]


def test_cause_of_a_loss_is_no_line_that_names_no_error() -> None:
    (cause,) = losses("my turn", "asked <keep>")
    assert (cause.title, len(cause.losses)) == ("It ended", 2)


def test_games_for_which_a_program_was_not_started_come_after_what_led_to_that() -> None:
    missed = ("It ended with exit code 0.", *(NOT_STARTED,) * 4, "It ended with exit code 0.")
    games = PlayerGames()
    for why in missed:
        lost = SeatResult("ada", PlayerVerdict.NEVER_STARTED, 2, 0, why, 0)
        games.take(alone(lost), 1, GameStory(), b"")
    assert [len(cause.losses) for cause in games.by_number()] == [2, 4]


def test_loss_of_a_program_that_printed_too_much_is_named_by_that() -> None:
    (cause,) = losses("x" * 5000, "y" * 5000, known="Its output reached the limit.")
    assert (cause.title, len(cause.losses)) == ("Its output reached the limit", 2)
    assert len(cause.losses[0].telling_line) < 200


def test_first_losses_of_a_cause_are_explained_and_the_others_listed() -> None:
    (cause,) = losses(*["KeyError"] * (MAX_EXPLAINED + 2))
    assert [bool(loss.output) for loss in cause.losses] == [True] * MAX_EXPLAINED + [False] * 2
    content = content_of(FACTS, logs=True)
    games = PlayerGames({(cause.verdict, cause.title): cause})
    source = result_pages.player_page(content, summary(ADA, BOB), "ada", games)
    assert len(texts(source, "//details[@class='loss']")) == MAX_EXPLAINED
    assert len(texts(source, "//p[@class='also']")) == 2


@pytest.mark.parametrize(
    ("falls", "decisive", "step"),
    [
        ({}, None, 0),
        ({}, 40, 40),
        ({"ada": (0, 1)}, None, 1),
        ({"ada": (0, 1)}, 40, 40),
        ({"ada": (0, 1), "bob": (3, 9), "cyd": (8, 70)}, 40, 9),
    ],
)
def test_game_is_opened_at_the_first_ejection_in_a_turn_or_where_it_was_decided(
    falls: dict[str, tuple[int, int]], decisive: int | None, step: int
) -> None:
    ejected = {
        name: Fall(turn, at, "", "in answer to <turn>", "") for name, (turn, at) in falls.items()
    }
    turn = None if decisive is None else DecisiveTurn(12, decisive, (0,), -100, 300, 1)
    assert GameStory(("ada", "bob", "cyd"), turn, (), ejected).open == step


@pytest.mark.parametrize(
    ("winners", "before", "after", "words"),
    [
        ((0,), -100, 300, "was ahead{then}, by $300 after this turn. Before it, cyd was{by} $100."),
        ((0, 1), 0, 300, "were ahead{then}, by $300 after this turn. Before it, cyd had as much."),
        ((0,), None, 300, "was ahead{then}, by $300 after this turn."),
        ((0,), -100, None, "was ahead{then}. Before it, cyd was{by} $100."),
    ],
)
def test_decisive_turn_says_who_led_before_and_after(
    winners: tuple[int, ...], before: int | None, after: int | None, words: str
) -> None:
    turn = DecisiveTurn(12, 40, winners, before, after, 2)
    names = " and ".join(("ada", "bob", "cyd")[place] for place in winners)
    told = words.format(then=" in net worth from then on", by=" ahead by")
    assert decisive_sentence(GameStory(("ada", "bob", "cyd"), turn)) == f"{names} {told}"
