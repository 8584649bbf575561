"""Asking every question of a set, and what came back as a run."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from commands.evaluation_library import EvaluationLibrary
from commands.progress_display import ProgressStep, State, show_states
from evaluation.evaluation_sets import EvaluationQuestion, EvaluationSet
from evaluation.measured_questions import MeasuredQuestion, depth_for, measure_response
from evaluation.stored_runs import EvaluationRun, make_run_id

WARM_UP = 1  # questions that are asked before the first is measured: models load with them


@dataclass(frozen=True, slots=True)
class MeasuringOptions:
    """How the questions are searched, and how deep they are measured. `answers` makes the answers, too, which tells what is refused."""

    k: int = 10
    strategy: str = "auto"
    pipeline: str = "auto"
    without: tuple[str, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    answers: bool = False

    def request(self, question: str) -> dict[str, Any]:
        """Return the body of POST /evaluation/search."""
        how = {"strategy": self.strategy, "pipeline": self.pipeline, "without": list(self.without), "settings": self.settings}
        return {"query": question, "top_k": depth_for(self.k), "answers": self.answers, **how}


async def measure_set(library: EvaluationLibrary, chosen: EvaluationSet, options: MeasuringOptions, *, quiet: bool) -> EvaluationRun:
    """Ask all questions, one after the other, and show how far it is."""
    started = datetime.now(UTC)
    measured = await measure_questions(library, chosen.questions, options, quiet=quiet)
    return EvaluationRun(
        id=make_run_id(chosen.name, started),
        set_name=chosen.name,
        started_at=started,
        k=options.k,
        strategy=options.strategy,
        pipeline=options.pipeline,
        without=list(options.without),
        settings=options.settings,
        embedder=library.embedder,
        documents=library.documents,
        questions=measured,
    )


async def measure_questions(
    library: EvaluationLibrary, questions: Sequence[EvaluationQuestion], options: MeasuringOptions, *, quiet: bool, note: str = ""
) -> list[MeasuredQuestion]:
    """Ask these questions; `note` says behind the progress what for."""
    measured: list[MeasuredQuestion] = []

    async def states() -> AsyncIterator[State]:
        for question in questions:
            measured.append(await _measure(library, question, options))
            yield {"done": len(measured), "total": len(questions)}

    for question in questions[:WARM_UP]:
        await library.client.post("/evaluation/search", options.request(question.text))
    await show_states(states(), lambda state: ProgressStep(state["done"], state["total"], "questions", note), quiet=quiet)
    return measured


async def _measure(library: EvaluationLibrary, question: EvaluationQuestion, options: MeasuringOptions) -> MeasuredQuestion:
    started = time.perf_counter()
    response = await library.client.post("/evaluation/search", options.request(question.text))
    ms = (time.perf_counter() - started) * 1000
    return measure_response(question, response, ms, k=options.k, answers=options.answers, names=library.names)
