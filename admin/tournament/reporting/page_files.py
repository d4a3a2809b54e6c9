"""The names of a report's files, and how its pages link to each other."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ..games.result import GameResult

LOGS, OUTPUTS, GAMES, PLAYERS, MINIMAL = "logs", "outputs", "games", "players", "minimal"
FOLDERS = (LOGS, OUTPUTS, GAMES, PLAYERS, MINIMAL)
INDEX, ALL_GAMES = "index.html", "games.html"

_PLAIN = re.compile(r"(?!.*-[0-9a-f]{8}$)[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
"""Names that can be those of files, and that no other name becomes."""
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
"""Names that no file can have on Windows."""
DIGITS = 8
"""Digits of the digest in the name of a file."""


def log_path(game: str) -> str:
    """Return where the log of a game is."""
    return f"{LOGS}/{game}.xml.gz"


def output_path(game: str, seat: int) -> str:
    """Return where the output of a program is; seats are counted from 1."""
    return f"{OUTPUTS}/{game}-seat{seat}.txt"


def game_path(game: str) -> str:
    """Return where the page of a game is."""
    return f"{GAMES}/{game}.html"


def minimal_path(game: str, seat: int) -> str:
    """Return where the shortest match with a loss is: its log, beside its page."""
    return f"{MINIMAL}/{game}-seat{seat}.xml.gz"


def page_of_log(path: str) -> str:
    """Return where the page of a log is that lies beside it."""
    return path.replace(".xml.gz", ".html")


def player_paths(names: Sequence[str]) -> dict[str, str]:
    """Return where the page of each player is.

    A name that cannot be the name of a file everywhere, or differs from another only in case, is
    shortened, and followed by a digest.

    >>> player_paths(["ada", "Bob", "bob", "c/d"])["c/d"]
    'players/c-d-e5fb6071.html'
    """
    folded = Counter(name.casefold() for name in names)
    return {name: f"{PLAYERS}/{_file_name(name, folded[name.casefold()])}.html" for name in names}


def _file_name(name: str, alike: int) -> str:
    if alike == 1 and _PLAIN.fullmatch(name) and not _RESERVED.fullmatch(name):
        return name
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-_")
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:DIGITS]
    return f"{plain or 'player'}-{digest}"


def in_natural_order(results: Iterable[GameResult]) -> list[GameResult]:
    """Return games in the order of their ids, with d2 before d10."""

    def key(game: GameResult) -> list[tuple[int, str]]:
        return [(int(part or 0), word) for word, part in re.findall(r"(\D*)(\d*)", game.game)]

    return sorted(results, key=key)
