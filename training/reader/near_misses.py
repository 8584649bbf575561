"""Questions that a text all but answers, made by rule from ones that it does answer.

After the kinds of unanswerable questions in SQuAD 2 (Rajpurkar et al. 2018, https://arxiv.org/abs/1806.03822, table 2): an entity or a number
exchanged for another one of the text, a negation, an antonym, a condition that the text does not know. And one of our own: the text without the
sentence that holds the answer. Rules can fail (an exchanged name may still be answered), so they are a share of the rows, not all.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.language.sentences import split_sentences

_NAME = re.compile(r"\b[A-Z][\w'’-]+(?:\s+(?:of|the|de|von|van|and)\s+(?=[A-Z])|\s+(?=[A-Z]))?(?:[A-Z][\w'’-]+(?:\s+(?=[A-Z]))?)*")
_YEAR = re.compile(r"\b1[5-9]\d\d\b|\b20\d\d\b")
_NUMBER = re.compile(r"\b\d+(?:[.,]\d+)*\b")
_HELPING = re.compile(r"\b(did|does|do|is|are|was|were|can|could|will|would|has|have|should|may|must)\b(?!\s+not\b)", re.IGNORECASE)
_OPENERS = frozenset(
    "What Which Who Whom Whose When Where Why How In On At To For From By With The A An If Is Are Was Were Did Does Do Of Under "
    "During After Before".split()
)
_PAIRS = (
    "first/last largest/smallest highest/lowest most/least oldest/youngest longest/shortest more/fewer increase/decrease increased/decreased "
    "before/after north/south northern/southern east/west eastern/western early/late earliest/latest earlier/later win/lose won/lost male/female "
    "men/women major/minor inside/outside above/below begin/end began/ended beginning/end start/finish started/stopped same/different "
    "positive/negative public/private internal/external common/rare buy/sell bought/sold allowed/forbidden include/exclude includes/excludes "
    "included/excluded best/worst easier/harder faster/slower maximum/minimum always/never support/oppose supported/opposed accepted/rejected "
    "rise/fall rose/fell strong/weak upper/lower older/younger original/final open/closed former/latter father/mother brother/sister husband/wife "
    "son/daughter king/queen import/export imports/exports entry/exit arrive/leave arrived/left gain/loss required/optional with/without"
)
_ANTONYMS = {a: b for pair in _PAIRS.split() for one, other in [pair.split("/")] for a, b in ((one, other), (other, one))}
_CONDITIONS = (
    "in winter",
    "in Canada",
    "before 1850",
    "after 2015",
    "by law",
    "for children",
    "in private",
    "at night",
    "in the second year",
    "on paper",
)

Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class NearMiss:
    question: str
    context: str
    rule: str


def near_miss(question: str, context: str, answers: Spans, rng: random.Random) -> NearMiss | None:
    """Return one near miss by a rule drawn by chance among those that apply; None where none does."""
    rules = list(_RULES)
    rng.shuffle(rules)
    for name, rule in rules:
        made = rule(question, context, answers, rng)
        if made is not None:
            return NearMiss(made[0], made[1], name)
    return None


MadeText = tuple[str, str] | None


def _swap_name(question: str, context: str, answers: Spans, rng: random.Random) -> MadeText:
    own = [match for match in _NAME.finditer(question) if match.group().strip() not in _OPENERS and match.start() > 0]
    own = [match for match in own if match.group().strip() in context]
    if not own:
        return None
    chosen = rng.choice(own)
    said = {context[start:end] for start, end in answers}
    found = {match.group().strip() for match in _NAME.finditer(context)} - _OPENERS
    words = len(chosen.group().split())
    others = sorted(
        name
        for name in found
        if name not in question
        and chosen.group().strip() not in name
        and not any(name in each or each in name for each in said)
        and abs(len(name.split()) - words) <= 1
        and len(name) > 3
    )
    return (_replace_span(question, chosen.span(), rng.choice(others)), context) if others else None


def _swap_number(question: str, context: str, answers: Spans, rng: random.Random) -> MadeText:
    own = list(_NUMBER.finditer(question))
    if not own:
        return None
    chosen = rng.choice(own)
    if _YEAR.fullmatch(chosen.group()):
        others = sorted({year for year in _YEAR.findall(context) if year not in question}) or [
            str(int(chosen.group()) + rng.choice((-11, -3, 4, 17)))
        ]
    else:
        others = sorted({number for number in _NUMBER.findall(context) if number not in question and not _YEAR.fullmatch(number)})
    said = " ".join(context[start:end] for start, end in answers)
    others = [other for other in others if other not in said]
    return (_replace_span(question, chosen.span(), rng.choice(others)), context) if others else None


def _negate_question(question: str, context: str, _: Spans, __: random.Random) -> MadeText:
    match = _HELPING.search(question)
    if match is None or not question[: match.start()].strip():
        return None
    after = question[match.end() :].lstrip()
    # "What did the king sign" -> "What did the king not sign" needs a parser; the form with "never" is as good English and holds the same trap.
    word = after.split(" ", 1)
    if match.group().lower() in {"did", "does", "do"} or len(word) < 2:
        return None
    return f"{question[: match.end()]} not {after}", context


def _swap_antonym(question: str, context: str, _: Spans, rng: random.Random) -> MadeText:
    own = [match for match in re.finditer(r"[A-Za-z]+", question) if match.group().lower() in _ANTONYMS]
    if not own:
        return None
    chosen = rng.choice(own)
    other = _ANTONYMS[chosen.group().lower()]
    if re.search(rf"\b{other}\b", context):  # then the text may well answer it
        return None
    return _replace_span(question, chosen.span(), other), context


def _condition(question: str, context: str, _: Spans, rng: random.Random) -> MadeText:
    added = rng.choice(_CONDITIONS)
    if added.split()[-1] in context or added.split()[-1] in question:
        return None
    body = question.rstrip(" ?")
    return f"{body} {added}?", context


def _remove_answer(question: str, context: str, answers: Spans, _: random.Random) -> MadeText:
    """Return the text without the sentences that hold an answer's words."""
    said = [context[start:end].lower() for start, end in answers]
    spans = split_sentences(context)
    kept = [context[start:end] for start, end in spans if not any(each in context[start:end].lower() for each in said)]
    if len(spans) < 3 or len(kept) < max(1, len(spans) // 2) or len(kept) == len(spans):
        return None
    return question, " ".join(kept)


def _replace_span(question: str, span: tuple[int, int], other: str) -> str:
    tail = " " if question[span[0] : span[1]].endswith(" ") else ""
    return question[: span[0]] + other + tail + question[span[1] :]


_RULES: tuple[tuple[str, Callable[[str, str, Spans, random.Random], MadeText]], ...] = (
    ("name", _swap_name),
    ("name_again", _swap_name),  # twice as likely: SQuAD 2's most frequent kind
    ("number", _swap_number),
    ("negation", _negate_question),
    ("opposite", _swap_antonym),
    ("condition", _condition),
    ("sentence", _remove_answer),
)
