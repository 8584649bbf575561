"""Whose the thing is that a question asks for: "Vodafone's total revenue" is in no document that never speaks of Vodafone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.questions.named_things import document_words
from core.answers import Evidence

# "What's", "It's" and "Let's" have no owner.
_OWNER = re.compile(
    r"\b(?!(?:what|who|where|when|how|why|which|it|that|there|here|let|he|she)\b)(?P<owner>[^\W\d_][\w-]{2,})[’']s\b",
    re.IGNORECASE,
)


def find_documents_of_others(question: str, evidence: Sequence[Evidence]) -> frozenset[str]:
    """Return the documents that say nothing of the owner whom a question names: his name stands in what was found of another document or in its title
    or file name, and in none of theirs."""
    owners = [match["owner"] for match in _OWNER.finditer(question) if match["owner"][0].isupper()]
    every = {each.passage.document_id for each in evidence}
    speaking = [_documents_with(owner, evidence) for owner in owners]
    return frozenset().union(*(every - own for own in speaking if own))


def _documents_with(owner: str, evidence: Sequence[Evidence]) -> set[str]:
    name = re.compile(rf"\b{re.escape(owner)}\b", re.IGNORECASE)
    return {
        each.passage.document_id
        for each in evidence
        if name.search(f"{each.passage.content} {' '.join(each.passage.section)} {each.title} {' '.join(document_words(each))}")
    }
