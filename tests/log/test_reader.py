"""Reading logs: plain or compressed, as far as they go, and refused with a message."""

import gzip
import random
import re
from pathlib import Path

import pytest
from command_line import succeed
from lxml import etree

from acquire.admin.refereeing.log.reader import MAX_BYTES, RecordedGame, UnreadableLog, read
from acquire.admin.refereeing.log.recorder import header_lines
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.protocol.faults import Fault, Reason
from log.played import play_logged


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_logged(tmp_path_factory.mktemp("logs"), 11)


def read_text(folder: Path, text: str) -> RecordedGame:
    """Read what a log has become."""
    path = folder / "odd.xml"
    path.write_text(text)
    return read(path)


def test_unknown_rulebook_and_wrong_seats_are_refused(tmp_path: Path, log: Path) -> None:
    for old, new, message in (
        ('rulebook="revised"', 'rulebook="other"', "known are: classic, corporations, digest, rev"),
        ('<seat name="ann"', '<seat name="bob"', "same name"),
        ("<bag>", "<bag>1A ", "108 tiles"),
        ('<seat name="cyd" kind="house" strategy="random"/>', "", "is not for 2 seats"),
    ):
        text = log.read_text().replace(old, new)
        assert text != log.read_text()
        with pytest.raises(UnreadableLog, match=message):
            read_text(tmp_path, text)


@pytest.mark.parametrize("attribute", ["seed", "latency"])
def test_number_that_no_game_has_is_refused(log: Path, tmp_path: Path, attribute: str) -> None:
    text = re.sub(rf'{attribute}="\d+"', f'{attribute}="{"1" * 5000}"', log.read_text())
    with pytest.raises(UnreadableLog):
        read_text(tmp_path, text)


@pytest.mark.parametrize("between", ["\u0661", "&#xe9;", "*", "-"])
def test_received_bytes_that_are_not_base64_are_refused(tmp_path: Path, between: str) -> None:
    """libxml2 accepts any character within base64; what reads it then does not."""
    path = play_logged(tmp_path, 21, leaves="bob", fault=Fault(Reason.MALFORMED, "", b"hello"))
    assert Verifier(read(path)).verify().divergence is None
    path.write_text(path.read_text().replace("<bytes>", f"<bytes>{between}", 1))
    assert re.search(r"line \d+: Element 'bytes'", succeed("replay", path, code=2).stderr)


COMMITMENT = "0f" * 32


def test_commitment_of_a_tournament_is_read_and_the_log_still_verifies(
    log: Path, tmp_path: Path
) -> None:
    assert read(log).header.commitment == ""
    text = log.read_text().replace(' game="1"', f' game="1" commitment="{COMMITMENT}"', 1)
    record = read_text(tmp_path, text)
    assert (record.header.commitment, record.header.date) == (COMMITMENT, "")
    assert header_lines(record.header)[0] == text.splitlines()[1]
    assert Verifier(record).verify().divergence is None


@pytest.mark.parametrize("wrong", ["", "0f" * 31, "0F" * 32, "0g" * 32, "0f" * 33])
def test_commitment_that_is_no_digest_is_refused(log: Path, tmp_path: Path, wrong: str) -> None:
    text = log.read_text().replace(' game="1"', f' game="1" commitment="{wrong}"', 1)
    with pytest.raises(UnreadableLog, match="commitment"):
        read_text(tmp_path, text)


# -- compressed ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def packed(log: Path) -> bytes:
    return gzip.compress(log.read_bytes())


def test_compressed_log_reads_like_the_original(tmp_path: Path, packed: bytes) -> None:
    file, plain = tmp_path / "a.xml.gz", tmp_path / "a.xml"
    file.write_bytes(packed)
    plain.write_bytes(gzip.decompress(packed))
    one, other = read(file), read(plain)
    assert one.header == other.header and one.complete
    assert [*map(etree.tostring, one.elements)] == [*map(etree.tostring, other.elements)]
    odd = tmp_path / "a.xml.odd"  # its name does not matter
    odd.write_bytes(packed)
    assert read(odd).header == one.header


def test_compressed_log_of_a_game_cut_short_is_read_as_far_as_it_goes(
    tmp_path: Path, packed: bytes
) -> None:
    text = gzip.decompress(packed)
    file = tmp_path / "a.xml.gz"
    file.write_bytes(gzip.compress(text[: len(text) // 2]))
    record = read(file)
    assert not record.complete
    verdict = Verifier(record).verify()
    assert verdict.divergence is None and 0 < verdict.turns < 67


def refusal(folder: Path, data: bytes) -> str:
    """The message with which the command refuses a file."""
    file = folder / "damaged.xml.gz"
    file.write_bytes(data)
    done = succeed("replay", file, "--verify", code=2)
    assert done.stdout == ""
    with pytest.raises(UnreadableLog) as refused:
        read(file)
    assert done.stderr == f"Error: {refused.value}\n"
    assert str(refused.value).startswith(f"{file}: ")
    return str(refused.value)


def test_compressed_log_that_lacks_its_end_is_refused(tmp_path: Path, packed: bytes) -> None:
    for end in (2, 9, 10, 11, len(packed) // 2, len(packed) - 9, len(packed) - 8, len(packed) - 1):
        assert "damaged gzip file" in refusal(tmp_path, packed[:end])


def test_compressed_log_with_a_changed_byte_is_refused(tmp_path: Path, packed: bytes) -> None:
    chance = random.Random(4)
    for at in [*chance.sample(range(10, len(packed)), 12), len(packed) - 6, len(packed) - 2]:
        data = packed[:at] + bytes([packed[at] ^ 1 << chance.randrange(8)]) + packed[at + 1 :]
        assert "damaged gzip file" in refusal(tmp_path, data)


def test_compressed_log_with_trailing_data_is_refused(tmp_path: Path, packed: bytes) -> None:
    assert "damaged" in refusal(tmp_path, packed + b"more")


def test_compressed_file_that_unpacks_without_an_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bomb.xml.gz"
    file.write_bytes(gzip.compress(bytes(1 << 20), 1) * ((MAX_BYTES >> 20) + 1))
    with pytest.raises(UnreadableLog, match="larger than any game log"):
        read(file)
