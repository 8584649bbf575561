"""Proteus: which strategy a question is searched with. Indicators are scored for each, the highest wins, a tie or nothing is hybrid."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from agents.text.question_words import QUESTION_WORDS, content_words, find_names, tokens
from core.memory import MemoryUsed, UserPreferences
from core.search import Classification, FrozenModel, Strategy, StrategyName

# SPEC's table: starting weights of the fusion, the minimum on the fused score scaled to 0..1. Those of hybrid and semantic come from the settings.
STRATEGIES: dict[StrategyName, Strategy] = {
    "precise": Strategy(name="precise", lexical=1.0, dense=0.0, min_score=0.5),
    "temporal": Strategy(name="temporal", lexical=0.4, dense=0.4, time=0.2, min_score=0.3, prefer_recent=True),
    "exploratory": Strategy(name="exploratory", lexical=0.2, dense=0.5, graph=0.3, min_score=0.2, hops=2),
    "semantic": Strategy(name="semantic", lexical=0.3, dense=0.7, min_score=0.3),
    "hybrid": Strategy(name="hybrid", lexical=0.3, dense=0.7, min_score=0.3),
}
_BY_TOPIC: frozenset[StrategyName] = frozenset({"semantic", "exploratory", "hybrid"})  # the others look for certain words or for a time
_SHORT_QUESTION = 3
_PRECISE_THRESHOLD = 1.0  # from which precise is chosen: a word that may as well belong to what is searched does not switch the search by meaning off
_WORDING = r"(?:wording|words?|phrases?|texts?|sentences?|quot(?:es?|ations?)|terms?|titles?|names?|clauses?|match(?:es)?)"

# The current of a wire or a river ("the current in the coil", "an induced current, …") is no time: what is current stands before what it is.
_NO_FLOW = (
    r"(?!\s+(?:in|of|at|on|to|by|for|from|with|through|across|between|into|under|over|per|and|or|is|are|was|were|that|which|has|flows?|runs?)\b)"
)


@dataclass(frozen=True, slots=True)
class Indicator:
    """Words that speak for a strategy. A word that asks for it outright weighs 2: more than a question of few words (1.5).

    A mark of form weighs 1, a weak one .5.
    """

    strategy: StrategyName
    weight: float
    pattern: re.Pattern[str]


def _indicator(strategy: StrategyName, weight: float, pattern: str) -> Indicator:
    return Indicator(strategy, weight, re.compile(pattern, re.IGNORECASE))


INDICATORS: tuple[Indicator, ...] = (
    _indicator("precise", 2.0, rf"\b(?:verbatim|word\s+for\s+word|literally|(?:exact|precise)(?:ly)?\s+(?:\w+\s+){{0,2}}{_WORDING})\b"),
    _indicator("precise", 2.0, r"\b(?:quote|cite|say|says|state|states|read|reads|written|worded)\s+(?:\w+\s+)?(?:exactly|precisely)\b"),
    # "exact solutions", "specific heat": as often of what is searched as of how to search it.
    _indicator("precise", 0.5, r"\b(?:exact|precise|specific)(?:ally|ly)?\b"),
    _indicator("precise", 2.0, r"\b(?:files?|documents?|docs?|reports?|contracts?|letters?|sheets?|folders?)\s+(?:named|called|titled|entitled)\b"),
    _indicator("precise", 1.0, r"\b[\w-]+\.(?:pdf|docx?|xlsx?|pptx?|csv|tsv|txt|md|html?|json|eml|mbox|py|js|ts|java|png|jpe?g)\b"),
    _indicator("temporal", 2.0, rf"\b(?:latest|newest|recent(?:ly)?|most\s+recent|up\s+to\s+date|currently|current(?=\s+\w){_NO_FLOW})\b"),
    _indicator("temporal", 2.0, r"\b(?:today|yesterday|(?:this|last|past|previous)\s+(?:\d+\s+)?(?:day|week|month|quarter|year)s?)\b"),
    _indicator("temporal", 1.0, r"\b(?:19|20)\d\d\b|\bq[1-4]\b"),
    _indicator(
        "exploratory", 2.0, r"\b(?:related\s+to|relate[sd]?\s+to|similar(?:\s+to)?|connect(?:ed|ions?)(?:\s+(?:to|with|between))?|linked\s+to)\b"
    ),
    _indicator(
        "exploratory",
        2.0,
        r"\b(?:associated\s+with|relationships?\s+(?:between|of|with)|explore|everything\s+about|anything\s+(?:about|on)|more\s+like)\b",
    ),
)


class StrategyChoice(FrozenModel):
    """The question of Proteus: the searched text, Athena's reading of it, and the strategy that the request names ("auto": choose)."""

    text: str
    classification: Classification
    requested: StrategyName | None = None


async def choose_strategy(
    choice: StrategyChoice,
    *,
    hybrid: Strategy,
    semantic: Strategy | None = None,
    preferences: UserPreferences | None = None,
    feedback: float = 0.0,
) -> Strategy:
    """Return the strategy with its parameters, its reason in words, and the words that spoke for each. `hybrid` and `semantic` have the settings'
    weights.

    What worked for a person before (`preferences`) decides only where the words leave it open. `feedback` is the weight that what is found first
    has where the question names nothing.
    """
    chosen = _choose_by_words(choice, {**STRATEGIES, "hybrid": hybrid, "semantic": semantic or STRATEGIES["semantic"]}, preferences)
    by_topic = chosen.name in _BY_TOPIC and is_about_topic(choice)
    return chosen.model_copy(update={"feedback": feedback if by_topic else 0.0})


