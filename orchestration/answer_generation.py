"""The answer from evidence: written by a model where one answers, quoted otherwise, streamed either way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.planner.agent import find_parallel_questions
from core.answers import OPEN_TABLE, OTHER_KIND, Answer, Evidence
from core.cited_answers import join_answers
from core.errors import ModelUnavailable
from core.language.content_words import stems
from core.language.figures import contradicts
from core.ports import Composer, Writer
from core.prompts import Prompt
from core.search import Degradation
from orchestration.answer_chance import judged_signals
from orchestration.changed_clauses import CHANGES_STAGE
from orchestration.events import AnswerStream
from orchestration.passages import ReadPassages
from orchestration.question_text import question_to_answer
from orchestration.quoted_parts import PartQuoter
from orchestration.state import State
from orchestration.uncomputed_answers import mark_answer

_LONG = 25  # words
_MIN_READING_SHARE = 0.07  # of the least probability of an answer: below it the passages are not even read for one


@dataclass(frozen=True, slots=True)
class AnswerPorts:
    """The ports and bounds of an answer from evidence. `probability` maps signals to the chance that the documents answer; below `least` they do
    not. At most `passages` are read, best first."""

    composer: Composer
    writer: Writer | None
    stream: AnswerStream
    probability: Callable[[Mapping[str, float]], float]
    not_found_answer: Callable[[str, Sequence[Evidence]], Answer]
    least: float
    passages: int


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """What is to be answered; `parts` are the questions that it holds, itself where it is one. `found` is the name that the search for the first
    of them found, which later ones speak of; "" where they do not."""

    text: str
    parts: tuple[str, ...]
    found_name: str = ""


class StreamedAnswer(NamedTuple):
    """An answer whose text is streamed already, the parts that did not write it as configured, and the prompts that did by name."""

    answer: Answer
    degraded: tuple[Degradation, ...]
    prompts: dict[str, str]


async def answer_question(state: State, read: ReadPassages, aside: Answer | None, *, ports: AnswerPorts) -> StreamedAnswer:
    """Answer from the passages; what is to be said `aside` of a table stands behind an answer that was found, or alone."""
    answer, degraded = await _answer(state, read, ports)
    prompts = writing_prompts(ports.writer, answer)
    if aside is None:
        return StreamedAnswer(answer, degraded, prompts)
    if not answer.found:  # the table that would answer is there: what it leaves open helps more than "not found"
        ports.stream.show(aside.text)
        return StreamedAnswer(aside.model_copy(update={"signals": {OPEN_TABLE: 1.0}}), degraded, prompts)
    ports.stream.show(f"\n\n{aside.text}")
    # The question asks for a figure of a table, and which one is open: what the text says instead may be something else.
    signals = answer.signals if answer.lead is not None else answer.signals | {OTHER_KIND: 1.0}
    joined = join_answers([answer.model_copy(update={"signals": signals}), aside.model_copy(update={"signals": signals})])
    return StreamedAnswer(joined, degraded, prompts)


async def _answer(state: State, read: ReadPassages, ports: AnswerPorts) -> tuple[Answer, tuple[Degradation, ...]]:
    """Make the answer from the best passages and those that change them; where the search seems to have found nothing, that it is not found."""
    question, signals, evidence = question_to_answer(state), judged_signals(state, read.retrieval), read.gathered.evidence
    told_long = len(question.split()) >= _LONG  # the search's signals say little of a question that tells more than it asks
    least = ports.least * _MIN_READING_SHARE * (not told_long)
    if not evidence or not state["retrieval"].candidates or ports.probability(signals) < least:
        return ports.not_found_answer(question, evidence), ()
    hops = state.get("hops", [])
    parts = find_parallel_questions(state["plan"], hops) if "plan" in state else ()
    asked = AnswerRequest(question, parts or (question,), next((made.bridge for made in hops if made.bridge), "") if parts else "")
    changes = next((report.left - report.entered for report in read.retrieval.reports if report.stage == CHANGES_STAGE), 0)
    first = evidence[: min(ports.passages, len(evidence) - changes)]
    read_by = [*first, *evidence[len(evidence) - changes :]]
    answer, degraded = await answer_from_evidence(asked, read_by, state, ports, signals)
    note = _note_on_words(state, question)
    if answer.found or not note:
        return answer, degraded
    return await _answer_as_asked(answer, read_by, state, ports, signals, note)


def _note_on_words(state: State, answered: str) -> str:
    """Return what is said of an answer in the person's own words where the question was answered in others: in English, or as the last step of a
    plan. "" where it was not."""
    if state["classification"].is_translated:
        return "The question is answered in the words in which it was asked: read in English no answer to it was found."
    if any(made.bridge for made in state.get("hops", [])) and answered != (state["classification"].read_as or state["query"].text):
        return f"The question is answered as it was asked: asked in steps, the last one “{answered}”, no answer to it was found."
    return ""


async def _answer_as_asked(
    silent: Answer, evidence: Sequence[Evidence], state: State, ports: AnswerPorts, signals: Mapping[str, float], note: str
) -> tuple[Answer, tuple[Degradation, ...]]:
    """Answer the question in the words in which it was asked, where others found no answer (`silent`): English ones by a list may be clumsy, and a
    step may have gone on with a wrong name. Passages in another language are compared with the question across languages then."""
    found = state["classification"]
    text = state["query"].text if found.is_translated else found.read_as or state["query"].text
    answer, degraded = await answer_from_evidence(AnswerRequest(text, (text,)), evidence, state, ports, signals)
    if not answer.found:
        return (silent if found.is_translated else answer), ()
    return answer.model_copy(update={"notes": [*answer.notes, note]}), degraded


async def answer_from_evidence(
    question: AnswerRequest, evidence: Sequence[Evidence], state: State, ports: AnswerPorts, signals: Mapping[str, float]
) -> tuple[Answer, tuple[Degradation, ...]]:
    """Return the answer with its text already streamed. `signals` are those of the search: with what the reader finds they tell whether the documents
    answer at all, with a model as without: where they are silent nobody is asked to write.

    What a model began and could not finish is withdrawn and the quoted answer takes its place; so is a text that states another figure, or the
    opposite verdict, than the quoted answer, which knows which version holds. One of the figures that a question wants compared vetoes nothing.
    """
    quoted, leads = await _quote_answer(question, evidence, state["query"].tenant, ports, signals)
    writer, shown = ports.writer, mark_answer(state, quoted)
    if not quoted.found:
        return quoted, ()
    if writer is None or not state["model"].available:
        ports.stream.show(shown.text)
        return shown, ()
    if shown is not quoted:
        leads = ()
    try:
        written = await write_answer(writer, question.text, evidence, state, ports.stream)
        if shown.lead is not None and contradicts(written.text, shown.lead.text):
            raise ModelUnavailable(f"What the model {writer.name} wrote differs from “{shown.lead.text}”, which the documents say.")
        if missing := [lead for lead in leads if not stems(lead) <= stems(written.text)]:
            raise ModelUnavailable(f"What the model {writer.name} wrote leaves out “{missing[0]}”, which answers a part of the question.")
    except ModelUnavailable as error:
        ports.stream.withdraw_text()
        ports.stream.show(shown.text)
        return shown, (Degradation(part="model", reason=f"{error} The answer is quoted from the documents instead."),)
    notes = list(dict.fromkeys([*written.notes, *quoted.notes]))
    return written.model_copy(update={"signals": quoted.signals, "notes": notes, "degraded": quoted.degraded}), ()


def writing_prompts(writer: Writer | None, answer: Answer) -> dict[str, str]:
    """Return the writing prompt's name and hash, where the model wrote this answer and tells its prompt."""
    prompt = getattr(writer, "prompt", None)
    return {prompt.name: prompt.sha} if writer is not None and isinstance(prompt, Prompt) and answer.generated_by == writer.name else {}


