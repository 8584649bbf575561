"""Questions after who leads a thing, and the names of offices that do."""

from __future__ import annotations

import re

from core.claim_words import label_words

WHO_LEADS = re.compile(
    r"^\W*(?:who|wer)\s+(?:(?:is|are|was|ist|war)\s+(?:the\s+person\s+)?(?:responsible\s+for|in\s+charge\s+of|accountable\s+for|zuständig\s+für|verantwortlich\s+für)|"
    r"runs|leads|manages|heads|supervises|oversees|leitet|verantwortet)\s+(?:(?:the|our|der|die|das|den)\s+)?(?P<thing>[^?]+?)(?:\s+zuständig|\s+verantwortlich)?\W*$",
    re.IGNORECASE,
)
LEADERS = label_words(
    "manager supervisor head lead leader director chief coordinator officer owner responsible administrator leiter leiterin leitung"
)
