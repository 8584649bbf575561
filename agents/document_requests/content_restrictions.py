"""Restrictions that a request for documents puts behind the noun: words that stand in them, a name, what they are about, a language, a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from agents.document_requests.document_times import find_document_time, translate_times
from agents.text.query_filters import GROUPS
from core.lazy_patterns import compile_when_used

_QUOTED = r"[\"“„«]\s*(?P<quoted>[^\"“”„«»]+?)\s*[\"”“»]"
_ALL_QUOTED = compile_when_used(rf"^(?:{_QUOTED}|['‘](?P<single>[^'‘’]+)['’])$")
_ANY_QUOTED = compile_when_used(_QUOTED)
_ENDINGS = "|".join(sorted((ending[1:] for endings in GROUPS.values() for ending in endings), key=len, reverse=True)) + "|txt|md|html?|xml|json|zip"
FILE_NAME = compile_when_used(rf"[\w()+-][\w().+-]*\.(?:{_ENDINGS})", re.IGNORECASE)
_THE_WORD = r"(?:the\s+(?:words?|phrase|name|term|sentence|text|string)\s+|(?:das\s+wort|den\s+begriff|den\s+namen|den\s+satz)\s+)?"
_WHO = r"(?:that|which|where|who|in\s+which|die|das|der|in\s+denen|wo)\s+"
_MENTIONS = compile_when_used(
    rf"^(?:{_WHO})?(?:(?:do|does|all|also)\s+)?(?:mention|contain|include|name|refer\s+to|quote|cite|say|have(?=\s+the\s+(?:words?|phrase))|use(?=\s+the\s+(?:words?|phrase))|"
    rf"erwähn\w*|enthalt\w*|enthält|nenn\w*)(?:s|es|ing|t)?\s+{_THE_WORD}(?P<words>.+)$|"
    r"^(?:with|containing|mentioning|including|mit)\s+(?:the\s+(?:words?|phrase|name|term)|dem\s+wort|den\s+wörtern)\s+(?P<named>.+)$|"
    r"^(?:mentioning|containing|including|naming|citing|quoting)\s+(?P<gerund>.+)$|"
    rf"^(?:where|in\s+which)\s+{_THE_WORD}(?P<passive>.+?)\s+(?:(?:is|are|was|were|gets?)\s+(?:named|mentioned|used|cited|quoted|found|said)|"
    r"occurs?|appears?|comes?\s+up|stands?)$|"
    r"^(?:in\s+denen|in\s+der|in\s+dem|wo|worin)\s+(?:das\s+Wort\s+|der\s+Name\s+)?(?P<passiv>.+?)\s+"
    r"(?:vorkommt|vorkommen|steht|erwähnt\s+wird|genannt\s+wird|auftaucht)$|"
    rf"^(?:die|das|der|welche)\s+{_THE_WORD}(?P<verb_last>.+?)\s+(?:enthalten|enthält|erwähnen|erwähnt|nennen|nennt)$",
    re.IGNORECASE,
)
_WITHOUT = compile_when_used(
    r",?\s+(?:(?:but\s+(?:do(?:es)?\s+)?(?:not|never)|and\s+not|aber\s+(?:nicht|kein\w*)|und\s+nicht)\s+(?:(?:mention|name|contain)\w*\s+)?"
    r"|without\s+(?:mention|nam|contain)ing\s+)",
    re.IGNORECASE,
)
_LITERAL = compile_when_used(
    r"[\"“”„«»‘]|(?:^|\s)'|\b(?:words?|phrase|name|term|sentence|text|string|wort|wörtern|begriff|namen|satz)\b", re.IGNORECASE
)
_LEAST_DESCRIPTIVE_WORDS = 3  # words behind "contain" that describe what stands there rather than quote it
_INSIDE_TEXT = compile_when_used(r"\s+(?:in\s+(?:them|it|there|(?:the|its|their)\s+texts?)|inside|somewhere|anywhere|darin|drin)$", re.IGNORECASE)
_WITH_INSIDE = compile_when_used(
    r"^(?:with|mit)\s+(?P<words>.+?)\s+(?:in\s+(?:them|it|(?:the|its|their)\s+texts?)|inside|darin|drin|im\s+text)$", re.IGNORECASE
)
# Whole questions after the documents in which a word stands.
_WORD_SEARCHES = (
    compile_when_used(
        rf"^in\s+(?:which|what)\s+(?P<noun>.+?)\s+(?:do|does|is|are|did)\s+{_THE_WORD}(?P<words>.+?)\s+"
        r"(?:occur|appear|stand|come\s+up|mentioned|named|used|found|cited|quoted)$",
        re.IGNORECASE,
    ),
    compile_when_used(rf"^where\s+(?:is|are|was)(?P<noun>)\s+{_THE_WORD}(?P<words>.+?)\s+(?:mentioned|named|cited|quoted)$", re.IGNORECASE),
    compile_when_used(
        rf"^(?:is|are|was|were|do|does|did)\s+(?P<noun>){_THE_WORD}(?P<words>(?!you\b|we\b|i\b).+?)\s+(?:ever\s+)?"
        r"(?:mentioned|named|cited|quoted|occur|appear|come\s+up)\s+(?:anywhere|somewhere|in\s+(?:any|one)\s+(?:of\s+(?:my|our|the)\s+)?"
        r"(?:documents?|files?)|in\s+(?:my|our|the)\s+(?:documents|files|library))$",
        re.IGNORECASE,
    ),
    compile_when_used(
        rf"^(?:(?:find|show|list)\s+(?:me\s+)?)?(?:(?:all|any|every|the)\s+)*(?:mentions?|occurrences?|references?)(?P<noun>)\s+(?:of|to)\s+{_THE_WORD}"
        r"(?P<words>.+)$",
        re.IGNORECASE,
    ),
    compile_when_used(r"^wo(?P<noun>)\s+(?:wird|kommt|steht|taucht)\s+(?P<words>.+?)\s+(?:erwähnt|genannt|vor|auf)$", re.IGNORECASE),
    compile_when_used(
        r"^[\"“„](?P<words>[^\"“”„]+)[\"”“]\s*[-–—:,]*\s*(?:in\s+)?(?:which|what|welche[sr]?)\s+(?P<noun>\w+)\s+"
        r"(?:says?|contains?|mentions?|has|have|sagt|enthält|enthalten|is|are|steht)(?:\s+(?:that|this|it|das|in))?$",
        re.IGNORECASE,
    ),
    compile_when_used(
        rf"^in\s+welche[nmr]\s+(?P<noun>\w+)\s+(?:kommt|steht|wird|werden|kommen|stehen)\s+{_THE_WORD}(?P<words>.+?)(?:\s+(?:vor|erwähnt|genannt))?$",
        re.IGNORECASE,
    ),
)
_NAME_CLAUSE = compile_when_used(
    r"^(?:(?:that|which|die|das)\s+)?(?:(?:is|are|was|were)\s+)?(?:called|named|titled|entitled|headed|with\s+the\s+(?:file\s*)?(?:name|title)|"
    r"by\s+the\s+name(?:\s+of)?|namens|genannt|mit\s+(?:dem\s+)?(?:datei)?(?:namen|titel))\s+(?P<name>.+)$|"
    r"^(?:with|mit)\s+(?P<inside>.+?)\s+(?:in\s+(?:(?:its|their|the|his)\s+)?(?:file\s*)?(?:names?|titles?)|im\s+(?:datei)?(?:namen|titel))$|"
    r"^(?:whose|deren|dessen)\s+(?:name|title|titel)s?\s+(?:contains?|has|have|is|says?|enthält|ist)\s+(?P<whose>.+)$|"
    r"^(?:(?:die|das)\s+)(?P<heisst>.+)\s+(?:heißt|heißen|heisst)$",
    re.IGNORECASE,
)
_TOPIC = compile_when_used(
    r"^(?:(?:that|which|who|where|die|das|der)\s+)?(?:(?:do|does|is|are|has|have|speaks?|talks?|deals?|speaking|talking|dealing|handeln|handelt|"
    r"something\s+to\s+do|to\s+do|focus(?:es|ed|ing)?|relevant)\s+)*"
    r"(?:(?P<strong>all\s+about|about|regarding|concerning|covering|covers?|describ(?:es?|ing)|discuss(?:es|ing)?|related\s+to|relating\s+to|to\s+do\s+with|"
    r"with\s+regard\s+to|zum\s+thema|rund\s+um|in\s+bezug\s+auf|bezüglich|betreffend|über)|on|with|for|of|over|by|to|zu|zum|zur|von|vom|für|mit|from)"
    r"\s+(?P<topic>.+)$",
    re.IGNORECASE,
)
_TOPIC_VERB_LAST = compile_when_used(
    r"^(?:die|das|der|welche)\s+(?:sich\s+mit|von|über)\s+(?P<topic>.+)\s+(?:befass\w+|beschäftig\w+|handel[nt]|sprechen|spricht)$", re.IGNORECASE
)
_LANGUAGES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl", "portuguese": "pt", "polish": "pl",
    "russian": "ru", "chinese": "zh", "japanese": "ja", "arabic": "ar", "korean": "ko",
    "englisch": "en", "deutsch": "de", "französisch": "fr", "spanisch": "es", "italienisch": "it",
}  # fmt: skip
_LANGUAGE = compile_when_used(
    rf"\s*\b(?:(?:that|which)\s+)?(?:are\s+|is\s+)?(?:written\s+)?(?:in|auf)\s+(?P<language>{'|'.join(_LANGUAGES)})\b(?:\s+language)?", re.IGNORECASE
)
_LEADING_LANGUAGE = compile_when_used(rf"^(?P<language>{'|'.join(_LANGUAGES)})(?:e[nrs]?)?\s+", re.IGNORECASE)
_OF_TIME = compile_when_used(
    r"(?:^|\b)(?:(?:that|which|were|was|are|is|have|been|die|sind|ist|waren|stammen|stammt|come|comes|came|date|dates)\s+)*(?:(?:i|we|ich|wir)\s+)?"
    r"(?:last\s+)?(?:(?P<changed>changed|modified|updated|edited|saved|worked\s+on)|dated|sent|received|written|created|added|signed|got|arrived|in)?\s*"
    r"(?:from|of|in|during|within|since|on|over|the|for|aus|von|vom|im|seit|der|den|dem)?(?:\s+(?:the|dem|der|den))?\s*$",
    re.IGNORECASE,
)
_PARTICIPLE = compile_when_used(
    r"\s+(?:(?P<changed>geändert|bearbeitet|gespeichert|aktualisiert)|erstellt|geschrieben|geschickt|erhalten|bekommen|hinzugefügt|unterschrieben)"
    r"(?:\s+(?:wurden?|worden\s+sind|habe|haben|hat))?$",
    re.IGNORECASE,
)
_IN_FRONT_OF_NOUN = compile_when_used(
    r"^(?:['’]s)?\s*(?:(?P<changed>changed|modified|updated|edited|geänderten?|bearbeiteten?)|erstellten?|hinzugefügten?)?\s*$", re.I
)
_MOST_NAME_WORDS = 6
_NO_NAME = compile_when_used(
    r"^(?:that|which|who|whose|where|when|if|and|or|to|for|of|in|on|from|with|about|names?|numbers?|titles?|dates?|types?|sizes?|formats?|is|are|was|were|"
    r"needed|required|attached|die|der|das|dass|und|oder|mit|ist|sind|i|we|you|they|he|she|it)\b|"
    r"\b(?:is|are|was|were|has|had|should|must|can|will|would|ist|sind|hat|muss)\b",
    re.IGNORECASE,
)


class ContentRestriction(NamedTuple):
    """Words that must stand there, a name, or a topic: one of them. `tentative`: it is a name only if a document is called so; `strong`: the
    words say that a document is meant, also of one alone ("the mail regarding …"); `loose`: nothing says that the words must stand there as they
    are ("papers that contain shock detachment distance data"). `without`: words that must not stand there."""

    mentions: str = ""
    without: str = ""
    name: str = ""
    topic: str = ""
    tentative: bool = False
    strong: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class TimeRestriction:
    """`before` is exclusive; `changed` says that the files' last change is meant and not the documents' own day."""

    after: datetime | None
    before: datetime | None
    words: str
    changed: bool = False


def read_time(words: str, rest: str, now: datetime) -> tuple[str, str, TimeRestriction | None]:
    """Return the words in front of the noun and those behind it without the time that bounds the documents, and that time."""
    said = translate_times(rest)
    participle = _PARTICIPLE.search(said)
    bare = said[: participle.start()] if participle is not None else said
    found = find_document_time(bare, now)
    ahead = _OF_TIME.search(bare[: found.span[0]]) if found is not None else None
    if found is not None and ahead is not None:
        start, end = found.span
        changed = bool(ahead["changed"] or (participle is not None and participle["changed"]))
        return words, f"{bare[: ahead.start()]} {bare[end:]}".strip(" ,"), TimeRestriction(found.after, found.before, bare[start:end], changed)
    in_front = translate_times(words)
    found = find_document_time(in_front, now)
    behind = _IN_FRONT_OF_NOUN.match(in_front[found.span[1] :]) if found is not None else None
    if found is None or behind is None:
        return words, rest, None
    start, end = found.span
    return in_front[:start].strip(), rest, TimeRestriction(found.after, found.before, in_front[start:end], bool(behind["changed"]))


def read_language(rest: str) -> tuple[str, str]:
    """Return the words without the language that is named, and its code ("" for none)."""
    found = _LANGUAGE.search(rest)
    if found is None:
        return rest, ""
    return f"{rest[: found.start()]} {rest[found.end() :]}".strip(), _LANGUAGES[found["language"].lower()]


def language_in_front(phrase: str) -> tuple[str, str]:
    """Split "German letters" into the phrase without the language and the language's code."""
    found = _LEADING_LANGUAGE.match(phrase)
    return (phrase[found.end() :], _LANGUAGES[found["language"].lower()]) if found is not None else (phrase, "")


