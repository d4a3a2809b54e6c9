"""Reading game logs: the header, and the records as far as they go.

A log that was cut short (the referee was killed) is read up to its last complete line. Anything
else that is not a game log is refused with a message that says what is wrong and where.
"""

import base64
import gzip
import io
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from ....game.rulebook import Rulebook, with_hidden_assets
from ....game.rulebooks import RULEBOOKS, is_one_of_the_five
from ....game.state import State, position
from ....game.tiles import TILES, Tile, mask_of, parse_tile, tiles_in
from ....protocol.dialect import Dialect
from ....protocol.faults import Circumstance, Fault, Reason
from ....protocol.files import bytes_of
from ....protocol.invalid_xml import one_line
from ....protocol.messages import PlayerMessage
from ....protocol.reading import parser, player_reader, position_reader
from ....protocol.rulebook_file import from_json
from ....protocol.settings_file import InvalidSettings
from ....protocol.user_error import UserError
from .recorder import LOGGED_ASSETS, Header, SeatRecord, first_version

GZIP = b"\x1f\x8b"
MAX_BYTES = 1 << 23
MAX_RECORDS = 20_000
MAX_ATTRIBUTES = 16
LONG_NUMBER = re.compile(r"\s*[+-]?\d{1000,}\s*")
"""More digits than any number in a log has. The schema accepts them, ``int`` at most 4,300."""
BATCH_SIZE = 100  # records validated at once: the time grows with the square of the errors
OLD_UNASKED = "Expected only Nothing"  # how old logs begin the detail if bytes came unasked
NO_START_TAG = "it does not begin with <match rulebook=..>"
ADVICE = "Expected the log of one game, plain or compressed with gzip."


class UnreadableLog(UserError):
    """A file is not a game log, or contradicts itself; the text is a user-facing message."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game as its log has it."""

    header: Header
    elements: tuple[etree._Element, ...]  # the records after the seats
    complete: bool  # whether the log has its end tag


def read(path: Path) -> RecordedGame:
    """Read a log, plain or compressed with gzip; ``UnreadableLog`` when it is not a game log."""
    try:
        data = bytes_of(path, MAX_BYTES)
    except OSError as error:
        raise UnreadableLog(f"{path}: {error.strerror}. {ADVICE}") from error
    return read_bytes(path, data)


def read_bytes(path: Path, data: bytes) -> RecordedGame:
    """Read the bytes of a log; ``path`` is its name in messages."""
    if data.startswith(GZIP):
        data = _unzip(path, data)
    if len(data) > MAX_BYTES:
        raise UnreadableLog(f"{path}: larger than any game log ({MAX_BYTES} bytes). {ADVICE}")
    root, complete = _parse(path, data)
    rulebook = _rulebook(path, root)
    _check_form(path, root, rulebook)
    header = _header(path, root, rulebook)
    _check_positions(path, root, header)
    return RecordedGame(header, tuple(root)[_records_from(root) :], complete)


def _records_from(root: etree._Element) -> int:
    """Return where the records begin: after a rulebook, if there is one, the bag and the seats."""
    return sum(child.tag in ("rulebook", "bag", "seat") for child in root)


