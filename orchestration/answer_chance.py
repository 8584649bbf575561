"""How likely what was found answers the question: the signals that count for it, and the look at the best passage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.ports import Retriever
from core.search import Intent, Retrieval, RetrievalRequest
from orchestration.state import State

TASK_INTENTS = frozenset({Intent.COMPARISON, Intent.SUMMARIZATION, Intent.ANALYSIS})


@dataclass(frozen=True, slots=True)
class AnswerChance:
    """`probability` maps signals to the chance that the documents answer; from `least` on they seem to. `retriever` reads passages again."""

    retriever: Retriever
    probability: Callable[[Mapping[str, float]], float]
    least: float

    def judge(self, state: State, found: Retrieval) -> float:
        """Return the chance that what was found answers the question."""
        return self.probability(judged_signals(state, found))

    async def with_coverage(self, request: RetrievalRequest, found: Retrieval, first: int) -> Retrieval:
        """Return the retrieval with the share of the question that the best of its `first` passages covers among the signals."""
        head = found.model_copy(update={"candidates": found.candidates[:first]})
        return found.model_copy(update={"signals": (await self.retriever.assemble_passages(request, head, 1))[1].signals})


def judged_signals(state: State, found: Retrieval) -> dict[str, float]:
    """Return the signals that can be judged: no single passage covers a comparison, so a task over several passages goes without the coverage."""
    many = state["classification"].intent in TASK_INTENTS
    return {name: value for name, value in found.signals.items() if not (many and name == "coverage")}
