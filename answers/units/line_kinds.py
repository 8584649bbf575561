"""Kinds of lines of a document that are no sentences: a title, a label, a running head, a caption, a field with its value."""

from __future__ import annotations

import re

from answers.units.passage_regions import SENTENCE_END
from core.language.sentences import word_count

LONGEST_TITLE_LINE = 12
_SHORT_KEY = 2  # words
LONGEST_VALUE = 12
_LONGEST_LINE = 240  # characters; what is longer is none of these, and is not looked at
_CAPITALS = 0.7  # share of the longer words of a title that begin with a capital

_NUMBERING = re.compile(
    r"^(?:[#\s]*(?:(?:section|chapter|part|article|schedule|annex|appendix|anlage|kapitel|teil)\s+)?[\dIVXA-Z]{1,4}(?:\.\d+)*[.):]?\s+)",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|shall|should|does|do|did|ist|sind|war|waren|hat|haben|wird|werden|wurde|wurden|"
    r"kann|muss|darf|soll|fue|era|está|son|tiene|est|était|sont|peut)\b",
    re.IGNORECASE,
)
_PAGE = re.compile(r"^\W*(?:(?:page|seite|página|p\.|s\.)\s*)?\d{1,4}(?:\s*(?:of|/|von|de)\s*\d{1,4})?\W*$", re.IGNORECASE)
_CAPTION = re.compile(
    r"^(?:table|figure|fig\.|chart|exhibit|tabelle|tab\.|abbildung|abb\.|tabla|figura|cuadro|tableau)\s*[\dIVX]+(?:[.-]\d+)*\b", re.IGNORECASE
)
_KEY_PATH = re.compile(r"\s*(?=[\w.\[\]-]*[._\[])[A-Za-z_\[][\w-]*(?:\[\d+\])*(?:\.[\w-]+(?:\[\d+\])*)*:\s+\S")
_FIELD = re.compile(r"^(?P<key>[\"']?[^\W\d_][^\n:：|.!?]{0,48}(?:\.[\w-]+)*[\"']?)\s*[:：]\s+(?P<value>\S.*)$")
_WORD = re.compile(r"[^\W\d_]+")
_OWN_FIGURE = re.compile(r"(?<![\w-])\d")
_LEGIBLE = 0.6


def is_page_mark(line: str) -> bool:
    """Return whether a line is a page number on its own, or a head in capitals beside one: "Page 4 of 12", "THE SIEGE. 49"."""
    if len(line) > _LONGEST_LINE:
        return False
    if _PAGE.match(line):
        return True
    numbered = re.match(r"^\s*\d{1,4}\s+(?P<head>\D+)$|^\s*(?P<foot>\D+?)\s+\d{1,4}\s*$", line)
    head = (numbered["head"] or numbered["foot"]) if numbered is not None else ""
    return len(head.split()) >= 2 and word_count(head) <= LONGEST_TITLE_LINE and _is_upper(head) and len(_WORD.findall(head)) >= 2


def is_caption(line: str) -> bool:
    """Return whether a line is a caption that states nothing itself: "Table 3. Rents by site"."""
    return (
        len(line) <= _LONGEST_LINE
        and _CAPTION.match(line) is not None
        and word_count(line) <= 2 * LONGEST_TITLE_LINE
        and _FINITE.search(line) is None
    )


def is_title(line: str) -> bool:
    """Return whether a line is a heading that stands alone or a label ("CURRENT MEDICATIONS", "Variance analysis:"): a short line in capitals, or
    ending with ":", without an end mark, a verb or a figure behind its numbering."""
    if len(line) > _LONGEST_LINE:
        return False
    body = _NUMBERING.sub("", line.strip("*_# \t"), count=1) if line.strip("*_# \t")[:1].isdigit() else line.strip("*_# \t")
    if not body or word_count(body) > LONGEST_TITLE_LINE or any(letter.isdigit() for letter in body) or _FINITE.search(body):
        return False
    if ends_as_label(body):
        return not body.rstrip(" :：").endswith(tuple(".!?,;"))
    if SENTENCE_END.search(body) or body.endswith(","):
        return False
    long = [word for word in _WORD.findall(body) if len(word) >= 4] or _WORD.findall(body)
    return bool(long) and body[:1].isupper() and sum(word[0].isupper() for word in long) >= _CAPITALS * len(long)


