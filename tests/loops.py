"""Many quick cases in one test.

`pytest.mark.parametrize` makes a test of every case, and each test costs some milliseconds: it is
collected in every process and its result is sent to another. There are thousands of quick cases.
`for_each` takes the same arguments and runs all cases in one test, which shows the first failure
and names all cases that fail. Fixtures are set up once for all cases. `in_soak` is for dear cases.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeAlias

import pytest

Test: TypeAlias = Callable[..., None]
_Parameters = type(pytest.param())


def for_each(
    names: str | Sequence[str],
    rows: Iterable[Any],
    ids: Iterable[str] | Callable[[Any], object] | None = None,
) -> Callable[[Test], Test]:
    """Run a test once with every row, as `pytest.mark.parametrize` would; rows take no marks."""
    names = names.split(",") if isinstance(names, str) else names
    listed = [_values(row, single=len(names) == 1) for row in rows]
    assert listed, f"no rows of {', '.join(names)}"
    given = ids if ids is None or callable(ids) else list(ids)
    titles = [_title(row, place, given) for place, row in enumerate(listed)]
    cases = [dict(zip(names, row.values, strict=True)) for row in listed]

    def decorate(test: Test) -> Test:
        assert not inspect.iscoroutinefunction(test), "only for tests that do not wait"

        @wraps(test)
        def all_rows(**fixtures: Any) -> None:
            failures: list[tuple[str, BaseException]] = []
            for title, case in zip(titles, cases, strict=True):
                try:
                    test(**fixtures, **case)
                except (Exception, pytest.fail.Exception) as error:
                    failures.append((title, error))
            if failures:
                failed = ", ".join(title for title, _ in failures)
                _, first = failures[0]
                first.add_note(f"{len(failures)} of {len(cases)} cases failed: {failed}")
                raise first

        wanted = inspect.signature(test).parameters
        assert {*names} <= {*wanted}, f"{test.__name__} does not take {names}"
        others = [each for name, each in wanted.items() if name not in names]
        all_rows.__signature__ = inspect.Signature(others)  # type: ignore[attr-defined] # for pytest
        return all_rows

    return decorate


def in_soak(*rows: Any) -> list[Any]:
    """Return rows of `pytest.mark.parametrize` that are for `make soak` alone.

    Rows before them, which are played in `make test` too, show the same kind of thing sooner.
    """
    values = [row if isinstance(row, tuple) else (row,) for row in rows]
    return [pytest.param(*each, marks=pytest.mark.soak) for each in values]


def _values(row: Any, *, single: bool) -> Any:
    """A row as the value of `pytest.param`."""
    if isinstance(row, _Parameters):
        assert not row.marks, "a case with marks has to be a test of its own"
        return row
    return pytest.param(row) if single else pytest.param(*row)


def _title(row: Any, place: int, ids: Sequence[str] | Callable[[Any], object] | None) -> str:
    if row.id is not None:
        return str(row.id)
    if ids is not None and not callable(ids):
        return ids[place]
    return "-".join(str((ids or repr)(value)) for value in row.values)
