"""A library's file that was emptied is no new library: what was derived from it tells."""

from __future__ import annotations

from pathlib import Path

from core.errors import ConfigurationError


def check_not_emptied(library: Path, home: Path) -> None:
    """Check that the database was not emptied. Raises ConfigurationError where its file has no byte and something in `home` was made from what it
    held: opening it would make a new library, and everything derived would be removed as unknown to it. Blocks.
    """
    try:
        emptied = library.stat().st_size == 0
    except OSError:  # it is not there yet; what else is wrong is reported when it is opened
        return
    evidence = _find_derived_file(library, home) if emptied else None
    if evidence is not None:
        raise ConfigurationError(
            f"{library} is damaged: it is empty (0 bytes), though {evidence} was made from what it held. A full disk or a copy that broke off may "
            f"have done that. Put {library.name} back from a backup; or, to begin anew, move the folder {home} away and index your folders again. "
            "Nothing was changed or deleted."
        )


def _find_derived_file(library: Path, home: Path) -> Path | None:
    """Find something that is made only after the library's file was written."""
    log = library.with_name(f"{library.name}-wal")
    made = [log, home / "tokens.db", *(home / "index").glob("*/meta.json"), *(home / "uploads").rglob("*")]
    return next((path for path in made if path.is_file() and path.stat().st_size > 0), None)
