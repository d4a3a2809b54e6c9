"""Kits for grading with ``acquire check``: on Gradescope, and on GitHub with GitHub Classroom.

A kit has the wheel of this project, made anew from the files that are installed.
"""

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

DISTRIBUTION = "acquire-referee"
GRADESCOPE = (
    *("setup.sh", "run_autograder", "weights.toml", "hidden/hidden.toml"),
    *("Containerfile", "README.md"),
)
GITHUB = {"acquire.yml": ".github/workflows/acquire.yml", "README.md": "README.md"}
"""The files of the kit for GitHub, beside those that it has from the other, and where they go."""
KITS = ("gradescope", "github")


class NoWheel(Exception):
    """The wheel cannot be made; user-facing message."""


def kit(name: str) -> Mapping[str, bytes]:
    """Return the files of a kit by their paths in its folder; ``NoWheel``."""
    starters = Path(__file__).parents[1] / "starters"
    shared = {file: (starters / "gradescope" / file).read_bytes() for file in GRADESCOPE}
    wheel, content = made_wheel()
    shared[wheel] = content
    if name == "gradescope":
        return shared
    del shared["README.md"]
    own = {place: (starters / "github" / file).read_bytes() for file, place in GITHUB.items()}
    return {**own, **{f".github/grading/{file}": text for file, text in shared.items()}}


def made_wheel() -> tuple[str, bytes]:
    """Return the file name and the content of a wheel of what is installed; ``NoWheel``."""
    try:
        metadata = distribution(DISTRIBUTION)
    except PackageNotFoundError as error:
        raise NoWheel(
            f"{DISTRIBUTION} is not installed, so its wheel cannot be made. Install it with pip."
        ) from error
    stem = f"{DISTRIBUTION.replace('-', '_')}-{metadata.version}"
    contents = dict(_package(Path(str(files("acquire"))), "acquire"))
    for name in ("METADATA", "entry_points.txt"):
        contents[f"{stem}.dist-info/{name}"] = (metadata.read_text(name) or "").encode()
    tag = "Wheel-Version: 1.0\nGenerator: acquire new\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    contents[f"{stem}.dist-info/WHEEL"] = tag.encode()
    record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in contents.items())
    contents[f"{stem}.dist-info/RECORD"] = f"{record}{stem}.dist-info/RECORD,,\n".encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            wheel.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return f"{stem}-py3-none-any.whl", file.getvalue()


def _package(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package; in a checkout, links lead to its parts."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name != "__pycache__":
            yield from _package(path, f"{name}/{path.name}")
        elif path.is_file() and path.suffix not in (".pyc", ".so"):
            yield f"{name}/{path.name}", path.read_bytes()


def _digest(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return f"sha256={digest.decode().rstrip('=')}"
