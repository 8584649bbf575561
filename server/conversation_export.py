"""A conversation as a file that can be read elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.ports import Conversation, Turn

_UNANSWERED = {
    "running": "*This question is being answered.*",
    "interrupted": "*This question was interrupted before its answer was finished.*",
    "failed": "*This question could not be answered.*",
}


def export_json(conversation: Conversation, turns: Sequence[Turn]) -> str:
    """Return everything that is stored, as `GET /conversations/{id}` shows it."""
    fields = {**asdict(conversation), "items": [asdict(turn) for turn in turns]}
    fields.pop("excerpt")
    return json.dumps(fields, ensure_ascii=False, indent=2, default=lambda time: time.isoformat()) + "\n"


def export_markdown(conversation: Conversation, turns: Sequence[Turn]) -> str:
    """Return the title, then each question with its answer and the sources that it cites."""
    parts = [f"# {_line(conversation.title or 'Conversation')}"]
    for turn in turns:
        parts += [f"## {_line(turn.query)}", f"*{turn.created_at:%Y-%m-%d %H:%M} UTC*", *_answer(turn)]
    return "\n\n".join(parts) + "\n"


def _answer(turn: Turn) -> list[str]:
    response = turn.response
    parts = [_UNANSWERED[turn.state]] if turn.state in _UNANSWERED else []
    if detail := turn.problem.get("detail"):
        parts.append(_line(str(detail)))
    if text := response.get("answer") or response.get("response_message"):
        parts.append(str(text))
    sources = [_source(each) for each in response.get("citations") or []]
    return [*parts, "Sources:\n\n" + "\n".join(sources)] if sources else parts


def _source(citation: Mapping[str, Any]) -> str:
    """Return a source as a line: [1] lease.pdf, page 4: "the quoted span"."""
    page = f", page {citation['page']}" if citation.get("page") else ""
    return f"- [{citation.get('number')}] {_line(str(citation.get('filename', '')))}{page}: “{_line(str(citation.get('quote', '')))}”"


def _line(text: str) -> str:
    return " ".join(text.split())
