"""How ``make site`` turns these pages into a site, with Sphinx, MyST and furo.

The pages are plain Markdown that reads as well in the repository. What only the site needs is
added here: the navigation, which follows the links of index.md, and a table in place of each
diagram, because the program that draws diagrams would have to be loaded from the network.
"""

import re
from importlib.metadata import version as version_of
from typing import Any

project = "Acquire referee"
author = "the authors of Acquire referee"
release = version_of("acquire-referee")
extensions = ["myst_parser"]
exclude_patterns = ["examples", "perft"]
nitpicky = True
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]

myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

html_theme = "furo"
html_title = f"Acquire referee {release}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["_static"]
html_extra_path = ["schemas"]
html_css_files = ["site.css"]
html_theme_options = {"navigation_with_keys": True}


def navigation(index: str) -> str:
    """Return a hidden table of contents for each section of the index, in its order."""
    trees = []
    for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        caption = section.partition("\n")[0]
        pages = re.findall(r"^- \[[^]]+\]\(([^)#]+)\.md\)", section, re.MULTILINE)
        tree = ["```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```"]
        trees.append("\n".join(tree))
    return "\n\n".join(trees)


def transitions(diagram: re.Match[str]) -> str:
    """Return a state diagram as a table: from a state, by a message, to a state."""
    rows = re.findall(r"^ *(\S+) --> (\S+)(?: : (\S+) (\S+))?$", diagram[1], re.MULTILINE)
    table = ["| in the state | sender | message | next state |", "|---|---|---|---|"]
    for before, after, sender, message in rows:
        start, end = before.replace("[*]", "(start)"), after.replace("[*]", "(end)")
        table.append(f"| {start} | {sender[:1]} | {message} | {end} |")
    return "\n".join(table)


def adapt(app: object, page: str, source: list[str]) -> None:
    """Add to a page what only the site needs."""
    text = re.sub(r"```mermaid\n(.*?)```", transitions, source[0], flags=re.DOTALL)
    source[0] = f"{text}\n\n{navigation(text)}\n" if page == "index" else text


def setup(app: Any) -> None:
    """Connect with Sphinx."""
    app.connect("source-read", adapt)
