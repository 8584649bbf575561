"""An index whose last process was killed in the middle of a commit goes on working."""

from __future__ import annotations

import json
from pathlib import Path

from retrieval.lexical_cleanup import remove_stale_deletions
from retrieval.lexical_index import LexicalIndex
from tests.support.indexes import ORDINARY_ATTRIBUTES, document


def test_deletion_lists_of_a_commit_that_was_cut_short_are_swept(tmp_path: Path) -> None:
    segments = [
        {"segment_id": "aaaa-bb", "max_doc": 3, "deletes": {"num_deleted_docs": 1, "opstamp": 7}},
        {"segment_id": "cccc-dd", "max_doc": 3, "deletes": None},
    ]
    (tmp_path / "meta.json").write_text(json.dumps({"segments": segments, "opstamp": 9}))
    for name in ("aaaabb.7.del", "aaaabb.12.del", "ccccdd.12.del", "aaaabb.term"):
        (tmp_path / name).write_bytes(b"x")
    assert remove_stale_deletions(tmp_path) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["aaaabb.7.del", "aaaabb.term", "meta.json"]
    assert remove_stale_deletions(tmp_path) == 0


def test_nothing_is_swept_where_the_last_commit_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "aaaabb.12.del").write_bytes(b"x")
    assert remove_stale_deletions(tmp_path) == 0
    for text in ("{", "{}", '{"segments": [{}]}', "[]"):
        (tmp_path / "meta.json").write_text(text)
        assert remove_stale_deletions(tmp_path) == 0
    assert (tmp_path / "aaaabb.12.del").exists()


def test_an_index_takes_the_deletion_that_a_killed_process_began(tmp_path: Path) -> None:
    """The next deletion gets the very stamp whose file lies there already."""
    index = LexicalIndex(tmp_path, 0.1)
    for number in range(3):
        index.upsert(document(f"d{number}", f"Text {number}."))
    index.commit()
    index.close()
    for part in ("chunks", "documents"):
        folder = tmp_path / part
        meta = json.loads((folder / "meta.json").read_text())
        for segment in meta["segments"]:
            for stamp in range(meta["opstamp"] + 1, meta["opstamp"] + 20):
                (folder / f"{segment['segment_id'].replace('-', '')}.{stamp}.del").write_bytes(b"half")
    index = LexicalIndex(tmp_path, 0.1)
    assert not index.was_rebuilt
    index.delete(ORDINARY_ATTRIBUTES.tenant, ["d1"])
    index.commit()
    assert set(index.generations()) == {"d0", "d2"}
    index.close()
