"""Selection of the documents that a request means, each with its reason, in the request's order."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from agents.document_requests.document_kinds import has_word
from agents.document_requests.request_parser import DocumentRequest
from core.documents import BlockKind, Document
from core.language.content_words import is_described, stems
from core.language.language_clues import LANGUAGE_NAMES
from core.language.sentences import split_sentences
from core.ports import DocumentContent, Mention, NearTopic

MOST_NAMED = 10  # documents that an answer names at once
LEAST_PLACE_SHARE = 0.25  # of the places of the document that speaks most of the topic: below that it only touches it
_LEAST_PLACES = 2  # places that another document needs beside one whose name says that it is about the topic
_NAME_STRENGTH, _TEXT_STRENGTH = 2.0, 1.0
# Nothing but its words says what kind such a document is: one about the topic may well be a paper (an abstract in a text file is a "note").
_UNTOLD_TYPES, _WRITING_TYPE = frozenset({"note", "document"}), "paper"


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """`reason` says in words why it is listed ("" where its kind or day is the reason), `mention` where it speaks of what is asked,
    `is_named` whether its own name or subjects are what is asked about."""

    document: Document
    reason: str
    strength: float
    mention: Mention | None = None
    is_named: bool = False


def day_of(document: Document) -> datetime | None:
    """Return the day that the document gives as its own, else the file's."""
    return _with_timezone(document.created_at or document.modified_at)


def _with_timezone(day: datetime | None) -> datetime | None:
    return day.replace(tzinfo=UTC) if day is not None and day.tzinfo is None else day


def list_documents(
    request: DocumentRequest, documents: Sequence[Document], mentions: Mapping[str, Mention], ranked: Sequence[str], *, denied: Collection[str] = ()
) -> list[ListedDocument]:
    """Return the documents that are meant, in the request's order. `mentions` are the places of the request's words or topic, `ranked` the ids in the
    search's order, which is that of a described topic; `denied` hold what must not stand there. Of a tentative request only documents whose names
    say so."""
    possible = (each for each in documents if each.id not in denied)
    listed = _match_all(request, possible, mentions)
    if request.topic and not is_described(request.topic):
        listed = _drop_faint_matches(listed)
    if request.definite or request.name:
        listed = [each for each in listed if _is_whole_name(request, each.document)] or listed
    if request.tentative:
        listed = [each for each in listed if each.is_named]
    _sort_documents(listed, request, ranked)
    return listed[:1] if request.one else listed


def _match_all(request: DocumentRequest, documents: Iterable[Document], mentions: Mapping[str, Mention]) -> list[ListedDocument]:
    found = (_match_document(request, each, mentions.get(each.id)) for each in documents if _may_be_meant(request, each))
    return [each for each in found if each is not None]


def _sort_documents(listed: list[ListedDocument], request: DocumentRequest, ranked: Sequence[str]) -> None:
    place = {document: number for number, document in enumerate(ranked)}
    listed.sort(key=lambda each: (-each.strength, place.get(each.document.id, len(place)), each.document.filename.casefold()))
    if is_described(request.topic):
        listed.sort(key=lambda each: place.get(each.document.id, len(place)))
    if request.order != "fit":
        listed.sort(key=lambda each: day_of(each.document) or datetime.min.replace(tzinfo=UTC), reverse=request.order == "newest")
        listed.sort(key=lambda each: each.document.created_at is None)  # the file's time says little of when it was written


def _may_be_meant(request: DocumentRequest, document: Document) -> bool:
    is_of_language = not request.language or document.language == request.language
    return is_of_language and is_of_kind(request, document) and _is_of_time(request, document)


def is_of_kind(request: DocumentRequest, document: Document) -> bool:
    """Return whether a document is what the noun says: by what it was read as, its kind of file, or its own name. Papers about something may be any
    writing of no other kind."""
    if not (request.doc_types or request.file_types or request.names):
        return True
    if request.topic and _WRITING_TYPE in request.doc_types and document.doc_type in _UNTOLD_TYPES:
        return True
    if document.doc_type in request.doc_types or document.file_type.lower() in request.file_types:
        return True
    return has_word(request.names, _name(document))


def _is_of_time(request: DocumentRequest, document: Document) -> bool:
    if request.after is None and request.before is None:
        return True
    day = _with_timezone(document.modified_at) if request.changed else day_of(document)
    return day is not None and (request.after is None or day >= request.after) and (request.before is None or day < request.before)


