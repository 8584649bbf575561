"""Questions that are several: rules for comparisons, conjunctions, sequences and bridges, each giving sub-queries with their dependencies.

Rules first, and only where they are sure: a question that is left whole costs nothing, one that is cut wrongly is asked about the wrong thing.
"{sq1}" in a sub-query stands for what the first one finds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.planner.descriptions import KIND_OF_NOUN, ROLES, DescribedKind, Description, descriptions
from agents.planner.trailing_questions import QUESTION_WORD, asks_in_place, split_trailing_question
from agents.text.question_words import QUESTION_WORDS, content_words, find_names, tokens
from core.language.question_wording import document_and_topic, split_place
from core.language.stop_words import LOOKUP_STOP_WORDS
from core.lazy_patterns import compile_when_used
from core.reasoning import SubQuery

MAX_HOPS = 4
MOST_QUESTION_CHARACTERS = 600  # characters: who pastes more than this asks of one text, not several questions


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A question as a rule cut it. `kind` is comparison, conjunction, sequence or bridge."""

    kind: str
    sub_queries: tuple[SubQuery, ...]
    reason: str


def decompose(text: str) -> Decomposition | None:
    """Return the first rule that applies; None where one search is enough."""
    plain = re.sub(r"\s+", " ", text.translate({0x2019: "'", 0x2018: "'"})).strip()
    if not plain or len(plain) > MOST_QUESTION_CHARACTERS or "{sq" in plain:  # whoever writes our placeholders means something else by them
        return None
    return split_sequence(plain) or split_conjunction(plain) or split_comparison(plain) or split_trailing(plain) or split_bridge(plain)


def _make_sub_query(number: int, query: str, purpose: str, *dependencies: str) -> SubQuery:
    return SubQuery(id=f"sq{number}", query=query, purpose=purpose, priority=number, dependencies=list(dependencies))


def _as_question(text: str) -> str:
    """A clause as a question of its own: trimmed, with its first letter a capital and a question mark."""
    clean = re.sub(r"\s+([?.!,])", r"\1", re.sub(r"\s+", " ", text)).strip(" ,;.?!")
    return f"{clean[:1].upper()}{clean[1:]}?" if clean else ""


# -- bridge ------------------------------------------------------------------------------------------------------------------------------


def split_bridge(text: str) -> Decomposition | None:
    """Look up what is only described, innermost first, then ask about what was found. A question that is nothing but one description is one
    search."""
    steps: list[SubQuery] = []
    kinds: list[str] = []
    rest = text
    while len(steps) < MAX_HOPS - 1:
        found = next((each for each in descriptions(rest) if _is_worth_a_step(rest, each)), None)
        if found is None:
            break
        number = len(steps) + 1
        described = rest[found.start : found.end].strip(" ,")
        steps.append(
            _make_sub_query(
                number, f"{_opener(found)} {_lower_article(described)}?", f"find {_lower_article(described)}", *_find_placeholders(described)
            )
        )
        kinds.append(_lower_article(described))
        rest = _insert_placeholder(rest, found, number)
    if not steps:
        return None
    steps.append(_make_sub_query(len(steps) + 1, _as_question(rest), "answer the question with what was found", *_find_placeholders(rest)))
    return Decomposition("bridge", tuple(steps), f"It asks about something that it only describes: {'; '.join(kinds)}.")


def split_trailing(text: str) -> Decomposition | None:
    """Split a question whose question word comes last: "Marl House is a hall in a university located in what city?" asks which university it is, and
    then where that one is."""
    found = split_trailing_question(text)
    if found is None:
        return None
    described, first, then = found
    steps = (_make_sub_query(1, first, f"find {described}"), _make_sub_query(2, then, "answer the question with what was found", "sq1"))
    return Decomposition("bridge", steps, f"It asks about something that it only describes: {described}.")


_ASKS_WHO_IT_IS = compile_when_used(r"^\W*(?:and\s+)?(?:who|what)(?:['’]s|\s+(?:is|are|was|were))\s*$", re.IGNORECASE)
_ONLY_PLACED = compile_when_used(r"^\s*(?:(?:for|of|in|at|on|under|from)\s+(?:the\s+)?(?:[\w&.-]+\s*){1,4})?\W*$", re.IGNORECASE)


