"""What two programs share: parts of their sources, and answers that others do not give.

Names, texts, formatting, comments, and what a starter or many entries contain, do not count. One
expression per kind of comment cuts a source into tokens: that takes time in proportion to its size,
whatever is in it, which lexers of whole languages do not promise. Of
``TOKENS`` tokens in a row a hash is taken, and of ``WINDOW`` hashes in a row the least: winnowing,
after Schleimer, Wilkerson and Aiken (2003).

Programs are asked in the same positions of stored games, where several tiles can be placed. One
does not count if both answers are made of what built-in players do there. Elsewhere, unrelated
programs agree as often as others give the answers of the two.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from itertools import combinations
from keyword import kwlist
from pathlib import Path, PurePath
from typing import NamedTuple, TypeAlias
from zlib import crc32

import numpy as np

from ....game.placement import legal_placements
from ....protocol.messages import Merge, Pbuy
from ....protocol.plugins import STRATEGIES, load_strategy, plugins
from ...launching.player_folder import LINK, FolderEntry, FolderRefused, read_files, read_folder
from ...refereeing.log.reader import UnreadableLog, read_bytes
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.events import Answered, Event
from ...refereeing.play.in_process import play_from
from ...refereeing.play.referee import Segment
from ...testing.trial.game_history import DivergentLog, GameHistory
from ...testing.trial.launch_source import LaunchSource
from ...testing.trial.player_source import PlayerNotConnected
from ...testing.trial.rerunning import rerun
from ..planning.plan import Entrant, Plan
from ..planning.submissions import folder_of, named_files
from ..store.store import Store

COMMENTS = {
    r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)": (
        "c h cc cpp cxx hpp cs d dart go groovy java js jsx cjs mjs kt kts php rs scala swift ts "
        "tsx zig"
    ),
    r"#[^\n]*": "py pyw bash ex exs jl nim pl pm r rb sh tcl",
    r"--[^\n]*": "adb ads elm hs lua sql",
    r";[^\n]*": "asm cl clj el lisp rkt scm",
    r"%[^\n]*": "erl pro",
    r"\(\*[\s\S]*?(?:\*\)|\Z)": "fs ml pas",
}
"""Of languages, by the suffixes of their files; other files are no programs."""
TOKEN = (
    r"""(?P<comment>{}|\"{{3}}[\s\S]*?(?:\"{{3}}|\Z)|'{{3}}[\s\S]*?(?:'{{3}}|\Z))"""
    r"""|(?P<text>`[^`]*`?|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n]){{0,200}}')"""
    r"""|(?P<name>[^\W\d]\w*)|\w+|[^\w\s]"""
)
"""Nothing in it is tried again from every place up to the end of a file: see to that."""
PATTERNS = {
    f".{suffix}": re.compile(TOKEN.format(comment))
    for comment, suffixes in COMMENTS.items()
    for suffix in suffixes.split()
}
_OTHERS = """
abstract boolean byte case catch char const default do double elsif end enum extends false final
float fn foreach func function impl implements instanceof int interface let local long match mut new
null package private protected public record repeat short static struct super switch then this throw
throws true until var void
"""
KEYWORDS = {*kwlist, *_OTHERS.split()}  # words that are no names, in any of the languages
STARTERS = Path(str(files("acquire.player"))) / "starters"
MAX_BYTES = 2**18  # of a file that is compared; nobody writes a longer one
MAX_TOTAL = 2**21  # of all of a program, the smallest first: a large one hides no other
TOKENS, WINDOW = 14, 6
COMMON = 0.25  # of all entries, and at least four: what more of them share is everybody's
MIN_SHARED, MIN_PART = 10, 0.6
"""From how many fingerprints, and what part of the smaller program, sources are alike."""
MIN_AGREED, MAX_CHANCE, MIN_OWN = 0.85, 1e-9, 20
"""From what part of the positions, and up to which chance, answers are alike; and the fingerprints
of a program that is more than a starter with an idea that many may have."""

Answers: TypeAlias = dict[tuple[int, int], tuple[object, object]]
"""A placement and the order that comes with it, by the numbers of a game and of a turn."""
Asked: TypeAlias = tuple[GameHistory, str, list[int]]
"""A stored game, the seat that every program takes, and its turns with a choice."""


class Likeness(NamedTuple):
    """How alike two programs are."""

    players: tuple[str, str]
    fingerprints: int  # how many they share
    part: float  # what part of the smaller program's they are
    agreed: int  # in how many positions they agreed
    positions: int  # in how many they were compared
    expected: float  # in how many they were expected to agree
    chance: float  # the chance of agreeing in so many

    @property
    def alike(self) -> bool:
        """Whether that is a reason for a conversation."""
        same = self.agreed >= MIN_AGREED * self.positions and self.chance <= MAX_CHANCE
        return same or (self.fingerprints >= MIN_SHARED and self.part >= MIN_PART)


def likenesses(
    sources: Mapping[str, frozenset[int]],
    starters: frozenset[int],
    answers: Mapping[str, Answers],
    known: Sequence[Answers],
) -> list[Likeness]:
    """Compare every two programs; ``known`` are the answers of players that everybody knows."""
    found, usual = [], starters | _everybodys(sources)
    simple = {name for name, of in sources.items() if of and len(of - starters) < MIN_OWN}
    for two in combinations(sources, 2):
        first, second = (sources[name] - usual for name in two)
        shared, least = len(first & second), min(len(first), len(second))
        agreement = _agreement({} if simple & {*two} else answers, known, two)
        found.append(Likeness(two, shared, shared / max(least, 1), *agreement))
    return sorted(found, key=lambda each: (not each.alike, each.chance, -each.part))


