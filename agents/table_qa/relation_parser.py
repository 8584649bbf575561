"""Two columns set against each other in each row, as a question asks it: "over budget", "below the reorder level", "more in 2024 than in 2023"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.table_qa.time_parser import Span

_ABOVE = r"over|above|beyond|exceed(?:s|ed|ing)?|(?:more|higher|greater|larger)\s+than|über|mehr\s+als"
_AT_MOST = r"within|at\s+or\s+below|not\s+(?:above|over)|innerhalb"
_BELOW = r"below|under|beneath|(?:less|lower|fewer|smaller)\s+than|unter|weniger\s+als"
_REFERENCE = re.compile(
    rf"\b(?:(?P<above>{_ABOVE})|(?P<most>{_AT_MOST})|(?P<below>{_BELOW}))\s+(?:(?:the|its|their|our|his|her|dem|der|den|des|das)\s+)?(?P<other>[^\W\d][^?.,;]*)",
    re.I,
)
_SPENT = re.compile(r"\b(?P<above>overspen[dt]\w*|over-spen[dt]\w*)|\b(?P<below>underspen[dt]\w*|under-spen[dt]\w*)", re.I)
_TWO_SIDES = re.compile(
    r"\b(?:(?P<above>more|higher|larger|greater|bigger|mehr|höher)|(?P<below>less|lower|fewer|smaller|weniger|niedriger))\b(?P<one>[^?]*?)\b(?:than|als)\s+(?P<other>[^?]+)",
    re.I,
)
_LEFT = re.compile(r"\b(?:left(?:\s+over)?|remain(?:s|ing)?|unspent|still\s+available|übrig)\b", re.I)
_HOW_FAR = re.compile(r"\bhow\s+(?:much|far)\b|\b(?:by|um)\s+wie\s?viel\b|\bwie\s+weit\b|^\W*what\s+did\b.*\bspend\b", re.I)
_ASKS_ROWS = re.compile(r"^\W*(?:(?:in|at|on|for)\s+)?(?:which|what|who|list|show|name|how\s+many|welche[rsnm]?|wer|wie\s+viele)\b", re.I)
YES_OR_NO = re.compile(
    r"^\W*(?:is|are|was|were|did|does|do|has|have|had|ist|sind|war|waren|hat|haben|liegt|lag)\b(?!\s+there\s+(?:an?y?|some)\b)", re.I
)


@dataclass(frozen=True, slots=True)
class RelationQuestion:
    """`span` are the words that ask, `other` those that name the column that is measured by (None: what was planned), `one` those that name the
    other column where two are named. `is_above`: the figure is above it, else below; `or_equal`: or the same. `asks_how_far`: how far they are
    apart in one row is asked, `asks_whether`: yes or no."""

    span: Span
    other: Span | None
    is_above: bool
    one: Span | None = None
    or_equal: bool = False
    asks_how_far: bool = False
    asks_whether: bool = False


def parse_relation(text: str) -> RelationQuestion | None:
    """Find the two columns that a question sets against each other; None where it does not. That they are columns only the table tells."""
    how_far, whether = _HOW_FAR.search(text) is not None, YES_OR_NO.match(text) is not None
    if how_far and (left := _LEFT.search(text)) is not None:
        return RelationQuestion(Span(*left.span()), None, is_above=False, asks_how_far=True)
    found = _SPENT.search(text) or (_TWO_SIDES.search(text) if _ASKS_ROWS.match(text) and not how_far else None) or _REFERENCE.search(text)
    if found is None:
        return None
    groups = found.groupdict()
    one = Span(*found.span("one")) if (groups.get("one") or "").strip() else None
    other = Span(*found.span("other")) if groups.get("other") else None
    asking = found.span("above") if groups["above"] else found.span("below") if groups["below"] else found.span("most")
    return RelationQuestion(Span(*asking), other, groups["above"] is not None, one, groups.get("most") is not None, how_far, whether)
