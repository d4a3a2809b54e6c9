"""A summary as plain values for JSON: the same summary gives the same text."""

from dataclasses import fields as fields_of
from dataclasses import is_dataclass

from ...studying.statistics.estimate import Estimate
from .summary import Summary


def summary_fields(summary: Summary) -> dict[str, object]:
    """Return the summary as dicts, lists and bare values, in the order of its fields.

    Seats that are keys become text, as in JSON.
    """
    return {field.name: _plain(getattr(summary, field.name)) for field in fields_of(summary)}


def _plain(value: object) -> object:
    match value:
        case Estimate():
            return dict(zip(value._fields, value, strict=True))
        case tuple():
            return [_plain(item) for item in value]
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case _ if is_dataclass(value):
            return {field.name: _plain(getattr(value, field.name)) for field in fields_of(value)}
        case _:
            return value
