"""The pipeline and what becomes of files: new, changed, moved, copied, gone, unreadable."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime

import pytest

from core.documents import DocumentState
from core.errors import Unavailable
from tests.support.indexing_bench import Bench, bench, file_counts, write_file

__all__ = ["bench"]


async def test_a_folder_is_indexed_and_a_second_run_reads_nothing(bench: Bench) -> None:
    for number in range(30):
        write_file(bench.docs / f"{number % 3}" / f"{number}.txt", f"# Title {number}\n\nThis is the text of file {number}.")
    first = await bench.run()
    assert file_counts(first.progress) == {"indexed": 30}
    assert (first.progress.files_total, first.progress.files_done, first.progress.chunks) == (30, 30, 30)
    second = await bench.run()
    assert file_counts(second.progress) == {"unchanged": 30}
    assert bench.reader.read == bench.embedder.texts == []
    (root,) = await bench.library.roots("t")
    assert root.path == str(bench.docs)
    assert root.last_indexed_at is not None
    assert root.counts == {DocumentState.INDEXED: 30}


async def test_chunks_vectors_and_token_vectors_belong_together(bench: Bench) -> None:
    for number in range(6):
        write_file(bench.docs / f"{number}.txt", "\n\n".join(f"Paragraph {number} {part} " + "word " * 120 for part in range(5 * number + 1)))
    await bench.run()
    for made in bench.index.committed.values():
        stored = await bench.library.chunks("t", [chunk.id for chunk in made.chunks])
        for piece in made.chunks:
            whole = f"{stored[piece.id].prefix}\n{piece.text}"
            vector = await bench.embedder.embed_query(whole)
            assert abs(vector - piece.vector).max() < 1e-3
            tokens = await bench.embedder.embed_query_tokens(whole)
            assert (bench.tokens.rows[piece.id].spans == tokens.spans).all()
            assert abs(bench.tokens.rows[piece.id].vectors - tokens.vectors).max() < 4e-3


async def test_a_changed_file_keeps_its_id_and_gets_a_generation(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "Old text.")
    write_file(bench.docs / "b.txt", "Other text.")
    await bench.run()
    before = (await bench.ledger())["a.txt"].document_id
    path.write_text("New text, longer.")
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 1, "unchanged": 1}
    after = await bench.library.document("t", before or "")
    assert after.generation == 2
    assert [chunk.text for chunk in bench.index.committed[after.id].chunks] == ["New text, longer."]


async def test_a_file_that_was_only_touched_is_hashed_but_not_read(bench: Bench) -> None:
    path = write_file(bench.docs / "a.txt", "Text.")
    await bench.run()
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert file_counts((await bench.run()).progress) == {"unchanged": 1}
    assert bench.reader.read == []
    assert (await bench.ledger())["a.txt"].modified_at == datetime.fromtimestamp(1_000_000_000, UTC)
    assert file_counts((await bench.run()).progress) == {"unchanged": 1}


async def test_a_moved_file_keeps_its_document_and_is_not_embedded_again(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Text.")
    write_file(bench.docs / "keep.txt", "Stays.")
    await bench.run()
    before = (await bench.ledger())["a.txt"].document_id
    (bench.docs / "sub").mkdir()
    (bench.docs / "a.txt").rename(bench.docs / "sub" / "b.txt")
    summary = await bench.run()
    assert file_counts(summary.progress) == {"unchanged": 2}
    assert bench.embedder.texts == bench.reader.read == []
    assert (await bench.ledger())["sub/b.txt"].document_id == before
    assert set(await bench.ledger()) == {"sub/b.txt", "keep.txt"}
    assert bench.index.committed[before or ""].paths == (str(bench.docs / "sub" / "b.txt"),)


async def test_a_file_that_was_copied_and_its_original_removed_keeps_its_document(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Text.")
    await bench.run()
    before = (await bench.ledger())["a.txt"].document_id
    write_file(bench.docs / "b.txt", "Text.")
    (bench.docs / "a.txt").unlink()
    await bench.run()
    assert bench.embedder.texts == bench.reader.read == []
    assert (await bench.ledger())["b.txt"].document_id == before


async def test_identical_files_are_one_document_until_one_changes(bench: Bench) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        write_file(bench.docs / name, "The same text.")
    first = await bench.run()
    assert file_counts(first.progress) == {"indexed": 3}
    assert first.progress.chunks == 1
    (made,) = bench.index.committed.values()
    assert len(made.paths) == 3
    write_file(bench.docs / "b.txt", "Edited text.")
    await bench.run()
    ledger = await bench.ledger()
    assert ledger["a.txt"].document_id == ledger["c.txt"].document_id == made.id != ledger["b.txt"].document_id
    assert len(bench.index.committed[made.id].paths) == 2
    write_file(bench.docs / "b.txt", "The same text.")
    await bench.run()
    assert len({line.document_id for line in (await bench.ledger()).values()}) == 1


async def test_a_vanished_file_is_removed(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Text.")
    write_file(bench.docs / "b.txt", "Other.")
    await bench.run()
    (bench.docs / "a.txt").unlink()
    assert file_counts((await bench.run()).progress) == {"unchanged": 1, "removed": 1}
    assert set(await bench.ledger()) == {"b.txt"}


async def test_a_missing_or_empty_root_removes_nothing_and_says_so(bench: Bench) -> None:
    write_file(bench.docs / "a.txt", "Text.")
    await bench.run()
    (bench.docs / "a.txt").unlink()
    summary = await bench.run()
    assert "nothing was removed" in summary.notes[0]
    bench.docs.rmdir()
    with pytest.raises(Unavailable, match="nothing was removed"):
        await bench.run()
    assert set(await bench.ledger()) == {"a.txt"}
    assert len(bench.index.committed) == 1


async def test_a_vanished_folder_below_the_root_is_removed(bench: Bench) -> None:
    write_file(bench.docs / "sub" / "a.txt", "Text.")
    write_file(bench.docs / "b.txt", "Other.")
    await bench.run()
    shutil.rmtree(bench.docs / "sub")
    assert file_counts((await bench.run(bench.docs / "sub")).progress) == {"removed": 1}


async def test_a_folder_that_cannot_be_listed_keeps_its_documents(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    write_file(bench.docs / "sub" / "a.txt", "Text.")
    write_file(bench.docs / "b.txt", "Other.")
    await bench.run()
    listing = os.scandir

    def refusing(folder: str) -> object:
        if str(folder).endswith("sub"):
            raise PermissionError(13, "Permission denied", folder)
        return listing(folder)

    monkeypatch.setattr(os, "scandir", refusing)
    assert file_counts((await bench.run()).progress) == {"unchanged": 1, "failed": 1}
    monkeypatch.undo()
    assert file_counts((await bench.run()).progress) == {"unchanged": 2, "removed": 1}
    assert set(await bench.ledger()) == {"sub/a.txt", "b.txt"}


async def test_files_that_cannot_be_read_are_lines_in_the_ledger(bench: Bench) -> None:
    for word in ("encrypted", "unsupported", "empty", "malformed", "crash", "partial"):
        write_file(bench.docs / word, f"!{word} file")
    write_file(bench.docs / "blank", "  \n ")
    write_file(bench.docs / ".hidden", "x")
    write_file(bench.docs / "fine", "Good text.")
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 1, "partial": 1, "skipped": 4, "failed": 3}
    ledger = await bench.ledger()
    assert {name: line.code for name, line in ledger.items()} == {
        "encrypted": "encrypted",
        "unsupported": "unsupported",
        "empty": "empty",
        "malformed": "malformed",
        "crash": "internal",
        "partial": "partial",
        "blank": "empty",
        ".hidden": "ignored",
        "fine": "",
    }
    assert ledger["crash"].reason.startswith("Vantage could not process it")
    for _ in range(3):
        await bench.run()
    assert (await bench.ledger())["malformed"].state is DocumentState.QUARANTINED
    assert bench.reader.read == []
    write_file(bench.docs / "malformed", "Mended now.")
    assert file_counts((await bench.run()).progress)["indexed"] == 1
