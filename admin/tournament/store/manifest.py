"""The manifest of a report: what every file has to be, signed with the tournament's key.

manifest.json   the SHA-256 digest and the size of every other file, the head of the store, the
                public key, and the software that made the report
manifest.sig    the Ed25519 signature, in hexadecimal digits, of the line "acquire tournament
                report" and the bytes of manifest.json; it is missing if the report is not signed
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import BaseModel, Field, TypeAdapter

from ..games.checked_json import STRICT, Digest, InvalidFields, Sentences, check_value, read_checked
from .signing import is_signed, sign

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
TITLE = b"acquire tournament report\n"
MAX_BYTES = 256 * 2**20
"""Bytes of a file of the report, and of the manifest itself."""
PATH = re.compile(
    r"index\.html|viewer\.(js|css)|standings\.csv|games\.csv|tournament\.json|rows\.jsonl"
    r"|games/[A-Za-z0-9][A-Za-z0-9-]{0,63}\.html"
    r"|players/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.html"
    r"|logs/[A-Za-z0-9][A-Za-z0-9-]{0,63}\.xml\.gz"
    r"|minimal/[A-Za-z0-9][A-Za-z0-9-]{0,63}-seat[1-6]\.(xml\.gz|html)"
    r"|outputs/[A-Za-z0-9][A-Za-z0-9-]{0,63}-seat[1-6]\.txt"
)
"""The files that a report can have."""


class FileEntry(NamedTuple):
    """What a file has to be: its SHA-256 digest in hexadecimal digits, and its size in bytes."""

    sha256: Digest
    size: Annotated[int, Field(ge=0, le=MAX_BYTES)]

    @classmethod
    def of(cls, data: bytes) -> "FileEntry":
        """Return the entry of a file with these bytes."""
        return cls(hashlib.sha256(data).hexdigest(), len(data))


@cache
def software() -> dict[str, str]:
    """Return the software on which the figures of a report depend, with the versions."""
    return {name: version(name) for name in ("acquire-referee", "numpy", "rich")}


class Manifest(NamedTuple):
    """A manifest: ``files`` by path, ``key`` and ``head`` as in the store."""

    software: Mapping[str, str]
    key: str
    head: str
    files: Mapping[str, FileEntry]

    def data(self) -> bytes:
        """Return the bytes of the file."""
        files = {path: entry._asdict() for path, entry in sorted(self.files.items())}
        fields = {**self._asdict(), "files": files}
        return (json.dumps(fields, ensure_ascii=False, indent=1) + "\n").encode()

    @classmethod
    def of(cls, data: bytes) -> "Manifest":
        """Return the manifest in a file; ``InvalidFields`` if it is none."""
        found = read_checked(_FORM, data)
        files: dict[str, FileEntry] = {}
        for path, entry in found.files.items():
            if not PATH.fullmatch(path):
                raise InvalidFields(f"{ascii(path)[:80]} is not a file of a report")
            files[path] = check_value(_ENTRY, entry)
        software = {name: check_value(_VERSION, each) for name, each in found.software.items()}
        return cls(software, found.key, found.head, files)


class _ManifestForm(BaseModel):
    """The outer form; what is in a table is checked one by one, up to the first mistake."""

    model_config = STRICT

    software: dict[str, object]
    key: Digest
    head: Sentences
    files: dict[str, object]


_FORM = TypeAdapter(_ManifestForm)
_ENTRY = TypeAdapter(FileEntry, config=STRICT)
_VERSION = TypeAdapter(Annotated[str, Field(max_length=64)], config=STRICT)


def sign_manifest(key: "Ed25519PrivateKey", manifest: bytes) -> bytes:
    """Return the bytes of the signature's file."""
    return f"{sign(key, TITLE + manifest)}\n".encode()


def is_manifest_signed(key: str, signature: bytes, manifest: bytes) -> bool:
    """Whether this is the signature of a manifest by this public key."""
    text = signature.decode(errors="replace").removesuffix("\n")
    return is_signed(key, text, TITLE + manifest)
