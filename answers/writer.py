"""The written answer: a model writes from numbered evidence alone, and every sentence is then checked against the span that it cites."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any, cast

from answers.citation import Citations
from answers.evidence_prompt import history_text, neutral, passages_text
from answers.scoring import TermIndex
from answers.support import Found, SupportCheck
from answers.vectors import UnitVectors
from answers.written import WrittenSentence, is_looping, nonsense, read_sentences
from core.answers import Answer, AnswerSentence, Evidence, Support
from core.citing import cited_text
from core.errors import ModelUnavailable
from core.ports import ChatModel, ModelMessage, ModelReply
from core.prompts import Prompt

_LOOK_EVERY = 200  # characters between two looks for a loop
_ORDER: tuple[Support, ...] = ("supported", "weak", "unsupported")


class CitedWriter:
    """core.ports.Writer over a chat model. `prompt` is agents/prompts/writer.md; its hash belongs into the trace."""

    def __init__(self, model: ChatModel, prompt: Prompt, vectors: UnitVectors, index: TermIndex) -> None:
        self._model = model
        self._prompt = prompt
        self._vectors = vectors
        self._index = index

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def prompt(self) -> Prompt:
        return self._prompt

    async def write(
        self, tenant: str, question: str, history: Sequence[tuple[str, str]], evidence: Sequence[Evidence]
    ) -> AsyncIterator[str | Answer]:
        """Yields the text as it comes and last the checked answer, whose numbers count cited spans, not passages.

        Raises ModelUnavailable when the model is down or slow, returns nothing, loops, refuses or is garbled, and where there is no evidence.
        """
        messages, shown = self._messages(question, history, evidence)
        text, looked = "", 0
        reply = ModelReply("")
        async with aclosing(cast("Any", self._model.stream(messages))) as pieces:
            async for piece in pieces:
                if isinstance(piece, ModelReply):
                    reply = piece
                    continue
                text += piece
                if len(text) - looked >= _LOOK_EVERY:
                    looked = len(text)
                    if is_looping(text):
                        break
                yield piece
        if reason := nonsense(text):
            raise ModelUnavailable(f"The model {self.name} {reason}. The answer was quoted from the documents instead.")
        yield await self._checked(tenant, text, evidence[:shown], reply)

    def _messages(self, question: str, history: Sequence[tuple[str, str]], evidence: Sequence[Evidence]) -> tuple[list[ModelMessage], int]:
        passages, shown = passages_text(evidence)
        if not shown:
            raise ModelUnavailable("There is no passage to write an answer from.")
        variables = {"history": history_text(history), "passages": passages, "question": neutral(question)}
        instruction, person = self._prompt.render(variables)
        return [ModelMessage("system", instruction), ModelMessage("user", person)], shown

    async def _checked(self, tenant: str, text: str, evidence: Sequence[Evidence], reply: ModelReply) -> Answer:
        check = SupportCheck(self._vectors, self._index, tenant, evidence)
        citations = Citations(evidence)
        sentences = [await _check(sentence, check, citations, len(evidence)) for sentence in read_sentences(text, len(evidence))]
        if not sentences:
            raise ModelUnavailable(f"The model {self.name} returned no sentence.")
        return Answer(
            text=cited_text(sentences),
            sentences=sentences,
            citations=citations.listed(),
            generated_by=self.name,
            notes=_notes(sentences),
            tokens={"input": reply.input_tokens, "output": reply.output_tokens},
        )


async def _check(written: WrittenSentence, check: SupportCheck, citations: Citations, passages: int) -> AnswerSentence:
    """The sentence with its citations narrowed to the spans that support it best; without a mark of its own, against all passages."""
    if written.cited:
        found = [best for number in written.cited if (best := await check.best(written.text, [number - 1])) is not None]
    else:
        best = await check.best(written.text, range(passages))
        found = [best] if best is not None and best.support != "unsupported" else []
    found.sort(key=lambda item: (_ORDER.index(item.support), -item.strength))
    support: Support = found[0].support if found else "unsupported"
    if written.invented and support == "supported":
        support = "weak"  # it also named a passage that does not exist
    return AnswerSentence(
        text=written.text,
        citations=_numbers([item for item in found if item.support != "unsupported"] or found, citations),
        support=support,
        score=found[0].strength if found else 0.0,
        paragraph=written.paragraph,
        kind=written.kind,
    )


def _numbers(found: Sequence[Found], citations: Citations) -> list[int]:
    return list(dict.fromkeys(citations.cite(item.source, item.start, item.end) for item in found))


def _notes(sentences: Sequence[AnswerSentence]) -> list[str]:
    bare = sum(sentence.support == "unsupported" for sentence in sentences)
    if not bare:
        return []
    return [f"{bare} of {len(sentences)} {'sentence is' if len(sentences) == 1 else 'sentences are'} not supported by the cited passages."]
