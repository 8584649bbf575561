"""Verdicts: which of two things came first, what both have in common, and yes or no where a sentence says just that.

A verdict rests on sentences that are quoted under it. Where they do not decide, there is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from answers.finders.rule_answer import LIKELY_CHANCE, SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.question_parts import asks_yes_or_no, normalise_text
from answers.scoring.unit_scores import Question, ScoredUnit
from core.language.content_words import stems
from core.language.dates import DAYS_OR_YEARS, year_month_day
from core.language.stems import stem
from core.lazy_patterns import compile_when_used

_FIRST_SENTENCES = 2  # of a document say what its thing is
_MOST_WORDS = 40  # of a question that names two things
_LEAST_COVERED = 0.99  # of the question's weight in a sentence, its heading and title that say yes or no to it
_LEAST_OWN_SHARE, _LEAST_OWN_WORDS = 0.6, 3  # of that weight, and of its words, in the sentence itself
_LEAST_PREDICATE_SHARE = 0.35  # of that weight, where the sentence holds the last word of the question and its heading the rest

_EARLIER = compile_when_used(r"\b(?:first|earlier|earliest|older|oldest|before|elder|eldest|zuerst|früher|älter|ältere)\b", re.IGNORECASE)
_LATER = compile_when_used(
    r"\b(?:later|latest|newer|newest|younger|youngest|more\s+recent(?:ly)?|most\s+recent(?:ly)?|after|später|jünger|neuer)\b", re.IGNORECASE
)
_OR = compile_when_used(r"\b(?:or|oder)\b", re.IGNORECASE)
# What stands between two names that are asked about together: "X (film) or the film Y".
_BETWEEN = compile_when_used(r"^\W*(?:\([^()]*\)\W*)?(?:\w+\W+){0,2}?(?P<joint>or|oder|and|und)\b(?:\W+\w+){0,4}\W*$", re.IGNORECASE)
_DEGREE = compile_when_used(
    r"""
        \b(?:
              more|most|less|fewer|fewest|least|larger|largest|bigger|biggest|smaller|smallest|taller|tallest|higher
            | highest|lower|lowest|longer|longest|shorter|shortest|better|best|worse|worst|greater|greatest|faster
            | fastest|cheaper|cheapest|stronger|heavier|heaviest|closer|closest|mehr|größer|kleiner|höher|besser
        )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_STATES_WHAT_IT_IS = compile_when_used(r"\b(?:is|was|are|were|ist|war)\s+(?:also\s+)?(?:an?|the|one|eine?|der|die|das)\b", re.IGNORECASE)
_SAME_KIND = compile_when_used(r"\b(?:same|gleichen?)\s+(?P<kind>[^\W\d_]+)", re.IGNORECASE)
_NAME = r"(?:the\s+|The\s+)?[A-ZÀ-Þ0-9][\w’'.-]*(?:\s+(?:of|the|and\s+the|de|von|van|der|&)?\s*[A-ZÀ-Þ0-9][\w’'.-]*){0,6}"
_PAIR = compile_when_used(rf"(?P<one>{_NAME})\s+(?:and|or|und|oder)\s+(?P<other>{_NAME})")
_BORN_OR_DIED = compile_when_used(r"\((?P<inside>[^()]*\b\d{4}\b[^()]*)\)")
_DIES = compile_when_used(r"\b(?:die[sd]?|death|stirbt|starb|gestorben)\b", re.IGNORECASE)
_PEOPLE = compile_when_used(r"\b(?:is|was|are|were)\s+(?:an?\s+|the\s+)?(?:(?:\w+-)?[a-z]+\s+)?(?P<people>[A-Z][a-z]+(?:-[A-Z][a-z]+)?)\b")
_DENIAL = compile_when_used(
    r"\b(?:not|no|never|nor|neither|without|ohne|cannot|nobody|none|nothing|nicht|kein\w*|nie|niemals)\b|n['’]t\b", re.IGNORECASE
)
_REFERS_BACK = compile_when_used(r"\W*(?:the|this|these|those|it|they|such|he|she|der|die|das|diese[rs]?|er|sie|es)\b", re.IGNORECASE)
_WITHOUT = compile_when_used(r"without|ohne", re.IGNORECASE)
_MOST_SENTENCES_BACK = 8  # between a sentence and the heading that says what it is about
_CLAUSE_END = compile_when_used(r"[,;:()–—]|\b(?:and|but|und|aber|sondern)\b", re.IGNORECASE)
_CONDITION = compile_when_used(r"\b(?:unless|only|except|provided|subject\s+to|until|if|but|sofern|wenn|nur|außer|bis)\b", re.IGNORECASE)
_CAPITAL = compile_when_used(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w’'-]+(?:\s+[A-ZÀ-Þ][\w’'-]+)*")


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two things: its name as the question has it, and the places of the units that say what it is, the first ones first."""

    name: str
    places: tuple[int, ...]


def verdict_of(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the verdict that the question asks for; None where it asks for none or nothing decides."""
    chooses, yes_or_no = _OR.search(question.text) is not None, asks_yes_or_no(question.text)
    if not (yes_or_no or chooses) or len(question.text.split()) > _MOST_WORDS:
        return None
    sides = _sides(question.text, units)
    if len(sides) == 2 and all(side.places for side in sides):
        joint = _joint(question.text, sides)
        if joint in {"or", "oder"}:
            return _decide_choice(question.text, sides, units)
        if joint and not chooses:
            return _decide_both(question.text, sides, units)
    return None


