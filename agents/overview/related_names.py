"""What is related to a name, as an answer: its strongest relationships in the knowledge graph, each with a sentence that states it."""

from __future__ import annotations

import re

from agents.graph_expansion.agent import relation_words
from agents.overview.agent import PART, WHOLE
from core.answers import Answer, AnswerSentence, Citation
from core.cited_answers import CitationNumbers, cited_text
from core.documents import BlockKind
from core.errors import VantageError
from core.graph import Entity, GraphEvidence, Neighbourhood, Relationship
from core.ports import KnowledgeGraph, Library
from core.search import EVERYTHING, Degradation, Filters

MOST_RELATIONS = 8
_READ, _READ_WITHIN_LIMITS = 40, 200  # entities around the name that are looked at
_MOST_IDS = 200  # documents that are asked for at once
_NAME = r"[\"“„'«]?(?P<{group}>[^?\"“”„»]{{2,120}}?)[\"”“'»]?\s*[?.!]*\s*$"
_RELATED = r"(?:related|connected|linked|associated)"
_QUESTIONS = tuple(
    re.compile(rf"^\W*{opening}{_NAME.format(group='name')}" if closing is None else rf"^\W*{opening}(?P<name>.{{2,120}}?)\s+{closing}\W*$", re.I)
    for opening, closing in (
        (rf"(?:what|who|which\s+\w+)\s+(?:all\s+)?(?:is|are)\s+{_RELATED}\s+(?:to|with)\s+", None),
        (r"(?:what|who|whom)\s+(?:is|are)\s+", rf"{_RELATED}\s+(?:to|with)"),
        (r"(?:was|wer)\s+(?:hängt|hängen|steht|ist)\s+mit\s+", r"(?:zusammen|in\s+(?:verbindung|beziehung)|verbunden|verknüpft)"),
        (r"(?:womit|mit\s+wem)\s+(?:hängt|hängen|steht|ist|sind)\s+", r"(?:zusammen|in\s+(?:verbindung|beziehung)|verbunden|verknüpft)"),
    )
)


def related_name(question: str) -> str:
    """Return the name whose relations a question asks for; "" for any other question."""
    plain = " ".join(question.split())
    found = (pattern.match(plain) for pattern in _QUESTIONS) if len(plain) <= 200 else ()
    return next((match["name"].strip(" \"“”„'«»") for match in found if match is not None), "")


async def describe_relations(name: str, tenant: str, graph: KnowledgeGraph | None, library: Library, limits: Filters = EVERYTHING) -> Answer:
    """Return what the documents, those within limits, relate to a name, the strongest first; an unknown name is told to be one."""
    if graph is None:
        return _untold("There is no knowledge graph in this library, so what is related to a name cannot be told.")
    try:
        matches = await graph.match(tenant, [name], name, 1)
        if not matches:
            return _untold(f"Your documents name nothing called “{name}”, so nothing is known to be related to it.")
        around = await graph.neighbourhood(tenant, matches[0].entity.id, hops=1, limit=_READ if limits.is_empty() else _READ_WITHIN_LIMITS)
    except VantageError as error:
        lost = Degradation(part="graph", reason=f"{error} What is related to a name was not looked up.")
        return _untold(f"What is related to “{name}” cannot be told now.").model_copy(update={"degraded": [lost]})
    if limits.is_empty():
        return _build_answer(around, WHOLE)
    return _build_answer(await _keep_within(around, tenant, library, limits), PART)


async def _keep_within(around: Neighbourhood, tenant: str, library: Library, limits: Filters) -> Neighbourhood:
    """Return the surroundings with the sentences of documents within limits alone, and the relationships that these state."""
    named = {each for relationship in around.relationships for each in relationship.document_ids}
    asked = sorted(named & set(limits.document_ids) if limits.document_ids else named)
    allowed: set[str] = set()
    for start in range(0, len(asked), _MOST_IDS):
        part = limits.model_copy(update={"document_ids": asked[start : start + _MOST_IDS]})
        page, _, _ = await library.list_documents(tenant, filters=part, limit=_MOST_IDS)
        allowed |= {document.id for document in page}
    kept = [
        each.model_copy(
            update={
                "evidence": [said for said in each.evidence if said.document_id in allowed],
                "document_ids": [document for document in each.document_ids if document in allowed],
            }
        )
        for each in around.relationships
    ]
    return around.model_copy(update={"relationships": kept})


def _untold(text: str) -> Answer:
    return Answer(text=text, generated_by="none", found=False)


def _build_answer(around: Neighbourhood, whose: str) -> Answer:
    others = {each.id: each for each in around.entities}
    relations = _relations_by_name(around)
    if not relations:
        return _untold(f"No sentence of {whose} names {around.centre.name} together with another name.")
    numbers = CitationNumbers()
    sentences = [AnswerSentence(text=_opening(around, relations), citations=[], support="supported")]
    for each in list(relations.values())[:MOST_RELATIONS]:
        said = _best_evidence(each)
        told = f"- {_in_words(each, others)}: “{' '.join(said.text.split())}”"
        number = numbers.assign(_citation(said))
        sentences.append(AnswerSentence(text=told, citations=[number], support="quoted", paragraph=1, kind=BlockKind.LIST_ITEM))
    return Answer(text=cited_text(sentences), sentences=sentences, citations=numbers.ordered_citations())


def _relations_by_name(around: Neighbourhood) -> dict[str, Relationship]:
    """Return the other end -> its relationship to the centre, the strongest first; one that says how they are related before one that does not."""
    centre = around.centre.id
    own = [each for each in around.relationships if centre in (each.source_id, each.target_id) and each.evidence]
    own.sort(key=lambda each: (-each.weight, each.id))
    found: dict[str, Relationship] = {}
    for each in own:
        other = each.target_id if each.source_id == centre else each.source_id
        if other not in found or (found[other].relationship_type == "RELATED_TO" and each.relationship_type != "RELATED_TO"):
            found[other] = each
    return found


def _opening(around: Neighbourhood, relations: dict[str, Relationship]) -> str:
    names = f"{'more than ' if around.truncated else ''}{len(relations):,} {'name' if len(relations) == 1 else 'names'}"
    told = f"; the {MOST_RELATIONS} strongest are told here" if len(relations) > MOST_RELATIONS else ""
    documents = len({said for each in relations.values() for said in each.document_ids})
    return f"{around.centre.name} is related to {names} in {documents:,} {'document' if documents == 1 else 'documents'}{told}:"


def _in_words(each: Relationship, entities: dict[str, Entity]) -> str:
    return f"{entities[each.source_id].name} {relation_words(each.relationship_type)} {entities[each.target_id].name}"


def _best_evidence(each: Relationship) -> GraphEvidence:
    """Return the first whole sentence, else the strongest statement."""
    return next((said for said in each.evidence if said.text.rstrip("\"'”’»)").endswith((".", "!"))), each.evidence[0])


def _citation(said: GraphEvidence) -> Citation:
    return Citation(
        number=0, document_id=said.document_id, generation=said.generation, filename=said.filename, page=said.page, start=said.start, end=said.end,
        quote=said.text, passage_start=said.start, passage_end=said.end,
    )  # fmt: skip
