"""A copy of the repository's code, for tests that do what a page of `docs/` says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_PACKAGES = ("agents", "core", "ingestion", "retrieval", "scripts", "server", "tests/support")
_FILES = ("pyproject.toml", "config.yaml", "ui/src/traces/legTable.ts", "tests/conftest.py")


def copy_packages(folder: Path, *files: str) -> None:
    """Copy what retrieval and its tests need, and these files."""
    for package in _PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (*_FILES, *(path.name for path in ROOT.glob("settings*.py")), *files):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)


def fenced(page: str, language: str) -> list[str]:
    """The page's blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)


def run_python(folder: Path, *arguments: str) -> str:
    """Run Python there; what it printed. Fails the test where it does not end well."""
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