def _sides(question: str, units: Sequence[ScoredUnit]) -> list[_Side]:
    """Return the two documents whose titles the question names, else the two names beside its "and" or "or" with the sentences that hold them."""
    asked = normalise_text(question)
    titles = sorted({unit.title for unit in units if unit.title and unit.title in asked}, key=asked.index)
    titles = [title for title in titles if not any(title != other and title in other for other in titles)]
    if len(titles) == 2:
        return [_Side(_title_as_written(question, title), _first_sentences(units, title)) for title in titles]
    pair = _PAIR.search(question[1:]) if not titles else None
    if pair is None:
        return []
    return [_Side(name, _sentences_naming(units, normalise_text(name))) for name in (pair["one"], pair["other"])]


def _joint(question: str, sides: Sequence[_Side]) -> str:
    """Return the "and" or "or" between the names of two sides, in lower case; "" where other words stand there."""
    first, second = sides[0].name, sides[1].name
    end = question.find(first) + len(first)
    found = _BETWEEN.match(question[end : question.find(second, end)]) if question.find(second, end) >= 0 else None
    return found["joint"].lower() if found is not None else ""


def _title_as_written(question: str, title: str) -> str:
    """Return a title (`normalise_text`) as the question writes it."""
    found = re.search(r"\W+".join(re.escape(word) for word in title.split()), question, re.IGNORECASE)
    return found.group() if found is not None else title.strip()


def _first_sentences(units: Sequence[ScoredUnit], title: str) -> tuple[int, ...]:
    own = [place for place, unit in enumerate(units) if unit.title == title and unit.unit.choosable]
    return tuple(sorted(own, key=lambda place: units[place].unit.start))


def _sentences_naming(units: Sequence[ScoredUnit], name: str) -> tuple[int, ...]:
    own = [place for place, unit in enumerate(units) if name in unit.normalised_text and unit.unit.choosable]
    return tuple(sorted(own, key=lambda place: -units[place].score))


