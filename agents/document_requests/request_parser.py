"""Requests for documents themselves: "show me the spreadsheet about budget", "which documents mention Pallas?", "my contracts".

What is asked for is a list of files by kind, name, content, time or language, not an answer out of them. A question that only speaks of a document
("which policy applies to visitors?") is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from agents.document_requests.content_restrictions import (
    FILE_NAME,
    ContentRestriction,
    TimeRestriction,
    language_in_front,
    may_be_name,
    places_of_words,
    quoted_text,
    read_content,
    read_language,
    read_time,
    strip_quotes,
)
from agents.document_requests.document_kinds import KIND_NOUN, RequestedKind, join_kinds, kind_at_start, kind_of
from agents.text.question_words import content_words
from core.search import FrozenModel

ListingOrder = Literal["fit", "newest", "oldest"]
MOST_REQUEST_WORDS = 20  # words of a request
_LONGEST_TEXT = 400  # characters


class DocumentRequest(FrozenModel):
    """`kind` is the noun as one says it of several ("contracts", "documents"), `doc_types`, `file_types` and `names` say which are of it (none: all).

    `mentions` are words that must stand there as they are, `without` words that must not, `topic` what the documents are about, `name` what
    they are called, `language` a code.
    `after` and `before` bound the documents' own day, or where `changed` is set the last change of the files. `folder` is the name of the one that
    they lie in. `one`: the newest, oldest or best one alone. `tentative`: a list is meant only if a document is called so; where `whole` is set
    that must be all of its name. `loose`: the mentions may be a description of what stands there. `definite` holds the words of "the sample
    presentation": a document of just that name is the only one that is meant. `offset` documents of the list were shown before; `number` is how
    many more are wanted (0: as many as ever).
    """

    kind: str
    doc_types: tuple[str, ...] = ()
    file_types: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    mentions: str = ""
    without: str = ""
    topic: str = ""
    name: str = ""
    language: str = ""
    after: datetime | None = None
    before: datetime | None = None
    changed: bool = False
    when: str = ""
    folder: str = ""
    order: ListingOrder = "fit"
    one: bool = False
    tentative: bool = False
    whole: bool = False
    loose: bool = False
    definite: str = ""
    offset: int = 0
    number: int = 0

    @property
    def is_restricted(self) -> bool:
        """True if anything but all documents is asked for."""
        said = (self.doc_types, self.file_types, self.mentions, self.topic, self.name, self.language, self.folder, self.after, self.before)
        return any(said) or self.order != "fit"


_COURTESY = re.compile(
    r"^[^\w\"“„«'‘]*(?:(?:please|pls|hi|hello|hey|so|ok|okay|bitte)\b[\s,]*)*(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+|kindly\s+)?|"
    r"(?:help\s+me\s+(?:to\s+)?|trying\s+to\s+)(?=find\b)|(?:kannst\s+du|können\s+sie)\s+(?:mir\s+)?(?:bitte\s+)?|"
    r"(?:i['’]?m|i\s+am|we\s+are|we['’]re)\s+(?:(?=looking\s+for\b)|trying\s+to\s+(?=find\b))|"
    r"(?P<want>(?:can|could|may)\s+(?:i|we)\s+(?:please\s+)?(?:see|get|have)\s+|let\s+me\s+see\s+|"
    r"(?:i['’]?m|i\s+am)\s+(?:after|searching\s+for)\s+|(?:ich\s+(?:brauche|möchte|suche)|wir\s+(?:brauchen|suchen))\s+|"
    r"(?:i|we)(?:\s+would|['’]d)?\s+(?:want|need|like)\s+(?:you\s+)?(?:to\s+)?(?:see\s+)?))?(?:please\s+)?",
    re.IGNORECASE,
)
_OPEN_VERBS = r"open|fetch|locate|retrieve|obtain|bring\s+up|pull\s+up|öffne|pull|provide|hol"  # what one does with documents alone
_FIND_VERBS = r"find|search\s+for|search|looking\s+for|look\s+for|look\s+up|finde?|such|suche"
_SHOW_VERBS = re.compile(
    rf"^(?:(?P<open>{_OPEN_VERBS})|(?P<find>{_FIND_VERBS})|show|list|get|gimme|give|bring|display|see|zeige?|liste|gib)\b(?:\s+(?:me|us|mir|uns|up|mal|bitte|alle?|nach))*\s*",
    re.IGNORECASE,
)
_WHICH = re.compile(r"^(?:which|what|welche[rsn]?)(?:\s+(?:of\s+)?(?:my|our|the|are\s+the))?\s+", re.IGNORECASE)
_HAVE_PHRASE = re.compile(
    r"^(?:what\s+(?:do\s+(?:we|i|you)\s+have|have\s+(?:we|i|you)(?:\s+got)?|is\s+there)(?=\s+(?:about|on|regarding|from)\b)|"
    r"(?:do|does|did)\s+(?:we|i|you)\s+have(?:\s+got)?|(?:have\s+(?:we|i|you)\s+)?got|have\s+(?:we|i|you)|(?:is|are)\s+there|(?:does|do)(?=\s+any\s)|"
    r"(?P<where>where(?:\s+can\s+(?:i|we)\s+find|\s+is|\s+are|['’]s|\s+do\s+i\s+find|\s+(?:did|have)\s+(?:i|we)\s+(?:put|saved?|stored?|filed?|leave|left))|"
    r"wo\s+(?:ist|sind|finde\s+ich))|"
    r"haben\s+wir|habe\s+ich|hast\s+du|gibt\s+es)\s+",
    re.IGNORECASE,
)
# "What came in last week?" asks for documents; "what changed in 2023?" for what they tell.
_ARRIVAL_PHRASE = re.compile(
    r"^what(?:['’]s|\s+is|\s+has|\s+have|\s+was|\s+did)?\s+(?:new|came\s+in|come\s+in|arrived|(?:been\s+)?added|(?:i|we)\s+(?:get|receive|add))"
    r"(?=\s)|^was\s+(?:ist\s+neu|kam|ist\s+(?:neu\s+)?(?:dazu|hinzu)gekommen)(?=\s)",
    re.IGNORECASE,
)
_DETERMINERS = re.compile(
    r"^(?:(?P<definite>the|my|our|that|this|der|die|das|den|meine?[nrsm]?|unsere?[nrsm]?)\s+|"
    r"(?P<every>all|any|every|each|these|those|alle[rsn]?|irgendwelche[nr]?|irgendeine?[nr]?|sämtliche[nr]?)\s+|"
    r"(?:some|an?|your|of|other|more|a\s+few|list\s+of|eine?[nr]?|weitere[nr]?|ein\s+paar|auch)\s+|"
    r"(?P<newest>latest|newest|most\s+recent|last(?!\s+(?:week|month|quarter|year|\d))|recent|neueste[nrs]?|"
    r"letzte[nrs]?(?!\s+(?:Woche|Monat|Quartal|Jahr|\d)))\s+|(?P<oldest>oldest|earliest|first|älteste[nrs]?)\s+)+",
    re.IGNORECASE,
)
_HEAD = re.compile(
    rf"^(?:(?P<words>(?:(?!(?:about|on|of|that|which|from|in|is|are|and|or)\b)[\w&.'’-]+\s+){{0,4}}?))(?:{KIND_NOUN})(?![\w'’-])", re.IGNORECASE
)
_IS_KIND = re.compile(r"^\s+(?:that\s+)?(?:is|are|sind|ist)\s+(?:an?\s+|eine?\s+)?", re.IGNORECASE)  # "which of my files are slides?"
_AND_KIND = re.compile(r"^\s*(?:,|&|/|and|or|und|oder|sowie)\s*(?:(?:the|my|our|any|all|die|meine|unsere|alle)\s+)?", re.IGNORECASE)
_TAIL = re.compile(
    r"[\s,]*\b(?:(?:that\s+)?(?:do\s+)?(?:i|we|you)\s+have(?:\s+got)?|are\s+there|there\s+(?:is|are)|exists?|(?:is|are)\s+available|please|pls|bitte|"
    r"(?:in|inside)\s+(?:here|there|(?:the|my|our)\s+(?:library|documents|files|index|collection))|around\s+here|at\s+all|so\s+far|"
    r"(?:that\s+)?(?:we|i)\s+own|for\s+(?:me|us)|haben\s+wir|habe\s+ich|gibt\s+es|ich\s+habe|hier|auflisten|anzeigen|zeigen|suchen|finden)\W*$",
    re.IGNORECASE,
)
_HAVE_CLAUSE = re.compile(r"\s+(?:do|did)\s+(?:i|we|you)\s+(?:have|get|got|receive)\b(?=\s+\w)", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|has|had|does|did|do|can|could|may|might|must|shall|should|will|would|need|needs|apply|applies|say|says|said|show|shows|ends?|"
    r"ist|sind|war|hat|kann|muss|gilt|sagt)\b",
    re.IGNORECASE,
)
_NO_MODIFIER = re.compile(
    r"\b(?:how|many|much|what|which|who|whose|when|where|why|compare|summari[sz]e|explain|describe|analy[sz]e|the|my|our|count|number|total|average|sum|list|"
    r"tell|wie|viele|was|wer|wann|vergleiche?|fasse?)\b",
    re.IGNORECASE,
)
_OWNER = re.compile(r"['’]s\s", re.IGNORECASE)  # "the report's author" is no name
_REQUEST_WORDS = frozenset(
    "the list show find what which with that have please about files file documents document mention mentions containing all any".split()
)
_OTHER_WORDS = frozenset({"form", "forms", "era", "nay"})  # right as they are


def read_document_request(text: str, now: datetime) -> DocumentRequest | None:
    """Return what documents are asked for; None for a question that wants an answer out of them."""
    said = " ".join(text.split()).strip(" ?!.")
    if not said or len(said) > _LONGEST_TEXT or len(said.split()) > MOST_REQUEST_WORDS:
        return None
    said = _fix_transpositions(said)
    courtesy = _COURTESY.match(said)
    body = said[courtesy.end() :] if courtesy is not None else said
    if (place := places_of_words(body)) is not None:
        return _request_of_places(*place)
    if (match := _ARRIVAL_PHRASE.match(body)) is not None:
        return _parse_noun_phrase(f"documents {body[match.end() :]}", now, needs_more=True, needs_time=True)
    if (match := _SHOW_VERBS.match(body)) is not None:
        rest = body[match.end() :]
        return _parse_noun_phrase(rest, now) or _parse_name(rest, whole=not match["open"], only_files=not (match["open"] or match["find"]))
    if (match := _HAVE_PHRASE.match(body)) is not None:
        thing = "documents " if body.lower().startswith("what") else ""
        return _request_of_what_is_there(f"{thing}{body[match.end() :]}", now, asks_where=bool(match["where"]))
    if (match := _WHICH.match(body)) is not None:
        return _parse_noun_phrase(body[match.end() :], now, needs_more=True)
    if FILE_NAME.fullmatch(body):
        return DocumentRequest(kind="documents", name=body, tentative=True)
    return _parse_noun_phrase(body, now, is_phrase=courtesy is None or not courtesy["want"])


def _request_of_places(noun: str, words: str) -> DocumentRequest | None:
    """ "Where is Pallas mentioned": the documents, or those of the kind that the noun names alone, with these words in them."""
    kind, end = kind_at_start(noun) or (None, 0) if noun else (RequestedKind("documents"), 0)
    return _request_of_kind(kind, ContentRestriction(mentions=words)) if kind is not None and end == len(noun) else None


def _request_of_what_is_there(rest: str, now: datetime, *, asks_where: bool) -> DocumentRequest | None:
    """ "Do we have contracts with Kestrel", "where is the lease"."""
    request = _parse_noun_phrase(rest, now, asks_where=asks_where)
    return _parse_name(rest, whole=True) if request is None and asks_where else request


def _fix_transpositions(text: str) -> str:
    """Two letters of a word of requests that changed places ("teh", "lsit") are put back."""

    def mended(match: re.Match[str]) -> str:
        word = match.group()
        lower = word.lower()
        if lower in _REQUEST_WORDS or lower in _OTHER_WORDS:
            return word
        twisted = (lower[:at] + lower[at + 1] + lower[at] + lower[at + 2 :] for at in range(len(lower) - 1))
        return next((each for each in twisted if each in _REQUEST_WORDS), word)

    return re.sub(r"(?<![\w'’-])[A-Za-z]{3,10}(?![\w'’-])", mended, text)


def _parse_name(phrase: str, *, whole: bool, only_files: bool = False) -> DocumentRequest | None:
    """ "find the teams chat": a document of that name, if there is one; a name with an ending, or words in quotation marks, stand for themselves."""
    words = _TAIL.sub("", _DETERMINERS.sub("", phrase, count=1)).strip()
    if FILE_NAME.fullmatch(words):
        return DocumentRequest(kind="documents", name=words)
    if inside := quoted_text(words):
        return DocumentRequest(kind="documents", mentions=inside)
    if only_files or not content_words(words) or not may_be_name(words) or _OWNER.search(words):
        return None
    return DocumentRequest(kind="documents", name=words, tentative=True, whole=whole)


@dataclass(frozen=True, slots=True)
class _NounPhrase:
    """A noun phrase in its parts: determiners, `words` in front, the `noun`, and what restricts it. `kind` is `named` with what is joined to it,
    `rest` is what `content` was read out of, `has_tail` says that something without a meaning of its own stood behind."""

    determiners: re.Match[str] | None
    words: str
    noun: str
    named: RequestedKind
    kind: RequestedKind
    rest: str
    content: ContentRestriction
    time: TimeRestriction | None
    language: str
    has_tail: bool

    def has_determiner(self, name: str) -> bool:
        return self.determiners is not None and bool(self.determiners[name])

    @property
    def order(self) -> ListingOrder:
        return "newest" if self.has_determiner("newest") else "oldest" if self.has_determiner("oldest") else "fit"

    @property
    def is_definite(self) -> bool:
        return self.has_determiner("definite") and not self.kind.is_plural and bool(content_words(self.words))

    @property
    def is_restricted(self) -> bool:
        return bool(self.rest or self.time or self.language or self.has_tail or self.kind != self.named)

    @property
    def is_understood(self) -> bool:
        """Whether nothing is left over, as in "the report that the landlord sent", and no part is a sentence or a question."""
        if self.rest and not (self.content.mentions or self.content.topic or self.content.name):
            return False
        return not (_FINITE.search(f"{self.words} {self.content.topic}") or _NO_MODIFIER.search(self.words))


def _parse_noun_phrase(
    phrase: str, now: datetime, *, needs_more: bool = False, needs_time: bool = False, is_phrase: bool = False, asks_where: bool = False
) -> DocumentRequest | None:
    """A noun phrase: determiners, words in front, the kind, and what restricts it behind. `is_phrase`: nothing stands in front of it."""
    noun = _split_noun_phrase(phrase, now)
    if noun is None or not noun.is_understood or (needs_time and (noun.time is None or noun.rest)):
        return None
    if (needs_more and not noun.is_restricted) or (noun.content.tentative and (needs_more or is_phrase or noun.kind.is_plural)):
        return None
    request = _request_of_phrase(noun)
    is_whole = not is_phrase or _stands_alone(request, noun.kind, noun.words, has_rest=noun.is_restricted)
    return _settle_request(request, noun, is_whole=is_whole, asks_where=asks_where)


def _settle_request(request: DocumentRequest, noun: _NounPhrase, *, is_whole: bool, asks_where: bool) -> DocumentRequest | None:
    """Return the request, tentative where a document has to be called so, or None where the phrase may be any question's subject."""
    if is_whole:
        return request.model_copy(update={"tentative": True}) if asks_where and noun.is_definite else request
    if noun.content.strong and noun.determiners is not None:
        return request
    return request.model_copy(update={"tentative": True}) if noun.is_definite and not noun.rest else None


