"""Makes the sample of other people's games and messages in the repository again.

``python tests/others_sample.py`` writes the files of ``tests/golden/others`` from the larger sets
(see ``oracle_files``), always the same ones.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from classic_texts import read_text, to_json
from oracle_files import (
    CLASSIC_GAMES,
    CLASSIC_POSITIONS,
    CLASSIC_RARE_GAMES,
    MESSAGES_HERE,
    MORE,
    OTHERS,
    REVISED_GAMES,
    SIDES,
    STREAM_HERE,
    STREAMS,
    STUDENT_MESSAGES,
    TEXTS_HERE,
    WIRE_GAMES,
    Recorded,
    json_lines,
    oracle_files,
    stream,
    wire_game,
)
from others_conversion import classic_game, convert, play, revised_game
from others_features import Features, choose, features_of

GAMES_OF_EACH = 20
GAMES = {
    "revised": {"revised": REVISED_GAMES},
    "classic": {"classic": CLASSIC_GAMES, "classic-rare": CLASSIC_RARE_GAMES},
}
"""The files of each rulebook, by what the names of their games begin with."""
READERS = {"revised": revised_game, "classic": classic_game}
NAMES = {side: name for name, side in SIDES.items()}


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a compressed file of lines; the same lines give the same bytes."""
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))


# -- games ---------------------------------------------------------------------------------------


def sample_games(rulebook: str) -> list[str]:
    """The names of the games of a rulebook that are in the sample."""
    features = {}
    for prefix, file in GAMES[rulebook].items():
        for number, game in enumerate(json_lines(file), start=1):
            recorded, found = READERS[rulebook](game), Features()
            play(recorded, number, found)
            features[f"{prefix}-{number:02}"] = found.found | features_of(recorded.reports)
    return choose(features, GAMES_OF_EACH)


def write_game(name: str, folder: Path = OTHERS) -> None:
    """Write the log and the reports of a game with such a name."""
    prefix, _, number = name.rpartition("-")
    rulebook = prefix.partition("-")[0]
    game = json_lines(GAMES[rulebook][prefix])[int(number) - 1]
    recorded = READERS[rulebook](game)
    convert(recorded, folder / f"{name}.xml.gz", int(number))
    write_lines(folder / f"{name}.jsonl.gz", map(as_json, recorded.reports))


def as_json(value: object) -> str:
    """One line of JSON without blanks."""
    return json.dumps(value, separators=(",", ":"))


# -- messages ------------------------------------------------------------------------------------


def messages() -> Iterator[str]:
    """The shortest and the longest message of each kind, of both programs."""
    course = (each for index, _ in enumerate(json_lines(WIRE_GAMES)) for each in wire_game(index))
    yield from shortest_and_longest("course", course)
    student = (
        Recorded(0, SIDES[line["from"].upper()], line["xml"].encode())
        for line in json_lines(STUDENT_MESSAGES)
    )
    yield from shortest_and_longest("student", student)


def shortest_and_longest(program: str, recorded: Iterable[Recorded]) -> Iterator[str]:
    """Two messages of each kind, one if there is no other."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for _, side, data in recorded:
        text = data.decode()
        (tag,) = re.findall(r"^\s*<(\w+)", text)
        kinds.setdefault((NAMES[side], tag), []).append(text)
    for (sender, tag), found in sorted(kinds.items()):
        for text in dict.fromkeys((min(found, key=len), max(found, key=len))):
            line = {"program": program, "from": sender, "tag": tag, "xml": without_names(text)}
            yield as_json(line)


def without_names(text: str) -> str:
    """The message with the players called a, b, c, since some are called by people's names."""
    name = re.compile(r'(<(?:player|signup|result)\b[^>]*?\bname=")([^"]*)(")')
    found = [*dict.fromkeys(match[1] for match in name.findall(text))]
    return name.sub(lambda match: match[1] + "abcdef"[found.index(match[2])] + match[3], text)


# -- texts, and a stream -------------------------------------------------------------------------

OTHER_TEXTS = ("no tiles played for entire round (player 0)", "twice in one turn")


def texts() -> Iterator[str]:
    """All texts with a refused move, one that one player tells, and one of two choices."""
    for path in oracle_files(CLASSIC_POSITIONS):
        text = read_text(path)
        if path.stem in OTHER_TEXTS or any(move.error is not None for move in text.moves):
            yield to_json(text)


def shortest_stream() -> Iterator[str]:
    """The shortest of the recorded streams, a chunk a line."""
    path = min(oracle_files(STREAMS), key=lambda path: path.stat().st_size)
    for seat, side, data in stream(path):
        yield as_json([seat, NAMES[side], data.decode()])


def main() -> None:
    """Write all files."""
    MORE.mkdir(exist_ok=True)
    for rulebook, files in GAMES.items():
        sample = sample_games(rulebook)
        for prefix, file in files.items():
            for number, _ in enumerate(json_lines(file), start=1):
                name = f"{prefix}-{number:02}"
                write_game(name, OTHERS if name in sample else MORE)
    write_lines(MESSAGES_HERE, messages())
    write_lines(TEXTS_HERE, texts())
    write_lines(STREAM_HERE, shortest_stream())


if __name__ == "__main__":
    main()
