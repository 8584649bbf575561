"""The written answer: a model writes from numbered evidence alone, and of what it writes only the sentences that their cited spans support are
shown."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, cast

from answers.citations.citation_numbers import Citations
from answers.citations.sentence_support import SupportCheck, SupportingSpan
from answers.generative.evidence_prompt import EVIDENCE_TOKENS, estimated_tokens, history_text, neutralise, passages_text
from answers.generative.written_sentences import SentenceReader, WrittenSentence, is_looping, is_refusal, nonsense
from answers.questions.answer_kinds import AnswerKind, answer_kind_of, holds_kind
from answers.scoring.unit_scores import TermIndex
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer, AnswerSentence, Evidence, Support
from core.cited_answers import cited_text
from core.errors import ModelUnavailable
from core.ports import ChatModel, ModelMessage, ModelReply
from core.prompts import Prompt

REPLY_TOKENS = 600  # the prompt asks for 150 words; other languages take twice the tokens of English
_WINDOW = 0.9  # of the model's window that is filled: its tokenizer is not ours
_LOOP_CHECK_CHARACTERS = 200  # characters between two looks for a loop
# A reply is about the question where it and its spans hold this part of the question's words that the passages hold, or mean as much.
_ABOUT, _NEAR = 0.6, 0.5
_SUPPORT_ORDER: tuple[Support, ...] = ("supported", "weak", "unsupported")


@dataclass(slots=True)
class _WrittenSoFar:
    """The part of a reply that has been shown so far, its spans' text, and how many sentences were left out."""

    citations: Citations
    sentences: list[AnswerSentence] = field(default_factory=list)
    spans: list[str] = field(default_factory=list)
    dropped_count: int = 0
    text: str = ""


class CitedWriter:
    """core.ports.Writer over a chat model. `prompt` is writer.md; its hash belongs into the trace."""

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
        """Yield the text sentence by sentence, each when it has been checked, and last the answer, whose numbers count cited spans, not passages.

        A sentence that nothing supports is neither shown nor part of the answer; a note counts them. Raises ModelUnavailable when the model is down
        or slow, returns nothing, loops, refuses or is garbled, where there is no evidence, and where what is left does not answer the question.
        """
        messages, shown = await self._make_messages(question, history, evidence)
        check = SupportCheck(self._vectors, self._index, tenant, evidence[:shown])
        so_far, reader = _WrittenSoFar(Citations(evidence[:shown])), SentenceReader(shown)
        text, looked, reply = "", 0, ModelReply("")
        async with aclosing(cast("Any", self._model.stream(messages, max_tokens=REPLY_TOKENS))) as pieces:
            async for piece in pieces:
                if isinstance(piece, ModelReply):
                    reply = piece
                    continue
                text += piece
                if len(text) - looked >= _LOOP_CHECK_CHARACTERS:
                    looked = len(text)
                    if is_looping(text):
                        break
                if more := await _add_supported(reader.feed(piece), so_far, check, shown):
                    yield more
        if reason := nonsense(text):
            raise ModelUnavailable(f"The model {self.name} {reason}.")
        if more := await _add_supported(reader.finish(), so_far, check, shown):
            yield more
        await self._require_answer(tenant, question, so_far, evidence[:shown])
        yield Answer(
            text=so_far.text,
            sentences=so_far.sentences,
            citations=so_far.citations.to_list(),
            generated_by=self.name,
            notes=_notes(so_far),
            tokens={"input": reply.input_tokens, "output": reply.output_tokens},
        )

    async def _make_messages(self, question: str, history: Sequence[tuple[str, str]], evidence: Sequence[Evidence]) -> tuple[list[ModelMessage], int]:
        """Return the prompt with as much evidence as the model's window holds beside its reply, and how many passages that are."""
        variables = {"history": history_text(history), "passages": "", "question": neutralise(question)}
        around = sum(estimated_tokens(part) for part in self._prompt.render(variables))
        room = int(_WINDOW * await self._model.context_tokens()) - REPLY_TOKENS - around
        passages, shown = passages_text(evidence, min(EVIDENCE_TOKENS, room))
        if not evidence:
            raise ModelUnavailable("There is no passage to write an answer from.")
        if not shown:
            raise ModelUnavailable(f"The window of the model {self.name} is too small for the question and a passage.")
        instruction, person = self._prompt.render({**variables, "passages": passages})
        return [ModelMessage("system", instruction), ModelMessage("user", person)], shown

    async def _require_answer(self, tenant: str, question: str, so_far: _WrittenSoFar, evidence: Sequence[Evidence]) -> None:
        """Raise ModelUnavailable where no sentence is left, or what is left is about something else than the question: true, and no answer."""
        if not so_far.sentences:
            raise ModelUnavailable(f"Nothing that the model {self.name} wrote is supported by the passages.")
        if answer_kind_of(question) is AnswerKind.REASON and not holds_kind(AnswerKind.REASON, so_far.text, frozenset()):
            raise ModelUnavailable(f"What the model {self.name} wrote gives no reason, which is asked for.")
        weights = await self._index.idf(tenant, question)
        passages = [f"{item.passage.content} {item.title} {' '.join(item.passage.section)}" for item in evidence]
        if self._weight_share(weights, [so_far.text, *so_far.spans]) >= _ABOUT * self._weight_share(weights, passages):
            return
        asked, said = await self._vectors.encode([question, so_far.text])
        if float(self._vectors.scale.rescale(asked @ said)) < _NEAR:
            raise ModelUnavailable(f"What the model {self.name} wrote is about something else than the question.")

    def _weight_share(self, weights: Mapping[str, float], texts: Sequence[str]) -> float:
        """Return the part of the weights whose terms stand in the texts, in their own unit."""
        terms = frozenset(self._index.terms(" ".join(texts)))
        return sum(weight for term, weight in weights.items() if term in terms)


