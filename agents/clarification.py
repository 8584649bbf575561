"""Socrates: when a question says too little, he asks back with questions that the library can answer."""

from __future__ import annotations

from collections.abc import Sequence

from agents.wording import content_words
from core.documents import Document
from core.search import Frozen

_MOST = 4


class Clarification(Frozen):
    """What is asked back: a sentence and the choices, each a whole question."""

    message: str
    questions: list[str]


async def clarify(question: str, *, documents: Sequence[Document]) -> Clarification:
    """Choices from titles, topics and keywords of `documents`, spread over them; none where the library is empty."""
    if not documents:
        return Clarification(message="The question names nothing to look for, and the library is empty. Which folder shall be indexed?", questions=[])
    choices = dict.fromkeys(choice for document in documents if (choice := _choice(document)))
    return Clarification(message=f"“{question.strip()[:80]}” names nothing to look for. Do you mean one of these?", questions=list(choices)[:_MOST])


def _choice(document: Document) -> str:
    title = document.title or document.filename
    known = set(content_words(title))
    topic = next((word for word in [*document.topics, *document.keywords] if content_words(word) and not set(content_words(word)) <= known), "")
    return f"What does “{title}” say about {topic}?" if topic else f"What is “{title}” about?"
