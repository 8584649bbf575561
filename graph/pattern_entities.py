"""Entities that a pattern alone recognises: e-mail addresses, dates, amounts, identifiers and defined terms, as spans with their meaning.

Every quantifier is bounded, so that a hostile line of a megabyte costs time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from core.graph import EntityType
from core.language.amounts import AMOUNTS, parse_amount
from core.language.months import MONTH, MONTHS
from core.language.stop_words import NAMELESS_WORDS
from graph.normalisation import fold_name, key_of


class PatternMatch(NamedTuple):
    """One mention that a pattern found: the span, its key, the name as written, its type and the facts in it."""

    start: int
    end: int
    key: str
    name: str
    kind: EntityType
    properties: dict[str, Any]


_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?:1[5-9]|20)\d\d"
_EMAIL = re.compile(r"(?<![\w.+-])\w[\w.+-]{0,63}@\w[\w-]{0,62}(?:\.[\w-]{1,63}){0,5}\.[^\W\d_]{2,24}(?![\w-])")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"']{1,500}")
_DATES = (
    re.compile(rf"(?<![\w.-])(?P<y>{_YEAR})-(?P<m>0[1-9]|1[0-2])-(?P<d>0[1-9]|[12]\d|3[01])(?![\w-])"),
    re.compile(rf"(?<![\w.,/])(?P<d>{_DAY})(?:st|nd|rd|th|\.)? (?:of |de )?(?P<n>{MONTH})(?:\.?,? (?:de )?(?P<y>{_YEAR}))?(?!\w)", re.I),
    re.compile(rf"(?<!\w)(?P<n>{MONTH})\.? (?P<d>{_DAY})(?:st|nd|rd|th)?(?:,? (?P<y>{_YEAR}))?(?![\w%])", re.I),
    re.compile(rf"(?<!\w)(?P<n>{MONTH})\.?,? (?P<y>{_YEAR})(?!\w)", re.I),
    re.compile(rf"(?<![\w./-])(?P<d>{_DAY})\.(?P<m>0?[1-9]|1[0-2])\.(?P<y>{_YEAR})(?![\w])"),
    re.compile(rf"(?<![\w./-])(?P<a>{_DAY})/(?P<b>{_DAY})/(?P<y>{_YEAR})(?![\w/])"),
    re.compile(rf"(?<!\w)(?P<q>Q[1-4])[ /-](?P<y>{_YEAR})(?!\w)"),
    re.compile(rf"(?<=\b[Ii]n )(?P<y>{_YEAR})(?![\w/-])|(?<=\b[Ss]ince )(?P<y2>{_YEAR})(?![\w/-])|(?<=\b[Bb]y )(?P<y3>{_YEAR})(?![\w/-])"),
)
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_CODE = re.compile(r"(?<![\w.@/-])(?=[A-Z0-9./-]{0,30}\d)(?=[0-9./-]{0,30}[A-Z])[A-Z0-9]{1,16}(?:[./-][A-Z0-9]{1,16}){1,6}(?![\w@])")
_LETTERED = re.compile(r"(?<![\w.@/-])(?!Q[1-4]\b)[A-Z]{1,5}\d{1,8}[A-Z]{0,2}(?![\w@])")
_VERSION = re.compile(r"(?<!\w)(?:v|ver\.? |version )(?P<id>\d{1,4}(?:\.\d{1,5}){0,4}[a-z]?)(?![\w%])", re.I)
_LABELLED = re.compile(
    r"""
        (?<!\w)(?P<label>
              order|purchase[ ]order|contract|invoice|policy|case|ticket|reference|ref|account|customer|serial|part
            | article|quote|quotation|offer|project|licen[cs]e|patent|registration|rechnung|vertrag|auftrag|bestellung
            | kunden
        )s?[\s-]?(?:no\.?|number|nr\.?|nummer|id|[#]|№)?[:\s#]{1,3}
        (?P<id>[A-Z]{0,6}[-/.]?\d[A-Z0-9]{2,20}(?:[-/.][A-Z0-9]{1,12}){0,4})(?!\w)
    """,
    re.I | re.VERBOSE,
)
_QUOTED = r"[“\"„«‘](?P<term>[^\"“”„«»‘’\n]{2,60})[”\"“»’]"
_DEFINED = (
    re.compile(rf"{_QUOTED}\s?(?:\([^)\n]{{1,60}}\)\s?)?(?:means|shall mean|ha(?:s|ve) the meaning|refers to|is defined as|bezeichnet|bedeutet)\b"),
    re.compile(
        rf"""
            \(\s?(?:
                (?:
                      the|each[ ]an?|each|collectively,?|together,?|herein-?after|hereafter|referred[ ]to[ ]as
                    | im[ ]folgenden|nachfolgend|der|die|das|el|la
                )\s
            ){{0,5}}{_QUOTED}\s?\)
        """,
        re.I | re.VERBOSE,
    ),
)  # fmt: skip

# A named event: a year or a capitalised name before a word that says what took place ("2015 Ontario general election", "Gallipoli campaign").
_KINDS_OF_VOTE = tuple(
    """general presidential legislative parliamentary local municipal mayoral gubernatorial federal state regional provincial communal senate council
    leadership primary special snap early runoff constitutional independence membership county assembly party papal senatorial congressional
    european""".split()
)
_NAME_WORDS = r"[A-Z]\w{0,30}(?:['’.-]\w{1,20}){0,3}(?:[ ](?:of[ ]the|of|the|and|for|de|des|du)(?=[ ][A-Z]))?"
_YEARS = rf"(?:(?:{MONTH}[ ])?{_YEAR}(?:[-–/]\d{{2,4}})?(?:(?:[ ]and|,)[ ]{_YEAR})?[ ])"
_EVENT = re.compile(
    rf"""
        (?<![\w.-])
        (?P<years>{_YEARS})?
        (?P<name>(?:{_NAME_WORDS}(?:[ ]['’]s)?[ ]){{0,8}})
        (?P<kind>(?:(?:{"|".join(_KINDS_OF_VOTE)})[ ]){{0,3}})
        (?:by-elections?|elections?|referendums?|primar(?:y|ies)|campaign|earthquake|uprising|coup|summit|census)(?![\w-])
        (?:[ ]in[ ](?:the[ ])?{_NAME_WORDS}(?:[ ]{_NAME_WORDS}){{0,4}})?
    """,
    re.VERBOSE,
)


def find_events(text: str) -> Iterator[PatternMatch]:
    """Yield the named events: a bare "election" or "general election" names none, neither does a sentence's first word ("The election")."""
    for match in _EVENT.finditer(text):
        start, end = match.span()
        opening = match["name"].split(" ", 1)[0].lower()
        if not match["years"] and opening in NAMELESS_WORDS:
            start += len(opening) + 1
        named = text[start : match.end("name")].split()
        if not match["years"] and all(word.lower() in _KINDS_OF_VOTE for word in named):
            continue
        name = " ".join(text[start:end].split())
        yield PatternMatch(start, end, key_of(name), name, EntityType.CONCEPT, {"event": True})


def find_patterns(text: str) -> Iterator[PatternMatch]:
    """Yield everything that a pattern finds, in no order; an e-mail or web address hides what stands inside it, an earlier pattern a later one."""
    taken: list[tuple[int, int]] = [match.span() for match in _URL.finditer(text)] if "://" in text or "www." in text else []
    if "@" in text:
        for match in _EMAIL.finditer(text):
            taken.append(match.span())
            address = match.group().rstrip(".-").lower()
            yield PatternMatch(match.start(), match.start() + len(address), address, match.group()[: len(address)], EntityType.EMAIL, {})
    yield from _defined_terms(text)
    if not any(digit in text for digit in "0123456789"):
        return
    free = _FreeSpans(taken)
    for pattern, read, kind in _READERS:
        for match in pattern.finditer(text):
            made = read(match)
            start, end = match.span()
            if made is not None and free.claim(start, end):
                yield PatternMatch(start, end, made[0], text[start:end], kind, made[1])


class _FreeSpans:
    """The characters that no pattern has taken yet."""

    def __init__(self, taken: list[tuple[int, int]]) -> None:
        self._cells: dict[int, list[tuple[int, int]]] = {}
        for start, end in taken:
            self._mark_taken(start, end)

    def claim(self, start: int, end: int) -> bool:
        if any(start < b and a < end for cell in range(start >> 6, (end >> 6) + 1) for a, b in self._cells.get(cell, ())):
            return False
        self._mark_taken(start, end)
        return True

    def _mark_taken(self, start: int, end: int) -> None:
        for cell in range(start >> 6, (end >> 6) + 1):
            self._cells.setdefault(cell, []).append((start, end))


def _defined_terms(text: str) -> Iterator[PatternMatch]:
    for pattern in _DEFINED:
        for match in pattern.finditer(text):
            term, start = match["term"].strip(" ,.;:"), match.start("term")
            start += match["term"].find(term) if term else 0
            key = key_of(term)
            if key and len(term.split()) <= 8:
                yield PatternMatch(start, start + len(term), key, term, EntityType.CONCEPT, {"defined": True})


def _read_date(match: re.Match[str]) -> tuple[str, dict[str, Any]] | None:
    parts = {name: value for name, value in match.groupdict().items() if value}
    year = parts.get("y") or parts.get("y2") or parts.get("y3") or ""
    if "q" in parts:
        return f"{year}-{parts['q']}".lower(), {"iso": f"{year}-{parts['q']}"}
    if "a" in parts:
        a, b = int(parts["a"]), int(parts["b"])
        if a <= 12 and b <= 12 and a != b:
            return match.group(), {}  # day first or month first: nobody can tell
        if min(a, b) > 12:
            return None
        parts["d"], parts["m"] = (str(a), str(b)) if b <= 12 else (str(b), str(a))
    month = int(parts["m"]) if "m" in parts else MONTHS.get(parts["n"].lower().rstrip("."), 0) if "n" in parts else 0
    if "n" in parts and not parts["n"][0].isupper() and fold_name(parts["n"]) in {"may", "march", "mar", "mars", "sept", "dec", "jan"}:
        return None
    iso = year or "-"
    iso += f"-{month:02d}" if month else ""
    iso += f"-{int(parts['d']):02d}" if "d" in parts else ""
    return iso, {"iso": iso} if year else {}


def _read_amount(match: re.Match[str]) -> tuple[str, dict[str, Any]] | None:
    found = parse_amount(match)
    if found is None:
        return None
    value, unit = found
    return f"{value} {unit.lower()}", {"value": value, "unit": unit}


def _read_code(match: re.Match[str]) -> tuple[str, dict[str, Any]] | None:
    name = match.group()
    if sum(each.isdigit() for each in name) == 0 or re.fullmatch(r"\d+[./-]\d+|[A-Z](?:\.[A-Z])+\.?", name):
        return None
    return re.sub(r"\s", "", name).lower(), {}


def _read_version(match: re.Match[str]) -> tuple[str, dict[str, Any]]:
    return f"version {match['id'].lower()}", {"label": "version"}


def _read_labelled(match: re.Match[str]) -> tuple[str, dict[str, Any]] | None:
    if re.fullmatch(_YEAR, match["id"]):
        return None
    return match["id"].lower(), {"label": fold_name(match["label"])}


_READERS: tuple[tuple[re.Pattern[str], Any, EntityType], ...] = (
    (_IBAN, _read_code, EntityType.IDENTIFIER),
    *((pattern, _read_date, EntityType.DATE) for pattern in _DATES),
    *((pattern, _read_amount, EntityType.AMOUNT) for pattern in AMOUNTS),
    (_LABELLED, _read_labelled, EntityType.IDENTIFIER),
    (_CODE, _read_code, EntityType.IDENTIFIER),
    (_VERSION, _read_version, EntityType.IDENTIFIER),
    (_LETTERED, _read_code, EntityType.IDENTIFIER),
)
