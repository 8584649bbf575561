"""The answer from evidence: written by a model where one answers, quoted otherwise, streamed either way."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.answers import Answer, Evidence
from core.errors import ModelUnavailable
from core.ports import Writer
from core.prompts import Prompt
from core.search import Degradation
from orchestration.adapter import Tools
from orchestration.state import State

_PIECES = re.compile(r".+?(?:(?<=\])\s+|\n+|$)", re.DOTALL)


async def answer_from(
    question: str, evidence: Sequence[Evidence], state: State, tools: Tools, signals: Mapping[str, float]
) -> tuple[Answer, tuple[Degradation, ...]]:
    """The answer with its text already streamed. A model that breaks off is withdrawn and the quoted answer takes its place. `signals` are those of
    the search: with what the reader finds they tell whether a quoted answer is one."""
    writer = tools.deps.writer
    if writer is None or not state["model"].available:
        return await _quoted(question, evidence, tools, signals), ()
    try:
        return await written_by(writer, question, evidence, state, tools), ()
    except ModelUnavailable as error:
        tools.run.rewrite()
        lost = Degradation(part="model", reason=f"{error} The answer is quoted from the documents instead.")
        return await _quoted(question, evidence, tools, signals), (lost,)


def prompts_of(writer: Writer | None, answer: Answer) -> dict[str, str]:
    """The writing prompt's name and hash, where the model wrote this answer and tells its prompt."""
    prompt = getattr(writer, "prompt", None)
    return {prompt.name: prompt.sha} if writer is not None and isinstance(prompt, Prompt) and answer.generated_by == writer.name else {}


async def _quoted(question: str, evidence: Sequence[Evidence], tools: Tools, signals: Mapping[str, float]) -> Answer:
    """Judged before a word of it is streamed: sentences can always be quoted, also where nothing answers."""
    answer = await tools.deps.composer.compose(tools.run.tenant, question, evidence)
    if answer.found and tools.deps.probability({**signals, **answer.signals}) < tools.deps.options.not_found_below:
        silent = tools.deps.not_found_answer(question, evidence)
        return silent.model_copy(update={"signals": answer.signals, "degraded": answer.degraded})
    if answer.found:
        stream_text(answer.text, tools)
    return answer


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
