"""Sisyphus: what to try next when a retrieval is too weak, and which of the tries is the best.

The order depends on what failed: limits that Athena read from the words come off first, one at a time (never what the request itself asked for);
where nothing passed the minimum the search is widened; then another strategy, another wording, and last an expansion by the words of the best
passages. Every try is judged by the person's own question, so that a wording which finds itself more easily is not taken for a better answer.

Whether a try can win is known before it is made. The nearest cosine over all passages is a part of the judgement already; another search of the
same documents can only bring another passage to the first place, and measured over 1,000 questions every one that won stood second to fourth in the
first search. So the first passages are looked at (`Attempt.reach`): where none of them would answer better, standing first, the documents have
nothing nearer, their words are not those of the question, and searching again only costs time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from agents.query_filters import kinds_in_words
from agents.wording import content_words, names, quoted_phrases, tokens
from core.asking import ask
from core.errors import ModelUnavailable
from core.ports import ChatModel, KnowledgeGraph
from core.prompts import load_prompt
from core.reasoning import Attempt
from core.search import Degradation, Filters, Frozen, RetrievalRequest, Strategy

PROMPT = "retrieval_controller"
BETTER = 0.02  # by which a later try must be better than an earlier one
RELAXED_BETTER = 0.1  # the same where a limit was left out that the question names
NEAREST = 4  # passages of the first search, one of which a later try could bring to the first place
_EXPANSION = 4  # words
_TEXTS = 3  # passages that they come from


class WeakCase(Frozen):
    """A weak retrieval as Sisyphus sees it: the tries so far (the first is the search as it was meant), the filters that the request gave itself,
    which of strategy and mode it asked for, the names that the question holds, the texts of the best passages, the weights of the hybrid strategy,
    and the bounds of `best_try`."""

    attempts: list[Attempt]
    given: Filters = Field(default_factory=Filters)
    strategy_asked: bool = False
    mode_asked: bool = False
    entities: list[str] = Field(default_factory=list)
    texts: list[str] = Field(default_factory=list)
    hybrid: Strategy
    silent_below: float = 0.0
    sure_above: float = 0.0

    @property
    def may_gain(self) -> bool:
        """True if another order of what the documents hold could be chosen by `best_try`."""
        first, best = self.attempts[0], max(attempt.quality for attempt in self.attempts)
        if not first.retrieval.candidates:
            return True
        return first.reach >= (self.sure_above if best < self.silent_below else best + BETTER)

    @property
    def first(self) -> RetrievalRequest:
        return self.attempts[0].request

    @property
    def tried(self) -> set[str]:
        return {attempt.change for attempt in self.attempts}


class NextTry(Frozen):
    """The request of the next try and what it changes against the first one, in words; with what asking a model took."""

    request: RetrievalRequest
    change: str
    degraded: list[Degradation] = Field(default_factory=list)
    tokens: dict[str, int] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)


Make = Callable[[WeakCase], Awaitable[NextTry | None]]


class RewordReply(BaseModel):
    """The shape of the model's reply."""

    model_config = ConfigDict(extra="ignore")
    search_text: str = Field(min_length=1, max_length=300)


async def next_try(case: WeakCase, *, llm: ChatModel | None, graph: KnowledgeGraph | None = None) -> NextTry | None:
    """Return the first change that was not tried yet; None where nothing is left to change."""
    for found in _by_form(case):
        if found.change not in case.tried:
            return found
    lost: list[Degradation] = []
    if llm is not None and not any(change.startswith(_BY_MODEL) for change in case.tried):
        reworded = await _by_model(case, llm, lost)
        if reworded is not None:
            return reworded
    makes: list[Make] = [_named_as_known(graph), *([_key_words, _expanded] if case.may_gain else [])]
    for make in makes:
        again = await make(case)
        if again is not None and again.change not in case.tried:
            return again.model_copy(update={"degraded": lost})
    return None


