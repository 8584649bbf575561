"""Files that go between the look at their folder and their reading."""

from __future__ import annotations

from pathlib import Path

import anyio

from core.errors import Vanished
from ingestion.indexing.indexing_run import OnMember, OnProgress
from ingestion.workers.worker_protocol import Demand, Extraction
from tests.support.indexing_bench import Bench, bench, file_counts, write_file
from tests.support.ingestion import FileReader

__all__ = ["bench"]
_WHOLE = Demand()


class VanishingReader(FileReader):
    """Some files are deleted the moment before they are read."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names = names

    async def extract(
        self, path: Path, demand: Demand = _WHOLE, *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction:
        if path.name in self.names:
            await anyio.Path(path).unlink()
            raise Vanished("The file is gone.")
        return await super().extract(path, demand, on_member=on_member, on_progress=on_progress)


async def test_a_file_that_vanishes_between_look_and_reading_is_gone_not_failed(bench: Bench) -> None:
    for name in ("a.txt", "b.txt"):
        write_file(bench.docs / name, f"Text of {name}.")
    await bench.run()
    write_file(bench.docs / "a.txt", "Another text.")
    write_file(bench.docs / "c.txt", "New.")
    bench.reader = VanishingReader("a.txt", "c.txt")
    assert file_counts((await bench.run()).progress) == {"unchanged": 1, "skipped": 2, "removed": 1}
    assert set(await bench.ledger()) == {"b.txt"}


async def test_a_disk_that_goes_while_files_are_read_loses_no_document(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Text.")
    await bench.run()
    write_file(bench.docs / "a.txt", "Another text.")
    bench.reader = VanishingReader("a.txt")
    assert "nothing was removed" in (await bench.run()).notes[0]
    assert (await bench.ledger())["a.txt"].document_id is not None
