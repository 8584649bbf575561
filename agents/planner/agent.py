"""Odysseus: whether a question takes one search or several, which, and in what order; and the account of how the parts came together.

Complexity is SPEC's sum: complex patterns (whole words) + question marks + " and "; 3 and more complex, 1 and more moderate. Rules cut the
question (decomposition.py). The model is asked where there is one, no rule applies, and more than a lone question mark speaks for several
steps. A model that fails, or answers with words that are not the question's, leaves it to the rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.planner.decomposition import MAX_HOPS, MOST_QUESTION_CHARACTERS, Decomposition, decompose
from agents.text.question_words import content_words
from core.answers import Answer, Citation
from core.errors import ModelUnavailable
from core.memory import RecalledMemory
from core.ports import ChatModel
from core.prompts import load_prompt
from core.reasoning import Complexity, Hop, Plan, Reasoning, ReasoningStep, SubQuery
from core.search import Degradation, FrozenModel, Intent
from core.structured_output import ask_model

PROMPT = "reasoning_planner"
_REPLY_TOKENS = 400
COMPLEXITY_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for name, pattern in (
        ("compare", r"\bcompare\b"),
        ("versus", r"\bversus\b"),
        ("vs", r"\bvs\b"),
        ("difference between", r"\bdifference\s+between\b"),
        ("relationship between", r"\brelationship\s+between\b"),
        ("how does", r"\bhow\s+does\b"),
        ("why did", r"\bwhy\s+did\b"),
        ("combine", r"\bcombine\b"),
        ("summarize all", r"\bsummari[sz]e\s+all\b"),
        ("across all", r"\bacross\s+all\b"),
        ("first … then", r"\bfirst\b.*\bthen\b"),
        ("before … after", r"\bbefore\b.*\bafter\b"),
    )
)
COMPLEX, MODERATE = 3, 1
# A summary reads whole documents, and what is not searched has no steps.
_UNPLANNED_INTENTS = frozenset({Intent.SUMMARIZATION, Intent.GENERAL_KNOWLEDGE, Intent.SYSTEM_META, Intent.CLARIFICATION_NEEDED})
_PLACEHOLDER = re.compile(r"\{(sq\d+)\}")


class PlanningRequest(FrozenModel):
    """The question of Odysseus: the question as it is searched, what it wants, and past episodes that memory offers (a hint, no more)."""

    text: str
    intent: Intent = Intent.DOCUMENT_SEARCH
    episodes: list[RecalledMemory] = Field(default_factory=list)


class PlanResult(Plan):
    """A Plan with what it took: the parts that did not run, tokens and the prompt's sha."""

    degraded: list[Degradation] = Field(default_factory=list)
    tokens: dict[str, int] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)


class _SubQueryReply(BaseModel):
    model_config = ConfigDict(extra="ignore")
    id: str = Field(pattern=r"^sq[1-9]$")
    query: str = Field(min_length=1, max_length=400)
    purpose: str = Field(default="", max_length=200)
    dependencies: list[Annotated[str, Field(max_length=10)]] = Field(default_factory=list, max_length=MAX_HOPS)


class PlanReply(BaseModel):
    """The shape of the model's reply."""

    model_config = ConfigDict(extra="ignore")
    kind: Literal["", "comparison", "conjunction", "sequence", "bridge"] = ""
    reason: str = Field(default="", max_length=300)
    sub_queries: list[_SubQueryReply] = Field(default_factory=list, max_length=MAX_HOPS)


async def plan(planning: PlanningRequest, *, llm: ChatModel | None) -> PlanResult:
    """Return the plan of a question; without sub-queries where one search is enough. Rules cost less than a millisecond."""
    score, indicators = complexity_score(planning.text)
    if planning.intent in _UNPLANNED_INTENTS:
        return _make_result(score, indicators, None, "No steps: this intent is not searched in steps.", planning)
    found = decompose(planning.text)
    if found is not None:
        return _make_result(score, indicators, found, found.reason, planning)
    by_rules = _make_result(score, indicators, None, "One search is enough.", planning)
    if llm is None or not _is_worth_a_call(score, indicators, planning.text):
        return by_rules
    return await _ask_model(planning.text, by_rules, llm)


def complexity_score(text: str) -> tuple[int, list[str]]:
    """Return SPEC's score, and what added to it."""
    head = text[:2000]
    found = [name for name, pattern in COMPLEXITY_PATTERNS if pattern.search(head)]
    marks, ands = head.count("?"), len(re.findall(r"(?<=\s)and(?=\s)", head, re.IGNORECASE))
    indicators = [
        *(f"“{name}”" for name in found),
        *(["?" * min(marks, 3)] if marks else []),
        *(["“and”" + (f" x {ands}" if ands > 1 else "")] if ands else []),
    ]
    return len(found) + marks + ands, indicators


