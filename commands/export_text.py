"""Names and contents of the files of an export."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit, urlunsplit

_IN_NO_NAME = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_BYTES = 120  # of a name; file systems take 255, and a number and an ending come to it
_SECRET = re.compile(r"key|password|secret|token$", re.IGNORECASE)
OMITTED_VALUE = "(left out)"


def file_name(number: int, title: str, ending: str) -> str:
    """Return a name that every file system takes: the number, so that no two are the same, and the title as far as it goes."""
    words = " ".join(_IN_NO_NAME.sub(" ", title).split())
    short = words.encode("utf-8", "replace")[:_BYTES].decode("utf-8", "ignore").strip(" .")
    return f"{number:05d} {short}".rstrip() + ending


def conversation_text(conversation: dict[str, Any]) -> str:
    """Return a conversation as Markdown: each question, its answer, and the sources with what they say."""
    parts = [f"# {_line(conversation['title']) or 'Conversation'}", *(_turn_text(turn) for turn in conversation["items"])]
    return "\n\n".join(parts) + "\n"


def _turn_text(turn: dict[str, Any]) -> str:
    response = turn["response"]
    heading = f"## {_line(turn['query'])}\n\n*{turn['created_at'][:16].replace('T', ' ')}*"
    sources = [_source(each) for each in response.get("citations") or []]
    return "\n\n".join([heading, response.get("answer") or "(no answer)", *(["Sources:\n\n" + "\n".join(sources)] if sources else [])])


def _source(citation: dict[str, Any]) -> str:
    page = f", page {citation['page']}" if citation.get("page") else ""
    return f"- [{citation['number']}] {_line(citation['filename'])}{page}: “{_line(citation['quote'])}”"


def _line(text: str) -> str:
    return " ".join(text.split())


def strip_secrets(value: Any, name: str = "") -> Any:
    """Return the settings with everything left out that lets somebody in: keys, passwords, and what stands before the @ of an address."""
    if value and _SECRET.search(name) and isinstance(value, (str, list)):
        return OMITTED_VALUE
    if isinstance(value, dict):
        return {key: strip_secrets(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [strip_secrets(each) for each in value]
    return _strip_login(value) if isinstance(value, str) and "://" in value else value


def _strip_login(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return OMITTED_VALUE
    queried = parts._replace(query=OMITTED_VALUE) if _SECRET.search(parts.query) else parts
    return urlunsplit(queried._replace(netloc=f"{OMITTED_VALUE}@{parts.netloc.rpartition('@')[2]}")) if "@" in parts.netloc else urlunsplit(queried)