def _is_worth_a_step(text: str, each: Description) -> bool:
    """Something must be left to ask once the description has its name, the question's own word among it, and the description itself must say
    something."""
    described, outside = text[each.start : each.end], f"{text[: each.start]} {text[each.end :]}"
    if _ASKS_WHO_IT_IS.search(text[: each.start]) and _ONLY_PLACED.match(text[each.end :]):
        return False  # "Who is the landlord's agent for Quay 7?": what is described is all that is asked for
    if asks_in_place(described) and not QUESTION_WORD.search(outside):
        return False
    left = [word for word in tokens(outside) if word not in LOOKUP_STOP_WORDS and not word.startswith("sq")]
    said = [word for word in content_words(described) if word not in KIND_OF_NOUN] or find_names(described)
    return bool(left) and bool(said) and not re.fullmatch(r"\W*\{sq\d\}\W*", described)


def _opener(each: Description) -> str:
    return "Who is" if each.kind is DescribedKind.PERSON or each.head in ROLES else "What is"


def _lower_article(text: str) -> str:
    """The article of a description that began the question."""
    return re.sub(r"^(The|An?|That|This)\b", lambda match: match.group().lower(), text)


def _insert_placeholder(text: str, each: Description, number: int) -> str:
    """The placeholder in the description's place; the comma that ended its clause goes with it, where the sentence does not need it."""
    behind = text[each.end :]
    if each.start > 0 and re.search(r"\b(?:do|does|did|will|would|can|could|is|are|was|were|has|have|had)\s+$", text[: each.start], re.IGNORECASE):
        behind = behind.lstrip(" ,")
        behind = f" {behind}" if behind[:1].isalnum() else behind
    return f"{text[: each.start]}{{sq{number}}}{behind}"


def _find_placeholders(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"\{(sq\d)\}", text)))


# -- sequence ----------------------------------------------------------------------------------------------------------------------------

_FIRST_THEN = compile_when_used(
    r"^\W*(?:please\s+)?first(?:ly)?\b[\s,:]*(?P<first>.+?)[\s,;.]+(?:and\s+)?(?:then|after\s+that|afterwards|next|second(?:ly)?)\b[\s,:]*(?P<then>.+)$",
    re.IGNORECASE,
)
_BEFORE_AFTER = compile_when_used(
    r"^(?P<what>.+?)\s+(?P<one>before|after)\s+(?P<x>.+?)\s*,?\s+(?:and|or)\s+(?:what\s+(?:\w+\s+)?)?(?P<two>before|after)\s+(?P<y>.+?)[?.!]*$",
    re.IGNORECASE,
)
_NOUNS = "|".join(sorted(KIND_OF_NOUN, key=len, reverse=True))
_REFERENCE = compile_when_used(
    rf"\b(?:he|she|they|it|him|them|there|(?:that|this|the)\s+(?:same\s+)?(?:{_NOUNS}))\b(?!'s\b)|\b(?:his|her|their|its)\b", re.IGNORECASE
)
_ORDER = compile_when_used(r"^(?:please\s+)?(?:find(?:\s+out)?|tell\s+me|look\s+up|show\s+me|check|see|get|list|give\s+me|say)\s+", re.IGNORECASE)


def split_sequence(text: str) -> Decomposition | None:
    """Split "First X, then Y": Y waits for X where it speaks of what X finds. "Before X and after Y": two questions side by side."""
    match = _FIRST_THEN.match(text)
    if match:
        first, then = _strip_order(match["first"]), _strip_order(match["then"])
        if content_words(first) and (content_words(then) or _REFERENCE.search(then)):
            second, depends = _replace_reference(then)
            then_asked = _make_sub_query(2, _as_question(second), "second step", *(["sq1"] if depends else []))
            return Decomposition(
                "sequence", (_make_sub_query(1, _as_question(first), "first step"), then_asked), "It says what comes first and what then."
            )
    match = _BEFORE_AFTER.match(text)
    if match and match["one"].lower() != match["two"].lower() and content_words(match["x"]) and content_words(match["y"]):
        queries = (f"{match['what']} {match[when].lower()} {match[thing]}" for when, thing in (("one", "x"), ("two", "y")))
        steps = tuple(
            _make_sub_query(number, _as_question(query), f"{when} it")
            for number, (query, when) in enumerate(zip(queries, _times(match), strict=True), start=1)
        )
        return Decomposition("sequence", steps, "It asks for a time before and a time after.")
    return None


