"""Shares, as questions ask for them: "What share of the orders is paid?", "What percentage of total freight went by sea?"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.table_qa.time_parser import Span

_SHARE = r"(?:share|percentage|proportion|fraction|per\s?cent|percent|part|%|anteil|prozentsatz|prozent)"
_VERB = (
    r"(?:is|are|was|were|has|have|had|came|comes?|went|goes|go|belongs?|belonged|costs?|weigh(?:s|ed)?|works?|worked|uses?|used|did|does|do|takes?|took|needs?"
    r"|stems?|stemmed|passed|failed|exceed(?:s|ed)?|scored?|got|reach(?:es|ed)?|lives?|lived|drives?|speaks?|reports?|ist|sind|war|waren|hat|haben|kommt"
    r"|kommen|kam|kamen|entfällt|entfallen|entfiel|ging|gingen)"
)
_ASKS = (
    rf"(?P<asks>\b(?:(?:what|which)\s+(?:is\s+the\s+)?{_SHARE}|how\s+many\s+{_SHARE}|wie\s?viel(?:e)?\s+{_SHARE}"
    rf"|(?:welcher|wie\s+hoch\s+ist\s+der)\s+{_SHARE}))"
)
_HAS = r"(?:have|make\s+up|account\s+for|contribute|represent|of)\s+(?:to|in|of)?"
_ALL = r"(?:the\s+)?(?:total|overall|all|whole|gesamt\w*)\b"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_ASKS}\s+(?:did|does|do|is)\s+(?P<part>.+?)\s+{_HAS}\s*(?P<whole>.+)$",
        rf"{_ASKS}\s+(?:of|der|des|von|am|an\s+der|an\s+den)\s+(?P<whole>.+?)\s+(?P<part>\b{_VERB}\s+.+)$",
        rf"(?P<asks>\b{_SHARE})\s+(?:of|von|der|des)\s+(?P<part>.+?)\s+(?:in|of|among|an|am|an\s+der)\s+(?P<whole>{_ALL}.+)$",
    )
)


@dataclass(frozen=True, slots=True)
class ShareQuestion:
    """`span` are the words that ask, `whole` those for all of it, `part` those for what is a share of it."""

    span: Span
    whole: Span
    part: Span


def parse_share(text: str) -> ShareQuestion | None:
    """Find what is asked to be a share of what; None where no share is asked for."""
    bare = text.rstrip(" ?.!")
    found = next((match for form in _FORMS if (match := form.search(bare)) is not None), None)
    return ShareQuestion(*(Span(*found.span(name)) for name in ("asks", "whole", "part"))) if found is not None else None
