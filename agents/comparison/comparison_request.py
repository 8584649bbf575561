"""The question read as a comparison: named sides, a pair of versions or a group of documents, and the attributes it asks for. Rules alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agents.text.document_names import KINDS, singular
from agents.text.question_words import content_words
from agents.text.superlative_questions import COMPARATIVES, Superlative
from core.lazy_patterns import compile_when_used

MOST_SIDES = 6
_COUNTS = {"two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6}
_NOUN = "|".join(sorted((f"{noun[:-1]}(?:y|ies)" if noun.endswith("y") else f"{noun}s?" for noun in KINDS), key=len, reverse=True))
_TASK = compile_when_used(
    r"^\W*(?:(?:please|pls|can|could|would|will|you|u|kindly|maybe|i|want|need|like|to|show|give|make|me|us|do|an?|the)\s+)*"
    r"(?:compare|comparing|comparison\s+(?:of|between)|contrast|analy[sz]e|analysis\s+of|differences?\s+between)\s+",
    re.IGNORECASE,
)
_ATTRIBUTE_QUESTION = compile_when_used(
    r"^\W*(?:what|which|how|is|are|'s|s|there|the|main|key|do|does|did|a|any|tell|show|me|in)?(?:\s*(?:what|is|are|'s|there|the|main|key|any|me|a)\b)*\s*"
    r"(?:differences?|differ\w*|similarit(?:y|ies)|contrast)\s+(?:between|from|of|with)\s+",
    re.IGNORECASE,
)
_HOW_DIFFER = compile_when_used(
    r"^\W*how\s+(?:do|does|did|are|is)\s+(.+?)\s+differ(?:ent)?\b(?:\s+from\s+(.+?))?(?:\s+(?:in|on|about|regarding)\s+(.+?))?[?.!]*$", re.I
)
_VERSIONS = compile_when_used(
    r"\b(?:the\s+)?(?:versions?|v\.?|revisions?|issue)\s*(\d+(?:\.\d+)?)\s*(?:and|with|to|vs\.?|versus|or|from|,|&)\s*(?:the\s+)?(?:versions?|v\.?|revisions?|issue)?\s*"
    r"(\d+(?:\.\d+)?)\b(?:\s+of\s+(?:the\s+|our\s+)?)?",
    re.IGNORECASE,
)
_OLD_NEW = compile_when_used(
    r"\b(?:in\s+|of\s+|under\s+|between\s+)?(?:the\s+|our\s+)?(old|older|previous|former|earlier|new|newer|current|latest|original)\s*(?:\w+\s+)?"
    r"(?:and|with|to|vs\.?|versus|or|&)\s*(?:the\s+|our\s+)?(old|older|previous|former|earlier|new|newer|current|latest|amended)\b\s*(?:versions?\s+(?:of\s+)?(?:the\s+)?)?",
    re.IGNORECASE,
)
_GROUP = compile_when_used(
    rf"\b(?:(?:all|the|our|my|these|those)\s+)*(?:(two|both|three|four|five|six|[2-6])\s+)?(?:\w+\s+)??({_NOUN})\b", re.IGNORECASE
)
_ABOUT = compile_when_used(
    r"\s*(?::|\b(?:about|regarding|concerning|in\s+terms\s+of|with\s+(?:respect|regard)\s+to|when\s+it\s+comes\s+to|as\s+to|by|on)\b)\s*(?P<attributes>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_WHICH = compile_when_used(
    r"^\W*(?:which|who|what)\s+(?:one\s+|of\s+them\s+)?(?:is|has|costs?|offers?|was|had)\s+(?:the\s+)?(?P<attribute>[^,:]+?)\s*[,:]\s*(?P<sides>.+)$",
    re.I,
)
_BETWEEN = compile_when_used(r"\s+(?:vs\.?|versus|against|compared\s+(?:to|with)|as\s+opposed\s+to)\s+", re.IGNORECASE)
_LIST = compile_when_used(r"\s*,\s*(?:and\s+)?|\s+(?:and|with|to|or)\s+|\s*&\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """Either `names` of sides in the question's words; or `versions` (two labels of one thing, `topic`); or a `group` of documents of
    one kind (`count` of them, 0 for all). `attributes` are what is asked of each, () for whatever they share. `superlative` says which of the group
    is asked for by its one attribute: the one with the "least" or the "most" of it."""

    names: tuple[str, ...] = ()
    versions: tuple[str, str] | None = None
    group: str = ""
    count: int = 0
    topic: str = ""
    attributes: tuple[str, ...] = field(default=())
    superlative: Superlative | None = None

    @property
    def asks_for_one(self) -> bool:
        """Whether one document of a group is asked for, and the table alone is no answer."""
        return bool(self.group and self.superlative)


def parse_comparison(question: str) -> ComparisonRequest:
    """Read a question as a comparison; `names` stay empty where the question sets nothing side by side."""
    text = " ".join(question.split()).rstrip(" ?.!")
    differ = _HOW_DIFFER.match(text)
    if differ and differ.group(2):
        return ComparisonRequest(names=(_clean_name(differ.group(1)), _clean_name(differ.group(2))), attributes=_attributes(differ.group(3) or ""))
    body = _ATTRIBUTE_QUESTION.sub("", _TASK.sub("", text, count=1), count=1)
    which = _WHICH.match(body)
    if which and len(_parts(which["sides"])) > 1:
        return _which_of(_names(which["sides"]), which["attribute"].strip())
    about = _ABOUT.search(body)
    for pattern in (_VERSIONS, _OLD_NEW):
        match = pattern.search(body)
        if match:
            return _versions(body, match)
    if not _BETWEEN.search(body):
        group = _group(body, about)
        if group is not None:
            return group
    head, wanted = (body[: about.start()], about["attributes"]) if about and _names_all_sides(body[: about.start()]) else (body, "")
    return ComparisonRequest(names=_names(head), attributes=_attributes(wanted))


def _which_of(names: tuple[str, ...], asked: str) -> ComparisonRequest:
    """Read "cheaper" as the least of the total price; what is no comparative of an attribute is compared as it is."""
    if asked.lower() not in COMPARATIVES:
        return ComparisonRequest(names=names, attributes=_attributes(asked))
    attribute, superlative = COMPARATIVES[asked.lower()]
    return ComparisonRequest(names=names, attributes=(attribute,), superlative=superlative)


def _names_all_sides(head: str) -> bool:
    """Return whether what stands before "about" or ":" is all of the sides: two of them, or only a word for them ("them", "both")."""
    return len(_parts(head)) > 1 or not content_words(head)


def _versions(body: str, match: re.Match[str]) -> ComparisonRequest:
    """Read the thing behind the pair of versions, and what is asked of it from the rest."""
    before, behind = body[: match.start()], body[match.end() :]
    about = _ABOUT.search(behind)
    topic, wanted = (behind[: about.start()], about["attributes"]) if about else (behind, before)
    if not content_words(topic):
        topic, wanted = before, wanted if about else ""
    wanted = re.sub(r"\s+(?:in|of|under|between|for)\s*$", "", wanted.strip())
    labels = (match.group(1).lower(), match.group(2).lower())
    return ComparisonRequest(versions=labels, topic=topic.strip(" ,:"), attributes=_attributes(wanted))


def _group(body: str, about: re.Match[str] | None) -> ComparisonRequest | None:
    """ "the three offers for reach trucks: price", "our contracts". A noun alone or with a name before it is no group."""
    head = body[: about.start()] if about else body
    match = _GROUP.search(head)
    if match is None:
        return None
    noun, count = match.group(2).lower(), _COUNTS.get((match.group(1) or "").lower(), 0)
    plural = noun.endswith("s") and singular(noun) != noun
    if not plural or (not count and len(_parts(head)) > 1):
        return None
    before = re.sub(r"\s+(?:of|in|from|between|across|for)\s*$", "", head[: match.start()].strip())
    wanted = about["attributes"] if about else before
    return ComparisonRequest(group=singular(noun), count=count, topic=head[match.end() :].strip(" ,:"), attributes=_attributes(wanted))


def _parts(text: str) -> list[str]:
    pieces = _BETWEEN.split(text)
    if len(pieces) == 1:
        pieces = _LIST.split(text)
    return [piece for piece in pieces if content_words(piece) or re.fullmatch(r"\W*[A-Z]\W*", piece)]


def _names(text: str) -> tuple[str, ...]:
    return tuple(_clean_name(part) for part in _parts(text)[:MOST_SIDES])


def _clean_name(text: str) -> str:
    bare = re.sub(r"^(?:(?:the|our|my|a|an)\s+)+", "", text.strip(" ,:;\"“”'"), flags=re.IGNORECASE)
    return re.sub(r"^(?:quot(?:e|ation)s?|offers?|bids?|proposals?)\s+(?:of|from|by)\s+(?=[A-ZÀ-Þ])", "", bare)


def _attributes(text: str) -> tuple[str, ...]:
    """ "price, delivery and warranty" as three; a longer phrase with an "and" inside stays whole."""
    text = re.sub(r"^(?:their|its|the|his|her)\s+", "", text.strip(" ,:;?.!"), flags=re.IGNORECASE)
    pieces = [piece.strip() for piece in re.split(r"\s*[,;]\s*(?:and\s+)?", text)]
    parts = [part for piece in pieces for part in (re.split(r"\s+and\s+", piece) if _is_short_pair(piece) else [piece])]
    cleaned = [re.sub(r"^(?:their|its|the)\s+", "", part, flags=re.IGNORECASE) for part in parts]
    return tuple(dict.fromkeys(part for part in cleaned if content_words(part)))[:8]


def _is_short_pair(piece: str) -> bool:
    return all(1 <= len(content_words(part)) <= 3 for part in re.split(r"\s+and\s+", piece))
