"""A copy of the repository's code, for tests that do what a page of `docs/` says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
_SEARCH_PACKAGES = ("agents", "core", "ingestion", "retrieval", "scripts", "server", "tests/support")
_SEARCH_FILES = ("pyproject.toml", "config.yaml", "ui/src/traces/legTable.ts", "tests/conftest.py")


def copy_packages(folder: Path, packages: Iterable[str], files: Iterable[str] = ()) -> None:
    """Copy folders of the repository, and single files."""
    for package in packages:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("*.pyc.*"))
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)


def copy_search(folder: Path, *files: str) -> None:
    """Copy what retrieval and its tests need, and these files."""
    copy_packages(folder, _SEARCH_PACKAGES, (*_SEARCH_FILES, *(path.name for path in ROOT.glob("settings*.py")), *files))


def code_files(page: str) -> list[tuple[str, str]]:
    """The Python files that a page shows, with their paths in front: "`path`:", or "In …, `path`:"."""
    return re.findall(r"^(?:In [^`]*)?`([\w/]+\.py)`:\n\n```python\n(.*?)^```", page, re.M | re.S)


def write_new(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    """Write files that are not there yet into folders that are."""
    for path, text in files:
        assert not (folder / path).exists()
        assert (folder / path).parent.is_dir(), f"the page puts {path} into a folder that is not there"
        (folder / path).write_text(text, encoding="utf-8")


def fenced(page: str, language: str) -> list[str]:
    """The page's blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)


def run_python(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
    """Run Python there; what it printed. Fails the test where it does not end well."""
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
