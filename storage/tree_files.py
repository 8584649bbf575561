"""Trees of summaries, kept: `core.ports.tree_store.TreeStore` over a file for each library.

A file holds ids and places and no text, so nothing of a deleted document can be read in it, and it can be made again from the library.
"""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio

from core.trees import StoredTree, SummarySentence, TreeNode
from storage.disk import disk_error
from storage.home import write_atomically

log = logging.getLogger(__name__)


class TreeFiles:
    """Files in `folder`, which is made with the first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def load(self, library: str) -> StoredTree | None:
        return await anyio.to_thread.run_sync(_read, self._path(library))

    async def save(self, library: str, tree: StoredTree) -> None:
        """Raises StorageFull, Unavailable."""
        await anyio.to_thread.run_sync(_write, self._path(library), tree)

    def _path(self, library: str) -> Path:
        # Two names may differ in capitals alone, which some file systems do not tell apart.
        return self._folder / f"{hashlib.blake2b(library.encode(), digest_size=16).hexdigest()}.json"


def _read(path: Path) -> StoredTree | None:
    """Return the tree; None where there is no file, or one that is no tree: it is then built again."""
    try:
        stored = json.loads(path.read_bytes())
        return StoredTree(stored["mark"], datetime.fromisoformat(stored["built_at"]), stored["passages"], tuple(map(_node, stored["nodes"])))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        log.warning("The tree of summaries in %s cannot be read (%r): it has to be built anew.", path, error)
        return None
    except OSError as error:
        raise disk_error(error, str(path)) from error


def _node(stored: dict[str, Any]) -> TreeNode:
    sentences = tuple(SummarySentence(**each) for each in stored["sentences"])
    return TreeNode(int(stored["level"]), tuple(stored["chunk_ids"]), tuple(stored["children"]), sentences)


def _write(path: Path, tree: StoredTree) -> None:
    text = json.dumps({**asdict(tree), "built_at": tree.built_at.isoformat()}, separators=(",", ":"))
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        raise disk_error(error, str(path)) from error
