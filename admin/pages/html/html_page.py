"""What all pages have in common: one style sheet, a content security policy, data for scripts.

A page is one file that needs nothing else, so style sheets and scripts are put into it. Only pages
of which there are very many share files. Opened from the disk they cannot fetch, so the data of
each is in the page, as JSON that is never run; nor can a shared script be bound by a hash, which
needs a server. So their policy allows it by a nonce: the digest of all that others have written on
the page, which therefore cannot contain it.
"""

import base64
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from os.path import normpath
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from ...refereeing.view.palette import root_css
from ...refereeing.view.plain_text import dollars, number, printable, printable_text

INLINE = "'unsafe-inline'"  # the style source of a page that has `style` attributes
FAVICON = Markup(
    '<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=\'http://www.w3.org/2000/svg\' '
    "viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='teal'/%3E%3Cpath "
    "d='M3 13V7l4-3v9zM8 13V3l5 3v7z' fill='white'/%3E%3C/svg%3E\">"
)
NOSCRIPT = Markup(
    '<noscript><p class="banner">This page is drawn by JavaScript. Allow it here, and load the '
    "page again. In a terminal <code>acquire replay</code> and <code>acquire watch</code> show "
    "games.</p></noscript>"
)
NONCE = "'nonce-"  # how the source begins that allows files beside the page


@cache
def template(package: str, name: str) -> Template:
    """Load a template of a package; it may extend ``page.jinja``, which is here."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(place, ".") for place in (package, __package__)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # of a text a page shows what can be shown; markup stays as it is
        finalize=lambda value: printable_text(value) if type(value) is str else value,
    )
    environment.filters.update(dollars=dollars, number=number, printable=printable)
    environment.globals |= {"favicon": FAVICON, "noscript": NOSCRIPT}
    return environment.get_template(name)


@cache
def asset(package: str, name: str) -> str:
    """Return a style sheet or script of a package as text."""
    return (files(package) / name).read_text(encoding="utf-8")


def stylesheet(package: str, name: str) -> Markup:
    """Return the palette, the shared style sheet and the page's own one, which can override it."""
    return Markup(root_css() + asset("acquire.admin.pages.html", "page.css") + asset(package, name))


def content_security_policy(
    style: str, script: str = "", *more: str, connects: bool = False
) -> str:
    """Return a policy that allows this style sheet and script alone, and nothing from elsewhere.

    ``style`` can be :data:`INLINE`, and both can be a :func:`nonce`. ``more`` are further scripts.
    A page that ``connects`` may read streams of its own server.
    """
    sources = {
        "default-src": "'none'",
        "connect-src": "'self'" if connects else "",
        "script-src": " ".join(_source(text) for text in (script, *more) if text),
        "style-src": _source(style),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {source}" for name, source in sources.items() if source)


def whole_page(
    package: str,
    name: str,
    style: Markup,
    scripts: Markup | None = None,
    /,
    *,
    connects: bool = False,
    has_styles: bool = False,
    **fields: Any,
) -> str:
    """Fill in a page with its style sheet and script inside.

    It may read streams of its server if it ``connects``, and have ``style`` attributes if it
    ``has_styles``.
    """
    allowed = INLINE if has_styles else style
    policy = content_security_policy(allowed, scripts or "", connects=connects)
    return template(package, name).render(policy=policy, style=style, script=scripts, **fields)


def _source(text: str) -> str:
    return text if text == INLINE or text.startswith(NONCE) else digest(text)


def nonce(*contents: str) -> str:
    """Return a nonce for files beside the page, as a source of its policy.

    A page from disk cannot be sent with a nonce that is new each time. So it is the digest of
    everything on the page that others have written, which can therefore not contain it.
    """
    found = hashlib.sha256("\0".join(contents).encode(errors="surrogatepass")).digest()
    return f"{NONCE}{base64.urlsafe_b64encode(found).decode().rstrip('=')}'"


def digest(text: str) -> str:
    """Return the hash by which a content security policy allows a script or style sheet."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def embedded(fields: Any) -> Markup:
    """Write JSON so that no HTML parser finds markup, or the script's end, in it."""
    text = json.dumps(fields, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


# -- scripts --------------------------------------------------------------------------------------
# The sources are ES modules, so each says what it uses, and ``tsc`` and Biome check them as they
# are. State is one object in the module that owns it. A page cannot load modules: a browser loads
# none from disk, and the page's policy allows one script by its hash. So they are joined, each
# after those that it imports, without the words ``import`` and ``export``. Cycles and any other
# form of these words are refused, so no bundler is needed. All names of a page's modules share one
# scope; a name that is taken twice stops the page, and with it every test in a browser.

STRICT = '"use strict";\n'
_IMPORT = re.compile(r'^import \{ (?:\w+, )*\w+ \} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let) )", re.MULTILINE)
_TYPES = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
"""Comments for the type checker, which no reader of a page needs."""
_OTHER_FORM = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@cache
def script(package: str, name: str) -> Markup:
    """Return a module of a package and all that it imports, as one script."""
    return Markup(STRICT + "\n".join(map(_own_text, _in_order(_path(package, name)))))


@cache
def script_beside(package: str, name: str) -> Markup:
    """Return a module alone, in a scope of its own.

    What it imports is in another script of its page, whose names it sees when it is called.
    """
    return Markup(f"{STRICT}{{\n{_own_text(_path(package, name))}}}\n")


def _path(package: str, name: str) -> Path:
    return Path(str(files(package))) / name


def _own_text(path: Path) -> str:
    """Return a module without its imports, its marks of exports and its types."""
    text = _TYPES.sub("", _EXPORT.sub("", _IMPORT.sub("", path.read_text(encoding="utf-8"))))
    if other := _OTHER_FORM.search(text):
        raise ValueError(f"{path} cannot be joined because of: {other[0]}")
    return text


def _in_order(path: Path, above: tuple[Path, ...] = ()) -> list[Path]:
    """Return modules, each once and after those that it imports; ``ValueError`` for a cycle."""
    if path in above:
        raise ValueError(f"Modules import each other: {' -> '.join(map(str, (*above, path)))}")
    found: list[Path] = []
    for other in _IMPORT.findall(path.read_text(encoding="utf-8")):
        found += _in_order(Path(normpath(path.parent / other)), (*above, path))
    return list(dict.fromkeys([*found, path]))