async def _add_supported(sentences: Sequence[WrittenSentence], so_far: _WrittenSoFar, check: SupportCheck, passages: int) -> str:
    """Add the supported ones of further sentences; return the text that they add to what was shown."""
    before = so_far.text
    for written in sentences:
        if any(written.text == other.text for other in so_far.sentences):
            continue
        found = [] if is_refusal(written.text) else await _find_support(written, check, passages)
        if not found:
            so_far.dropped_count += 1
            continue
        so_far.sentences.append(_sentence(written, found, so_far.citations))
        so_far.spans += [check.context_words(item) for item in found]
    so_far.text = cited_text(so_far.sentences)
    return so_far.text[len(before) :]


async def _find_support(written: WrittenSentence, check: SupportCheck, passages: int) -> list[SupportingSpan]:
    """Return the spans that support a sentence, best first: of the passages that it names, or of all where it names none."""
    if written.cited_numbers:
        looked = [await check.find_best(written.text, [number - 1]) for number in written.cited_numbers]
    else:
        looked = [await check.find_best(written.text, range(passages))]
    found = [item for item in looked if item is not None and item.support != "unsupported"]
    return sorted(found, key=lambda item: (_SUPPORT_ORDER.index(item.support), -item.strength))


def _sentence(written: WrittenSentence, found: Sequence[SupportingSpan], citations: Citations) -> AnswerSentence:
    return AnswerSentence(
        text=written.text,
        citations=list(dict.fromkeys(citations.cite(item.source, item.start, item.end) for item in found)),
        support="weak" if written.has_invented else found[0].support,  # it also named a passage that does not exist
        score=found[0].strength,
        paragraph=written.paragraph,
        kind=written.kind,
    )


def _notes(so_far: _WrittenSoFar) -> list[str]:
    if not so_far.dropped_count:
        return []
    what = "1 sentence that the model wrote was" if so_far.dropped_count == 1 else f"{so_far.dropped_count} sentences that the model wrote were"
    return [f"{what} left out: the passages do not say so."]
