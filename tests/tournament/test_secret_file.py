"""A tournament's secret is private, survives a crash, and is missed when it is gone."""

import hashlib
import hmac
import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from acquire.admin.tournament.store import secret_file
from acquire.admin.tournament.store.secret_file import TournamentSecret, open_secret, secret_path
from acquire.admin.tournament.store.store import Store
from acquire.admin.tournament.store.store_reader import StoreError

MASTER = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cup.sqlite"


def new_secret(path: Path) -> TournamentSecret:
    """Make or read the secret of a store, and sign that as a run does before its first game."""
    with Store.open_to_write(path) as store:
        secret = open_secret(store)
        store.sign_with(secret.signing_key())
    return secret


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- what follows from it -----------------------------------------------------------------------


def test_deals_and_commitment_of_a_series_are_as_documented() -> None:
    secret = TournamentSecret(MASTER)
    deals = hmac.new(MASTER, b"acquire deals 3", hashlib.sha256).digest()
    assert secret.deals(3) == deals
    assert secret.commitment(3) == hashlib.sha256(deals).hexdigest()
    assert len({secret.deals(series) for series in range(1, 50)}) == 49
    assert repr(secret) == "TournamentSecret()", "it does not print itself"


def test_signing_key_follows_from_the_secret_alone() -> None:
    key, other = (TournamentSecret(master).signing_key() for master in (MASTER, bytes(32)))
    seed = hmac.new(MASTER, b"acquire signing", hashlib.sha256).digest()
    assert key.private_bytes_raw() == seed
    assert key.public_key() == TournamentSecret(MASTER).signing_key().public_key()
    assert key.public_key() != other.public_key()


# -- the file -----------------------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_new_secret_and_store_are_private_whatever_the_umask(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with Store.open_to_write(path) as store:
            secret = open_secret(store)
            files = {file.name: mode(file) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    names = ("cup.secret", "cup.sqlite", "cup.sqlite-shm", "cup.sqlite-wal")
    assert files == dict.fromkeys(names, 0o600)
    assert secret_path(path).read_text() == f"{secret.master.hex()}\n"
    assert len(secret.master) == 32


def test_every_store_has_a_secret_of_its_own_which_stays_the_same(path: Path) -> None:
    names = ("cup.sqlite", "cup.db", "cup", "cup.secret.x", "other.sqlite")
    secrets = {name: new_secret(path.with_name(name)) for name in names}
    assert {name: new_secret(path.with_name(name)) for name in names} == secrets
    assert len(set(secrets.values())) == 5
    with Store.open_to_read(path) as store:
        assert secret_file.read_secret(store) == secrets["cup.sqlite"]


def test_files_that_others_may_read_are_made_private(path: Path) -> None:
    secret = new_secret(path)
    with Store.open_to_write(path):
        journals = [path.with_name(f"cup.sqlite-{kind}") for kind in ("wal", "shm")]
        files = [path, secret_path(path), *journals]
        for file in files:
            file.chmod(0o664)
        with Store.open_to_read(path) as reader:
            assert secret_file.read_secret(reader) == secret
        assert mode(secret_path(path)) == 0o600
    path.chmod(0o664)
    with Store.open_to_write(path):
        assert [mode(file) for file in files] == [0o600] * 4


READ_AS_NOBODY = """
import os, sys
from pathlib import Path
from acquire.admin.tournament.store.secret_file import read_secret
from acquire.admin.tournament.store.store import Store
from acquire.admin.tournament.store.store_reader import StoreError
store = Store.open_to_read(Path(sys.argv[1]))
os.seteuid(65534)
try:
    read_secret(store)
except StoreError as error:
    print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can become another user")
@pytest.mark.parametrize(
    ("permissions", "why"), [(0o644, "Operation not permitted"), (0o600, "Permission denied")]
)
def test_secret_of_another_user_is_refused(permissions: int, why: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cup.sqlite"
        new_secret(path)
        secret_path(path).chmod(permissions)
        Path(folder).chmod(0o755)
        code = [sys.executable, "-c", READ_AS_NOBODY, str(path)]
        done = subprocess.run(code, capture_output=True, text=True)
        assert done.stdout == (
            f"{secret_path(path)} cannot be read, or not be made private (mode 600): {why}. It has "
            f"the secret of the tournament in {path}. Its owner has to run this command.\n"
        ), done.stderr


# -- files that are wrong -----------------------------------------------------------------------

WRONG = {
    "missing": (None, "is missing"),
    "empty": (b"", "is damaged: expected one line of 64 hexadecimal digits"),
    "cut": (MASTER.hex().encode()[:-1] + b"\n", "is damaged"),
    "two lines": (2 * (MASTER.hex().encode() + b"\n"), "is damaged"),
    "bytes": (b"\xff" * 65, "is damaged"),
    "of another store": (MASTER.hex().encode() + b"\n", "is the secret of another tournament"),
}


@pytest.mark.parametrize(("data", "sentence"), WRONG.values(), ids=WRONG.keys())
def test_wrong_file_is_refused_and_not_changed(
    path: Path, data: bytes | None, sentence: str
) -> None:
    new_secret(path)
    file = secret_path(path)
    file.unlink()
    if data is not None:
        file.write_bytes(data)
    with Store.open_to_write(path) as store, pytest.raises(StoreError, match=sentence) as refused:
        open_secret(store)
    assert "Restore it from a copy, or start over with" in str(refused.value)
    assert (file.read_bytes() if file.exists() else None) == data


@pytest.mark.parametrize("pipe", [False, True])
def test_what_is_no_secret_is_left_alone(path: Path, *, pipe: bool) -> None:
    """A stranger's tournament may have a link to any file of its auditor, or a pipe."""
    new_secret(path)
    other = path.with_name("other")
    os.mkfifo(other) if pipe else other.write_text("mine")
    other.chmod(0o644)
    secret_path(path).unlink()
    secret_path(path).symlink_to(other)
    with Store.open_to_read(path) as store, pytest.raises(StoreError):
        secret_file.read_secret(store)
    assert mode(other) == 0o644


def test_secret_of_a_store_that_is_gone_is_not_used_again(path: Path) -> None:
    first = new_secret(path)
    path.unlink()
    second = new_secret(path)
    path.unlink()
    third = new_secret(path)
    assert len({first, second, third}) == 3
    kept = [path.with_name(f"cup-{number}.secret").read_text() for number in (1, 2)]
    assert kept == [f"{secret.master.hex()}\n" for secret in (first, second)]


def test_secret_that_cannot_be_written_is_reported(path: Path) -> None:
    secret_path(path).with_name("cup.secret.new").mkdir()
    with Store.open_to_write(path) as store:
        with pytest.raises(StoreError, match=r"cup.secret cannot be written: Is a directory"):
            open_secret(store)
        assert store.about("secret") is None


# -- starting over ------------------------------------------------------------------------------


def test_secret_is_on_the_disk_before_its_name_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[str, bool]] = []
    sync = os.fsync

    def note_and_sync(file: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(file).st_mode)
        what = "the folder" if is_folder else f"{os.fstat(file).st_size} bytes"
        synced.append((what, secret_path(path).exists()))
        sync(file)

    with Store.open_to_write(path) as store:
        monkeypatch.setattr(os, "fsync", note_and_sync)
        open_secret(store)
    assert synced == [("65 bytes", False), ("the folder", True)]


