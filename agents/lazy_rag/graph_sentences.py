"""Sentences of documents that the graph and its communities keep: weighed by a question, chosen, and cited."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.lazy_rag.subject_words import SubjectWords
from core.answers import Answer, AnswerSentence, Citation
from core.cited_answers import CitationNumbers, cited_text
from core.communities import CommunityCitation
from core.documents import BlockKind
from core.graph import GraphEvidence
from core.language.content_words import stems
from core.search import Candidate, Passage, StageScore

_ALIKE = 0.6  # share of the shorter one's words that two sentences may have in common
_PER_DOCUMENT = 2
_LONGEST = 400  # characters
_WORDS, _SEARCH, _GRAPH = 0.5, 0.3, 0.2  # what each counts
_ENOUGH = 3  # sentences, from which on no row is told
_NEAR = 0.5  # of a passage of the same document, where the sentence's own was not found


@dataclass(frozen=True, slots=True)
class GraphSentence:
    """A sentence of a document; `strength` in 0..1 says how well the graph leads to it. `is_direct`: it states something of a name in the
    question."""

    said: GraphEvidence | CommunityCitation
    strength: float
    is_direct: bool = False

    @property
    def place(self) -> tuple[str, int, int]:
        return self.said.document_id, self.said.start, self.said.end

    @property
    def chunk_id(self) -> int | None:
        return self.said.chunk_id if isinstance(self.said, GraphEvidence) else None

    @property
    def text(self) -> str:
        return " ".join(self.said.text.split())

    @property
    def is_whole(self) -> bool:
        plain = self.text.rstrip("\"'”’»)")
        return plain.endswith((".", "!")) and len(plain.split()) > 4 and " | " not in plain and self.text[:1] not in ">•-"


RankedSentence = tuple[float, GraphSentence]


def rank_sentences(sentences: Iterable[GraphSentence], words: SubjectWords, found: Sequence[Candidate]) -> list[RankedSentence]:
    """Return the sentences that have a word of the question, or state something of a name in it, each once, best first: by these words, by where the
    search has their passage, and by their strength.
    """
    chunks = {each.chunk_id: 1 / (1 + place) for place, each in enumerate(found)}
    documents: dict[str, float] = {}
    for place, candidate in enumerate(found):
        documents.setdefault(candidate.document_id, _NEAR / (1 + place))
    once = {each.place: each for each in sorted(sentences, key=lambda each: (each.is_direct, each.strength)) if len(each.text) <= _LONGEST}
    scored = []
    for each in once.values():
        share = len(words.find_in(each.text)) / len(words) if words else 0.0
        if share or each.is_direct or not words:
            searched = max(chunks.get(each.chunk_id or 0, 0.0), documents.get(each.said.document_id, 0.0))
            scored.append((_WORDS * share + _SEARCH * searched + _GRAPH * each.strength, each))
    return sorted(scored, key=lambda pair: (-pair[0], pair[1].place))


def choose_sentences(ranked: Sequence[RankedSentence], most: int) -> list[RankedSentence]:
    """Return at most so many sentences, no two alike, at most two of a document; rows and fragments only to make
    up three."""
    chosen: list[RankedSentence] = []
    for whole, enough in ((True, most), (False, min(most, _ENOUGH))):
        for score, each in ranked:
            held = sum(other.said.document_id == each.said.document_id for _, other in chosen)
            fits = each.is_whole == whole and held < _PER_DOCUMENT and all(_differs(each, other) for _, other in chosen)
            if len(chosen) < enough and fits:
                chosen.append((score, each))
    return sorted(chosen, key=lambda pair: (-pair[0], pair[1].place))


def _differs(one: GraphSentence, other: GraphSentence) -> bool:
    mine, theirs = stems(one.text), stems(other.text)
    return one.place != other.place and len(mine & theirs) < _ALIKE * max(min(len(mine), len(theirs)), 1)


class SentenceAnswer:
    """An answer in lines that is made of such sentences, with the passages that they stand in."""

    def __init__(self) -> None:
        self._numbers = CitationNumbers()
        self._lines: list[AnswerSentence] = []
        self.passages: list[Passage] = []

    def say(self, text: str, paragraph: int = 0) -> None:
        """Add a line of Vantage's own, without a citation."""
        self._lines.append(AnswerSentence(text=text, citations=[], support="supported", paragraph=paragraph))

    def quote(self, score: float, each: GraphSentence, paragraph: int, line: str = "") -> None:
        """Add a document's sentence, as an item of a list or in a `line` of its own."""
        number = self._numbers.assign(cite_sentence(each))
        self.passages.append(_passage(score, each))
        text, kind = line or f"- {each.text}", BlockKind.PARAGRAPH if line else BlockKind.LIST_ITEM
        self._lines.append(AnswerSentence(text=text, citations=[number], support="quoted", paragraph=paragraph, kind=kind))

    def build(self, notes: Sequence[str]) -> Answer:
        return Answer(text=cited_text(self._lines), sentences=self._lines, citations=self._numbers.ordered_citations(), notes=list(notes))


def cite_sentence(each: GraphSentence) -> Citation:
    said = each.said
    return Citation(
        number=0, document_id=said.document_id, generation=said.generation, filename=said.filename, page=said.page, start=said.start, end=said.end,
        quote=said.text, passage_start=said.start, passage_end=said.end,
    )  # fmt: skip


def _passage(score: float, each: GraphSentence) -> Passage:
    said, chunk_id = each.said, each.chunk_id
    return Passage(
        content=said.text, section=[], document_id=said.document_id, start=said.start, end=said.end, page=said.page,
        chunks=[chunk_id] if chunk_id is not None else [], anchor=chunk_id or 0, anchor_score=min(1.0, max(0.0, score)), coherence_score=1.0,
        stages={"graph": StageScore(rank=1, score=round(each.strength, 4))},
    )  # fmt: skip