def _match_document(request: DocumentRequest, document: Document, mention: Mention | None) -> ListedDocument | None:
    if request.name:
        named = _is_whole_name(request, document) if request.whole else _is_called(request.name, document)
        return ListedDocument(document, "its name", _NAME_STRENGTH, mention, is_named=True) if named else None
    if request.mentions:
        if mention is not None:
            return ListedDocument(document, f"{_times(mention.count)} in its text", _TEXT_STRENGTH + math.log1p(mention.count), mention)
        in_name = stems(request.mentions) <= stems(_name(document))
        return ListedDocument(document, "in its name", _TEXT_STRENGTH) if in_name else None
    if not request.topic:
        return ListedDocument(document, "", 0.0)
    about, own = stems(request.topic), stems(_name(document))
    known = own | stems(" ".join([*document.keywords, *document.topics]))
    said = math.log1p(mention.count) if mention is not None else 0.0
    if about and about <= own:
        return ListedDocument(document, "its name says so", 2 * _NAME_STRENGTH + said, mention, is_named=True)
    if about and about <= known and mention is not None:
        return ListedDocument(document, f"one of its subjects, {_places(mention)}", _NAME_STRENGTH + said, mention, is_named=True)
    return ListedDocument(document, _places(mention), _TEXT_STRENGTH + said, mention) if mention is not None else None


def _drop_faint_matches(listed: Sequence[ListedDocument]) -> list[ListedDocument]:
    """Those that are about the topic: beside one whose name or subjects say so, others need several places; of others those that say far less go."""
    most = max((each.mention.count for each in listed if each.mention is not None), default=0)
    least = max(LEAST_PLACE_SHARE * most, _LEAST_PLACES if any(each.is_named for each in listed) else 1)
    return [each for each in listed if each.is_named or (each.mention is not None and each.mention.count >= least)]


def _is_called(name: str, document: Document) -> bool:
    """Return whether all words of a name stand in the document's title and file name, or the name in them as it is ("budget2026" in
    "budget_2026.xlsx")."""
    wanted, own = stems(_space_out(name)), stems(f"{_name(document)} {document.filename}")
    bare, ending = _split_ending(name)
    if ending and document.file_type.lower() != ending:
        return False
    return (bool(wanted) and stems(_space_out(bare)) <= own) or (
        len(_join_letters(bare)) >= _LEAST_NAME and _join_letters(bare) in _join_letters(document.filename)
    )


def _is_whole_name(request: DocumentRequest, document: Document) -> bool:
    """Return whether what is asked for is all of the document's title or of its file's name; words for its kind may stand beside it."""
    if document.filename.casefold() == request.name.casefold():
        return True
    said = stems(_space_out(request.name or request.definite))
    file, title = stems(_space_out(document.filename.rpartition(".")[0])), stems(_space_out(document.title))
    words = [{word for word in own if not word.isdecimal()} for own in (file, title)]  # nobody says the year of a name, or its number
    whole = any(own and own <= said for own in words)
    return whole and said <= (file | title | _FILE_WORDS)


def _split_ending(name: str) -> tuple[str, str]:
    """ "budget.xlsx" as ("budget", ".xlsx"), "budget 2.1" as it stands."""
    bare, dot, ending = name.rpartition(".")
    return (bare, f".{ending.lower()}") if dot and re.fullmatch(r"[a-z][a-z0-9]{1,4}", ending, re.IGNORECASE) else (name, "")


def _join_letters(name: str) -> str:
    return "".join(re.findall(r"\w", name.casefold().replace("_", "")))


_LEAST_NAME = 4  # letters and figures of a part of a name that says enough
_FILE_WORDS = stems("document file letter report presentation spreadsheet mail email pdf sheet slides poster page picture")


def _name(document: Document) -> str:
    return _space_out(f"{document.title} {document.filename.rpartition('.')[0]}")


