"""What a stamp proves, and what it does not: changes that leave size and time as they were, and members of another version than their file."""

from __future__ import annotations

import os
import time
from pathlib import Path

import anyio
import pytest

from core.documents import DocumentState
from core.ports import FileStamp
from ingestion.indexing.indexer import IndexingRequest
from ingestion.indexing.indexing_run import OnMember, OnProgress
from ingestion.scan.sync_plan import seconds_until_readable
from ingestion.workers.worker_protocol import Demand, Extraction, Failure, MemberRead, ReadResult
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.containers import WHOLE_DEMAND, WalkingReader, zip_bytes
from tests.support.indexing_bench import Bench, bench, file_counts, write_file
from tests.support.ingestion import FileReader

__all__ = ["bench"]


class Watched(FileReader):
    """How old each file was when it was read, in seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.ages: list[float] = []

    async def extract(
        self, path: Path, demand: Demand = WHOLE_DEMAND, *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction:
        self.ages.append(time.time() - (await anyio.Path(path).stat()).st_mtime)
        return await super().extract(path, demand, on_member=on_member, on_progress=on_progress)


async def test_a_file_is_read_when_a_later_change_would_show(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within one tick of the file system's clock a second write of the same size leaves the same stamp."""
    monkeypatch.setattr("ingestion.scan.sync_plan._TICK", 1.0)  # longer than a run takes
    bench.reader = Watched()
    for number in range(4):
        write_file(bench.docs / f"{number}.txt", f"Text {number}.")
    await bench.run()
    assert len(bench.reader.ages) == 4
    assert min(bench.reader.ages) > 0.99


@pytest.mark.parametrize(("age", "whole", "waits"), [(0.0, False, True), (1.0, False, False), (0.5, True, True), (5.0, True, False)])
def test_how_long_a_file_ripens_follows_from_its_clock(age: float, *, whole: bool, waits: bool) -> None:
    nanoseconds = int((time.time() - age) * 1e9)
    nanoseconds = nanoseconds // 10**9 * 10**9 if whole else nanoseconds | 1
    assert (seconds_until_readable(FileStamp("/a", 1, nanoseconds)) > 0) is waits
    assert seconds_until_readable(FileStamp("/a", 1, nanoseconds)) < 4.0


async def test_a_change_whose_time_was_set_back_is_followed(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "One.")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    await bench.run()
    path.write_text("Two.")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    summary = await bench.indexer().index_changes("t", [str(path)], cancelled=anyio.Event())
    assert file_counts(summary.progress) == {"indexed": 1}


class Scans(WalkingReader):
    """Members that begin with "!scan" are pictures of their text."""

    async def _walk(self, path: Path, demand: Demand, on_member: OnMember | None) -> ReadResult:
        async def pictured(read: MemberRead) -> None:
            outcome = read.outcome
            if isinstance(outcome, Extraction) and outcome.document.text.startswith("!scan") and not demand.recognize:
                outcome = Failure("NeedsRecognition", "All of it is a picture.")
            if on_member is not None:
                await on_member(MemberRead(read.path, read.container, outcome, read.content_hash, read.file_size))

        return await super()._walk(path, demand, pictured)


async def test_a_member_that_is_a_scan_now_is_recognized_though_it_was_a_text_before(bench: Bench) -> None:
    """A run that follows changes leaves recognition to a longer one, which must find what waits."""
    bench.reader = Scans()
    path = bench.docs / "a.zip"
    path.write_bytes(zip_bytes({"in.txt": "A text.", "kept.txt": "Another."}))
    await bench.run()
    path.write_bytes(zip_bytes({"in.txt": "!scan The same, on paper.", "kept.txt": "Another."}))
    summary = await bench.indexer().index_changes("t", [str(path)], cancelled=anyio.Event())
    assert summary.waiting_paths == (str(path),)
    await bench.indexer().index(IndexingRequest("t", path, gentle=True), progress=bench.seen.append, cancelled=anyio.Event())
    await bench.check()
    found = {each for made in bench.index.committed.values() for each in ([chunk.text for chunk in made.chunks])}
    assert "!scan The same, on paper." in found
    assert "A text." not in found
    assert file_counts((await bench.run()).progress) == {"unchanged": 3}


async def test_a_member_of_an_older_version_goes_with_the_next_comparison(bench: Bench) -> None:
    """Two runs read an archive, and one was killed when it had stored a member that the other did not know of."""
    bench.reader = WalkingReader()
    path = bench.docs / "a.zip"
    path.write_bytes(zip_bytes({"in.txt": "What lies in it."}))
    write_file(bench.docs / "own.txt", "Of the older version.")
    await bench.run()
    document = (await bench.ledger())["own.txt"].document_id or ""
    stamp = FileStamp(f"{path}!/old.txt", 21, path.stat().st_mtime_ns - 1, 0, str(path))
    await SqlLibraryWriter(bench.database).attach_path("t", stamp, str(bench.docs), document, bench.indexer().version)
    assert "a.zip!/old.txt" in await bench.ledger()
    await bench.run()
    assert set(await bench.ledger()) == {"own.txt", "a.zip", "a.zip!/in.txt"}
    assert file_counts((await bench.run()).progress) == {"unchanged": 3}


async def test_a_damaged_archive_is_not_opened_again_and_again(bench: Bench) -> None:
    """What it held before stays, as far as it was not seen; it is not taken for something of another version."""
    bench.reader = WalkingReader()
    path = bench.docs / "a.zip"
    whole = zip_bytes({f"{number}.txt": f"Text number {number} is kept." for number in range(5)})
    path.write_bytes(whole)
    await bench.run()
    broken = bytearray(whole)
    broken[whole.index(b"PK\x01\x02", whole.index(b"PK\x01\x02") + 1)] = 0
    path.write_bytes(bytes(broken))
    await bench.run()
    before = await bench.ledger()
    for _ in range(4):
        await bench.run()
    bench.reader.read.clear()
    await bench.run()
    assert bench.reader.read == []
    assert set(await bench.ledger()) == set(before)
    assert before["a.zip"].state in {DocumentState.PARTIAL, DocumentState.INDEXED}


async def test_a_folder_takes_the_place_of_an_archive_and_gives_it_back(bench: Bench) -> None:
    bench.reader = WalkingReader()
    path = bench.docs / "a.zip"
    path.write_bytes(zip_bytes({"in.txt": "What lies in it."}))
    write_file(bench.docs / "keep.txt", "Stays.")
    await bench.run()
    path.unlink()
    write_file(path / "in.txt", "What lies in the folder.")
    await bench.indexer().index_changes("t", [str(path)], cancelled=anyio.Event())
    await bench.check()
    assert set(await bench.ledger()) == {"keep.txt", "a.zip/in.txt"}
    (path / "in.txt").unlink()
    path.rmdir()
    path.write_bytes(zip_bytes({"in.txt": zip_bytes({"deep.txt": "Now an archive lies in it."})}))
    await bench.indexer().index_changes("t", [str(path)], cancelled=anyio.Event())
    await bench.check()
    assert set(await bench.ledger()) == {"keep.txt", "a.zip", "a.zip!/in.txt", "a.zip!/in.txt!/deep.txt"}
