"""What a fresh checkout installs holds every module that the program imports."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_module_of_the_root_is_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    installed = project["tool"]["setuptools"]["py-modules"]
    assert sorted(installed) == sorted(path.stem for path in ROOT.glob("*.py"))
