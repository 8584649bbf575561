"""Sentence boundaries as spans. Rules only: no model, no language data beyond short lists of abbreviations and of openers."""

from __future__ import annotations

import re

from core.language.months import full_months, short_months
from core.language.word_files import join_alternatives

# Stand before a name: "Rev. Peter Williams". Never the end of a sentence.
_TITLES = frozenset(
    "mr mrs ms mx dr prof rev hon gen lt col capt cpt sgt maj adm cmdr gov sen rep pres messrs st ste mt hr fr frl dipl ing mag sra srta dña ud "
    "uds mme shri mlle mgr vs v cf viz zzgl vgl bzw sog".split()
)
# Stand before a number: "Op. 94", "c. 1450", "Art. 5", "Abs. 2". As words of their own they may end a sentence ("The answer is no.").
_BEFORE_NUMBERS = frozenset(
    "no nos nr nrn op opp vol vols p pp pg pag pág págs s fig figs abb eq eqs sec secs ch chap cap art arts abs ziff bd rn rz anm taf tab pt "
    "pts ser sched para paras cl cls reg regs ex exx n núm b c ca circa d r fl m est av approx ref ver tel ext min max rd".split()
) | frozenset(short_months("en", "de"))
# Belong to what is before or behind them: "Acme Inc. of Utah", "Mio. EUR". They end a sentence only before a word that opens one.
_JOINING = frozenset(
    "sr jr etc al eds ed inc ltd co corp llc plc bros dept est approx e.g i.e eg ie chr mio mrd tsd str usw u.s u.k ph.d ee uu gmbh ca resp ggf "
    "evtl inkl zzt abk abt aufl hrsg jh jhd jhdt ibid tr trans repr cit dtsch engl lat lit".split()
)
_LISTS_END = frozenset({"etc", "a.m", "p.m", "usw"})  # end a sentence before any capital, though not before a time zone
_OPENING_WORDS = frozenset(
    "the a an he she it they we i you this that these those there his her its their our in on at for by from with when where while as after "
    "before although however but and if since during under over most many some all no not one two each both because until once what who why how "
    "to of der die das er sie es ein eine wir ich im am nach bei mit seit auch dies diese dieser wenn als für und el la los las un una en se le "
    "les il elle ils elles dans ce cette par pour su sus con desde".split()
)
_ROMAN = r"[IVXLC]{1,6}\b"
_NUMBER_NEXT = re.compile(rf"[(\[]?(?:§+\s*)?(?:(?:AD|BC|A\.D\.)\s*)?(?:\d|{_ROMAN}|[A-Z]\b(?!\.))")
_MONTHS_AND_THE_LIKE = (
    rf"{join_alternatives(name.capitalize() for name in full_months('de'))}|Jahrhundert|Jahrtausend|Jh\b|Jhdt?\b|Lebensjahr|Auflage|"
    r"Kalenderwoche|Weltkrieg|Klasse|Etage|Stock\b|Obergeschoss|Tag\b"
)
_NUMBERED = re.compile(r"\s*(?:(?:secs?|arts?|chap|cl|para|pt|sched|abs|nr|no)\.\s*)?", re.IGNORECASE)
_DATE_BEFORE = re.compile(r"\b(?:1[5-9]|20)\d\d(?P<month>\.\s?(?:1[0-2]|0?[1-9])(?P<day>\.\s?(?:3[01]|[12]\d|0?[1-9]))?)?$")
_ORDINAL_NEXT = re.compile(rf"(?:{_MONTHS_AND_THE_LIKE})")
_ORDINAL_BEFORE = re.compile(
    r"\b(?:am|im|vom|zum|zur|beim|des|dem|den|der|das|die|bis|ab|seit|frühen|späten|mitte|ende|anfang)\s+\d{1,2}$", re.IGNORECASE
)
# A terminator with its closing quotes and brackets, then white space. CJK full stops need no space.
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”’）]*|\n")
_SPACES = " \t\u00a0\u2009\u202f"
_CLOSING = "\"'”’»)]"
_OPENERS = "\"'“‘«([¿¡—–-•*"


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans (start, end) of the sentences of `text`, without surrounding white space; a line break ends a sentence.

    Their text plus the white space between them is the whole of `text`.
    """
    spans: list[tuple[int, int]] = []
    begin = 0
    for match in _END.finditer(text):
        mark = match.group()
        if mark[0] == "." and not _ends_sentence(text, begin, match.start(), match.end()):
            continue
        if mark[0] in "!?…" and _continues_sentence(text, mark, match.end()):
            continue
        _append_span(spans, text, begin, match.end())
        begin = match.end()
    _append_span(spans, text, begin, len(text))
    return spans


def _append_span(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        spans.append((start, end))


def _continues_sentence(text: str, mark: str, end: int) -> bool:
    """Return whether a sentence goes on behind "!", "?" or "…": a small letter after a closing quote ('"Who?" he asked'), after "Yahoo!" or after
    "…"."""
    after = text[end : end + 8].lstrip(_SPACES)
    return after[:1].islower() and (mark[-1] in _CLOSING or mark in {"!", "…"})


def _ends_sentence(text: str, begin: int, stop: int, end: int) -> bool:
    """Return whether the full stop at `stop` ends the sentence that began at `begin`; `end` is behind its closing marks."""
    after = text[end : end + 40].lstrip(_SPACES)
    if after[:1].islower() or (after and after[0] in ",;:)]"):
        return False
    word = re.search(r"[\w.]*$", text[max(begin, stop - 24) : stop])
    before = word.group() if word else ""
    if text[stop:end].startswith("...") or not before:
        return before != "" or not _is_spaced_ellipsis(text, begin, stop, after)
    if re.fullmatch(r"\d{1,3}|[ivxlc]{1,4}", before.lower()) and _NUMBERED.fullmatch(text, begin, stop - len(before)):
        return False  # an item's number: "3. The tenant …", "Sec. 326. Verification"
    if _goes_on_as_date(text[max(begin, stop - 24) : stop], after):
        return False
    if before.isdigit():
        return not _is_ordinal(text[max(begin, stop - 24) : stop], after)
    if text[stop + 1 : end]:
        return True  # closed by a quote or a bracket: "(J. Smith Inc.) The …"
    return not _is_abbreviated(before, after)


def _is_spaced_ellipsis(text: str, begin: int, stop: int, after: str) -> bool:
    """Return whether a dot is one of the ". . ." of an ellipsis: none of them ends anything before the last, and that one nothing but what has
    words."""
    return after.startswith(".") or text[begin:stop].strip(". \t") == ""


def _goes_on_as_date(before: str, after: str) -> bool:
    """Return whether a full stop is one of a date such as "2020. 3. 11.", as Korean and Hungarian write them."""
    date = _DATE_BEFORE.search(before)
    if date is None:
        return False
    if date["day"]:
        return after != "" and not after[0].isupper() and not after[0].isdigit()
    return re.match(r"\d{1,2}\." if date["month"] else r"\d{1,2}\.\s?\d{1,2}\.", after) is not None


def _is_ordinal(before: str, after: str) -> bool:
    """Return whether a number with a full stop is a German ordinal: "am 8. Februar", "im 19. Jahrhundert"."""
    number = re.search(r"\d+$", before)
    if number is None or len(number.group()) > 2:
        return False
    return _ORDINAL_NEXT.match(after) is not None or (after[:1].isupper() and _ORDINAL_BEFORE.search(before) is not None)


def _is_abbreviated(before: str, after: str) -> bool:
    """Return whether the word `before` a full stop is an abbreviation that goes on with `after`."""
    lower = before.lower()
    if lower in _TITLES:
        return True
    if lower in _LISTS_END:
        return not after[:1].isupper() or re.match(r"[A-Z]{2,5}\b", after) is not None
    if lower in _BEFORE_NUMBERS and _NUMBER_NEXT.match(after) is not None and (before[0].islower() or not _opens_sentence(after)):
        return True
    letters = len(before) == 1 and before.isalpha()  # an initial, or the "z" of "z. B."
    dotted = re.fullmatch(r"(?:[^\W\d_]\.)+[^\W\d_]", before) is not None  # "U.S", "D.C", "a.k.a"
    return (letters or dotted or lower in _JOINING) and not _opens_sentence(after)


def _opens_sentence(after: str) -> bool:
    """Return whether a text begins with a word that opens sentences ("The", "In"); "A." and "I." are initials, and the end of a text opens another
    one."""
    word = re.match(r"[\"'“‘«(\[¿¡]*([^\W\d_]+)(\.?)", after)
    if word is None:
        return after == ""
    opens = word.group(1)[0].isupper() and word.group(1).lower() in _OPENING_WORDS
    return opens and not (len(word.group(1)) == 1 and word.group(2) == ".")


def word_count(text: str) -> int:
    """Count words as white space separates them; each run of CJK characters counts as one word for every two characters."""
    cjk = len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text))
    return len(text.split()) + cjk // 2


def opens_mid_thought(text: str) -> bool:
    """Return whether a sentence starts in lower case, as a piece cut out of a longer one does."""
    first = text.lstrip(_OPENERS + " ")[:1]
    return first.islower()
