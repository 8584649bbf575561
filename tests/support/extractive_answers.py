"""An extractive answer from made evidence, with a reader that knows only the words it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer, Evidence
from tests.support.evidence import CountingEmbedder, WordIndex
from tests.support.word_reader import WordsReader


async def compose_answer(question: str, items: Sequence[Evidence], words: Mapping[str, float] | None = None) -> Answer:
    parts = OptionalParts(reader=WordsReader(dict(words or {})))
    return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), parts).compose("default", question, items)


def lead_text(answer: Answer) -> str:
    return answer.lead.text if answer.lead is not None else ""
