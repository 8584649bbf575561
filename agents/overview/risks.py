"""The risks that the documents of a library speak of: a sentence of each document that names one, and how many documents do."""

from __future__ import annotations

import asyncio
import re

from agents.overview.listed_lines import cite_line, list_lines, read_documents_with
from agents.text.document_lines import DocumentLine, is_whole, lines_of
from core.answers import Answer
from core.ports import DocumentContent, Library, MentionFinder
from core.search import EVERYTHING, Filters

# By how plainly a sentence with the word speaks of a risk.
RISK_WORDS = (
    ("risk", "hazard", "danger", "threat", "risiko", "risiken", "gefahr"),
    ("defect", "damage", "failure", "accident", "injury", "shortage", "penalty", "breach", "liability", "mangel", "schaden", "ausfall", "haftung"),
    ("fault", "crack", "delay", "overdue", "exceeded", "overspent", "verzug", "verspätung"),
)
_FORMS = tuple(re.compile(rf"\b(?:{'|'.join(words)})(?:s|es|ed|ies|ous|en)?\b", re.IGNORECASE) for words in RISK_WORDS)
_MOST_TOLD = 8  # documents


async def describe_risks(tenant: str, library: Library, mentions: MentionFinder, filters: Filters = EVERYTHING) -> Answer | None:
    """Return a sentence of each document that speaks of a risk, the plainest first; None where none does. Only documents that `filters` let through
    are read and counted.
    """
    read = await read_documents_with([word for group in RISK_WORDS for word in group], tenant, library, mentions, filters)
    lines = await asyncio.to_thread(_plainest_lines, read.contents)
    known = await library.documents(tenant, list(lines))
    ordered = sorted((each for each in lines if each in known), key=lambda each: (lines[each][0], -read.counts[each], known[each].filename))
    if not ordered:
        return None
    told = []
    for each in ordered[:_MOST_TOLD]:
        line, filename = lines[each][1], known[each].filename
        told.append((f"{filename}: “{line.text}”", cite_line(each, filename, read.contents[each], line.to_cited_text(), line.section)))
    first = (
        f"{len(read.counts):,} of {read.total:,} documents speak of risks, hazards, defects, damage, delays or the like. "
        f"{'One sentence of it' if len(told) == 1 else f'A sentence of each of {len(told)}'}:"
    )
    return list_lines(first, told, "The sentences were found by their words; a risk that is told in others is not among them.")


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
