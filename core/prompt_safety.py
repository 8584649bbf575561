"""Text of documents on its way into a prompt: data that must not be read as anything else."""

from __future__ import annotations

import re

# Half a surrogate pair cannot be sent at all.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MARK = re.compile(r"[<＜‹](?=\s*/?\s*document\b|\||/?(?:system|user|assistant|think|s)>)|\[(?=/?INST\])", re.IGNORECASE)


def sanitise_for_prompt(text: str) -> str:
    """Return the text, no longer and no shorter, without what could be read as its delimiter or as a chat template's mark."""
    return _MARK.sub("(", _CONTROL.sub(" ", text))
