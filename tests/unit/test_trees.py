"""Trees of summaries: groups of passages, their sentences, and that a tree is what its passages are, whatever was there before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.documents import BlockKind, StoredChunk
from core.errors import Cancelled, Conflict
from core.trees import StoredTree, SummarySentence, TreeNode, TreeOptions
from graph.trees.library_trees import compare_groups
from graph.trees.mixture_groups import group_vectors
from graph.trees.tree_building import BuildWatch, build_tree
from storage.tree_files import TreeFiles
from tests.support.indexes import vector_of

TOPICS = {
    "orchard": "The orchard warden counts the apple grafts in row {}. Apple grafts of the orchard fail after a late frost in row {}.",
    "harbour": "The harbour pilot logs the tide at buoy {}. A spring tide at the harbour moves buoy {} by forty metres.",
    "foundry": "The foundry pours bronze bells of weight {}. A cracked bronze bell goes back to the foundry furnace as scrap {}.",
    "library": "The reading room lends a vellum atlas under number {}. A vellum atlas may not leave the reading room without slip {}.",
}


SIX = TreeOptions(cluster_size=6)


def passages(numbers: Sequence[int] = range(12), first: int = 1) -> list[StoredChunk]:
    """Passages of four topics, each topic's document cut into as many as there are numbers."""
    found: list[StoredChunk] = []
    for document, text in TOPICS.items():
        for place, number in enumerate(numbers):
            said = text.format(number, number)
            found.append(
                StoredChunk(
                    id=first + len(found), document_id=document, generation=1, ordinal=place, start=place * 200, end=place * 200 + len(said),
                    page=None, section=[], kind=BlockKind.PARAGRAPH, tokens=24, prefix="", text=said,
                )
            )  # fmt: skip
    return found


def vectors_of(chunks: Sequence[StoredChunk]) -> NDArray[np.float32]:
    return np.stack([vector_of(each.text) for each in chunks])


def built(chunks: Sequence[StoredChunk], options: TreeOptions = SIX) -> tuple[TreeNode, ...]:
    return build_tree(chunks, vectors_of(chunks), options)


def in_words(nodes: Sequence[TreeNode], chunks: Sequence[StoredChunk]) -> list[object]:
    """A tree without its ids."""
    texts = {each.id: each.text for each in chunks}
    return [
        (
            node.level,
            sorted(texts[number] for number in node.chunk_ids),
            node.children,
            [texts[each.chunk_id][each.start : each.end] for each in node.sentences],
        )
        for node in nodes
    ]


def test_groups_are_of_one_topic_and_hold_every_passage() -> None:
    chunks = passages()
    topics = {each.id: each.document_id for each in chunks}
    nodes = built(chunks)
    finest = [node for node in nodes if node.level == 1]
    assert {number for node in finest for number in node.chunk_ids} == set(topics)
    assert 4 <= len(finest) <= 12
    assert all(len(node.chunk_ids) <= 12 for node in finest)
    assert {len({topics[number] for number in node.chunk_ids}) for node in finest} == {1}
    assert max(node.level for node in nodes) <= 3
    for node in nodes:
        children = [nodes[child] for child in node.children]
        assert {child.level for child in children} <= {node.level - 1}
        assert not children or set(node.chunk_ids) == {number for child in children for number in child.chunk_ids}


def test_a_summary_is_sentences_that_name_what_the_group_has_in_common() -> None:
    chunks = passages()
    by_id = {each.id: each for each in chunks}
    for node in built(chunks):
        assert 1 <= len(node.sentences) <= 3
        for each in node.sentences:
            said = by_id[each.chunk_id].text[each.start : each.end]
            assert each.chunk_id in node.chunk_ids
            assert said.endswith(".")
            assert said[0].isupper()
            if node.level == 1:
                assert by_id[each.chunk_id].document_id.split()[0] in {"library", *said.lower().split()}
    assert {node.sentences for node in built(chunks, TreeOptions(cluster_size=6, with_sentences=False))} == {()}


