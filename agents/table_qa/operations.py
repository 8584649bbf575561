"""Operations that a question asks for over a table: the operation by its words, and the spans of these words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from agents.table_qa.difference_parser import DifferenceQuestion, parse_difference
from agents.table_qa.relation_parser import RelationQuestion, parse_relation
from agents.table_qa.share_parser import ShareQuestion, parse_share
from agents.table_qa.time_parser import Span
from core.language.numbers import number_words, ordinals
from core.language.word_files import join_alternatives


class Operation(StrEnum):
    COUNT = "count"
    SUM = "sum"
    AVERAGE = "average"
    MEDIAN = "median"
    HIGHEST = "highest"
    LOWEST = "lowest"
    LOOKUP = "lookup"
    LIST = "list"
    DIFFERENCE = "difference"
    SHARE = "share"


_ROMANCE_HIGH = (
    r"(?:más|mas)\s+(?:alt[oa]s?|grandes?|car[oa]s?)|mayor(?:es)?|máxim[oa]|(?:le|la|les)\s+plus\s+(?:élevée?s?|haute?s?|grande?s?|chère?s?)|"
    r"più\s+(?:alt[oa]|grande|car[oa])"
)
_ROMANCE_LOW = (
    r"(?:más|mas)\s+(?:baj[oa]s?|pequeñ[oa]s?|barat[oa]s?)|menor(?:es)?|mínim[oa]|(?:le|la|les)\s+(?:plus\s+(?:basse?s?|petite?s?)|moins\s+chère?s?)|"
    r"più\s+(?:bass[oa]|piccol[oa])"
)
HIGH = "highest|largest|biggest|greatest|maximum|max|longest|latest|newest|heaviest|tallest|fastest|oldest|höchsten?|größten?|meisten?|teuersten?"
LOW = "lowest|smallest|least|fewest|minimum|min|cheapest|shortest|earliest|lightest|slowest|youngest|niedrigsten?|kleinsten?|wenigsten?|günstigsten?"
_HIGHEST = re.compile(
    rf"(?<!at a )\b(?:{HIGH}|{_ROMANCE_HIGH})\b|(?<!at )\bmost\b(?!\s+of\b)(?:\s+(?:expensive|recent|costly|often|frequent(?:ly)?|common))?", re.I
)
_LOWEST = re.compile(rf"(?<!at )\b(?:{LOW}|{_ROMANCE_LOW})\b(?:\s+(?:expensive|recent|costly|often|frequent(?:ly)?|common))?", re.I)
_COUNT = re.compile(
    r"""
          \bhow\s+many\b|\b(?:the\s+)?(?:total\s+)?(?:number|count)\s+of\b|^\W*(?:please\s+)?count\b|\bwie\s+viele\b
        | \banzahl\s+(?:der\b)?|\bcu[áa]nt[oa]s\b|\bcombien\s+d(?:e\b|['’])|\bquant[ie]\b|\bhoeveel\b|\bn[úu]mero\s+de\b
        | \bnombre\s+d(?:e\b|['’])
    """,
    re.I | re.VERBOSE,
)
DISTINCT = re.compile(r"\b(?:different|distinct|unique|separate)\b", re.I)
_HOW_MANY = re.compile(r"\b(?:how|wie)\s+(?:many|viele)\b", re.I)
_AVERAGE = re.compile(
    r"\b(?:on\s+)?(?:average|avg)\b|(?:^\W*|\b(?:an?|the|its|their|our|your|(?:annual|arithmetic|daily|monthly|weekly|yearly))\s+)mean\b|"
    r"\bdurchschnitt\w*|\bim\s+(?:schnitt|mittel)\b",
    re.I,
)
_MEDIAN = re.compile(r"\bmedian\b", re.I)
_SUM = re.compile(
    r"\b(?:in\s+)?total(?:s|led|ed)?\b|\bsum\b|\baltogether\b|\btogether\b(?=\W*$)|\bcombined\b|\badd(?:s|ed)?\s+up(?:\s+to)?\b|"
    r"\binsgesamt\b|\bgesamt\w*|\bsumme\b",
    re.I,
)
_HOW_MUCH = re.compile(r"\bhow\s+much\b|\bwie\s?viel\b|\bcu[áa]nto\b|\bcombien\b(?!\s+d)|\bquanto\b", re.I)
_LOOKUP = re.compile(
    r"""
          \b(?:what|which)(?:'s|\s+(?:is|was|are|were))\s+(?:the\b)?|\bwas\s+(?:ist|war)\b
        | \bhow\s+(?:high|large|big|long|heavy|old|far|tall)\b|^\W*who\b|\bwhat\b
        | \b(?:in|on|at|from|to|for)\s+(?:what|which)\b|^\W*(?:which|when|where)\b|^\W*wann\b|\bwelche[rsnm]?\b
        | \bcu[áa]l(?:es)?\s+(?:es|son|fue|era)\b|\bqu[ée]\b|\bqui[ée]n\b|\bquel(?:le)?s?\s+(?:est|sont|était)\b
        | \bqual\s+[èeé]\b
    """,
    re.I | re.VERBOSE,
)
_SPENDING = re.compile(r"\b(?:spen[dt]|spends|cost|costs|pay|pays|paid|charged?|earn(?:ed|s)?)\b", re.I)
_NUMBERS = number_words("en", "de", least=2, most=10)
_SMALL_NUMBER = rf"\d{{1,2}}|{join_alternatives(_NUMBERS)}"
# "top 3", "the three most expensive", "3 highest"; a best or first few by nothing that is said is not known.
_TOP = re.compile(
    rf"(?<!in\sthe\s)(?<!in\s)\btop\s+(?P<top>{_SMALL_NUMBER})\b|\b(?P<few>{_SMALL_NUMBER})\s+(?=(?:{HIGH}|{LOW}|most|least)\b)",
    re.I,
)
_SEVERAL = re.compile(rf"\b(?:first|last)\s+(?:{_SMALL_NUMBER})\b|\b(?:{_SMALL_NUMBER})\s+best\b", re.I)
_NOT_SINGLE = re.compile(
    r"\b(?:compare|compared|versus|vs\.?|trend|correlat\w+|why)\b|\bsame\b.*\bas\b|"
    r"\bhow\s+many\s+(?:tables|sheets|worksheets|slides)\b|\bwie\s+viele\s+(?:tabellen|folien)\b",  # of the document, not of what is in it
    re.I,
)
_EDGE = re.compile(
    r"\b(?:the|our|their|die|der|das)\s+(?P<edge>first|last|erste[nr]?|letzte[nr]?)\s+"
    r"(?!(?:quarter|half|month|week|year|day|days|time|name|few|hour|minute|two|three|monat|woche|jahr|quartal|halbjahr)\w*\b)(?=[^\W\d_])",
    re.I,
)
# Two columns set against each other, and nothing else: "what did IT spend over its budget" asks for no budget.
_OF_PLAN = re.compile(r"\b(?:over|under|above|below|within|beyond)\s+(?:(?:the|its|their|our)\s+)?(?:budget|plan|target)\b", re.I)
_ORDINALS = {word: place for word, place in ordinals("en", most=10).items() if place > 1}
_PLACE = rf"{'|'.join(_ORDINALS)}|(?:[2-9]|1\d)(?:nd|rd|th)"
# "second highest", "3rd most expensive"; of several places at once none is meant.
RANK_WORDS = rf"(?:{_PLACE})[\s-]+(?=(?:{HIGH}|{LOW}|most|least)\b)"
_RANK = re.compile(rf"\b(?P<place>{RANK_WORDS})", re.I)
_RANKS = re.compile(rf"\b(?:first|highest|lowest|largest|{_PLACE})\s*(?:,|and|or|to|-|–)\s*(?:the\s+)?(?:{_PLACE})\b", re.I)
# "Which is deeper, A or B?", "Who has more wins, A or B?": the higher of the two rows.
_OF_TWO_WORDS = (
    "more|higher|larger|bigger|greater|longer|heavier|taller|faster|later|newer|deeper|older|most|fewer|less|"
    "lower|smaller|shorter|lighter|cheaper|earlier|slower|younger"
)
_OF_TWO = re.compile(rf"\b (?P<word> {_OF_TWO_WORDS} ) \b (?=.*\bor\b)", re.I | re.VERBOSE)
# "Did China or Norway have more …?"
_ONE_OR_OTHER = re.compile(rf"^\W*(?:did|does|do|has|have|had|is|are|was|were)\s.+?\bor\b.+?\b(?P<word>{_OF_TWO_WORDS})\b(?!\s+than\b)", re.I)
# "Texas or Illinois: which had more …?"
_OR_WHICH = re.compile(
    rf"^[^:,;?]+?\bor\b[^:,;?]+[:,;]\s*(?:which|who|welche[rs]?|wer)\b(?:\s+one)?[^?]*?\b(?P<word>{_OF_TWO_WORDS})\b(?!\s+than\b)", re.I
)
_PRICED = re.compile(r"\b(?:cheaper|dearer|more\s+expensive|less\s+expensive)\b", re.I)
_LESSER_WORDS = frozenset("fewer less lower smaller shorter lighter cheaper earlier slower younger".split())
_LIST = re.compile(
    r"""
        ^\W*(?:please\s+)?(?:(?:can|could)\s+you\s+)?
        (?:list|show(?:\s+me)?|give\s+me|name|display|find|print|zeige?(?:\s+mir)?|liste|nenne)\b
        (?:\s+(?:me|us|all|every|each|the|alle|die|our|my))*
    """,
    re.I | re.VERBOSE,
)
_COMPARATIVES = {
    "cheaper": "cheapest", "longer": "longest", "shorter": "shortest", "heavier": "heaviest", "lighter": "lightest", "taller": "tallest",
    "faster": "fastest", "slower": "slowest", "older": "oldest", "younger": "youngest", "newer": "newest", "later": "latest",
    "earlier": "earliest", "deeper": "deepest",
}  # fmt: skip
_PATTERNS = {
    "count": _COUNT, "average": _AVERAGE, "median": _MEDIAN, "highest": _HIGHEST, "lowest": _LOWEST, "sum": _SUM, "much": _HOW_MUCH,
    "lookup": _LOOKUP,
}  # fmt: skip
_FIGURES = (("median", Operation.MEDIAN), ("average", Operation.AVERAGE), ("count", Operation.COUNT), ("sum", Operation.SUM))
_MOST_WORDS = frozenset({"most", "least", "fewest", "meisten", "meiste", "wenigsten"})


@dataclass(frozen=True, slots=True)
class RequestedOperation:
    """The computation that is asked for, by which words (`spans`).

    `inner` is what is computed for each group before the highest is taken; `counted_start` the place behind "how many", `extreme` the word for the
    highest with the place behind it, `asks_for_most` and `asks_most_often` what it counts; `asks_for_money`: money is asked for. `limit` of the
    highest are asked for, `of_two`: the higher of two that are named. `alternatives` are operations that are tried where this one does not fit.
    `is_per_group`: figures are asked for each of something and not what of them ("the freight per carrier"): they are added up. `rank`: the second
    highest is asked for, not the first; `difference`: how far two things are apart; `relation`: two columns set against each other in each row,
    `otherwise` what is asked where these are no columns; `share`: what is asked to be a share of what."""

    operation: Operation
    spans: tuple[Span, ...]
    inner: Operation | None = None
    asks_for_money: bool = False
    asks_for_most: bool = False
    asks_most_often: bool = False
    extreme: str = ""
    extreme_end: int = 0
    counted_start: int | None = None
    limit: int = 1
    rank: int = 1
    of_two: bool = False
    difference: DifferenceQuestion | None = None
    relation: RelationQuestion | None = None
    otherwise: RequestedOperation | None = None
    share: ShareQuestion | None = None
    is_per_group: bool = False
    alternatives: tuple[Operation, ...] = ()


_PatternSpans = dict[str, list[Span]]


def says_sum(text: str) -> bool:
    """Return whether a question has a word for a sum: "in total", "altogether"."""
    return _SUM.search(text) is not None


def is_no_single_query(text: str) -> bool:
    """Return whether a question asks for several things, why, or what stands first by nothing that is said."""
    return bool(_NOT_SINGLE.search(text) or _RANKS.search(text) or _SEVERAL.search(text) or text.count("?") > 1)


def is_spending(text: str) -> bool:
    """Return whether a question speaks of money by a verb: "cost", "paid"."""
    return _SPENDING.search(text) is not None


def find_list_start(text: str) -> int | None:
    """Return the place behind "list all the"; None where nothing is asked to be listed."""
    match = _LIST.match(text)
    return match.end() if match is not None else None


def parse_operation(text: str, *, may_list: bool, grouped: bool, per: bool = False) -> RequestedOperation | None:
    """Read what is to be computed; None where nothing is computed, or two opposite things are. `may_list`: the words may also ask for rows;
    `grouped`: for something for each of something ("orders per country"), `per`: a question speaks of such groups ("What was the freight per
    carrier?")."""
    spans: _PatternSpans = {name: [Span(*match.span()) for match in pattern.finditer(text)] for name, pattern in _PATTERNS.items()}
    if spans["highest"] and spans["lowest"]:
        return None
    used = tuple(span for found in spans.values() for span in found) + tuple(Span(*match.span()) for match in DISTINCT.finditer(text))
    plain = RequestedOperation(Operation.LOOKUP, used)
    related = _share(plain, text, spans) or _relation(plain, text, spans) or _first_or_last(plain, text, spans)
    asks = _read_request(plain, text, spans, may_list=may_list, grouped=grouped, per=per)
    if related is None or (asks is not None and asks.difference is not None):
        return asks
    return related if _OF_PLAN.search(text) else replace(related, otherwise=asks)


def _read_request(
    plain: RequestedOperation, text: str, spans: _PatternSpans, *, may_list: bool, grouped: bool, per: bool
) -> RequestedOperation | None:
    for reader in _READERS:
        asks = reader(plain, text, spans)
        if asks is not None:
            return asks
    if grouped:
        return replace(plain, operation=Operation.COUNT, alternatives=(Operation.SUM,), counted_start=0)
    if _LIST.match(text):
        return replace(plain, operation=Operation.LIST)
    return _request_cell(plain, is_asked=bool(spans["lookup"]), may_list=may_list, per=per)


def _request_cell(plain: RequestedOperation, *, is_asked: bool, may_list: bool, per: bool) -> RequestedOperation | None:
    """A cell of a row, or what may be meant by a question for it: a sum for each group, or rows."""
    if per and is_asked:
        return replace(plain, operation=Operation.SUM, is_per_group=True, alternatives=(Operation.LOOKUP,))
    if may_list:
        return replace(plain, alternatives=(Operation.LIST,))
    return plain if is_asked else None


def _difference(plain: RequestedOperation, text: str, spans: _PatternSpans) -> RequestedOperation | None:
    """Return how far two things are apart; not how far from a highest or an average. Where a column is called a change, its cell may be meant."""
    apart = parse_difference(text)
    if apart is None or any(spans[name] for name in ("highest", "lowest", "median")):
        return None
    averages = spans["average"]  # of two cells that are averages themselves: the table must be called so
    plain = replace(plain, spans=tuple(span for span in plain.spans if span not in averages))
    much = is_spending(text) or _PRICED.search(text) is not None
    plain = replace(plain, spans=(*plain.spans, *apart.asking_spans), counted_start=spans["count"][0].end if spans["count"] else None)
    plain = replace(plain, relation=parse_relation(text), difference=apart, asks_for_money=much)
    return replace(plain, operation=Operation.DIFFERENCE, alternatives=(Operation.LOOKUP,))


def _relation(plain: RequestedOperation, text: str, spans: _PatternSpans) -> RequestedOperation | None:
    """Return the rows in which one column is above or below another, how many these are, or how far they are apart in one row. Where the words are
    no columns, what they ask otherwise may be meant."""
    related = parse_relation(text)
    if related is None or any(spans[name] for name in ("highest", "lowest", "average", "median", "sum")):
        return None
    plain = replace(plain, spans=(*plain.spans, related.span), relation=related)
    if related.asks_how_far or related.asks_whether:
        return replace(plain, operation=Operation.DIFFERENCE)
    if spans["count"]:
        return replace(plain, operation=Operation.COUNT, counted_start=spans["count"][0].end)
    return replace(plain, operation=Operation.LIST) if spans["lookup"] or _LIST.match(text) else None


def _share(plain: RequestedOperation, text: str, spans: _PatternSpans) -> RequestedOperation | None:
    """Return the share of some rows in all."""
    asked = parse_share(text)
    if asked is None or any(spans[name] for name in ("highest", "lowest", "average", "median")):
        return None
    total = [span for span in spans["sum"] if asked.whole.holds(span)]
    return replace(plain, operation=Operation.SHARE, share=asked, spans=(asked.span, *total))


def _first_or_last(plain: RequestedOperation, text: str, spans: _PatternSpans) -> RequestedOperation | None:
    """Return the earliest or latest row: "the last order", where the words are no name ("the first aid kit")."""
    found = _EDGE.search(text)
    if found is None or any(spans[name] for name in ("highest", "lowest", "count", "average", "median", "sum")):
        return None
    word = found["edge"].casefold()
    operation = Operation.LOWEST if word in {"first", "erste", "ersten"} else Operation.HIGHEST
    extreme = "first" if operation is Operation.LOWEST else "last"
    return replace(plain, operation=operation, spans=(*plain.spans, Span(*found.span("edge"))), extreme=extreme, extreme_end=found.end("edge"))


def _rank(plain: RequestedOperation, text: str, spans: _PatternSpans) -> RequestedOperation | None:
    """The second highest, the third cheapest."""
    found = _RANK.search(text)
    if found is None:
        return None
    word = re.split(r"[\s-]", found["place"].casefold())[0]
    place = _ORDINALS.get(word) or int(re.sub(r"\D", "", word))
    asks = _extreme(replace(plain, spans=(*plain.spans, Span(*found.span()))), text, spans)
    return replace(asks, rank=place) if asks is not None else None


def _top(plain: RequestedOperation, text: str, spans: _PatternSpans) -> RequestedOperation | None:
    """The first few: "top 3 shipments by freight", "the three cheapest offers"."""
    found = _TOP.search(text)
    if found is None:
        return None
    few = (found["top"] or found["few"]).casefold()
    span = Span(*found.span())
    plain = replace(plain, limit=int(few) if few.isdigit() else _NUMBERS[few], spans=(*plain.spans, span))
    return _extreme(plain, text, spans) or replace(plain, operation=Operation.HIGHEST, extreme="highest", extreme_end=span.end)


def _higher_of_two(plain: RequestedOperation, text: str, spans: _PatternSpans) -> RequestedOperation | None:
    found = _OF_TWO.search(text) or _ONE_OR_OTHER.match(text) or _OR_WHICH.match(text)
    if found is None or spans["highest"] or spans["lowest"] or _HOW_MANY.search(text):
        return None
    word = found["word"].casefold()
    return replace(
        plain,
        operation=Operation.LOWEST if word in _LESSER_WORDS else Operation.HIGHEST,
        spans=(*plain.spans, Span(*found.span("word"))),
        extreme=_COMPARATIVES.get(word, "highest"),
        extreme_end=found.end("word"),
        of_two=True,
    )


def _extreme(plain: RequestedOperation, text: str, spans: _PatternSpans) -> RequestedOperation | None:
    found = spans["highest"] or spans["lowest"]
    if not found:
        return None
    inner = Operation.AVERAGE if spans["average"] else Operation.COUNT if spans["count"] else Operation.SUM if spans["sum"] else None
    extreme = text[found[0].start : found[0].end].casefold()
    return replace(
        plain,
        operation=Operation.HIGHEST if spans["highest"] else Operation.LOWEST,
        inner=inner,
        extreme=extreme,
        extreme_end=found[0].end,
        asks_for_most=extreme in _MOST_WORDS,
        asks_most_often=extreme.endswith(("often", "frequent", "frequently", "common")),
    )


def _figure(plain: RequestedOperation, text: str, spans: _PatternSpans) -> RequestedOperation | None:
    for name, operation in _FIGURES:
        if spans[name]:
            counted = spans["count"][0].end if spans["count"] else None
            return replace(plain, operation=operation, counted_start=counted, asks_for_money=name == "sum" and is_spending(text))
    return replace(plain, operation=Operation.SUM, asks_for_money=True) if spans["much"] else None


_READERS: tuple[Callable[[RequestedOperation, str, _PatternSpans], RequestedOperation | None], ...] = (
    _difference,
    _rank,
    _top,
    _higher_of_two,
    _extreme,
    _figure,
)
