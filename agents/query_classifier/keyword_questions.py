"""A few words instead of a question, searched as the question that they are short for: "Amina's extension" is "What is Amina's extension?".

An encoder places a question with its mark nearer to its answer than the bare words. Only whose attribute is named is read so ("X's Y", "Y of X"); two
nouns side by side ("rent bonded store") do not say which is the other's, and stay.
"""

from __future__ import annotations

import re

_WORD = r"[^\W\d_][\w.&-]*"
_LONGEST = 7  # words
_OWNED_THING = re.compile(rf"^\W*(?P<said>(?:{_WORD}\s+){{0,3}}{_WORD}(?:['’]s|s['’])\s+[\w&-]+(?:\s+[\w&-]+){{0,2}})\W*$")
_THING_OF = re.compile(
    rf"^\W*(?P<said>(?:the\s+)?(?P<thing>{_WORD}(?:\s+{_WORD}){{0,2}})\s+of\s+(?:(?:the|our|my)\s+)?[\w.&-]+(?:\s+[\w.&-]+){{0,2}})\W*$"
)
# What makes more than a name out of the words: a verb, something asked, something to be done.
_NO_NAME = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|whats|whos|is|are|was|were|am|be|been|do|does|did|has|have|had|can|could|may|might|must|shall|"
    r"should|will|would|it['’]s|he['’]s|she['’]s|that['’]s|there['’]s|here['’]s|let['’]s|and|or|not|than|versus|vs)\b|"
    r"^\W*(?:tell|show|list|explain|describe|compare|summari[sz]e|give|find|name|define|open|check|count|read|translate|write|remind|analy[sz]e|get|see|"
    r"search|calculate|compute|all|every|any|most|some|one|none|each|both)\b",
    re.IGNORECASE,
)
_QUESTION_OPENING = re.compile(
    r"^(?:(?:and|so|but)\s+)?(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would)"
    r"\s[^?\n]*[^\W_][)\]'’\"”%]?$",
    re.IGNORECASE,
)
_NO_ATTRIBUTE = re.compile(
    r"(?:^|\s)(?:lists?|table|overview|summary|gist|comparison|analysis|copy|copies|kinds?|types?|part|case|lack|out|because|instead|regardless|"
    r"think|speak|aware)$",
    re.IGNORECASE,
)
_POLITE_END = re.compile(
    r"(?P<before>\S)(?:[\s,;:!–-]+(?:please|pls|plz|thanks(?:\s+a\s+lot)?|thank\s+you(?:\s+very\s+much)?|thx|cheers|bitte|danke))+[\s.!]*(?P<mark>\??)[\s.!]*$",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(
    r"\b(?:says?|said|give|gives|giving|word|words|of|the|an?|with|many|no|means?|mean|write|wrote|sent|sends?|and|or)\W+(?:thanks|thank\s+you|please|cheers)\b[^?]*\??\W*$",
    re.IGNORECASE,
)


def strip_thanks(text: str) -> str:
    """Return a question without the "please" or "thanks" at its end, with or without a comma; where these are spoken of they stay ("who said
    thanks?")."""
    found = _POLITE_END.search(text)
    return text if found is None or _SPOKEN_OF.search(text) is not None else f"{text[: found.end('before')]}{found['mark']}"


def expand_keywords(text: str) -> str:
    """Return "What is Amina's extension?" for "Amina's extension", "What is the rent of Quay 7?" for "rent of Quay 7?"; a question gets the mark that
    was left out; any other text as it is."""
    if _QUESTION_OPENING.match(text) is not None:
        return f"{text}?"
    if _NO_NAME.search(text) is not None or len(text.split()) > _LONGEST:
        return text
    words = text.rstrip(" .")
    if (owned := _OWNED_THING.match(words)) is not None:
        return f"What is {owned['said']}?"
    of = _THING_OF.match(words)
    if of is None or _NO_ATTRIBUTE.search(of["thing"]) is not None:
        return text
    said, first = of["said"], of["said"].split()[0]
    article = "" if first.lower() == "the" or first[1:].lower() != first[1:] else "the "
    return f"What is {article}{said[0].lower()}{said[1:]}?" if article or first.lower() == "the" else f"What is {said}?"
