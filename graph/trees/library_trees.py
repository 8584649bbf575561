"""The tree of a library: built from its passages, kept, and read by searches.

It says nothing that its passages do not say now: ids name passages, sentences are cut from them, and groups are compared by the passages that are
still there. So what is deleted is gone from it at once, and what was indexed since then is searched beside it until it is built anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio
import numpy as np

from core.communities import CommunityCitation
from core.documents import StoredChunk
from core.ownership import shared_library
from core.ports import Library, SearchIndex, TreeCentres, TreeStore
from core.search import Filters
from core.trees import StoredTree, TreeNode, TreeOptions, TreePage, TreeSummary
from graph.trees.mixture_groups import require_mixtures
from graph.trees.tree_building import BuildWatch, build_tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PAGE = 500  # documents that are listed at a time
_BATCH = 2000  # vectors that are asked for at a time
_LAST = 2**31 - 1  # above every passage's place in its document
NOT_BUILT = "No tree of summaries was built yet. Build it with `vantage rag build-tree`."


@dataclass(frozen=True, slots=True)
class TreeEngine:
    """What a tree is built with: the name of the model that made the vectors, and the index that has them. Both may be exchanged."""

    model: str
    index: SearchIndex


@dataclass(frozen=True, slots=True)
class _Centres:
    """Groups as they were last compared; they hold for one state of the tree and of the index."""

    key: tuple[datetime, str, int]
    centres: TreeCentres
    numbers: tuple[int, ...]
    living: int


class LibraryTrees:
    """The trees of all tenants, each over the documents that everybody in the tenant sees. `engine` returns the present one."""

    def __init__(self, store: TreeStore, library: Library, engine: Callable[[], TreeEngine], options: TreeOptions) -> None:
        self._store, self._library, self._engine, self._options = store, library, engine, options
        self._built: dict[str, datetime | None] = {}  # when the kept tree was built: it is read when it is needed, and takes no memory
        self._centres: dict[str, _Centres] = {}

    # ------------------------------------------------------------------------------------------------------------------ building
    async def build(self, tenant: str, watch: BuildWatch) -> str:
        """Build the tree anew and put it in the place of the earlier one; where nothing changed since then, nothing is done. Return why there are no
        groups, "" where there are. Raises Cancelled, and Conflict without scikit-learn.
        """
        require_mixtures()
        library, engine = shared_library(tenant), self._engine()
        passages = await self._read_passages(library)
        vectors = await _load_vectors(engine.index, library, [each.id for each in passages])
        known = [each for each in passages if each.id in vectors]
        mark = f"{engine.model} {asdict(self._options)}"
        before = await self._store.load(library)
        if before is None or before.mark != mark or not _covers(before, known):
            stacked = np.stack([vectors[each.id] for each in known]).astype(np.float32) if known else np.empty((0, 1), np.float32)
            nodes = await anyio.to_thread.run_sync(build_tree, known, stacked, self._options, watch)
            before = StoredTree(mark, datetime.now(UTC), len(known), nodes)
            await self._store.save(library, before)
            self._built[library] = before.built_at
        return "" if before.nodes else f"The library has {len(known)} passages: there is nothing to group in them."

    async def _read_passages(self, library: str) -> list[StoredChunk]:
        found: list[StoredChunk] = []
        cursor: str | None = None
        while True:
            documents, _, cursor = await self._library.list_documents(library, filters=Filters(), limit=_PAGE, cursor=cursor)
            for each in documents:
                found += await self._library.section_chunks(library, each.id, 0, _LAST)
            if cursor is None:
                return found

    # ------------------------------------------------------------------------------------------------------------------ reading
    async def find_centres(self, tenant: str, model: str, index: SearchIndex) -> TreeCentres | None:
        found = await self._compare(shared_library(tenant), model, index)
        return found.centres if found is not None else None

    async def _compare(self, library: str, model: str, index: SearchIndex) -> _Centres | None:
        """Return the groups as they are now; they are compared anew where the tree, the model or the passages changed."""
        chunks = (await index.counts()).chunks
        if library in self._built:
            known, built = self._centres.get(library), self._built[library]
            if built is None or (known is not None and known.key == (built, model, chunks)):
                return known
        tree = await self._store.load(library)
        self._built[library] = tree.built_at if tree is not None else None
        if tree is None:
            return None
        vectors = await _load_vectors(index, library, sorted({number for node in tree.nodes for number in node.chunk_ids}))
        self._centres[library] = _Centres((tree.built_at, model, chunks), *compare_groups(tree.nodes, vectors), len(vectors))
        return self._centres[library]

    async def list_summaries(self, tenant: str, *, level: int | None = None, limit: int = 50) -> TreePage:
        library, engine = shared_library(tenant), self._engine()
        tree, compared = await self._store.load(library), await self._compare(library, engine.model, engine.index)
        if tree is None or compared is None:
            return TreePage(reason=NOT_BUILT)
        sizes = dict(zip(compared.numbers, map(len, compared.centres.members), strict=True))
        shown = [number for number in sizes if level is None or tree.nodes[number].level == level]
        shown.sort(key=lambda number: (-tree.nodes[number].level, -sizes[number], number))
        chunks = (await self._library.totals(library)).chunks
        return TreePage(
            summaries=await self._describe(library, tree, shown[:limit], sizes),
            total=len(shown),
            levels=max((each.level for each in tree.nodes), default=0),
            passages=tree.passages,
            stale=tree.passages != chunks or (compared.living != tree.passages and bool(tree.nodes)),
            built_at=tree.built_at,
            reason="" if tree.nodes else f"The library had {tree.passages} passages: there was nothing to group in them.",
        )

    async def _describe(self, library: str, tree: StoredTree, numbers: Sequence[int], sizes: dict[int, int]) -> list[TreeSummary]:
        chunks = await self._library.chunks(library, sorted({each.chunk_id for number in numbers for each in tree.nodes[number].sentences}))
        names = await self._library.names(library, sorted({each.document_id for each in chunks.values()}))
        found = []
        for number in numbers:
            node = tree.nodes[number]
            cited = [
                _cite(chunk, each.start, each.end, names[chunk.document_id].filename)
                for each in node.sentences
                if (chunk := chunks.get(each.chunk_id)) is not None and chunk.document_id in names
            ]
            said = " ".join(" ".join(each.text.split()) for each in cited)
            children = [child for child in node.children if child in sizes]
            found.append(TreeSummary(number=number, level=node.level, passages=sizes[number], child_numbers=children, summary=said, citations=cited))
        return found


async def _load_vectors(index: SearchIndex, library: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
    found: dict[int, NDArray[np.float32]] = {}
    for begin in range(0, len(chunk_ids), _BATCH):
        found |= await index.vectors(library, chunk_ids[begin : begin + _BATCH])
    return found


def _covers(tree: StoredTree, passages: Sequence[StoredChunk]) -> bool:
    """Return whether a tree was built of exactly these passages: ids are never used again."""
    grouped = {number for node in tree.nodes for number in node.chunk_ids}
    return tree.passages == len(passages) and (not grouped or grouped == {each.id for each in passages})


def compare_groups(nodes: Sequence[TreeNode], vectors: dict[int, NDArray[np.float32]]) -> tuple[TreeCentres, tuple[int, ...]]:
    """Return the groups that still have passages, and their numbers."""
    kept: list[tuple[int, list[int]]] = []
    for number, node in enumerate(nodes):
        if living := [each for each in node.chunk_ids if each in vectors]:
            kept.append((number, living))
    means = [np.mean([vectors[each] for each in living], axis=0, dtype=np.float32) for _, living in kept]
    centres = np.stack([mean / max(float(np.linalg.norm(mean)), 1e-9) for mean in means]) if means else np.empty((0, 1), np.float32)
    members = tuple(np.array(living, np.int64) for _, living in kept)
    return TreeCentres(centres.astype(np.float32), members, tuple(nodes[number].level for number, _ in kept)), tuple(number for number, _ in kept)


def _cite(chunk: StoredChunk, start: int, end: int, filename: str) -> CommunityCitation:
    return CommunityCitation(
        document_id=chunk.document_id,
        generation=chunk.generation,
        filename=filename,
        page=chunk.page,
        start=chunk.start + start,
        end=chunk.start + end,
        text=chunk.text[start:end],
    )
