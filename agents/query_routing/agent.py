"""The router: whether a question is about the library as a whole, about something in it, or both. The only place that decides that.

Words are one signal; that the question names an entity of the knowledge graph, a title or a file is another, and so is, once it was searched, how
far the best passage stands out. The share of what speaks for the whole decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, ConfigDict, Field

from agents.query_routing.overview_questions import asks_for_all_themes, overview_aspect
from agents.query_routing.word_signals import find_word_signals
from agents.text.question_words import find_names
from core.errors import ModelUnavailable, Unavailable
from core.graph import EntityType
from core.ports import ChatModel, KnowledgeGraph
from core.prompts import load_prompt
from core.query_routes import Aspect, QueryRoute, QueryType, Scope, ScopeSignal
from core.search import Candidate, Degradation
from core.structured_output import ask_model

PROMPT = "query_routing"
_GLOBAL_FROM, _LOCAL_TO = 0.7, 0.3  # share of the signals that speak for the whole
_CLEAR, _MIXED, _SILENT = 0.8, 0.6, 0.3  # confidence
_MOST_NAMES = 2  # names of the question that count, each
_EIGHTH, _PEAK = 8, 0.7  # the eighth passage's cosine over the best one's, below which the best one stands out (decision 43)
_NAMELESS = frozenset({EntityType.DATE, EntityType.AMOUNT})


@dataclass(frozen=True, slots=True)
class QueryRouter:
    """The ports and bounds of the router. `llm` None: rules alone. `summarizes`: a global question that no overview answers gets a summary of the
    graph; else one that a request asks for is answered by the themes. `has_levels`: a hybrid one is answered on two levels. `scope` is what the
    request asks for; `prefers_levels`: where it asks for none, what is no question for the whole library is answered on two levels, too."""

    llm: ChatModel | None = None
    graph: KnowledgeGraph | None = None
    enabled: bool = True
    threshold: float = 0.7
    summarizes: bool = False
    has_levels: bool = False
    scope: Scope = "auto"
    prefers_levels: bool = False


WORDS_ALONE = QueryRouter()


@dataclass(frozen=True, slots=True)
class RoutedQuery:
    """A route with what it took: tokens, the prompt's sha and the parts that did not run."""

    route: QueryRoute
    degraded: list[Degradation] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)


class RouterReply(BaseModel):
    """The shape of the model's reply."""

    model_config = ConfigDict(extra="ignore")
    query_type: QueryType
    confidence: float = Field(ge=0.0, le=1.0)
    reasoning: str = Field(default="", max_length=300)


async def route_query(question: str, tenant: str, *, router: QueryRouter) -> RoutedQuery:
    """Return the route of a question. Never fails for want of the graph or a model: the words stand in, and it says so."""
    if router.scope != "auto":
        return RoutedQuery(_fix_route(question, router.scope, router))
    routed = await _read_route(question, tenant, router)
    if not (router.prefers_levels and router.has_levels) or routed.route.query_type == "global":
        return routed
    asked = _make_route("hybrid", 1.0, routed.route.global_weight, "The pipeline asks for an answer on two levels.")
    return replace(routed, route=asked.model_copy(update={"by": "request"}))


async def _read_route(question: str, tenant: str, router: QueryRouter) -> RoutedQuery:
    """Return the route that the question's words and names give, and the model where these leave it open."""
    if not router.enabled:
        return RoutedQuery(_make_route("local", 1.0, 0.0, "The router is switched off (query_routing.enabled)."))
    if aspect := overview_aspect(question):
        said = ScopeSignal(scope="global", reason=f"it asks for the {aspect} of the library")
        return RoutedQuery(weigh_signals([said]).model_copy(update={"aspect": aspect}))
    signals, lost = find_word_signals(question), list[Degradation]()
    if router.graph is not None and {each.scope for each in signals} != {"local"}:
        try:
            signals += await _find_names(question, tenant, router.graph)
        except Unavailable as error:
            lost = [Degradation(part="router", reason=f"{error} Whether the question names something known was not looked up.")]
    route = weigh_signals(signals)
    routed = RoutedQuery(route, lost)
    if route.confidence < router.threshold and router.llm is not None:
        routed = await _ask_model(question, routed, router.llm, router.threshold)
    if routed.route.query_type != "global":
        return routed
    aspect = "themes" if asks_for_all_themes(question) else "summary" if router.summarizes else ""
    return replace(routed, route=routed.route.model_copy(update={"aspect": aspect}))