def _everybodys(sources: Mapping[str, frozenset[int]]) -> set[int]:
    counts = Counter(one for prints in sources.values() for one in prints)
    most = max(3, COMMON * len(sources))
    return {one for one, count in counts.items() if count > most}


def made_of_everybodys(
    sources: Mapping[str, frozenset[int]], starters: frozenset[int]
) -> list[str]:
    """Return the programs of which so much is everybody's that their own source says little."""
    own = {name: of - starters for name, of in sources.items()}
    common, enough = _everybodys(own), MIN_OWN
    return [
        name
        for name, of in own.items()
        if len(of) >= enough and len(of & common) >= MIN_PART * len(of)
    ]


def _agreement(
    answers: Mapping[str, Answers], known: Sequence[Answers], two: tuple[str, str]
) -> tuple[int, int, float, float]:
    one, other = (answers.get(name, {}) for name in two)
    agreed, chances, distribution = 0, [], np.ones(1)
    for place in sorted(one.keys() & other.keys()):
        both = one[place], other[place]
        usual = [{of[place][at] for of in known if place in of} for at in (0, 1)]
        if not all(placed in usual[0] and order in usual[1] for placed, order in both):
            given = [of[place] for name, of in answers.items() if name not in two and place in of]
            chances.append((sum(map(given.count, both)) + 1) / (2 * len(given) + 2))
            distribution = np.convolve(distribution, [1 - chances[-1], chances[-1]])
            agreed += both[0] == both[1]
    return agreed, len(chances), sum(chances), min(1.0, float(distribution[agreed:].sum()))


def sources_of(
    plan_folder: Path, players: Iterable[Entrant], failures: dict[str, str]
) -> dict[str, frozenset[int]]:
    """Return the fingerprints of programs by player; why one has none is added to ``failures``."""
    found = {}
    for player in players:
        folder = folder_of(plan_folder, player)
        whole = player.read_folder.digest  # else it has other files too
        try:
            named = named_files(player, folder)
            entries = read_folder(folder) if whole else read_files(folder, named)
            found[player.name] = fingerprints(entries)
        except FolderRefused as error:  # it was changed meanwhile
            found[player.name], failures[player.name] = frozenset(), str(error)
    return found


def starters() -> frozenset[int]:
    """Return the fingerprints of what everybody may start from."""
    return fingerprints(read_files(STARTERS, STARTERS.glob("*/*layer.*")))


def fingerprints(entries: Iterable[FolderEntry]) -> frozenset[int]:
    """Return the fingerprints of the programs among some files of folders."""
    programs = [
        (len(content), path, content)
        for path, kind, content in entries
        if kind != LINK and PurePath(path).suffix.lower() in PATTERNS and len(content) <= MAX_BYTES
    ]
    found, total = set[int](), 0
    for size, path, content in sorted(programs):
        if (total := total + size) > MAX_TOTAL:
            break
        suffix = PurePath(path).suffix.lower()
        words = [*_words(suffix, content.decode("utf-8", "replace"))]
        rows = (words[at : at + TOKENS] for at in range(len(words) - TOKENS + 1))
        hashes = [crc32("\0".join(row).encode()) for row in rows]
        found.update(min(hashes[at : at + WINDOW]) for at in range(len(hashes) - WINDOW + 1))
    return frozenset(found)


def _words(suffix: str, source: str) -> Iterator[str]:
    for token in PATTERNS[suffix].finditer(source):
        kind = token.lastgroup
        if kind != "comment":
            is_free = kind == "text" or (kind == "name" and token[0] not in KEYWORDS)
            yield str(kind) if is_free else token[0]


def games_to_ask(store: Store, count: int) -> list[Asked]:
    """Return some games, as far apart as they can be, with another seat in each."""
    games, found = [result.game for _, result in store.all_results()], list[Asked]()
    for game in games[:: max(1, len(games) // count)][:count]:
        with suppress(UnreadableLog, DivergentLog):
            history = GameHistory(read_bytes(Path(game), store.log(game)))
            seat = history.names[len(found) % len(history.names)]
            own = [turn for turn in history.turns_of(seat) if history.movers[turn] == seat]
            turns = [turn for turn in own if len(legal_placements(history.positions[turn])) > 1]
            found.append((history, seat, turns))
    return found


async def answers_of(plan: Plan, source: LaunchSource, games: Sequence[Asked]) -> Answers:
    """Return what a program answers in the positions; fewer if it fails."""
    found: Answers = {}
    for number, (history, seat, turns) in enumerate(games):
        with suppress(PlayerNotConnected):
            played = await rerun(history, seat, turns, source, plan.table_clocks)
            for each in reversed(played.comparisons):  # so that the first of a turn stays
                if isinstance(each.actual, Pbuy | Merge):
                    order = getattr(each.actual, "order", None)
                    found[number, each.turn] = each.actual.placement, order
    return found


def known_answers(games: Sequence[Asked]) -> list[Answers]:
    """Return what the built-in players answer in the positions, but the slow and the random."""
    found: defaultdict[str, Answers] = defaultdict(dict)
    for name in plugins(STRATEGIES).keys() - {"simulator", "random"}:
        for number, (history, _, turns) in enumerate(games):
            header, names, make = history.header, history.names, load_strategy(name)
            for turn in turns:
                events, segment = list[Event](), Segment(history.positions[turn])
                players = {seat: make(header.rulebook, 1) for seat in names}
                dealer = Dealer(header.seed, header.game)
                play_from(segment, names, players, dealer, emit=events.append)
                given = (event.message for event in events if isinstance(event, Answered))
                own = next(one for one in given if isinstance(one, Pbuy | Merge))
                found[name][number, turn] = own.placement, getattr(own, "order", None)
    return [*found.values()]
