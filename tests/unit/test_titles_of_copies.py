"""Files of one content are one document. Titled by the name of one of them, it gets another title when that file goes, moves or changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from core.references import title_from_name
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.workers.worker_protocol import Extraction
from storage.sql_jobs import SqlJobs
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.containers import WalkingReader, zip_bytes
from tests.support.indexing_bench import Bench, bench, write_file
from tests.support.ingestion import FileReader

__all__ = ["bench"]


class NamingReader(FileReader):
    """As for CSV files and code, which have no title but their file's name."""

    async def extract(self, path: Path, *rest: Any, **more: Any) -> Extraction:
        read = await super().extract(path, *rest, **more)
        return replace(read, profile=replace(read.profile, title=title_from_name(path.name)))


@pytest.fixture(params=["scan", "follow"])
async def copies(bench: Bench, request: pytest.FixtureRequest) -> tuple[Bench, str]:
    """The files one-name.txt and other_name.txt with one content; the document is titled by the first."""
    bench.reader = NamingReader()
    write_file(bench.docs / "one-name.txt", "The same.")
    write_file(bench.docs / "keep.txt", "Kept.")
    await bench.run()
    write_file(bench.docs / "sub" / "other_name.txt", "The same.")
    await bench.run()
    assert await titles(bench) == {"one-name.txt": "one name", "sub/other_name.txt": "one name", "keep.txt": "keep"}
    return bench, request.param


async def titles(bench: Bench) -> dict[str, str]:
    lines = await bench.ledger()
    known = await bench.library.documents("t", [line.document_id for line in lines.values() if line.document_id])
    return {name: known[line.document_id].title for name, line in lines.items() if line.document_id}


async def take_in(bench: Bench, how: str, *paths: Path) -> None:
    if how == "scan":
        await bench.run()
        return
    bench.reader.read.clear()
    await bench.indexer().index_changes("t", [str(path) for path in paths], cancelled=anyio.Event())
    await bench.check()


async def test_the_file_that_gave_the_name_goes(copies: tuple[Bench, str]) -> None:
    bench, how = copies
    before = (await bench.ledger())["sub/other_name.txt"].document_id
    path = bench.docs / "one-name.txt"
    path.unlink()
    await take_in(bench, how, path)
    assert await titles(bench) == {"sub/other_name.txt": "other name", "keep.txt": "keep"}
    assert (await bench.ledger())["sub/other_name.txt"].document_id == before
    assert bench.reader.read == ["other_name.txt"]
    await take_in(bench, how, bench.docs)
    assert bench.reader.read == []


async def test_it_is_edited(copies: tuple[Bench, str]) -> None:
    bench, how = copies
    path = write_file(bench.docs / "one-name.txt", "Not the same any more.")
    await take_in(bench, how, path)
    assert await titles(bench) == {"one-name.txt": "one name", "sub/other_name.txt": "other name", "keep.txt": "keep"}
    assert bench.reader.read == ["one-name.txt", "other_name.txt"]


async def test_it_becomes_unreadable(copies: tuple[Bench, str]) -> None:
    bench, how = copies
    path = write_file(bench.docs / "one-name.txt", "!encrypted now.")
    await take_in(bench, how, path)
    assert await titles(bench) == {"sub/other_name.txt": "other name", "keep.txt": "keep"}


async def test_it_becomes_a_copy_of_another(copies: tuple[Bench, str]) -> None:
    bench, how = copies
    path = write_file(bench.docs / "one-name.txt", "Kept.")
    await take_in(bench, how, path)
    assert await titles(bench) == {"one-name.txt": "keep", "sub/other_name.txt": "other name", "keep.txt": "keep"}


async def test_it_is_renamed(copies: tuple[Bench, str]) -> None:
    bench, how = copies
    path = bench.docs / "one-name.txt"
    await take_in(bench, how, path, path.rename(bench.docs / "third.txt"))
    assert await titles(bench) == {"third.txt": "third", "sub/other_name.txt": "third", "keep.txt": "keep"}


async def test_a_copy_of_the_same_name_keeps_the_title(copies: tuple[Bench, str]) -> None:
    bench, how = copies
    path = bench.docs / "one-name.txt"
    write_file(bench.docs / "sub" / "one-name.txt", "The same.")
    await take_in(bench, how, bench.docs / "sub")
    path.unlink()
    await take_in(bench, how, path)
    assert (await titles(bench))["sub/other_name.txt"] == "one name"
    assert bench.reader.read == []


