"""Kinds of documents by the nouns that people use for them, in English and German: which types, files and names are of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.text.question_words import tokens
from core.format_table import FORMATS
from core.formats import FileKind
from core.lazy_patterns import compile_when_used

_EXTENSIONS = {kind: tuple(suffix for each in FORMATS if each.kind is kind for suffix in each.suffixes) for kind in FileKind}
_FILES = r"(?:[\s-]+(?:files?|documents?|docs?|sheets?|workbooks?|dateien|datei|dokumente?))"
# Endings that nobody says of anything else; the others ("doc", "pages") need "files" behind them.
_SAID_ALONE = "|".join(f"{ending}s?" for each in FORMATS for ending in each.spoken_endings)
_WITH_FILES = "|".join(ending for each in FORMATS for ending in each.spoken_with_files)


@dataclass(frozen=True, slots=True)
class RequestedKind:
    """`label` stands in the answer; documents of these types, of these endings or with one of these words in their names are of it, all documents
    where there is none of the three. `is_plural` says whether the noun speaks of more than one."""

    label: str
    doc_types: tuple[str, ...] = ()
    file_types: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    is_plural: bool = True


@dataclass(frozen=True, slots=True)
class _Noun:
    label: str
    words: str
    doc_types: tuple[str, ...] = ()
    groups: tuple[FileKind, ...] = ()
    names: tuple[str, ...] = ()
    file_types: tuple[str, ...] = ()


def _names(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_EXCEL = (".xlsx", ".xls", ".xlsm", ".xlsb")
_POWERPOINT = (".pptx", ".ppt", ".pptm")
_ENDING = "files with one ending"
_NOUNS: tuple[_Noun, ...] = (
    _Noun("documents", r"documents?|docs?|files?|everything|anything|something|stuff|dokumente?n?|dateien|datei|unterlagen|alles|etwas"),
    _Noun("contracts", r"contracts?|agreements?|verträge|vertrag|vereinbarung(?:en)?", ("contract",), (), _names("contract agreement lease vertrag")),
    _Noun("leases", r"leases?|mietverträge|mietvertrag", (), (), ("lease", "mietvertrag")),
    _Noun("quotations", r"quotes?|quotations?|offers?|bids?|angebote?", ("quote",), (), ("quote", "quotation", "offer", "angebot")),
    _Noun("invoices", r"invoices?|receipts?|bills?|rechnung(?:en)?|quittung(?:en)?|belege?", ("invoice",), (), ("invoice", "receipt", "rechnung")),
    _Noun("policies", r"polic(?:y|ies)|richtlinien?", ("policy",), (), ("policy", "policies", "richtlinie")),
    _Noun("minutes", r"(?:meeting\s+)?minutes|(?:meeting\s+)?protocols?|protokolle?", ("minutes",), (), ("minutes", "meeting", "protokoll")),
    _Noun("reports", r"reports?|berichte?", ("report",), (), ("report", "review", "bericht")),
    _Noun("letters", r"letters?|briefe?", ("letter",), (), ("letter", "brief")),
    _Noun("manuals", r"manuals?|handbooks?|guides?|handb[uü]cher|handbuch|anleitung(?:en)?", ("manual",), (), _names("manual handbook guide")),
    _Noun("forms", r"forms?|formulare?", ("form",), (), ("form", "formular")),
    _Noun("CVs", r"cvs?|resumes?|résumés?|lebensl[aä]uf(?:e)?", ("resume",), (), ("resume", "cv", "lebenslauf")),
    _Noun("papers", r"(?:research\s+|scientific\s+)?papers?|articles?|publications?", ("paper",), (), ("paper", "article")),
    _Noun("notes", r"notes?|notizen?", ("note",), (), ("notes", "note")),
    _Noun("web pages", r"web\s?(?:pages?|sites?)|webseiten?|html(?:\s+pages?)", (), (FileKind.WEB,)),
    _Noun("text files", r"(?:plain\s+)?text\s+files?|markdown(?:\s+files?)?|textdateien", (), (FileKind.TEXT,)),
    _Noun("PDFs", rf"pdfs?{_FILES}?", (), (FileKind.PDF,)),
    _Noun("Excel files", rf"excels?{_FILES}?", (), (), (), _EXCEL),
    _Noun("spreadsheets", r"spread\s?sheets?|workbooks?|tabellen?|tabellenkalkulationen", (), (FileKind.SPREADSHEET,)),
    _Noun("PowerPoint files", rf"power\s?points?(?:{_FILES}|\s+(?:presentations?|slides))?", (), (), (), _POWERPOINT),
    _Noun("presentations", r"presentations?|slide\s?decks?|slides|decks?|präsentation(?:en)?|folien", (), (FileKind.PRESENTATION,)),
    _Noun("word-processor documents", rf"word{_FILES}", (), (FileKind.WORD,)),
    _Noun("mails", r"e-?mails?|mails?", ("email",), (FileKind.MAIL,)),
    _Noun("pictures", r"photos?|photographs?|pictures?|pics|images?|screenshots?|bilder|fotos?", (), (FileKind.IMAGE,)),
    _Noun(_ENDING, rf"\.?(?:{_SAID_ALONE}){_FILES}?|\.?(?:{_WITH_FILES}){_FILES}|\.(?:{_WITH_FILES})"),
)  # fmt: skip
KIND_NOUN = "|".join(f"(?P<k{number}>{kind.words})" for number, kind in enumerate(_NOUNS))
_LEADING_KIND = compile_when_used(rf"(?:{KIND_NOUN})(?![\w'’-])", re.IGNORECASE)
_MASS_NOUNS = frozenset({"everything", "anything", "something", "stuff", "minutes", "alles", "unterlagen", "etwas"})
_GERMAN_PLURALS = frozenset(
    "verträge vereinbarungen mietverträge angebote rechnungen quittungen belege richtlinien protokolle berichte briefe handbücher anleitungen "
    "formulare lebensläufe notizen webseiten textdateien tabellen tabellenkalkulationen präsentationen folien bilder dokumente dateien".split()
)
_NO_PLURALS = frozenset({"xls", "ods"})
_SAME_ENDINGS = {
    ".jpg": (".jpg", ".jpeg"),
    ".jpeg": (".jpg", ".jpeg"),
    ".html": (".html", ".htm"),
    ".htm": (".html", ".htm"),
    ".tiff": (".tiff", ".tif"),
}


def kind_of(match: re.Match[str]) -> RequestedKind:
    """Return the kind of a match of `KIND_NOUN`."""
    noun = next(_NOUNS[number] for number in range(len(_NOUNS)) if match[f"k{number}"])
    said = match[f"k{_NOUNS.index(noun)}"].lower()
    several = said.endswith("s") or said in _MASS_NOUNS or re.split(r"[\s-]", said)[-1] in _GERMAN_PLURALS
    if noun.label == _ENDING:
        return _kind_of_ending(said, several=several)
    endings = noun.file_types + tuple(ending for group in noun.groups for ending in _EXTENSIONS[group])
    return RequestedKind(noun.label, noun.doc_types, endings, noun.names, several)


def _kind_of_ending(said: str, *, several: bool) -> RequestedKind:
    word = re.split(r"[\s-]", said.lstrip("."))[0]
    ending = f".{word if f'.{word}' in _SAME_ENDINGS or not word.endswith('s') or word in _NO_PLURALS else word[:-1]}"
    return RequestedKind(f"{ending[1:].upper()} files", (), _SAME_ENDINGS.get(ending, (ending,)), (), several or word == said)


def join_kinds(first: RequestedKind, second: RequestedKind) -> RequestedKind:
    """Join two kinds ("invoices and spreadsheets"): documents of the one or the other."""
    if first == second or second.label == first.label:
        return first
    if not all(kind.doc_types or kind.file_types or kind.names for kind in (first, second)):
        return RequestedKind("documents")
    return RequestedKind(
        f"{first.label} and {second.label}",
        first.doc_types + second.doc_types,
        first.file_types + second.file_types,
        first.names + second.names,
    )


def kind_at_start(text: str) -> tuple[RequestedKind, int] | None:
    """Return the kind that a text begins with, and where its noun ends."""
    match = _LEADING_KIND.match(text)
    return (kind_of(match), match.end()) if match is not None else None


def has_word(names: Sequence[str], text: str) -> bool:
    """Return whether one of the names stands in a text as a word, or in the plural. "resumed" is no "resume"."""
    said = set(tokens(text))
    return any(form in said for name in names for form in (name, f"{name}s", f"{name}e", f"{name}en"))
