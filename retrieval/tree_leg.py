"""The leg along the tree of summaries (RAPTOR): passages and groups of all levels as one list; of a group the passages nearest the question.

A group stands in the list by the cosine of its centre. What is taken of it are passages, never its summary: an answer cites what a document
says. The list ends where its passages fill `TOKEN_BUDGET`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from core.ports import Hit, TreeCentres
from core.search import Degradation
from retrieval.leg import LegResult, LegSearch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TREE_WEIGHT = 0.5  # in the fusion, of the weight of the search for meaning
TOKEN_BUDGET = 2000  # of the passages that the leg brings (Sarthi et al. 2024)
NEAREST = 1  # passages that a group brings
_REACHED = 1000  # passages nearest the question, among which those of a group are looked for
_PART = "raptor"
_OFF = "Trees of summaries are switched off (raptor.enabled): the passages were searched without one."
_NOT_BUILT = "No tree of summaries was built yet (`vantage rag build-tree` does it): the passages were searched without one."


def wants_tree(search: LegSearch) -> bool:
    """Return whether the pipeline `raptor` is asked for."""
    return search.request.use_tree


async def search_tree(search: LegSearch) -> LegResult:
    """Search passages and groups as one list. Without a tree nothing is found, and the result says why."""
    request, embedder = search.request, search.embedder
    if search.trees is None or search.library is None:
        return LegResult((), degraded=Degradation(part=_PART, reason=_OFF))
    tree = await search.trees.find_centres(request.tenant, embedder.name, search.index)
    if tree is None:
        return LegResult((), degraded=Degradation(part=_PART, reason=_NOT_BUILT))
    vector = await embedder.embed_query(request.text)
    near = {hit.chunk_id: hit for hit in await search.index.search_dense(request.tenant, vector, request.filters, _REACHED)}
    listed, groups = list_passages(tree, vector, near, search.depth)
    chunks = await search.library.chunks(request.tenant, [hit.chunk_id for hit in listed])
    left = TOKEN_BUDGET
    found: list[Hit] = []
    for hit in (each for each in listed if each.chunk_id in chunks):
        left -= chunks[hit.chunk_id].tokens
        if left < 0 and found:
            break
        found.append(Hit(hit.chunk_id, hit.document_id, embedder.scale.rescale(hit.score)))
    return LegResult(tuple(found), note=f"{groups} groups of {len(tree.members)} brought passages.")


def list_passages(tree: TreeCentres, vector: NDArray[np.float32], near: Mapping[int, Hit], limit: int) -> tuple[list[Hit], int]:
    """Return at most `limit` passages in the order of the list, each with the score by which it came into it, and how many groups brought some that
    were not in it before."""
    found: dict[int, Hit] = {}
    groups = 0
    for score, hits, is_group in _entries(tree, vector, near):
        new = {hit.chunk_id: Hit(hit.chunk_id, hit.document_id, score) for hit in hits if hit.chunk_id not in found}
        groups += is_group and bool(new)
        found |= new
        if len(found) >= limit:
            break
    return list(found.values())[:limit], groups


def _entries(tree: TreeCentres, vector: NDArray[np.float32], near: Mapping[int, Hit]) -> Iterator[tuple[float, list[Hit], bool]]:
    """Yield passages and groups, best first, with the passages that each brings."""
    scores = (tree.vectors @ vector).tolist() if tree.members else []
    ranked = [(-hit.score, -1, number) for number, hit in near.items()] + [(-score, number, 0) for number, score in enumerate(scores)]
    for score, group, number in sorted(ranked):
        if group < 0:
            yield -score, [near[number]], False
        else:
            own = (near[member] for member in tree.members[group].tolist() if member in near)
            yield -score, sorted(own, key=lambda hit: (-hit.score, hit.chunk_id))[:NEAREST], True
