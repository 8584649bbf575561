"""Requests about attached files as a whole: their summary, key points, tasks or open questions; nothing where it asks for more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from agents.text.question_words import tokens
from core.language.stop_words import STOP_WORDS
from core.lazy_patterns import compile_when_used

InsightRequest = Literal["summary", "key_points", "action_items", "questions_raised"]

_REQUEST_PATTERNS: tuple[tuple[InsightRequest, re.Pattern[str]], ...] = (
    (
        "action_items",
        compile_when_used(
            r"""
                  \b(?:
                        action\s+(?:items?|points?|list)|actions?|to[- ]?dos?(?:\s+list)?|tasks?|next\s+steps?|follow[- ]?ups?
                      | deadlines?|obligations?|duties
                  )\b
                | \bwhat\s+(?:do|must|should|does|need)\s+(?:i|we|they|someone|somebody|everyone|one)\s+
                  (?:(?:have|need)\s+to\s+)?(?:do|act\s+on)\b
                | \bwhat\s+(?:needs|has|is)\s+to\s+be\s+done\b
                | \bwho\s+(?:has|needs|is)\s+to\s+do\s+what(?:\s+(?:by|until)\s+when)?\b
            """,
            re.I | re.VERBOSE,
        ),
    ),
    (
        "questions_raised",
        compile_when_used(
            r"""
                  \b(?:open|unanswered|unresolved|outstanding|remaining)\s+(?:questions?|points?|issues?|items?|matters?)\b
                | \bquestions?\s+(?:raised|left\s+open|that\s+remain)\b
                | \bwhat\s+(?:is|are|remains?)\s+(?:still\s+)?(?:open|unclear|undecided|unresolved)\b
                | \b(?:which|what)\s+questions?\b
            """,
            re.I | re.VERBOSE,
        ),
    ),
    (
        "key_points",
        compile_when_used(
            r"""
                  \b(?:key|main|most\s+important|important|central|major|principal)\s+
                  (?:points?|take-?aways?|ideas?|messages?|facts?|findings?|things?)\b
                | \bhighlights\b|\btake-?aways\b
            """,
            re.I | re.VERBOSE,
        ),
    ),
    (
        "summary",
        compile_when_used(
            r"""
                  \bsumm?ari[sz]\w*\b|\bsumm?ar(?:y|ies)\b|\boverview\b|\bgist\b|\btl\s?;?\s?dr\b|\brecap\b
                | \bsum\s+(?:it\s+|this\s+|them\s+|that\s+)?up\b|\bnutshell\b|\bbrief\s+me\b
                | \bwhat(?:'?s|\s+is|\s+are)?\b(?=.*\babout\W*$)|\bwhat\s+(?:do|does)\b(?=.*\bsay\W*$)
                | \bwhat(?:'?s|\s+is)\s+in\s+(?:it|this|these|them|here|the|that|those|my)\b
            """,
            re.I | re.VERBOSE,
        ),
    ),
)
# What may stand beside the request without asking for more.
_IDLE_WORDS = frozenset(
    "document documents doc docs file files attachment attachments attached upload uploaded uploads pdf pdfs report reports text texts paper papers "
    "page pages content contents short brief briefly quick quickly concise concisely clear simple plain executive list bullet bullets point points "
    "sentence sentences line lines paragraph paragraphs word words extract identify highlight provide write make create summarise summarize main key "
    "two three four five six both here now me overall whole entire full content detail detailed contained listed found described related agreed "
    "following above below deadline deadlines owner owners date dates responsible name names mentioned important most raised open "
    "contract agreement lease letter email mail memo minutes meeting invoice quote note notes spreadsheet slides presentation article "
    "able possible still yet "
    "a b c an".split()
)


def find_insight_requests(question: str, filenames: Sequence[str]) -> tuple[InsightRequest, ...]:
    """Return the requests in the order of the question; () where words are left that ask about something in particular."""
    text = re.sub(r"\s+", " ", question.replace("’", "'")).strip()
    spans = [(match.start(), match.end(), request) for request, pattern in _REQUEST_PATTERNS for match in pattern.finditer(text)]
    if not spans or len(text) > 300:
        return ()
    rest = list(text)
    for start, end, _ in spans:
        rest[start:end] = " " * (end - start)
    known = {word for name in filenames for word in tokens(re.sub(r"[_.-]", " ", name))}
    left = [word for word in tokens("".join(rest)) if word not in STOP_WORDS and word not in _IDLE_WORDS and word not in known and not word.isdigit()]
    named = {word for name in filenames for word in tokens(name)}
    if any(word not in named for word in left):
        return ()
    return tuple(dict.fromkeys(request for _, _, request in sorted(spans)))
