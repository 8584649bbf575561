"""A process that is killed while it writes leaves whole documents only."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

from core.search import Filters
from storage.database import open_database
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import row_counts
from tests.support.warm_start import start_reporting


def run_until_killed(home: Path, begin: int, seconds: float) -> list[str]:
    """The lines that the writer printed: each is a promise that what it names is stored."""
    started = start_reporting("tests.support.writing_child", str(home), str(begin))
    assert started.output.readline() == "open\n"
    time.sleep(seconds)
    started.process.send_signal(signal.SIGKILL)
    _, printed = started.finish()
    return [line for line in printed.splitlines() if line.count(" ") == 1]


async def test_ten_kills_at_random_moments_leave_only_whole_documents(tmp_path: Path) -> None:
    """At least ten: as many more as it takes, on a machine where little is written in a quarter of a second, until there is something to keep."""
    moments = random.Random(20)
    attempt = written = 0
    while attempt < 10 or written <= 10:
        assert attempt < 60, f"60 processes stored {written} documents"
        promised = run_until_killed(tmp_path, attempt * 1000, moments.uniform(0.005, 0.25))
        written += len(promised)
        await check(tmp_path, promised[-1:])
        attempt += 1


async def check(home: Path, promised: list[str]) -> None:
    database = open_database(home)
    library, writer = SqlLibrary(database), SqlLibraryWriter(database)
    assert await database.check_integrity() == []
    documents, total, _ = await library.list_documents("default", filters=Filters(), limit=1000)
    assert total == len(documents) <= 7
    for document in documents:
        content = await library.content("default", document.id)
        chunks = await library.section_chunks("default", document.id, 0, 10_000)
        assert (content.generation, len(chunks), len(content.text)) == (document.generation, document.chunks, document.characters)
        assert "".join(chunk.text for chunk in chunks) == content.text
        assert {chunk.generation for chunk in chunks} == {document.generation}
    indexed = {each.id: len(each.chunks) async for each in writer.stale_documents({})}
    assert indexed == {document.id: document.chunks for document in documents}
    counts = row_counts(database)
    assert counts["documents"] == counts["vectors"] == counts["document_structures"] == counts["files"]
    assert counts["chunks"] == sum(indexed.values())
    for line in promised:
        document_id, generation = line.split()
        stored = next((each for each in documents if each.id == document_id), None)
        # The last promise is kept unless the next step, a removal, was done too before the kill.
        assert stored is None or stored.generation >= int(generation)
    await database.close()
