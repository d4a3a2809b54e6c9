"""A position in the terminal: who has what, what is hidden, who was ejected, in any width."""

import io
from dataclasses import replace

import pytest
from rich.console import Console, RenderableType

from acquire.admin.pages.html.board_svg import board_svg
from acquire.admin.refereeing.view.board_text import PlayerRow, draw, draw_players, player_rows
from acquire.game.notation import parse_position
from acquire.game.rulebooks import CLASSIC

STATE = parse_position(CLASSIC, "AA.TTT", ["ann 1B 2B 12I A3 $100", "bob A1 T5 $5000"])


def drawn(picture: RenderableType, width: int = 100) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width).print(picture)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def row(lines: list[str], name: str) -> list[str]:
    return next(line.split()[1:] for line in lines if line.startswith(name))


def test_player_is_shown_with_cash_certificates_net_worth_and_hand() -> None:
    lines = drawn(draw(STATE))
    assert row(lines, "player") == ["cash", *"ACFISTW", "worth", "hand"]
    assert row(lines, "ann") == ["100", "3", *"······", "4,000", "1B", "2B", "12I"]


def test_given_net_worth_is_shown_as_in_a_merger() -> None:
    rows = player_rows(STATE, {"ann": 7777, "bob": 1})
    assert "7,777" in row(drawn(draw(STATE, rows)), "ann")


def test_hidden_is_a_question_mark() -> None:
    lines = drawn(draw_players(CLASSIC, [PlayerRow("ann")]))
    assert row(lines, "ann") == ["?"] * 10


def test_ejected_player_keeps_a_row() -> None:
    rows = player_rows(STATE, ejected=["cyd"])
    assert row(drawn(draw(STATE, rows)), "cyd") == ["ejected"]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_hotels_are_beside_the_board_by_name_or_by_letter(width: int) -> None:
    lines = drawn(draw(STATE), width)
    assert max(map(len, lines)) <= width
    assert lines[0].split()[-3:] == ["tiles", "price", "bank"]
    assert lines[1].split()[-3:] == ["2", "300", "21"]
    assert any("Tower" in line for line in lines) is (width >= 80)


def test_hotels_are_below_the_board_in_a_terminal_narrower_than_both() -> None:
    lines = drawn(draw(STATE), 50)
    assert lines[0].split() == [str(column) for column in range(1, 13)]
    assert any("Tower" in line for line in lines[10:])


def test_picture_writes_prices_as_all_else_does() -> None:
    dear = replace(CLASSIC, prices=tuple(tuple(2 * each for each in row) for row in CLASSIC.prices))
    state = parse_position(dear, "T" * 12, ["ann", "bob"])
    assert "Tower 12 · $1,800" in board_svg(state)


def test_sign_of_tiles_set_aside_is_explained_where_there_are_any() -> None:
    aside = STATE._replace(aside=1)
    for picture, explained in ((STATE, False), (aside, True)):
        assert ("set aside</text>" in board_svg(picture)) is explained
        assert any("set aside" in line for line in drawn(draw(picture))) is explained
