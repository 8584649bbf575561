"""An answer from a model's description of a picture says whose words it is; the file's own sentences beside it stay as they are."""

from __future__ import annotations

from answers.extractive.composer import ExtractiveComposer
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer, Evidence
from core.documents import BlockKind, description_heading
from tests.support.evidence import CountingEmbedder, WordIndex, evidence

HEADING = description_heading("Picture on page 3", "eye:8b")
FIRST, SECOND = "A bar chart shows the rents of apartments by year.", "The rents of apartments rise from 2019 to 2024."


def picture(kind: BlockKind = BlockKind.DESCRIPTION) -> Evidence:
    text = f"{HEADING}\n{FIRST} {SECOND}"
    blocks = [(BlockKind.HEADING, 0, len(HEADING)), (kind, len(HEADING) + 1, len(text))]
    item = evidence(text, document="report", title="Report", blocks=blocks)
    return item.model_copy(update={"passage": item.passage.model_copy(update={"section": ["Rents", HEADING]})})


async def compose(question: str, *items: Evidence) -> Answer:
    return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds()).compose("default", question, items)


async def test_the_models_words_are_told_as_the_models_words_once() -> None:
    answer = await compose("Which chart shows the rents of apartments by year?", picture())
    assert answer.text.startswith("A picture as eye:8b describes it: ")
    assert answer.text.count("as eye:8b describes it") == 1
    for citation in answer.citations:
        assert citation.quote in (FIRST, SECOND)
        assert citation.section[-1] == HEADING


async def test_printed_words_that_only_look_like_it_are_the_files() -> None:
    answer = await compose("Which chart shows the rents of apartments by year?", picture(BlockKind.PARAGRAPH))
    assert "as eye:8b describes it" not in answer.text


async def test_sentences_of_the_file_beside_it_are_not_touched() -> None:
    printed = evidence("The rents of apartments by year are printed in the annex.", document="annex", title="Annex")
    answer = await compose("Where are the rents of apartments by year printed, in which chart?", printed, picture())
    own = [sentence for sentence in answer.sentences if "annex" in sentence.text]
    assert own
    assert all(sentence.text == "The rents of apartments by year are printed in the annex." for sentence in own)
