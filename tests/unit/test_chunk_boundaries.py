"""Overlap of chunks, and where they end: code that is kept whole, long rows, text in lower case."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import BlockKind, Chunk, ExtractedDocument
from ingestion.chunking.chunker import ChunkLimits, chunk_document
from ingestion.chunking.code_blocks import split_code
from tests.support.ingestion import document, token_spans
from tests.unit.test_chunker import BLOCKS, WORDS, made, sentences

LIMITS = ChunkLimits(tokens=64, characters=300)
OVERLAPPING = ChunkLimits(tokens=64, characters=300, overlap=0.2)


def tokens(source: ExtractedDocument, start: int, end: int) -> int:
    return len(token_spans(source.text[start:end]))


def text(source: ExtractedDocument, piece: Chunk) -> str:
    return source.text[piece.start : piece.end]


@given(BLOCKS, st.lists(st.integers(1, 4), max_size=12), WORDS)
@settings(max_examples=200, deadline=None)
def test_with_an_overlap_all_is_covered_and_at_most_the_overlap_is_repeated(
    blocks: list[tuple[BlockKind, str]], levels: list[int], title: str
) -> None:
    source = made(blocks, levels)
    chunks = chunk_document(source, title, OVERLAPPING, token_spans)
    covered = np.zeros(len(source.text), int)
    for piece in chunks:
        covered[piece.start : piece.end] += 1
        assert piece.tokens == tokens(source, piece.start, piece.end) + len(token_spans(piece.prefix)) + 2 <= OVERLAPPING.tokens
    assert covered.max(initial=0) <= 2
    for before, after in pairwise(chunks):
        assert before.start < after.start
        assert before.end < after.end
        if after.start < before.end:
            assert before.section == after.section
            assert tokens(source, after.start, before.end) <= OVERLAPPING.tokens * OVERLAPPING.overlap
    for block in source.blocks:
        if block.kind is not BlockKind.FURNITURE:
            assert all(covered[i] for i in range(block.start, block.end) if not source.text[i].isspace())


def test_an_overlap_repeats_whole_sentences() -> None:
    source = document([(BlockKind.PARAGRAPH, sentences(30, 2))])
    chunks = chunk_document(source, "", OVERLAPPING, token_spans)
    plain = chunk_document(source, "", LIMITS, token_spans)
    assert len(chunks) > 2
    assert all(before.end <= after.start for before, after in pairwise(plain))
    assert all(text(source, after).startswith("Sentence") and after.start < before.end for before, after in pairwise(chunks))


def function(name: str, lines: int) -> str:
    return f"def {name}(a):\n" + "\n".join(f"    step_{n} = a + {n}" + ("\n" if n % 4 == 3 else "") for n in range(lines))


def test_a_function_that_fits_is_whole_in_a_chunk() -> None:
    names = {"one": 3, "two": 8, "three": 2, "four": 19, "five": 3, "six": 6}
    functions = [function(name, lines).rstrip() for name, lines in names.items()]
    source = document([(BlockKind.CODE, "\n\n\n".join(functions))])
    chunks = chunk_document(source, "", LIMITS, token_spans)
    spans = [(source.text.index(body), source.text.index(body) + len(body)) for body in functions]
    whole = {span: any(piece.start <= span[0] and span[1] <= piece.end for piece in chunks) for span in spans}
    assert whole == {span: tokens(source, *span) <= LIMITS.tokens - 2 for span in spans}
    assert set(whole.values()) == {True, False}


def test_a_method_of_a_long_class_is_not_cut() -> None:
    methods = ["\n".join("    " + line for line in function(f"method_{n}", 3).split("\n")) for n in range(6)]
    source = document([(BlockKind.CODE, "class Account:\n" + "\n\n".join(methods))])
    chunks = chunk_document(source, "", LIMITS, token_spans)
    assert len(chunks) > 2
    assert sum(text(source, piece).count("def ") for piece in chunks) == 6
    assert all(text(source, piece).startswith(("class", "def")) and "step_2 = a + 2" in text(source, piece)[-20:] for piece in chunks)


@pytest.mark.parametrize("code", ["", "x = 1", "{\n}\n", "\n\n\n", "if a:\n    b\n\n}\n", "\t\n" * 50])
def test_code_without_several_parts_has_no_inner_pieces(code: str) -> None:
    assert split_code(code) == []


@given(st.text("ab{}() \t\n#", max_size=300))
def test_inner_pieces_cover_the_code(code: str) -> None:
    pieces = split_code(code)
    assert "".join(code[start:end] for start, end in pieces) == (code if pieces else "")
    assert len(pieces) != 1


def mixed_document() -> ExtractedDocument:
    rows = ["Item | Note", *(f"thing {n} | {'word ' * (60 if n == 3 else 3)}end" for n in range(6))]
    code = "\n\n\n".join(function(name, lines).rstrip() for name, lines in (("one", 3), ("two", 19), ("three", 6)))
    return document(
        [
            (BlockKind.HEADING, "Harbour rules"),
            (BlockKind.PARAGRAPH, sentences(9, 4)),
            (BlockKind.PARAGRAPH, "x" * 700),
            (BlockKind.LIST_ITEM, "a buoy; a rope; an anchor"),
            (BlockKind.HEADING, "Fees"),
            (BlockKind.TABLE, "\n".join(rows)),
            (BlockKind.HEADING, "Code"),
            (BlockKind.CODE, code),
        ]
    )


def test_chunks_are_those_of_earlier_releases() -> None:
    """Files are not read again for the larger chunks that went: the others have to be the same. Written down before the change."""
    chunks = chunk_document(mixed_document(), "Pier", LIMITS, token_spans)
    # fmt: off
    assert [(piece.start, piece.end, piece.tokens) for piece in chunks] == [
        (0, 134, 35), (135, 284, 43), (286, 510, 64), (510, 734, 64), (734, 958, 64), (958, 986, 15), (988, 1013, 17), (1015, 1119, 31),
        (1120, 1389, 64), (1390, 1433, 17), (1434, 1491, 24), (1493, 1567, 28), (1570, 1657, 35), (1663, 1815, 53), (1821, 1964, 47),
        (1967, 2095, 48),
    ]
    # fmt: on


def test_text_in_lower_case_is_cut_behind_its_full_stops() -> None:
    source = document([(BlockKind.PARAGRAPH, " ".join(f"the rate of year {n} rose to nine and it fell later on." for n in range(40)))])
    assert all(
        text(source, piece).startswith("the rate") and text(source, piece).endswith("on.")
        for piece in chunk_document(source, "", LIMITS, token_spans)
    )


def test_code_that_is_nested_without_end_is_cut_in_time() -> None:
    deep = "\n\n".join(" " * depth + f"if a{depth}:" for depth in range(1500))
    source = document([(BlockKind.CODE, deep)])
    chunks = chunk_document(source, "", LIMITS, token_spans)
    assert "".join("".join(text(source, piece).split()) for piece in chunks) == "".join(deep.split())
