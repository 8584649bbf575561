"""Removal of what a killed process may leave in a tantivy folder."""

from __future__ import annotations

import json
import logging
from pathlib import Path

log = logging.getLogger(__name__)


def remove_stale_deletions(folder: Path) -> int:
    """Remove deletion lists (`<segment>.<stamp>.del`) that no commit knows; returns how many.

    tantivy names them by a stamp that goes on from the last commit, so a process that was killed between writing one and committing it leaves a file
    that the next one wants to make as well, and cannot. Only for who may write the folder, before it does. Blocks.
    """
    known = _committed_lists(folder / "meta.json")
    if known is None:
        return 0
    left = [path for path in folder.glob("*.del") if tuple(path.name.split(".")[:2]) not in known]
    for path in left:
        path.unlink(missing_ok=True)
    if left:
        log.info("%d deletion lists of a commit that was cut short were removed from %s.", len(left), folder)
    return len(left)


def _committed_lists(meta: Path) -> set[tuple[str, ...]] | None:
    """Return (segment, stamp) of the deletion lists of the last commit; None where that cannot be read: then nothing may be removed."""
    try:
        segments = json.loads(meta.read_text(encoding="utf-8"))["segments"]
        deleted = [(str(each["segment_id"]).replace("-", ""), each["deletes"]) for each in segments]
        return {(segment, str(deletes["opstamp"])) for segment, deletes in deleted if deletes}
    except (OSError, ValueError, KeyError, TypeError):
        return None
