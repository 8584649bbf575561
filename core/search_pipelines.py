"""What each pipeline searches by: the one table from a request's `pipeline` to its legs, its strategy and its kind of answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.search import StrategyName
from core.search_schemas import PipelineName, SearchRequest, StageName


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A way to search. `strategy` is taken where the request names none (None: as the question asks), `without` are the stages that it lacks. False
    `words` searches by meaning alone. With `tree` the tree of summaries is searched beside the passages, with `graph` the knowledge graph is needed,
    and answers are made on two levels where these are switched on."""

    strategy: StrategyName | None = None
    without: tuple[StageName, ...] = ()
    words: bool = True
    graph: bool = False
    tree: bool = False


_NO_GRAPH: tuple[StageName, ...] = ("graph", "links")
PIPELINES: Mapping[PipelineName, Pipeline] = {
    "basic": Pipeline(words=False, without=_NO_GRAPH),
    "hybrid": Pipeline("hybrid", _NO_GRAPH),
    "graphrag": Pipeline("exploratory", graph=True),
    "raptor": Pipeline("hybrid", _NO_GRAPH, tree=True),
    "auto": Pipeline(),
}


def apply_pipeline(request: SearchRequest) -> SearchRequest:
    """Return the request as its pipeline has it searched."""
    pipeline = PIPELINES[request.pipeline]
    strategy = pipeline.strategy if pipeline.strategy is not None and request.strategy == "auto" else request.strategy
    without = [*request.without, *(stage for stage in pipeline.without if stage not in request.without)]
    return request.model_copy(update={"strategy": strategy, "without": without, "use_hybrid": request.use_hybrid and pipeline.words})
