"""The parts of a question: the part that asks, politeness, a few words instead of a question, two questions in one, documents that it names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from core.language.question_wording import split_place, strip_politeness
from core.language.sentences import split_sentences, word_count

_QUESTION_END = re.compile(r"[?？][\"'”’»)\]」』）]*$")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
COMPARISON_WORDS = re.compile(
    r"\b(compare|comparison|versus|vs\.?|difference|differ|both|or|than|same|vergleich\w*|unterschied\w*|comparar|diferencia)\b", re.IGNORECASE
)


LONG_QUESTION_WORDS = 25  # words from which a question may hold more than what it asks
_MOST_SENTENCE_WORDS = 45  # words of one sentence that the reader takes in
_QUESTION_CLAUSE = re.compile(
    r"(?:^|(?<=[,;:–—-])\s)\s*(?=(?:and\s+|but\s+)?(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|did|does|do|can|could|may|must|has|have|"
    r"wer|wem|wen|was|welche[rmns]?|wann|wo|warum|wie|ist|sind)\b)",
    re.IGNORECASE,
)


def asked_part(question: str) -> str:
    """Return a question without its words of politeness, and of a long one what it asks, without what it says around that: its sentences with a
    question mark, of one too long to be read the part behind its last question word. The whole of a long one where what would be left has under four
    words."""
    question = strip_politeness(question)
    if word_count(question) < LONG_QUESTION_WORDS:
        return question
    sentences = [question[start:end] for start, end in split_sentences(question)]
    asking = [each for each in sentences if _QUESTION_END.search(each)] or [each for each in sentences if _QUESTION_CLAUSE.search(each)]
    if not asking:
        return question
    parts = []
    for each in asking:
        places = [match.end() for match in _QUESTION_CLAUSE.finditer(each)]
        tail = each[places[-1] :] if places and word_count(each) > _MOST_SENTENCE_WORDS else each
        parts.append(tail if word_count(tail) >= 4 else each)
    found = " ".join(parts)
    return found if word_count(found) >= 4 else question


_SECOND_QUESTION = re.compile(r"\band\s+(?:\w+\s+)?(?:who|whom|whose|what|which|where|when|why|how)\b", re.IGNORECASE)


def move_place_behind(question: str) -> str:
    """Return a question with what stands in front of its question word behind it, where it is read as part of what is asked: "In the lease, how large
    is the deposit?" as "How large is the deposit in the lease?". Any other question as it is."""
    place, asked = split_place(question)
    if not place or "?" in asked.rstrip("?.! ") or _SECOND_QUESTION.search(asked):
        return question  # of two questions each has it in front
    bare = asked.rstrip("?.! ")
    return f"{bare[:1].upper()}{bare[1:]} {place[:1].lower()}{place[1:]}{asked[len(bare) :].strip()}"


_ASKING_WORDS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|whats|whos|wheres|is|are|was|were|am|did|does|do|can|could|may|might|must|has|have|had|will|would|"
    r"shall|should|need|needs|tell|show|list|explain|describe|compare|summari[sz]e|give|find|name|define|say|says)\b",
    re.IGNORECASE,
)
_NAMED_THING = re.compile(r"(?:the|an?|our|my|your|all|any|every|current|latest)\b", re.IGNORECASE)
_MOST_FRAGMENT_WORDS = 12  # words of what is typed instead of a question, at most


def as_question(text: str) -> str:
    """Return what is typed as a few words as the question that a reader knows: "Rent of Quay 7?" is "What is the rent of Quay 7?". Other texts
    stay."""
    said = " ".join(text.split()).strip(" ?？.!")
    if not any(letter.isalpha() for letter in said) or word_count(said) > _MOST_FRAGMENT_WORDS or _ASKING_WORDS.search(said) or not said.isascii():
        return text
    first = said.split()[0]
    article = "" if _NAMED_THING.match(said) or first[1:].lower() != first[1:] else "the "
    return f"What is {article}{said[:1].lower() if article else said[:1]}{said[1:]}?"


_ASKS_MORE = re.compile(
    r"\b(?:and|und)\s+(?:by\s+|at\s+|in\s+|for\s+|with\s+|to\s+)?(?:who|whom|what|which|when|where|why|how|is|are|was|were|did|does|has|had|wer|wen|wann|wo|wie|"
    r"warum|ist|hat)\b",
    re.IGNORECASE,
)


def asks_more(question: str) -> bool:
    """Return whether a question asks for two things: "where did it go and was it late?"."""
    return _ASKS_MORE.search(question) is not None


_MOST_BARE_WORDS = 4  # of a second question that leaves what it asks about to the first one


def bare_second_question(question: str) -> str:
    """Return the second question that says nothing of its own: "when" of "Who examined the crane and when?", "at what price" of "Which offer was
    chosen, and at what price?"; "" where there is none."""
    ends = [found.start() for found in _ASKS_MORE.finditer(question)]
    rest = question[ends[-1] :].split(maxsplit=1)[1].strip(" ?？.!") if ends else ""
    return rest if 0 < word_count(rest) <= _MOST_BARE_WORDS else ""


