"""The company that is "the company" of a library: the one that far more of its documents name than any other."""

from __future__ import annotations

import re

from core.errors import Unavailable
from core.graph import EntityType
from core.ports import KnowledgeGraph

_COMPANY_QUESTION = re.compile(
    r"^(?P<before>\W*(?:please\s+)?(?:(?:tell\s+(?:me|us)|what\s+do\s+you\s+know|what\s+is\s+known)\s+(?:something\s+|more\s+)?about|(?:who|what)\s+is|what\s+does|"
    r"where\s+is))\s+(?:the|this|our|my)\s+(?:company|firm|business|organi[sz]ation|enterprise)(?P<after>(?:\s+do|\s+based|\s+located)?\s*[?.!]*)$",
    re.IGNORECASE,
)
_MOST_FIRMS = 50  # firms, most mentioned first
_LEAST_DOCUMENTS, _LEAST_RATIO = 3, 1.3  # that name it at least, and how many times as many as name the next one


def insert_company(question: str, name: str) -> str:
    """Return the question with the company's name in the place of "the company", where nothing else is asked about; "" for any other question."""
    match = _COMPANY_QUESTION.match(question)
    return f"{match['before']} {name}{match['after']}" if match is not None else ""


def asks_about_company(question: str) -> bool:
    """Return whether a question is about "the company" and nothing else."""
    return _COMPANY_QUESTION.match(question) is not None


async def find_company(graph: KnowledgeGraph, tenant: str) -> str:
    """Return the firm that clearly most documents name; "" where none stands out, as in a library about many, or the graph cannot be asked."""
    try:
        page = await graph.entities(tenant, entity_type=EntityType.ORGANIZATION, limit=_MOST_FIRMS)
    except Unavailable:
        return ""
    ranked = sorted(page.entities, key=lambda entity: -len(entity.document_ids))
    if not ranked or len(ranked[0].document_ids) < _LEAST_DOCUMENTS:
        return ""
    if len(ranked) > 1 and len(ranked[0].document_ids) < _LEAST_RATIO * len(ranked[1].document_ids):
        return ""
    return ranked[0].name
