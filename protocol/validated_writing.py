"""What the referee writes, validated against the schema before it is sent.

This is meant for tests and for finding bugs: it makes each message several times as expensive. An
invalid message is a bug of this program, for which no player is to blame.
"""

import os
from functools import lru_cache

from lxml import etree

from ..game.rulebook import Rulebook
from .dialect import Dialect
from .faults import ProtocolError
from .messages import Message
from .writing import Writer

VARIABLE = "ACQUIRE_VALIDATE_OUTPUT"
"""If this environment variable is ``1``, all that any referee writes is validated."""
VALID_AT_ONCE = 4096
"""How many valid documents are remembered."""


class InvalidOutput(ProtocolError):
    """The referee was about to send a message that its own schema rejects."""


class RefereeWriter(Writer):
    """Writes what the referee sends; ``write`` may raise ``InvalidOutput``.

    It validates if ``validate`` is true, or the environment variable says so.

    >>> from acquire.game.rulebooks import REVISED
    >>> from acquire.protocol import messages
    >>> RefereeWriter(REVISED, validate=True).write(messages.Ejected("bored", "Bye."))
    Traceback (most recent call last):
    acquire.protocol.validated_writing.InvalidOutput: <ejected reason="bored">Bye.</ejected>: ...
    """

    def __init__(self, rulebook: Rulebook, *, validate: bool = False) -> None:
        super().__init__(rulebook)
        self._validate = None
        if validate or os.environ.get(VARIABLE) == "1":
            self._validate = lru_cache(VALID_AT_ONCE)(_Validation(rulebook).check)

    def write(self, message: Message) -> bytes:
        """Write a message as one element in compact UTF-8."""
        document = super().write(message)
        if self._validate is not None:
            self._validate(document)
        return document


class _Validation:
    def __init__(self, rulebook: Rulebook) -> None:
        self._schema = _schema_for(rulebook)

    def check(self, document: bytes) -> None:
        """Check one document; ``InvalidOutput`` if the schema rejects it."""
        if not self._schema.validate(etree.fromstring(document)):
            error = self._schema.error_log[0].message
            raise InvalidOutput(f"{document.decode()}: {error}")


@lru_cache(64)
def _schema_for(rulebook: Rulebook) -> etree.XMLSchema:
    return Dialect.of(rulebook).schema("administrator", rulebook)
