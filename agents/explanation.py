"""Hermes: why each result is where it is, from the stages that its best passage went through. A phrase, a sentence and three bars."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import Explanation
from core.search import Frozen, StageScore

READ_WHOLE = "read_whole"  # the stage of a passage that no leg found: its document was attached and read from end to end
_FRONT = 5  # a leg "finds" a passage when it stands this far in front


class Journey(Frozen):
    """A result's best passage on its way: where it stood at each stage, the rank at which it is shown, and how often it is cited."""

    document_id: str
    rank: int
    stages: dict[str, StageScore]
    citations: int = 0


async def explain(journeys: Sequence[Journey]) -> list[Explanation]:
    """One explanation for each result, in the same order. Bars are relative to the best result shown, in 0..1."""
    best = {
        stage: max((journey.stages[stage].score for journey in journeys if stage in journey.stages), default=0.0)
        for stage in ("lexical", "dense", "graph")
    }
    return [
        Explanation(document_id=journey.document_id, phrase=phrase_of(journey), sentence=sentence_of(journey), bars=_bars(journey, best))
        for journey in journeys
    ]


def _bars(journey: Journey, best: dict[str, float]) -> dict[str, float]:
    def bar(stage: str) -> float:
        score = journey.stages.get(stage)
        return round(min(1.0, max(0.0, score.score / best[stage])), 3) if score and best[stage] > 0 else 0.0

    return {"lexical": bar("lexical"), "dense": bar("dense"), "links": bar("graph")}


def phrase_of(journey: Journey) -> str:
    """The few words beside a result."""
    if READ_WHOLE in journey.stages:
        return "attached and read whole"
    moved = _moved(journey)
    if moved >= 3:
        return f"moved up {moved} by the reranker"
    lexical, dense = journey.stages.get("lexical"), journey.stages.get("dense")
    if lexical and dense:
        if lexical.rank <= _FRONT and dense.rank <= _FRONT:
            return "both legs agree"
        return "stronger by words" if lexical.rank < dense.rank else "stronger by meaning"
    if lexical:
        return "found by its words alone"
    if dense:
        return "found by meaning alone"
    return "beside a passage that was found"


def sentence_of(journey: Journey) -> str:
    """The way in one sentence, with ranks."""
    if READ_WHOLE in journey.stages:
        return f"It was attached and read whole{_quoted(journey)}."
    parts = []
    if "lexical" in journey.stages:
        parts.append(f"{_ordinal(journey.stages['lexical'].rank)} by its words")
    if "dense" in journey.stages:
        parts.append(f"{_ordinal(journey.stages['dense'].rank)} by meaning")
    way = " and ".join(parts) or "Not found by a leg of its own"
    if "fusion" in journey.stages:
        way += f", {_ordinal(journey.stages['fusion'].rank)} together"
    moved = _moved(journey)
    if moved:
        way += f"; the reranker moved it {'up' if moved > 0 else 'down'} {abs(moved)} to {_ordinal(journey.stages['rerank'].rank)}"
    return f"{way[:1].upper()}{way[1:]}{_quoted(journey)}."


def _quoted(journey: Journey) -> str:
    return f"; quoted {journey.citations} time{'' if journey.citations == 1 else 's'}" if journey.citations else "; not quoted"


def _moved(journey: Journey) -> int:
    """Places gained from the fusion to the rerank; negative for places lost."""
    fusion, rerank = journey.stages.get("fusion"), journey.stages.get("rerank")
    return fusion.rank - rerank.rank if fusion and rerank else 0


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
