"""The builder keeps the document model's promises whatever an extractor puts in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import BlockKind, ExtractedDocument, PageUnit
from core.errors import Empty
from ingestion.readers.base.document_builder import DocumentBuilder, clean_code, clean_line, clean_text

_TEXT = st.text(alphabet=st.characters(), max_size=60)
_STEP = st.one_of(
    st.tuples(st.just("paragraph"), _TEXT),
    st.tuples(st.just("code"), _TEXT),
    st.tuples(st.just("heading"), _TEXT, st.integers(1, 6)),
    st.tuples(st.just("list_item"), _TEXT, st.integers(1, 4)),
    st.tuples(st.just("block"), st.sampled_from([BlockKind.NOTE, BlockKind.FURNITURE, BlockKind.QUOTE]), _TEXT),
    st.tuples(st.just("table"), st.lists(st.lists(_TEXT, max_size=4), max_size=4)),
    st.tuples(st.just("page"), _TEXT),
    st.tuples(st.just("section"), _TEXT),
)


def _run(steps: list[tuple[object, ...]], limit: int = 10_000) -> ExtractedDocument | None:
    builder = DocumentBuilder("test", page_unit=PageUnit.PAGE, limit=limit)
    for name, *arguments in steps:
        getattr(builder, str(name))(*arguments)
    try:
        return builder.build()
    except Empty:
        return None


def _expected(step: tuple[object, ...]) -> str:
    name, *arguments = step
    if name == "heading":
        return clean_line(str(arguments[0]))
    return clean_code(str(arguments[0])) if name == "code" else clean_text(str(arguments[-1] if name == "block" else arguments[0]))


@given(st.lists(_STEP, max_size=20))
@settings(deadline=None, max_examples=300)
def test_every_promise_of_the_model_holds(steps: list[tuple[object, ...]]) -> None:
    document = _run(steps)
    if document is None:
        return
    check_document(document)
    put_in = [text for step in steps if step[0] in ("paragraph", "code", "heading", "list_item", "block") if (text := _expected(step))]
    assert [document.text[block.start : block.end] for block in document.blocks if block.kind is not BlockKind.TABLE] == put_in
    document.text.encode("utf-8")
    assert "\0" not in document.text


@given(st.lists(_STEP, max_size=12), st.integers(10, 120))
@settings(deadline=None)
def test_the_limit_is_kept_and_said(steps: list[tuple[object, ...]], limit: int) -> None:
    whole, cut = _run(steps), _run(steps, limit)
    if cut is None or whole is None:
        return
    check_document(cut)
    assert len(cut.text) <= limit
    assert cut.text == whole.text or any("cut after" in warning for warning in cut.warnings)


def check_document(document: ExtractedDocument) -> None:
    """Assert what `ExtractedDocument` promises."""
    text, at = document.text, 0
    for block in document.blocks:
        assert at <= block.start < block.end <= len(text)
        assert not text[at : block.start].strip()
        at = block.end
    assert not text[at:].strip()
    assert [section.start for section in document.sections] == [0, *(section.end for section in document.sections[:-1])]
    assert document.sections[-1].end == len(text)
    if document.pages:
        assert [page.start for page in document.pages] == [0, *(page.end for page in document.pages[:-1])]
        assert document.pages[-1].end == len(text)
        for block in document.blocks:
            if block.page is not None:
                page = document.pages[block.page - 1]
                assert page.start <= block.start < page.end
    for table in document.tables:
        assert len(table.rows) == len(table.row_spans)
        assert 0 <= table.header_rows <= len(table.rows)
        assert len({len(row) for row in table.rows}) == 1
        assert (table.start, table.end) == (table.row_spans[0][0], table.row_spans[-1][1])
        for row, (start, end) in zip(table.rows, table.row_spans, strict=True):
            assert all(cell.rstrip(" |") in text[start:end] for cell in row)


def test_sections_carry_the_path_of_headings() -> None:
    document = _run(
        [("paragraph", "before"), ("heading", "A", 1), ("heading", "B", 2), ("paragraph", "text"), ("heading", "C", 2), ("heading", "D", 1)]
    )
    assert document is not None
    assert [section.path for section in document.sections] == [(), ("A",), ("A", "B"), ("A", "C"), ("D",)]


def test_a_section_without_a_written_title_ends_the_last_heading() -> None:
    document = _run([("page", ""), ("heading", "Slide one", 1), ("page", ""), ("section", ""), ("paragraph", "no title here")])
    assert document is not None
    assert [(section.path, section.page) for section in document.sections] == [(("Slide one",), 1), ((), 2)]


def test_an_empty_page_keeps_its_number() -> None:
    document = _run([("page", "i"), ("paragraph", "one"), ("page", ""), ("page", ""), ("paragraph", "three"), ("page", "")])
    assert document is not None
    assert [(page.number, page.label, document.text[page.start : page.end].strip()) for page in document.pages] == [
        (1, "i", "one"),
        (2, "2", ""),
        (3, "3", "three"),
        (4, "4", ""),
    ]


def test_table_rows_are_lines_that_can_be_read() -> None:
    builder = DocumentBuilder("test")
    builder.table([["Item", "Cost"], ["", ""], ["Rent\nMay", "900"], ["", "5"]], caption="Costs")
    document = builder.build()
    assert document.text == "Item | Cost\nRent May | 900\n| 5"
    (table,) = document.tables
    assert table.rows == (("Item", "Cost"), ("Rent May", "900"), ("", "5"))
    assert [document.text[start:end] for start, end in table.row_spans] == ["Item | Cost", "Rent May | 900", "| 5"]


def test_nothing_is_an_error_not_an_empty_text() -> None:
    with pytest.raises(Empty):
        DocumentBuilder("test").build()


def test_spans_follow_the_rows_and_columns_that_are_left_out() -> None:
    builder = DocumentBuilder("test")
    rows = [["", "", ""], ["Area", "Costs", "", ""], ["", "", ""], ["North", "1", "2"], ["North", "3", "4"], ["", "x", ""]]
    builder.table(rows, spans=[(1, 1, 1, 3), (3, 0, 2, 1), (0, 0, 2, 1), (5, 1, 1, 9), (0, 1, 1, 2)])
    (table,) = builder.build().tables
    assert table.rows[0] == ("Area", "Costs", "")
    assert table.spans == ((0, 1, 1, 2), (1, 0, 2, 1), (3, 1, 1, 2))


def test_a_table_says_on_which_page_it_ends() -> None:
    builder = DocumentBuilder("test", page_unit=PageUnit.PAGE)
    builder.page()
    builder.table([["a", "b"], ["1", "2"]], last_page=3)
    builder.table([["a", "b"], ["1", "2"]], last_page=1)
    assert [table.last_page for table in builder.build().tables] == [3, None]


def test_a_table_that_goes_on_over_pages_has_a_block_on_each_of_them() -> None:
    builder = DocumentBuilder("pdf", page_unit=PageUnit.PAGE)
    builder.page()
    number = builder.table([["Berth", "Fee"], ["B-1", "10"]], caption="Fees", last_page=2)
    builder.block(BlockKind.FURNITURE, "foot of page one")
    builder.page()
    assert number == 0
    builder.add_rows(number, [["B-2", "20"], ["", ""], ["Total", "", "too wide"]], spans=[(2, 0, 1, 2)])
    builder.paragraph("Below the table.")
    document = builder.build()
    check_document(document)
    (table,) = document.tables
    assert table.rows == (("Berth", "Fee"), ("B-1", "10"), ("B-2", "20"), ("Total", ""))
    assert (table.header_rows, table.page, table.last_page, table.spans) == (1, 1, 2, ((3, 0, 1, 2),))
    assert [document.text[start:end] for start, end in table.row_spans] == ["Berth | Fee", "B-1 | 10", "B-2 | 20", "Total"]
    blocks = [block for block in document.blocks if block.kind is BlockKind.TABLE]
    assert [(block.page, block.table, document.text[block.start : block.end]) for block in blocks] == [
        (1, 0, "Berth | Fee\nB-1 | 10"),
        (2, 0, "B-2 | 20\nTotal"),
    ]
