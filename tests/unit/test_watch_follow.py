"""Taking in a handful of changed paths: the library becomes what a scan of the whole would make of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from core.documents import DocumentState
from core.ports import Embedder
from ingestion.indexing.indexer import Indexer, IndexingOptions, Stores
from ingestion.indexing.run_progress import RunSummary
from ingestion.scan.scanner import ScannedEntry, scan
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_watch_store import SqlWatchStore
from tests.support.indexing_bench import Bench, bench, file_counts, write_file

__all__ = ["bench"]


def indexer(bench: Bench, embedder: Embedder | None = None) -> Indexer:
    stores = Stores(bench.library, SqlLibraryWriter(bench.database), bench.index, bench.tokens, watch_store=SqlWatchStore(bench.database))
    options = IndexingOptions(bench.home, (".*",), commit_every_seconds=0.05, window=16, embed_batch=1, readers_version=bench.version)
    return Indexer(stores, bench.reader, embedder or bench.embedder, options)


async def follow(bench: Bench, *paths: Path | str) -> RunSummary:
    bench.reader.read.clear()
    summary = await indexer(bench).index_changes("t", [str(path) for path in paths], cancelled=anyio.Event())
    await bench.check()
    return summary


async def ids(bench: Bench) -> dict[str, str | None]:
    return {name: line.document_id for name, line in (await bench.ledger()).items()}


def told(summary: RunSummary) -> Sequence[tuple[str, str]]:
    return sorted((change.change, Path(change.path).name) for change in summary.changes)


async def test_only_the_changed_paths_are_looked_at(bench: Bench) -> None:
    first, second = write_file(bench.docs / "a.txt", "One."), write_file(bench.docs / "sub" / "b.txt", "Two.")
    await bench.run()
    first.write_text("One, changed.")
    second.write_text("Two, changed.")
    summary = await follow(bench, first)
    assert (bench.reader.read, file_counts(summary.progress)) == (["a.txt"], {"indexed": 1})
    assert told(summary) == [("changed", "a.txt")]
    assert file_counts((await follow(bench, second, first)).progress) == {"indexed": 1, "unchanged": 1}


async def test_new_files_and_files_that_are_gone(bench: Bench) -> None:
    old = write_file(bench.docs / "a.txt", "One.")
    write_file(bench.docs / "keep.txt", "Kept.")
    await bench.run()
    old.unlink()
    summary = await follow(bench, old, write_file(bench.docs / "new" / "b.txt", "Two."))
    assert told(summary) == [("added", "b.txt"), ("removed", "a.txt")]
    assert set(await ids(bench)) == {"keep.txt", "new/b.txt"}


async def test_a_file_renamed_before_its_old_name_was_looked_at_keeps_its_document(bench: Bench) -> None:
    """A file is edited and renamed at once: the run that was told of the edit finds the old name gone, and was never told of the new one."""
    path = write_file(bench.docs / "sub" / "a.txt", "Edited, then renamed.")
    write_file(bench.docs / "sub" / "keep.txt", "Kept.")
    await bench.run()
    before = (await ids(bench))["sub/a.txt"]
    target = path.rename(bench.docs / "sub" / "b.txt")
    summary = await follow(bench, path)
    assert told(summary) == [("moved", "b.txt")]
    assert (await ids(bench))["sub/b.txt"] == before
    assert told(await follow(bench, path, target)) == []
    assert (await ids(bench)).keys() == {"sub/b.txt", "sub/keep.txt"}


async def test_a_file_renamed_during_a_scan_keeps_its_document(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_file(bench.docs / "b.txt", "Renamed while the folder is walked.")
    await bench.run()
    before = (await ids(bench))["b.txt"]

    def renaming(*args: Any, **kwargs: Any) -> Iterator[ScannedEntry]:
        found = [seen for seen in scan(*args, **kwargs) if not seen.stamp.path.endswith("b.txt")]  # passed a.txt's place, came too late to b.txt
        path.rename(bench.docs / "a.txt")
        yield from found

    monkeypatch.setattr("ingestion.indexing.indexer.scan", renaming)
    await bench.run()
    assert (await ids(bench)) == {"a.txt": before}


async def test_a_move_keeps_the_document_also_into_another_root(bench: Bench) -> None:
    write_file(bench.docs / "one" / "keep.txt", "Kept.")
    write_file(bench.docs / "two" / "keep.txt", "Kept too.")
    path = write_file(bench.docs / "one" / "a.txt", "Moved about.")
    await bench.run(bench.docs / "one")
    await bench.run(bench.docs / "two")
    before = (await ids(bench))["one/a.txt"]
    target = bench.docs / "two" / "deep" / "b.txt"
    target.parent.mkdir()
    path.rename(target)
    summary = await follow(bench, path, target.parent)
    assert bench.reader.read == []
    assert told(summary) == [("moved", "b.txt")]
    assert (await ids(bench))["two/deep/b.txt"] == before
    (line,) = [line for line in (await bench.ledger()).values() if line.document_id == before]
    assert line.root == str(bench.docs / "two")


async def test_a_document_that_is_titled_by_its_file_follows_a_rename(bench: Bench) -> None:
    path = write_file(bench.docs / "report.txt", "report\n\nOf something.")
    titled = write_file(bench.docs / "b.txt", "A title of its own\n\nOf something else.")
    await bench.run()
    before = await ids(bench)
    path = path.rename(bench.docs / "lease.txt")
    titled = titled.rename(bench.docs / "c.txt")
    await follow(bench, bench.docs / "report.txt", bench.docs / "b.txt", path, titled)
    assert bench.reader.read == ["lease.txt"]
    assert await ids(bench) == {"lease.txt": before["report.txt"], "c.txt": before["b.txt"]}
    assert file_counts((await follow(bench, path, titled)).progress) == {"unchanged": 2}


async def test_a_name_that_speaks_for_another_type_has_the_document_made_anew(bench: Bench) -> None:
    path = write_file(bench.docs / "scan 1.txt", "Granite works\n\nAmount due: 12.")
    await bench.run()
    await follow(bench, path, path.rename(bench.docs / "Invoice_12.txt"))
    assert bench.reader.read == ["Invoice_12.txt"]
    path = bench.docs / "Invoice_12.txt"
    await follow(bench, path, path.rename(bench.docs / "Invoice 13.txt"))
    assert bench.reader.read == []


async def test_what_lies_in_a_folder_that_is_away_is_not_missed(bench: Bench) -> None:
    """A file of another disk with the same inode number, and a link there, are looked at because of a change elsewhere, and not taken for gone."""
    path = write_file(bench.docs / "a.txt", "One.")
    other = bench.home.parent / "other"
    other.mkdir()
    (other / "link").symlink_to("/nowhere")
    (other / "b.txt").hardlink_to(path)
    await bench.run()
    await bench.run(other)
    shutil.rmtree(other)
    other.mkdir()
    path.write_text("One, changed.")
    await follow(bench, path)
    (known,) = [root for root in await bench.library.roots("t") if root.path == str(other)]
    assert sum(known.counts.values()) == 2


async def test_a_folder_that_is_renamed_takes_its_documents_along(bench: Bench) -> None:
    for number in range(5):
        write_file(bench.docs / "old" / "deep" / f"{number}.txt", f"Text {number}.")
    write_file(bench.docs / "keep.txt", "Kept.")
    await bench.run()
    before = await ids(bench)
    (bench.docs / "old").rename(bench.docs / "new")
    await follow(bench, bench.docs / "old", bench.docs / "new")
    assert bench.reader.read == []
    assert await ids(bench) == {name.replace("old/", "new/"): each for name, each in before.items()}


async def test_a_folder_that_is_deleted_takes_its_documents_away(bench: Bench) -> None:
    for number in range(5):
        write_file(bench.docs / "old" / f"{number}.txt", f"Text {number}.")
    write_file(bench.docs / "older.txt", "Kept.")
    await bench.run()
    shutil.rmtree(bench.docs / "old")
    assert (await follow(bench, bench.docs / "old")).progress.files_removed == 5
    assert set(await ids(bench)) == {"older.txt"}


async def test_files_that_change_places(bench: Bench) -> None:
    one, two = write_file(bench.docs / "a.txt", "The one."), write_file(bench.docs / "b.txt", "The other.")
    await bench.run()
    one.rename(bench.docs / "c")
    two.rename(one)
    (bench.docs / "c").rename(two)
    await follow(bench, one, two)
    assert {Path(made.paths[0]).name: made.chunks[0].text for made in bench.index.committed.values()} == {"a.txt": "The other.", "b.txt": "The one."}


async def test_the_same_event_twice_changes_nothing(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "One.")
    await bench.run()
    before = await ids(bench)
    for _ in range(3):
        assert file_counts((await follow(bench, path, bench.docs / "missing.txt")).progress) == {"unchanged": 1}
    assert await ids(bench) == before


async def test_a_second_write_in_one_tick_of_the_clock_is_seen(bench: Bench) -> None:
    """The stamp is the same, and the content is not: what was reported as changed a moment ago is hashed."""
    path = write_file(bench.docs / "a.txt", "One.")
    await bench.run()
    status = path.stat()
    path.write_text("Two.")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert file_counts((await follow(bench, path)).progress) == {"indexed": 1}


async def test_rules_hold_as_for_a_scan(bench: Bench) -> None:
    write_file(bench.docs / "keep.txt", "Kept.")
    await bench.run()
    hidden = write_file(bench.docs / ".git" / "deep" / "x.txt", "Hidden.")
    await follow(bench, hidden)
    assert [line.code for name, line in (await bench.ledger()).items() if name == ".git"] == ["ignored"]
    assert set(await ids(bench)) == {"keep.txt", ".git"}


async def test_ignore_files_hide_and_show_what_they_speak_of(bench: Bench) -> None:
    for name in ("a.log", "b.txt", "sub/c.log", "sub/d.txt"):
        write_file(bench.docs / name, f"Text of {name}.")
    await bench.run()
    rules = write_file(bench.docs / ".gitignore", "*.log\n!c.log\n")
    await follow(bench, bench.docs)
    ledger = await bench.ledger()
    assert (ledger["a.log"].code, ledger["sub/c.log"].code) == ("ignored", "")
    assert "“*.log” of " in ledger["a.log"].reason
    write_file(bench.docs / "sub" / ".vantageignore", "*\n!d.txt\n")
    await follow(bench, bench.docs / "sub")
    ledger = await bench.ledger()
    assert (ledger["sub/c.log"].code, ledger["sub/d.txt"].code) == ("ignored", "")
    rules.unlink()
    (bench.docs / "sub" / ".vantageignore").unlink()
    await follow(bench, bench.docs)
    assert {name for name, line in (await bench.ledger()).items() if line.state is DocumentState.INDEXED} == {
        "a.log",
        "b.txt",
        "sub/c.log",
        "sub/d.txt",
    }


async def test_a_change_of_a_file_reaches_its_other_names(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "Before.")
    (bench.docs / "soft.txt").symlink_to(path)
    (bench.docs / "hard.txt").hardlink_to(path)
    await bench.run()
    path.write_text("Afterwards.")
    await follow(bench, path)
    assert [made.chunks[0].text for made in bench.index.committed.values()] == ["Afterwards."]
    assert len({line.content_hash for line in (await bench.ledger()).values()}) == 1
    path.unlink()
    await follow(bench, path)
    assert {name: line.code for name, line in (await bench.ledger()).items()} == {"hard.txt": "", "soft.txt": "broken_link"}


async def test_a_link_that_comes_to_lead_elsewhere_says_so(bench: Bench) -> None:
    """The link itself stays as it was."""
    write_file(bench.docs / "keep.txt", "Kept.")
    outside = write_file(bench.home.parent / "outside" / "b.txt", "Not ours.")
    (bench.docs / "link.txt").symlink_to(outside)
    await bench.run()
    codes = []
    for change in (outside.unlink, lambda: write_file(outside, "It is back.")):
        change()
        await follow(bench, outside, bench.docs / "keep.txt")
        codes.append((await bench.ledger())["link.txt"].code)
    assert codes == ["broken_link", "link_outside"]
    outside.unlink()
    await bench.run()
    assert (await bench.ledger())["link.txt"].code == "broken_link"


async def test_a_root_that_is_not_there_loses_nothing(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "One.")
    other = write_file(bench.home.parent / "other" / "b.txt", "Two.")
    await bench.run()
    await bench.run(other.parent)
    bench.docs.rename(bench.docs.with_name("away"))
    other.write_text("Two, changed.")
    summary = await follow(bench, path, other)
    assert list(summary.missing_roots) == [str(bench.docs)]
    assert "is not there" in summary.missing_roots[str(bench.docs)]
    assert summary.progress.files_indexed == 1
    assert "a.txt" in await ids(bench)


async def test_a_root_that_is_empty_at_once_loses_nothing(bench: Bench) -> None:
    paths = [write_file(bench.docs / f"{number}.txt", f"Text {number}.") for number in range(3)]
    await bench.run()
    for path in paths:
        path.unlink()
    summary = await follow(bench, *paths)
    assert "Its disk may be missing" in summary.missing_roots[str(bench.docs)]
    assert len(await ids(bench)) == 3
    paths[0].write_text("It is back.")
    assert not (await follow(bench, *paths)).missing_roots
    assert set(await ids(bench)) == {"0.txt"}


async def test_the_last_single_file_of_a_folder_may_go(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "One.")
    await bench.run()
    path.unlink()
    assert not (await follow(bench, path)).missing_roots
    assert await ids(bench) == {}


async def test_an_excluded_folder_leaves_the_library_and_stays_out(bench: Bench) -> None:
    write_file(bench.docs / "keep.txt", "Kept.")
    inner = write_file(bench.docs / "sub" / "a.txt", "Taken out.")
    (bench.docs / "link.txt").symlink_to(inner)
    await bench.run()
    store = SqlWatchStore(bench.database)
    await store.exclude("t", str(inner.parent))
    await follow(bench, inner.parent, bench.docs / "link.txt")
    ledger = await bench.ledger()
    assert {name: line.code for name, line in ledger.items()} == {"keep.txt": "", "sub": "excluded", "link.txt": "excluded"}
    inner.write_text("Changed.")
    for path in (bench.docs, inner.parent, inner):
        await follow(bench, path)
        assert "sub/a.txt" not in await ids(bench)
    await store.include("t", str(inner.parent))
    await follow(bench, bench.docs)
    assert {line.code for line in (await bench.ledger()).values()} == {""}


async def test_paths_outside_every_root_are_passed_over(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "One.")
    await bench.run()
    outside = write_file(bench.home.parent / "outside.txt", "Not ours.")
    assert file_counts((await follow(bench, outside, "/")).progress) == {}
    assert set(await ids(bench)) == {"a.txt"}


async def test_a_root_inside_an_ignored_folder_is_left_to_itself(bench: Bench) -> None:
    inner = write_file(bench.docs / ".notes" / "a.txt", "Indexed for itself.")
    write_file(bench.docs / "b.txt", "Outside of it.")
    await bench.run(inner.parent)
    await bench.run()
    assert {name for name, line in (await bench.ledger()).items() if line.document_id} == {".notes/a.txt", "b.txt"}
    inner.write_text("Changed.")
    assert file_counts((await follow(bench, inner)).progress) == {"indexed": 1}


async def test_a_folder_that_cannot_be_listed_loses_nothing(bench: Bench) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    path = write_file(bench.docs / "sub" / "a.txt", "One.")
    write_file(bench.docs / "b.txt", "Two.")
    await bench.run()
    path.parent.chmod(0)
    try:
        await follow(bench, path, bench.docs)
    finally:
        path.parent.chmod(0o755)
    assert "sub/a.txt" in await ids(bench)