def read_content(rest: str) -> ContentRestriction:
    """Return what the words behind the noun say; nothing where they are no such restriction."""
    if (all_quoted := quoted_text(rest)) or not rest:
        return ContentRestriction(mentions=all_quoted)
    if (called := _NAME_CLAUSE.match(rest)) is not None:
        return ContentRestriction(name=strip_quotes(next(part for part in called.groups() if part)))
    if (match := _MENTIONS.match(_INSIDE_TEXT.sub("", rest))) is not None or (match := _WITH_INSIDE.match(rest)) is not None:
        words = next(part for part in match.groups() if part)
        words, without = _split_off_without(words)
        loose = len(words.split()) >= _LEAST_DESCRIPTIVE_WORDS and not _LITERAL.search(match.group())
        return ContentRestriction(mentions=strip_quotes(words), without=without, loose=loose)
    if (match := _TOPIC_VERB_LAST.match(rest) or _TOPIC.match(rest)) is not None:
        inside = quoted_text(match["topic"].strip())
        return (
            ContentRestriction(mentions=inside)
            if inside
            else ContentRestriction(topic=strip_article(match["topic"]), strong=bool(match.groupdict().get("strong")))
        )
    return ContentRestriction(name=rest, tentative=True) if may_be_name(rest) else ContentRestriction()


