"""The moves of every candidate: one row for each that stood among the first twenty of any stage."""

from __future__ import annotations

from typing import Any

from core.answers import Answer
from core.ports import Library
from core.runs import TraceMove
from core.search import Candidate, DroppedCandidate, Passage, Retrieval

_FIRST = 20
_ROWS = 60


async def trace_candidates(state: dict[str, Any], tenant: str, library: Library) -> list[TraceMove]:
    """Return rows in the order of the final ranking, then what was dropped; labels are "filename › section"."""
    retrieval: Retrieval | None = state.get("retrieval")
    if retrieval is None:
        return []
    candidates = [candidate for candidate in retrieval.candidates if any(stage.rank <= _FIRST for stage in candidate.stages.values())][:_ROWS]
    known = {candidate.chunk_id for candidate in candidates}
    dropped = {each.chunk_id: each for report in retrieval.reports for each in report.dropped if each.chunk_id not in known}
    labels = await _labels(tenant, library, [*candidates, *list(dropped.values())[:_FIRST]])
    ends = _CandidateOutcomes(state.get("passages", []), state.get("answer"))
    rows = [_candidate_row(candidate, position, labels, ends) for position, candidate in enumerate(candidates, 1)]
    return rows + [_dropped_row(each, labels) for each in list(dropped.values())[:_FIRST]]


async def _labels(tenant: str, library: Library, candidates: list[Candidate | DroppedCandidate]) -> dict[int, str]:
    chunks = await library.chunks(tenant, [candidate.chunk_id for candidate in candidates])
    names = await library.names(tenant, list(dict.fromkeys(candidate.document_id for candidate in candidates)))
    labels: dict[int, str] = {}
    for candidate in candidates:
        called, chunk = names.get(candidate.document_id), chunks.get(candidate.chunk_id)
        name = called.filename if called else candidate.document_id
        labels[candidate.chunk_id] = f"{name} › {chunk.section[-1]}" if chunk and chunk.section else name
    return labels


class _CandidateOutcomes:
    """The places where candidates ended: cited, shown, or left behind."""

    def __init__(self, passages: list[Passage], answer: Answer | None) -> None:
        self._passage_of = {chunk: passage for passage in reversed(passages) for chunk in passage.chunks}
        self._citations = answer.citations if answer else []

    def find_outcome(self, candidate: Candidate, position: int) -> tuple[int | None, str]:
        passage = self._passage_of.get(candidate.chunk_id)
        if passage is None:
            return None, f"left behind at place {position}"
        number = next((each.number for each in self._citations if _is_within(each.document_id, each.start, each.end, passage)), None)
        return number, f"cited as [{number}]" if number is not None else "read, not cited"


def _is_within(document_id: str, start: int, end: int, passage: Passage) -> bool:
    return document_id == passage.document_id and start >= passage.start and end <= passage.end


def _candidate_row(candidate: Candidate, position: int, labels: dict[int, str], ends: _CandidateOutcomes) -> TraceMove:
    cited, ended = ends.find_outcome(candidate, position)
    return TraceMove(
        chunk_id=candidate.chunk_id,
        document_id=candidate.document_id,
        label=labels[candidate.chunk_id],
        stages={name: (stage.rank, stage.score) for name, stage in candidate.stages.items()},
        cited_as=cited,
        ended=ended,
    )


def _dropped_row(dropped: DroppedCandidate, labels: dict[int, str]) -> TraceMove:
    return TraceMove(
        chunk_id=dropped.chunk_id,
        document_id=dropped.document_id,
        label=labels[dropped.chunk_id],
        stages={},
        ended=f"dropped at {dropped.stage}: {dropped.reason}",
    )
