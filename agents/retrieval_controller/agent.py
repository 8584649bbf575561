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

from agents.text.query_filters import ALL_SUFFIXES, ALL_TYPES, doc_types_in_words, kinds_in_words, leaves_out
from agents.text.question_words import content_words, find_names, quoted_phrases, tokens
from core.errors import ModelUnavailable
from core.ports import ChatModel, KnowledgeGraph
from core.prompts import load_prompt
from core.reasoning import Attempt
from core.search import Degradation, Filters, FrozenModel, RetrievalRequest, Strategy
from core.structured_output import ask_model

PROMPT = "retrieval_controller"
LEAST_GAIN = 0.02  # by which a later try must be better than an earlier one
LEAST_RELAXED_GAIN = 0.1  # the same where a limit was left out that the question names
NEAREST_PASSAGES = 4  # passages of the first search, one of which a later try could bring to the first place
_MOST_EXPANSION_WORDS = 4  # words
_EXPANSION_PASSAGES = 3  # passages that they come from


class WeakRetrieval(FrozenModel):
    """A weak retrieval as Sisyphus sees it: the tries so far (the first is the search as it was meant), the filters that the request gave itself,
    which of strategy and mode it asked for, the names that the question holds, the texts of the best passages, the weights of the hybrid strategy,
    whether the plan's other wordings are tried, and the bounds of `best_try`."""

    attempts: list[Attempt]
    given_filters: Filters = Field(default_factory=Filters)
    strategy_asked: bool = False
    mode_asked: bool = False
    entities: list[str] = Field(default_factory=list)
    texts: list[str] = Field(default_factory=list)
    hybrid: Strategy
    routes: bool = False
    silent_below: float = 0.0
    sure_above: float = 0.0

    @property
    def may_gain(self) -> bool:
        """True if another order of what the documents hold could be chosen by `best_try`."""
        first, best = self.attempts[0], max(attempt.quality for attempt in self.attempts)
        if not first.retrieval.candidates:
            return True
        return first.reach >= (self.sure_above if best < self.silent_below else best + LEAST_GAIN)

    @property
    def first_request(self) -> RetrievalRequest:
        return self.attempts[0].request

    @property
    def tried_changes(self) -> set[str]:
        return {attempt.change for attempt in self.attempts}


class NextTry(FrozenModel):
    """The request of the next try and what it changes against the first one, in words; with what asking a model took."""

    request: RetrievalRequest
    change: str
    degraded: list[Degradation] = Field(default_factory=list)
    tokens: dict[str, int] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)


TryMaker = Callable[[WeakRetrieval], Awaitable[NextTry | None]]


class RewordReply(BaseModel):
    """The shape of the model's reply."""

    model_config = ConfigDict(extra="ignore")
    search_text: str = Field(min_length=1, max_length=300)


async def next_try(case: WeakRetrieval, *, llm: ChatModel | None, graph: KnowledgeGraph | None = None) -> NextTry | None:
    """Return the first change that was not tried yet; None where nothing is left to change."""
    for found in _list_form_changes(case):
        if found.change not in case.tried_changes:
            return found
    lost: list[Degradation] = []
    if llm is not None and not any(change.startswith(_MODEL_CHANGE) for change in case.tried_changes):
        reworded = await _reword_by_model(case, llm, lost)
        if reworded is not None:
            return reworded
    makes: list[TryMaker] = [_make_name_corrector(graph), *([_expand_by_plan, _key_words, _expand_query] if case.may_gain else [])]
    for make in makes:
        again = await make(case)
        if again is not None and again.change not in case.tried_changes:
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
        margin = LEAST_RELAXED_GAIN if limited else LEAST_GAIN
        doubtful = not limited and bool(before.retrieval.candidates) and before.quality < silent_below and attempt.quality < sure_above
        if place and attempt.quality >= before.quality + margin and not doubtful:
            best = place
    return best


# -- limits, depth, strategy -------------------------------------------------------------------------------------------------------------


