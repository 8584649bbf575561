"""An overview of a library by kinds of documents: the answer to "What are these documents about?" until the knowledge graph knows themes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.documents import Document

MOST_NAMED = 3  # documents that are named of each kind
_MOST_KINDS = 12  # kinds that have a line of their own
_MOST_SHARED_TOPICS, _LEAST_SHARING = 6, 2  # topics that are named, each of so many documents
_IRREGULAR = {"policy": "policies", "data": "data files", "minutes": "minutes", "code": "files of code", "document": "other documents"}
_SINGULAR = {"data": "data file", "minutes": "set of minutes", "code": "file of code", "document": "other document"}


def overview(documents: Sequence[Document], total: int) -> str:
    """Return how many documents of which kinds, the newest of each kind by name, and the topics that several share. `documents` may be the first of
    `total`: then it says so."""
    if not documents:
        return "The library is empty: no folder is indexed yet."
    kinds = Counter(each.doc_type or "document" for each in documents)
    most = kinds.most_common(_MOST_KINDS)
    most.sort(key=lambda each: each[0] == "document")  # those of no kind stand last
    lines = [f"- {_line(kind, count, documents)}" for kind, count in most]
    rest = len(documents) - sum(count for _, count in most)
    lines += [f"- {rest:,} of other kinds"] if rest else []
    first = f"{total:,} {'document' if total == 1 else 'documents'} of {_format_count(len(kinds), 'kind')}"
    first += "" if len(documents) == total else f"; the first {len(documents):,} were looked at"
    shared = _shared_topics(documents)
    return f"{first}:\n" + "\n".join(lines) + (f"\n\nTopics that several of them share: {', '.join(shared)}." if shared else "")


def _line(kind: str, count: int, documents: Sequence[Document]) -> str:
    of_kind = sorted((each for each in documents if (each.doc_type or "document") == kind), key=_day, reverse=True)
    named = list(dict.fromkeys(" ".join((each.title or each.filename).split())[:90] for each in of_kind))[:MOST_NAMED]
    more = count - len(named)
    return f"{_format_count(count, kind)}: {'; '.join(named)}{f'; and {more:,} more' if more else ''}"


def _day(document: Document) -> str:
    return document.modified_at.isoformat() if document.modified_at else ""


def _format_count(count: int, kind: str) -> str:
    if count == 1:
        return f"1 {_SINGULAR.get(kind, kind)}"
    return f"{count:,} {_IRREGULAR.get(kind, f'{kind}s')}"


def _shared_topics(documents: Sequence[Document]) -> list[str]:
    """Topics of several documents with their number; what has a figure in it is a label ("Sheet1"), not a topic."""
    spelt: dict[str, str] = {}
    counted = Counter[str]()
    for document in documents:
        for topic in document.topics:
            if not re.search(r"\d", topic):
                spelt.setdefault(topic.casefold(), topic)
        counted.update({topic.casefold() for topic in document.topics} & set(spelt))
    return [f"{spelt[topic]} ({count})" for topic, count in counted.most_common(_MOST_SHARED_TOPICS) if count >= _LEAST_SHARING]
