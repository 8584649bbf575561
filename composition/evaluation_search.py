"""Questions that measure the search: the graph that answers everybody, without what differs from person to person, calls a model, or is stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from composition.retrieval_tests import describe_test
from composition.run_options import make_run_options
from core.answers import Answer, Evidence
from core.errors import InvalidInput, NotFound, Overloaded
from core.ownership import personal_library
from core.run_inspection import FileExplanation
from core.runs import Trace, TraceView
from core.search_schemas import RunAnswer, SearchRequest, SearchResponse
from orchestration.dependencies import Dependencies
from orchestration.explain_file import explain_file
from orchestration.run_registry import Runs
from orchestration.zeus import Zeus
from retrieval.retriever import HybridRetriever
from server.evaluation_schemas import (
    EvaluationRequest,
    QuestionRequest,
    RetrievalTest,
    RetrievalTestExplainRequest,
    RetrievalTestRequest,
    SearchSetting,
)
from settings import SearchSettings, Settings
from settings_page import TUNABLE, nest_values
from settings_sources import merge_values

EVALUATOR = "evaluation"  # the person that the runs belong to


class EvaluationRuns:
    """Implements `server.services.EvaluationSearch` over the graph that `zeus` has at the moment. One question at a time: their times are compared,
    and each may have settings of its own beside those of its tenant."""

    def __init__(self, zeus: Zeus, settings: Callable[[str], Settings]) -> None:
        self._zeus, self._settings = zeus, settings
        self._own: Zeus | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def ask(self, tenant: str, request: EvaluationRequest, owner: str | None) -> SearchResponse:
        async with self._open(tenant, request, answers=request.answers) as deps:
            response, _ = await self._ask(deps, tenant, _make_request(request, request), owner)
            return response

    async def test(self, tenant: str, request: RetrievalTestRequest, owner: str | None) -> RetrievalTest:
        traces = []
        for setting in (request.left, request.right):
            if setting is not None:
                async with self._open(tenant, setting) as deps:
                    _, trace = await self._ask(deps, tenant, _make_request(request, setting), owner)
                    traces.append(trace)
        return describe_test(traces)

    async def explain(self, tenant: str, request: RetrievalTestExplainRequest, owner: str | None) -> FileExplanation:
        async with self._open(tenant, request.setting) as deps:
            _, trace = await self._ask(deps, tenant, _make_request(request, request.setting), owner)
            return await explain_file(deps, trace, request.document, personal_library(tenant, owner))

    @asynccontextmanager
    async def _open(self, tenant: str, setting: SearchSetting, *, answers: bool = False) -> AsyncIterator[Dependencies]:
        """Open what a search of this setting goes by, when it is its turn. Raises InvalidInput for a setting that cannot be, Overloaded where as many
        wait as questions may run."""
        settings = override_search(self._settings(tenant), setting.settings)
        if self._waiting >= settings.server.max_questions:
            raise Overloaded("As many questions that measure the search wait as may run at the same time.")
        self._waiting += 1
        try:
            async with self._turn:
                with self._zeus.leases.lease() as deps:
                    measured = _make_dependencies(deps.of_tenant(tenant), settings, answers=answers)
                    weights = setting.weights.model_dump() if setting.weights is not None else {}
                    yield replace(measured, options=replace(measured.options, weights=weights))
        finally:
            self._waiting -= 1

    async def _ask(self, deps: Dependencies, tenant: str, asked: SearchRequest, owner: str | None) -> tuple[SearchResponse, Trace]:
        """Run the graph to its end; what it asks back is answered by searching the question as it is written."""
        traces = UnstoredTraces()
        deps = replace(deps, traces=traces)
        if self._own is None:
            self._own = Zeus(deps)
        else:
            self._own.leases.exchange(deps)
        runs = Runs(self._own)
        try:
            run_id = await runs.start(asked, tenant, EVALUATOR, owner=owner)
            response = await runs.result(tenant, run_id)
            if response.clarification_of is not None:
                await runs.answer(tenant, run_id, RunAnswer(skip=True))
                response = await runs.result(tenant, run_id)
            return response, traces.last
        finally:
            await runs.close()


def _make_request(question: QuestionRequest, setting: SearchSetting) -> SearchRequest:
    asked = {name: getattr(setting, name) for name in ("strategy", "pipeline", "diversity_weight", "without")}
    return SearchRequest.model_validate({"query": question.query, "top_k": question.top_k, **asked, "use_memory": False})


def override_search(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Return the settings with other values of the search, by dotted names. Raises InvalidInput for a name that is not TUNABLE, and for a value that
    the setting cannot have."""
    for key in values:
        if key not in TUNABLE:
            raise InvalidInput(f"{key[:100]} cannot be set for one question. These can: {', '.join(sorted(TUNABLE))}.")
    if not values:
        return settings
    merged = settings.search.model_dump()
    merge_values(merged, nest_values(values)["search"])
    try:
        return settings.model_copy(update={"search": SearchSettings.model_validate(merged)})
    except ValidationError as error:
        wrong = "; ".join(
            f"search.{'.'.join(map(str, item['loc']))}: {item['msg'].removeprefix('Value error, ')} (got {item['input']!r})"
            for item in error.errors()
        )
        raise InvalidInput(f"Settings of this question cannot be used: {wrong}") from error


def _make_dependencies(deps: Dependencies, settings: Settings, *, answers: bool) -> Dependencies:
    """Return what a measured run goes by: these settings, no language model, and no memory. Without answers the graph makes none either: what is
    measured then is what the search brought, not what an answer quotes of it."""
    retriever, options = deps.retriever, replace(make_run_options(settings), model_required=False)
    assert isinstance(retriever, HybridRetriever)  # noqa: S101 # `bootstrap` makes no other
    return replace(
        deps,
        retriever=replace(retriever, options=settings.search),
        options=options if answers else replace(options, lazy_rag=None, dual_level=None),
        find_own=lambda _: None,
        memory=None,
        model=None,
        writer=None,
        summary_writer=None,
        comparison_writer=None,
        routing_model=None,
        lazy_writer=None,
        composer=deps.composer if answers else NoComposer(),
        reader=deps.reader if answers else None,
    )


class NoComposer:
    """Implements `core.ports.Composer` and composes nothing."""

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        return Answer(text="", generated_by="none", found=False)


class UnstoredTraces:
    """Implements `core.ports.TraceStore` and stores nothing: `last` is what the latest run left, for as long as somebody looks at it."""

    last: Trace

    async def save(self, trace: Trace) -> None:
        self.last = trace

    async def get(self, tenant: str, trace_id: str, *, user_id: str | None = None) -> Trace:
        raise NotFound("Runs that measure the search are not stored.")

    async def list_recent(
        self, tenant: str, *, limit: int, cursor: str | None, conversation_id: str | None = None, user_id: str | None = None
    ) -> tuple[list[Trace], str | None]:
        return [], None

    async def delete(self, tenant: str, trace_id: str, *, user_id: str | None = None) -> str:
        raise NotFound("Runs that measure the search are not stored.")

    async def record_view(self, tenant: str, trace_ids: Sequence[str], view: TraceView) -> None:
        """Record nothing: there is no run that could be seen."""

    async def prune(self, *, older_than: datetime, keep_bytes: int) -> int:
        return 0
