"""Kinds of documents that a question is limited to, or leaves out: "in the contracts", "only invoices", "not in the minutes", "ohne E-Mails".

Only where the words limit the search: "payments without invoices" and "the notice period in the contract with Halden" are questions about things.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from agents.document_requests.document_kinds import KIND_NOUN, RequestedKind, kind_of
from agents.text.query_filters import ALL_SUFFIXES, ALL_TYPES
from core.lazy_patterns import compile_when_used

_KIND = rf"(?:{KIND_NOUN})n?(?![\w'’-])"  # "n": the German dative of several
_OWN = r"(?:(?:all|any)\s+(?:of\s+)?)?(?:the|my|our|any|these|those|den|die|der|allen|alle|unseren|unsere|meinen|meine|diesen|diese)?\s*"
_LEFT_OUT = compile_when_used(
    rf"[,;(–—-]?\s*\b(?:but\s+|and\s+|aber\s+)?(?:(?:not|nicht|never)\s+(?:in|from|within|aus|unter)\s+{_OWN}"
    rf"|(?P<word>without|except(?:\s+(?:for|in|from))?|excluding|leaving\s+out|other\s+than|ohne|außer(?:\s+(?:in|aus))?|ausgenommen)\s+(?P<own>{_OWN})){_KIND}\)?",
    re.IGNORECASE,
)
_LIMITED = compile_when_used(
    rf"\b(?:(?:only|just|nur|ausschließlich)\s+(?:(?:in|from|within|aus)\s+)?{_OWN}"
    rf"|(?:in|within|across|among|according\s+to|laut|gemäß)\s+(?:all\s+(?:of\s+)?)?(?:the|my|our|these|those|den|allen|unseren|meinen|diesen)\s+){_KIND}"
    r"(?!\s+(?:after|before|following|that\s+follow|to)\b)",
    re.IGNORECASE,
)
_SEARCH_VERB = compile_when_used(r"^\W*(?:please\s+|bitte\s+)?(?:search|look|find|show|list|suche?|finde|zeige?)\b", re.IGNORECASE)
_SAID_OF_MORE = frozenset({"forms", "notes", "documents"})  # "in the forms of", "in the notes to the accounts": parts and shapes of other things


class KindLimits(NamedTuple):
    """Types of documents and of files that may answer (empty: all), and the question without the words that say so; `notes` tell what was read."""

    doc_types: list[str]
    file_types: list[str]
    text: str
    notes: list[str]


def find_kind_limits(text: str) -> KindLimits:
    """Return the limits of a question to kinds of documents. Kinds of files that it is limited to are read elsewhere (`find_files`): here those that
    it leaves out."""
    left_out, rest = _take_out(_LEFT_OUT, text, _is_exclusion)
    limited, rest = _take_out(_LIMITED, rest, _is_limit)
    rest = rest.strip(" ,;:") if limited or left_out else rest
    if not rest.strip(" ?.!,"):  # a text of nothing but limits is searched as it stands
        return KindLimits([], [], text, [])
    unread = [each for kind in left_out if not kind.doc_types for each in kind.file_types]
    notes = [f"Only {kind.label}" for kind in limited] + [f"No {kind.label}" for kind in left_out]
    return KindLimits(_list_types(limited, left_out), [each for each in ALL_SUFFIXES if each not in unread] if unread else [], rest, notes)


def _list_types(limited: Sequence[RequestedKind], left_out: Sequence[RequestedKind]) -> list[str]:
    """Return the types of documents that may answer; none for all."""
    wanted = list(dict.fromkeys(each for kind in limited for each in kind.doc_types))
    unwanted = {each for kind in left_out for each in kind.doc_types}
    return [each for each in wanted or ALL_TYPES if each not in unwanted] if unwanted else wanted


def _take_out(pattern: re.Pattern[str], text: str, holds: Callable[[re.Match[str], RequestedKind], bool]) -> tuple[list[RequestedKind], str]:
    """Return the kinds of the matches that hold, and the text without these."""
    found: list[RequestedKind] = []

    def keep(match: re.Match[str]) -> str:
        kind = kind_of(match)
        if not holds(match, kind):
            return match.group()
        found.append(kind)
        return " "

    rest = pattern.sub(keep, text)
    return found, " ".join(re.sub(r"\s+([?.!,])", r"\1", rest).split()) if found else text


def _is_exclusion(match: re.Match[str], kind: RequestedKind) -> bool:
    """Return whether documents are left out, not things: after a comma, with a verb of searching, with an article, or files by their format at the
    end."""
    if not (kind.doc_types or kind.file_types):
        return False
    if match["word"] is None:
        return True
    apart = match.group()[:1] in ",;(–—-" or _SEARCH_VERB.search(match.string) is not None or match["own"].strip() != ""
    return apart or (bool(kind.file_types) and not match.string[match.end() :].strip(" ?.!"))


def _is_limit(match: re.Match[str], kind: RequestedKind) -> bool:
    return kind.is_plural and bool(kind.doc_types) and not kind.file_types and kind.label not in _SAID_OF_MORE
