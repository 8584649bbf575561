"""Questions that are put to a document or to somebody: "What does Kestrel's quote say about delivery?", "What did the agent answer?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from answers.questions.named_things import called_documents, find_documents_by
from answers.units.answer_units import Unit
from core.answers import Evidence
from core.language.question_wording import document_and_topic, speaker_and_question

# Lines of a mail that are not its writer's words: those of the mail that it answers, and its head.
_NOT_THE_WRITERS = re.compile(r"\s*(?:>|(?:subject|from|to|cc|date|sent|betreff|von|an|datum|gesendet):)", re.IGNORECASE)

_AGE = re.compile(
    r"^\s*(?:the\s+|our\s+)?(?:(?P<old>old|older|previous|former|earlier|original|alten?|frühere)|new|newer|latest|current|neuen?|aktuellen?)\s+(?=\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DirectedQuestion:
    """A question with the passages in which its answer is looked for, and the `topic` that a document is asked about; "" where it is none.
    `is_letter`: somebody is asked of by what he wrote, so the letters that his quote are not read."""

    question: str
    evidence: Sequence[Evidence]
    topic: str = ""
    is_letter: bool = False


def direct_question(question: str, evidence: Sequence[Evidence]) -> DirectedQuestion:
    """Return the topic of "What does Kestrel's quote say about delivery?" with the passages of the document that it names, and what somebody is asked
    of with the letters that he wrote; the question itself with all passages where it names none of them, or asks something else."""
    document, topic = document_and_topic(question)
    if topic and (named := _documents_of_age(document.replace("'s", "").replace("’s", ""), evidence)):
        return DirectedQuestion(topic, [each for each in evidence if each.passage.document_id in named], topic)
    who, what = speaker_and_question(question) if not topic else (document, topic)
    if what and (letters := find_documents_by(who, evidence)):
        return DirectedQuestion(what, [each for each in evidence if each.passage.document_id in letters], is_letter=True)
    return DirectedQuestion(question, evidence)


def _documents_of_age(name: str, evidence: Sequence[Evidence]) -> frozenset[str]:
    """Return the documents that are called so; of "the old policy" the one of the earliest day, of "the new policy" that of the latest."""
    aged = _AGE.match(name)
    named = called_documents(_AGE.sub("", name) if aged is not None else name, evidence)
    days = sorted({(each.dated, each.passage.document_id) for each in evidence if each.dated and each.passage.document_id in named})
    if aged is None or len(days) < 2:
        return named
    return frozenset({days[0 if aged["old"] else -1][1]})


def is_another_writers(unit: Unit, evidence: Evidence) -> bool:
    """Return whether the line in which a unit begins is not its writer's."""
    text, start = evidence.passage.content, unit.start - evidence.passage.start
    return _NOT_THE_WRITERS.match(text, text.rfind("\n", 0, start) + 1) is not None
