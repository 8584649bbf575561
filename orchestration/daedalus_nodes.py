"""The three nodes of Daedalus's sub-graph, for one document each: read, analyse, find insights; the last two are known from before where the
content was studied already."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agents.attached import agent as attached_agent
from agents.attached.agent import Material, Prometheus
from agents.document_analyzer import agent as document_analyzer_agent
from agents.document_insights import agent as document_insights_agent
from core.errors import NotFound, VantageError
from core.graph import EntityType
from core.insights import AttachedFile, DocumentInsights, SemanticAnalysis
from core.ports import ChatModel, KnowledgeGraph
from core.ports.attached_files import InsightKey, InsightStore
from core.prompts import load_prompt
from core.search import Degradation
from orchestration.node_adapter import NodeResult
from orchestration.response import format_count

_NAMED = frozenset({EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION, EntityType.CONCEPT, EntityType.IDENTIFIER})
Result = TypeVar("Result", bound=BaseModel)
KNOWN_NOTE = "Known from before."


async def read_document(state: Mapping[str, Any], *, tenant: str, prometheus: Prometheus) -> NodeResult:
    """Read the document with its text, or why it cannot be read."""
    asked = state["asked"]
    found = await attached_agent.read_attachment(asked, tenant=tenant, prometheus=prometheus)
    file, writes = found.file, {"files": {asked: found.file}}
    if found.material is None:
        return NodeResult(writes, f"Cannot be read: {file.reason}", (Degradation(part=file.filename, reason=file.reason),))
    size = ", ".join(
        filter(None, [format_count(file.pages, found.material.document.page_unit or "page") if file.pages else "", f"{file.characters:,} characters"])
    )
    partly = f" Only in part: {file.reason}" if file.state == "partial" else ""
    return NodeResult({**writes, "material": found.material}, f"{size}.{partly}")


def failed_file(asked: str, name: str) -> AttachedFile:
    """Return the report of a file whose reading broke down."""
    return AttachedFile(document_id=asked, filename=name, state="failed", reason="Reading it broke down inside Vantage. Try again.")


@dataclass(frozen=True, slots=True)
class StudyPorts:
    """The ports of those who study a document: the names that the graph knows in it, the model, and what is known of it from before."""

    tenant: str
    graph: KnowledgeGraph | None
    llm: ChatModel | None
    known: InsightStore | None


async def analyse_document(state: Mapping[str, Any], *, ports: StudyPorts) -> NodeResult:
    material, file = state["material"], _file(state)
    model = _model(state, ports)
    key = _insight_key(
        material, "hypatia", f"{document_analyzer_agent.VERSION} {load_prompt(document_analyzer_agent.PROMPT).sha if model else ''}", model
    )
    known = await _load_result(SemanticAnalysis, key, ports)
    if known is not None:
        return NodeResult(
            _write_file(state, file.model_copy(update={"analysis": known, "cached": True})), f"{_describe_analysis(known)} {KNOWN_NOTE}"
        )
    found = await document_analyzer_agent.analyze(material, entities=await _entities(material, ports), llm=model)
    lost = found.degraded or await _store_result(found.analysis, key, ports)
    writes = _write_file(state, file.model_copy(update={"analysis": found.analysis}))
    return NodeResult(writes, _describe_analysis(found.analysis), lost, tokens=found.tokens, prompts=found.prompts)


async def find_insights(state: Mapping[str, Any], *, ports: StudyPorts) -> NodeResult:
    material, file = state["material"], _file(state)
    model = _model(state, ports)
    by = model.name if model else "rules"
    key = _insight_key(
        material, "mnemosyne", f"{document_insights_agent.VERSION} {load_prompt(document_insights_agent.PROMPT).sha if model else ''}", model
    )
    known = await _load_result(DocumentInsights, key, ports)
    if known is not None:
        update = {"insights": known, "cached": file.cached or file.analysis is None, "generated_by": by}
        return NodeResult(_write_file(state, file.model_copy(update=update)), f"{_describe_insights(known)} {KNOWN_NOTE}")
    found = await document_insights_agent.find_insights(material, entities=await _entities(material, ports), llm=model)
    lost = found.degraded or await _store_result(found.insights, key, ports)
    update = {"insights": found.insights, "cached": False, "generated_by": found.generated_by}
    dropped = f" {format_count(found.dropped, 'line')} of the model left out: not in the text." if found.dropped else ""
    return NodeResult(
        _write_file(state, file.model_copy(update=update)),
        _describe_insights(found.insights) + dropped,
        lost,
        tokens=found.tokens,
        prompts=found.prompts,
    )


def _file(state: Mapping[str, Any]) -> AttachedFile:
    file: AttachedFile = state["files"][state["asked"]]
    return file


def _write_file(state: Mapping[str, Any], file: AttachedFile) -> dict[str, Any]:
    return {"files": {state["asked"]: file}}


def _model(state: Mapping[str, Any], ports: StudyPorts) -> ChatModel | None:
    return ports.llm if state.get("answering") else None


def _describe_analysis(found: SemanticAnalysis) -> str:
    article = "An" if found.document_type[:1] in "aeiou" else "A"
    about = f" about {', '.join(found.key_concepts[:3])}" if found.key_concepts else ""
    return f"{article} {found.document_type}{about}; {found.sentiment} in tone, {found.complexity} to read. {found.structure.capitalize()}."


def _describe_insights(found: DocumentInsights) -> str:
    parts = [
        format_count(len(found.key_points), "key point"),
        format_count(len(found.action_items), "action"),
        format_count(len(found.questions_raised), "open question"),
        format_count(len(found.entities), "name"),
    ]
    return f"{', '.join(parts)}."


async def _entities(material: Material, ports: StudyPorts) -> Sequence[str]:
    """Return what the graph knows in the document, most mentioned first; nothing where there is no graph."""
    if ports.graph is None:
        return []
    try:
        found = await ports.graph.document_entities(ports.tenant, material.document.id)
    except NotFound:
        return []
    return [each.entity.name for each in found.entities if each.entity.entity_type in _NAMED]


def _insight_key(material: Material, agent: str, version: str, model: ChatModel | None) -> InsightKey:
    """Return the key: the content, and all else that a result depends on: the agent's rules and prompt, and the text as this release reads it."""
    document = material.document
    read_as = f"{version}\0{document.doc_type}\0{document.language}\0{document.title}\0{'|'.join(document.keywords)}\0{material.content.text}"
    digest = hashlib.sha256(read_as.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return InsightKey(document.content_hash, agent, digest, model.name if model else "")


async def _load_result(kind: type[Result], key: InsightKey, ports: StudyPorts) -> Result | None:
    """From before. A store that does not answer, or holds what this release cannot read, is as one that knows nothing."""
    if ports.known is None:
        return None
    try:
        body = await ports.known.get(ports.tenant, key)
        return kind.model_validate_json(body) if body is not None else None
    except (VantageError, ValidationError):
        return None


async def _store_result(found: BaseModel, key: InsightKey, ports: StudyPorts) -> tuple[Degradation, ...]:
    if ports.known is None:
        return ()
    try:
        await ports.known.put(ports.tenant, key, found.model_dump_json())
    except VantageError as error:
        return (Degradation(part="insights", reason=f"{error} The result was not kept for the next time."),)
    return ()
