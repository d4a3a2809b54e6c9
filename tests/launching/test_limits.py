"""Limits: sizes with and without a unit, and values that are not limits."""

import pytest

from acquire.admin.launching.limits import Limits, limits_from
from acquire.protocol.settings_file import InvalidSettings


@pytest.mark.parametrize(
    ("written", "size"),
    [("5000", 5000), (" 2 KiB ", 2 * 2**10), ("3MiB", 3 * 2**20), ("1 GiB", 2**30), (4096, 4096)],
)
def test_size_is_in_bytes_or_has_a_unit(written: object, size: int) -> None:
    assert limits_from({"memory": written, "file_size": written}) == Limits(
        memory=size, file_size=size
    )


@pytest.mark.parametrize("written", ["512 MB", "-1 KiB", "1.5 GiB", "much", ""])
def test_text_that_is_not_a_size_is_rejected_with_a_sentence(written: str) -> None:
    with pytest.raises(InvalidSettings) as rejected:
        limits_from({"memory": written})
    (mistake,) = rejected.value.mistakes
    assert mistake == (
        "memory",
        f"{written!r} is not a size. Write a number and KiB, MiB or GiB, such as '512 MiB'.",
    )


@pytest.mark.parametrize(
    "wrong", [{"memory": 0}, {"memory": 2**62}, {"processes": 0}, {"processor": 1.5}, {"colour": 1}]
)
def test_impossible_limit_is_rejected(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidSettings):
        limits_from(wrong)
