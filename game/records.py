"""The base of values with named fields, and tuples made from tuples: every action makes new ones.

Positions are made thousands of times per game, and read ten times as often. In pure Python such a
record costs a third of a frozen dataclass to make, and half of a named tuple to read; compiled,
both cost next to nothing. The price is a constructor per class. Nothing changes a field: mypy
refuses it, and so does compiled code. A check at run time would cost four times the making.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Self


class Record:
    """A value that never changes, equal to a record of the same class with equal fields.

    A subclass lists its fields in ``__match_args__``, in the order of its constructor, and makes
    them its ``__slots__``; all fields are ``Final``. Records can be unpacked, matched, hashed and
    pickled.

    >>> from acquire import Player
    >>> ann = Player("ann", cash=600, shares=(4, 0), hand=0)
    >>> ann._replace(cash=100)
    <Player ann $100, (4, 0), no tiles>
    >>> name, cash, shares, hand = ann
    >>> name, cash
    ('ann', 600)
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with other values of some fields; ``TypeError`` for an unknown one."""
        fields = {field: getattr(self, field) for field in self.__match_args__}
        return type(self)(**{**fields, **changes})

    def __iter__(self) -> Iterator[Any]:
        return map(self.__getattribute__, self.__match_args__)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        fields = [f"{field}={getattr(self, field)!r}" for field in self.__match_args__]
        return f"{type(self).__name__}({', '.join(fields)})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # nothing in it changes

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(self)


def put(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """Return ``values`` with ``value`` at ``index``.

    >>> put((5, 6, 7), 1, 0)
    (5, 0, 7)
    """
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def add(amounts: tuple[int, ...], index: int, by: int) -> tuple[int, ...]:
    """Return ``amounts`` with ``by`` added at ``index``."""
    changed = list(amounts)
    changed[index] += by
    return tuple(changed)