def _unzip(path: Path, data: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableLog(f"{path}: damaged gzip file: {error}.") from error


def is_compressed_log(data: bytes) -> bool:
    """Whether bytes are one whole gzip file, with no more in it than a log can have."""
    try:
        return len(_unzip(Path(), data)) <= MAX_BYTES
    except UnreadableLog:
        return False


def _not_a_log(path: Path, why: str) -> UnreadableLog:
    return UnreadableLog(f"{path}: not a game log: {why}. {ADVICE}")


def _parse(path: Path, data: bytes) -> tuple[etree._Element, bool]:
    if not data:
        raise _not_a_log(path, "the file is empty")
    if b"<!DOCTYPE" in data:
        raise _not_a_log(path, "it has a DOCTYPE")
    try:
        return etree.fromstring(data, parser()), True
    except etree.XMLSyntaxError as error:
        if b"<match " not in data:
            raise _not_a_log(path, f"{NO_START_TAG}: {error.msg}") from error
        if b"</match>" in data:
            raise _not_a_log(path, _why_broken(data, error)) from error
    whole, _, _ = data.rpartition(b"\n")
    try:
        root = etree.fromstring(whole + b"\n</match>", parser())
    except etree.XMLSyntaxError as error:
        if b"<bag>" not in whole:
            raise _cut_too_soon(path) from error
        raise _not_a_log(path, error.msg) from error
    if root.tag == "match" and root.find("seat") is None:
        raise _cut_too_soon(path)
    return root, False


def _why_broken(data: bytes, error: etree.XMLSyntaxError) -> str:
    """Return what is wrong with a log that has an end tag: often that something follows it."""
    before, end, after = data.partition(b"</match>")
    last = before.count(b"\n") + 1
    if after.strip() and error.lineno is not None and error.lineno >= last:
        return f"something follows its {end.decode()} in line {last}"
    return error.msg


def _cut_too_soon(path: Path) -> UnreadableLog:
    return UnreadableLog(
        f"{path}: the log was cut short within its first lines; there is nothing to show."
    )


def _check_form(path: Path, root: etree._Element, rulebook: Rulebook) -> None:
    """Validate a log against its schema, a batch of records at a time; ``root`` ends unchanged."""
    if len(root) > MAX_RECORDS:
        raise UnreadableLog(f"{path}: more records than any game log ({MAX_RECORDS}). {ADVICE}")
    for element in root.iter():
        if len(element.attrib) > MAX_ATTRIBUTES:
            why = f"an element has more than {MAX_ATTRIBUTES} attributes"
        elif any(map(LONG_NUMBER.fullmatch, element.attrib.values())):
            why = "a number has 1,000 digits or more"
        else:
            continue
        raise UnreadableLog(f"{path}, line {element.sourceline}: {why}.")
    schema = Dialect.of(rulebook).schema("match-log", rulebook)
    first = _records_from(root)
    records = root[first:]
    try:
        for place in range(0, max(len(records), 1), BATCH_SIZE):
            root[first:] = records[place : place + BATCH_SIZE]
            if not schema.validate(root):
                mistake = schema.error_log[0]
                where = f"{path}, line {mistake.line}"
                raise UnreadableLog(f"{where}: {one_line(mistake.message)}")
    finally:
        root[first:] = records


def _rulebook(path: Path, root: etree._Element) -> Rulebook:
    named = root.get("rulebook", "").strip()
    if root.tag != "match" or not named:
        raise _not_a_log(path, NO_START_TAG)
    if (embedded := root.find("rulebook")) is not None:
        return _embedded(path, embedded, named)
    rulebook = RULEBOOKS.get(named)
    if rulebook is None:
        known = ", ".join(sorted(RULEBOOKS))
        raise UnreadableLog(f"{path}: unknown rulebook {named!r}; known are: {known}.")
    if "rules" not in root.attrib:
        rulebook = first_version(rulebook)
    hiding = root.get("assets", "").strip()
    if hiding not in LOGGED_ASSETS.values():  # the schema reports a value that it does not know
        return rulebook
    try:
        assets = next(each for each, text in LOGGED_ASSETS.items() if text == hiding)
        return with_hidden_assets(rulebook, assets.hidden)
    except ValueError as error:
        raise UnreadableLog(f"{path}: {error}.") from error


def _embedded(path: Path, element: etree._Element, named: str) -> Rulebook:
    """Read the rulebook that a log contains, which has to be the one that its start tag names.

    None of the five is ever contained, so no log can pass off other rules as theirs.
    """
    where = f"{path}, line {element.sourceline}"
    try:
        rulebook = from_json(element.text or "")
    except InvalidSettings as error:
        raise UnreadableLog(f"{where}: the rulebook is wrong. {error}") from error
    if is_one_of_the_five(rulebook):
        raise UnreadableLog(f"{where}: {rulebook.id!r} is one of the five; expected another id.")
    if rulebook.id != named:
        raise UnreadableLog(f"{where}: the rulebook is {rulebook.id!r}; expected {named!r}.")
    return rulebook


def _header(path: Path, root: etree._Element, rulebook: Rulebook) -> Header:
    bag = read_tiles(root.findtext("bag"))
    if sorted(bag) != list(TILES):
        raise UnreadableLog(f"{path}: the bag does not contain each of the 108 tiles once.")
    seats = tuple(
        SeatRecord._make(map(seat.get, SeatRecord._fields)) for seat in root.iterchildren("seat")
    )
    if not rulebook.min_players <= len(seats) <= rulebook.max_players:
        raise UnreadableLog(f"{path}: rulebook {rulebook.id} is not for {len(seats)} seats.")
    if len({seat.name for seat in seats}) != len(seats):
        raise UnreadableLog(f"{path}: two seats have the same name.")
    deal, commitment, date = (root.get(key, "").strip() for key in ("deal", "commitment", "date"))
    seed, game = int(root.attrib["seed"]), int(root.attrib["game"])
    shared, given = deal == "duplicate", deal == "given"
    return Header(rulebook, seed, game, bag, seats, shared, commitment, date, given)


def _check_positions(path: Path, root: etree._Element, header: Header) -> None:
    seats = {*header.names}
    reader = AnswerReader(header)
    for element in root.iterchildren("position"):
        where = f"{path}, line {element.sourceline}"
        try:
            laid = reader.position(element)
        except ValueError as error:
            raise UnreadableLog(f"{where}: {error}.") from error
        names = [player.name for player in laid.players]
        if not seats.issuperset(names) or len(set(names)) != len(names):
            raise UnreadableLog(f"{where}: the players do not each have a seat of their own.")
        tiles = [
            *(tile for hotel in laid.board.hotels for tile in tiles_in(hotel)),
            *(tile for player in laid.players for tile in tiles_in(player.hand)),
            *tiles_in(laid.board.loose),
            *tiles_in(laid.aside),
            *laid.bag,
        ]
        if len(set(tiles)) != len(tiles):
            raise UnreadableLog(f"{where}: a tile is in two places.")


def read_tiles(text: str | None) -> tuple[Tile, ...]:
    """Read a list such as ``5A 12I``."""
    return tuple(map(parse_tile, (text or "").split()))


class AnswerReader:
    """Converts records back to messages, faults and positions."""

    def __init__(self, header: Header) -> None:
        self._rulebook = header.rulebook
        self._reader = player_reader(header.rulebook)
        self._position = position_reader(header.rulebook)

    def message(self, answer: etree._Element) -> PlayerMessage:
        """Return the message that an ``answer`` record holds: a log's schema has the player's."""
        return self._reader.convert_valid(answer[0])

    @staticmethod
    def fault(ejected: etree._Element) -> Fault:
        """Return the fault that an ``ejected`` record holds."""
        data = ejected.findtext("bytes") or ""
        reason = Reason(ejected.attrib["reason"].strip())
        detail, circumstance = ejected.attrib["detail"], _circumstance(ejected)
        return Fault(reason, detail, base64.b64decode(data), circumstance)

    def position(self, laid_out: etree._Element) -> State:
        """Return the position in a ``position`` record; ``ValueError`` if it is impossible."""
        board, players = self._position(laid_out)
        bag, aside = (read_tiles(laid_out[place].text) for place in (0, 1))
        laid = position(self._rulebook, board, players, bag)
        return laid._replace(aside=mask_of(aside), idle=int(laid_out.attrib["idle"]))


def _circumstance(ejected: etree._Element) -> Circumstance | None:
    for circumstance in Circumstance:
        if ejected.get(circumstance.value) == "true":
            return circumstance
    # Old logs have no mark of bytes that came unasked: they say it in the detail alone.
    if ejected.attrib["detail"].startswith(OLD_UNASKED):
        return Circumstance.UNASKED
    return None
