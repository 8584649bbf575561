"""A process that writes documents and removes them until it is killed.

    python -m tests.support.writing_child HOME BEGIN

It prints "open", and a line with the document and its generation for each that is stored.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from pathlib import Path

from storage.database import open_database
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import DocumentSample, new_document


async def write_documents(home: Path, begin: int) -> None:
    """Write seven paths again and again, and remove every fifth of what was written. Never ends."""
    writer = SqlLibraryWriter(open_database(home))
    _tell("open")
    for number in itertools.count(begin):
        path = f"/docs/{number % 7}.txt"
        if number % 5 == 3:
            await writer.remove_paths("default", [path])
        else:
            sample = DocumentSample(path, f"Text number {number}. " * 400, chunk_length=150)
            written = await writer.write_document("default", new_document(sample))
            _tell(f"{written.document_id} {written.generation}")


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Write into the home that is named first."""
    asyncio.run(write_documents(Path(sys.argv[1]), int(sys.argv[2])))


if __name__ == "__main__":
    main()
