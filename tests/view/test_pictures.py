"""Pictures to share: a GIF of some turns, and the moment that decided a game."""

from pathlib import Path

import pytest
from command_line import refused, said

from acquire.admin.refereeing.view.palette import HOTEL_COLORS, PAGE_COLORS

Image = pytest.importorskip("PIL.Image", reason="needs Pillow: pip install pillow")
GOLDEN = Path(__file__).parents[1] / "golden"
LOG = GOLDEN / "classic-four-way-merger.xml"


def pixel(path: Path, frame: int, x: int, y: int) -> str:
    with Image.open(path) as picture:
        picture.seek(frame)
        return "#{:02x}{:02x}{:02x}".format(*picture.convert("RGB").getpixel((x, y)))


def drawn(folder: Path, name: str, box: tuple[int, int, int, int]) -> bytes:
    """Draw the decisive moment with another name for the winner; return a part of the picture."""
    log, png = folder / "game.xml", folder / "game.png"
    log.write_text(LOG.read_text().replace("founder-3", name))
    said("replay", log, "--png", png)
    with Image.open(png) as picture:
        return bytes(picture.convert("L").crop(box).point(lambda light: light < 128).tobytes())


NAME, GAP = (42, 398, 160, 416), (163, 398, 168, 416)
"""Where the picture has the name of the winner, and nothing before its amount."""


@pytest.mark.parametrize(("name", "other"), [("Čapek", "Šapek"), ("Élan", "Ölan"), ("Ωß", "Ω")])
def test_names_that_differ_in_other_letters_than_english_look_different(
    tmp_path: Path, name: str, other: str
) -> None:
    assert drawn(tmp_path, name, NAME) != drawn(tmp_path, other, NAME)


def test_long_name_leaves_room_for_its_amount(tmp_path: Path) -> None:
    for name in "W" * 64, "\N{GREEK CAPITAL LETTER OMEGA}" * 64:
        assert not any(drawn(tmp_path, name, GAP)), name


def test_tile_set_aside_has_a_cross(tmp_path: Path) -> None:
    png = tmp_path / "decisive.png"
    said("replay", LOG, "--png", png)
    x, y = 18 + 5 * 37 + 18, 56 + 2 * 37 + 18  # the middle of 6C
    ends = [pixel(png, 0, x + across, y + down) for across in (-5, 5) for down in (-5, 5)]
    assert ends == [PAGE_COLORS["soft"].light] * 4
    above = [pixel(png, 0, x, y - up) for up in range(4, 15)]  # where a box for a letter would be
    assert above == [PAGE_COLORS["paper"].light] * 11


def test_gif_has_a_picture_for_all_that_happened_in_its_turns(tmp_path: Path) -> None:
    gif = tmp_path / "merger.gif"
    assert f"Wrote {gif}: " in said("replay", LOG, "--gif", gif, "--turns", "63-63")
    elements = LOG.read_text().split('<turn number="63"')[1].split("<turn ")[0]
    shown = ("placed", "acquired", "bonus", "sold", "traded", "bought")
    with Image.open(gif) as picture:
        assert picture.n_frames == sum(elements.count(f"<{kind} ") for kind in shown)
        assert max(picture.size) < 500
    assert gif.stat().st_size < 60_000, "small enough for a chat"
    middle_of_10c, edge_of_10c = (18 + 9 * 37 + 8, 56 + 2 * 37 + 8), (18 + 9 * 37 + 3, 56 + 92)
    imperial = HOTEL_COLORS[3].fill
    assert pixel(gif, 1, *middle_of_10c) == imperial
    assert pixel(gif, 1, *edge_of_10c) == PAGE_COLORS["ink"].light


def test_picture_of_the_decisive_moment_says_what_it_was(tmp_path: Path) -> None:
    png = tmp_path / "decisive.png"
    words = " ".join(said("replay", LOG, "--png", png).split())
    assert words.endswith(
        "Turn 82 decided the game: from then on founder-3 led, at first by $4,000."
    )
    assert png.stat().st_size < 20_000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--gif x.gif", "--gif needs --turns"),
        ("--turns 3", "--turns are those of --gif"),
        ("--gif x.gif --turns 900-901", "Nothing happened in turns 900 to 901."),
        ("--gif x.gif --turns a-b", "neither a turn nor turns such as 40-45"),
        ("--gif /nowhere/x.gif --turns 3", "/nowhere/x.gif: No such file"),
    ],
)
def test_pictures_of_nothing_are_refused(options: str, words: str) -> None:
    assert words in refused("replay", LOG, *options.split()).replace("│ ", "")


def test_game_without_a_winner_has_no_decisive_moment(tmp_path: Path) -> None:
    log = GOLDEN / "revised-nobody-left.xml"
    assert "No turn decided this game" in refused("replay", log, "--png", tmp_path / "x.png")