def _list_form_changes(case: WeakRetrieval) -> list[NextTry]:
    """Changes that leave the words alone, in the order in which they are tried."""
    found = [_make_try(case, {"filters": filters}, change) for filters, change in relax_filters(case.first_request.filters, case.given_filters)]
    widened = _widen_search(case)
    strategies = _strategies(case) if case.may_gain else []
    nothing = not case.attempts[0].retrieval.candidates
    return [*found, *widened, *strategies] if nothing else [*found, *strategies, *widened]


def relax_filters(filters: Filters, given: Filters) -> list[tuple[Filters, str]]:
    """Return the filters with one limit less, for each limit that was read from the words; collections, chosen documents, and kinds that were to be
    left out are never given up."""
    found: list[tuple[Filters, str]] = []

    def without(change: str, **values: object) -> None:
        found.append((filters.model_copy(update=values), f"without the limit to {change}"))

    if (filters.modified_after, filters.modified_before) != (given.modified_after, given.modified_before):
        without("the time of the files", modified_after=given.modified_after, modified_before=given.modified_before)
    if filters.file_types != given.file_types and not leaves_out(filters.file_types, ALL_SUFFIXES):
        without(kinds_in_words(filters.file_types), file_types=given.file_types)
    if filters.path_prefix != given.path_prefix:
        without(f"the folder {filters.path_prefix}", path_prefix=given.path_prefix)
    if filters.doc_types != given.doc_types and not leaves_out(filters.doc_types, ALL_TYPES):
        without(doc_types_in_words(filters.doc_types), doc_types=given.doc_types)
    if filters.languages != given.languages:
        without(f"the language {', '.join(filters.languages)}", languages=given.languages)
    return found


def _widen_search(case: WeakRetrieval) -> list[NextTry]:
    """Twice as deep with half the minimum, where nothing came or the minimum left hardly anything: behind enough passages what it let go is never
    better (measured: 0 of 329 tries)."""
    found = case.attempts[0].retrieval
    dropped = any(report.dropped for report in found.reports)
    if case.mode_asked or len(found.candidates) >= NEAREST_PASSAGES or (found.candidates and not dropped):
        return []
    return [_make_try(case, {"mode": "recall"}, "wider: twice as deep, with half the minimum")]


def _strategies(case: WeakRetrieval) -> list[NextTry]:
    """Any strategy falls back to hybrid, where that searches otherwise; hybrid leans to the words where the question holds rare ones."""
    current = case.first_request.strategy
    if case.strategy_asked or not case.first_request.use_hybrid:
        return []
    if _searches_otherwise(case.hybrid, current):
        changed = case.hybrid.model_copy(update={"reason": f"{current.name.capitalize()} found too little.", "prefer_recent": current.prefer_recent})
        return [_make_try(case, {"strategy": changed}, f"hybrid instead of {current.name}")]
    if has_rare_words(case.first_request.text):
        leaning = current.model_copy(update={"lexical": 0.7, "dense": 0.3, "reason": "The question holds names or numbers: words weigh more."})
        return [_make_try(case, {"strategy": leaning}, "with more weight on the words")]
    return []


def _searches_otherwise(one: Strategy, other: Strategy) -> bool:
    """Return whether two strategies weigh anything differently; "semantic" and "hybrid" do not by default."""
    return (one.lexical, one.dense, one.graph, one.time, one.min_score) != (other.lexical, other.dense, other.graph, other.time, other.min_score)


def has_rare_words(text: str) -> bool:
    """Return whether a text has names, identifiers, numbers, or quoted words: what is found by its letters."""
    return bool(find_names(text) or quoted_phrases(text) or any(character.isdigit() for character in text))


def _make_try(case: WeakRetrieval, changes: dict[str, object], change: str) -> NextTry:
    return NextTry(request=case.first_request.model_copy(update=changes), change=change)


