"""The risks that the documents of a library speak of: a sentence of each document that names one, and how many documents do."""

from __future__ import annotations

import asyncio
import re

from agents.text.document_lines import DocumentLine, is_whole, lines_of
from core.answers import Answer, AnswerSentence, Citation
from core.cited_answers import CitationNumbers, cited_text
from core.documents import BlockKind
from core.ports import DocumentContent, Library, MentionFinder
from core.search import Filters

# By how plainly a sentence with the word speaks of a risk.
RISK_WORDS = (
    ("risk", "hazard", "danger", "threat", "risiko", "risiken", "gefahr"),
    ("defect", "damage", "failure", "accident", "injury", "shortage", "penalty", "breach", "liability", "mangel", "schaden", "ausfall", "haftung"),
    ("fault", "crack", "delay", "overdue", "exceeded", "overspent", "verzug", "verspätung"),
)
_FORMS = tuple(re.compile(rf"\b(?:{'|'.join(words)})(?:s|es|ed|ies|ous|en)?\b", re.IGNORECASE) for words in RISK_WORDS)
_MOST_READ, _MOST_TOLD = 40, 8  # documents


async def describe_risks(tenant: str, library: Library, mentions: MentionFinder) -> Answer | None:
    """Return a sentence of each document that speaks of a risk, the plainest first; None where none does."""
    words = [word for group in RISK_WORDS for word in group]
    found = await asyncio.gather(*(mentions.find_mentions(tenant, word, Filters(), together=True) for word in words))
    naming = {document_id for each in found for document_id in each.by_document}
    counts = {each: sum(one.by_document[each].count for one in found if each in one.by_document) for each in naming}
    read = sorted(naming, key=lambda each: (-counts[each], each))[:_MOST_READ]
    contents = await library.contents(tenant, read)
    lines = await asyncio.to_thread(_plainest_lines, contents)
    if not lines:
        return None
    known = await library.documents(tenant, list(lines))
    ordered = sorted((each for each in lines if each in known), key=lambda each: (lines[each][0], -counts[each], known[each].filename))
    _, total, _ = await library.list_documents(tenant, filters=Filters(), limit=1)
    told = [(lines[each][1], _citation(each, known[each].filename, contents[each], lines[each][1])) for each in ordered[:_MOST_TOLD]]
    return _build_answer(told, (len(naming), total))


def _plainest_lines(contents: dict[str, DocumentContent]) -> dict[str, tuple[int, DocumentLine]]:
    """Return document id -> its sentence that speaks most plainly of a risk, with how plainly (0 is best); the first of equal ones."""
    found: dict[str, tuple[int, DocumentLine]] = {}
    for document_id, content in contents.items():
        whole = [line for line in lines_of(content.document) if is_whole(line) and not line.text.endswith("?")]
        ranked = [(rank, line) for line in whole if (rank := _rank(line)) < len(_FORMS)]
        if ranked:
            found[document_id] = min(ranked, key=lambda each: (each[0], each[1].place))
    return found


def _rank(line: DocumentLine) -> int:
    return next((rank for rank, form in enumerate(_FORMS) if form.search(line.text)), len(_FORMS))


def _build_answer(told: list[tuple[DocumentLine, Citation]], covered: tuple[int, int]) -> Answer:
    naming, total = covered
    numbers = CitationNumbers()
    first = (
        f"{naming:,} of {total:,} documents speak of risks, hazards, defects, damage, delays or the like. "
        f"{'One sentence of it' if len(told) == 1 else f'A sentence of each of {len(told)}'}:"
    )
    sentences = [AnswerSentence(text=first, citations=[], support="supported")]
    for line, citation in told:
        text = f"- {citation.filename}: “{line.text}”"
        number = numbers.assign(citation)
        sentences.append(AnswerSentence(text=text, citations=[number], support="quoted", paragraph=1, kind=BlockKind.LIST_ITEM))
    notes = ["The sentences were found by their words; a risk that is told in others is not among them."]
    return Answer(text=cited_text(sentences), sentences=sentences, citations=numbers.ordered_citations(), notes=notes)


def _citation(document_id: str, filename: str, content: DocumentContent, line: DocumentLine) -> Citation:
    return Citation(
        number=0,
        document_id=document_id,
        generation=content.generation,
        filename=filename,
        page=line.page,
        start=line.start,
        end=line.end,
        quote=content.text[line.start : line.end],
        section=list(line.section),
        passage_start=line.start,
        passage_end=line.end,
    )
