"""The words of deleted documents leave the search index's files, and what stays is found as before."""

from __future__ import annotations

from pathlib import Path

from core.search import Filters
from retrieval.lexical_index import LexicalIndex
from tests.support.indexes import document


def words(folder: Path) -> set[str]:
    """Every word in the index's dictionaries, those of deleted entries with them."""
    reading = LexicalIndex(folder, 0.3)
    try:
        found = {term for term, _ in reading._chunk_index.searcher().terms_with_prefix("text", "")}
        return found | {term for term, _ in reading._document_index.searcher().terms_with_prefix("title", "")}
    finally:
        reading.close()


def test_what_shares_a_segment_is_written_again_and_the_old_one_goes(tmp_path: Path) -> None:
    a, b, c = document("a", "zorquilth pelican"), document("b", "garden bench", first_chunk=5), document("c", "a pond", first_chunk=9)
    index = LexicalIndex(tmp_path, 0.3)
    try:
        for batch in ((a, b), (c,)):
            for each in batch:
                index.upsert(each)
            index.commit()
        assert index.documents_beside_deleted() == {}
        index.delete(a.tenant, ["a"])
        index.commit()
        assert index.documents_beside_deleted() == {"b": (b.tenant, 2)}  # its chunk and its own entry
        index.upsert(b)
        index.commit()
        assert index.documents_beside_deleted() == {}
        assert [hit.document_id for hit in index.search(b.tenant, "bench", Filters(), 5).hits] == ["b"]
    finally:
        index.close()
    assert {"garden", "bench", "pond"} <= words(tmp_path)
    assert not words(tmp_path) & {"zorquilth", "pelican"}


def test_an_index_of_which_everything_is_deleted_is_clean(tmp_path: Path) -> None:
    index = LexicalIndex(tmp_path, 0.3)
    try:
        index.upsert(document("a", "zorquilth"))
        index.commit()
        index.delete("default", ["a"])
        index.commit()
        assert index.documents_beside_deleted() == {}
    finally:
        index.close()
    assert "zorquilth" not in words(tmp_path)