def _times(match: re.Match[str]) -> tuple[str, str]:
    return match["one"].lower(), match["two"].lower()


def _strip_order(text: str) -> str:
    return _ORDER.sub("", text.strip(" ,;.?!"))


def _replace_reference(text: str) -> tuple[str, bool]:
    """The clause with what it refers back to as a placeholder, and whether it does."""
    match = _REFERENCE.search(text)
    if not match:
        return text, False
    owned = match.group().lower() in {"his", "her", "their", "its"}
    return f"{text[: match.start()]}{{sq1}}{chr(39) + 's' if owned else ''}{text[match.end() :]}", True


# -- conjunction -------------------------------------------------------------------------------------------------------------------------

_WH = r"(?:who|whom|whose|what|which|where|when|why|how)"
_AND_QUESTION = compile_when_used(
    rf"[\s,;]+(?:and(?:\s+also)?|also|as\s+well\s+as|plus)\s+(?=(?:(?:in|at|on|for|to|by|from|with)\s+)?{_WH}\b)", re.IGNORECASE
)
_SENTENCES = compile_when_used(r"(?<=\?)\s+(?=\S)")
_SUBJECT = compile_when_used(r"\b(?:it|its|they|their|them|he|she|his|her|him)\b", re.IGNORECASE)
_DEFINITE = compile_when_used(
    r"\b(?:the|our|my)\s+(?:[\w'-]+\s+){0,3}?[\w'-]+(?=\s+(?:is|was|end|ends|start|starts|begin|expire|cost|costs|run|close|open|on|of|in|for)\b|\W*$)",
    re.IGNORECASE,
)


_LOOKS_FOR_SOMEBODY = compile_when_used(
    r"^\W*(?:who(?!(?:\s+(?:is|was|are|were)|['’]s)\s+(?-i:[A-Z]))|whom|(?:which|what)\s+(?:person|firm|company|carrier|supplier))\b", re.IGNORECASE
)
_SOMEBODY = compile_when_used(
    r"\b(?:that\s+(?:same\s+)?(?:person|man|woman|firm|company|carrier|supplier)|he|she|they|him|her|them|his|their)\b", re.IGNORECASE
)


def split_conjunction(text: str) -> Decomposition | None:
    """Split two and more questions in one: parts that begin with a question word of their own, side by side. "It" in a later part is what the first
    part names; what stands in front of the first ("In the siege diary, how many …") stands in front of all."""
    place, asking = split_place(text)
    parts = [part for sentence in _SENTENCES.split(asking) for part in _AND_QUESTION.split(sentence)]
    parts = [part.strip(" ,;") for part in parts if part.strip(" ,;?.!")]
    if (told := _split_what_to_do(parts)) is not None:
        return told
    if not 2 <= len(parts) <= MAX_HOPS or not all(_is_question(part) for part in parts):
        return None
    subject = _subject(parts[0])
    asked = [parts[0], *(_refer_to_person(part, parts[0]) or _insert_subject(part, subject) for part in parts[1:])]
    front = f"{place}, " if place else ""
    steps = tuple(
        _make_sub_query(number, _as_question(f"{front}{part}"), f"part {number} of the question", *_find_placeholders(part))
        for number, part in enumerate(asked, start=1)
    )
    return Decomposition("conjunction", steps, f"It is {len(steps)} questions in one.")


_WHAT_TO_DO = compile_when_used(r"^(?:who|whom|where|when|how|what)\s+to\s+\w+\W*$", re.IGNORECASE)
_MOST_THING_WORDS = 6  # words of a thing that is asked for by its name alone