def test_what_was_there_before_and_its_order_do_not_matter() -> None:
    chunks = passages()
    kept = [each for each in chunks if each.document_id != "foundry"]
    never = [each.model_copy(update={"id": number}) for number, each in enumerate(reversed(kept), start=500)]
    assert in_words(built(kept), kept) == in_words(built(never), never)
    assert built(chunks) == built(chunks)


@pytest.mark.parametrize("count", [0, 1, 6])
def test_as_many_passages_as_fit_into_a_group_are_not_grouped(count: int) -> None:
    chunks = passages()[:count]
    assert build_tree(chunks, np.zeros((count, 8), np.float32), SIX) == ()


def test_equal_passages_end_in_groups_too() -> None:
    rows = np.tile(vector_of("one and the same"), (50, 1))
    groups = group_vectors(rows, 5, lambda _: None, lambda: False)
    assert sorted(np.unique(np.concatenate(groups)).tolist()) == list(range(50))
    assert max(map(len, groups)) <= 10


def test_a_passage_between_two_topics_is_in_both_groups() -> None:
    order = np.random.default_rng(3)
    one, other = (np.eye(12)[place] for place in (0, 5))
    rows = np.concatenate([one + 0.15 * order.standard_normal((30, 12)), other + 0.15 * order.standard_normal((30, 12)), [(one + other) / 2]])
    groups = group_vectors(rows.astype(np.float32), 16, lambda _: None, lambda: False)
    assert sum(60 in each for each in groups) >= 1
    assert max(map(len, groups)) <= 32


def test_building_reports_how_far_it_is_and_stops_when_asked() -> None:
    chunks = passages()
    seen: list[tuple[int, int, int]] = []
    build_tree(chunks, vectors_of(chunks), SIX, BuildWatch(lambda *step: seen.append(step)))
    assert max(done for level, done, _ in seen if level == 1) == len(chunks)
    with pytest.raises(Cancelled, match="somebody stopped it"):
        build_tree(chunks, vectors_of(chunks), SIX, BuildWatch(is_stopped=lambda: True))


def test_without_scikit_learn_the_refusal_says_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sklearn.mixture", None)
    with pytest.raises(Conflict, match=r"pip install 'vantage\[raptor\]'"):
        group_vectors(np.zeros((30, 4), np.float32), 5, lambda _: None, lambda: False)


def test_groups_are_compared_by_the_passages_that_are_left() -> None:
    nodes = (TreeNode(1, (1, 2)), TreeNode(1, (3,)), TreeNode(2, (1, 2, 3), (0, 1)))
    vectors = {1: vector_of("tide"), 2: vector_of("buoy")}
    centres, numbers = compare_groups(nodes, vectors)
    assert numbers == (0, 2)
    assert [each.tolist() for each in centres.members] == [[1, 2], [1, 2]]
    assert np.allclose(np.linalg.norm(centres.vectors, axis=1), 1)
    alone, _ = compare_groups(nodes, {2: vectors[2]})
    assert np.allclose(alone.vectors, vectors[2])
    assert compare_groups(nodes, {})[0].members == ()


async def test_a_tree_is_kept_for_each_library_and_a_torn_file_is_none(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    files = TreeFiles(tmp_path / "trees")
    tree = StoredTree("mark", datetime(2026, 5, 1, tzinfo=UTC), 3, (TreeNode(1, (4, 9), (), (SummarySentence(4, 2, 8),)), TreeNode(2, (4, 9), (0,))))
    await files.save("acme", tree)
    assert await files.load("acme") == tree
    assert await files.load("Acme") is None
    (file,) = (tmp_path / "trees").iterdir()
    file.write_text(file.read_text(encoding="utf-8")[:40], encoding="utf-8")
    assert await files.load("acme") is None
    assert "has to be built anew" in caplog.text
