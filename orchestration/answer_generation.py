"""The answer from evidence: written by a model where one answers, quoted otherwise, streamed either way."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.answers import Answer, Evidence
from core.cited_answers import join_answers
from core.errors import ModelUnavailable
from core.language.content_words import stems
from core.language.figures import contradicts
from core.ports import Writer
from core.prompts import Prompt
from core.search import Degradation
from orchestration.node_adapter import Tools
from orchestration.state import State


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """The question that is to be answered; `parts` are the questions that it holds, itself where it is one. `found_name` is the name that the search
    for the first of them found, which later ones speak of; "" where they do not."""

    text: str
    parts: tuple[str, ...]
    found_name: str = ""


_PIECES = re.compile(r".+?(?:(?<=\])\s+|\n+|$)", re.DOTALL)


async def answer_from_evidence(
    question: AnswerRequest, evidence: Sequence[Evidence], state: State, tools: Tools, signals: Mapping[str, float]
) -> tuple[Answer, tuple[Degradation, ...]]:
    """Return the answer with its text already streamed. `signals` are those of the search: with what the reader finds they tell whether the documents
    answer at all, with a model as without: where they are silent nobody is asked to write.

    What a model began and could not finish is withdrawn and the quoted answer takes its place; so is a text that states another figure, or the
    opposite verdict, than the quoted answer, which knows which version holds.
    """
    quoted, leads = await _quote_answer(question, evidence, tools, signals)
    writer = tools.deps.writer
    if not quoted.found:
        return quoted, ()
    if writer is None or not state["model"].available:
        stream_text(quoted.text, tools)
        return quoted, ()
    try:
        written = await write_answer(writer, question.text, evidence, state, tools)
        if quoted.lead is not None and contradicts(written.text, quoted.lead.text):
            raise ModelUnavailable(f"What the model {writer.name} wrote differs from “{quoted.lead.text}”, which the documents say.")
        if missing := [lead for lead in leads if not stems(lead) <= stems(written.text)]:
            raise ModelUnavailable(f"What the model {writer.name} wrote leaves out “{missing[0]}”, which answers a part of the question.")
    except ModelUnavailable as error:
        tools.run.withdraw_text()
        stream_text(quoted.text, tools)
        return quoted, (Degradation(part="model", reason=f"{error} The answer is quoted from the documents instead."),)
    notes = list(dict.fromkeys([*written.notes, *quoted.notes]))
    return written.model_copy(update={"signals": quoted.signals, "notes": notes, "degraded": quoted.degraded}), ()


def writing_prompts(writer: Writer | None, answer: Answer) -> dict[str, str]:
    """Return the writing prompt's name and hash, where the model wrote this answer and names its prompt."""
    prompt = getattr(writer, "prompt", None)
    return {prompt.name: prompt.sha} if writer is not None and isinstance(prompt, Prompt) and answer.generated_by == writer.name else {}


async def _quote_answer(
    request: AnswerRequest, evidence: Sequence[Evidence], tools: Tools, signals: Mapping[str, float]
) -> tuple[Answer, tuple[str, ...]]:
    """Return the quoted answer, judged before a word of it is streamed: sentences can always be quoted, also where nothing answers. Questions in one
    are answered one by one, and what is said of each stands in one answer; with it come the leads of each, where there are several."""
    answers, silent, lost = list[Answer](), list[str](), list[Degradation]()
    named = request.found_name
    for place, asked_part in enumerate(request.parts):
        part = asked_part.replace(request.found_name, named) if place and named else asked_part
        answer = await tools.deps.composer.compose(tools.run.library, part, evidence)
        if answer.found and tools.deps.probability({**signals, **answer.signals}) >= tools.deps.options.not_found_below:
            answers.append(answer)
            if not place and named and answer.lead is not None:
                named = answer.lead.text  # what the answer says is surer than what the search went on with
        else:
            silent.append(part)
            lost += answer.degraded
    if answers:
        notes = [f"Nothing was found about “{part.strip(' ?.')}”." for part in silent]
        answer = join_answers(answers) if len(answers) > 1 else answers[0]
        leads = tuple(each.lead.text for each in answers if each.lead is not None) if len(answers) > 1 else ()
        return answer.model_copy(update={"notes": [*answer.notes, *notes], "degraded": list(dict.fromkeys([*answer.degraded, *lost]))}), leads
    if not answer.found:
        return answer, ()
    nothing = tools.deps.not_found_answer(request.text, evidence)
    return nothing.model_copy(update={"signals": answer.signals, "degraded": answer.degraded}), ()


def stream_text(text: str, tools: Tools) -> None:
    """Stream a text that is there already, in pieces that end with their citations."""
    for piece in _PIECES.findall(text):
        tools.run.stream_token(piece)


async def write_answer(writer: Writer, question: str, evidence: Sequence[Evidence], state: State, tools: Tools) -> Answer:
    """Return the checked answer, streamed as it came. Raises ModelUnavailable; what was streamed by then is the caller's to withdraw."""
    stream = writer.write(tools.run.library, question, state["query"].history, evidence)
    checked: Answer | None = None
    try:
        async for piece in stream:
            if isinstance(piece, str):
                tools.run.stream_token(piece)
            else:
                checked = piece
    finally:
        close = getattr(stream, "aclose", None)  # a generator that is left early must stop the model's call now, not when it is collected
        if close is not None:
            await close()
    if checked is None:
        raise ModelUnavailable(f"{writer.name} stopped without an answer.")
    return checked
