"""Reads what a text says of itself on its first page: who wrote it, and on which day. Rules that would rather say nothing than guess."""

from __future__ import annotations

import re
from datetime import date

from core.documents import ExtractedDocument
from core.language.dates import DATES, day_of
from core.language.months import MONTH, MONTHS
from core.language.weekdays import WEEKDAY_BEGINNING

_HEAD = 3_000  # characters in which a document says so
_EVENT = (
    r"(?:handover|übergabe|meeting|report|inspection|examination|visit|survey|issue|signature|signing|letter|interview|"
    r"ausstellung|besichtigung|prüfung|abnahme)"
)
_WEEKDAY = rf"(?:{WEEKDAY_BEGINNING}[a-zäöü]{{0,8}}\.?,?\s*)?"
# In this order: a date with the more telling label wins over one that stands higher.
_LABELS = (
    re.compile(
        r"\b(?:date of issue|issue date|issued(?: on)?|invoice date|rechnungsdatum|ausstellungsdatum|published(?: on)?|date published)\W{0,4}$", re.I
    ),
    # "the lease dated 22 March 2021" is another document's day.
    re.compile(
        r"""
            (?:
                  \b(?:
                        effective(?:[ ]date|[ ]from|[ ]as[ ]of)?|tak(?:es?|ing)[ ]effect[ ](?:on|from)|signed[ ]on
                      | in[ ]force[ ](?:from|since)|valid[ ](?:from|since|as[ ]of)|gültig[ ](?:ab|seit)
                      | in[ ]kraft[ ](?:ab|seit)|tritt[ ](?:am|zum)|mit[ ]wirkung[ ](?:vom|zum)
                  )
                | (?:^|\n|\bis[ ]|\bwas[ ])\W*dated(?:[ ]as[ ]of)?
            )\W{0,4}$
        """,
        re.I | re.VERBOSE,
    ),
    re.compile(
        rf"""
            (?:^|\n|\|)\W*
            (?:date|datum|fecha|stand(?:[ ]vom)?|data|(?:date[ ]of(?:[ ]the)?|datum[ ]de[rs])[ ]{_EVENT}|{_EVENT}(?:[ ]date|sdatum))
            \W{{0,4}}{_WEEKDAY}$
        """,
        re.I | re.VERBOSE,
    ),
    re.compile(r"\b(?:meeting (?:of|on)|minutes of the meeting (?:of|on)|sitzung vom|protokoll vom|réunion du)\W{0,4}$", re.I),
    re.compile(
        r"""
              (?:\b(?:is|was|are|were|been)[ ])?\b(?:made|entered[ ]into|concluded|(?:ab)?geschlossen)[ ](?:on|as[ ]of|am)
              \W{0,4}$
            | \b(?:last|zuletzt|letzte)[ ]
              (?:edited|updated|revised|changed|modified|reviewed|geändert|aktualisiert|bearbeitet|änderung)(?:[ ]on|[ ]am)?
              \W{0,4}$
            | (?:^|\n|\()\W*(?:updated|revised|as[ ](?:of|at)|aktualisiert|geändert)(?:[ ]on|[ ]am)?\W{0,4}$
        """,
        re.I | re.VERBOSE,
    ),
)
# "Minutes of the works council, 3 March 2026", "Quotation 26/0931   2 September 2026": a line that names a document and ends with a day.
_NAMES_ITSELF = re.compile(
    r"""
        ^\W*(?:(?:[^\W\d][\w’'-]*\s+){0,4})?(?:
              minutes|meeting|protocol|protokoll|sitzung|report|bericht|memo(?:randum)?|notice|letter|circular
            | rundschreiben|newsletter|quotation|quote|offer|angebot|invoice|rechnung|order|bestellung|bulletin|aushang
            | mitteilung
        )\b(?P<rest>.{0,100})$
    """,
    re.I | re.VERBOSE,
)
_OTHER_DOCUMENT = re.compile(
    r"\b(?:dated|until|till|by|due|valid|bis|between|from|since|after|before|ended|ending|since|next|last|nächste|for the year)\W{0,3}$", re.I
)
_MONTH_ALONE = re.compile(
    rf"""
        (?:^|\n|\()\W*
        (?:stand|as[ ](?:of|at)|version(?:[ ]of)?|issued?|ausgabe|edition|valid[ ](?:from|as[ ]of)|gültig[ ]ab)\W{{1,4}}
        (?P<name>{MONTH})\.?\s+(?P<year>(?:19|20)\d\d)\b
    """,
    re.I | re.VERBOSE,
)
_OPENS_LINE = re.compile(r"(?:^|\n)[^\S\n]*(?:[A-ZÀ-Þ][\w .-]{1,30},\s*(?:the |den |le )?)?$")  # alone on its line, a place in front of it
_BYLINE = re.compile(
    r"""
        (?:^|\n)\W*(?:
              by|(?:written|prepared|compiled|edited|drafted)[ ]by|authors?|autor(?:en|in)?|verfasser(?:in)?|von|par
            | auteur|autor[ae]?s?
        )\s*[:|]?\s+([^\n|]{4,160})
    """,
    re.I | re.VERBOSE,
)
_NAME = re.compile(
    r"(?:(?:Dr|Prof|Mr|Mrs|Ms|Sir|Dame)\.?\s+)*[A-ZÀ-Þ][\w’'-]+(?:\s+(?:[A-ZÀ-Þ]\.|van|von|de|der|den|la|du|di|bin|al))*(?:\s+[A-ZÀ-Þ][\w’'-]+){1,3}"
)
_NAME_SEPARATOR = re.compile(r"\s*(?:,|;|&|\band\b|\bund\b|\bet\b|\by\b)\s*")