def _split_what_to_do(parts: Sequence[str]) -> Decomposition | None:
    """ "Cold store limits and whom to call?": a thing by its name, and what to do about what it belongs to."""
    if len(parts) != 2 or not _WHAT_TO_DO.match(parts[1]) or QUESTION_WORDS & set(tokens(parts[0])):
        return None
    words = re.sub(r"^(?:the|our|my)\s+", "", parts[0], flags=re.IGNORECASE).split()
    if not 2 <= len(words) <= _MOST_THING_WORDS:
        return None
    about = " ".join(words[:-1])
    about = f"the {about[:1].lower()}{about[1:]}" if words[1].islower() else about  # "Cold store limits", but "Quay 7 limits"
    steps = (
        _make_sub_query(1, " ".join(words), "part 1 of the question"),
        _make_sub_query(2, _as_question(f"{parts[1].rstrip(' ?.!')} about {about}"), "part 2 of the question"),
    )
    return Decomposition("conjunction", steps, "It is 2 questions in one.")


def _refer_to_person(part: str, first: str) -> str:
    """A later part that speaks of whom the first one looks for ("Who approved it, and what is her limit?"), with the placeholder for the name; ""
    where the first names him itself, or the part speaks of something else."""
    if not _LOOKS_FOR_SOMEBODY.match(first) or (match := _SOMEBODY.search(part)) is None:
        return ""
    return f"{part[: match.start()]}{{sq1}}{_possessive_ending(match, part)}{part[match.end() :]}"


def _possessive_ending(match: re.Match[str], part: str) -> str:
    """ "'s" where a pronoun says whose something is; "her" may say whom."""
    word = match.group().lower()
    owns = word in {"its", "their", "his"} or (word == "her" and re.match(r"\s+(?!and\b|or\b|in\b|on\b|at\b)\w", part[match.end() :]) is not None)
    return "'s" if owns else ""


def _is_question(part: str) -> bool:
    """Return whether a part asks something by itself: a question word and something to ask it of."""
    words = tokens(part)
    opens = {word.removesuffix("'s") for word in words[:4]} & QUESTION_WORDS or part.endswith("?")
    return bool(opens) and len(words) >= 3 and bool(content_words(part) or _SUBJECT.search(part))


def _subject(part: str) -> str:
    _, topic = document_and_topic(part)
    if topic:  # "What does the lease say about the deposit, and who holds it?"
        return topic.strip()
    named = find_names(part)
    definite = _DEFINITE.search(part)
    if named:  # "the lease of Quay 7": what is spoken of is the lease
        whole = re.search(rf"\b(?:the|our|my)\s+(?:[\w'-]+\s+){{1,3}}?(?:of|for|from|with)\s+(?:the\s+)?{re.escape(named[0])}", part)
        return whole.group() if whole else named[0]
    return definite.group() if definite else ""


def _insert_subject(part: str, subject: str) -> str:
    match = _SUBJECT.search(part)
    if not match or not subject:
        return part
    return f"{part[: match.start()]}{subject}{_possessive_ending(match, part)}{part[match.end() :]}"


# -- comparison --------------------------------------------------------------------------------------------------------------------------