def _split_noun_phrase(phrase: str, now: datetime) -> _NounPhrase | None:
    """Split a phrase into its parts; None where it names no kind of document, or is a file's name."""
    determiners = _DETERMINERS.match(phrase)
    if determiners is not None:
        phrase = phrase[determiners.end() :]
    without_tail = _TAIL.sub("", _HAVE_CLAUSE.sub(" ", phrase, count=1))
    has_tail = without_tail != phrase
    phrase, language = language_in_front(without_tail)
    head = _HEAD.match(phrase)
    if head is None or FILE_NAME.match(phrase):
        return None
    named = kind_of(head)
    if determiners is not None and determiners["every"]:
        named = replace(named, is_plural=True)
    kind, rest = _kinds(named, phrase[head.end() :])
    rest, behind = read_language(rest)
    words, rest, time = read_time(head["words"].strip(), rest, now)
    noun = phrase[len(head["words"]) : head.end()]
    return _NounPhrase(determiners, words, noun, named, kind, rest, read_content(rest), time, behind or language, has_tail)


def _request_of_phrase(noun: _NounPhrase) -> DocumentRequest:
    time = noun.time
    return _request_of_kind(noun.kind, noun.content).model_copy(
        update={
            "topic": " ".join(part for part in (noun.words if content_words(noun.words) else "", noun.content.topic) if part),
            "language": noun.language,
            "order": noun.order,
            "one": noun.order != "fit" and not noun.kind.is_plural,
            "definite": f"{noun.words} {noun.noun}" if noun.is_definite else "",
            **({"after": time.after, "before": time.before, "when": time.words, "changed": time.changed} if time is not None else {}),
        }
    )


