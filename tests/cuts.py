"""Ways to cut a stream of bytes into pieces."""

from collections.abc import Iterable
from itertools import pairwise


def by_bytes(stream: bytes) -> list[bytes]:
    """A stream byte by byte."""
    return [stream[place : place + 1] for place in range(len(stream))]


def cut(stream: bytes, places: Iterable[int]) -> list[bytes]:
    """A stream cut at these places."""
    within = sorted(place for place in places if 0 < place < len(stream))
    ends = [0, *within, len(stream)]
    return [stream[start:end] for start, end in pairwise(ends)]


def every_way(stream: bytes) -> list[list[bytes]]:
    """A stream whole, byte by byte, and in two pieces cut at every byte."""
    halves = [cut(stream, [place]) for place in range(1, len(stream))]
    return [[stream], by_bytes(stream), *halves]
