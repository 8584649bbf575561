"""A question about a table, read without the table: what is to be computed, and the words, comparisons and times that are left to be matched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from agents.statements import stem
from agents.table_times import Span, TimeWords, find_times
from agents.wording import STOP_WORDS


class Operation(StrEnum):
    COUNT = "count"
    SUM = "sum"
    AVERAGE = "average"
    MEDIAN = "median"
    HIGHEST = "highest"
    LOWEST = "lowest"
    LOOKUP = "lookup"


_ALIASES = dict.fromkeys(("percentage", "percentages", "pct", "prozent", "prozentsatz", "porcentaje", "pourcentage"), "percent")
# Of Spanish, French, Italian, Dutch and German, as far as they are no English words.
_FOREIGN_STOP_WORDS = frozenset(
    "el la los las del al y es son fue cuál cual cuáles qué que cuánto cuántos cuánta cuántas un una por para con les du et est sont quel quelle "
    "quels quelles combien dans pour avec une il lo gli della dello dei delle di da è sono qual quale quali quanto quanti quante nel nella het een "
    "van der dem das ein eine einer und ist de d l le".split()
)
_TOKEN = re.compile(r"[^\W\d_]{1,3}\d[^\W_]*|\d[\d.,'’]*\d|\d|[^\W\d_]+(?:['’][^\W\d_]+)?|\d*[^\W_]+")
_NUMBER = r"(?P<currency>[$€£¥]|\b(?:EUR|USD|GBP|CHF)\b)?\s?(?P<number>-?\d[\d.,'’]*\d|\d)\s?(?P<scale>(?:k|m|mn|bn|million|thousand|billion|mio)\b)?"
_ABOVE = r"above|over|more\s+than|greater\s+than|(?:larger|higher|bigger|older|longer)\s+than|exceed(?:s|ed|ing)?|>|über|mehr\s+als"
_BELOW = r"below|under|less\s+than|fewer\s+than|(?:lower|smaller|cheaper|shorter|younger)\s+than|<|unter|weniger\s+als"
_AT_LEAST = r"at\s+least|no\s+less\s+than|not\s+less\s+than|a\s+minimum\s+of|>=|≥|mindestens"
_AT_MOST = r"at\s+most|no\s+more\s+than|not\s+more\s+than|up\s+to|a\s+maximum\s+of|<=|≤|höchstens"
_COMPARED = re.compile(
    rf"(?:(?P<at_least>{_AT_LEAST})|(?P<at_most>{_AT_MOST})|(?P<above>{_ABOVE})|(?P<below>{_BELOW}))\s*(?:than\s+)?(?:a\s+|the\s+)?{_NUMBER}", re.I
)
_BETWEEN = re.compile(
    r"\bbetween\s+(?P<currency>[$€£¥]|\b(?:EUR|USD|GBP|CHF)\b)?\s?(?P<low>-?\d[\d.,'’]*)\s?(?P<low_scale>(?:k|m|million|thousand)\b)?\s*(?:%|EUR|USD|GBP|CHF|€)?"
    r"\s+and\s+(?:[$€£¥]|EUR|USD|GBP|CHF)?\s?(?P<high>-?\d[\d.,'’]*)\s?(?P<scale>(?:k|m|million|thousand)\b)?",
    re.I,
)
_SCALES = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "mio": 10**6, "million": 10**6, "bn": 10**9, "billion": 10**9}
_CURRENCY_WORDS = {
    "$": "$",
    "€": "EUR",
    "£": "GBP",
    "¥": "¥",
    "euro": "EUR",
    "euros": "EUR",
    "eur": "EUR",
    "usd": "USD",
    "dollars": "$",
    "dollar": "$",
}
_CURRENCY_WORDS |= {"gbp": "GBP", "pounds": "GBP", "chf": "CHF", "francs": "CHF"}

_ROMANCE_HIGH = (
    r"(?:más|mas)\s+(?:alt[oa]s?|grandes?|car[oa]s?)|mayor(?:es)?|máxim[oa]|(?:le|la|les)\s+plus\s+(?:élevée?s?|haute?s?|grande?s?|chère?s?)|"
    r"più\s+(?:alt[oa]|grande|car[oa])"
)
_ROMANCE_LOW = (
    r"(?:más|mas)\s+(?:baj[oa]s?|pequeñ[oa]s?|barat[oa]s?)|menor(?:es)?|mínim[oa]|(?:le|la|les)\s+(?:plus\s+(?:basse?s?|petite?s?)|moins\s+chère?s?)|"
    r"più\s+(?:bass[oa]|piccol[oa])"
)
_HIGH = "highest|largest|biggest|greatest|maximum|max|longest|latest|newest|heaviest|tallest|fastest|oldest|höchsten?|größten?|meisten?|teuersten?"
_LOW = "lowest|smallest|least|fewest|minimum|min|cheapest|shortest|earliest|lightest|slowest|youngest|niedrigsten?|kleinsten?|wenigsten?|günstigsten?"
_HIGHEST = re.compile(
    rf"(?<!at a )\b(?:{_HIGH}|{_ROMANCE_HIGH})\b|(?<!at )\bmost\b(?!\s+of\b)(?:\s+(?:expensive|recent|costly|often|frequent(?:ly)?|common))?", re.I
)
_LOWEST = re.compile(rf"(?<!at )\b(?:{_LOW}|{_ROMANCE_LOW})\b(?:\s+(?:expensive|recent|costly|often|frequent(?:ly)?|common))?", re.I)
_COUNT = re.compile(
    r"\bhow\s+many\b|\b(?:the\s+)?(?:total\s+)?(?:number|count)\s+of\b|^\W*(?:please\s+)?count\b|\bwie\s+viele\b|\banzahl\s+(?:der\b)?|"
    r"\bcu[áa]nt[oa]s\b|\bcombien\s+d(?:e\b|['’])|\bquant[ie]\b|\bhoeveel\b|\bn[úu]mero\s+de\b|\bnombre\s+d(?:e\b|['’])",
    re.I,
)
_DISTINCT = re.compile(r"\b(?:different|distinct|unique|separate)\b", re.I)
_AVERAGE = re.compile(r"\b(?:on\s+)?(?:average|mean|avg)\b|\bdurchschnitt\w*|\bim\s+(?:schnitt|mittel)\b", re.I)
_MEDIAN = re.compile(r"\bmedian\b", re.I)
_SUM = re.compile(
    r"\b(?:in\s+)?total(?:s|led|ed)?\b|\bsum\b|\baltogether\b|\bcombined\b|\badd(?:s|ed)?\s+up(?:\s+to)?\b|\binsgesamt\b|\bgesamt\w*|\bsumme\b", re.I
)
_HOW_MUCH = re.compile(r"\bhow\s+much\b|\bwie\s?viel\b|\bcu[áa]nto\b|\bcombien\b(?!\s+d)|\bquanto\b", re.I)
_LOOKUP = re.compile(
    r"\b(?:what|which)(?:'s|\s+(?:is|was|are|were))\s+(?:the\b)?|\bwas\s+(?:ist|war)\b|\bhow\s+(?:high|large|big|long|heavy|old|far|tall)\b|^\W*who\b|\bwhat\b|"
    r"\b(?:in|on|at|from|to|for)\s+(?:what|which)\b|^\W*(?:which|when|where)\b|^\W*wann\b|\bwelche[rsnm]?\b|"
    r"\bcu[áa]l(?:es)?\s+(?:es|son|fue|era)\b|\bqu[ée]\b|\bqui[ée]n\b|\bquel(?:le)?s?\s+(?:est|sont|était)\b|\bqual\s+[èeé]\b",
    re.I,
)
_SEVERAL = re.compile(
    r"\b(?:top|first|last)\s+(?:\d+|two|three|four|five|ten)\b|\b(?:\d+|two|three|four|five|ten)\s+(?:highest|largest|biggest|lowest|smallest|cheapest|"
    r"longest|shortest|latest|newest|oldest|most|best)\b",
    re.I,
)
_NOT_ONE = re.compile(
    r"\b(?:compare|compared|versus|vs\.?|difference\s+between|trend|correlat\w+|second[\s-](?:highest|largest|lowest)|why|except|excluding|other\s+than|apart\s+from|without)\b",
    re.I,
)
# What is put in relation: an answer only where a column or the table is called so.
_RELATIVE = re.compile(
    r"\b(?:(?:percentage|share|proportion|part)(?=\s+of\b)|ratio|change[ds]?|changing|grow(?:n|th|s|ing)?|grew|increas(?:e[ds]?|ing)|decreas(?:e[ds]?|ing))\b",
    re.I,
)
_SPENT = re.compile(r"\b(?:spen[dt]|spends|cost|costs|pay|pays|paid|charged?|earn(?:ed|s)?)\b", re.I)
_GROUP = re.compile(
    r"\b(?P<lead>per|for\s+each|for\s+every|in\s+each|of\s+each|by\s+each|broken\s+down\s+by|grouped\s+by|by|pro|je)\s+(?:the\s+)?(?P<words>[\w-]+(?:\s+[\w-]+)?)",
    re.I,
)
_ENTITY = re.compile(
    r"\b(?:which|what|welche[rsnm]?)\s+(?:one\s+)?(?:of\s+(?:the|our|my|these|those)\s+)?(?P<words>[\w-]+(?:\s+[\w-]+){0,2}?)\s+"
    r"(?:has|have|had|is|was|were|are|did|does|do|with|got|costs?|sold|sells|made|makes|spent|spends|paid|pays|received|receives|ordered|orders|shows|shipped|"
    r"earns?|earned|weighs?|lasted|lasts|took|takes|hat|haben|ist|war|needs?|needed|brought|brings|generated|generates|produced|produces|uses|used|holds?|held|gets?|gives?|gave|reports?|reported|claims?|claimed)\b",
    re.I,
)
_ANY_ENTITY = re.compile(r"\b(?:which|welche[rsnm]?)\s+(?P<words>[^\W\d_][\w-]*)", re.I)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question; `name` says that it is written like one (a capital inside the sentence, or with a figure in it)."""

    text: str
    start: int
    end: int
    name: bool

    @property
    def stem(self) -> str:
        folded = self.text.casefold()
        return _ALIASES.get(folded) or stem(folded)

    @property
    def plain(self) -> bool:
        folded = self.text.casefold()
        return folded in STOP_WORDS or folded in _FOREIGN_STOP_WORDS


