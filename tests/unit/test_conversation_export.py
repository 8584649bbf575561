"""A conversation as Markdown and as JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from core.ports import Conversation, Turn
from server.conversation_export import export_json, export_markdown

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TALK = Conversation("c1", "The lease\nof Quay 7", NOON, NOON, 4)
CITED = {
    "answer": "Six months. [1]",
    "citations": [
        {"number": 1, "filename": "lease.pdf", "page": 4, "quote": "six\nmonths of notice"},
        {"number": 2, "filename": "notes.txt", "page": None, "quote": "in writing"},
    ],
}
TURNS = [
    Turn("t1", "How much notice?", NOON, "r1", CITED),
    Turn("t2", "And the rent?", NOON, "r2", {}, "interrupted", {"attached_documents": ["d1"]}),
    Turn("t3", "Who pays?", NOON, "r3", {}, "failed", {}, {"detail": "The index is away."}),
    Turn("t4", "Nothing?", NOON, "r4", {"answer": "", "response_message": "I did not find this in your documents.", "citations": []}),
]


def test_markdown_has_each_question_with_its_answer_and_sources() -> None:
    assert (
        export_markdown(TALK, TURNS)
        == """# The lease of Quay 7

## How much notice?

*2026-03-01 12:00 UTC*

Six months. [1]

Sources:

- [1] lease.pdf, page 4: “six months of notice”
- [2] notes.txt: “in writing”

## And the rent?

*2026-03-01 12:00 UTC*

*This question was interrupted before its answer was finished.*

## Who pays?

*2026-03-01 12:00 UTC*

*This question could not be answered.*

The index is away.

## Nothing?

*2026-03-01 12:00 UTC*

I did not find this in your documents.
"""
    )


def test_json_has_everything() -> None:
    told = json.loads(export_json(TALK, TURNS))
    assert (told["id"], told["title"], told["created_at"]) == ("c1", TALK.title, "2026-03-01T12:00:00+00:00")
    assert [item["state"] for item in told["items"]] == ["answered", "interrupted", "failed", "answered"]
    assert told["items"][0]["response"] == CITED
    assert told["items"][1]["request"] == {"attached_documents": ["d1"]}
