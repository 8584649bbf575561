"""The pipeline as a run: failures, cancelling, other settings, roots, progress."""

from __future__ import annotations

import anyio
import pytest

from core.documents import DocumentState
from core.errors import InvalidInput, PathNotAllowed, StorageFull, Unavailable
from ingestion.indexing.indexer import IndexingRequest
from ingestion.indexing.run_progress import Progress
from tests.support.indexing_bench import Bench, bench, file_counts, write_file
from tests.support.ingestion import MemoryIndex

__all__ = ["bench"]


async def test_a_newer_version_that_cannot_be_read_leaves_the_older_one(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "Good text.")
    await bench.run()
    path.write_text("!malformed")
    await bench.run()
    line = (await bench.ledger())["a.txt"]
    assert (line.state, line.code) == (DocumentState.PARTIAL, "malformed")
    path.write_text("Good text.")
    await bench.run()
    assert (await bench.ledger())["a.txt"].state is DocumentState.INDEXED


async def test_a_file_that_became_empty_is_removed(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "Good text.")
    write_file(bench.docs / "b.txt", "Other.")
    await bench.run()
    path.write_text("")
    await bench.run()
    assert (await bench.ledger())["a.txt"].state is DocumentState.SKIPPED
    assert len(bench.index.committed) == 1


async def test_a_full_disk_ends_the_run_and_keeps_what_was_written(bench: Bench) -> None:
    for number in range(40):
        write_file(bench.docs / f"{number}.txt", f"Text {number}.")
    await bench.run(bench.docs / "0.txt")
    bench.index.failure = StorageFull("No space left.")
    with pytest.raises(StorageFull, match="No space left"):
        await bench.run()
    bench.index.failure = None
    summary = await bench.run()
    assert summary.progress.files_done == 40
    assert len(bench.index.committed) == 40


async def test_a_model_that_fails_ends_the_run(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Text.")
    bench.embedder.failure = Unavailable("The model is gone.")
    with pytest.raises(Unavailable, match="model is gone"):
        await bench.run()
    bench.embedder.failure = None
    assert file_counts((await bench.run()).progress) == {"indexed": 1}


async def test_a_cancelled_run_keeps_what_is_done_and_the_next_goes_on(bench: Bench) -> None:
    for number in range(60):
        write_file(bench.docs / f"{number:02}.txt", f"Text {number}.")
    bench.embedder.delay = 0.01
    cancelled = anyio.Event()
    indexer = bench.indexer()

    def watch(progress: Progress) -> None:
        if progress.files_indexed == 10:
            cancelled.set()

    summary = await indexer.index(IndexingRequest("t", bench.docs), progress=watch, cancelled=cancelled)
    await bench.check()
    assert summary.cancelled
    assert 10 <= summary.progress.files_indexed < 60
    rest = await bench.run()
    assert rest.progress.files_unchanged == summary.progress.files_indexed
    assert rest.progress.files_indexed == 60 - summary.progress.files_indexed


async def test_other_settings_read_everything_again_and_keep_the_ids(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Same.")
    write_file(bench.docs / "b.txt", "Same.")
    write_file(bench.docs / "c.txt", "Other.")
    await bench.run()
    ids = {name: line.document_id for name, line in (await bench.ledger()).items()}
    bench.version = "2"
    assert file_counts((await bench.run()).progress) == {"indexed": 3}
    assert {name: line.document_id for name, line in (await bench.ledger()).items()} == ids
    assert set((await bench.index.generations()).values()) == {2}
    assert file_counts((await bench.run()).progress) == {"unchanged": 3}


async def test_force_reads_everything_again(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Same.")
    write_file(bench.docs / "b.txt", "Same.")
    await bench.run()
    assert file_counts((await bench.run(force=True)).progress) == {"indexed": 2}
    assert len(bench.index.committed) == 1


async def test_a_root_inside_a_root_keeps_its_files(bench: Bench) -> None:
    write_file(bench.docs / "sub" / "a.txt", "Inner.")
    write_file(bench.docs / "b.txt", "Outer.")
    await bench.run(bench.docs / "sub", collection="inner")
    assert file_counts((await bench.run()).progress) == {"indexed": 1, "unchanged": 1}
    assert file_counts((await bench.run(bench.docs / "sub")).progress) == {"unchanged": 1}
    assert {made.filename: made.collection for made in bench.index.committed.values()} == {"a.txt": "inner", "b.txt": "default"}
    assert file_counts((await bench.run(bench.docs / "b.txt")).progress) == {"unchanged": 1}
    assert len(await bench.library.roots("t")) == 2


async def test_a_root_can_change_its_collection(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Text.")
    await bench.run()
    await bench.run(collection="work")
    assert [made.collection for made in bench.index.committed.values()] == ["work"]
    assert bench.embedder.texts == []


async def test_a_single_file_is_a_root_of_its_own(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "Text.")
    write_file(bench.docs / "b.txt", "Other.")
    assert file_counts((await bench.run(path)).progress) == {"indexed": 1}
    assert [root.path for root in await bench.library.roots("t")] == [str(path)]


async def test_paths_that_cannot_be_indexed_are_said(bench: Bench) -> None:
    with pytest.raises(InvalidInput, match="does not exist"):
        await bench.run(bench.docs / "missing")
    with pytest.raises(PathNotAllowed, match="Vantage itself"):
        await bench.run(bench.home)
    await bench.run()
    with pytest.raises(InvalidInput, match="does not exist"):
        await bench.run(bench.docs / "missing")


async def test_a_large_document_goes_through_in_slices(bench: Bench) -> None:
    write_file(bench.docs / "large.txt", "\n\n".join(f"Paragraph {number} " + "word " * 240 for number in range(200)))
    write_file(bench.docs / "small.txt", "Text.")
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 2}
    assert summary.progress.chunks > 150


async def test_an_index_that_was_lost_comes_back_from_the_truth(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Text.")
    await bench.run()
    bench.index = MemoryIndex()
    await bench.run()
    assert len(bench.index.committed) == 1
    assert bench.embedder.texts == []


async def test_progress_counts_up_and_tells_the_current_file(bench: Bench) -> None:
    for number in range(20):
        write_file(bench.docs / f"{number}.txt", f"Text {number}.")
    await bench.run()
    done = [progress.files_done for progress in bench.seen]
    assert done == sorted(done)
    assert bench.seen[-1].files_done == bench.seen[-1].files_total == 20
    assert any(progress.current.endswith(".txt") for progress in bench.seen)
    assert Progress.from_dict({**bench.seen[-1].as_dict(), "other": 1}) == bench.seen[-1]
