"""A citation names the page that its own words stand on, also where the passage begins on the page before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from answers.citations.citation_numbers import Citations
from core.answers import EvidencePage
from core.documents import Block, BlockKind, Document, ExtractedDocument, Metadata, Page, PageUnit
from core.ports import DocumentContent, Library
from orchestration.evidence import gather_evidence
from tests.support.evidence import evidence

FIRST, SECOND = "The fee is due in May.", "The secretary is Mme Bélanger."


class _Library:
    """One document of two pages."""

    def __init__(self, text: str) -> None:
        blocks = (Block(BlockKind.PARAGRAPH, 0, len(FIRST), 1), Block(BlockKind.PARAGRAPH, len(FIRST) + 2, len(text), 2))
        pages = (Page(1, "1", 0, len(FIRST) + 2), Page(2, "2", len(FIRST) + 2, len(text)))
        self._read = ExtractedDocument(text, blocks, (), (), pages, PageUnit.PAGE, Metadata(), "test")

    async def documents(self, tenant: str, ids: Sequence[str]) -> dict[str, Document]:
        return {each: cast("Document", _Known()) for each in ids}

    async def content(self, tenant: str, document_id: str) -> DocumentContent:
        return DocumentContent(document_id, 1, self._read.text, self._read)

    async def contents(self, tenant: str, ids: Sequence[str]) -> dict[str, DocumentContent]:
        return {each: await self.content(tenant, each) for each in ids}


class _Known:
    filename, title, doc_type, modified_at, created_at, page_unit, language = "a.pdf", "A", "", None, None, PageUnit.PAGE, ""


async def test_each_sentence_of_a_passage_over_two_pages_has_the_page_it_stands_on() -> None:
    text = f"{FIRST}\n\n{SECOND}"
    passage = evidence(text).passage.model_copy(update={"page": 1})
    gathered = await gather_evidence([passage], "t", cast("Library", cast("Any", _Library(text))))
    citations = Citations(gathered.evidence)
    citations.cite(0, 0, len(FIRST))
    citations.cite(0, len(FIRST) + 2, len(text))
    assert [(each.page, each.quote) for each in citations.to_list()] == [(1, FIRST), (2, SECOND)]


@pytest.mark.parametrize(("pages", "page"), [([], 3), ([EvidencePage(number=8, start=0, end=5)], 8)])
def test_the_page_of_the_passage_is_named_where_no_better_is_known(pages: list[EvidencePage], page: int) -> None:
    citations = Citations([evidence("Words here.").model_copy(update={"pages": pages})])
    citations.cite(0, 0, 5)
    assert citations.to_list()[0].page == page
