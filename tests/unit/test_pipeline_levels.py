"""Indexing stores the levels above the chunks, with the sizes of its options."""

from __future__ import annotations

from core.search import Filters
from storage.sql_hierarchy import SqlHierarchy
from tests.support.indexing_bench import Bench, bench, write_file

__all__ = ["bench"]


async def test_a_long_document_has_larger_chunks_above_its_chunks(bench: Bench) -> None:
    words = " ".join(f"Sentence {n} speaks of matter number {n % 17}." for n in range(900))
    write_file(bench.docs / "long.txt", f"# Matters\n\n{words}")
    await bench.run()
    (document,), _, _ = await bench.library.list_documents("t", filters=Filters())
    hierarchy = SqlHierarchy(bench.database)
    levels = await hierarchy.larger_chunks("t", document.id)
    sizes = [sum(each.level == level for each in levels) for level in (1, 2, 3)]
    assert document.chunks > sizes[0] > sizes[1] > sizes[2] > 1
    assert all(each.tokens <= (512, 1024, 2048)[each.level - 1] for each in levels)
    first, last = (document.id, 0), (document.id, document.chunks - 1)
    parents = await hierarchy.parents("t", [first, last], 2)
    assert parents[first].first_chunk == 0
    assert parents[last].last_chunk == document.chunks - 1
    assert parents[last] in levels
