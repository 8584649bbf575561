"""What a question asks for: a person or place, a time, a number; and whether a text holds something of that kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

from core.sentences import split_sentences, word_count


class Wanted(StrEnum):
    """The kind of short answer that a question's first words promise."""

    NAME = "name"
    TIME = "time"
    CLOCK = "clock"
    NUMBER = "number"
    ANYTHING = "anything"


_WANTED: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        Wanted.TIME,
        re.compile(
            # "when" in front asks; in "who acts when a state fails?" it does not
            r"(?:^\W*(?:(?:and|but|so|also)\s+)?|\b(?:since|until|till|by|from)\s+|[,;:]\s*)when\b|\bwhen\W*$|"
            r"\b((what|which) (year|month|day|date|century|decade|season)|wann|welche[ms]? (jahr|monat|tag|datum|jahrhundert)|cuándo|"
            r"qué (año|mes|día|fecha|siglo)|quand|quelle (année|date))\b|什么时候|何时|哪一?年|几年|いつ|何年",
            re.IGNORECASE,
        ),
    ),
    (
        Wanted.CLOCK,
        re.compile(
            r"\b((what|which) (?:\w+ )?(hours|times?)(?= (?:is|are|was|were|do|does|did|may|can|must|should|will|shall|has|have)\b)|"
            r"(opening|access|working|business|visiting|office) (hours|times)|"
            r"welche (uhr)?zeit(en)?|um wie ?viel uhr|öffnungszeiten|(a )?qué hora|horarios?|(à )?quelle heure|horaires?)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Wanted.NUMBER,
        re.compile(
            r"\b(how (many|much|old|long|far|tall|high|large|big|often|heavy|deep|wide|thick|fast|hot|cold)|"
            r"(what|which) (number|percentage|percent|amount|fraction|proportion|share|price|cost|rent|fee|rate|sum|"
            r"total|temperature|speed|weight|height|length|distance|depth|width|capacity|population)|"
            r"what(?:['’]?s| is| are| was| were) (?:the |our |my |its )?(?:[\w-]+ ){0,3}?(?:salary|wage|rent|price|cost|fee|charge|deposit|"
            r"budget|limit|percentage|rate|weight|height|length|width|depth|speed|distance|temperature|capacity|tax|fine|amount|sum|total|age|score|margin|"
            r"population|turnover|revenue|income|extension)s?(?= of| for| in| at| per|\W*$)|"
            r"wie hoch (?:ist|sind|war|waren)|"
            r"wie ?(viele?|alt|lange|weit|hoch|groß|oft)|cuánt[oa]s?|combien)\b|多少|几[个位次人年]|いくつ|いくら|何人",
            re.IGNORECASE,
        ),
    ),
    (
        Wanted.NAME,
        re.compile(
            r"\b(who|whom|whose|where|"
            r"(what|which) (person|man|woman|city|country|state|company|team|place|town|river|university|school|organi[sz]ation)|"
            r"wer|wen|wem|wessen|wo|wohin|quién(es)?|d[óo]nde|qui|où)\b",
            re.IGNORECASE,
        ),
    ),
)
_MONTHS = (
    r"january|february|march|april|(?-i:May)|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|"
    r"enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|"
    r"septembre|octobre|novembre|décembre"
)
TIME = re.compile(
    rf"\b(?:\d{{1,2}}\.? )?(?:{_MONTHS})\b(?: \d{{1,2}}\b)?(?:,? \d{{4}})?|\b(?:1[0-9]|20)\d\d(?:s\b|\b)|"
    r"\b(?:\d{1,2}(?:st|nd|rd|th)|[a-z]+(?:st|nd|rd|th)) (?:century|centuries)\b|"
    r"\b\d{1,2}\. Jahrhundert|\bsiglo [ivx]+\b|\d{1,4}\s?年|\d{1,2}\s?世纪|"
    r"\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)
CLOCK = re.compile(
    r"\b(?:[01]?\d|2[0-4])[:h][0-5]\d\b|\b(?:1[0-2]|[1-9])\s?[ap]\.?m\b|\b\d{1,2}\s?(?:uhr|o['’]clock)\b|\b(?:noon|midnight)\b",
    re.IGNORECASE,
)
_NUMBER_WORDS = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety|hundred|thousand|million|"
    r"billion|dozen|half|third|quarter|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|dos|tres|cuatro|cinco|seis|siete|"
    r"ocho|nueve|diez|once|doce|cien|mil"
)
NUMBER = re.compile(
    rf"[$€£¥]?\d+(?:[.,]\d+)*(?:\s?(?:%|per ?cent|percent|million|billion|thousand))?|\b(?:{_NUMBER_WORDS})\b|"
    r"[一二三四五六七八九十百千万两]+(?=[个位次人名])",
    re.IGNORECASE,
)
# A number that only says where something stands is no answer to "how many".
_REFERENCE = re.compile(
    r"^\W*\d{1,3}(?:\.\d{1,3})+[.)]?\s|\b(?:clauses?|sections?|articles?|chapters?|pages?|no\.|version|figure|table|§)\s*\d+(?:\.\d+)*", re.IGNORECASE
)
_QUESTION_END = re.compile(r"[?？][\"'”’»)\]」』）]*$")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
COMPARISON = re.compile(
    r"\b(compare|comparison|versus|vs\.?|difference|differ|both|or|than|same|vergleich\w*|unterschied\w*|comparar|diferencia)\b", re.IGNORECASE
)