def _space_out(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _places(mention: Mention) -> str:
    passages = f"{mention.count} passage{'' if mention.count == 1 else 's'}"
    return f"near it in meaning in {passages}" if mention.is_near else f"speaks of it in {passages}"


_EXCERPT_CHARACTERS = 180  # characters
_CONTEXT_CHARACTERS = 60  # characters in front of a mention


def quoted_span(content: DocumentContent, each: ListedDocument, about: frozenset[str]) -> tuple[int, int]:
    """Return what a list quotes of a document: the sentence of the first mention, of a passage about the topic the one with most of its words; else
    the first words of the running text."""
    if each.mention is not None and about and each.mention.end <= len(content.text):
        begin = each.mention.start
        spans = [(begin + start, begin + end) for start, end in split_sentences(content.text[begin : each.mention.end])]
        if spans:
            best = max(spans, key=lambda span: (len(about & stems(content.text[slice(*span)])), min(span[1] - span[0], _CONTEXT_CHARACTERS)))
            return _shorten_span(content.text, *best)
    if each.mention is not None and each.mention.end <= len(content.text):
        line = max(content.text.rfind("\n", 0, each.mention.start) + 1, each.mention.start - _EXCERPT_CHARACTERS)
        for start, end in split_sentences(content.text[line : each.mention.end + _EXCERPT_CHARACTERS]):
            if line + start <= each.mention.start < line + end:
                return _shorten_span(content.text, max(line + start, each.mention.start - _CONTEXT_CHARACTERS), line + end)
        return _shorten_span(content.text, each.mention.start, each.mention.start + _EXCERPT_CHARACTERS)
    block = next(
        (block for block in content.document.blocks if block.kind is BlockKind.PARAGRAPH and block.end - block.start > _CONTEXT_CHARACTERS), None
    )
    start = block.start if block is not None else len(content.text) - len(content.text.lstrip())
    return _shorten_span(content.text, start, block.end if block is not None else len(content.text))


def _shorten_span(text: str, start: int, end: int) -> tuple[int, int]:
    """At most so many characters, from the beginning of a word to the end of one, on one line."""
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    line = text.find("\n", start)
    end = min(end, start + _EXCERPT_CHARACTERS, line if line > start else end)
    while end < len(text) and end > start + 1 and text[end - 1].isalnum() and text[end].isalnum():
        end -= 1
    said = text[start:end]
    return start + len(said) - len(said.lstrip()), max(start + len(said.rstrip()), start + 1)


def name_part(total: int, start: int, told: int) -> str:
    """Return which part of a list of `total` documents the `told` ones from `start` on are; "" where they are all."""
    if start:
        last = f" to {start + told:,}" if told > 1 else ""
        return f" {'These are' if told > 1 else 'This is'} {start + 1:,}{last}:"
    return f" The first {told} are:" if total > told else ""


def name_listed(each: ListedDocument) -> str:
    """Return how a list names a document: "Boathouse lease (contract, 22 March 2021): its name says so."."""
    document, day = each.document, day_of(each.document)
    told = [document.doc_type or document.file_type.lstrip("."), f"{day.day} {day:%B %Y}" if day is not None else ""]
    name = document.title or document.filename
    inside = ", ".join([*([document.filename] if document.filename not in {name, ""} else []), *(part for part in told if part)])
    return f"{name} ({inside}): {each.reason}." if each.reason else f"{name} ({inside}):"


def list_heading(sought: DocumentRequest, total: int, near: NearTopic | None = None) -> str:
    """Return a list's first words: "3 documents with “Pallas”.", "1 document about “Enten” (“ducks”).", "2 documents near “plagues” in meaning."."""
    one = _SINGULAR.get(sought.kind, re.sub(r"s$", "", sought.kind))
    several = _PLURAL.get(sought.kind, sought.kind)
    if " and " in sought.kind:
        one, several = f"document ({sought.kind})", f"documents ({sought.kind})"
    what = f"No {several}" if total == 0 else f"1 {one}" if total == 1 else f"{total:,} {several}"
    if sought.one and total:
        what = f"The {sought.order} {one}"
    parts = [f"in {LANGUAGE_NAMES.get(sought.language, sought.language)}"] if sought.language else []
    parts += [f"in the folder {sought.folder}"] if sought.folder else []
    when = sought.when if _BOUND.match(sought.when) else f"{'in' if sought.changed else 'from'} {sought.when}"
    parts += [f"changed {when}" if sought.changed else when] if sought.when else []
    parts += [_topic_in_words(sought.topic, near)] if sought.topic else []
    parts += [f"called “{sought.name}”"] if sought.name else []
    parts += _mentions_in_words(sought)
    return f"{' '.join([what, *parts])}."


def _mentions_in_words(sought: DocumentRequest) -> list[str]:
    parts = [f"with “{sought.mentions}”", f"and without “{sought.without}”"]
    return parts[: (2 if sought.without else 1)] if sought.mentions else []


def _topic_in_words(topic: str, near: NearTopic | None) -> str:
    if near is None or not near.mentions:
        return f"about “{topic}”"
    return f"about “{topic}” (“{near.words}”)" if near.words else f"near “{topic}” in meaning"


_SINGULAR = {"policies": "policy", "minutes": "set of minutes"}
_PLURAL = {"minutes": "sets of minutes"}
_BOUND = re.compile(r"(?:since|after|before|until|between|from|seit|nach|vor|bis|zwischen)\b", re.IGNORECASE)