_ASKING_VERB = (
    r"is|are|was|were|do|does|did|has|have|had|can|could|may|must|should|will|would|"
    r"ist|sind|war|waren|hat|haben|darf|dürfen|kann|können|muss|müssen|wird|werden|wurden?|gibt\s+es|sollten?"
)
# What stands in front of what is asked: "In the survey, did …", "Travel policy: may …".
_YES_OR_NO = re.compile(
    r"^\W*(?:(?P<context>[^?!.]{2,160}?)(?:[:,]|\s[–—-])\s+(?:then\s+|so\s+|and\s+)?)?"
    rf"(?P<asked>(?:{_ASKING_VERB})\s+(?:[^:]|:(?=\d))*)$",
    re.IGNORECASE,
)
_FOREIGN_YES_OR_NO = re.compile(
    r"^\W*(?:est-ce\s+qu[e'’]|y\s+a-t-il\b)|\b(?:est|sont|était|peut|peuvent|doit|doivent|faut|a|ont|fait)-(?:t-)?(?:il|elle|ils|elles|on|ce)\b|^\s*¿",
    re.IGNORECASE,
)
_FOREIGN_ASKS_FOR_A_THING = re.compile(
    r"\b(?:qui|quoi|quel(?:le)?s?|où|quand|comment|pourquoi|combien|qué|quiénes?|cuál(?:es)?|cuándo|dónde|cómo|cuánt[oa]s?)\b", re.IGNORECASE
)
# A question word asks for a thing behind a verb of saying or at the end ("… since when?"); elsewhere it begins a clause ("… the firm which …").
_ASKS_FOR_A_THING = re.compile(
    r"\b(?:how|why|what|wie|warum|wer|wieso)\b|"
    r"\b(?:say|tell|know|known|show|find(?:\s+out)?|explain|list|give|see|remember|remind|sagen|wissen|zeigen|erklären)\b[^?]*"
    r"\b(?:who|whom|whose|which|when|where|welche[rsnm]?|wann|wo|was)\b|"
    r"\b(?:who|whom|which|when|where|wann|wo|was)\W*$|^\W*(?:\w+\s+){0,2}(?:who|whom|whose|which|where|when|welche[rsnm]?|wann|wo)\b",
    re.IGNORECASE,
)
_GERMAN_WHAT = re.compile(
    r"^\W*was\s+(?:ist|sind|war|waren|hat|haben|wird|werden|wurde|kostet|kosten|bedeutet|steht|sagt|gilt|macht|passiert|kann|muss|soll|darf|für|der|die|das)\b",
    re.IGNORECASE,
)
_ASKS_IN_FRONT = re.compile(r"^\W*(?:who|whom|whose|what|which|where|why|how|wer|wen|welche[rsnm]?|wann|wo|wie|warum)\b", re.IGNORECASE)
_CHOOSES = re.compile(r"\b(?:or|oder)\b", re.IGNORECASE)


def split_yes_or_no(question: str) -> tuple[str, str]:
    """Return what stands in front of a question for yes or no and the question itself: ("Travel policy", "may I fly?") of "Travel policy: may I
    fly?"; two empty texts for any other question."""
    if _FOREIGN_YES_OR_NO.search(question) is not None:
        return ("", question) if _FOREIGN_ASKS_FOR_A_THING.search(question) is None else ("", "")
    found = _YES_OR_NO.match(question)
    if found is None or _GERMAN_WHAT.match(found["asked"]) or _ASKS_FOR_A_THING.search(found["asked"]) or _CHOOSES.search(found["asked"]):
        return "", ""
    context = found["context"] or ""
    return ("", "") if _ASKS_IN_FRONT.match(context) else (context, found["asked"])


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question is answered by yes or no: "Does the landlord insure the building?"."""
    return bool(split_yes_or_no(question)[1])


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text in lower case."""
    return frozenset(match.group().lower() for match in _WORD.finditer(text))


def normalise_text(text: str) -> str:
    """Return the lower case words between single spaces, with one in front and behind, so that `in` compares whole words."""
    return " " + " ".join(re.findall(r"\w+", text.casefold())) + " "


def named_documents(question: str, documents: Mapping[str, tuple[str, frozenset[str]]]) -> frozenset[str]:
    """Return the documents whose title the question (`normalise_text`) holds, or a word of four letters and more of title or file name that no other
    of them has ("Kestrel"). `documents` maps an id to its title's key and the words of title and file name."""
    owners = Counter(word for _, words in documents.values() for word in words if len(word) >= 4 and word.isalpha())
    return frozenset(
        document
        for document, (title, words) in documents.items()
        if (title and title in question) or any(owners[word] == 1 and f" {word} " in question for word in words)
    )


def title_key(title: str) -> str:
    """Return a title as `normalise_text` text without what stands in brackets ("Lilu (mythology)" is " lilu "); empty when nothing names it."""
    key = normalise_text(re.sub(r"\s*[(\[（].*?[)\]）]", "", title)) if title else " "
    return key if len(key.strip()) >= 3 else ""