def _decide_choice(question: str, sides: Sequence[_Side], units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return which of two: the earlier or the later one, else the only one of which what is asked is said."""
    earlier, later = _EARLIER.search(question) is not None, _LATER.search(question) is not None
    if earlier == later:
        return _decide_only_one(question, sides, units)
    days = [_day_of(question, side, units) for side in sides]
    if days[0] is None or days[1] is None or days[0][0] == days[1][0]:
        return None
    (one, first), (other, second) = days[0], days[1]
    wins = (one < other) == earlier
    winner, loser = (0, 1) if wins else (1, 0)
    said = [_words(units, each) for each in (first, second)]
    text = f"{sides[winner].name} ({said[winner]}; {sides[loser].name}: {said[loser]})"
    return RuleAnswer(text, (first, second) if wins else (second, first), SURE_CHANCE)


def _decide_only_one(question: str, sides: Sequence[_Side], units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    wanted = _find_asked_words(question, sides)
    if _DEGREE.search(question):  # sentences seldom say which of two is the larger one
        return None
    held = [_find_holding_sentence(side, wanted, units) for side in sides]
    if not wanted.stems or (held[0] is None) == (held[1] is None):
        return None
    winner = 0 if held[0] is not None else 1
    deciding, other = held[winner], _find_defining_sentence(sides[1 - winner], units)
    return RuleAnswer(sides[winner].name, (deciding, other), LIKELY_CHANCE) if deciding is not None and other is not None else None


def _day_of(question: str, side: _Side, units: Sequence[ScoredUnit]) -> tuple[tuple[int, int, int], UnitSpan] | None:
    """Return the day by which a thing is earlier or later: of a sentence with the question's own verb, else of the first one that gives a day."""
    wanted = _find_asked_words(question, [side])
    dated = [(place, match) for place in side.places if (match := _first_day(question, units[place].unit.text)) is not None]
    place, match = next(((place, match) for place, match in dated if wanted.stems & stems(units[place].unit.text)), next(iter(dated), (None, None)))
    if place is None or match is None:
        return None
    return year_month_day(match), UnitSpan(place, *match.span())


def _first_day(question: str, text: str) -> re.Match[str] | None:
    """Return the first day in a text; of a life's days in brackets the last one where it is asked who died."""
    inside = _BORN_OR_DIED.search(text)
    if inside is not None and _DIES.search(question):
        found = list(DAYS_OR_YEARS.finditer(text, inside.start(), inside.end()))
        return found[-1] if len(found) > 1 else None
    return DAYS_OR_YEARS.search(text)


def _decide_both(question: str, sides: Sequence[_Side], units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return yes or no to what is asked of two things at once; None where their sentences do not decide."""
    same = _SAME_KIND.search(question)
    if same is not None:
        return _decide_same(same["kind"].lower(), sides, units)
    wanted = _find_asked_words(question, sides)
    if not wanted.stems:
        return None
    held = [_find_holding_sentence(side, wanted, units) for side in sides]
    if held[0] is not None and held[1] is not None:
        return RuleAnswer("Yes", (held[0], held[1]), SURE_CHANCE)
    missing = [_find_defining_sentence(side, units) for side in sides]
    order = (0, 1) if held[0] is None else (1, 0)  # the sentence that decides first
    rests = tuple(found for each in order if (found := held[each] or missing[each]) is not None)
    return RuleAnswer("No", rests, LIKELY_CHANCE) if len(rests) == 2 else None


def _decide_same(kind: str, sides: Sequence[_Side], units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return whether what both have of a kind is the same: a people, else the names beside that word ("Jiangsu province"), else any name of their
    sentences."""
    found = [_people_of(side, units) if kind in _PEOPLES else _names_of_kind(side, kind, units) for side in sides]
    if found[0] is None or found[1] is None:
        return None
    (one, first), (other, second) = found[0], found[1]
    beside = kind in _PEOPLES or all(re.search(rf"\b{kind}\b", units[each.unit].unit.text, re.IGNORECASE) for each in (first, second))
    if one & other:
        return RuleAnswer("Yes", (first, second), SURE_CHANCE) if beside else None  # both may name the country of their towns
    return RuleAnswer("No", (first, second), SURE_CHANCE if beside else LIKELY_CHANCE)


def _people_of(side: _Side, units: Sequence[ScoredUnit]) -> tuple[frozenset[str], UnitSpan] | None:
    for place in side.places[:_FIRST_SENTENCES]:
        if (match := _PEOPLE.search(units[place].unit.text)) is not None:
            return frozenset(match["people"].lower().split("-")), UnitSpan(place, *match.span("people"))
    return None


def _names_of_kind(side: _Side, kind: str, units: Sequence[ScoredUnit]) -> tuple[frozenset[str], UnitSpan] | None:
    own = normalise_text(side.name)
    beside = re.compile(
        rf"(?P<before>[A-ZÀ-Þ][\w’'-]+(?:\s+[A-ZÀ-Þ][\w’'-]+)*)\s+{kind}\b|\b{kind}\s+(?:of\s+)?(?P<after>[A-ZÀ-Þ][\w’'-]+(?:\s+[A-ZÀ-Þ][\w’'-]+)*)",
        re.ASCII,
    )
    for pattern in (beside, _CAPITAL):
        for place in side.places[:_FIRST_SENTENCES]:
            spans = [match.span() for match in pattern.finditer(units[place].unit.text)]
            spans = [span for span in spans if normalise_text(units[place].unit.text[slice(*span)]) not in own]
            if spans:
                names = frozenset(normalise_text(units[place].unit.text[slice(*span)]).replace(f" {kind} ", " ").strip() for span in spans)
                return names, UnitSpan(place, *spans[0])
    return None


_PEOPLES = frozenset({"nationality", "citizenship"})
_IDLE_STEMS = frozenset(map(stem, "both either one two came come".split()))


@dataclass(frozen=True, slots=True)
class _AskedWords:
    """The stems of what is asked of the sides, without their names; `names` are those that the question writes with a capital ("American")."""

    stems: frozenset[str]
    names: frozenset[str]


def _find_asked_words(question: str, sides: Sequence[_Side]) -> _AskedWords:
    rest = question
    for side in sides:
        rest = rest.replace(side.name, " ")
    rest = _LATER.sub(" ", _EARLIER.sub(" ", rest))
    names = stems(" ".join(re.findall(r"(?<!^)\b[A-ZÀ-Þ][\w’'-]+", rest)))
    return _AskedWords(stems(rest) - _IDLE_STEMS, names - _IDLE_STEMS)


def _find_holding_sentence(side: _Side, asked_words: _AskedWords, units: Sequence[ScoredUnit]) -> UnitSpan | None:
    """Return the first sentence that says half of what is asked and more, with all of its names."""
    for place in side.places:
        text = units[place].unit.text
        said = stems(text)
        held = sorted(asked_words.stems & said, key=lambda each: each not in asked_words.names)
        if held and 2 * len(held) >= len(asked_words.stems) and asked_words.names <= said:
            found = re.search(rf"\b{re.escape(held[0][:5])}\w*", text, re.IGNORECASE)
            start, end = found.span() if found is not None else (0, len(text))
            return UnitSpan(place, start, end)
    return None


def _find_defining_sentence(side: _Side, units: Sequence[ScoredUnit]) -> UnitSpan | None:
    """Return the sentence that says what a thing is: what it does not say there, the thing most likely is not."""
    found = next((place for place in side.places[:_FIRST_SENTENCES] if _STATES_WHAT_IT_IS.search(units[place].unit.text)), None)
    return UnitSpan(found, 0, len(units[found].unit.text)) if found is not None else None


def _words(units: Sequence[ScoredUnit], deciding: UnitSpan) -> str:
    return " ".join(units[deciding.unit].unit.text[deciding.start : deciding.end].split())