def best_try(attempts: Sequence[Attempt], *, silent_below: float = 0.0, sure_above: float = 0.0) -> int:
    """Return the place of the best try. A later one must be clearly better, one that left out a limit more so.

    Where an earlier try found passages and their chance to answer is under `silent_below`, the same documents asked otherwise must reach
    `sure_above`: measured, what lies between is more often a question whose answer is absent than one that was asked badly.
    """
    best = 0
    for place, attempt in enumerate(attempts):
        before = attempts[best]
        limited = attempt.request.filters != before.request.filters
        margin = RELAXED_BETTER if limited else BETTER
        doubtful = not limited and bool(before.retrieval.candidates) and before.quality < silent_below and attempt.quality < sure_above
        if place and attempt.quality >= before.quality + margin and not doubtful:
            best = place
    return best


# -- limits, depth, strategy -------------------------------------------------------------------------------------------------------------


def _by_form(case: WeakCase) -> list[NextTry]:
    """Changes that leave the words alone, in the order in which they are tried."""
    found = [_made(case, {"filters": filters}, change) for filters, change in relaxed(case.first.filters, case.given)]
    widened = _widened(case)
    strategies = _strategies(case) if case.may_gain else []
    nothing = not case.attempts[0].retrieval.candidates
    return [*found, *widened, *strategies] if nothing else [*found, *strategies, *widened]


def relaxed(filters: Filters, given: Filters) -> list[tuple[Filters, str]]:
    """Return the filters with one limit less, for each limit that was read from the words; collections and chosen documents are never left."""
    found: list[tuple[Filters, str]] = []

    def without(change: str, **values: object) -> None:
        found.append((filters.model_copy(update=values), f"without the limit to {change}"))

    if (filters.modified_after, filters.modified_before) != (given.modified_after, given.modified_before):
        without("the time of the files", modified_after=given.modified_after, modified_before=given.modified_before)
    if filters.file_types != given.file_types:
        without(kinds_in_words(filters.file_types), file_types=given.file_types)
    if filters.path_prefix != given.path_prefix:
        without(f"the folder {filters.path_prefix}", path_prefix=given.path_prefix)
    if filters.doc_types != given.doc_types:
        without(f"documents of the kind {', '.join(filters.doc_types)}", doc_types=given.doc_types)
    if filters.languages != given.languages:
        without(f"the language {', '.join(filters.languages)}", languages=given.languages)
    return found


def _widened(case: WeakCase) -> list[NextTry]:
    """Twice as deep with half the minimum, where nothing came or the minimum left hardly anything: behind enough passages what it let go is never
    better (measured: 0 of 329 tries)."""
    found = case.attempts[0].retrieval
    dropped = any(report.dropped for report in found.reports)
    if case.mode_asked or len(found.candidates) >= NEAREST or (found.candidates and not dropped):
        return []
    return [_made(case, {"mode": "recall"}, "wider: twice as deep, with half the minimum")]


def _strategies(case: WeakCase) -> list[NextTry]:
    """Any strategy falls back to hybrid, where that searches otherwise; hybrid leans to the words where the question holds rare ones."""
    current = case.first.strategy
    if case.strategy_asked or not case.first.use_hybrid:
        return []
    if _searches_otherwise(case.hybrid, current):
        changed = case.hybrid.model_copy(update={"reason": f"{current.name.capitalize()} found too little.", "prefer_recent": current.prefer_recent})
        return [_made(case, {"strategy": changed}, f"hybrid instead of {current.name}")]
    if has_rare_words(case.first.text):
        leaning = current.model_copy(update={"lexical": 0.7, "dense": 0.3, "reason": "The question holds names or numbers: words weigh more."})
        return [_made(case, {"strategy": leaning}, "with more weight on the words")]
    return []


def _searches_otherwise(one: Strategy, other: Strategy) -> bool:
    """Whether two strategies weigh anything differently; "semantic" and "hybrid" do not by default."""
    return (one.lexical, one.dense, one.graph, one.time, one.min_score) != (other.lexical, other.dense, other.graph, other.time, other.min_score)


