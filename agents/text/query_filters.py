"""Filters that the words of a question name: kinds of files, a folder, a time. What became a filter is taken out of what is searched.

A kind of file filters only where the words ask for such files ("in the PDFs", "emails about …"), not where they are the subject ("export to
PDF"). A time filters by the date of the files only where the words say so ("files changed in March", "last week's reports"); otherwise it is
kept as a TimeFilter and stays in the searched words, because a text about 2023 may be of any date.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from core.format_table import FORMATS
from core.language.months import ENGLISH_MONTH, MONTHS, full_months, short_months
from core.language.word_files import join_alternatives
from core.search import TimeFilter

# One, and several.
GROUP_NAMES = {
    "pdf": ("PDF", "PDFs"),
    "image": ("image", "images"),
    "spreadsheet": ("spreadsheet", "spreadsheets"),
    "word": ("word-processor document", "word-processor documents"),
    "presentation": ("presentation", "presentations"),
    "mail": ("mail", "mails"),
    "book": ("e-book", "e-books"),
}
GROUPS = {group: tuple(suffix for each in FORMATS if each.kind == group for suffix in each.suffixes) for group in GROUP_NAMES}
ALL_SUFFIXES = tuple(dict.fromkeys(suffix for each in FORMATS for suffix in each.suffixes))
ALL_TYPES = (
    "invoice", "quote", "contract", "policy", "minutes", "paper", "manual", "letter", "report", "form", "resume", "spreadsheet", "presentation",
    "email", "code", "data", "note", "document",
)  # fmt: skip
_NOUNS = {
    "pdf": r"pdfs?(?:\s+(?:files?|documents?|docs?))?",
    "spreadsheet": (
        r"(?:spread\s?sheets?|excel(?:\s+(?:files?|sheets?|workbooks?|documents?))?|xlsx?(?:\s+files?)?|csvs?(?:\s+files?)?|ods(?:\s+files?)?|"
        r"workbooks?)"
    ),
    "word": r"(?:word\s+(?:files?|documents?|docs?)|(?:docx?|odt|rtf)\s+files?|docx)",
    "presentation": r"(?:presentations?|slide\s?decks?|slides|decks?|power\s?points?(?:\s+files?)?|(?:pptx?|odp)(?:\s+files?)?)",
    "mail": r"(?:e-?mails?|mails?|inbox|mailbox)",
    "book": r"(?:e-?books?|epubs?(?:\s+files?)?)",
}
_SOUGHT = (
    r"\b(?:in|from|across|within|through|inside|among|of|only|just|search|check)\s+(?:all\s+)?(?:of\s+)?(?:the|my|our|any|those|these|all)?\s*{noun}(?!\w)(?!\s+address)",
    r"\b(?:which|what|any|show(?:\s+me)?|find(?:\s+me)?|list|get(?:\s+me)?|open|all)\s+(?:of\s+)?(?:the|my|our|all)?\s*{noun}\b(?!\s+address)",
    r"\b{noun}\s+(?:about|on|from|that|which|where|with|mentioning|containing|regarding|sent|of|showing)\b",
    r"^\W*(?:the\s+|my\s+)?{noun}\b(?!\s+address)",
    r"\b(?:do|does|did)\s+(?:the|my|our|these|those)\s+{noun}\s+(?:say|mention|show|contain|tell|list|state)\b",
    r"\b{noun}\s+only\b",
)
_GROUP_SOUGHT = {group: [re.compile(pattern.format(noun=noun), re.IGNORECASE) for pattern in _SOUGHT] for group, noun in _NOUNS.items()}
# Images are often spoken of without being sought ("the dancers in the photo"), so only asking for them filters.
_IMAGES = (
    r"\b(?:show|find|get|see|look\s+for|search\s+for|open|list)\s+(?:me\s+)?(?:for\s+)?(?:all\s+)?(?:the\s+|my\s+|our\s+|some\s+|any\s+|an?\s+)*"
    r"(?:\w+\s+)?(?:photos?|photographs?|pictures?|pics?|images?|screenshots?)\b",
    r"^\W*(?:the\s+|my\s+|an?\s+|any\s+|some\s+)?(?:photos?|photographs?|pictures?|pics?|images?|screenshots?)\s+(?:of|from|showing|with|taken|about)\b",
    r"\b(?:my|our|which|any)\s+(?:photos|photographs|pictures|pics|images|screenshots)\b",
    r"\b(?:png|jpe?g|gif|bmp|webp|tiff)s?\b",
)
IMAGES_SOUGHT = re.compile("|".join(f"(?:{pattern})" for pattern in _IMAGES), re.IGNORECASE)
_FOLDER = re.compile(
    r"""
          \b(?:(?:from|in|inside|under|within|of)\s+)?(?:the\s+|my\s+|our\s+)?[\"'“]?([\w&.-]+(?:\s[\w&.-]+)?)[\"'”]?\s+
          (?:folder|directory|subfolder)\b
        | \b(?:from|in|inside|under|within)\s+(?:the\s+)?(?:folder|directory)\s+(?:called\s+|named\s+)?[\"'“]?
          ([\w&./-]+)[\"'”]?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MONTH = rf"(?:{join_alternatives(full_months('en') | short_months('en'))})\.?"
_YEAR = r"(?:19|20)\d\d"
_RELATIVE = (
    r"(?:today|yesterday|(?:this|last|past|previous)\s+(?:week|month|quarter|year)|"
    r"(?:the\s+)?(?:last|past|previous)\s+\d{1,3}\s+(?:day|week|month|year)s?)"
)
_QUARTER = rf"(?:(q[1-4]|(?:first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter)(?:\s*,?\s*(?:of\s+)?({_YEAR}))?|({_YEAR})\s*q([1-4]))"
_POINT = rf"(?:(?:{_MONTH}\s+)?{_YEAR}|{_MONTH})"
_RANGE = re.compile(rf"\b(?:(?:between|from)\s+({_POINT})\s+(?:and|to|until|till|-|–)\s+({_POINT}))\b", re.IGNORECASE)
_BOUND = re.compile(rf"\b(since|after|before|until)\s+({_POINT})\b", re.IGNORECASE)
_FILES = (
    r"(?:documents?|docs?|files?|pdfs?|reports?|e-?mails?|mails?|messages?|letters?|spread\s?sheets?|slides|presentations?|notes?|invoices?|minutes|"
    r"photos?|pictures?|images?|contracts?|everything|anything|something|stuff)"
)
_ANY_CHANGES = r"(?:modified|changed|edited|created|updated|added|saved|sent|received|written|dated|got|came in|scanned)"
_FILE_CHANGES = r"(?:modified|changed|edited|updated|added|saved)"  # of files; "written in 1863" is said of what a text tells
_QUARTER_NUMBERS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "1st": "1", "2nd": "2", "3rd": "3", "4th": "4"}


@dataclass(frozen=True, slots=True)
class FoundTime:
    """A time in the words: SPEC's shape, the dates that it covers (`before` exclusive) and the characters that name it.

    `of_files` says that the words restrict the files by their date.
    """

    time: TimeFilter
    after: datetime | None
    before: datetime | None
    span: tuple[int, int]
    of_files: bool


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """Kinds of files and a folder, with the spans that name them."""

    file_types: tuple[str, ...]
    groups: tuple[str, ...]
    folder: str
    spans: tuple[tuple[int, int], ...]


def find_files(text: str) -> FoundFiles:
    """Find file groups and the folder that the words ask for."""
    groups: list[str] = ["image"] if IMAGES_SOUGHT.search(text) else []
    spans: list[tuple[int, int]] = []
    for group, patterns in _GROUP_SOUGHT.items():
        found = [match for pattern in patterns if (match := pattern.search(text))]
        if found:
            groups.append(group)
            spans.extend(match.span() for match in found[:1] if _is_prepositional(match.group()))
    folder, folder_span = _find_folder(text)
    types = tuple(suffix for group in groups for suffix in GROUPS[group])
    return FoundFiles(types, tuple(groups), folder, (*spans, *folder_span))


def leaves_out(values: Sequence[str], every: Sequence[str]) -> bool:
    """Return whether a limit names what is left rather than what is wanted: most of what there is."""
    return 2 * len(values) > len(every)


def doc_types_in_words(doc_types: Sequence[str]) -> str:
    """Describe types of documents: "documents of the kind contract"; where most are wanted, "documents of any kind but minutes"."""
    if leaves_out(doc_types, ALL_TYPES):
        return f"documents of any kind but {', '.join(each for each in ALL_TYPES if each not in doc_types)}"
    return f"documents of the kind {', '.join(doc_types)}"


def kinds_in_words(file_types: Sequence[str]) -> str:
    """Describe types of files, as "spreadsheets and .txt files": groups by their names where all of one is there, other types by their extensions;
    where most are wanted, those that are not."""
    if leaves_out(file_types, ALL_SUFFIXES):
        return f"files other than {kinds_in_words([each for each in ALL_SUFFIXES if each not in file_types])}"
    left = list(dict.fromkeys(file_types))
    said = []
    for group, suffixes in GROUPS.items():
        if set(suffixes) <= set(left):
            said.append(GROUP_NAMES[group][1])
            left = [suffix for suffix in left if suffix not in suffixes]
    said += [f"{', '.join(suffix.lstrip('.').upper() for suffix in left)} files"] if left else []
    return " and ".join(said)


def _is_prepositional(words: str) -> bool:
    """ "in the PDFs" can be left out of what is searched; "emails about" and "which slides" are part of the sentence and stay."""
    return bool(re.match(r"(?:in|from|across|within|through|inside|among)\b", words, re.IGNORECASE))


def _find_folder(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    match = _FOLDER.search(text)
    if not match:
        return "", ()
    name = (match.group(1) or match.group(2)).strip()
    name = re.sub(
        r"^(?:(?:from|in|inside|under|within|of|the|my|our|which|what|this|that|a|each|every|any)(?:\s+|$))+", "", name, flags=re.IGNORECASE
    )
    return (name, (match.span(),)) if name else ("", ())


def find_time(text: str, now: datetime) -> FoundTime | None:
    """Return the first time that the words name: a range, a bound, a relative time, a quarter, a month, a year, in this order."""
    for reader in (_range, _time_bound, _find_relative, _quarter, _month, _year):
        found = reader(text, now)
        if found:
            time, after, before, span = found
            return FoundTime(time, after, before, span, _is_time_of_files(text, span, relative=reader is _find_relative))
    return None


_TimeMatch = tuple[TimeFilter, datetime | None, datetime | None, tuple[int, int]]


def _is_time_of_files(text: str, span: tuple[int, int], *, relative: bool) -> bool:
    """Return whether the time is that of files: after a word for files and a verb of change, after "emails", or beside files for a relative time."""
    ahead, behind = text[: span[0]], text[span[1] :]
    changed = re.search(
        rf"\b{_ANY_CHANGES if relative else _FILE_CHANGES}(?:\s+(?:in|on|during|within|over|the|between|from))*\s*$", ahead, re.IGNORECASE
    )
    if changed and re.search(rf"\b{_FILES}\b", ahead, re.IGNORECASE):
        return True
    if re.search(r"\be-?mails?(?:\s+(?:sent|received|that|were|i|we|got))*\s+(?:in|from|of|during)?\s*$", ahead, re.IGNORECASE):
        return True
    if not relative:
        return False
    return bool(
        re.search(
            rf"\b{_FILES}(?:\s+(?:that|which|were|are|was|is|only))*\s+(?:from|of|in|within|during|over|since)?(?:\s+the)?\s*$", ahead, re.IGNORECASE
        )
        or re.match(rf"(?:'s)?\s+{_FILES}\b", behind, re.IGNORECASE)
    )


def _range(text: str, now: datetime) -> _TimeMatch | None:
    match = _RANGE.search(text)
    if not match:
        return None
    first, last = _point(match.group(1), now, match.group(2)), _point(match.group(2), now, "")
    if first[0] >= last[1]:
        return None
    return TimeFilter(time_range=f"{first[0]:%Y-%m-%d}..{last[1]:%Y-%m-%d}"), first[0], last[1], match.span()


def _time_bound(text: str, now: datetime) -> _TimeMatch | None:
    match = _BOUND.search(text)
    if not match:
        return None
    word, (start, end) = match.group(1).lower(), _point(match.group(2), now, "")
    if word == "since":
        return TimeFilter(time_range=f"{start:%Y-%m-%d}.."), start, None, match.span()
    if word == "after":
        return TimeFilter(time_range=f"{end:%Y-%m-%d}.."), end, None, match.span()
    limit = start if word == "before" else end
    return TimeFilter(time_range=f"..{limit:%Y-%m-%d}"), None, limit, match.span()


def _point(words: str, now: datetime, later: str) -> tuple[datetime, datetime]:
    """[start, end) of "2023", "March 2023" or "March" (the year of `later` where it has one, else the latest such month)."""
    year = re.search(_YEAR, words) or re.search(_YEAR, later)
    month = re.search(_MONTH, words, re.IGNORECASE)
    if month:
        return month_span(_month_number(month.group()), int(year.group()) if year else None, now)
    number = int(year.group()) if year else now.year
    return _day(number, 1), _day(number + 1, 1)


def _find_relative(text: str, now: datetime) -> _TimeMatch | None:
    match = re.search(rf"\b{_RELATIVE}\b", text, re.IGNORECASE)
    if not match:
        return None
    words = re.sub(r"^the\s+", "", re.sub(r"\s+", " ", match.group().lower()))
    name = re.sub(r"^(?:past|previous)\b", "last", words).replace(" ", "_")
    after, before = relative_span(name, now)
    return TimeFilter(time_range=name), after, before, match.span()


def relative_span(name: str, now: datetime) -> tuple[datetime, datetime]:
    """Return [after, before) of "last_week", "this_month", "yesterday", "last_30_days". Weeks begin on Monday; "last week" is the whole week
    before."""
    today = datetime(now.year, now.month, now.day, tzinfo=UTC)
    tomorrow = today + timedelta(days=1)
    counted = re.fullmatch(r"last_(\d+)_(day|week|month|year)s?", name)
    if counted:
        days = {"day": 1, "week": 7, "month": 30, "year": 365}[counted.group(2)]
        return tomorrow - timedelta(days=int(counted.group(1)) * days), tomorrow
    if name in {"today", "yesterday"}:
        return (today, tomorrow) if name == "today" else (today - timedelta(days=1), today)
    which, _, unit = name.partition("_")
    start = _unit_start(today, unit)
    return (start, tomorrow) if which == "this" else (_unit_start(start - timedelta(days=1), unit), start)


def _unit_start(day: datetime, unit: str) -> datetime:
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
    return day.replace(month=1, day=1)


def _quarter(text: str, now: datetime) -> _TimeMatch | None:
    match = re.search(rf"\b{_QUARTER}\b", text, re.IGNORECASE)
    if not match:
        return None
    words, year, year_first, number_last = match.groups()
    number = int(number_last or (words[1] if words[0].lower() == "q" else _QUARTER_NUMBERS[words.split()[0].lower()]))
    chosen = year or year_first
    start_month = (number - 1) * 3 + 1
    at = int(chosen) if chosen else now.year - (_day(now.year, start_month) > now)
    end = _day(at + 1, 1) if number == 4 else _day(at, start_month + 3)
    return TimeFilter(quarter=f"Q{number}", year=chosen), _day(at, start_month), end, match.span()


def _month(text: str, now: datetime) -> _TimeMatch | None:
    match = re.search(rf"\b({_MONTH})(?:\s+(?:of\s+)?({_YEAR}))\b", text, re.IGNORECASE) or re.search(
        rf"\b(?:in|of|from|since|during|last|this)\s+({ENGLISH_MONTH})\b()", text
    )
    if not match:
        return None
    month, year = _month_number(match.group(1)), match.group(2) or None
    after, before = month_span(month, int(year) if year else None, now)
    return TimeFilter(month=month, year=year), after, before, match.span()


def month_span(month: int, year: int | None, now: datetime) -> tuple[datetime, datetime]:
    """Return [start, end) of a month; without a year the latest one that has begun."""
    at = year if year is not None else now.year - (month > now.month)
    return _day(at, month), _day(at + month // 12, month % 12 + 1)


def _year(text: str, now: datetime) -> _TimeMatch | None:
    match = re.search(rf"(?<![\w./-])({_YEAR})(?![\w/-]|\.\d)", text)
    if not match:
        return None
    year = int(match.group(1))
    return TimeFilter(year=match.group(1)), _day(year, 1), _day(year + 1, 1), match.span()


def _month_number(word: str) -> int:
    return MONTHS[word.lower().rstrip(".")]


def _day(year: int, month: int) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)
