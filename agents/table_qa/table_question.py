"""A question about a table, read without the table: what is to be computed, and the words, comparisons and times that are left to be matched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agents.table_qa.difference_parser import parse_difference
from agents.table_qa.operations import (
    DISTINCT,
    HIGH,
    LOW,
    RANK_WORDS,
    Operation,
    RequestedOperation,
    find_list_start,
    is_no_single_query,
    parse_operation,
)
from agents.table_qa.relation_parser import YES_OR_NO
from agents.table_qa.table_vocabulary import NAMED_CURRENCIES, SHARED_SIGNS
from agents.table_qa.time_parser import NamedTime, Span, find_times
from core.language.numbers import SCALE, find_power, parse_digits
from core.language.stems import stem
from core.language.stop_words import FOREIGN_TABLE_STOP_WORDS, STOP_WORDS

_ALIASES = dict.fromkeys(("percentage", "percentages", "pct", "prozent", "prozentsatz", "porcentaje", "pourcentage"), "percent")
_TOKEN = re.compile(r"[^\W\d_]{1,3}\d[^\W_]*|\d[\d.,'’]*\d|\d|[^\W\d_]+(?:['’][^\W\d_]+)?|\d*[^\W_]+")
_NUMBER = rf"(?P<currency>[$€£¥]|\b(?:EUR|USD|GBP|CHF)\b)?\s?(?P<number>-?\d[\d.,'’]*\d|\d)\s?(?P<scale>{SCALE})?"
_ABOVE = r"above|over|more\s+than|greater\s+than|(?:larger|higher|bigger|older|longer)\s+than|exceed(?:s|ed|ing)?|>|über|mehr\s+als"
_BELOW = r"below|under|less\s+than|fewer\s+than|(?:lower|smaller|cheaper|shorter|younger)\s+than|<|unter|weniger\s+als"
_AT_LEAST = r"at\s+least|no\s+less\s+than|not\s+less\s+than|a\s+minimum\s+of|>=|≥|mindestens"
_AT_MOST = r"at\s+most|no\s+more\s+than|not\s+more\s+than|up\s+to|a\s+maximum\s+of|<=|≤|höchstens"
_COMPARISON = re.compile(
    rf"(?:(?P<at_least>{_AT_LEAST})|(?P<at_most>{_AT_MOST})|(?P<above>{_ABOVE})|(?P<below>{_BELOW}))\s*(?:than\s+)?(?:a\s+|the\s+)?{_NUMBER}", re.I
)
_BETWEEN = re.compile(
    rf"""
        \bbetween\s+(?P<currency>[$€£¥]|\b(?:EUR|USD|GBP|CHF)\b)?\s?(?P<low>-?\d[\d.,'’]*)\s?(?P<low_scale>{SCALE})?\s*
        (?:%|EUR|USD|GBP|CHF|€)?\s+and\s+(?:[$€£¥]|EUR|USD|GBP|CHF)?\s?(?P<high>-?\d[\d.,'’]*)\s?(?P<scale>{SCALE})?
    """,
    re.I | re.VERBOSE,
)
_CURRENCY_WORDS = {code.lower(): code for code in ("EUR", "USD", "GBP", "CHF")} | {"€": "EUR", "£": "GBP"} | SHARED_SIGNS | NAMED_CURRENCIES
_MAY_LIST = re.compile(r"^\W*(?:(?:in|on|at|for|from|to)\s+)?(?:which|what|who|welche[rsnm]?|wer)\b", re.I)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|ist|sind|war|waren|hat|haben|kann|wird)\b", re.I
)
_OF_SUBJECT = re.compile(r"\W*(?:and\s+|but\s+|so\s+)?(?:(?:to|for|with|by)\s+)?whom?\s+(?:do|does|did)\b", re.I)
_MOST_FRAGMENT_WORDS = 12  # words of what is typed instead of a question, at most
# What is put in relation: an answer only where a column or the table is called so.
_RELATIVE = re.compile(
    r"\b(?:(?:percentage|per\s?cent|share|proportion|part)(?=\s+of\b)|ratio|change[ds]?|changing|grow(?:n|th|s|ing)?|grew|increas(?:e[ds]?|ing)|decreas(?:e[ds]?|ing))\b",
    re.I,
)
_GROUP = re.compile(
    r"\b(?P<lead>per|for\s+each|for\s+every|in\s+each|of\s+each|by\s+each|broken\s+down\s+by|grouped\s+by|by|pro|je)\s+(?:the\s+)?(?P<words>[\w-]+(?:\s+(?!(?:by|per)\b)[\w-]+)?)",
    re.I,
)
_AVERAGE_OF_EACH = re.compile(r"\b(?:average|mean|median|durchschnitt\w*)\b.*\bper\s+\w+\s+by\b", re.I)
_NEGATION = re.compile(
    r"""
          (?<!whether\sor\s)\b(?:not(?!\s+only\b)|never|non(?=[\s-])|without|lack(?:s|ing)?|missing|except(?:\s+for)?|excluding|exclusive\s+of|apart\s+from
        | other\s+than|kein\w*|nicht|nie|ohne|außer)\b
        | \bno(?=\s+(?!(?:of|is|for|and|or)\b)[^\W\d_])|n['’]t\b
    """,
    re.I | re.VERBOSE,
)
_ASKS_DAY = re.compile(
    r"^\W*(?:(?:(?:on|by|from|until|since)\s+)?(?:which|what)\s+(?:date|day)\b|when\b|wann\b|an\s+welchem\s+(?:tag|datum)\b)", re.I
)
_EACH_WORDS = frozenset({"per", "pro", "je", "for each", "for every", "of each", "broken down by", "grouped by"})
_ENTITY = re.compile(
    r"""
        \b(?:which|what|welche[rsnm]?)\s+(?:one\s+)?(?:of\s+(?:the|our|my|these|those)\s+)?
        (?P<words>[\w-]+(?:\s+[\w-]+){0,2}?)\s+(?:
              has|have|had|is|was|were|are|did|does|do|with|got|costs?|sold|sells|made|makes|spent|spends|paid|pays
            | received|receives|ordered|orders|shows|shipped|earns?|earned|weighs?|lasted|lasts|took|takes|hat|haben|ist
            | war|needs?|needed|brought|brings|generated|generates|produced|produces|uses|used|holds?|held|gets?|gives?
            | gave|reports?|reported|claims?|claimed
        )\b
    """,
    re.I | re.VERBOSE,
)
# "the name of the line with the most stations", "product with the highest revenue"
_ENTITY_OF = re.compile(
    rf"""
        (?:\bname\s+of\s+the|^\W*(?:(?:the|what|which)\s+)?(?:(?:is|are|was|were)\s+the\s+)?)\s*
        (?P<words>[^\W\d_][\w-]*)\s+(?:with|that\s+has|that\s+have|having|mit)\s+(?:the\s+|dem\s+|der\s+)?(?:{RANK_WORDS})?
        (?:{HIGH}|{LOW}|most|least)\b
    """,
    re.I | re.VERBOSE,
)
_ANY_ENTITY = re.compile(r"\b(?:which|welche[rsnm]?)\s+(?:of\s+(?:the|our|my|these|those)\s+)?(?P<words>[^\W\d_][\w-]*)", re.I)


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of the question; `is_name` says that it is written like one (a capital inside the sentence, or with a figure in it)."""

    text: str
    start: int
    end: int
    is_name: bool

    @property
    def stem(self) -> str:
        folded = self.text.casefold()
        return _ALIASES.get(folded) or stem(folded)

    @property
    def is_plain(self) -> bool:
        folded = self.text.casefold()
        if self.is_name and (self.text == "May" or (self.text.isupper() and self.text != "I")):
            return False  # the month, and names such as "IT"
        return folded in STOP_WORDS or folded in FOREIGN_TABLE_STOP_WORDS


@dataclass(frozen=True, slots=True)
class NumberComparison:
    """ "above 1,000 EUR": bounds with what they mean; `currency` "" where none is named; `span` where it stands."""

    span: Span
    low: float | None = None
    high: float | None = None
    open_low: bool = False
    open_high: bool = False
    currency: str = ""


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """The question as far as no table is needed. `group` are the words behind "per", `entity` those behind "which"; `list_start` is the place behind
    "list" or "which", where what may be listed is named; `relative_spans` are words for shares and changes; `asks_of_subject`: what a named subject
    does is asked for ("Who does Ann report to?"), not who does it; `negation` is the word that denies what follows;
    whether the figure that is asked for is so is asked where `checked` is set ("Is the rent more than 500?")."""

    text: str
    words: tuple[QuestionWord, ...]
    request: RequestedOperation
    distinct: bool = False
    group: Span | None = None
    is_grouped_by: bool = False
    entity: Span | None = None
    asks_who: bool = False
    asks_of_subject: bool = False
    list_start: int | None = None
    relative_spans: tuple[Span, ...] = ()
    comparisons: tuple[NumberComparison, ...] = ()
    times: tuple[NamedTime, ...] = ()
    negation: Span | None = None
    checked: NumberComparison | None = None

    @property
    def operation(self) -> Operation:
        return self.request.operation

    @property
    def asks_day(self) -> bool:
        """Return whether a day is asked for: "On which date did …?", "When was …?"."""
        return _ASKS_DAY.match(self.text) is not None


def words_of(text: str) -> list[QuestionWord]:
    """Split a question into its words."""
    found = []
    for match in _TOKEN.finditer(text):
        opens = not text[: match.start()].strip(" \"'“„‘(¿¡-")
        word = match.group()
        is_name = word[0].isupper() and not opens and not text.isupper()
        found.append(QuestionWord(word, match.start(), match.end(), any(c.isdigit() for c in word) or is_name))
    return found


def parse_table_question(question: str) -> TableQuestion | None:
    """Read a question about tables without any table; None for what no single query over one table answers: prose, comparisons of several things,
    shares, trends."""
    text = " ".join(question.split())[:600]
    if is_no_single_query(text):
        return None
    apart = parse_difference(text)
    comparisons = tuple(each for each in _comparisons(text) if apart is None or not apart.is_side(text, _number_at(text, each)))
    bare = _blank_spans(text, [each.span for each in comparisons])
    group = _find_group(bare)
    lead = group["lead"].casefold() if group is not None else ""
    entity = _ENTITY_OF.search(bare) or _ENTITY.search(bare) or _ANY_ENTITY.search(bare)
    checked = comparisons[0] if len(comparisons) == 1 and YES_OR_NO.match(text) is not None else None
    asks = _parse_request(text, bare, lead) or _parse_check(text, checked)
    if asks is None or len(_NEGATION.findall(bare)) > 1:
        return None
    return TableQuestion(
        text=text,
        words=tuple(words_of(text)),
        request=asks,
        distinct=DISTINCT.search(text) is not None,
        group=_span_of_words(group),
        is_grouped_by=lead == "by",
        entity=_span_of_words(entity),
        asks_who=bool(re.match(r"\W*(?:who|wer)\b", text, re.I)),
        asks_of_subject=_OF_SUBJECT.match(text) is not None,
        list_start=_find_what_is_listed(text),
        relative_spans=tuple(Span(*match.span()) for match in _RELATIVE.finditer(text)),
        comparisons=comparisons,
        checked=checked,
        times=_find_conditions_of_time(text, comparisons, asks),
        negation=_find_negation(bare),
    )


def _find_conditions_of_time(text: str, comparisons: Iterable[NumberComparison], asks: RequestedOperation) -> tuple[NamedTime, ...]:
    """Return the times but for those that are compared."""
    times = find_times(text, [each.span for each in comparisons])
    return tuple(each for each in times if not (asks.difference and asks.difference.is_side(text, each.span)))


def _find_group(text: str) -> re.Match[str] | None:
    """Return what groups are made by; in "average cost per shipment by mode" each shipment is one, and the groups are made by mode."""
    groups = [match for match in _GROUP.finditer(text) if not (match.start() and match["lead"][0].isupper() and match["words"][0].isupper())]
    return (groups[-1] if _AVERAGE_OF_EACH.search(text) else groups[0]) if groups else None


def _find_negation(text: str) -> Span | None:
    found = _NEGATION.search(text)
    return Span(*found.span()) if found is not None else None


def _span_of_words(match: re.Match[str] | None) -> Span | None:
    return Span(*match.span("words")) if match is not None else None


def _blank_spans(text: str, spans: Iterable[Span]) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def _parse_request(text: str, bare: str, lead: str) -> RequestedOperation | None:
    """Read what is computed out of the text without its comparisons; `lead` is the word in front of a group ("per", "by")."""
    is_fragment = _is_fragment(text)
    grouped = lead not in {"", "by"} and (is_fragment or find_list_start(text) is not None)
    return parse_operation(bare, may_list=is_fragment or _MAY_LIST.match(text) is not None, grouped=grouped, per=lead in _EACH_WORDS)


def _parse_check(text: str, checked: NumberComparison | None) -> RequestedOperation | None:
    """Whether so many rows are there, where the number stands at once behind the verb ("Were more than five late?"), else whether a cell is so."""
    if checked is None:
        return None
    counts = re.fullmatch(r"\W*\w+(?:\s+there)?\s*", text[: checked.span.start]) is not None
    return RequestedOperation(Operation.COUNT, (), counted_start=checked.span.end) if counts else RequestedOperation(Operation.LOOKUP, ())


def _is_fragment(text: str) -> bool:
    return 0 < len(text.split()) <= _MOST_FRAGMENT_WORDS and _FINITE.search(text) is None


def _find_what_is_listed(text: str) -> int | None:
    """Return the place where the words begin that say what is listed; None where nothing may be."""
    listed = find_list_start(text)
    if listed is not None:
        return listed
    names_what = _MAY_LIST.match(text)
    if names_what is not None:
        return names_what.end()
    return 0 if _is_fragment(text) else None


def _comparisons(text: str) -> Iterator[NumberComparison]:
    for match in _BETWEEN.finditer(text):
        scale = match["low_scale"] or match["scale"]
        low, high = number_in(match["low"], scale), number_in(match["high"], match["scale"])
        if low is not None and high is not None and not _are_years(match["low"], match["high"]):
            yield NumberComparison(Span(*match.span()), low, high, currency=_currency(match["currency"], text[match.end() :]))
    for match in _COMPARISON.finditer(text):
        number = number_in(match["number"], match["scale"])
        if number is None:
            continue
        span, currency = Span(*match.span()), _currency(match["currency"], text[match.end() :])
        above, below = match["above"] or match["at_least"], match["below"] or match["at_most"]
        yield NumberComparison(span, number if above else None, number if below else None, bool(match["above"]), bool(match["below"]), currency)


def _number_at(text: str, comparison: NumberComparison) -> Span:
    """Return where the number of a comparison stands: of "exceed 2022" the year."""
    number = re.search(r"\S+\s*$", text[comparison.span.start : comparison.span.end])
    return Span(comparison.span.start + number.start(), comparison.span.end) if number is not None else comparison.span


def _are_years(*numbers: str) -> bool:
    return all(re.fullmatch(r"(?:19|20)\d\d", number) for number in numbers)


def _currency(before: str | None, behind: str) -> str:
    word = re.match(r"\s?([A-Za-z]+|[$€£¥])", behind)
    return _CURRENCY_WORDS.get((before or "").casefold(), "") or (_CURRENCY_WORDS.get(word[1].casefold(), "") if word else "")


def number_in(text: str, scale: str | None = None) -> float | None:
    """A number of a question, in either convention where it can only be one, else as English writes it ("1,000" is a thousand)."""
    number = parse_digits(text.rstrip(".,"), english=True)
    return None if number is None else float(number.scaleb(find_power(scale or "")))
