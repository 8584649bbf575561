"""A sentence that the end of a page cuts is told with both of its halves."""

from __future__ import annotations

import pytest

from core.answers import EvidencePage
from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer

FIRST, SECOND = "In May the ferry Elver of the Marl company sank on its way from", "Osyn to Marl, and nine sailors drowned in the cold water."
FOOT = "Harbour gazette 12"
TEXT = f"{FIRST}\n\n{FOOT}\n\n{SECOND}\n\nThe mill was sold."
AT = TEXT.index(SECOND)
BLOCKS = (
    (BlockKind.PARAGRAPH, 0, len(FIRST)),
    (BlockKind.FURNITURE, len(FIRST) + 2, AT - 2),
    (BlockKind.PARAGRAPH, AT, AT + len(SECOND)),
    (BlockKind.PARAGRAPH, AT + len(SECOND) + 2, len(TEXT)),
)


@pytest.mark.parametrize(
    ("question", "pages", "told"),
    [
        ("Which sailors drowned in the cold water?", [AT, len(TEXT)], True),
        ("Which ferry sank?", [AT, len(TEXT)], True),
        ("Which ferry sank?", [len(TEXT)], False),  # two paragraphs of one page
    ],
)
async def test_both_halves_are_told(question: str, pages: list[int], told: bool) -> None:
    numbered = [EvidencePage(number=3 + place, start=start, end=end) for place, (start, end) in enumerate(zip([0, *pages], pages, strict=False))]
    answer = await compose_answer(question, [evidence(TEXT, blocks=BLOCKS).model_copy(update={"pages": numbered})])
    assert (f"{FIRST} [1] {SECOND} [2]" in answer.text) is told
    assert FOOT not in answer.text


async def test_a_sentence_that_ends_with_the_page_is_told_alone() -> None:
    first, second = "In May the ferry Elver of the Marl company sank.[3]", "Nets are dried on the eastern pier."
    text = f"{first}\n\n{second}"
    pages = [EvidencePage(number=3, start=0, end=len(first) + 2), EvidencePage(number=4, start=len(first) + 2, end=len(text))]
    blocks = ((BlockKind.PARAGRAPH, 0, len(first)), (BlockKind.PARAGRAPH, len(first) + 2, len(text)))
    answer = await compose_answer("Which ferry sank in May?", [evidence(text, blocks=blocks).model_copy(update={"pages": pages})])
    assert first in answer.text
    assert second not in answer.text
