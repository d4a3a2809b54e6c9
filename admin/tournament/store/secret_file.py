"""A tournament's secret: one private file beside the store, from which its bags are derived.

    NAME.sqlite     the store
    NAME.secret     one line, 64 hexadecimal digits: the master secret, readable by its owner only

From the master secret follow a secret for every series of deals, and the key that signs results.
Each can be published without revealing the master secret or any other of them.

The store knows a fingerprint of its secret, so a missing file, or one of another tournament, is
noticed before a game is played with it.
"""

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from ....protocol.files import PRIVATE, bytes_of, replace_private_file
from .row_chain import SigningKey
from .store import Store
from .store_reader import ANOTHER_STORE, StoreError

BITS = 256  # the size of the master secret, and of all that is derived from it
ALIAS_CHARACTERS = 8  # characters of 5 bits: no two players of a course get the same alias


@dataclass(frozen=True, slots=True)
class TournamentSecret:
    """The master secret of a tournament, and what follows from it; it does not print itself."""

    master: bytes = field(repr=False)

    def deals(self, series: int) -> bytes:
        """Return the 32 bytes from which the bags of a series are derived; the first is 1."""
        return self._derive(f"acquire deals {series}")

    def commitment(self, series: int) -> str:
        """Return the SHA-256 digest of a series' secret, in hexadecimal digits.

        Published before the series is played, it proves afterwards that the bags were fixed.
        """
        return hashlib.sha256(self.deals(series)).hexdigest()

    def signing_key(self) -> SigningKey:
        """Return the key that signs the tournament's results."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._derive("acquire signing"))

    def fingerprint(self) -> str:
        """Return what the store knows of the secret, to recognise it."""
        return hashlib.sha256(self._derive("acquire fingerprint")).hexdigest()

    def alias(self, name: str) -> str:
        """Return the alias of a player: always the same; nobody can guess it without the secret."""
        code = base64.b32encode(self._derive(f"acquire alias {name}")).decode().lower()
        return f"player-{code[:ALIAS_CHARACTERS]}"

    def version_alias(self, version: str) -> str:
        """Return what stands for a version in public: another one for every other version."""
        return self._derive(f"acquire version {version}").hex()[: len(version)]

    def _derive(self, what: str) -> bytes:
        return hmac.digest(self.master, what.encode(), "sha256")


def secret_path(store: Path) -> Path:
    """Return the path of the secret of the store at a path."""
    if store.suffix == ".sqlite":
        return store.with_suffix(".secret")
    return store.with_name(f"{store.name}-secret")  # not the same as that of NAME.sqlite


def open_secret(store: Store) -> TournamentSecret:
    """Return the secret of a store that is open to write, a new one for a new store.

    A secret that the store does not know is of a store that is gone. Its deals may be known, so it
    is not used but renamed. ``StoreError`` as for :func:`read_secret`.
    """
    if store.about("secret") is not None:
        return read_secret(store)
    path = secret_path(store.path)
    secret = TournamentSecret(secrets.token_bytes(BITS // 8))
    try:
        if path.exists():
            path.rename(_numbered(path, _free_number(path)))
        replace_private_file(path, f"{secret.master.hex()}\n".encode())
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error.strerror}. It must hold the secret of the "
            "tournament.",
            ANOTHER_STORE,
        ) from error
    store.note(secret=secret.fingerprint())
    return secret


def read_secret(store: Store) -> TournamentSecret:
    """Return the secret of a store; if others may read it, it is made private.

    ``StoreError`` if the file is missing, damaged, of another store, or cannot be made private.
    """
    path = secret_path(store.path)
    advice = "Restore it from a copy, or start over with `acquire tournament run --fresh`."
    try:
        text = bytes_of(path, 2 * BITS)
        if not re.fullmatch(rb"[0-9a-f]{%d}\n" % (BITS // 4), text):
            raise StoreError(
                f"{path} is damaged: expected one line of {BITS // 4} hexadecimal digits, the "
                f"secret of the tournament in {store.path}.",
                advice,
            )
        secret = TournamentSecret(bytes.fromhex(text.decode()))
        if secret.fingerprint() != store.about("secret"):
            raise StoreError(
                f"{path} is the secret of another tournament than the one in {store.path}.", advice
            )
        if path.stat().st_mode & 0o077:  # not before: it may be a link to anything
            path.chmod(PRIVATE)
    except FileNotFoundError:
        raise StoreError(
            f"{path} is missing: it has the secret of the tournament in {store.path}.", advice
        ) from None
    except OSError as error:
        raise StoreError(
            f"{path} cannot be read, or not be made private (mode 600): {error.strerror}. It has "
            f"the secret of the tournament in {store.path}. Its owner has to run this command."
        ) from error
    return secret


def set_aside(store: Path) -> Path | None:
    """Rename a store and its secret alike; return the store's new path, ``None`` if there is none.

    ``StoreError`` if that fails, or if a run has the store open.
    """
    if not store.exists():
        return None
    with Store.open_to_write(store):  # so that no run has it, and its journal is merged
        pass
    secret = secret_path(store)
    number = _free_number(store, secret)
    aside = _numbered(store, number)
    try:
        store.rename(aside)  # first, for a store that has lost its secret cannot be resumed
        if secret.exists():
            secret.rename(_numbered(secret, number))
    except OSError as error:
        raise StoreError(
            f"{store} cannot be set aside: {error.strerror}.", ANOTHER_STORE
        ) from error
    return aside


def set_aside_of(store: Path) -> list[Path]:
    """Return the stores that were set aside for this one, and their secrets, in order.

    Not those of a tournament file that happens to be called like one, nor one that is being played.
    """
    return sorted(
        found
        for path in (store, secret_path(store))
        for found in path.parent.iterdir()
        if re.fullmatch(rf"{re.escape(path.stem)}-[0-9]+{re.escape(path.suffix)}", found.name)
        and not found.with_suffix(".toml").exists()
        and not found.with_suffix(f"{store.suffix}-wal").exists()
    )


def _free_number(*paths: Path) -> int:
    return next(
        number for number in count(1) if not any(_numbered(path, number).exists() for path in paths)
    )


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}-{number}{path.suffix}")
