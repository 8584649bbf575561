"""The sentences that carry a document, within a length.

Each weighs by how many others share its words (`agents.text.document_lines.centrality`, after Luhn 1958), more with a figure or a decision, where it
opens its section or takes up its heading (Edmundson 1969), and where it is short. They are taken greedily by maximal marginal relevance (Carbonell &
Goldstein 1998), `.7 weight - .3 overlap with what is taken`, where a section that nothing was taken from yet counts for more, and written in the
order of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.confidence.agent import clean_heading
from agents.summarization.summary_length import SummaryLength
from agents.text.document_lines import DocumentLine, centrality, is_item, is_whole, lines_of, overlap
from core.documents import ExtractedDocument
from core.language.content_words import stems
from core.language.sentences import word_count

_MOST_SENTENCES = 400  # sentences of a document that are weighed against each other: the heaviest of a long one
_FACTS = re.compile(r"\d")
_DECISION_WORDS = re.compile(
    r"\b(?:decid|decision|agreed|approved|concluded?|result|recommend|must|shall|replaced?|reduced|increased|changed?|confirm)\w*", re.I
)
_LABELLED = re.compile(r"^(?:decision|decided|result|conclusion|recommendation|outcome|agreed|resolved|summary|key finding)s?[.:]\s", re.I)
_NEW_SECTION_WEIGHT, _OPENING_WEIGHT, _OUTCOME_WEIGHT, _LONG_SENTENCE = 1.35, 1.4, 3.0, 30.0


def choose_sentences(document: ExtractedDocument, topics: str, length: SummaryLength, focus: str = "") -> list[DocumentLine]:
    """Choose sentences within the length, in reading order. `topics` is the title, `focus` what the question asks about, "" for the whole."""
    pool = _list_candidates(document)
    weights = _weights(pool, topics, focus)
    pool = sorted(pool, key=lambda line: -weights[line])[:_MOST_SENTENCES]
    chosen: list[DocumentLine] = []
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


def _list_candidates(document: ExtractedDocument) -> list[DocumentLine]:
    """Return the whole sentences, without questions; where they are few, the items of lists, too."""
    lines = lines_of(document)
    whole = [line for line in lines if is_whole(line) and not line.text.endswith("?")] or [line for line in lines if word_count(line.text) >= 4]
    return whole if len(whole) >= 8 else [*whole, *(line for line in lines if is_item(line) and line not in whole)]


def _cost(line: DocumentLine, chosen: Sequence[DocumentLine]) -> int:
    """The words that a line takes, those of a heading that is shown before it included."""
    named = all(other.section != line.section for other in chosen)
    return word_count(line.text) + (word_count(heading_of(line.section, line.text)) if named else 0)


def heading_of(section: Sequence[str], text: str, title: str = "") -> str:
    """Return the heading to be shown before the first sentence of a section; "" where the heading is long, or says no more than the sentence or the
    title."""
    heading = clean_heading(section[-1]) if section else ""
    words = stems(heading)
    short = 0 < len(words) <= 6 and len(heading) <= 60
    return heading if short and not words <= stems(text) and not words <= stems(title) else ""


def _weights(lines: Sequence[DocumentLine], topics: str, focus: str) -> dict[DocumentLine, float]:
    """Centrality in 0..1 of the best, raised for facts, decisions, openings of sections and words of the focus, lowered for length."""
    central = centrality(lines, topics)
    openings = {line.section: line for line in reversed(lines)}
    wanted = stems(focus)
    raised = {
        line: (central[line] + 0.05)
        * (1.0 + 0.3 * bool(_FACTS.search(line.text)) + 0.4 * bool(_DECISION_WORDS.search(line.text)))
        * (_OPENING_WEIGHT if openings[line.section] is line else 1.0)
        * (_OUTCOME_WEIGHT if _LABELLED.match(line.text) else 1.0)
        * (1.0 + 0.5 * _heading_overlap(line))
        / (1.0 + word_count(line.text) / _LONG_SENTENCE)
        * (1.0 + 1.5 * (len(wanted & stems(f"{line.text} {' '.join(line.section[-1:])}")) / len(wanted) if wanted else 0.0))
        for line in lines
    }
    best = max(raised.values(), default=1.0) or 1.0
    return {line: value / best for line, value in raised.items()}


def _heading_overlap(line: DocumentLine) -> float:
    """The share of its heading's words that the line takes up: it is about what the section is about."""
    heading = stems(line.section[-1]) if line.section else frozenset[str]()
    words = frozenset(word for word in heading if not word.isdigit())
    return len(words & stems(line.text)) / len(words) if words else 0.0


def _gain(weight: float, repeated: float, *, fresh: bool) -> float:
    if repeated > 0.7:
        return -1.0
    return 0.7 * weight * (_NEW_SECTION_WEIGHT if fresh else 1.0) - 0.3 * repeated
