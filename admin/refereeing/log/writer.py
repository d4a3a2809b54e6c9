"""Writing game logs: one record per line, as the game goes.

A killed referee leaves a readable prefix: complete lines, without the end tag. A file that was
deleted can still be written to, and is gone when it is closed: so whether it is still where its
name leads is verified after every write.
"""

import errno
import gzip
import itertools
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeAlias

from ....game.turn import Ending
from ....protocol.files import is_in_place
from ....protocol.user_error import UserError
from ..play import events
from ..play.events import Event
from .recorder import Header, Recorder, header_lines

_recorder = lru_cache(8)(Recorder)  # what it knows is the same in all games by a rulebook
Written: TypeAlias = Callable[[bytes], object]  # gets the bytes written, and returns at once
PRIVATE_FOLDER = 0o700
"""The mode of a new folder: the bag is in a log, and follows from its name, as the game begins."""


class LogWriteError(UserError):
    """A log cannot be created or written; the text is a user-facing message."""


class Sink(Protocol):
    """Where a log goes: an unbuffered file, or memory."""

    def write(self, data: bytes, /) -> int:
        """Write bytes and return how many were written; ``OSError`` where that fails."""

    def close(self) -> None:
        """Close the file."""


class FileInPlace:
    """A new file, unbuffered: it is written to only as long as it is in place.

    ``FileExistsError`` where there is one already, and ``OSError`` for whatever else goes wrong.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("xb", buffering=0)

    def write(self, data: bytes, /) -> int:
        """Write bytes, and verify that they are where they should be."""
        count = self._file.write(data)
        _verify_in_place(self._path, self._file.fileno())
        return count

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _verify_in_place(path: Path, descriptor: int) -> None:
    """Raise ``OSError`` unless a path leads to an open file or folder."""
    if not is_in_place(path, descriptor):
        raise OSError(errno.ESTALE, "it was deleted or replaced while the referee was running")


class MemoryFile:
    """A log in memory."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Append some bytes."""
        self._parts.append(data)
        return len(data)

    def close(self) -> None:
        """Do nothing: the bytes are kept."""

    def data(self) -> bytes:
        """Return the log."""
        return b"".join(self._parts)

    def compressed(self) -> bytes:
        """Return the log, compressed; the same log gives the same bytes."""
        return gzip.compress(self.data(), compresslevel=6, mtime=0)


class GameLog:
    """A log being written: call it with every event. ``LogWriteError`` where writing fails."""

    def __init__(
        self, path: Path, file: Sink, header: Header, written: Written = lambda _: None
    ) -> None:
        """``written`` receives all bytes that have reached the file, in order."""
        self.path = path
        self._file = file
        self._written = written
        self._by_type = _recorder(header.rulebook).by_type
        self._lines = ['<?xml version="1.0" encoding="UTF-8"?>', *header_lines(header)]
        self.flush()

    def __call__(self, event: Event) -> None:
        """Take an event; those before a turn are flushed when the turn begins."""
        if type(event) is events.TurnBegan:
            self.flush()
        self._lines.append(self._by_type[type(event)](event))

    def write(self, happened: Sequence[Event]) -> None:
        """Take some events, and flush them: in half the time that they take one by one."""
        by_type = self._by_type
        self._lines += [by_type[type(event)](event) for event in happened]
        self.flush()

    def flush(self) -> None:
        """Hand all records so far to the operating system."""
        self._lines.append("")
        whole = data = "\n".join(self._lines).encode()
        self._lines.clear()
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            raise _cannot(f"log {self.path}", error) from error
        self._written(whole)

    def close(self, interrupted_after: int | None = None) -> None:
        """Write the end tag and close the file.

        ``interrupted_after`` is the number of turns of a game that was interrupted.
        """
        if interrupted_after is not None:
            ending = Ending.INTERRUPTED.value
            self._lines.append(f'<ended ending="{ending}" turns="{interrupted_after}"/>')
        self._lines.append("</match>")
        self.abandon()

    def abandon(self) -> None:
        """Write all records so far and close the file, without an end tag."""
        try:
            self.flush()
        finally:
            self._file.close()


class LogFolder:
    """A folder that has to stay in place: as a context it is created if missing.

    ``LogWriteError`` if it cannot be used, or is not in place any more. Windows cannot open a
    folder, so there only a missing one is noticed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1

    def __enter__(self) -> "LogFolder":
        try:
            self.path.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
            if sys.platform != "win32":
                self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise _cannot(f"log folder {self.path}", error) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)

    def open_log(self, header: Header, written: Written) -> GameLog:
        """Create a log for a game; a folder that was deleted is not created again."""
        try:
            if self._descriptor >= 0:
                _verify_in_place(self.path, self._descriptor)
        except OSError as error:
            raise _cannot(f"log folder {self.path}", error) from error
        return open_log(self.path, header, written)


def open_log(folder: Path, header: Header, written: Written = lambda _: None) -> GameLog:
    """Create a log for a game in a folder; ``LogWriteError`` where that fails.

    The file name has rulebook, seed and game, and a count if such a file exists already. Nobody who
    plays may be told it while the game runs: the bag follows from the seed.
    """
    stem = f"{header.rulebook.id}-seed{header.seed}-game{header.game}"
    for count in itertools.count(1):
        path = folder / (f"{stem}.xml" if count == 1 else f"{stem}-{count}.xml")
        try:
            file = FileInPlace(path)
        except FileExistsError:
            continue
        except OSError as error:
            raise _cannot(f"log {path}", error) from error
        try:
            return GameLog(path, file, header, written)
        except LogWriteError:
            file.close()
            raise
    raise AssertionError("count() has no end")


def _cannot(what: str, error: OSError) -> LogWriteError:
    return LogWriteError(f"The {what} cannot be written: {error.strerror}. Give another --log-dir.")
