"""The knowledge graph of the sample library, read in this process without an index: a chunk for each block, the scan left out."""

from __future__ import annotations

import asyncio
from pathlib import Path

from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract
from tests.support.graphs import MemoryGraphStore

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "library"


async def read_sample_graph() -> MemoryGraphStore:
    return await asyncio.to_thread(_read_all)


def _read_all() -> MemoryGraphStore:
    store = MemoryGraphStore()
    for path in sorted(SAMPLE.iterdir()):
        if "(scan)" not in path.name:
            made = extract(Source(path.read_bytes(), path.name))
            store.put_document(path.stem, made, title=made.metadata.title or path.stem)
    return store