def weigh_signals(signals: Sequence[ScopeSignal]) -> QueryRoute:
    """Return the route by the share of the signals that speak for the library as a whole."""
    whole = sum(each.weight for each in signals if each.scope == "global")
    total = sum(each.weight for each in signals)
    if not total:
        return _make_route("hybrid", _SILENT, 0.5, "Nothing says whether one place or the whole library is meant.")
    share = whole / total
    kind: QueryType = "global" if share >= _GLOBAL_FROM else "local" if share <= _LOCAL_TO else "hybrid"
    reasons = "; ".join(each.reason for each in signals)
    route = _make_route(kind, _MIXED if kind == "hybrid" else _CLEAR, share, f"{reasons[:1].upper()}{reasons[1:]}.")
    return route.model_copy(update={"signals": list(signals)})


def weigh_scores(route: QueryRoute, candidates: Sequence[Candidate], threshold: float) -> QueryRoute:
    """Return the route after a search: where the rules were not sure, a passage that stands out speaks for one place."""
    cosines = sorted((each.stages["dense"].score for each in candidates if "dense" in each.stages), reverse=True)
    unsure = route.by == "rules" and route.confidence < threshold
    if not unsure or len(cosines) < _EIGHTH or cosines[0] <= 0 or cosines[_EIGHTH - 1] / cosines[0] >= _PEAK:
        return route
    said = ScopeSignal(scope="local", reason=f"the best passage stands out (the eighth has {cosines[_EIGHTH - 1] / cosines[0]:.2f} of its score)")
    return weigh_signals([*route.signals, said])


async def _find_names(question: str, tenant: str, graph: KnowledgeGraph) -> list[ScopeSignal]:
    """Return a signal for each name of the question that the library knows: entities, titles and files."""
    known = await graph.question_names(tenant, find_names(question), question, _MOST_NAMES)
    entities = [each.entity.name for each in known.entities if each.how != "fuzzy" and each.entity.entity_type not in _NAMELESS]
    named = [f"it names {name}" for name in entities] + [f"it names the document “{title}”" for title in known.documents[:_MOST_NAMES]]
    return [ScopeSignal(scope="local", reason=each) for each in dict.fromkeys(named)]


def _make_route(kind: QueryType, confidence: float, share: float, reasoning: str) -> QueryRoute:
    share = round(share, 3)
    return QueryRoute(query_type=kind, confidence=confidence, reasoning=reasoning, global_weight=share, local_weight=round(1 - share, 3))


def _fix_route(question: str, kind: QueryType, router: QueryRouter) -> QueryRoute:
    """Return the route that a request asks for; what is switched off of it is said."""
    share = {"global": 1.0, "local": 0.0, "hybrid": 0.5}[kind]
    aspect: Aspect = ""
    instead = ""
    if kind == "global":
        aspect = overview_aspect(question) or ("summary" if router.summarizes else "themes")
    if kind == "global" and not router.summarizes:
        instead = " Lazy summaries are switched off (lazy_rag.enabled), so an overview answers."
    elif kind == "hybrid" and not router.has_levels:
        instead = " Answers on two levels are switched off (dual_level.retrieval_enabled), so passages answer."
    route = _make_route(kind, 1.0, share, f"The request asks for this scope.{instead}")
    return route.model_copy(update={"by": "request", "aspect": aspect})


async def _ask_model(question: str, routed: RoutedQuery, llm: ChatModel, threshold: float) -> RoutedQuery:
    """Return the model's route where it is surer than the threshold, else the hybrid one of the rules."""
    by_rules, lost, prompt = routed.route, routed.degraded, load_prompt(PROMPT)
    try:
        asked = await ask_model(llm, prompt, {"question": question}, RouterReply, share=0.25)
    except ModelUnavailable as error:
        return RoutedQuery(by_rules, [*lost, Degradation(part="router", reason=f"{error} The rules alone chose the scope.")])
    reply = asked.reply
    spent = {"input": asked.input_tokens, "output": asked.output_tokens}
    if reply.confidence < threshold:
        return RoutedQuery(by_rules, lost, spent, {prompt.name: prompt.sha})
    share = {"global": 1.0, "local": 0.0, "hybrid": by_rules.global_weight}[reply.query_type]
    route = _make_route(reply.query_type, reply.confidence, share, reply.reasoning or by_rules.reasoning)
    return RoutedQuery(route.model_copy(update={"by": llm.name, "signals": by_rules.signals}), lost, spent, {prompt.name: prompt.sha})