def _kinds(kind: RequestedKind, rest: str) -> tuple[RequestedKind, str]:
    """The kind with those that are joined to it ("invoices or receipts"), and the words behind them."""
    if kind.label == "documents" and (verb := _IS_KIND.match(rest)) is not None and (found := kind_at_start(rest[verb.end() :])) is not None:
        kind, rest = found[0], rest[verb.end() + found[1] :]
    while (link := _AND_KIND.match(rest)) is not None and (found := kind_at_start(rest[link.end() :])) is not None:
        kind, rest = join_kinds(kind, found[0]), rest[link.end() + found[1] :]
    return kind, rest.strip(" ,:")


def _request_of_kind(kind: RequestedKind, content: ContentRestriction) -> DocumentRequest:
    return DocumentRequest(
        kind=kind.label,
        doc_types=kind.doc_types,
        file_types=kind.file_types,
        names=kind.names,
        mentions=content.mentions,
        without=content.without,
        loose=content.loose,
        topic=content.topic,
        name=strip_quotes(content.name) if content.name else "",
        tentative=content.tentative,
    )


def _stands_alone(request: DocumentRequest, kind: RequestedKind, words: str, *, has_rest: bool) -> bool:
    """Return whether a phrase without a verb asks for documents: several of a kind, the newest one, or a kind with what restricts it. "policy",
    "letter" alone may be any question's subject."""
    if request.order != "fit" or request.name or (request.mentions and has_rest):
        return True
    return (has_rest and request.kind == "documents") or (kind.is_plural and (has_rest or not words or len(words.split()) <= 2))
