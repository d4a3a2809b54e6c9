"""Ed25519 signatures of a tournament's results: by its own key, over short statements.

A statement begins with a line that says what it is about, so that no signature can be passed off
as one of something else. Keys and signatures are written in hexadecimal digits.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")
SIGNATURE = re.compile(r"[0-9a-f]{128}")


def sign(key: "Ed25519PrivateKey", statement: bytes) -> str:
    """Return the signature of a statement."""
    return key.sign(statement).hex()


def public_key(key: "Ed25519PrivateKey") -> str:
    """Return the public key, by which everybody can check the signatures of a key."""
    return key.public_key().public_bytes_raw().hex()


def is_public_key(text: str) -> bool:
    """Whether a text can be a public key."""
    return PUBLIC_KEY.fullmatch(text) is not None


def is_signed(public: str, signature: str, statement: bytes) -> bool:
    """Whether a signature is that of a statement, by this public key; any text may be given."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not is_public_key(public) or not SIGNATURE.fullmatch(signature):
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), statement)
    except (InvalidSignature, ValueError):
        return False
    return True