async def _quote_answer(
    asked: AnswerRequest, evidence: Sequence[Evidence], tenant: str, ports: AnswerPorts, signals: Mapping[str, float]
) -> tuple[Answer, tuple[str, ...]]:
    """Quote an answer, judged before a word of it is streamed: sentences can always be quoted, also where nothing answers."""
    quoter = PartQuoter(ports.composer, tenant, ports.probability, ports.least, signals)
    quoted = await quoter.quote_all(asked.parts, asked.found_name, evidence)
    answer = quoted.answer
    if quoted.is_told or not answer.found:
        return answer, quoted.leads
    nothing = ports.not_found_answer(asked.text, evidence)
    return nothing.model_copy(update={"signals": answer.signals, "degraded": answer.degraded}), ()


async def write_answer(writer: Writer, question: str, evidence: Sequence[Evidence], state: State, shown: AnswerStream) -> Answer:
    """Return the checked answer, streamed as it came. Raises ModelUnavailable; what was streamed by then is the caller's to withdraw."""
    stream = writer.write(state["query"].tenant, question, state["query"].history, evidence)
    checked: Answer | None = None
    try:
        async for piece in stream:
            if isinstance(piece, str):
                shown.stream_token(piece)
            else:
                checked = piece
    finally:
        close = getattr(stream, "aclose", None)  # a generator that is left early must stop the model's call now, not when it is collected
        if close is not None:
            await close()
    if checked is None:
        raise ModelUnavailable(f"{writer.name} stopped without an answer.")
    return checked
