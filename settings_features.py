"""The features that can be switched: one row each (docs/decisions/0046). Every setting named `enabled` or `…_enabled` is in a row: a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

Switch = Literal["now", "start"]


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature and the setting that switches it; `off` and `on` are that setting's values. `switch`: `now` can be changed for each tenant while the
    server runs, `start` is read when it starts, for all tenants. `needs` names features without which it does nothing, `part` the part of /health
    that it is done by. `is_opened`: what does it is opened at a start, so that a tenant can switch it off at any time, and on only where it was on
    then."""

    name: str
    setting: str
    effect: str
    switch: Switch = "now"
    off: Any = False
    on: Any = True
    needs: tuple[str, ...] = ()
    part: str = ""
    is_opened: bool = False


_OFF, _AUTO = "off", "auto"
FEATURES: tuple[Feature, ...] = (
    Feature("hybrid_search", "search.hybrid.enabled", "Words are searched for beside the meaning."),
    Feature("rerank", "search.rerank.enabled", "The first candidates are ordered anew by late interaction or a cross-encoder.", part="rerank"),
    Feature("structure", "search.structure.enabled", "The first candidates are ordered anew by where they stand in their documents."),
    Feature("feedback", "search.feedback.enabled", "A question about a topic is moved towards what it finds first."),
    Feature("recounted_words", "search.recounted_enabled", "Words of the first candidates are counted again, with their titles."),
    Feature("spelling", "search.spelling", "Misspelt words of a question are read as words of the library."),
    Feature(
        "cross_language", "search.cross_language", "Questions and passages in different languages find each other.",
        off="never", on=_AUTO, part="other languages", is_opened=True,
    ),
    Feature("graph", "graph.enabled", "Questions use the knowledge graph: names that it knows, and the passages they lead to."),
    Feature("query_routing", "query_routing.enabled", "Questions for the whole library are told from those for passages.", needs=("classifier",)),
    Feature("links", "graph.links_enabled", "Passages are scored again by the titles and phrases that link them.", needs=("graph",)),
    Feature(
        "graph_rerank", "graph_reranker.enabled", "Passages are ordered anew by how near they are in the graph, and by what happened of late.",
        needs=("graph",),
    ),
    Feature("ontologies", "ontology.support_enabled", "Ontologies can be loaded, listed and removed.", switch="start"),
    Feature("entity_classes", "ontology.auto_type", "Entities get classes of the loaded ontologies.", switch="start", needs=("graph", "ontologies")),
    Feature("communities", "community.detection_enabled", "Themes are found in the knowledge graph.", off=_OFF, on=_AUTO),
    Feature("raptor", "raptor.enabled", "Requests of the pipeline raptor search a tree of summaries beside the passages."),
    Feature("lazy_rag", "lazy_rag.enabled", "A question that no overview answers gets a summary of the graph.", needs=("graph", "query_routing")),
    Feature(
        "dual_level", "dual_level.retrieval_enabled", "A question for both is answered by themes, and under each its facts.",
        needs=("graph", "communities", "query_routing"),
    ),
    Feature("classifier", "agents.classifier.enabled", "Questions are read for what they want; otherwise each is a search."),
    Feature(
        "classifier_model", "agents.classifier.use_llm_fallback", "The language model is asked what a question wants where the rules are not sure.",
        needs=("classifier", "language_model"),
    ),
    Feature("planner", "agents.planner.enabled", "A question that needs several searches is taken apart."),
    Feature("correction", "agents.correction.enabled", "A search that finds too little is tried again in another way."),
    Feature("reader", "answers.reader_enabled", "The best passages are read for the answer itself.", part="reader"),
    Feature("tables", "answers.tables_enabled", "Questions about figures in tables are computed."),
    Feature("language_model", "llm.enabled", "A language model writes answers.", part="language model"),
    Feature("ollama", "ollama.enabled", "The language model is one of Ollama, where that answers.", switch="start", off=_OFF, on=_AUTO),
    Feature("memory", "memory.enabled", "Earlier questions and preferences of a person are remembered."),
    Feature("notes", "memory.agentic_memory.enabled", "Notes are made of what was learned, and offered.", needs=("memory",)),
    Feature("notes_from_answers", "memory.agentic_memory.from_answers", "Answers of high confidence become notes, too.", needs=("notes",)),
    Feature("graph_by_model", "graph.use_model", "The language model adds to the knowledge graph.", switch="start", part="language model"),
    Feature("summaries_by_model", "ingestion.use_model", "The language model describes each document.", switch="start", part="language model"),
    Feature("text_recognition", "ingestion.ocr.enabled", "Text is recognised in scanned pages and pictures.", switch="start"),
    Feature(
        "picture_descriptions", "ingestion.ocr.describe_images", "A vision model says what pictures show.",
        switch="start", needs=("text_recognition",), part="vision model",
    ),
    Feature("watching", "ingestion.watch.enabled", "Indexed folders keep themselves current (POST /watcher/enable switches it).", switch="start"),
)  # fmt: skip
BY_NAME: Mapping[str, Feature] = {feature.name: feature for feature in FEATURES}


def read_flags(settings: BaseModel) -> dict[str, bool]:
    """Return which features are switched on, with what they need."""
    own = {feature.name: read_setting(settings, feature.setting) != feature.off for feature in FEATURES}

    def is_on(name: str) -> bool:
        return own[name] and all(is_on(needed) for needed in BY_NAME[name].needs)

    return {name: is_on(name) for name in own}


def read_setting(settings: BaseModel, key: str) -> Any:
    """Return the value of a dotted name."""
    value: Any = settings
    for part in key.split("."):
        value = getattr(value, part)
    return value