def complexity_of(score: int) -> Complexity:
    """Return "complex" from 3, "moderate" from 1, else "simple"."""
    return "complex" if score >= COMPLEX else "moderate" if score >= MODERATE else "simple"


def _make_result(score: int, indicators: list[str], found: Decomposition | None, reason: str, planning: PlanningRequest) -> PlanResult:
    """A question that a rule cuts is at least moderate, whatever its words add up to."""
    complexity = complexity_of(score)
    if found is not None and complexity == "simple":
        complexity, indicators = "moderate", [*indicators, found.kind]
    return PlanResult(
        complexity=complexity,
        score=score,
        indicators=indicators,
        kind=found.kind if found else "",
        sub_queries=list(found.sub_queries) if found else [],
        reason=f"{reason}{_hint(planning)}",
    )


def _hint(planning: PlanningRequest) -> str:
    """A past question of the same kind, named and not followed: its words may mean other things today."""
    words = set(content_words(planning.text))
    for episode in planning.episodes[:3]:
        asked = episode.text.partition("\n")[0][:120]
        if words and len(words & set(content_words(asked))) >= 0.5 * len(words):
            return f" You asked something like it before: “{asked}”."
    return ""


def _is_worth_a_call(score: int, indicators: Sequence[str], text: str) -> bool:
    """A lone question mark makes every question moderate; a model is asked only where more speaks for several steps."""
    return len(text) <= MOST_QUESTION_CHARACTERS and (score >= COMPLEX or (score >= MODERATE and list(indicators) != ["?"]))


async def _ask_model(text: str, by_rules: PlanResult, llm: ChatModel) -> PlanResult:
    prompt = load_prompt(PROMPT)
    try:
        asked = await ask_model(llm, prompt, {"question": text}, PlanReply, max_tokens=_REPLY_TOKENS, share=0.25)
    except ModelUnavailable as error:
        lost = Degradation(part="plan", reason=f"{error} The rules alone planned the question.")
        return by_rules.model_copy(update={"degraded": [lost]})
    spent = {"tokens": {"input": asked.input_tokens, "output": asked.output_tokens}, "prompts": {prompt.name: prompt.sha}}
    steps = sound_steps(asked.reply, text)
    if not steps:
        return by_rules.model_copy(update=spent)
    changed = {"kind": asked.reply.kind or "bridge", "sub_queries": steps, "by": llm.name, "reason": asked.reply.reason[:300] or by_rules.reason}
    return by_rules.model_copy(update={**spent, **changed})


def sound_steps(reply: PlanReply, text: str) -> list[SubQuery]:
    """Return the model's sub-queries, or none where they cannot be followed: fewer than two, ids twice, a step that waits for a later one, or words
    that the question does not have (a model that adds facts is not followed)."""
    known, steps = set(content_words(text)), list[SubQuery]()
    for number, each in enumerate(reply.sub_queries, start=1):
        earlier = {step.id for step in steps}
        named = _PLACEHOLDER.findall(each.query)
        words = content_words(_PLACEHOLDER.sub(" ", each.query))
        foreign = sum(word not in known and word.removesuffix("s") not in known and f"{word}s" not in known for word in words)
        if each.id in earlier or not {*each.dependencies, *named} <= earlier or foreign > 0.4 * len(words):
            return []
        needed = list(dict.fromkeys([*each.dependencies, *named]))
        steps.append(SubQuery(id=each.id, query=each.query, purpose=each.purpose, priority=number, dependencies=needed))
    return steps if len(steps) > 1 else []


# -- following a plan --------------------------------------------------------------------------------------------------------------------


def ready_hops(plan: Plan, hops: Sequence[Hop]) -> list[SubQuery]:
    """Return the sub-queries that may be asked now: not asked yet, and all that they wait for has been. In order of priority."""
    done = {hop.sub_query.id for hop in hops}
    waiting = [each for each in plan.sub_queries if each.id not in done]
    return sorted((each for each in waiting if set(each.dependencies) <= done), key=lambda each: each.priority)


def is_needed(plan: Plan, sub_query: SubQuery) -> bool:
    """Return whether a later step waits for what this one finds."""
    return any(sub_query.id in each.dependencies for each in plan.sub_queries)


