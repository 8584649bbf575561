"""The library is its owner's alone: files 0600, folders 0700, also those that an earlier version or another umask left open."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

logger = logging.getLogger(__name__)

OTHERS_RIGHTS = stat.S_IRWXG | stat.S_IRWXO
# What Vantage writes into VANTAGE_HOME, and the settings, which may hold keys. Whatever else lies there is left as it is.
_FILES = ("library.*", "tokens*.db*", "server.json*", "config.yaml", "page-settings.yaml")
_FOLDERS = ("index", "uploads", "logs", "compiled")


def restrict_home(home: Path) -> int:
    """Take every right on the library in `home` from other accounts; how many files and folders had to be changed. Says so in the log."""
    folders = [] if _is_shared_folder(home) else [home]
    files = [each for pattern in _FILES for each in sorted(home.glob(pattern))]
    inside = (each for name in _FOLDERS for each in _tree(home / name))
    changed = restrict_to_owner([*folders, *files]) + restrict_to_owner(inside)
    if changed:
        logger.warning(
            "%d files and folders in %s were open to other accounts of this machine. They are yours alone now (0600, 0700).", changed, home
        )
    return changed


def restrict_to_owner(paths: Iterable[Path]) -> int:
    """Return the same for these files and folders, missing ones and links left out. What cannot be changed is logged."""
    changed = 0
    for path in paths:
        try:
            mode = path.lstat().st_mode
            if mode & OTHERS_RIGHTS and not stat.S_ISLNK(mode):
                path.chmod(stat.S_IMODE(mode) & ~OTHERS_RIGHTS)
                changed += 1
        except FileNotFoundError:
            continue  # gone meanwhile, or never there
        except OSError as error:
            logger.warning("%s is open to other accounts of this machine and stays so: %s.", path, error.strerror)
    return changed


def _tree(folder: Path) -> Iterator[Path]:
    """Yield the folder, which a link may lead to, and everything in it, where links are not followed."""
    real = folder.resolve()
    yield real
    for inside, folders, files in os.walk(real):
        for name in (*folders, *files):
            yield Path(inside, name)


def _is_shared_folder(home: Path) -> bool:
    """Return whether the folder is more than the library's, such as /tmp or a person's own: closing it would close that, too."""
    person = Path.home().resolve()
    real = home.resolve()
    return real == person or real in person.parents or bool(real.stat().st_mode & stat.S_ISVTX)