LONG = 25  # words from which a question may hold more than what it asks
_WHOLE = 45  # words of one sentence that the reader takes in
_ASKS = re.compile(
    r"(?:^|(?<=[,;:–—-])\s)\s*(?=(?:and\s+|but\s+)?(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|did|does|do|can|could|may|must|has|have|"
    r"wer|wem|wen|was|welche[rmns]?|wann|wo|warum|wie|ist|sind)\b)",
    re.IGNORECASE,
)


_POLITE = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hallo|please|bitte)\b[\s,!]*)*(?:(?:could|can|would|will)\s+you\s+(?:please\s+|kindly\s+)?)?(?:please\s+)?"
    r"(?:(?:tell|show)\s+me\s+)?(?=(?:who|whom|whose|what|which|when|where|why|how|if|whether)\b)",
    re.IGNORECASE,
)
_POLITE_END = re.compile(r"(?:(?<=[?!.])\s+|\s*[,;:–—-]+\s*)(?:please|pls|thanks|thank\s+you|bitte|danke)\W*$", re.IGNORECASE)


def asked_part(question: str) -> str:
    """A question without its words of politeness, and of a long one what it asks, without what it tells around that: its sentences with a question
    mark, of one too long to be read the part behind its last question word. The whole of a long one where what would be left has under four words."""
    question = _POLITE_END.sub("", _POLITE.sub("", question, count=1)) or question
    if word_count(question) < LONG:
        return question
    sentences = [question[start:end] for start, end in split_sentences(question)]
    asking = [each for each in sentences if _QUESTION_END.search(each)] or [each for each in sentences if _ASKS.search(each)]
    if not asking:
        return question
    parts = []
    for each in asking:
        places = [match.end() for match in _ASKS.finditer(each)]
        tail = each[places[-1] :] if places and word_count(each) > _WHOLE else each
        parts.append(tail if word_count(tail) >= 4 else each)
    found = " ".join(parts)
    return found if word_count(found) >= 4 else question


_ASKING = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|whats|whos|wheres|is|are|was|were|am|did|does|do|can|could|may|might|must|has|have|had|will|would|"
    r"shall|should|need|needs|tell|show|list|explain|describe|compare|summari[sz]e|give|find|name|define|say|says)\b",
    re.IGNORECASE,
)
_NAMED_THING = re.compile(r"(?:the|an?|our|my|your|all|any|every|current|latest)\b", re.IGNORECASE)
_FRAGMENT = 8  # words of what is typed instead of a question, at most


def as_question(text: str) -> str:
    """What is typed as a few words, as the question that a reader knows: "Rent of Quay 7?" is "What is the rent of Quay 7?". Other texts stay."""
    said = " ".join(text.split()).strip(" ?？.!")
    if not any(letter.isalpha() for letter in said) or word_count(said) > _FRAGMENT or _ASKING.search(said) or not said.isascii():
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
    """Whether a question asks for two things: "where did it go and was it late?"."""
    return _ASKS_MORE.search(question) is not None


def wanted(question: str) -> Wanted:
    """The kind of short answer that the question promises: of what it asks first, "who … and by when?" for a name."""
    found = [(match.start(), kind) for kind, pattern in _WANTED if (match := pattern.search(question)) is not None]
    return min(found, key=lambda pair: pair[0])[1] if found else Wanted.ANYTHING


def capitalised(text: str) -> list[tuple[int, int]]:
    """Spans of the words that start with a capital letter."""
    return [match.span() for match in _WORD.finditer(text) if match.group()[0].isupper()]


def holds(kind: Wanted, text: str, question_words: frozenset[str]) -> bool:
    """Whether `text` holds something of the wanted kind; a name counts only when the question lacks it (`question_words` in lower case)."""
    if kind is Wanted.TIME:
        return TIME.search(text) is not None
    if kind is Wanted.CLOCK:
        return CLOCK.search(_REFERENCE.sub(" ", text)) is not None
    if kind is Wanted.NUMBER:
        return NUMBER.search(_REFERENCE.sub(" ", text)) is not None
    if kind is Wanted.NAME:
        return any(text[start:end].lower() not in question_words for start, end in capitalised(text) if start > 0 or " " not in text)
    return False


def words(text: str) -> frozenset[str]:
    """The words of a text in lower case."""
    return frozenset(match.group().lower() for match in _WORD.finditer(text))


def normalised(text: str) -> str:
    """Lower case words between single spaces, with one in front and behind, so that `in` compares whole words."""
    return " " + " ".join(re.findall(r"\w+", text.casefold())) + " "


def named_documents(question: str, documents: Mapping[str, tuple[str, frozenset[str]]]) -> frozenset[str]:
    """Documents whose title the question (`normalised`) holds, or a word of four letters and more of title or file name that no other of them has
    ("Kestrel"). `documents` maps an id to its title's key and the words of title and file name."""
    owners = Counter(word for _, words in documents.values() for word in words if len(word) >= 4 and word.isalpha())
    return frozenset(
        document
        for document, (title, words) in documents.items()
        if (title and title in question) or any(owners[word] == 1 and f" {word} " in question for word in words)
    )


def title_key(title: str) -> str:
    """A title as `normalised` text without what stands in brackets ("Lilu (mythology)" is " lilu "); empty when nothing names it."""
    key = normalised(re.sub(r"\s*[(\[（].*?[)\]）]", "", title)) if title else " "
    return key if len(key.strip()) >= 3 else ""
