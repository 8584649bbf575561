"""The extractive answer: the documents' own sentences, chosen, mended and cited; no model writes a word of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answers.answerability import not_found_answer
from answers.citation import Citations, joined
from answers.crossing import CrossedUnits, Crossing, crossing_bounds
from answers.mending import Line, Mender
from answers.scoring import Question, ScoredUnit, TermIndex, prepare, score_units
from answers.selection import Bounds, choose, promising, superseding
from answers.short import highlight
from answers.units import split_units
from answers.vectors import UnitVectors
from core.answers import Answer, AnswerSentence, Evidence
from core.documents import BlockKind, describer_in

PASSAGES = 10
ENCODED = 16  # units a question; the answers are those of encoding all, with 12 or 8 HotpotQA loses three and ten in a hundred
CONFIDENT = 0.7  # of the question in a sentence whose short answer is marked; right in .8 (SQuAD) to .9 (XQuAD), in a third of multi-hop questions

_MAIL_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)


class ExtractiveComposer:
    """core.ports.Composer over the first ten passages of the evidence."""

    def __init__(self, vectors: UnitVectors, index: TermIndex, bounds: Bounds, crossing: Crossing | None = None) -> None:
        self._vectors = vectors
        self._index = index
        self._bounds = bounds
        self._crossing = crossing

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        """An answer of `quoted` sentences; `found` False where the evidence holds nothing that can be quoted."""
        evidence = list(evidence[:PASSAGES])
        units = split_units(evidence)
        if not units:
            return not_found_answer(question, evidence)
        prepared = await prepare(self._index, tenant, question, question if self._crossing is None else await self._crossing.words(tenant, question))
        units_of = score_units(prepared, self._index, evidence, units)
        crossed = await self._crossed(tenant, question, evidence, units_of)
        scored = crossed.scored if crossed.whole else await self._with_cosines(question, crossed)
        silent = crossed.whole and not crossed.in_words
        bounds = crossing_bounds(self._bounds) if silent else self._bounds
        chosen = choose(prepared, scored, bounds)
        if not chosen:
            return not_found_answer(question, evidence)
        chosen = superseding(chosen, scored, bounds)
        answer = _answer(prepared, evidence, Mender(prepared, evidence, scored, bounds, words_tell=not silent).lines(chosen))
        return answer if crossed.degraded is None else answer.model_copy(update={"degraded": [*answer.degraded, crossed.degraded]})

    async def _crossed(self, tenant: str, question: str, evidence: Sequence[Evidence], scored: list[ScoredUnit]) -> CrossedUnits:
        return CrossedUnits(scored) if self._crossing is None else await self._crossing.score(tenant, question, evidence, scored)

    async def _with_cosines(self, question: str, crossed: CrossedUnits) -> list[ScoredUnit]:
        """Encodes the promising ones of the units that are not crossed."""
        scored = crossed.scored
        places = [place for place in promising(scored, ENCODED + len(crossed.crossed)) if place not in crossed.crossed][:ENCODED]
        matrix = await self._vectors.of([scored[place].unit.text for place in places])
        cosines = self._vectors.scale.scaled(matrix @ await self._vectors.query(question))
        out = list(scored)
        for place, cosine in zip(places, cosines, strict=True):
            out[place] = scored[place].with_cosine(float(cosine))
        return out


def _answer(question: Question, evidence: Sequence[Evidence], lines: Sequence[Line]) -> Answer:
    citations = Citations(evidence)
    best = max((line for line in lines if line.lex > 0), key=lambda line: line.score, default=None)
    told = [_with_describer(evidence, before, line) for before, line in zip([None, *lines], lines, strict=False)]
    sentences = [
        _sentence(question, evidence, line, citations, mark=before is best and before.lex >= CONFIDENT)
        for before, line in zip(lines, told, strict=True)
    ]
    return Answer(text=joined(sentences), sentences=sentences, citations=citations.listed())


def _with_describer(evidence: Sequence[Evidence], before: Line | None, line: Line) -> Line:
    """What a vision model says of a picture is shown as its words, never as the file's; once for sentences that follow one another."""
    model = describer_in(evidence[line.source].passage.section)
    if line.kind is not BlockKind.DESCRIPTION or not model:
        return line
    if before is not None and (before.source, before.paragraph, before.kind) == (line.source, line.paragraph, line.kind):
        return line
    return replace(line, prefix=f"A picture as {model} describes it: {line.prefix}")


def _sentence(question: Question, evidence: Sequence[Evidence], line: Line, citations: Citations, *, mark: bool) -> AnswerSentence:
    """`text` is the prefix and the quote, its wrapped lines unfolded."""
    number = citations.cite(line.source, line.start, line.end)
    passage = evidence[line.source].passage
    quote = passage.content[line.start - passage.start : line.end - passage.start]
    shown = line.prefix + (quote if line.kind is BlockKind.CODE else unfolded(quote))
    return AnswerSentence(
        text=shown,
        citations=[number],
        support="quoted",
        score=line.score,
        paragraph=line.paragraph,
        kind=line.kind,
        highlight=highlight(question, shown, len(line.prefix)) if mark else None,
    )


def unfolded(quote: str) -> str:
    """A quote on one line: white space becomes single spaces, the ">" in front of the lines of a quoted mail goes."""
    return " ".join(_MAIL_MARK.sub(" ", quote).split())