def _reword(case: WeakRetrieval, text: str, change: str) -> NextTry | None:
    """The same search in other words, judged by the question; None where they are the same words."""
    question = case.first_request.question or case.first_request.text
    if not text.strip() or tokens(text) == tokens(case.first_request.text):
        return None
    return NextTry(request=case.first_request.model_copy(update={"text": text.strip(), "question": question}), change=change)


# -- other words -------------------------------------------------------------------------------------------------------------------------

_MODEL_CHANGE = "reworded by "


async def _reword_by_model(case: WeakRetrieval, llm: ChatModel, lost: list[Degradation]) -> NextTry | None:
    prompt = load_prompt(PROMPT)
    nearest = "\n".join(f"- {' '.join(text.split())[:300]}" for text in case.texts[:_EXPANSION_PASSAGES]) or "(nothing)"
    try:
        asked = await ask_model(llm, prompt, {"question": case.first_request.text, "nearest": nearest}, RewordReply, share=0.25)
    except ModelUnavailable as error:
        lost.append(Degradation(part="correct", reason=f"{error} The question was reworded by rules."))
        return None
    text = asked.reply.search_text
    missing = [name for name in find_names(case.first_request.text) if name.lower() not in text.lower()]
    found = _reword(case, " ".join([text, *missing]), f"{_MODEL_CHANGE}{llm.name}: “{text}”")
    spent = {"tokens": {"input": asked.input_tokens, "output": asked.output_tokens}, "prompts": {prompt.name: prompt.sha}}
    return found.model_copy(update=spent) if found else None


def _make_name_corrector(graph: KnowledgeGraph | None) -> TryMaker:
    """Names of the question as the library writes them: misspelt ones put right, others with their other names beside them."""

    async def make(case: WeakRetrieval) -> NextTry | None:
        if graph is None:
            return None
        text, renamed = case.first_request.text, []
        for match in await graph.match(case.first_request.tenant, case.entities, text, limit=4):
            if match.how == "fuzzy" and match.matched.lower() in text.lower():
                place = text.lower().index(match.matched.lower())
                text = f"{text[:place]}{match.entity.name}{text[place + len(match.matched) :]}"
                renamed.append(f"“{match.entity.name}” for “{match.matched}”")
            elif case.may_gain:
                others = [name for name in [match.entity.name, *match.entity.aliases] if name.lower() not in text.lower()][:2]
                text = " ".join([text, *others])
                renamed += [f"also “{name}”" for name in others]
        return _reword(case, text, f"names as the library writes them: {', '.join(renamed)}") if renamed else None

    return make


async def _expand_by_plan(case: WeakRetrieval) -> NextTry | None:
    """In the words of the documents that the question speaks of."""
    plan = case.first_request.query_plan if case.routes else None
    texts = plan.expanded_queries if plan is not None else []
    return _reword(case, texts[0], f"in the words of such documents: “{texts[0]}”") if texts else None


async def _key_words(case: WeakRetrieval) -> NextTry | None:
    words = content_words(case.first_request.text)
    text = " ".join(dict.fromkeys([*words, *(phrase for phrase in quoted_phrases(case.first_request.text))]))
    return _reword(case, text, f"the key words alone: “{text}”") if len(words) > 1 else None


async def _expand_query(case: WeakRetrieval) -> NextTry | None:
    """With words of the best passages beside the question's (Rocchio 1971, with the question's weight kept by repeating nothing of theirs)."""
    words = expansion_words(case.first_request.text, case.texts)
    return _reword(case, f"{case.first_request.text} {' '.join(words)}", f"with words of the best passages: {', '.join(words)}") if words else None


def expansion_words(question: str, texts: Sequence[str]) -> list[str]:
    """Return the words that most of the passages share and the question lacks."""
    known = set(tokens(question))
    counts = Counter(
        word for text in texts[:_EXPANSION_PASSAGES] for word in set(content_words(text)) if len(word) > 3 and word not in known and word.isalpha()
    )
    shared = [(word, count) for word, count in counts.items() if count >= 2]
    return [word for word, _ in sorted(shared, key=lambda pair: (-pair[1], pair[0]))[:_MOST_EXPANSION_WORDS]]
