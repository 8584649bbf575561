"""What the text says of itself on its first page: who wrote it, and on which day. Rules that would rather say nothing than guess."""

from __future__ import annotations

import re
from datetime import date

from core.documents import ExtractedDocument

_HEAD = 3_000  # characters in which a document says so
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero",
            "february feb februar février fevrier febrero",
            "march mar märz maerz mars marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug août aout agosto",
            "september sep sept septembre septiembre",
            "october oct oktober okt octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre decembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATES = re.compile(
    rf"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b"
    rf"|\b(?P<day2>\d{{1,2}})(?:st|nd|rd|th|\.|er)?\s+(?:of\s+|de\s+)?(?P<name2>{_MONTH})\.?,?\s+(?:de\s+)?(?P<year2>(?:19|20)\d\d)\b"
    rf"|\b(?P<name3>{_MONTH})\.?\s+(?P<day3>\d{{1,2}})(?:st|nd|rd|th)?,\s+(?P<year3>(?:19|20)\d\d)\b"
    rf"|\b(?P<a>\d{{1,2}})(?P<mark>[./])(?P<b>\d{{1,2}})(?P=mark)(?P<year4>(?:19|20)\d\d)\b",
    re.I,
)
# In this order: a date with the more telling label wins over one that stands higher.
_LABELS = (
    re.compile(
        r"\b(?:date of issue|issue date|issued(?: on)?|invoice date|rechnungsdatum|ausstellungsdatum|published(?: on)?|date published)\W{0,4}$", re.I
    ),
    # "the lease dated 22 March 2021" is another document's day.
    re.compile(
        r"(?:\b(?:effective(?: date| from| as of)?|signed on|in force (?:from|since)|gültig ab|in kraft (?:ab|seit))"
        r"|(?:^|\n|\bis |\bwas )\W*dated(?: as of)?)\W{0,4}$",
        re.I,
    ),
    re.compile(r"(?:^|\n|\|)\W*(?:date|datum|fecha|stand|data)\W{0,4}$", re.I),
    re.compile(r"\b(?:meeting (?:of|on)|minutes of the meeting (?:of|on)|sitzung vom|protokoll vom|réunion du)\W{0,4}$", re.I),
)
_OPENS_LINE = re.compile(r"(?:^|\n)[^\S\n]*(?:[A-ZÀ-Þ][\w .-]{1,30},\s*(?:the |den |le )?)?$")  # alone on its line, a place in front of it
_BYLINE = re.compile(
    r"(?:^|\n)\W*(?:by|(?:written|prepared|compiled|edited|drafted) by|authors?|autor(?:en|in)?|verfasser(?:in)?|von|par|auteur|autor[ae]?s?)"
    r"\s*[:|]?\s+([^\n|]{4,160})",
    re.I,
)
_NAME = re.compile(
    r"(?:(?:Dr|Prof|Mr|Mrs|Ms|Sir|Dame)\.?\s+)*[A-ZÀ-Þ][\w’'-]+(?:\s+(?:[A-ZÀ-Þ]\.|van|von|de|der|den|la|du|di|bin|al))*(?:\s+[A-ZÀ-Þ][\w’'-]+){1,3}"
)
_BETWEEN = re.compile(r"\s*(?:,|;|&|\band\b|\bund\b|\bet\b|\by\b)\s*")


def authors_of(document: ExtractedDocument) -> tuple[str, ...]:
    """The names of a byline on the first page, else those that the file's metadata give; at most ten."""
    if document.parser in {"email", "msg", "code", "csv", "json"}:
        return document.metadata.authors[:10]
    for match in _BYLINE.finditer(document.text[:_HEAD]):
        names = [part.strip(" .") for part in _BETWEEN.split(match[1]) if part.strip(" .")]
        whole = [name for name in names if _NAME.fullmatch(name)]
        if whole and len(whole) == len(names):
            return tuple(dict.fromkeys(whole))[:10]
    return document.metadata.authors[:10]


def written_on(document: ExtractedDocument) -> date | None:
    """The day that the first page gives as the document's own: after a label such as "Date:", or alone on a line. None where nothing says it."""
    if document.parser in {"code", "csv", "json", "xlsx"}:
        return None
    head = document.text[:_HEAD]
    found = [(match.start(), day) for match in _DATES.finditer(head) if (day := _day(match))]
    for label in _LABELS:
        for start, day in found:
            if label.search(head[max(0, start - 60) : start]):
                return day
    alone = [day for start, day in found if start < _HEAD // 2 and _OPENS_LINE.search(head[:start]) and _ends_line(head, start)]
    return alone[0] if len(set(alone)) == 1 else None


def _ends_line(head: str, start: int) -> bool:
    match = _DATES.match(head, start)
    return match is not None and head[match.end() :].split("\n", 1)[0].strip(" .,|") == ""


def _day(match: re.Match[str]) -> date | None:
    """The day of a match; None for one that does not exist, or that reads two ways (03/04/2024)."""
    parts = match.groupdict()
    if parts["year"]:
        return _date(parts["year"], int(parts["month"]), parts["day"])
    if parts["name2"]:
        return _date(parts["year2"], _MONTHS[parts["name2"].casefold()], parts["day2"])
    if parts["name3"]:
        return _date(parts["year3"], _MONTHS[parts["name3"].casefold()], parts["day3"])
    first, second = int(parts["a"]), int(parts["b"])
    if parts["mark"] == "." or first > 12 or first == second:
        return _date(parts["year4"], second, str(first))
    return _date(parts["year4"], first, str(second)) if second > 12 else None


def _date(year: str, month: int, day: str) -> date | None:
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None
