"""Reads `.gitignore` and `.vantageignore`: rules that lie beside the files they are about, in git's own language."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ingestion.scan.paths import printable_path

if TYPE_CHECKING:
    import pathspec

_log = logging.getLogger(__name__)
IGNORE_FILES = (".gitignore", ".vantageignore")  # of one folder, the later wins
_BYTES = 1 << 20
_RULES = 5000
# The rules become regular expressions, and each star of one name multiplies what a name that does not match may cost: 255 to the power of them.
_STARS = 3


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The rules of one ignore file, which hold for what lies below `folder` (it ends with a slash)."""

    path: str
    folder: str
    lines: tuple[str, ...]
    spec: pathspec.GitIgnoreSpec

    def verdict(self, path: str, *, folder: bool) -> tuple[bool, str] | None:
        """Return (ignored, the rule that decides), or None where no rule speaks of `path`."""
        relative = path.removeprefix(self.folder) + ("/" if folder else "")
        result = self.spec.check_file(relative)
        if result.include is None or result.index is None:
            return None
        return result.include, self.lines[result.index]


def ignore_files_in(folder: str) -> tuple[IgnoreFile, ...]:
    """Read the ignore files that lie in `folder`. Blocks. One that cannot be read, or is too large, rules nothing, and the log says so."""
    found = []
    for name in IGNORE_FILES:
        path = Path(folder) / name
        lines = _lines(path)
        if lines:
            found.append(IgnoreFile(str(path), folder.rstrip("/") + "/", lines, _spec_of(lines)))
    return tuple(found)


def ignoring_rule(path: str, *, folder: bool, files: tuple[IgnoreFile, ...]) -> str | None:
    """Return the rule that hides `path`, with its file, or None. `files` are those of the folders above; the innermost, the last, wins."""
    for file in reversed(files):
        verdict = file.verdict(path, folder=folder)
        if verdict is not None:
            ignored, rule = verdict
            return f"“{rule}” of {printable_path(file.path)}" if ignored else None
    return None


def _lines(path: Path) -> tuple[str, ...]:
    try:
        if not path.is_file() or path.is_symlink():  # git follows no link here either
            return ()
        if path.stat().st_size > _BYTES:
            _log.warning("%s is larger than %d bytes: its rules are not followed.", path, _BYTES)
            return ()
        lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except FileNotFoundError:
        return ()  # it went this very moment
    except OSError as error:
        _log.warning("%s cannot be read, so its rules are not followed: %s", path, error)
        return ()
    return tuple(_keep_usable(path, lines))


def _keep_usable(path: Path, lines: list[str]) -> list[str]:
    rules = [line for line in lines if line.strip() and not line.startswith("#")]
    kept = [line for line in rules[:_RULES] if all(part.count("*") <= _STARS for part in line.split("/")) and _compiles(line)]
    if len(kept) < len(rules):
        _log.warning("%s: %d of its rules are not followed (too many, too many stars in one name, or not valid).", path, len(rules) - len(kept))
    return kept


def _compiles(line: str) -> bool:
    try:
        _spec_of([line])
    except ValueError:
        return False
    return True


def _spec_of(lines: Sequence[str]) -> pathspec.GitIgnoreSpec:
    import pathspec  # only indexing needs it, and it looks for engines that are slow to import

    return pathspec.GitIgnoreSpec.from_lines(lines, backend="simple")
