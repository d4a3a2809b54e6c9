"""The colors of everything shown: hotels, and the parts of a page in light, dark and print.

The hues are those of Okabe and Ito, which color-blind readers can tell apart, and a brown.
"""

from typing import NamedTuple

VERMILION, BLUE, GREEN, YELLOW = "#d55e00", "#0072b2", "#009e73", "#f0e442"
PURPLE, BROWN, ORANGE, SKY = "#cc79a7", "#8c6d46", "#e69f00", "#56b4e9"
WHITE, BLACK = "#ffffff", "#000000"


class HotelColor(NamedTuple):
    """The color of a hotel's tiles, and of the letter on them."""

    fill: str
    ink: str


HOTEL_COLORS = (
    HotelColor(VERMILION, BLACK),
    HotelColor(BLUE, WHITE),
    HotelColor(GREEN, BLACK),
    HotelColor(YELLOW, BLACK),
    HotelColor(PURPLE, BLACK),
    HotelColor(BROWN, WHITE),
    HotelColor(ORANGE, BLACK),
)
"""In the order of the hotels in a rulebook."""


class PageColor(NamedTuple):
    """A color by how the page is seen."""

    light: str
    dark: str
    print: str


PAGE_COLORS = {
    "paper": PageColor("#fdfcf9", "#16181b", WHITE),
    "ink": PageColor("#1d1c1a", "#e7e4dd", BLACK),
    "soft": PageColor("#625e56", "#a5a198", "#555555"),
    "rule": PageColor("#dcd8ce", "#373a3f", "#cccccc"),
    "band": PageColor("#f4f1ea", "#1e2125", "#f4f4f4"),
    "edge": PageColor("#8a857b", "#6f7277", "#8a857b"),
    "link": PageColor(BLUE, SKY, BLUE),
    "alarm": PageColor(VERMILION, ORANGE, VERMILION),
    # the board
    "cell": PageColor(WHITE, "#1e2125", WHITE),
    "line": PageColor("#d8d4cb", "#373a3f", "#d8d4cb"),
    "label": PageColor("#757575", "#888b90", "#757575"),
    "loose": PageColor("#4a4a4a", "#8b8780", "#4a4a4a"),
    # the report
    "mark": PageColor(BLUE, SKY, BLUE),
    "more": PageColor(SKY, BLUE, SKY),
    "less": PageColor(ORANGE, VERMILION, ORANGE),
    # the check
    "pass": PageColor(SKY, BLUE, SKY),
    "warn": PageColor(ORANGE, "#c98b00", ORANGE),
    "fail": PageColor(VERMILION, VERMILION, VERMILION),
    "none": PageColor("#b9b3a6", "#5b5e63", "#999999"),
    "pass-ink": PageColor("#00588a", "#7cc4ee", BLACK),
    "warn-ink": PageColor("#855c00", "#efb740", BLACK),
    "fail-ink": PageColor("#a84300", "#ff9350", BLACK),
    "none-ink": PageColor("#625e56", "#a5a198", "#555555"),
    "frame": PageColor("#c00000", "#ff6b6b", "#c00000"),
    # the players, by seat; they also differ in the dashes of their lines
    "seat-0": PageColor("#332288", "#a9a0ff", "#332288"),
    "seat-1": PageColor("#117733", "#62c980", "#117733"),
    "seat-2": PageColor("#882255", "#e583b5", "#882255"),
    "seat-3": PageColor("#0b6e7f", "#5fc8d8", "#0b6e7f"),
    "seat-4": PageColor("#7a6000", "#d9bd4a", "#7a6000"),
    "seat-5": PageColor("#b8354f", "#ff93a3", "#b8354f"),
    "seat-ink": PageColor(WHITE, "#16181b", WHITE),
}
"""By the name of the CSS variable."""


def root_css() -> str:
    """Return the CSS that defines the colors as variables."""
    light, dark, printed = (
        "; ".join(f"--{name}: {getattr(color, kind)}" for name, color in PAGE_COLORS.items())
        for kind in ("light", "dark", "print")
    )
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f"@media print {{ :root {{ color-scheme: light; {printed} }} }}\n"
    )
