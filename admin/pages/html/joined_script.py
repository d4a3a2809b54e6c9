"""A page's script: one JavaScript module with all that it imports, as one plain script.

The sources are ES modules, so each says what it uses, and ``tsc`` and Biome check them as they are.
State is one object in the module that owns it. A page cannot load modules: a browser loads none
from disk, and the page's policy allows one script by its hash. So they are joined, each after those
that it imports, without the words ``import`` and ``export``. Cycles and any other form of these
words are refused, so no bundler is needed. All names of a page's modules share one scope; a name
that is taken twice stops the page, and with it every test in a browser.
"""

import re
from functools import cache
from posixpath import basename, dirname, join, normpath

from markupsafe import Markup

from .html_page import asset

_IMPORT = re.compile(r'^import \{ (?:\w+, )*\w+ \} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let) )", re.MULTILINE)
_TYPES = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
"""Comments for the type checker, which no reader of a page needs."""
_OTHER_FORM = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@cache
def script(package: str, name: str) -> Markup:
    """Return a module of a package and all that it imports, as one script."""
    return _strict("\n".join(_own_text(path) for path in _in_order(_path(package, name))))


@cache
def script_beside(package: str, name: str) -> Markup:
    """Return a module alone, in a scope of its own.

    What it imports is in another script of its page, whose names it sees when it is called.
    """
    return _strict(f"{{\n{_own_text(_path(package, name))}}}\n")


def _strict(text: str) -> Markup:
    return Markup(f'"use strict";\n{text}')


def _path(package: str, name: str) -> str:
    return f"{package.replace('.', '/')}/{name}"


def _source(path: str) -> str:
    return asset(dirname(path).replace("/", "."), basename(path))


def _own_text(path: str) -> str:
    """Return a module without its imports, its marks of exports and its types."""
    text = _TYPES.sub("", _EXPORT.sub("", _IMPORT.sub("", _source(path))))
    if other := _OTHER_FORM.search(text):
        raise ValueError(f"{path} cannot be joined because of: {other[0]}")
    return text


def _in_order(path: str, above: tuple[str, ...] = ()) -> list[str]:
    """Return modules, each once and after those that it imports; ``ValueError`` for a cycle."""
    if path in above:
        raise ValueError(f"Modules import each other: {' -> '.join((*above, path))}")
    found: list[str] = []
    for other in _IMPORT.findall(_source(path)):
        found += _in_order(normpath(join(dirname(path), other)), (*above, path))
    return list(dict.fromkeys([*found, path]))
