"""The documents that share a segment with deleted ones.

tantivy marks what is deleted, and leaves its words in the segment until that is merged with others, or nothing of it is left. So what shares it
is written again, into a new segment, and the old one goes with all its words. There is no other way to it from Python.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import tantivy

_TRIES = 3


def keys_beside_deleted(folder: Path, index: tantivy.Index) -> Counter[int]:
    """Return key of a document -> its entries, of all that lie in a segment in which something is deleted. Only for who may write the folder.
    Blocks.
    """
    for _ in range(_TRIES):  # a merge in the background may end between the two looks
        index.reload()
        segments = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["segments"]
        marked = [bool(each["deletes"]) for each in segments]
        if not any(marked):
            return Counter()
        searcher = index.searcher()
        live = searcher.search(tantivy.Query.all_query(), searcher.num_docs, count=False).hits if searcher.num_docs else []
        held = Counter(address.segment_ord for _, address in live)
        expected = [each["max_doc"] - (each["deletes"] or {"num_deleted_docs": 0})["num_deleted_docs"] for each in segments]
        if [held[place] for place in range(len(segments))] == expected:
            addresses = [address for _, address in live if marked[address.segment_ord]]
            return Counter(int(key or 0) for key in searcher.fast_field_values("key", addresses))
    return Counter(int(key or 0) for key in searcher.fast_field_values("key", [address for _, address in live]))