def fill_placeholders(sub_query: SubQuery, hops: Sequence[Hop]) -> tuple[str, list[str]]:
    """Return the sub-query with what earlier hops found in place of its placeholders, and the ids of those that found nothing: their placeholder
    gives way to the words of their own question, so that the search still knows what is meant."""
    found = {hop.sub_query.id: hop for hop in hops}
    missing: list[str] = []

    def put(match: re.Match[str]) -> str:
        hop = found.get(match[1])
        if hop is not None and hop.bridge:
            return hop.bridge
        missing.append(match[1])
        return _describe_hop(hop) if hop is not None else ""

    text = _PLACEHOLDER.sub(put, sub_query.query)
    return re.sub(r"\s+([?.!,])", r"\1", re.sub(r"\s+", " ", text)).strip(), list(dict.fromkeys(missing))


def _describe_hop(hop: Hop) -> str:
    return re.sub(r"^(?:who|what)\s+is\s+", "", hop.asked, flags=re.IGNORECASE).rstrip(" ?.!")


def resolved_question(plan: Plan, hops: Sequence[Hop]) -> str:
    """Return the question that is left to answer once the steps have found their names: the last step of a chain as it was asked. "" where the
    question itself stands: its parts do not wait for each other, or a name that the last step needs is missing."""
    last = max(hops, key=lambda hop: hop.sub_query.priority, default=None)
    if last is None or plan.kind not in {"bridge", "sequence"} or not last.sub_query.dependencies or ready_hops(plan, hops):
        return ""
    _, missing = fill_placeholders(last.sub_query, hops)
    return "" if missing else last.asked


_LEAST_WORDS = 2  # words of a question that says what it is about
_BACK_REFERENCE = re.compile(r"\b(?:that|this|these|those|it|they|them|he|she|his|her|him|its|their|one)\b", re.IGNORECASE)


def refers_back(question: str) -> bool:
    """Return whether a question speaks of something that was named before: "how long were these guns?"."""
    return _BACK_REFERENCE.search(question) is not None


def find_parallel_questions(plan: Plan, hops: Sequence[Hop]) -> tuple[str, ...]:
    """Return the questions that stand side by side in one, with the names that earlier ones found; empty where it is one question, where such a name
    is missing, and where a later one says too little alone ("… and at what price?")."""
    if plan.kind != "conjunction":
        return ()
    found = [fill_placeholders(each, hops) for each in plan.sub_queries]
    waits = [bool(each.dependencies) for each in plan.sub_queries]
    asked = tuple(text for text, _ in found)
    alone = all(waiting or len(content_words(each)) >= _LEAST_WORDS for each, waiting in zip(asked[1:], waits[1:], strict=True))
    return asked if alone and not any(missing for _, missing in found) else ()


def build_reasoning(plan: Plan, hops: Sequence[Hop]) -> Reasoning:
    """Return the trace in the order of the plan. The confidence is the weakest step's quality: a chain holds no better than that."""
    ordered = sorted(hops, key=lambda hop: (hop.sub_query.priority, hop.sub_query.id))
    steps = [
        ReasoningStep(id=hop.sub_query.id, asked=hop.asked, purpose=hop.sub_query.purpose, found=_describe_finding(hop, plan)) for hop in ordered
    ]
    confidence = round(min((hop.quality for hop in ordered), default=0.0), 4)
    return Reasoning(complexity=plan.complexity, kind=plan.kind, by=plan.by, confidence=confidence, reasoning_trace=steps)


def _describe_finding(hop: Hop, plan: Plan) -> str:
    if hop.bridge:
        return f"{hop.bridge}: “{hop.because}”"
    if is_needed(plan, hop.sub_query):
        return "No name stands clearly in what was found; the next step searched with the description instead."
    count = len(hop.retrieval.candidates)
    return f"{count} passage{'s' if count != 1 else ''} found." if count else "Nothing found."


def reasoning_with_citations(reasoning: Reasoning, hops: Sequence[Hop], answer: Answer) -> Reasoning:
    """Return the reasoning with the answer's citation numbers: those that stand where a hop found its bridge, for the others those whose document is
    among the hop's first five."""
    by_id = {hop.sub_query.id: hop for hop in hops}
    steps = [step.model_copy(update={"citations": _numbers(by_id.get(step.id), answer.citations)}) for step in reasoning.reasoning_trace]
    return reasoning.model_copy(update={"reasoning_trace": steps})


def _numbers(hop: Hop | None, citations: Sequence[Citation]) -> list[int]:
    if hop is None:
        return []
    if hop.citation is not None:
        return sorted(each.number for each in citations if _overlaps(each, hop.citation))
    documents = {candidate.document_id for candidate in hop.retrieval.candidates[:5]}
    return sorted(each.number for each in citations if each.document_id in documents)


def _overlaps(one: Citation, other: Citation) -> bool:
    return one.document_id == other.document_id and one.start < other.end and other.start < one.end
