"""What all pages share: colors that can be read, one style sheet, a strict policy."""

import re
from pathlib import Path

import pytest
from loops import for_each

from acquire.admin.pages.html.html_page import (
    INLINE,
    content_security_policy,
    digest,
    embedded,
    nonce,
    script,
    script_beside,
    stylesheet,
)
from acquire.admin.refereeing.view.palette import HOTEL_COLORS, PAGE_COLORS
from acquire.game.rulebooks import RULEBOOKS

ROOT = Path(__file__).parents[2]
PAGES = {
    "admin/pages/seat/door.html.jinja": ("acquire.admin.pages.seat", "door.css"),
    "admin/pages/seat/seat.html.jinja": ("acquire.admin.pages.seat", "seat.css"),
    "admin/pages/html/viewer.html.jinja": ("acquire.admin.pages.html", "viewer.css"),
    "admin/pages/web/lobby.html.jinja": ("acquire.admin.pages.web", "lobby.css"),
    "admin/pages/web/no_page.html.jinja": ("acquire.admin.pages.html", "page.css"),
    "admin/pages/html/check.html.jinja": ("acquire.admin.pages.html", "check.css"),
} | {
    f"admin/tournament/reporting/{name}.html.jinja": (
        "acquire.admin.tournament.reporting",
        "site.css",
    )
    for name in ("index", "games", "player")
}


def luminance(color: str) -> float:
    """The relative luminance of the Web Content Accessibility Guidelines."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_every_hotel_has_a_color_of_its_own() -> None:
    assert {len(rulebook.hotels) for rulebook in RULEBOOKS.values()} == {len(HOTEL_COLORS)}
    assert len({color.fill for color in HOTEL_COLORS}) == len(HOTEL_COLORS)


def test_letters_on_hotels_can_be_read() -> None:
    for color in HOTEL_COLORS:
        assert contrast(color.fill, color.ink) >= 4.5, color


@for_each("kind", ["light", "dark", "print"])
@for_each("on", ["paper", "band"])
@for_each("name", ["ink", "soft", "link", "pass-ink", "warn-ink", "fail-ink", "none-ink"])
def test_text_can_be_read(name: str, on: str, kind: str) -> None:
    assert contrast(getattr(PAGE_COLORS[name], kind), getattr(PAGE_COLORS[on], kind)) >= 4.5


@for_each("kind", ["light", "dark", "print"])
@for_each("seat", range(6))
def test_numbers_of_players_can_be_read(seat: int, kind: str) -> None:
    color = getattr(PAGE_COLORS[f"seat-{seat}"], kind)
    assert contrast(color, getattr(PAGE_COLORS["seat-ink"], kind)) >= 4.5
    assert contrast(color, getattr(PAGE_COLORS["paper"], kind)) >= 4.5


def test_colors_are_written_in_the_palette_alone() -> None:
    literal = re.compile(r"[^&\w]#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b|\brgba?\(|\bhsla?\(")
    for path in (ROOT / "admin").rglob("*"):
        if path.suffix in {".py", ".css", ".js", ".jinja"} and path.name != "palette.py":
            assert not literal.search(path.read_text()), path


@for_each(("page", "own"), PAGES.items())
def test_every_variable_of_a_page_is_defined(page: str, own: tuple[str, str]) -> None:
    style = stylesheet(*own)
    used = re.findall(r"var\(--([\w-]+)\)", style + (ROOT / page).read_text())
    defined = re.findall(r"--([\w-]+):", style + (ROOT / page).read_text())
    assert used and set(used) <= set(defined)


def test_pages_have_no_style_sheet_of_their_own_beside_the_shared_one() -> None:
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "admin").rglob("*.html.jinja")}
    assert found == PAGES.keys()
    for page in PAGES:
        text = (ROOT / page).read_text()
        assert re.match(r'{% extends "(report_)?page.jinja" %}', text)
        assert "<style" not in text and "<html" not in text


def test_policy_allows_one_script_and_one_style_sheet() -> None:
    assert content_security_policy("a {}", "b()", connects=True) == (
        f"default-src 'none'; connect-src 'self'; script-src {digest('b()')}; "
        f"style-src {digest('a {}')}; img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert content_security_policy(INLINE) == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def test_nonce_follows_from_all_that_is_on_the_page() -> None:
    contents = ("a", "b", "c")
    found = {nonce(*contents[:place], "x", *contents[place + 1 :]) for place in range(3)}
    assert len(found | {nonce(*contents), nonce("ab", "", "c")}) == 5
    policy = content_security_policy(nonce("a"), nonce("a"))
    assert policy.count(nonce("a")) == 2 and "sha256" not in policy


def test_embedded_data_cannot_end_the_script() -> None:
    text = embedded({"name": "</script><b>&amp;"})
    assert not set("<>&") & set(text)
    assert "\\u003c/script" in text


# -- modules become one script: each after what it imports, without words that only modules have --

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


@for_each(
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
