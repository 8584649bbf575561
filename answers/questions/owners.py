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
    """Return the documents that say nothing of the owner whom a question names, where one that is called after him was found: his name stands in its
    title or file name, and nowhere in what was found of theirs. A document that merely mentions him does not tell whose the others are."""
    owners = [match["owner"] for match in _OWNER.finditer(question) if match["owner"][0].isupper()]
    return frozenset().union(*(_documents_without(owner, evidence) for owner in owners))


def _documents_without(owner: str, evidence: Sequence[Evidence]) -> set[str]:
    """Return the documents that never speak of an owner; none where no document is called after him."""
    name = re.compile(rf"\b{re.escape(owner)}\b", re.IGNORECASE)
    called = {each.passage.document_id for each in evidence if name.search(f"{each.title} {' '.join(document_words(each))}")}
    speaking = {each.passage.document_id for each in evidence if name.search(f"{each.passage.content} {' '.join(each.passage.section)}")}
    return {each.passage.document_id for each in evidence} - called - speaking if called else set()
