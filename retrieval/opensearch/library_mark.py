"""The mark by which a library knows its own indices in an OpenSearch that others use, too."""

from __future__ import annotations

import uuid
from pathlib import Path

MARK_FILE = "opensearch-library"


def read_library_mark(folder: Path) -> str:
    """Return the mark that lies in the index's folder; it is made the first time. Blocks."""
    path = folder / MARK_FILE
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(uuid.uuid4().hex, encoding="ascii")
    return path.read_text(encoding="ascii").strip()