def ends_as_label(line: str) -> bool:
    return line.rstrip("*_ \t").endswith((":", "："))


def is_value(line: str) -> bool:
    """Return whether a line is a short one without an end mark, as stands under a label: "£1,240", "Lisinopril 10 mg daily"."""
    return word_count(line) <= LONGEST_VALUE and not SENTENCE_END.search(line) and not line.rstrip().endswith(",")


def is_name_only(line: str) -> bool:
    """Return whether a short line names something and says nothing of it: "Mechanical properties of grade SNB22-3". A figure says something."""
    return is_value(line) and _FINITE.search(line) is None and _OWN_FIGURE.search(line) is None


def is_headline(text: str) -> bool:
    """Return whether a longer line, most of its words with capitals, says nothing: "Imports, Exports and Net Supply of Pesticides, 1994
    Estimates"."""
    long = [word for word in _WORD.findall(text) if len(word) >= 4]
    return len(long) > 3 and _FINITE.search(text) is None and sum(word[0].isupper() for word in long) >= _CAPITALS * len(long)


_SALUTATION = re.compile(
    r"^\W*(?:dear|hello|hi|hallo|good\s+(?:morning|afternoon|evening|day)|guten\s+(?:tag|morgen|abend)|sehr\s+geehrte[rsn]?|liebe[rs]?)\b(?:\s+[^\s,!:]+){0,5}\s*[,!:]?\W*$",
    re.IGNORECASE,
)


def is_salutation(text: str) -> bool:
    """Return whether a text greets whom a letter is to: "Dear Ms Pascoe,", "Hello Tobias,"."""
    return _SALUTATION.match(text) is not None and text.rstrip().endswith((",", "!", ":"))


_BEFORE_TITLE = 16  # characters
_CITED_YEAR = re.compile(r"(?:\(\s*(?:1[5-9]|20)\d\d[a-z]?\s*\)|,\s*(?:1[5-9]|20)\d\d[a-z]?)[.,:]?\s+$")


def is_cited_title(before: str, text: str) -> bool:
    """Return whether a text without a verb stands behind a year, as the title of a work does in a list of references: "(2003). The model: past and
    future.". It names what the work is about, and says nothing of it."""
    return _FINITE.search(text) is None and _CITED_YEAR.search(before[-_BEFORE_TITLE:]) is not None


def is_legible(text: str) -> bool:
    """Return whether most of a text is letters and digits: "- - - - - x MICHAEL A. KNOWLES, : WARDEN, :" is what is left of a form, "equals equals"
    of a drawing."""
    words = text.split()
    if len(words) > 1 and len({word.casefold() for word in words}) == 1:
        return False
    marks = sum(not letter.isspace() for letter in text)
    return sum(letter.isalnum() for letter in text) >= _LEGIBLE * marks


def is_keyed(line: str) -> bool:
    """Return whether a line is a value under the path of its key, as JSON and YAML are read: "server.port: 8443", "width_mm: 62". It never goes on
    from the line before."""
    return _KEY_PATH.match(line) is not None


def is_field(line: str) -> bool:
    """Return whether a line is a label with its value: "Deposit: £80,000", "doors.alarm_delay_minutes: 7"."""
    match = _FIELD.match(line.strip()) if len(line) <= _LONGEST_LINE else None
    if match is None or word_count(match["key"]) > 5 or word_count(match["value"]) > LONGEST_VALUE:
        return False
    return not SENTENCE_END.search(match["value"]) and _FINITE.search(match["key"]) is None


def is_short_field(line: str) -> bool:
    """Return whether a line is a field whose label is a word or two: "Owner: Elver Estates LLP", which has the capitals of a title."""
    match = _FIELD.match(line.strip())
    return match is not None and is_field(line) and word_count(match["key"]) <= _SHORT_KEY


def _is_upper(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return sum(letter.isupper() for letter in letters) >= 0.9 * len(letters)
