"""How far apart two things are, as a question asks it: the words that ask, those that name the one and the other, and whether it is in per cent."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.table_qa.time_parser import Span

_PERCENT = r"(?:per\s?cent(?:age)?|percent(?:age)?|%|prozent)"
_HOW_MUCH = rf"(?:how\s+much|how\s+many(?:\s+{_PERCENT})?|(?:what|which)\s+{_PERCENT}|wie\s?viel(?:e)?(?:\s+prozent)?)"
_COMPARATIVE = (
    r"(?:more|less|fewer|higher|lower|cheaper|longer|heavier|larger|smaller|greater|bigger|shorter|lighter|older|taller|faster|slower|dearer|mehr|weniger|"
    r"höher|niedriger|größer|kleiner|teurer|billiger)"
)
_MOVEMENT = (
    r"(?:rise|rose|risen|fall|fell|fallen|grow|grew|grown|increase[ds]?|decrease[ds]?|drop(?:ped)?|declined?|changed?|went\s+up|went\s+down|go\s+up|go\s+down|"
    r"shrink|shrank|climb(?:ed)?)"
)
_TWO_ENDS = r"(?:from\s+(?P<one>.+?)\s+to|between\s+(?P<first>.+?)\s+and)\s+(?P<other>.+)$"
# Which side the other is measured by: of "A than B" the second, of "from A to B" the first, of "between A and B" nobody says.
_DIFFERENCE_FORMS = (
    (
        re.compile(
            rf"(?P<asks>(?:\b{_PERCENT}\s+)?\b(?:difference|gap|variance|unterschied|differenz)\s+)(?:in\s+[\w ]{{2,40}}?\s+)?(?:between|zwischen)\s+"
            r"(?P<one>.+?)\s+(?:and|und)\s+(?P<other>.+)$",
            re.I,
        ),
        None,
    ),
    (re.compile(rf"(?P<asks>\b(?:by\s+|um\s+)?{_HOW_MUCH}\s+{_COMPARATIVE}\b)(?P<one>.*?)\b(?:than|als)\b(?P<other>.+)$", re.I), 1),
    (re.compile(rf"(?P<asks>\b(?:by|um)\s+{_HOW_MUCH}\b)(?P<one>.+?)(?P<also>\b{_COMPARATIVE}\s+(?:than|als)\b)(?P<other>.+)$", re.I), 1),
    (
        re.compile(
            rf"(?P<asks>\b(?:by\s+)?{_HOW_MUCH}\b)(?P<one>.+?)(?P<also>\b(?:exceed(?:s|ed)?|surpass(?:es|ed)?|outstrip(?:s|ped)?|beat(?:s|en)?|outnumber(?:s|ed)?|outweigh(?:s|ed)?)\b)(?P<other>.+)$",
            re.I,
        ),
        1,
    ),
    (re.compile(rf"(?P<asks>\b(?:by\s+)?{_HOW_MUCH}\b)[^?]+?(?P<also>\b{_MOVEMENT}\b)(?:.*?\s){_TWO_ENDS}", re.I), 0),
    (re.compile(rf"(?P<asks>\b(?:{_PERCENT}\s+)?(?:change|increase|decrease|rise|fall|drop|decline)\b)(?:.*?\s){_TWO_ENDS}", re.I), 0),
    (re.compile(r"(?P<asks>\b(?:ratio|verhältnis)\s+(?:of|between|von)\b)\s*(?P<one>.+?)\s+(?:to|and|zu|und)\s+(?P<other>.+)$", re.I), 1),
    (re.compile(rf"(?P<asks>\b{_PERCENT}\s+growth\b)(?:.*?\s){_TWO_ENDS}", re.I), 0),
)
_YEARS = re.compile(r"(?:(?:in|of|from|to|the|year|and|between|for)\s+)*(?:19|20)\d{2}(?:\s+(?:and|to)\s+(?:19|20)\d{2})?", re.I)
_SHARE_OF = re.compile(rf"{_PERCENT}\s+of\b", re.I)


@dataclass(frozen=True, slots=True)
class DifferenceQuestion:
    """`asking_spans` are the words that ask, `sides` those that name the two things; behind the second may stand what restricts the rows. `percent`
    of the side `base` (None: nobody says of which); `ratio`: how many times the second goes into the first."""

    asking_spans: tuple[Span, ...]
    sides: tuple[Span, Span]
    percent: bool = False
    base: int | None = None
    ratio: bool = False

    @property
    def span(self) -> Span:
        return Span(min(span.start for span in self.asking_spans), max(self.sides[1].end, *(span.end for span in self.asking_spans)))

    def is_side(self, text: str, span: Span) -> bool:
        """Return whether a time is no condition: only years, which name what is compared."""
        return (
            self.span.meets(span)
            and any(side.meets(span) for side in self.sides)
            and _YEARS.fullmatch(text[span.start : span.end].strip()) is not None
        )


def parse_difference(text: str) -> DifferenceQuestion | None:
    """Find what two things are compared and how; None where no two things are set against each other."""
    for form, base in _DIFFERENCE_FORMS:
        match = form.search(text)
        if match is None or _SHARE_OF.search(match["asks"] + text[match.end("asks") :][:4]):
            continue
        groups = match.groupdict()
        one = "one" if groups["one"] is not None else "first"
        used = tuple(Span(*match.span(name)) for name in ("asks", "also") if groups.get(name))
        sides = (Span(*match.span(one)), Span(*match.span("other")))
        if all(text[side.start : side.end].strip(" ?.,") for side in sides) and not any(_is_list(text[side.start : side.end]) for side in sides):
            percent = re.search(_PERCENT, match["asks"], re.I) is not None
            return DifferenceQuestion(used, sides, percent, base, re.match(r"ratio|verhältnis", match["asks"], re.I) is not None)
    return None


def _is_list(side: str) -> bool:
    """ "between A, B and C" are more than two."""
    return re.search(r"\S,(?:\s|$)", side.strip(" ?")) is not None
