"""Selection of the documents that a request means, each with its reason, in the request's order."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from agents.document_requests.document_kinds import has_word
from agents.document_requests.request_parser import DocumentRequest
from core.documents import Document
from core.language.content_words import is_described, stems
from core.ports import Mention

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
    request: DocumentRequest, documents: Sequence[Document], mentions: Mapping[str, Mention], ranked: Sequence[str]
) -> list[ListedDocument]:
    """Return the documents that are meant, in the request's order. `mentions` are the places of the request's words or topic, `ranked` the ids in the
    search's order, which is that of a described topic. Of a tentative request only documents whose names say so."""
    held = [document for document in documents if is_of_kind(request, document) and _is_of_time(request, document)]
    held = [document for document in held if not request.language or document.language == request.language]
    listed = [found for document in held if (found := _match_document(request, document, mentions.get(document.id))) is not None]
    described = is_described(request.topic)
    if request.topic and not described:
        listed = _drop_faint_matches(listed)
    if request.definite or request.name:
        listed = [each for each in listed if _is_whole_name(request, each.document)] or listed
    if request.tentative:
        listed = [each for each in listed if each.is_named]
    place = {document: number for number, document in enumerate(ranked)}
    listed.sort(key=lambda each: (-each.strength, place.get(each.document.id, len(place)), each.document.filename.casefold()))
    if described:
        listed.sort(key=lambda each: place.get(each.document.id, len(place)))
    if request.order != "fit":
        listed.sort(key=lambda each: day_of(each.document) or datetime.min.replace(tzinfo=UTC), reverse=request.order == "newest")
        listed.sort(key=lambda each: each.document.created_at is None)  # the file's time says little of when it was written
    return listed[:1] if request.one else listed


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