_TASK = compile_when_used(
    r"^\W*(?:please\s+)?(?:can\s+you\s+|could\s+you\s+)?(?:compare|contrast|set\s+side\s+by\s+side|(?:what(?:'s|\s+is|\s+are)\s+)?(?:the\s+)?(?:main\s+|key\s+)?"
    r"(?:difference|differences|comparison)\s+(?:between|of|in))\s+",
    re.IGNORECASE,
)
_HOW = compile_when_used(
    r"^how\s+(?:do|does|did|are|is)\s+(?P<a>.+?)\s+(?:(?:differ(?:ent)?|compare)\s+(?:from|to|with)\s+(?P<b>.+?)|and\s+(?P<c>.+?)\s+(?:differ(?:ent)?|compare))\s*\?*$",
    re.IGNORECASE,
)
_PAIR = compile_when_used(r"\s+(?:and|with|to|versus|vs\.?|against|from|or|than)\s+", re.IGNORECASE)
_CHOICE = compile_when_used(
    r"^(?P<what>(?:which|who|what|whose)\b[^,]*?(?:\b\w+(?:er|est)\b|\bfirst\b|\bearlier\b|\blater\b|\bmore\b|\bmost\b|\bless\b|\bbetter\b|\bbest\b)[^,]*)"
    r"[,:]\s*(?P<a>[^,]+?)\s*,?\s+or\s+(?P<b>[^,?]+?)\s*\?*$",
    re.IGNORECASE,
)
_BOTH = compile_when_used(
    r"^(?P<be>are|were|do|did|have|is)\s+(?:both\s+)?(?P<a>.+?)\s+and\s+(?P<b>.+?)\s+(?:(?:have|has|share|come|are|were)\s+)?(?:both|the\s+same|from\s+the\s+same|in\s+the\s+same|located\s+in\s+the\s+same)\b\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_VERSUS = compile_when_used(r"^(?P<a>[^?]+?)\s+(?:vs\.?|versus)\s+(?P<b>[^?]+?)\??$", re.IGNORECASE)


def split_comparison(text: str) -> Decomposition | None:
    """Ask one sub-query for each side, with the attribute that is compared; they do not wait for each other."""
    sides = _match_choice(text) or _match_both(text) or _match_how(text) or _match_task(text) or _match_versus(text)
    if sides is None or not all(content_words(side) for side in sides) or sides[0].lower() == sides[1].lower():
        return None
    steps = tuple(_make_sub_query(number, side, f"side {number} of the comparison") for number, side in enumerate(sides, start=1))
    return Decomposition("comparison", steps, "It sets two things side by side.")


def _match_choice(text: str) -> tuple[str, str] | None:
    match = _CHOICE.match(text)
    return (f"{match['what'].strip()}: {match['a'].strip()}", f"{match['what'].strip()}: {match['b'].strip()}") if match else None


def _match_both(text: str) -> tuple[str, str] | None:
    match = _BOTH.match(text)
    if not match:
        return None
    rest = match["rest"].strip(" ?")
    first = re.sub(r"^(?:the\s+directors?|the\s+films?|both)\s+of\s+", "", match["a"])
    return f"{first} {rest}".strip(), f"{match['b']} {rest}".strip()


def _match_task(text: str) -> tuple[str, str] | None:
    task = _TASK.match(text)
    if not task:
        return None
    rest = text[task.end() :].strip(" ?.!")
    pairs = list(_PAIR.finditer(rest))
    return _share_wording(rest[: pairs[-1].start()].strip(" ,"), rest[pairs[-1].end() :].strip(" ,")) if len(pairs) == 1 else None


def _match_how(text: str) -> tuple[str, str] | None:
    match = _HOW.match(text)
    return _share_wording(match["a"].strip(), (match["b"] or match["c"]).strip(" ?")) if match else None


def _match_versus(text: str) -> tuple[str, str] | None:
    match = _VERSUS.match(text)
    return _share_wording(match["a"].strip(), match["b"].strip(" ?")) if match else None


_HEADED = compile_when_used(r"^(?P<lead>.+?\b(?:of|in|from|for|by|at|on)\s+(?:the\s+)?)(?P<thing>\S.*)$", re.IGNORECASE)
_NOUN_BEHIND = compile_when_used(r"^(?:the\s+)?[^\W\d_a-z]\S*(?:\s+[^\W\d_a-z]\S*)*\s+(?P<noun>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,2})$")
_TOPIC = compile_when_used(r"\s+(?P<topic>(?:on|by|regarding|about|with\s+respect\s+to|in\s+terms\s+of)\s+.+)$", re.IGNORECASE)
_MARK = compile_when_used(r"^(?:v?\d[\w.]*|[A-Z]\d*|Q[1-4])$")


def _share_wording(left: str, right: str) -> tuple[str, str]:
    """Each side with what is said once for both: "the rent in lease A" and "lease B"; "Kestrel" and "Norland quotes"; "policy v1" and "v2"."""
    topic = _TOPIC.search(right)
    behind = f" {topic['topic']}" if topic else ""
    right = right[: topic.start()] if topic else right
    noun = _NOUN_BEHIND.match(right)
    if noun and noun["noun"].split()[-1].rstrip("s") not in left.lower():
        left = f"{left} {noun['noun']}"
    headed = _HEADED.match(left)
    words = left.split()
    if len(words) > 1 and _MARK.match(words[-1]) and _MARK.match(right):
        right = f"{' '.join(words[:-1])} {right}"
    elif headed and not re.search(r"\b(?:of|in|from|for|by|at)\b", right):
        right = f"{headed['lead']}{re.sub(r'^the ', '', right) if headed['lead'].endswith('the ') else right}"
    return f"{left}{behind}", f"{right}{behind}"
