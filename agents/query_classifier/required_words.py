"""Words that a passage must have, and words that it must not have, where a question says so in so many words.

Cautiously: "reports must include a signature" is a question about reports. Only a phrase in quotation marks or after "the word" restricts, and
the signs + and - before a word, as search engines have them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NAMED = r"(?:[“\"](?P<quoted>[^”\"\n]{2,80})[”\"]|the\s+(?:words?|phrase|term|name)\s+[“\"]?(?P<word>[\w&'/-]{2,40})[”\"]?)"
_VERB = r"(?:contain|mention|include|have|say|use)s?"
_MUST_HAVE = re.compile(rf"[,;]?\s*\b(?:(?:and|that|which|it|they)\s+)*(?:must|has\s+to|have\s+to|should)\s+{_VERB}\s+{_NAMED}", re.IGNORECASE)
_MUST_NOT_HAVE = re.compile(
    rf"[,;]?\s*\b(?:(?:and|but|that|which|it|they)\s+)*(?:(?:must|should|may)\s*(?:not|n't)\s+{_VERB}|not\s+(?:containing|mentioning|including))\s+{_NAMED}",
    re.IGNORECASE,
)
_SIGNED_WORD = re.compile(r"(?<!\S)(?P<sign>[+-])(?:[“\"](?P<quoted>[^”\"\n]{2,80})[”\"]|(?P<word>[^\W\d_][\w&'/]{1,40}))(?!\S)")


class WordRequirements(NamedTuple):
    """`must` and `must_not` as they were written; `text` is the question without the words that say so."""

    must: list[str]
    must_not: list[str]
    text: str


def find_required_words(text: str) -> WordRequirements:
    """Return what the question demands of a passage. A wanted phrase stays among the searched words, an unwanted one leaves them."""
    must: list[str] = []
    must_not: list[str] = []

    def unwanted(match: re.Match[str]) -> str:
        must_not.append(_phrase(match))
        return " "

    def wanted(match: re.Match[str]) -> str:
        must.append(_phrase(match))
        return f" {must[-1]}"

    def signed(match: re.Match[str]) -> str:
        return wanted(match) if match["sign"] == "+" else unwanted(match)

    left = _SIGNED_WORD.sub(signed, _MUST_HAVE.sub(wanted, _MUST_NOT_HAVE.sub(unwanted, text)))
    if not (must or must_not) or not left.strip():  # a text of nothing but unwanted words is searched as it stands
        return WordRequirements([], [], text)
    return WordRequirements(list(dict.fromkeys(must)), list(dict.fromkeys(must_not)), left)


def _phrase(match: re.Match[str]) -> str:
    return " ".join((match["quoted"] or match["word"]).split())
