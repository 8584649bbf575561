"""Text recognition waits until all other files are read; what can be read at once is found at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from core.documents import DocumentState
from core.errors import NeedsRecognition
from ingestion.indexing.indexer import Indexer, IndexingOptions, IndexingRequest, Stores
from ingestion.indexing.indexing_run import OnMember, OnProgress
from ingestion.indexing.run_progress import Progress
from ingestion.workers.worker_protocol import Demand, Extraction, Failure, MemberRead, ReadResult
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.containers import WHOLE_DEMAND, WalkingReader, zip_bytes
from tests.support.indexing_bench import Bench, bench, file_counts, write_file
from tests.support.ingestion import FileReader

__all__ = ["bench"]


class ScanReader(FileReader):
    """Reads text files; "!scan" is a picture of the text behind it, "!mixed" a text of which two pages are pictures. `asked` are the files and
    whether recognition was allowed."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, bool]] = []

    async def extract(
        self, path: Path, demand: Demand = WHOLE_DEMAND, *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction:
        self.asked.append((path.name, demand.recognize))
        text = await anyio.Path(path).read_text()
        extraction = await super().extract(path, demand)
        if text.startswith("!scan") and not demand.recognize:
            raise NeedsRecognition("All of it is a picture.")
        if on_progress is not None and demand.recognize:
            on_progress("", 1, 3)
        if text.startswith("!mixed") and not demand.recognize:
            extraction = replace(extraction, document=replace(extraction.document, unread_pages=(2, 3)))
        return extraction


@pytest.fixture(autouse=True)
def _scans(bench: Bench) -> None:
    bench.reader = ScanReader()


def asked(bench: Bench) -> list[tuple[str, bool]]:
    assert isinstance(bench.reader, ScanReader)
    found, bench.reader.asked = bench.reader.asked, []
    return found


def library(bench: Bench) -> None:
    write_file(bench.docs / "a-scan.png", "!scan The lease ends in May.")
    write_file(bench.docs / "b-mixed.pdf", "!mixed The report tells of two shops.")
    write_file(bench.docs / "c.txt", "Minutes of the meeting.")


async def test_recognition_comes_when_all_else_is_read(bench: Bench) -> None:
    library(bench)
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 3}
    assert (summary.progress.files_total, summary.progress.files_done) == (3, 3)
    order = asked(bench)
    assert {name for name, recognize in order[:3] if not recognize} == {"a-scan.png", "b-mixed.pdf", "c.txt"}
    assert {name for name, recognize in order[3:] if recognize} == {"a-scan.png", "b-mixed.pdf"}
    ledger = await bench.ledger()
    assert {line.state for line in ledger.values()} == {DocumentState.INDEXED}
    assert any(moment.current == "a-scan.png: page 1 of 3" for moment in bench.seen)
    assert file_counts((await bench.run()).progress) == {"unchanged": 3}
    assert asked(bench) == []


async def test_a_run_that_is_stopped_leaves_the_pages_to_the_next(bench: Bench) -> None:
    library(bench)
    cancelled = anyio.Event()

    def watch(progress: Progress) -> None:
        if "page" in progress.current:
            cancelled.set()

    summary = await bench.indexer().index(IndexingRequest("t", bench.docs), progress=watch, cancelled=cancelled)
    assert summary.cancelled
    ledger = await bench.ledger()
    waiting = [line for line in ledger.values() if line.code == "needs_recognition"]
    assert waiting
    assert ledger["b-mixed.pdf"].document_id
    asked(bench)
    await bench.run()
    assert {line.state for line in (await bench.ledger()).values()} == {DocumentState.INDEXED}
    assert ("c.txt", False) not in asked(bench)