def has_rare_words(text: str) -> bool:
    """Return whether a text has names, identifiers, numbers, or quoted words: what is found by its letters."""
    return bool(names(text) or quoted_phrases(text) or any(character.isdigit() for character in text))


def _made(case: WeakCase, changes: dict[str, object], change: str) -> NextTry:
    return NextTry(request=case.first.model_copy(update=changes), change=change)


def _worded(case: WeakCase, text: str, change: str) -> NextTry | None:
    """The same search in other words, judged by the question; None where they are the same words."""
    question = case.first.question or case.first.text
    if not text.strip() or tokens(text) == tokens(case.first.text):
        return None
    return NextTry(request=case.first.model_copy(update={"text": text.strip(), "question": question}), change=change)


# -- other words -------------------------------------------------------------------------------------------------------------------------

_BY_MODEL = "reworded by "


async def _by_model(case: WeakCase, llm: ChatModel, lost: list[Degradation]) -> NextTry | None:
    prompt = load_prompt(PROMPT)
    nearest = "\n".join(f"- {' '.join(text.split())[:300]}" for text in case.texts[:_TEXTS]) or "(nothing)"
    try:
        asked = await ask(llm, prompt, {"question": case.first.text, "nearest": nearest}, RewordReply, share=0.25)
    except ModelUnavailable as error:
        lost.append(Degradation(part="correct", reason=f"{error} The question was reworded by rules."))
        return None
    text = asked.reply.search_text
    missing = [name for name in names(case.first.text) if name.lower() not in text.lower()]
    found = _worded(case, " ".join([text, *missing]), f"{_BY_MODEL}{llm.name}: “{text}”")
    spent = {"tokens": {"input": asked.input_tokens, "output": asked.output_tokens}, "prompts": {prompt.name: prompt.sha}}
    return found.model_copy(update=spent) if found else None


def _named_as_known(graph: KnowledgeGraph | None) -> Make:
    """Names of the question as the library writes them: misspelt ones put right, others with their other names beside them."""

    async def make(case: WeakCase) -> NextTry | None:
        if graph is None:
            return None
        text, told = case.first.text, []
        for match in await graph.match(case.first.tenant, case.entities, text, limit=4):
            if match.how == "fuzzy" and match.matched.lower() in text.lower():
                place = text.lower().index(match.matched.lower())
                text = f"{text[:place]}{match.entity.name}{text[place + len(match.matched) :]}"
                told.append(f"“{match.entity.name}” for “{match.matched}”")
            elif case.may_gain:
                others = [name for name in [match.entity.name, *match.entity.aliases] if name.lower() not in text.lower()][:2]
                text = " ".join([text, *others])
                told += [f"also “{name}”" for name in others]
        return _worded(case, text, f"names as the library writes them: {', '.join(told)}") if told else None

    return make


async def _key_words(case: WeakCase) -> NextTry | None:
    words = content_words(case.first.text)
    text = " ".join(dict.fromkeys([*words, *(phrase for phrase in quoted_phrases(case.first.text))]))
    return _worded(case, text, f"the key words alone: “{text}”") if len(words) > 1 else None


async def _expanded(case: WeakCase) -> NextTry | None:
    """With words of the best passages beside the question's (Rocchio 1971, with the question's weight kept by repeating nothing of theirs)."""
    words = expansion_words(case.first.text, case.texts)
    return _worded(case, f"{case.first.text} {' '.join(words)}", f"with words of the best passages: {', '.join(words)}") if words else None


def expansion_words(question: str, texts: Sequence[str]) -> list[str]:
    """Return the words that most of the passages share and the question lacks."""
    known = set(tokens(question))
    counts = Counter(word for text in texts[:_TEXTS] for word in set(content_words(text)) if len(word) > 3 and word not in known and word.isalpha())
    shared = [(word, count) for word, count in counts.items() if count >= 2]
    return [word for word, _ in sorted(shared, key=lambda pair: (-pair[1], pair[0]))[:_EXPANSION]]
