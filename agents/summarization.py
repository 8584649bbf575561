"""Thoth: what one, several or all documents on a matter say, in their own sentences, within the length that was asked for.

Which sentences: each weighs by how many others share its words (`document_agents.lines.centrality`, after Luhn 1958), more with a figure or a
decision, where it opens its section or takes up its heading (Edmundson 1969), and where it is short. They are taken greedily by maximal marginal
relevance (Carbonell & Goldstein 1998), `.7 weight - .3 overlap with what is taken`, where a section that nothing was taken from yet counts for
more, and told in the order of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.confidence_scorer import clean_heading
from agents.document_agents.lines import Line, centrality, is_item, is_whole, lines_of, overlap
from agents.sides import KINDS, family, is_of_kind, name_stems, singular, version_of
from agents.statements import stem, stems
from agents.wording import STOP_WORDS, content_words, tokens
from core.documents import Document, ExtractedDocument
from core.sentences import word_count

PROMPT = "summarization"
WORDS, SHORT = 120, 60
MOST_DOCUMENTS = 6
_READ = 3  # times the length: what a model condenses
_POOL = 400  # sentences of a document that are weighed against each other: the heaviest of a long one
_LEAST, _MOST = 20, 600
_NUMBERS = {word: number for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_COUNT = rf"(\d{{1,3}}|a|{'|'.join(_NUMBERS)})"
_SENTENCES = re.compile(
    rf"\b{_COUNT}[\s-]*(?:or\s+{_COUNT}\s+)?(?:(?:short|key|main|simple|brief)\s+)?(?:sentences?|points?|bullets?(?:\s+points?)?|lines?|take-?aways?)\b",
    re.I,
)
_WORDS = re.compile(r"\b(\d{1,4})[\s-]*words?\b", re.I)
_BRIEF = re.compile(r"\b(?:short(?:ly)?|brief(?:ly)?|quick(?:ly)?|tl\s?;?\s?dr|nutshell|gist|concise(?:ly)?)\b", re.I)
_LONG = re.compile(r"\b(?:long|detailed|thorough(?:ly)?|in\s+detail|full|extensive|comprehensive)\b", re.I)
_ALL = re.compile(
    r"\b(?:all|every|each|any|whole)\b(?:\s+(?:of\s+)?(?:the|my|our|these|those))?(?:\s+\w+){0,2}\s+(?:about|on|concerning|regarding|mention\w*|from)\b|\ball\b",
    re.I,
)
_TASK_WORDS = frozenset(
    "summarize summarise summary summaries sum up overview gist recap key main important points point takeaways ideas short brief briefly long "
    "detailed quick "
    "sentence sentences words word nutshell boil down version document documents file files tl dr tldr bullet bullets lines".split()
)
_FACTS = re.compile(r"\d")
_DECIDED = re.compile(
    r"\b(?:decid|decision|agreed|approved|concluded?|result|recommend|must|shall|replaced?|reduced|increased|changed?|confirm)\w*", re.I
)
_LABELLED = re.compile(r"^(?:decision|decided|result|conclusion|recommendation|outcome|agreed|resolved|summary|key finding)s?[.:]\s", re.I)
_SECTION_NEW, _OPENS, _OUTCOME, _LONG_AT = 1.35, 1.4, 3.0, 30.0


@dataclass(frozen=True, slots=True)
class Length:
    """Bounds of a summary; `sentences` None: as many as the words allow."""

    words: int = WORDS
    sentences: int | None = None


def length_of(question: str) -> Length:
    """ "in three sentences", "in 200 words", "short", "detailed"; 120 words where it says nothing."""
    if words := _WORDS.search(question):
        return Length(min(_MOST, max(_LEAST, int(words.group(1)))))
    if found := _SENTENCES.search(question):
        count = min(30, max(1, _number(found.group(1))))
        return Length(min(_MOST, 45 * count), count)
    if _BRIEF.search(question):
        return Length(SHORT)
    return Length(2 * WORDS + SHORT) if _LONG.search(question) else Length()


def to_condense(length: Length) -> Length:
    """How much a model reads to write a summary of `length`."""
    return Length(max(length.words, min(_MOST, _READ * length.words)))


def task_of(question: str, length: Length, documents: int) -> str:
    """The question as a model gets it, with the length in numbers and how many documents there are."""
    sentences = "" if length.sentences is None else f", in {length.sentences} sentence{'' if length.sentences == 1 else 's'}"
    several = f"\nDocuments: {documents}, a paragraph for each." if documents > 1 else ""
    return f"{question}\nLength: at most {length.words} words{sentences}.{several}"


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word.lower(), 1)


def topic_of(question: str) -> str:
    """The question's words without those of the task: what names the documents."""
    bare = _WORDS.sub(" ", _SENTENCES.sub(" ", question))
    return " ".join(word for word in tokens(bare) if word not in _TASK_WORDS)


def choose_documents(question: str, documents: Sequence[Document], ranked: Sequence[str], *, given: bool = False) -> list[Document]:
    """The documents to sum up, best first, out of `documents`; `ranked` are the ids that the search found, best first.

    All that are `given` (attached, or filtered to); those that the question names by title, file name or kind; several where it asks for "all" or in
    the plural; else the one that the search put first.
    """
    if given:
        return list(documents[:MOST_DOCUMENTS])
    wanted = stems(topic_of(question))
    place = {document_id: rank for rank, document_id in enumerate(ranked)}
    ordered = sorted(documents, key=lambda document: place.get(document.id, len(place)))
    shares = {document.id: len(wanted & name_stems(document)) / len(wanted) if wanted else 0.0 for document in ordered}
    group = _group(question)
    if group is not None:
        kind = [document for document in ordered if (is_of_kind(document, group) if group else document.id in place)]
        if len(kind) > 1 or _ALL.search(question):
            return kind[:MOST_DOCUMENTS]
    best = max(shares.values(), default=0.0)
    if best < 0.5:
        return ordered[:1] if ranked else []
    named = [document for document in ordered if shares[document.id] == best]
    first = next((document for document in named if _opens_with(document, wanted)), named[0])
    return [max((document for document in named if family(document) == family(first)), key=version_of)]


