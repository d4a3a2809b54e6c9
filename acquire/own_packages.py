"""Packages of this project that a file of the user's could hide."""

from importlib.util import find_spec
from pathlib import Path

OWN = ("admin", "game", "player", "protocol")


def verify_own_packages() -> None:
    """Verify that these packages are those of this project.

    A program finds modules beside itself first, so its folder may have a ``player.py``, as those of
    `acquire new` do. ``ImportError`` names the file.
    """
    for name in OWN:
        spec = find_spec(name)
        found = Path((spec and spec.origin) or "nowhere")
        if found.resolve().parent.parent != Path(__file__).resolve().parent.parent:
            raise ImportError(
                f"{found} hides the package {name!r} that acquire needs: rename it, or keep your "
                "program in another folder."
            )


verify_own_packages()
