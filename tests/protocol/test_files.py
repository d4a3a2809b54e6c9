"""Files that are written whole or not at all."""

from pathlib import Path

import pytest

from acquire.protocol.files import replace_file


def test_nothing_is_left_of_a_file_that_cannot_take_its_place(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    with pytest.raises(IsADirectoryError):
        replace_file(tmp_path / "report", b"new")
    assert [file.name for file in tmp_path.iterdir()] == ["report"]