@dataclass(frozen=True, slots=True)
class Comparison:
    """ "above 1,000 EUR": bounds with what they mean; `currency` "" where none is named; `at` where it stands."""

    at: Span
    low: float | None = None
    high: float | None = None
    open_low: bool = False
    open_high: bool = False
    currency: str = ""

    def holds(self, value: float) -> bool:
        above = self.low is None or value > self.low or (value == self.low and not self.open_low)
        below = self.high is None or value < self.high or (value == self.high and not self.open_high)
        return above and below


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as far as no table is needed. `inner` is what is computed for each group before the highest is taken; `group` the words
    behind "per", `entity` those behind "which"; `counted` is the place behind "how many", `extreme_end` that behind "highest"; `relative` are
    words for shares and changes."""

    text: str
    words: tuple[Word, ...]
    operation: Operation
    inner: Operation | None = None
    much: bool = False
    distinct: bool = False
    most: bool = False
    often: bool = False
    extreme: str = ""
    extreme_end: int = 0
    counted: int | None = None
    group: Span | None = None
    by: bool = False
    entity: Span | None = None
    who: bool = False
    used: tuple[Span, ...] = ()
    relative: tuple[Span, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    times: tuple[TimeWords, ...] = field(default=())


def words_of(text: str) -> list[Word]:
    found = []
    for match in _TOKEN.finditer(text):
        opens = not text[: match.start()].strip(" \"'“„‘(¿¡-")
        word = match.group()
        found.append(Word(word, match.start(), match.end(), any(c.isdigit() for c in word) or (word[0].isupper() and not opens)))
    return found


def read_question(question: str) -> Asked | None:
    """None for what no single calculation over one table answers: prose, comparisons, shares, trends, and more than one best."""
    text = " ".join(question.split())[:600]
    if _NOT_ONE.search(text) or _SEVERAL.search(text) or text.count("?") > 1:
        return None
    comparisons = tuple(_comparisons(text))
    times = tuple(find_times(text, [each.at for each in comparisons]))
    bare = text
    for each in comparisons:
        bare = bare[: each.at.start] + " " * (each.at.end - each.at.start) + bare[each.at.end :]
    entity, group = _ENTITY.search(bare) or _ANY_ENTITY.search(bare), _GROUP.search(bare)
    asked = Asked(
        text=text,
        words=tuple(words_of(text)),
        operation=Operation.LOOKUP,
        comparisons=comparisons,
        times=times,
        group=Span(*group.span("words")) if group else None,
        by=bool(group and group["lead"].casefold() == "by"),
        entity=Span(*entity.span("words")) if entity else None,
        who=bool(re.match(r"\W*(?:who|wer)\b", text, re.I)),
        distinct=bool(_DISTINCT.search(text)),
        relative=tuple(Span(*match.span()) for match in _RELATIVE.finditer(text)),
    )
    return _with_operation(asked, bare)


def _with_operation(asked: Asked, text: str) -> Asked | None:
    """What is computed; None where nothing is, or two opposite things are."""
    spans = {name: [Span(*match.span()) for match in pattern.finditer(text)] for name, pattern in _PATTERNS.items()}
    used = tuple(span for found in spans.values() for span in found) + tuple(Span(*match.span()) for match in _DISTINCT.finditer(text))
    asked = replace(asked, used=used)
    high, low = spans["highest"], spans["lowest"]
    if high and low:
        return None
    if high or low:
        inner = Operation.AVERAGE if spans["average"] else Operation.COUNT if spans["count"] else Operation.SUM if spans["sum"] else None
        first = (high or low)[0]
        extreme = text[first.start : first.end].casefold()
        return replace(
            asked,
            operation=Operation.HIGHEST if high else Operation.LOWEST,
            inner=inner,
            extreme=extreme,
            extreme_end=first.end,
            most=extreme in {"most", "least", "fewest", "meisten", "meiste", "wenigsten"},
            often=extreme.endswith(("often", "frequent", "frequently", "common")),
        )
    for name, operation in (("median", Operation.MEDIAN), ("average", Operation.AVERAGE), ("count", Operation.COUNT), ("sum", Operation.SUM)):
        if spans[name]:
            counted = spans["count"][0].end if spans["count"] else None
            return replace(asked, operation=operation, counted=counted, much=name == "sum" and bool(_SPENT.search(text)))
    if spans["much"]:
        return replace(asked, operation=Operation.SUM, much=True)
    return asked if spans["lookup"] else None


_PATTERNS = {
    "count": _COUNT,
    "average": _AVERAGE,
    "median": _MEDIAN,
    "highest": _HIGHEST,
    "lowest": _LOWEST,
    "sum": _SUM,
    "much": _HOW_MUCH,
    "lookup": _LOOKUP,
}


def _comparisons(text: str) -> Iterator[Comparison]:
    for match in _BETWEEN.finditer(text):
        scale = match["low_scale"] or match["scale"]
        low, high = number_in(match["low"], scale), number_in(match["high"], match["scale"])
        if low is not None and high is not None and not _are_years(match["low"], match["high"]):
            yield Comparison(Span(*match.span()), low, high, currency=_currency(match["currency"], text[match.end() :]))
    for match in _COMPARED.finditer(text):
        number = number_in(match["number"], match["scale"])
        if number is None:
            continue
        span, currency = Span(*match.span()), _currency(match["currency"], text[match.end() :])
        above, below = match["above"] or match["at_least"], match["below"] or match["at_most"]
        yield Comparison(span, number if above else None, number if below else None, bool(match["above"]), bool(match["below"]), currency)


def _are_years(*numbers: str) -> bool:
    return all(re.fullmatch(r"(?:19|20)\d\d", number) for number in numbers)


def _currency(before: str | None, behind: str) -> str:
    word = re.match(r"\s?([A-Za-z]+|[$€£¥])", behind)
    return _CURRENCY_WORDS.get((before or "").casefold(), "") or (_CURRENCY_WORDS.get(word[1].casefold(), "") if word else "")


def number_in(text: str, scale: str | None = None) -> float | None:
    """A number of a question, in either convention where it can only be one, else as English writes it ("1,000" is a thousand)."""
    digits = re.sub(r"['’\s]", "", text.rstrip(".,"))
    if (re.fullmatch(r"-?\d{1,3}(?:\.\d{3})+(?:,\d+)?", digits) and digits.count(".") + digits.count(",") > 1) or re.fullmatch(
        r"-?\d+,\d{1,2}", digits
    ):
        digits = digits.replace(".", "").replace(",", ".")
    else:
        digits = digits.replace(",", "")
    try:
        return float(digits) * _SCALES.get((scale or "").casefold(), 1)
    except ValueError:
        return None
