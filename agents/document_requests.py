"""Requests for documents themselves: "show me the spreadsheet about budget", "which documents mention Pallas?", "my contracts".

What is asked for is a list of files by kind, name, content, time or language, not an answer out of them. A question that only speaks of a document
("which policy applies to visitors?") is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agents.query_filters import GROUPS, find_time
from agents.wording import content_words
from core.search import Frozen

Order = Literal["fit", "newest", "oldest"]
LONGEST = 20  # words of a request


class DocumentRequest(Frozen):
    """`kind` is the noun as one says it of several ("contracts", "documents"), `doc_types`, `file_types` and `names` say which are of it (none: all).

    `mentions` are words that must stand there as they are, `topic` what the documents are about, `language` a code, `after` and `before` bound the
    documents' own day. `one`: the newest, oldest or best one alone.
    """

    kind: str
    doc_types: tuple[str, ...] = ()
    file_types: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    mentions: str = ""
    topic: str = ""
    language: str = ""
    after: datetime | None = None
    before: datetime | None = None
    when: str = ""
    order: Order = "fit"
    one: bool = False

    @property
    def is_restricted(self) -> bool:
        """Whether anything but all documents is asked for."""
        return bool(
            self.doc_types or self.file_types or self.mentions or self.topic or self.language or self.after or self.before or self.order != "fit"
        )


@dataclass(frozen=True, slots=True)
class _Kind:
    """`singular` and `plural` are patterns; `shown` stands in the answer."""

    shown: str
    words: str
    doc_types: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def _named(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_KINDS: tuple[_Kind, ...] = (
    _Kind("documents", r"documents?|docs?|files?|everything|anything|something|dokumente?n?|dateien|datei|unterlagen|alles"),
    _Kind("contracts", r"contracts?|agreements?|verträge|vertrag|vereinbarung(?:en)?", ("contract",), (), _named("contract agreement lease vertrag")),
    _Kind("leases", r"leases?|mietverträge|mietvertrag", (), (), ("lease", "mietvertrag")),
    _Kind("quotations", r"quotes?|quotations?|offers?|bids?|angebote?", ("quote",), (), ("quote", "quotation", "offer", "angebot")),
    _Kind("invoices", r"invoices?|receipts?|bills?|rechnung(?:en)?", ("invoice",), (), ("invoice", "receipt", "rechnung")),
    _Kind("policies", r"polic(?:y|ies)|richtlinien?", ("policy",), (), ("policy", "richtlinie")),
    _Kind("minutes", r"(?:meeting\s+)?minutes|(?:meeting\s+)?protocols?|protokolle?", ("minutes",), (), ("minutes", "meeting", "protokoll")),
    _Kind("reports", r"reports?|berichte?", ("report",), (), ("report", "review", "bericht")),
    _Kind("letters", r"letters?|briefe?", ("letter",), (), ("letter", "brief")),
    _Kind("manuals", r"manuals?|handbooks?|guides?|handb[uü]cher|handbuch|anleitung(?:en)?", ("manual",), (), _named("manual handbook guide")),
    _Kind("forms", r"forms?|formulare?", ("form",), (), ("form", "formular")),
    _Kind("CVs", r"cvs?|resumes?|résumés?|lebensl[aä]uf(?:e)?", ("resume",), (), ("resume", "cv", "lebenslauf")),
    _Kind("papers", r"(?:research\s+|scientific\s+)?papers?|articles?|publications?", ("paper",), (), ("paper", "article")),
    _Kind("notes", r"notes?|notizen?", ("note",), (), ("notes", "note")),
    _Kind("web pages", r"web\s?(?:pages?|sites?)|html(?:\s+(?:files?|pages?))?", (), ("web",)),
    _Kind("text files", r"(?:plain\s+)?text\s+files?|markdown(?:\s+files?)?|txt(?:\s+files?)?", (), ("text",)),
    _Kind("PDFs", r"pdfs?(?:\s+(?:files?|documents?))?", (), ("pdf",)),
    _Kind("spreadsheets", r"spread\s?sheets?|excel(?:\s+(?:files?|sheets?))?|workbooks?|xlsx?|csvs?(?:\s+files?)?|tabellen?", (), ("spreadsheet",)),
    _Kind("presentations", r"presentations?|slide\s?decks?|slides|decks?|power\s?points?(?:\s+files?)?|präsentation(?:en)?", (), ("presentation",)),
    _Kind("word-processor documents", r"word\s+(?:files?|documents?|docs?)|docx(?:\s+files?)?", (), ("word",)),
    _Kind("mails", r"e-?mails?|mails?", ("email",), ("mail",)),
    _Kind("pictures", r"photos?|photographs?|pictures?|images?|screenshots?|bilder|fotos?", (), ("image",)),
)  # fmt: skip
_NOUN = "|".join(f"(?P<k{number}>{kind.words})" for number, kind in enumerate(_KINDS))
_EXTENSIONS = {**GROUPS, "web": (".html", ".htm", ".xhtml", ".mht"), "text": (".txt", ".md")}
_COURTESY = re.compile(
    r"^\W*(?:(?:please|pls|hi|hello|hey|so|ok|okay|bitte)\b[\s,]*)*(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+|kindly\s+)?|"
    r"i(?:\s+would|['’]d)?\s+(?:want|need|like)\s+(?:you\s+)?(?:to\s+)?(?:see\s+)?)?(?:please\s+)?",
    re.IGNORECASE,
)
_SHOW = re.compile(
    r"^(?:show|list|find|get|give|open|display|fetch|search\s+for|look\s+for|look\s+up|bring\s+up|pull\s+up|see|zeige?|liste|finde?|gib|suche?)\b"
    r"(?:\s+(?:me|us|mir|uns|up|alle?|nach))*\s*",
    re.IGNORECASE,
)
_WHICH = re.compile(r"^(?:which|what|welche[rsn]?)(?:\s+(?:of\s+)?(?:my|our|the|are\s+the))?\s+", re.IGNORECASE)
_HAVE = re.compile(
    r"^(?:what\s+(?:do\s+(?:we|i|you)\s+have|have\s+(?:we|i|you)(?:\s+got)?|is\s+there)(?=\s+(?:about|on|regarding|from)\b)|(?:do|does)\s+(?:we|i|you)\s+have|have\s+(?:we|i|you)\s+(?:got\s+)?|(?:is|are)\s+there|where\s+(?:is|are|do\s+i\s+find)|haben\s+wir|gibt\s+es|wo\s+(?:ist|sind))\s+",
    re.IGNORECASE,
)
_DETERMINERS = re.compile(
    r"^(?:(?:all|any|every|each|some|an?|the|my|our|your|of|these|those|other|list\s+of|alle[rsn]?|die|der|das|den|meine?[rn]?|unsere?[rn]?|eine?[nr]?)\s+|"
    r"(?P<newest>latest|newest|most\s+recent|last(?!\s+(?:week|month|quarter|year|\d))|recent|neueste[nrs]?|letzte[nrs]?)\s+|(?P<oldest>oldest|earliest|first|älteste[nrs]?)\s+)+",
    re.IGNORECASE,
)
_HEAD = re.compile(
    rf"^(?:(?P<before>(?:(?!(?:about|on|of|that|which|from|in|is|are|and|or)\b)[\w&.'’-]+\s+){{0,4}}?))(?:{_NOUN})(?![\w'’-])", re.IGNORECASE
)
_MENTIONS = re.compile(
    r"^(?:(?:that|which|where|who|in\s+which|die|das|der)\s+)?(?:(?:do|does|all)\s+)?(?:mention|contain|include|name|refer\s+to|quote|cite|have\s+the\s+words?|"
    r"use\s+the\s+words?|erwähn\w*|enthalt\w*|enthält|nenn\w*)(?:s|es|ing|t)?\s+(?:the\s+(?:words?|phrase|name|term)\s+)?(?P<words>.+)$|"
    r"^(?:with|containing|mentioning|including)\s+(?:the\s+(?:words?|phrase|name|term)\s+)(?P<named>.+)$|"
    r"^(?:mentioning|containing|including|naming)\s+(?P<gerund>.+)$",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"^(?:(?:that|which|who|where)\s+)?(?:(?:do|does|is|are|has|have|speaks?|talks?|deals?|something\s+to\s+do|to\s+do)\s+)*"
    r"(?:about|on|regarding|concerning|covering|covers?|describ(?:es?|ing)|discuss(?:es|ing)?|with|for|of|over|by|to|related\s+to|relating\s+to|to\s+do\s+with|"
    r"über|zu|zum|zur|von|vom|für|mit|by|from)\s+(?P<topic>.+)$",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]*\b(?:(?:that\s+)?(?:do\s+)?(?:i|we|you)\s+have(?:\s+got)?|are\s+there|there\s+(?:is|are)|exists?|(?:is|are)\s+available|please|pls|bitte|"
    r"(?:in|inside)\s+(?:the|my|our)\s+(?:library|documents|files|index|collection)|haben\s+wir|gibt\s+es|ich\s+habe)\W*$",
    re.IGNORECASE,
)
_HAVING = re.compile(r"\s+(?:do|did)\s+(?:i|we|you)\s+(?:have|get|got|receive)\b(?=\s+\w)", re.IGNORECASE)
_LANGUAGES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl", "portuguese": "pt", "polish": "pl",
    "russian": "ru", "chinese": "zh", "japanese": "ja", "arabic": "ar",
    "englisch": "en", "deutsch": "de", "französisch": "fr", "spanisch": "es", "italienisch": "it",
}  # fmt: skip
_LANGUAGE = re.compile(
    rf"\s*\b(?:(?:that|which)\s+)?(?:are\s+|is\s+)?(?:written\s+)?(?:in|auf)\s+(?P<language>{'|'.join(_LANGUAGES)})\b(?:\s+language)?", re.IGNORECASE
)
_IN_FRONT = re.compile(rf"^(?P<language>{'|'.join(_LANGUAGES)})(?:e[nrs]?)?\s+", re.IGNORECASE)
_OF_TIME = re.compile(
    r"(?:^|\b)(?:(?:that|which|were|was|are|is)\s+)*(?:(?:i|we)\s+)?(?:dated|sent|received|written|created|added|changed|modified|updated|signed|got)?\s*"
    r"(?:from|of|in|during|within|since|on|over|the|for|aus|vom|von|im|seit)?(?:\s+the)?\s*$",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|has|had|does|did|do|can|could|may|might|must|shall|should|will|would|need|needs|apply|applies|say|says|said|show|shows|ends?|"
    r"ist|sind|war|hat|kann|muss|gilt|sagt)\b",
    re.IGNORECASE,
)


def read_document_request(text: str, now: datetime) -> DocumentRequest | None:
    """What documents are asked for; None for a question that wants an answer out of them."""
    said = " ".join(text.split()).strip(" ?!.")
    if not said or len(said.split()) > LONGEST:
        return None
    body = _COURTESY.sub("", said, count=1)
    for opening, needs_more in ((_SHOW, False), (_HAVE, False), (_WHICH, True)):
        match = opening.match(body)
        if match is not None:
            thing = "documents " if body.lower().startswith("what") and opening is _HAVE else ""
            return _read(f"{thing}{body[match.end() :]}", now, needs_more=needs_more)
    return _read(body, now, needs_more=False, bare=True)


def _read(phrase: str, now: datetime, *, needs_more: bool, bare: bool = False) -> DocumentRequest | None:
    """A noun phrase: determiners, words in front, the kind, and what restricts it behind."""
    order: Order = "fit"
    determiners = _DETERMINERS.match(phrase)
    if determiners is not None:
        order = "newest" if determiners["newest"] else "oldest" if determiners["oldest"] else "fit"
        phrase = phrase[determiners.end() :]
    without_tail = _TAIL.sub("", _HAVING.sub(" ", phrase, count=1))
    has_tail, phrase = without_tail != phrase, without_tail
    language = ""
    if (found := _IN_FRONT.match(phrase)) is not None:
        language, phrase = _LANGUAGES[found["language"].lower()], phrase[found.end() :]
    head = _HEAD.match(phrase)
    if head is None:
        return None
    number = next(number for number in range(len(_KINDS)) if head[f"k{number}"])
    kind, noun = _KINDS[number], head[f"k{number}"]
    before, rest = head["before"].strip(), phrase[head.end() :].strip(" ,:")
    if (found := _LANGUAGE.search(rest)) is not None:
        language, rest = _LANGUAGES[found["language"].lower()], f"{rest[: found.start()]} {rest[found.end() :]}".strip()
    rest, time = _timed(rest, before, now)
    before = _TIME_WORDS.sub("", before) if time is not None else before
    mentions, topic = _content(rest)
    if rest and not mentions and not topic:
        return None  # "the invoice number", "the report that the landlord sent"
    if _FINITE.search(f"{before} {topic}") or _NO_MODIFIER.search(before) or (needs_more and not (rest or time or language or has_tail)):
        return None
    topic = " ".join(part for part in (before if content_words(before) else "", topic) if part)
    request = DocumentRequest(
        kind=kind.shown,
        doc_types=kind.doc_types,
        file_types=tuple(extension for group in kind.groups for extension in _EXTENSIONS[group]),
        names=kind.names,
        mentions=mentions,
        topic=topic,
        language=language,
        after=time.after if time is not None else None,
        before=time.before if time is not None else None,
        when=time.words if time is not None else "",
        order=order,
        one=order != "fit" and not noun.lower().endswith("s") and noun.lower() not in _MASS,
    )
    # "policy", "letter" alone may be any question's subject
    return None if bare and not _stands_alone(request, noun, before, has_rest=bool(rest or time or language or has_tail)) else request


_NO_MODIFIER = re.compile(
    r"\b(?:how|many|much|what|which|who|whose|when|where|why|compare|summari[sz]e|explain|describe|analy[sz]e|the|my|our|count|number|total|average|sum|list|"
    r"tell|wie|viele|was|wer|wann|vergleiche?|fasse?)\b",
    re.IGNORECASE,
)
_MASS = frozenset({"everything", "anything", "something", "minutes", "alles", "unterlagen"})
_TIME_WORDS = re.compile(r"\b(?:today|yesterday|(?:this|last|past|previous)\s+(?:week|month|quarter|year))(?:['’]s)?\b", re.IGNORECASE)


def _stands_alone(request: DocumentRequest, noun: str, before: str, *, has_rest: bool) -> bool:
    """Whether a phrase without a verb asks for documents: several of a kind, the newest one, or a kind with what restricts it."""
    if request.order != "fit":
        return True
    several = noun.lower().endswith("s") or noun.lower() in _MASS
    return (has_rest and request.kind == "documents") or (several and (has_rest or not before or len(before.split()) <= 2))


@dataclass(frozen=True, slots=True)
class _Time:
    after: datetime | None
    before: datetime | None
    words: str


def _timed(rest: str, before: str, now: datetime) -> tuple[str, _Time | None]:
    """The words behind the kind without the time that bounds the documents, and that time; also one in front ("last week's mails")."""
    found = find_time(rest, now)
    if found is not None and (_OF_TIME.search(rest[: found.span[0]]) is not None):
        start, end = found.span
        ahead = _OF_TIME.sub("", rest[:start])
        return f"{ahead} {rest[end:]}".strip(" ,"), _Time(found.after, found.before, rest[start:end])
    in_front = find_time(before, now)
    return (rest, _Time(in_front.after, in_front.before, before)) if in_front is not None else (rest, None)


def _content(rest: str) -> tuple[str, str]:
    """(words that must stand there, topic) of what stands behind the kind."""
    match = _MENTIONS.match(rest)
    if match is not None:
        return _unquoted(match["words"] or match["named"] or match["gerund"]), ""
    match = _TOPIC.match(rest)
    if match is None:
        return "", ""
    quoted = re.fullmatch(r"[\"“„'](.+)[\"”“']", match["topic"].strip())
    return (quoted[1], "") if quoted else ("", _bare(match["topic"]))


def _unquoted(words: str) -> str:
    quoted = re.search(r"[\"“„](.+?)[\"”“]", words)
    return (quoted[1] if quoted else _bare(words)).strip()


def _bare(words: str) -> str:
    return re.sub(r"^(?:the|our|my|an?|der|die|das)\s+", "", words.strip(" ,."), flags=re.IGNORECASE)
