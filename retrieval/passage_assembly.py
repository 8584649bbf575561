"""From ranked chunks to passages, small to big: the chunks that match are small, what is read of a document is larger.

Three times as many chunks as passages are looked at. Neighbours of one section become one piece of text, exactly as it stands in the document,
however many of its chunks matched: a window of at most the budget that lies where the matches are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from core.documents import StoredChunk
from core.ports import REFERENCE_SCALE, Library, SearchIndex, SimilarityScale
from core.search import Candidate, Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OVERFETCH = 3  # chunks that are looked at for each passage
MIN_CANDIDATES = 5  # chunks that are looked at however few passages are wanted
GAP = 1  # chunks between two found ones that are taken in for the sake of one readable text


@dataclass(frozen=True, slots=True)
class PassageAssembly:
    """Merging of chunks into passages of up to `budget` tokens. Chunks that were not found join only where they close a gap between found
    ones."""

    library: Library
    index: SearchIndex
    budget: int
    scale: SimilarityScale = REFERENCE_SCALE

    async def assemble(
        self, tenant: str, candidates: Sequence[Candidate], limit: int, known: Mapping[int, StoredChunk] | None = None
    ) -> list[Passage]:
        """Return at most `limit` passages, in the order of their best chunks; no character is in two of them, however chunks overlap. Chunks that
        vanished meanwhile are left out, and passages whose text did. `known` are the candidates' chunks, where they were looked up before.
        """
        chunks = known if known is not None else await self.library.chunks(tenant, [candidate.chunk_id for candidate in candidates])
        found = [candidate for candidate in candidates if candidate.chunk_id in chunks]
        ranked = [chunks[candidate.chunk_id] for candidate in found]
        runs = group_runs(ranked, self.budget, limit)
        anchors = {candidate.chunk_id: candidate for candidate in reversed(found)}
        passages: list[Passage] = []
        for run in runs[:limit]:
            whole = await self._close_gaps(tenant, run)
            best = max((anchors[chunk.id] for chunk in whole if chunk.id in anchors), key=lambda candidate: candidate.score)
            taken = [(passage.start, passage.end) for passage in passages if passage.document_id == best.document_id]
            span = _unshown_span(chunks[best.chunk_id], (whole[0].start, max(chunk.end for chunk in whole)), taken)
            if span is not None and (made := await self._make_passage(tenant, whole, best, span)) is not None:
                passages.append(made)
        return passages

    async def _close_gaps(self, tenant: str, run: list[StoredChunk]) -> list[StoredChunk]:
        """Return the run with the chunks in its gaps, if all of it still fits the budget."""
        first, last = run[0].ordinal, run[-1].ordinal
        if last - first + 1 == len(run):
            return run
        whole = await self.library.section_chunks(tenant, run[0].document_id, first, last)
        return whole if {chunk.id for chunk in run} <= {chunk.id for chunk in whole} else run

    async def _make_passage(self, tenant: str, run: Sequence[StoredChunk], anchor: Candidate, span: tuple[int, int]) -> Passage | None:
        run = [chunk for chunk in run if chunk.start < span[1] and span[0] < chunk.end]
        ids = [chunk.id for chunk in run]
        vectors = await self.index.vectors(tenant, ids) if len(ids) > 1 else {}
        content = await self._read_text(tenant, run, *span)
        if content is None:
            return None
        start = span[0] + len(content) - len(content.lstrip())
        end = span[1] - len(content) + len(content.rstrip())
        return Passage(
            content=content.strip(),
            section=run[0].section,
            document_id=run[0].document_id,
            start=start,
            end=end,
            chunks=ids,
            page=run[0].page,
            anchor=anchor.chunk_id,
            anchor_score=anchor.score,
            coherence_score=coherence([vectors[chunk_id] for chunk_id in ids if chunk_id in vectors], self.scale),
            stages=anchor.stages,
        )

    async def _read_text(self, tenant: str, run: Sequence[StoredChunk], start: int, end: int) -> str | None:
        """Return text[start:end] of the document, from the chunks alone where they touch or overlap; None where the document is no longer that of the
        chunks."""
        parts, reached = [], start
        for chunk in run:
            if chunk.start > reached:
                content = (await self.library.contents(tenant, [chunk.document_id])).get(chunk.document_id)
                return content.text[start:end] if content is not None and content.generation == chunk.generation else None
            parts.append(chunk.text[reached - chunk.start :])
            reached = max(reached, chunk.end)
        return "".join(parts)[: end - start]


def _unshown_span(anchor: StoredChunk, span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the part of `span` with the anchor that no better passage shows already; None where they show all of the anchor."""
    start, end = span
    for first, last in taken:
        if first <= anchor.start and anchor.end <= last:
            return None
        if anchor.start < first:
            end = min(end, first)
        else:
            start = max(start, last)
    return (start, end) if start < end else None


def group_runs(ranked: Sequence[StoredChunk], budget: int, limit: int) -> list[list[StoredChunk]]:
    """Group chunks, best first, into runs of one section, each within `budget` tokens, ordered by ordinal; the runs in the order of their best chunk.

    Two chunks join where at most GAP chunks lie between them; a gap counts with the size of the larger of its sides. Behind OVERFETCH chunks for
    each of the `limit` runs that are wanted a chunk is looked at only while there are fewer runs, and makes no run longer: what matched that
    weakly is read in vain.
    """
    runs: list[list[StoredChunk]] = []
    enough = max(OVERFETCH * limit, MIN_CANDIDATES)
    for place, chunk in enumerate(ranked):
        if place >= enough and len(runs) >= limit:
            break
        near = [run for run in runs if _joins(run, chunk, budget)]
        if not near:
            runs.append([chunk])
            continue
        if place >= enough:
            continue
        near[0].append(chunk)
        near[0].sort(key=lambda each: each.ordinal)
        if len(near) > 1 and _token_count(near[0] + near[1]) <= budget:  # the chunk was the bridge between two runs
            near[0].extend(near[1])
            near[0].sort(key=lambda each: each.ordinal)
            runs.remove(near[1])
    return runs


def _joins(run: Sequence[StoredChunk], chunk: StoredChunk, budget: int) -> bool:
    same = run[0].document_id == chunk.document_id and run[0].generation == chunk.generation and run[0].section == chunk.section
    close = run[0].ordinal - GAP - 1 <= chunk.ordinal <= run[-1].ordinal + GAP + 1
    return same and close and _token_count([*run, chunk]) <= budget


def _token_count(chunks: Sequence[StoredChunk]) -> int:
    """Return tokens of the run with its gaps."""
    ordered = sorted(chunks, key=lambda chunk: chunk.ordinal)
    gaps = sum((after.ordinal - before.ordinal - 1) * max(before.tokens, after.tokens) for before, after in pairwise(ordered))
    return gaps + sum(chunk.tokens for chunk in ordered)


def coherence(vectors: Sequence[NDArray[np.float32]], scale: SimilarityScale = REFERENCE_SCALE) -> float:
    """Mean scaled cosine between neighbouring chunks; 1 for a single one."""
    pairs = [scale.rescale(float(before @ after)) for before, after in pairwise(vectors)]
    return sum(pairs) / len(pairs) if pairs else 1.0
