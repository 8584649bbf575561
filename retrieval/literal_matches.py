"""Candidates whose own text is what the question says, brought among those that are read: a title with some of the words lifts all chunks of its
document over them, and rows that repeat a name outnumber the line that says what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from core.documents import StoredChunk
from core.labels import ADDRESS_LABELS
from core.language.content_words import stems
from core.language.decision_wording import CHOICE_STATEMENT, asks_for_choice, decision_topic, is_record, says_decision, says_plan
from core.language.firm_names import name_pattern
from core.language.question_wording import name_alone
from core.language.signature_wording import SIGNATURE_LINE, signed_thing
from core.search import Candidate

_FEWEST_WORDS = 3  # of a question that a chunk can be said to hold wholly
_BEGINNING = 3  # letters that a word and its stem share
_RAISED = 2  # chunks that are brought
_NAMES = re.compile(r"(?<=[\w,] )[A-Z][\w&.-]+(?:\s+(?:of\s+|&\s+)?[A-Z][\w&.-]+)+")  # of two words and more, not the word that begins the question
_NAME = re.compile(r"(?<=[\w,.] )[A-Z][a-z]{4,}(?![\w&-])")  # of one word


def promote_matches(question: str, candidates: Sequence[Candidate], chunks: Mapping[int, StoredChunk], limit: int) -> Sequence[Candidate]:
    """Return the candidates with those among the first `limit`, or close behind the first one, whose own text is what the question says."""
    for promote in (promote_full_matches, promote_named, promote_lone_names, promote_records):
        candidates = promote(question, candidates, chunks, limit)
    return candidates


def promote_full_matches(question: str, candidates: Sequence[Candidate], chunks: Mapping[int, StoredChunk], limit: int) -> Sequence[Candidate]:
    """Promote the best candidates of two documents whose chunk alone holds every word of the question, among the first `limit` where none of these
    does.

    A document whose title has some of the words lifts all its chunks: "Quay 7 warehouse lease" over the row "Warehouse Manager, Quay 7".
    """
    wanted = stems(question)
    if len(wanted) < _FEWEST_WORDS or limit <= _RAISED:
        return candidates
    if any(_holds_words(wanted, chunks.get(candidate.chunk_id)) for candidate in candidates[:limit]):
        return candidates
    first: dict[str, Candidate] = {}
    for candidate in candidates[limit:]:
        if len(first) < _RAISED and candidate.document_id not in first and _holds_words(wanted, chunks.get(candidate.chunk_id)):
            first[candidate.document_id] = candidate
    raised = list(first.values())
    return _place(candidates, raised, limit - len(raised))


def promote_lone_names(question: str, candidates: Sequence[Candidate], chunks: Mapping[int, StoredChunk], limit: int) -> Sequence[Candidate]:
    """Promote, for a question that only names something ("Tell me about Blue Anchor Lines"), the best of the candidates where the name has a line of
    its own or one behind a label, among the first `limit`: what it is stands there, and not in the rows that mention it.
    """
    name = name_alone(question)
    if not name or limit <= _RAISED:
        return candidates
    line = re.compile(rf"^(?:(?P<label>[^\W\d_][\w'’ ]{{2,40}}):[ \t]+)?{name_pattern(name)}\W*(?:,.*)?$", re.MULTILINE | re.IGNORECASE)
    told = [(_has_label(line, chunks.get(each.chunk_id)), each) for each in candidates]
    labelled = [each for by_label, each in told if by_label]
    raised = [*labelled, *(each for by_label, each in told if by_label is False)][:_RAISED]
    raised = [each for each in raised if each not in candidates[: limit - _RAISED]]
    return _place(candidates, raised, limit - len(raised))


def promote_named(question: str, candidates: Sequence[Candidate], chunks: Mapping[int, StoredChunk], limit: int) -> Sequence[Candidate]:
    """Return the best two candidates that hold a name of the question among the first `limit`, where none of these holds it: "Where is Galaxy Gaming
    located?" is no question about other firms.
    """
    names = _NAMES.findall(question)
    single = [] if names else [rf"(?i:\b{name}\b)" for name in _NAME.findall(question)]  # a transcript writes its names in capitals
    if not (names or single) or limit <= _RAISED:
        return candidates
    pattern = re.compile("|".join([*(name_pattern(name) for name in sorted(names, key=len, reverse=True)), *single]))
    held = [each for each in candidates if (chunk := chunks.get(each.chunk_id)) is not None and pattern.search(chunk.text)]
    if not held or any(each in held for each in candidates[:limit]):
        return candidates
    return _place(candidates, held[:_RAISED], 1)  # the passages behind the first are about others, and not all are read for an answer


def promote_records(question: str, candidates: Sequence[Candidate], chunks: Mapping[int, StoredChunk], limit: int) -> Sequence[Candidate]:
    """Return the best two candidates that say a decision about what the question asks decisions or a choice of, or that hold the signatures that it
    asks for, among the first `limit`, where none of these does: the thing itself is the matter of other passages, which say more of it.
    """
    tells = _telling_check(question)
    if tells is None or limit <= _RAISED:
        return candidates
    held = [each for each in candidates if (chunk := chunks.get(each.chunk_id)) is not None and tells(chunk)]
    raised = [each for each in held if each not in candidates[: limit - _RAISED]][:_RAISED]
    if not raised or any(each in held for each in candidates[: limit - _RAISED]):
        return candidates
    return _place(candidates, raised, 1)


def _place(candidates: Sequence[Candidate], raised: Sequence[Candidate], place: int) -> Sequence[Candidate]:
    """Return the candidates with those that are raised behind the first `place` of the others."""
    others = [candidate for candidate in candidates if candidate not in raised]
    return [*others[:place], *raised, *others[place:]]


def _telling_check(question: str) -> Callable[[StoredChunk], bool] | None:
    """Return whether a chunk tells the decision, the choice or the signatures that a question asks for; None where it asks for none of these."""
    if signed := signed_thing(question):
        return partial(_is_signed, signed)
    topic = decision_topic(question)
    return partial(_decides, topic) if topic is not None or asks_for_choice(question) else None


def _decides(topic: frozenset[str] | None, chunk: StoredChunk) -> bool:
    """Return whether a chunk says what was chosen, or, of a `topic`, belongs to the record of a meeting and says what was decided about it."""
    if topic is None:
        return CHOICE_STATEMENT.search(chunk.text) is not None
    says_it = says_decision(chunk.text) or says_plan(chunk.text)
    return says_it and is_record(" ".join(chunk.section[:1])) and topic <= stems(f"{chunk.prefix} {chunk.text}")


def _is_signed(thing: frozenset[str], chunk: StoredChunk) -> bool:
    return SIGNATURE_LINE.search(chunk.text) is not None and bool(thing & stems(f"{' '.join(chunk.section)} {chunk.prefix} {chunk.text}"))


def _has_label(line: re.Pattern[str], chunk: StoredChunk | None) -> bool | None:
    """Return whether a label stands in front of the name that has a line of the chunk ("Tenant: …"); None where it has no line, or only that of a
    letter's head ("To: …").
    """
    found = [match["label"] for match in line.finditer(chunk.text)] if chunk is not None else []
    labels = [label for label in found if label is None or ADDRESS_LABELS.search(label) is None]
    return any(labels) if labels else None


def _holds_words(wanted: frozenset[str], chunk: StoredChunk | None) -> bool:
    """Return whether a chunk, with the header row of the table that it goes on with, has every one of the stems; most lack the beginning of one, and
    need not be read word for word.
    """
    if chunk is None:
        return False
    header = chunk.prefix.partition("\n")[2]
    text = f"{header} {chunk.text}".lower()
    return all(stem[:_BEGINNING] in text for stem in wanted) and wanted <= stems(text)
