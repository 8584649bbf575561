"""Evidence as a model reads it: numbered, delimited, and unable to end its own delimiters or to imitate a citation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answers import Evidence

EVIDENCE_TOKENS = 8_000
_LEAST_PASSAGE_TOKENS = 40
_TAG_TOKENS = 12
_MOST_TURNS, _TURN_CHARACTERS = 3, 600

_DELIMITER = re.compile(r"[<＜‹]\s*(?=/?\s*passage\b)", re.IGNORECASE)
_TEMPLATE = re.compile(r"<(?=\|)|<(?=/?(?:system|user|assistant|think|s)>)|\[(?=/?INST\])", re.IGNORECASE)
_CITATION_MARK = re.compile(r"[\[【](\s*\d+(?:\s*[,;–-]\s*\d+)*\s*)[\]】]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def neutralise(text: str) -> str:
    """Return the text so that it cannot be read as a delimiter, a chat template's mark or a citation; letters and numbers stay as they are."""
    text = _CONTROL.sub(" ", text)
    text = _DELIMITER.sub("(", text)
    text = _TEMPLATE.sub("(", text)
    return _CITATION_MARK.sub(r"(\1)", text)


def passages_text(evidence: Sequence[Evidence], room: int = EVIDENCE_TOKENS) -> tuple[str, int]:
    """Return the passages in their delimiters, numbered from 1, and how many of them fit into `room` tokens; the last one may be cut."""
    parts: list[str] = []
    left = room
    for number, item in enumerate(evidence, start=1):
        attributes = _attributes(item)
        left -= estimated_tokens(attributes) + _TAG_TOKENS
        if left < _LEAST_PASSAGE_TOKENS:
            break
        body = neutralise(item.passage.content)
        if estimated_tokens(body) > left:
            body = body[: int(len(body) * left / estimated_tokens(body))] + " …"
        left -= estimated_tokens(body)
        parts.append(f'<passage number="{number}" {attributes}>\n{body}\n</passage>')
    return "\n\n".join(parts), len(parts)


def history_text(history: Sequence[tuple[str, str]]) -> str:
    """Return the last turns, shortened; "" where there are none."""
    if not history:
        return ""
    turns = [f"Person: {_shorten(question)}\nYou: {_shorten(answer)}" for question, answer in history[-_MOST_TURNS:]]
    return "Earlier in this conversation (it explains what the question means; it is no evidence):\n" + "\n".join(turns) + "\n\n"


def estimated_tokens(text: str) -> int:
    """Return about the number of a model's tokens: 3.5 bytes each, on the safe side for most languages."""
    return int(len(text.encode("utf-8", "replace")) / 3.5) + 1


def _attributes(item: Evidence) -> str:
    values = {"file": item.filename, "title": item.title, "section": " › ".join(item.passage.section), "dated": item.modified_at[:10]}
    if item.passage.page is not None:
        values["page"] = str(item.passage.page)
    return " ".join(f'{name}="{_attribute(value)}"' for name, value in values.items() if value)


def _attribute(value: str) -> str:
    return " ".join(neutralise(value).replace('"', "'").replace("<", "(").replace(">", ")").split())[:200]


def _shorten(text: str) -> str:
    text = " ".join(neutralise(text).split())
    return text if len(text) <= _TURN_CHARACTERS else text[:_TURN_CHARACTERS].rstrip() + " …"
