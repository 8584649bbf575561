"""Questions for the superlative of a group of documents: "Which offer has the shortest delivery time?", "What is the cheapest quote?"."""

from __future__ import annotations

import re
from typing import Literal

from agents.text.document_names import KINDS
from core.language.word_files import join_alternatives
from core.lazy_patterns import compile_when_used

Superlative = Literal["least", "most"]
LEAST = "cheapest lowest shortest smallest least fewest lightest soonest fastest quickest minimum"
MOST = "dearest highest longest largest biggest greatest heaviest slowest maximum"
PRICE_WORDS = frozenset("cheapest dearest expensive".split())
SPEED_WORDS = frozenset("fastest quickest soonest slowest".split())
# What a comparative asks for, and whether the least or the most of it.
COMPARATIVES: dict[str, tuple[str, Superlative]] = {
    "cheaper": ("total price", "least"),
    "less expensive": ("total price", "least"),
    "more expensive": ("total price", "most"),
    "dearer": ("total price", "most"),
    "faster": ("delivery time", "least"),
    "quicker": ("delivery time", "least"),
    "slower": ("delivery time", "most"),
}
# Those who write what is compared.
WRITERS = dict.fromkeys("supplier vendor bidder dealer seller manufacturer provider contractor".split(), "quote")
_NOUN = join_alternatives([*KINDS, *(f"{noun}s" for noun in KINDS), *WRITERS, *(f"{noun}s" for noun in WRITERS)])
_SUPERLATIVE = rf"(?P<word>(?P<more>most|least)\s+expensive|{'|'.join(f'{LEAST} {MOST}'.split())})"
SUPERLATIVE_QUESTION = compile_when_used(
    rf"^\W*(?:which|what|whose)\s+(?:(?:one\s+)?of\s+)?(?:(?:the|our|these|those|all)\s+)*(?:(?:two|three|four|five|six|[2-6])\s+)?(?P<noun>{_NOUN})\s+"
    rf"(?:is|are|has|have|had|gives?|offers?|promises?|asks?(?:\s+for)?|charges?|includes?|costs?|comes?\s+with|quotes?|names?)\s+(?:the\s+|us\s+the\s+)?"
    rf"{_SUPERLATIVE}\b\s*(?P<rest>[^?]*?)\W*$",
    re.IGNORECASE,
)
SUPERLATIVE_FIRST = compile_when_used(
    rf"^\W*(?:which|what|who)\s+is\s+(?:the|our)\s+{_SUPERLATIVE}\s+(?:of\s+the\s+(?:\w+\s+)?)?(?P<noun>{_NOUN})\b\s*(?P<rest>[^?]*?)\W*$",
    re.IGNORECASE,
)
