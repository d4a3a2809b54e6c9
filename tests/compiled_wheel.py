"""The build hook behind `make compiled`: modules are compiled with mypyc and added to the wheel.

It is off by default, so the usual wheel is pure Python and needs no C compiler. Everything is
compiled in a folder of its own: an extension module beside the sources of a checkout would be
imported instead of them.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OUTSIDE = ("admin", "game", "player", "protocol", "schemas")
"""What lies beside ``acquire`` in a checkout, and in it when it is installed."""
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

modules = mypycify({arguments!r}, opt_level="3", debug_level="0")
setup(name="compiled", packages=[], ext_modules=modules)
"""


class CompiledModules(BuildHookInterface):
    """Compiles the ``modules`` of the hook's settings; a folder stands for all modules in it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the extension modules; fail if one is missing, as it would stay interpreted."""
        root, work = Path(self.root), Path(self.directory, "mypyc").resolve()
        shutil.rmtree(work, ignore_errors=True)
        for folder in sorted(self.build_config.only_include.values()):  # "acquire" is the first
            target = folder if folder == "acquire" else f"acquire/{folder}"
            left_out = ("*.so", *(OUTSIDE if folder == "acquire" else ()))
            shutil.copytree(root / folder, work / target, ignore=shutil.ignore_patterns(*left_out))
        modules = sorted(self._modules(work))
        arguments = ["--strict", f"--python-version={sys.version_info[0]}.{sys.version_info[1]}"]
        (work / "setup.py").write_text(SETUP.format(arguments=[*arguments, *modules]))
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        subprocess.run(command, cwd=work, check=True, env={**os.environ, "CFLAGS": "-w"})
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        built = {str(path.relative_to(work)): str(path) for path in work.glob(f"**/*{suffix}")}
        built = {name: path for name, path in built.items() if not name.startswith("build/")}
        missing = {module.removesuffix(".py") + suffix for module in modules} - built.keys()
        if missing:
            raise RuntimeError(f"mypyc left out {', '.join(sorted(missing))}")
        build_data["force_include"] |= {path: name for name, path in built.items()}
        build_data |= {"pure_python": False, "infer_tag": True}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder in which the modules were compiled."""
        shutil.rmtree(Path(self.directory, "mypyc"), ignore_errors=True)

    def _modules(self, work: Path) -> list[str]:
        found: list[str] = []
        left_out = ("__init__.py", *self.config["interpreted"])
        for name in self.config["modules"]:
            place = work / "acquire" / name
            paths = [place] if name.endswith(".py") else place.glob("*.py")
            found += [str(p.relative_to(work)) for p in paths if p.name not in left_out]
        return found