def test_store_and_secret_are_set_aside_under_the_same_number(path: Path) -> None:
    assert secret_file.set_aside(path) is None
    first = new_secret(path)
    path.with_name("cup-1.secret").touch()  # so this number is taken
    aside = secret_file.set_aside(path)
    assert aside == path.with_name("cup-2.sqlite")
    assert not path.exists() and not secret_path(path).exists()
    with Store.open_to_write(aside) as store:
        assert open_secret(store) == first
    assert new_secret(path) != first
    assert secret_file.set_aside(path) == path.with_name("cup-3.sqlite")


def test_store_in_use_is_not_set_aside(path: Path) -> None:
    with Store.open_to_write(path) as store:
        open_secret(store)
        with pytest.raises(StoreError, match="another process is running this tournament"):
            secret_file.set_aside(path)
    assert path.exists() and secret_path(path).exists()


# -- killed -------------------------------------------------------------------------------------

OPEN_AND_DIE = """
import os, signal, sys
from pathlib import Path
from acquire.admin.tournament.store import secret_file
from acquire.admin.tournament.store.store import Store
from acquire.protocol import files
modules = (files.__file__, secret_file.__file__)
left = int(sys.argv[2])
def count(frame, event, function):
    global left
    if event == "c_call" and frame.f_code.co_filename in modules:
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
store = Store.open_to_write(Path(sys.argv[1]))
sys.setprofile(count)
secret_file.open_secret(store)
"""


@pytest.mark.soak
def test_run_that_was_killed_while_creating_its_secret_can_be_resumed(tmp_path: Path) -> None:
    """It is killed before every call of the module into C, so between any two system calls."""
    for number in range(1, 100):
        path = tmp_path / f"{number}.sqlite"
        code = [sys.executable, "-c", OPEN_AND_DIE, str(path), str(number)]
        done = subprocess.run(code, capture_output=True, text=True)
        if done.returncode == 0:
            break  # all calls were made
        assert done.returncode == -signal.SIGKILL, done.stderr
        first = new_secret(path)
        assert new_secret(path) == first
        assert [file.name for file in tmp_path.glob("*.new")] == []
    else:
        raise AssertionError("it was killed 99 times")
    assert number > 10
