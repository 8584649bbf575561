"""The stage that keeps to the words that a question demands: passages without them, or with those that it rules out, are let go."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from core.ports import Library
from core.search import Candidate, DroppedCandidate, Passage, Retrieval, RetrievalRequest, StageReport

STAGE = "required"
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class RequiredPatterns:
    """Whole words and phrases, whatever their letter case; white space counts as one space."""

    must: tuple[re.Pattern[str], ...]
    must_not: tuple[re.Pattern[str], ...]

    def find_fault(self, text: str) -> str:
        """Return why a text is dropped; "" for one that stays."""
        plain = " ".join(text.split())
        missing = next((each for each in self.must if not each.search(plain)), None)
        if missing is not None:
            return "a word that was demanded is missing"
        return "a word that was ruled out stands in it" if any(each.search(plain) for each in self.must_not) else ""


def required_words(request: RetrievalRequest) -> RequiredPatterns | None:
    """Return the patterns of a request; None where it demands nothing."""
    if not request.must and not request.must_not:
        return None
    return RequiredPatterns(_phrase_patterns(request.must), _phrase_patterns(request.must_not))


def _phrase_patterns(phrases: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"(?<!\w){re.escape(' '.join(phrase.split()))}(?!\w)", re.IGNORECASE) for phrase in phrases)


async def apply_word_requirements(request: RetrievalRequest, found: Retrieval, library: Library) -> Retrieval:
    """Return the candidates whose own text, heading line included, does what the request demands; the stage's report has the others."""
    words = required_words(request)
    if words is None or not found.candidates:
        return found
    started = time.perf_counter()
    chunks = await library.chunks(request.tenant, [candidate.chunk_id for candidate in found.candidates])
    faults = {each.id: words.find_fault(f"{each.prefix} {each.text}") for each in chunks.values()}
    kept = [candidate for candidate in found.candidates if not faults.get(candidate.chunk_id, "")]
    gone = [candidate for candidate in found.candidates if faults.get(candidate.chunk_id, "")]
    report = StageReport(
        stage=STAGE,
        entered=len(found.candidates),
        left=len(kept),
        duration_ms=round((time.perf_counter() - started) * 1000, 3),
        parameters={"must": request.must, "must_not": request.must_not},
        dropped=[_make_dropped(candidate, faults[candidate.chunk_id]) for candidate in gone[:_SHOWN]],
    )
    return found.model_copy(update={"candidates": kept, "reports": [*found.reports, report]})


def _make_dropped(candidate: Candidate, reason: str) -> DroppedCandidate:
    return DroppedCandidate(chunk_id=candidate.chunk_id, document_id=candidate.document_id, stage=STAGE, score=candidate.score, reason=reason)


def drop_unwanted_passages(request: RetrievalRequest, passages: Sequence[Passage]) -> list[Passage]:
    """Drop passages that took in a word that was ruled out: a passage is wider than its best chunk."""
    words = required_words(request)
    if words is None:
        return list(passages)
    unwanted = RequiredPatterns((), words.must_not)
    return [passage for passage in passages if not unwanted.find_fault(passage.content)]
