"""Tuples made from tuples: a position is never changed, so every move makes several anew."""

new = tuple.__new__
"""Make a named tuple, given its class and a tuple of its fields: a third quicker than a call."""


def put(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """Return ``values`` with this one at ``index``."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def add(amounts: tuple[int, ...], index: int, by: int) -> tuple[int, ...]:
    """Return ``amounts`` with ``by`` added at ``index``."""
    return put(amounts, index, amounts[index] + by)
