"""The answer from evidence: written by a model where one answers, quoted otherwise, streamed either way."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.answers import Answer, Evidence
from core.citing import as_one_answer
from core.errors import ModelUnavailable
from core.ports import Writer
from core.prompts import Prompt
from core.search import Degradation
from orchestration.adapter import Tools
from orchestration.state import State


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be answered; `parts` are the questions that it holds, itself where it is one."""

    text: str
    parts: tuple[str, ...]


_PIECES = re.compile(r".+?(?:(?<=\])\s+|\n+|$)", re.DOTALL)


async def answer_from(
    question: Asked, evidence: Sequence[Evidence], state: State, tools: Tools, signals: Mapping[str, float]
) -> tuple[Answer, tuple[Degradation, ...]]:
    """The answer with its text already streamed. A model that breaks off is withdrawn and the quoted answer takes its place. `signals` are those of
    the search: with what the reader finds they tell whether a quoted answer is one."""
    writer = tools.deps.writer
    if writer is None or not state["model"].available:
        return await _quoted(question, evidence, tools, signals), ()
    try:
        return await written_by(writer, question.text, evidence, state, tools), ()
    except ModelUnavailable as error:
        tools.run.rewrite()
        lost = Degradation(part="model", reason=f"{error} The answer is quoted from the documents instead.")
        return await _quoted(question, evidence, tools, signals), (lost,)


def prompts_of(writer: Writer | None, answer: Answer) -> dict[str, str]:
    """The writing prompt's name and hash, where the model wrote this answer and tells its prompt."""
    prompt = getattr(writer, "prompt", None)
    return {prompt.name: prompt.sha} if writer is not None and isinstance(prompt, Prompt) and answer.generated_by == writer.name else {}


async def _quoted(asked: Asked, evidence: Sequence[Evidence], tools: Tools, signals: Mapping[str, float]) -> Answer:
    """Judged before a word of it is streamed: sentences can always be quoted, also where nothing answers. Questions in one are answered one by one,
    and what is said of each stands in one answer."""
    told, silent = list[Answer](), list[str]()
    for part in asked.parts:
        answer = await tools.deps.composer.compose(tools.run.tenant, part, evidence)
        if answer.found and tools.deps.probability({**signals, **answer.signals}) >= tools.deps.options.not_found_below:
            told.append(answer)
        else:
            silent.append(part)
    if told:
        notes = [f"Nothing was found about “{part}”" for part in silent]
        answer = as_one_answer(told) if len(told) > 1 else told[0]
        answer = answer.model_copy(update={"notes": [*answer.notes, *notes]})
        stream_text(answer.text, tools)
        return answer
    if not answer.found:
        return answer
    nothing = tools.deps.not_found_answer(asked.text, evidence)
    return nothing.model_copy(update={"signals": answer.signals, "degraded": answer.degraded})


def stream_text(text: str, tools: Tools) -> None:
    """A text that is there already, in pieces that end with their citations."""
    for piece in _PIECES.findall(text):
        tools.run.token(piece)


async def written_by(writer: Writer, question: str, evidence: Sequence[Evidence], state: State, tools: Tools) -> Answer:
    """The checked answer, streamed as it came. Raises ModelUnavailable; what was streamed by then is the caller's to withdraw."""
    stream = writer.write(tools.run.tenant, question, state["query"].history, evidence)
    checked: Answer | None = None
    try:
        async for piece in stream:
            if isinstance(piece, str):
                tools.run.token(piece)
            else:
                checked = piece
    finally:
        close = getattr(stream, "aclose", None)  # a generator that is left early must stop the model's call now, not when it is collected
        if close is not None:
            await close()
    if checked is None:
        raise ModelUnavailable(f"{writer.name} stopped without an answer.")
    return checked
