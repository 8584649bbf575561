"""After an upgrade of the readers everything is read again: what was read before is kept until that succeeds, and searched meanwhile."""

from __future__ import annotations

import anyio
import pytest

from core import errors
from core.documents import DocumentState
from ingestion.indexing.index_writer import IndexWriter
from storage.ledger_reports import SqlLedgerReports
from tests.support.indexing_bench import Bench, bench, file_counts, write_file

__all__ = ["bench"]


async def left(bench: Bench) -> int:
    """Files that are still to be read again."""
    return await SqlLedgerReports(bench.database).count_outdated("t", bench.indexer().version)


def texts(bench: Bench) -> set[str]:
    return {piece.text for made in bench.index.committed.values() for piece in made.chunks}


@pytest.mark.parametrize("error", [errors.Malformed, errors.Empty, errors.Unsupported, errors.Encrypted, errors.LimitExceeded])
async def test_a_file_that_the_new_readers_cannot_read_stays_as_it_was_read(
    bench: Bench, error: type[errors.VantageError], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_file(bench.docs / "a.txt", "Good text.")
    write_file(bench.docs / "b.txt", "Other text.")
    await bench.run()
    bench.version = "2"
    original = bench.reader.extract

    async def refusing(path, *rest, **more):  # type: ignore[no-untyped-def]
        if path.name == "a.txt":
            bench.reader.read.append(path.name)
            raise error("The new reader gave up.")
        return await original(path, *rest, **more)

    monkeypatch.setattr(bench.reader, "extract", refusing)
    for _ in range(5):
        await bench.run()
        line = (await bench.ledger())["a.txt"]
        assert (line.state, line.document_id is not None) == (DocumentState.PARTIAL, True)
        assert line.reason.startswith("It could not be read again: ")
        assert line.reason.endswith("Answers come from what was read of it before.")
        assert texts(bench) == {"Good text.", "Other text."}
    assert bench.reader.read == []  # three times are enough
    assert await left(bench) == 0
    monkeypatch.setattr(bench.reader, "extract", original)
    bench.version = "3"
    assert file_counts((await bench.run()).progress) == {"indexed": 2}
    assert (await bench.ledger())["a.txt"].state is DocumentState.INDEXED


async def test_a_copy_that_cannot_be_read_again_stays_with_its_document(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    write_file(bench.docs / "a.txt", "Same text.")
    write_file(bench.docs / "b.txt", "Same text.")
    await bench.run()
    ids = {line.document_id for line in (await bench.ledger()).values()}
    bench.version = "2"

    async def refusing(path, *rest, **more):  # type: ignore[no-untyped-def]
        raise errors.Malformed("The new reader gave up.")

    monkeypatch.setattr(bench.reader, "extract", refusing)
    await bench.run()
    assert {line.document_id for line in (await bench.ledger()).values()} == ids
    assert {line.state for line in (await bench.ledger()).values()} == {DocumentState.PARTIAL}
    assert texts(bench) == {"Same text."}


async def test_what_earlier_readers_could_not_read_is_tried_again_but_not_what_a_person_removed(bench: Bench) -> None:
    write_file(bench.docs / "bad.txt", "!malformed")
    write_file(bench.docs / "unknown.txt", "!unsupported")
    write_file(bench.docs / "removed.txt", "A person does not want this.")
    for _ in range(3):
        await bench.run()
    document = (await bench.ledger())["removed.txt"].document_id
    assert document is not None
    books = IndexWriter(bench.indexer()._stores, "t")
    await books.delete_document(document)
    await books.flush()
    assert (await bench.ledger())["bad.txt"].state is DocumentState.QUARANTINED
    await bench.run()
    assert bench.reader.read == []
    bench.version = "2"
    await bench.run()
    assert sorted(bench.reader.read) == ["bad.txt", "unknown.txt"]
    line = (await bench.ledger())["bad.txt"]
    assert (line.state, line.attempts) == (DocumentState.FAILED, 1)


async def test_a_pass_that_is_cut_short_goes_on_where_it_was_and_the_ledger_counts_down(bench: Bench) -> None:
    for number in range(40):
        write_file(bench.docs / f"{number:02}.txt", f"Text {number}.")
    await bench.run()
    assert await left(bench) == 0
    bench.version = "2"
    assert await left(bench) == 40
    cancelled = anyio.Event()
    indexer = bench.indexer()
    original = bench.reader.extract

    async def counting(path, *rest, **more):  # type: ignore[no-untyped-def]
        if len(bench.reader.read) >= 10:
            cancelled.set()
        return await original(path, *rest, **more)

    bench.reader.extract = counting  # type: ignore[method-assign]
    assert (await bench.run(cancelled=cancelled)).cancelled
    assert texts(bench) == {f"Text {number}." for number in range(40)}
    between = await left(bench)
    assert 0 < between < 40
    bench.reader.extract = original  # type: ignore[method-assign]
    assert file_counts((await bench.run()).progress) == {"indexed": between, "unchanged": 40 - between}
    assert (await left(bench), indexer.version) == (0, bench.indexer().version)


async def test_a_file_that_is_gone_meanwhile_is_removed_and_a_missing_disk_removes_nothing(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "Text.")
    write_file(bench.docs / "b.txt", "Other.")
    await bench.run()
    bench.version = "2"
    path.unlink()
    assert file_counts((await bench.run()).progress) == {"indexed": 1, "removed": 1}
    bench.version = "3"
    away = bench.docs.rename(bench.docs.with_name("away"))
    with pytest.raises(errors.Unavailable):
        await bench.run()
    assert (texts(bench), await left(bench)) == ({"Other."}, 1)
    away.rename(bench.docs)
    assert file_counts((await bench.run()).progress) == {"indexed": 1}
