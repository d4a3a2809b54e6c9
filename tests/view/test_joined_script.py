"""Modules become one script: each after what it imports, without words that only modules have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from acquire.admin.pages.html.joined_script import script, script_beside

MODULES = {
    "page.js": """/** @import { Left } from "./left.js" */
import { left } from "./left.js";
import { right } from "./parts/right.js";

// the start
left(right);
""",
    "left.js": 'import { base } from "./base.js";\nexport const left = () => base;\n',
    "parts/right.js": """import { base } from "../base.js";
/** @type {1} */
export let right = base;
""",
    "base.js": "export async function base() {}\n",
}
JOINED = """"use strict";
async function base() {}

const left = () => base;

let right = base;


// the start
left(right);
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with modules; its name is that of the folder."""
    folder = tmp_path / f"modules_{tmp_path.name}"
    for name, text in MODULES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        (path.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def test_each_module_comes_once_and_after_those_that_it_imports(package: Path) -> None:
    assert script(package.name, "page.js") == JOINED


def test_script_beside_another_brings_nothing_of_it_and_has_its_own_scope(package: Path) -> None:
    beside = script_beside(package.name, "left.js")
    assert beside == '"use strict";\n{\nconst left = () => base;\n}\n'


@pytest.mark.parametrize(
    "line",
    [
        'import { base as other } from "./base.js";',
        'import * as base from "./base.js";',
        'import base from "./base.js";',
        "export default 1;",
        "export { left };",
    ],
)
def test_form_that_cannot_be_joined_is_refused(package: Path, line: str) -> None:
    (package / "left.js").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=re.escape(line)):
        script(package.name, "page.js")


def test_modules_that_import_each_other_are_refused(package: Path) -> None:
    (package / "base.js").write_text(
        'import { left } from "./left.js";\nexport const base = left;\n'
    )
    with pytest.raises(ValueError, match=r"page.js -> .*left.js -> .*base.js -> .*left.js"):
        script(package.name, "page.js")
