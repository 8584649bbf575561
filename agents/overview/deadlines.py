"""The deadlines that the documents of a library state: what is due, by when and by whom, in the order of the days."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from agents.document_insights.action_items import DUE_DATE, action_items, due_in
from agents.overview.listed_lines import cite_line, list_lines, read_documents_with
from agents.text.document_lines import DocumentLine, is_whole, lines_of
from core.answers import Answer
from core.insights import CitedText
from core.language.dates import DATES, day_of
from core.ports import DocumentContent, Library, MentionFinder
from core.search import EVERYTHING, Filters

# Documents with one of them are looked at: tables of actions have "due" or "by" in a heading, minutes the word "action".
DEADLINE_WORDS = (
    "deadline", "due", "later than", "at the latest", "expires", "expire", "expiry", "until", "within", "must", "action", "actions", "frist",
    "spätestens", "fällig", "bis zum", "muss",
)  # fmt: skip
_SAYS_SO = re.compile(
    r"\b(?:deadlines?|due(?!\s+to\b)|(?:no|not)\s+later\s+than|at\s+the\s+latest|expir(?:es?|y)|valid\s+until|frist\w*|spätestens|fällig|läuft\s+ab|gültig\s+bis)\b",
    re.IGNORECASE,
)
_MOST_TOLD = 14


@dataclass(frozen=True, slots=True)
class Deadline:
    """`due` in the document's words, `day` where these name one."""

    document_id: str
    line: CitedText
    due: str
    owner: str
    day: date | None


async def describe_deadlines(tenant: str, library: Library, mentions: MentionFinder, today: date, filters: Filters = EVERYTHING) -> Answer | None:
    """Return what is due with its day, those to come before others where there are many; None where no document states a deadline. Only documents
    that `filters` let through are read and counted.
    """
    read = await read_documents_with(DEADLINE_WORDS, tenant, library, mentions, filters)
    found = await asyncio.to_thread(lambda: [each for id_, content in read.contents.items() for each in _deadlines_of(id_, content)])
    known = await library.documents(tenant, list({each.document_id for each in found}))
    stated = [each for each in found if each.document_id in known]
    if not stated:
        return None
    told = sorted(sorted(stated, key=lambda each: _urgency(each, today))[:_MOST_TOLD], key=lambda each: each.day or date.max)
    lines = []
    for each in told:
        filename = known[each.document_id].filename
        citation = cite_line(each.document_id, filename, read.contents[each.document_id], each.line)
        lines.append((f"{each.due}: “{each.line.text}”{f' ({each.owner})' if each.owner else ''}, {filename}", citation))
    documents = len({each.document_id for each in stated})
    first = (
        f"{len(stated):,} {'deadline' if len(stated) == 1 else 'deadlines'} in {documents:,} of {read.total:,} documents"
        f"{'' if len(told) == len(stated) else f'; {len(told)} are told here, those to come first'}:"
    )
    unread = len(read.counts) - len(read.contents)
    left = f" {unread:,} more documents have such words and were not looked at." if unread else ""
    return list_lines(first, lines, f"Deadlines were found by their words; one that is told in others is not among them.{left}")


def _urgency(deadline: Deadline, today: date) -> tuple[int, int]:
    """Those to come, the nearest first; those without a day; those that are over, the latest first."""
    if deadline.day is None:
        return 1, 0
    days = (deadline.day - today).days
    return (0, days) if days >= 0 else (2, -days)


def _deadlines_of(document_id: str, content: DocumentContent) -> list[Deadline]:
    """Return what the document has somebody do by a day, and the sentences that call a day a deadline."""
    lines = lines_of(content.document)
    found = {
        (item.start, item.end): _make_deadline(document_id, item, item.due, item.owner)
        for item in action_items(content.document, lines, code=False)
        if item.due
    }
    for line, due in _stated_deadlines(lines):
        if not any(start <= line.start < end for start, end in found):
            found[line.start, line.end] = _make_deadline(document_id, line.to_cited_text(), due, "")
    return list(found.values())


def _stated_deadlines(lines: list[DocumentLine]) -> Iterator[tuple[DocumentLine, str]]:
    for line in lines:
        if not is_whole(line) or line.text.endswith("?") or not _SAYS_SO.search(line.text):
            continue
        named = DATES.search(line.text)
        due = due_in(line.text) if DUE_DATE.search(line.text) else named.group() if named is not None else ""
        if due:
            yield line, due


def _make_deadline(document_id: str, line: CitedText, due: str, owner: str) -> Deadline:
    named = DATES.search(due) or (DATES.search(line.text) if due in line.text and not re.search(r"\d{4}", due) else None)
    return Deadline(document_id, line, due, owner, day_of(named) if named is not None else None)