async def test_what_waits_says_so(bench: Bench) -> None:
    library(bench)
    seen: dict[str, tuple[DocumentState, str]] = {}

    class Looking(ScanReader):
        async def extract(self, path: Path, demand: Demand = WHOLE_DEMAND, **options: Any) -> Extraction:
            if demand.recognize and not seen:
                seen.update({name: (line.state, line.reason) for name, line in (await bench.ledger()).items()})
            return await super().extract(path, demand, **options)

    bench.reader = Looking()
    await bench.run()
    assert seen["a-scan.png"] == (DocumentState.QUEUED, "It waits for text recognition.")
    assert seen["b-mixed.pdf"] == (DocumentState.PARTIAL, "2 pages wait for text recognition.")
    assert seen["c.txt"] == (DocumentState.INDEXED, "")


async def test_with_recognition_off_the_reason_names_the_setting_and_switching_it_on_reads_them(bench: Bench) -> None:
    library(bench)
    stores = Stores(bench.library, SqlLibraryWriter(bench.database), bench.index, bench.tokens)
    options = IndexingOptions(bench.home, commit_every_seconds=0.05, readers_version="1", recognize=False)
    off = Indexer(stores, bench.reader, bench.embedder, options)
    for _ in range(2):
        await off.index(IndexingRequest("t", bench.docs), progress=bench.seen.append, cancelled=anyio.Event())
    ledger = await bench.ledger()
    assert (ledger["a-scan.png"].state, ledger["a-scan.png"].code) == (DocumentState.SKIPPED, "recognition_off")
    assert (ledger["b-mixed.pdf"].state, ledger["b-mixed.pdf"].code) == (DocumentState.PARTIAL, "recognition_off")
    assert all("ingestion.ocr.enabled" in ledger[name].reason for name in ("a-scan.png", "b-mixed.pdf"))
    assert all(not recognize for _, recognize in asked(bench))
    await bench.run()
    assert {line.state for line in (await bench.ledger()).values()} == {DocumentState.INDEXED}


async def test_files_that_were_seen_to_change_do_not_wait_for_recognition(bench: Bench) -> None:
    library(bench)
    await bench.indexer().index(IndexingRequest("t", bench.docs), progress=bench.seen.append, cancelled=anyio.Event())
    asked(bench)
    scan = write_file(bench.docs / "new.png", "!scan The minutes of May.")
    note = write_file(bench.docs / "new.txt", "A note about the roof.")
    summary = await bench.indexer().index_changes("t", [str(scan), str(note)], cancelled=anyio.Event())
    assert summary.waiting_paths == (str(scan),)
    assert all(not recognize for _, recognize in asked(bench))
    ledger = await bench.ledger()
    assert (ledger["new.txt"].state, ledger["new.png"].state) == (DocumentState.INDEXED, DocumentState.QUEUED)
    await bench.run(scan)
    assert (await bench.ledger())["new.png"].state is DocumentState.INDEXED


async def test_copies_of_a_scan_are_recognised_once(bench: Bench) -> None:
    for name in ("a.png", "b.png", "c.png"):
        write_file(bench.docs / name, "!scan The lease ends in May.")
    await bench.run()
    ledger = await bench.ledger()
    assert len({line.document_id for line in ledger.values()}) == 1
    assert {line.state for line in ledger.values()} == {DocumentState.INDEXED}


async def test_a_picture_in_an_archive_is_recognised_with_the_others(bench: Bench) -> None:
    class Waiting(WalkingReader):
        async def _walk(self, path: Path, demand: Demand, on_member: OnMember | None) -> ReadResult:
            async def later(read: MemberRead) -> None:
                if on_member is not None:
                    await on_member(_as_scan(read, demand))

            return await super()._walk(path, demand, later)

    bench.reader = Waiting()
    (bench.docs / "a.zip").write_bytes(zip_bytes({"scan.txt": "The lease ends in May.", "note.txt": "A note."}))
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 3}
    assert (await bench.ledger())["a.zip!/scan.txt"].state is DocumentState.INDEXED


def _as_scan(read: MemberRead, demand: Demand) -> MemberRead:
    """The member as if its text were a picture."""
    waits = read.path == "scan.txt" and not demand.recognize
    return replace(read, outcome=Failure("NeedsRecognition", "A picture.", read.content_hash, read.file_size)) if waits else read
