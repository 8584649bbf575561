"""Where a description inside a question ends: "the composer of Aschenbrödel" of "the country where the composer of Aschenbrödel was a citizen".

A name ends where its capitals do, and a relative clause has one verb of its own; the verb behind belongs to what stands round it.
"""

from __future__ import annotations

import re

_NAME_WORD = r"[\"“]?(?:[^\W\d_a-z][\w.’'&-]*|\d[\w.]*|\{sq\d\}|&)[\"”]?"
_INSIDE_NAMES = r"(?:(?:of|the|and|in|for|to|on|at|a|an|with|de|del|der|van|von|und|du|la|le|y|et)\s+){0,3}"
_NAME = re.compile(rf"(?:the\s+)?{_NAME_WORD}(?:,?\s+{_INSIDE_NAMES}{_NAME_WORD})*")
_AUXILIARY = r"(?:is|was|are|were|has|had|have|did|does|do|will|would|can|could)"
_PAST = "became|becomes|began|begins|died|lived|lives|worked|works|won|wrote|studied|attended|reached|belongs|belonged|owns|owned|comes|came"
_VERB = rf"(?:{_AUXILIARY}|{_PAST})"
_BEHIND_NAME = re.compile(rf"\s+(?:{_VERB}\b|an?\s+\w+\s+of\b|as\s+(?:its|his|her|their)\b|\w{{3,}}ed\W*$)")
_OWN_VERB = re.compile(r"(?:(?:also|later|first|once|currently|then)\s+)?(?!(?:the|an?|his|her|its|their|he|she|it|they|you|we|i)\b)[a-z]\w+\b")
_VERB_OR_PRONOUN = re.compile(rf"\b(?:(?P<verb>{_VERB})|(?P<pronoun>who|whom|whose|which|that|where|when|what))\b")
_JOINED = re.compile(rf"(?:\b(?:and|or|but|to|not)|,|\b{_AUXILIARY}(?:\s+not)?)\s+$")  # "was born and is buried", "has had": the same clause


def name_end(text: str, inside: int, end: int) -> int:
    """Return where the name that begins at `inside` ends, if a verb or a predicate follows it before `end`; else `end`."""
    name = _NAME.match(text, inside, end)
    return name.end() if name is not None and _BEHIND_NAME.match(text, name.end(), end) else end


def relative_clause_end(text: str, inside: int, end: int, *, verbs: int = 1, subject_opens: bool = False) -> int:
    """Return where the relative clause ends whose words after the pronoun begin at `inside`: before the first verb that is one too many; else `end`.

    Each pronoun on the way opens a clause with a verb of its own. `verbs` are the clause's own: 0 of one with a participle ("born in Kingston");
    `subject_opens`: the pronoun may be the subject ("who wrote", not "where").
    """
    opening = _OWN_VERB.match(text, inside, end) if subject_opens else None
    starts_with_verb = opening is not None and _VERB_OR_PRONOUN.match(text, inside) is None
    wanted, seen = verbs, int(starts_with_verb)
    for each in _VERB_OR_PRONOUN.finditer(text, opening.end() if opening is not None and starts_with_verb else inside, end):
        if each["pronoun"]:
            wanted += 1
        elif not _JOINED.search(text, inside, each.start()):
            seen += 1
            if seen > wanted:
                return len(text[: each.start()].rstrip(" ,"))
    return end