def _split_off_without(words: str) -> tuple[str, str]:
    """Return "Pallas" and "Kestrel" of "Pallas but not Kestrel"; "" where nothing is left out."""
    found = _WITHOUT.search(words)
    return (words[: found.start()], strip_quotes(words[found.end() :])) if found is not None else (words, "")


def may_be_name(words: str) -> bool:
    """Return whether words may be the name of a document: few, and no clause."""
    return len(words.split()) <= _MOST_NAME_WORDS and _NO_NAME.search(words) is None


def places_of_words(text: str) -> tuple[str, str] | None:
    """Return (noun, words) of "in which documents does the word tar occur", ("", words) of "where is tar mentioned"; None for another question."""
    match = next((found for pattern in _WORD_SEARCHES if (found := pattern.match(text)) is not None), None)
    return (match["noun"], strip_quotes(match["words"])) if match is not None else None


def quoted_text(words: str) -> str:
    """Return what stands in quotation marks where nothing stands outside them, else ""."""
    match = _ALL_QUOTED.match(words)
    return (match["quoted"] or match["single"]).strip() if match is not None else ""


def strip_quotes(words: str) -> str:
    """Return what stands in quotation marks, or all the words without an article in front."""
    match = _ANY_QUOTED.search(words)
    return (match["quoted"] if match is not None else quoted_text(words.strip()) or strip_article(words)).strip()


def strip_article(words: str) -> str:
    """Return the words without an article in front."""
    return re.sub(r"^(?:the|our|my|an?|der|die|das|den|dem)\s+", "", words.strip(" ,."), flags=re.IGNORECASE)