def authors_of(document: ExtractedDocument) -> tuple[str, ...]:
    """Return the names of a byline on the first page, else those that the file's metadata give; at most ten."""
    if document.parser in {"email", "msg", "code", "csv", "json"}:
        return document.metadata.authors[:10]
    for match in _BYLINE.finditer(document.text[:_HEAD]):
        names = [part.strip(" .") for part in _NAME_SEPARATOR.split(match[1]) if part.strip(" .")]
        whole = [name for name in names if _NAME.fullmatch(name)]
        if whole and len(whole) == len(names):
            return tuple(dict.fromkeys(whole))[:10]
    return document.metadata.authors[:10]


def find_document_date(document: ExtractedDocument) -> date | None:
    """Return the day that the first page gives as the document's own, None where nothing says it.

    It stands after a label such as "Date:", in a line that names the document, or alone on a line; the first of a month where only that is given
    ("Stand: Mai 2024").
    """
    if document.parser in {"code", "csv", "json", "xlsx"}:
        return None
    head = document.text[:_HEAD]
    found = [(match.start(), day) for match in DATES.finditer(head) if (day := day_of(match))]
    for label in _LABELS:
        for start, day in found:
            if label.search(head[max(0, start - 60) : start]):
                return day
    if day := _date_in_title_line(head):
        return day
    alone = [day for start, day in found if start < _HEAD // 2 and _OPENS_LINE.search(head[:start]) and _ends_line(head, start)]
    if alone:
        return alone[0] if len(set(alone)) == 1 else None
    month = _MONTH_ALONE.search(head)
    return date(int(month["year"]), MONTHS[month["name"].casefold()], 1) if month else None


def _date_in_title_line(head: str) -> date | None:
    """Return the day at the end of one of the first lines, where that line names the document by its kind."""
    for line in head[: _HEAD // 4].split("\n"):
        named = _NAMES_ITSELF.match(line.strip())
        last = next((match for match in DATES.finditer(line) if not line[match.end() :].strip(" .,|)")), None) if named else None
        if last is not None and not _OTHER_DOCUMENT.search(line[: last.start()]) and len(DATES.findall(line)) == 1:
            return day_of(last)
    return None


def _ends_line(head: str, start: int) -> bool:
    match = DATES.match(head, start)
    return match is not None and head[match.end() :].split("\n", 1)[0].strip(" .,|") == ""