async def test_all_of_them_go_at_once(copies: tuple[Bench, str]) -> None:
    bench, how = copies
    paths = [bench.docs / "one-name.txt", bench.docs / "sub" / "other_name.txt"]
    for path in paths:
        path.unlink()
    await take_in(bench, how, *paths)
    assert await titles(bench) == {"keep.txt": "keep"}


async def test_a_copy_that_changes_while_it_is_read_again(copies: tuple[Bench, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run takes in the change, and is done before the old content is stored."""
    bench, how = copies
    path, copy = bench.docs / "one-name.txt", bench.docs / "sub" / "other_name.txt"
    extract, first = bench.reader.extract, [True]

    async def overtaken(path: Path, *rest: Any, **more: Any) -> Extraction:
        read = await extract(path, *rest, **more)
        if path == copy and first:
            first.clear()
            write_file(copy, "It changed meanwhile.")
            await bench.indexer().index_changes("t", [str(copy)], cancelled=anyio.Event())
        return read

    monkeypatch.setattr(bench.reader, "extract", overtaken)
    path.unlink()
    await take_in(bench, how, path)
    assert not first
    texts = {made.chunks[0].text for made in bench.index.committed.values()}
    assert texts == {"It changed meanwhile.", "Kept."}


async def test_a_copy_that_is_unreadable_by_then_leaves_the_text_as_it_is(copies: tuple[Bench, str]) -> None:
    """It is tried again, but not for ever."""
    bench, how = copies
    path, copy = bench.docs / "one-name.txt", bench.docs / "sub" / "other_name.txt"
    path.unlink()
    await SqlLibraryWriter(bench.database).remove_paths("t", [str(path)])
    write_file(copy, "!encrypted now.")
    await take_in(bench, how, bench.docs)
    assert (await titles(bench))["sub/other_name.txt"] == "one name"
    assert "A newer version could not be read" in (await bench.ledger())["sub/other_name.txt"].reason


async def test_what_a_kill_left_to_be_read_is_read_by_the_next_run(copies: tuple[Bench, str]) -> None:
    bench, how = copies
    path = bench.docs / "one-name.txt"
    path.unlink()
    await SqlLibraryWriter(bench.database).remove_paths("t", [str(path)])
    await take_in(bench, how, bench.docs)
    assert (await titles(bench))["sub/other_name.txt"] == "other name"


@pytest.mark.parametrize("how", ["scan", "follow"])
async def test_copies_in_archives_and_copies_of_archives(bench: Bench, how: str) -> None:
    """With the product's own readers: a table in a folder and in an archive, which has a copy itself."""
    table = "Name,Town\nKeller,Halden\n"
    bench.reader = WalkingReader()
    path = write_file(bench.docs / "towns-of-people.csv", table)
    await bench.run()
    first = bench.docs / "one.zip"
    first.write_bytes(zip_bytes({"in/inner_table.csv": table}))
    await bench.run()
    (bench.docs / "two.zip").write_bytes(first.read_bytes())
    await bench.run()
    before = await titles(bench)
    assert {before[name] for name in ("towns-of-people.csv", "one.zip!/in/inner_table.csv", "two.zip!/in/inner_table.csv")} == {"towns of people"}
    assert before["one.zip"] == before["two.zip"] == "one"
    path.unlink()
    await take_in(bench, how, path)
    after = await titles(bench)
    assert {after[name] for name in ("one.zip!/in/inner_table.csv", "two.zip!/in/inner_table.csv")} == {"inner table"}
    first.unlink()
    await take_in(bench, how, first)
    assert await titles(bench) == {"two.zip": "two", "two.zip!/in/inner_table.csv": "inner table"}


async def test_the_folder_that_gave_the_name_is_removed_from_the_library(bench: Bench) -> None:
    bench.reader = NamingReader()
    write_file(bench.docs / "a" / "one-name.txt", "The same.")
    write_file(bench.docs / "b" / "other_name.txt", "The same.")
    await bench.run(bench.docs / "a")
    await bench.run(bench.docs / "b")
    indexer = bench.indexer()
    jobs = IndexJobs(indexer, indexer._stores, SqlJobs(bench.database), bench.home)
    await jobs.open()
    try:
        await jobs.remove_root("t", str(bench.docs / "a"))
        with anyio.fail_after(30):
            while await titles(bench) != {"b/other_name.txt": "other name"}:  # noqa: ASYNC110  (the long lane tells nobody)
                await anyio.sleep(0.02)
    finally:
        await jobs.close()