def is_about_topic(choice: StrategyChoice) -> bool:
    """Return whether the question is about a topic: it holds no name, identifier, address or quotation. What is found for a name, and is not about
    it, would lead away from it."""
    return not choice.classification.quoted and not find_names(choice.text[:2000])


def _choose_by_words(choice: StrategyChoice, known: Mapping[StrategyName, Strategy], preferences: UserPreferences | None) -> Strategy:
    found = indicators(choice)
    words = {name: [word for word, _ in hits] for name, hits in found.items() if hits}
    if choice.requested is not None:
        return _describe_choice(choice.requested, known, "The request asks for it.", words)
    scores = normalise_scores({name: hits for name, hits in found.items() if not _is_faint(name, hits)})
    best = max(scores.values(), default=0.0)
    winners = [name for name, score in scores.items() if score == best and score > 0]
    learned = preferences.best_strategy if preferences else None
    if len(winners) != 1 and learned is not None and (not winners or learned in winners):
        return _describe_choice(learned, known, "The words leave it open; this one has worked best for you.", words)
    if len(winners) != 1:
        reason = "Nothing in the words speaks for another one." if not winners else f"As much speaks for {' as for '.join(winners)}."
        return _describe_choice("hybrid", known, reason, words)
    spoken = ", ".join(words[winners[0]][:3])
    return _describe_choice(winners[0], known, f"For it: {spoken}.", words)


PRIOR_SHARE = 0.4  # of words, from which what was learned moves the weights (memory.procedural has the same)
_LEAST_WEIGHT_CHANGE = 0.02


def personalise(strategy: Strategy, preferences: UserPreferences) -> tuple[Strategy, MemoryUsed | None]:
    """Return the strategy with its weights moved by what a person's choices taught; None where nothing moves.

    The share of words moves by as much as the learned share lies from the product's own; graph and time keep theirs. A precise search stays
    exact.
    """
    learned = (preferences.optimal_weights or {}).get("lexical")
    both = strategy.lexical + strategy.dense
    if learned is None or strategy.name == "precise" or both <= 0 or strategy.lexical == 0 or strategy.dense == 0:
        return strategy, None
    share = min(0.9, max(0.1, strategy.lexical / both + learned - PRIOR_SHARE))
    lexical, dense = round(share * both, 3), round((1 - share) * both, 3)
    if abs(lexical - strategy.lexical) < _LEAST_WEIGHT_CHANGE:
        return strategy, None
    said = f"Your choices moved the weight of words {strategy.lexical:.2f} → {lexical:.2f}."
    moved = strategy.model_copy(update={"lexical": lexical, "dense": dense, "reason": f"{strategy.reason} {said}".strip()})
    change = {"lexical": [strategy.lexical, lexical], "dense": [strategy.dense, dense]}
    return moved, MemoryUsed(tier="procedural", text=preferences.reason, used_for=said, change=change)


def indicators(choice: StrategyChoice) -> dict[StrategyName, list[tuple[str, float]]]:
    """Return what speaks for each strategy, in SPEC's order, with its weight."""
    found: dict[StrategyName, list[tuple[str, float]]] = {"precise": [], "temporal": [], "exploratory": [], "semantic": []}
    found["precise"] += [(f"“{phrase}” in quotes", 1.0) for phrase in choice.classification.quoted[:1]]
    for indicator in INDICATORS:
        match = indicator.pattern.search(choice.text[:2000])
        if match:
            found[indicator.strategy].append((f"“{match.group().lower()}”", indicator.weight))
    if choice.classification.time and choice.classification.time.time_range and not found["temporal"]:
        found["temporal"].append((choice.classification.time.time_range.replace("_", " "), 2.0))  # named by words that became a filter
    first = next(iter(tokens(choice.text[:200])), "")
    if first.split("'")[0] in QUESTION_WORDS:
        found["semantic"].append((f"“{first}”", 1.0))
    if 0 < len(content_words(choice.text[:2000])) <= _SHORT_QUESTION:
        found["semantic"].append(("a short question", 0.5))
    return found


def _is_faint(name: StrategyName, hits: list[tuple[str, float]]) -> bool:
    """Precise alone leaves a leg out, so it alone needs more than a weak mark; the others only move weights."""
    return name == "precise" and sum(dict(hits).values()) < _PRECISE_THRESHOLD


def normalise_scores(found: dict[StrategyName, list[tuple[str, float]]]) -> dict[StrategyName, float]:
    """Return each strategy's share of all that was found; a word counts once though several patterns find it."""
    sums = {name: sum(dict(hits).values()) for name, hits in found.items()}
    total = sum(sums.values())
    return {name: value / total if total else 0.0 for name, value in sums.items()}


def _describe_choice(name: StrategyName, known: Mapping[StrategyName, Strategy], reason: str, words: dict[StrategyName, list[str]]) -> Strategy:
    return known[name].model_copy(update={"reason": reason, "indicators": dict(words)})
