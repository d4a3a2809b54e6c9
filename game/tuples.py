"""Tuples made from tuples: a position never changes, so every action makes new ones."""


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