def _opens_with(document: Document, wanted: frozenset[str]) -> bool:
    """Whether a title begins with a word of the question: "the lease" is the "Lease of …", not the "Amendment to the lease of …"."""
    return next(iter(content_words(document.title)), "") != "" and stem(content_words(document.title)[0]) in wanted


def _group(question: str) -> str | None:
    """The noun of a plural ("the offers", "all documents about …"), "" for documents of any kind; None where one is meant."""
    for word in tokens(question):
        if word.endswith("s") and singular(word) in KINDS and singular(word) != word:
            noun = singular(word)
            return "" if KINDS[noun] == "" else noun
    return "" if re.search(r"\b(?:all|everything)\b", question, re.IGNORECASE) else None


def choose_sentences(document: ExtractedDocument, topics: str, length: Length, focus: str = "") -> list[Line]:
    """Sentences within the length, in reading order. `topics` is the title, `focus` what the question asks about, "" for the whole."""
    lines = lines_of(document)
    whole = [line for line in lines if is_whole(line) and not line.text.endswith("?")] or [line for line in lines if word_count(line.text) >= 4]
    items = [line for line in lines if is_item(line) and line not in whole]
    pool = [*whole, *items] if len(whole) < 8 else whole
    weights = _weights(pool, topics, focus)
    pool = sorted(pool, key=lambda line: -weights[line])[:_POOL]
    chosen: list[Line] = []
    repeated = dict.fromkeys(pool, 0.0)  # the most that a line shares with one that is taken
    left = length.words
    while pool and (length.sentences is None or len(chosen) < length.sentences):
        sections = {line.section for line in chosen}
        gains = {line: _gain(weights[line], repeated[line], fresh=line.section not in sections) for line in pool if line not in chosen}
        fitting = [line for line in gains if not chosen or _cost(line, chosen) <= left]
        best = max(fitting, key=lambda line: (gains[line], -line.place), default=None)
        if best is None or gains[best] <= 0:
            break
        left -= _cost(best, chosen)
        chosen.append(best)
        repeated = {line: max(share, overlap(line, best)) for line, share in repeated.items()}
    return sorted(chosen, key=lambda line: line.start)


def is_named_by(topic: str, document: Document) -> bool:
    """Whether every word of the topic stands in the document's name or names its kind: it is meant as a whole."""
    said = name_stems(document)
    words = [word for word in tokens(topic) if word not in STOP_WORDS]
    return bool(words) and all(
        stem(word) in said or any(noun in KINDS and is_of_kind(document, noun) for noun in (word, singular(word))) for word in words
    )


def _cost(line: Line, chosen: Sequence[Line]) -> int:
    """The words that a line takes, those of a heading that is shown before it included."""
    named = all(other.section != line.section for other in chosen)
    return word_count(line.text) + (word_count(heading_of(line.section, line.text)) if named else 0)


def heading_of(section: Sequence[str], text: str, title: str = "") -> str:
    """What is shown before the first sentence of a section: its heading, where it is short, is not the title and says more than the sentence."""
    heading = clean_heading(section[-1]) if section else ""
    words = stems(heading)
    short = 0 < len(words) <= 6 and len(heading) <= 60
    return heading if short and not words <= stems(text) and not words <= stems(title) else ""


def _weights(lines: Sequence[Line], topics: str, focus: str) -> dict[Line, float]:
    """Centrality in 0..1 of the best, raised for facts, decisions, openings of sections and words of the focus, lowered for length."""
    central = centrality(lines, topics)
    openings = {line.section: line for line in reversed(lines)}
    wanted = stems(focus)
    raised = {
        line: (central[line] + 0.05)
        * (1.0 + 0.3 * bool(_FACTS.search(line.text)) + 0.4 * bool(_DECIDED.search(line.text)))
        * (_OPENS if openings[line.section] is line else 1.0)
        * (_OUTCOME if _LABELLED.match(line.text) else 1.0)
        * (1.0 + 0.5 * _on_its_heading(line))
        / (1.0 + word_count(line.text) / _LONG_AT)
        * (1.0 + 1.5 * (len(wanted & stems(f"{line.text} {' '.join(line.section[-1:])}")) / len(wanted) if wanted else 0.0))
        for line in lines
    }
    best = max(raised.values(), default=1.0) or 1.0
    return {line: value / best for line, value in raised.items()}


def _on_its_heading(line: Line) -> float:
    """The share of its heading's words that the line takes up: it is about what the section is about."""
    heading = stems(line.section[-1]) if line.section else frozenset[str]()
    words = frozenset(word for word in heading if not word.isdigit())
    return len(words & stems(line.text)) / len(words) if words else 0.0


def _gain(weight: float, repeated: float, *, fresh: bool) -> float:
    if repeated > 0.7:
        return -1.0
    return 0.7 * weight * (_SECTION_NEW if fresh else 1.0) - 0.3 * repeated


def shares(length: Length, documents: int) -> Length:
    """The length for each of several documents: an equal part, never under a sentence."""
    if documents <= 1:
        return length
    sentences = None if length.sentences is None else max(1, length.sentences // documents)
    return Length(max(30, length.words // documents), sentences)
