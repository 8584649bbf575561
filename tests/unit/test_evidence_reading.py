"""What is read of the evidence, and what the reader's spans become in the documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.questions.answer_kinds import AnswerKind
from answers.reading.evidence_reading import CHARACTERS, PIECES, FoundSpan, ReadingPiece, likelihood, pieces_of, read_evidence, with_reading
from answers.scoring.unit_scores import Question, ScoredUnit, score_units
from answers.units.answer_units import Role, split_units
from core.answers import Evidence
from core.documents import BlockKind
from tests.support.evidence import WordIndex, evidence
from tests.support.word_reader import LostReader, WordsReader

QUESTION = "When is the crane oiled?"
CRANE = "The crane of the east quay is oiled on Friday. The men of the night shift do it with a brush."


def scored(items: Sequence[Evidence], scores: Sequence[float] = ()) -> list[ScoredUnit]:
    """The units of the evidence, the first of them with the given scores."""
    asked = Question(QUESTION, {}, 0.0, AnswerKind.ANYTHING, frozenset(), "")
    units = score_units(asked, WordIndex(), items, split_units(items))
    return [replace(unit, score=scores[place]) if place < len(scores) else unit for place, unit in enumerate(units)]


def sentences(count: int, words: int = 12) -> str:
    return " ".join(f"Line number {number} of the log {'says the same again ' * (words // 4)}today." for number in range(count))


def text_of(items: Sequence[Evidence], each: ReadingPiece | FoundSpan) -> str:
    passage = items[each.source].passage
    return passage.content[each.start - passage.start : each.end - passage.start]


def inside(piece: ReadingPiece, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    return [unit for unit in units if unit.unit.source == piece.source and piece.start <= unit.unit.start and unit.unit.end <= piece.end]


_SENTENCE = st.integers(1, 60).map(lambda words: "Word " + "word " * words + "end.")
_PASSAGE = st.lists(_SENTENCE, min_size=1, max_size=25).map(" ".join)


@settings(max_examples=60)
@given(texts=st.lists(_PASSAGE, min_size=1, max_size=4), scores=st.lists(st.floats(-1, 3), max_size=100), limit=st.integers(1, 12))
def test_pieces_are_few_short_apart_and_inside_their_passages(texts: list[str], scores: list[float], limit: int) -> None:
    items = [evidence(text, document=f"d{place}", start=place * 11) for place, text in enumerate(texts)]
    units = scored(items, scores)
    pieces = pieces_of(items, units, limit)
    assert 0 < len(pieces) <= limit
    for place, piece in enumerate(pieces):
        passage = items[piece.source].passage
        assert passage.start <= piece.start < piece.end <= passage.end
        own = inside(piece, units)
        assert (piece.start, piece.end) == (own[0].unit.start, own[-1].unit.end)  # whole units
        assert piece.end - piece.start <= CHARACTERS or len(own) == 1
        assert all(other.source != piece.source or other.end <= piece.start or piece.end <= other.start for other in pieces[:place])
    best = [max(unit.score for unit in inside(piece, units)) for piece in pieces]
    assert best[0] == max(unit.score for unit in units)


def test_a_piece_grows_round_its_unit_to_both_sides() -> None:
    items = [evidence(sentences(60), start=300)]
    units = scored(items, [1.0 if place == 30 else 0.0 for place in range(60)])
    piece = pieces_of(items, units)[0]
    before, behind = units[30].unit.start - piece.start, piece.end - units[30].unit.end
    longest = max(unit.unit.end - unit.unit.start for unit in units)
    assert abs(before - behind) <= 2 * longest
    assert CHARACTERS - 2 * longest <= piece.end - piece.start <= CHARACTERS


def test_a_short_passage_is_one_piece_and_the_better_passage_is_read_first() -> None:
    items = [evidence(sentences(3), document="a"), evidence(CRANE, document="b", start=40)]
    units = scored(items, [0.1, 0.2, 0.1, 0.9, 0.3])
    assert [(piece.source, text_of(items, piece)) for piece in pieces_of(items, units)] == [(1, CRANE), (0, items[0].passage.content)]


def test_a_unit_that_another_piece_holds_is_not_read_twice() -> None:
    items = [evidence(sentences(80))]
    units = scored(items, [1.0 if place in {10, 11, 60} else 0.0 for place in range(80)])
    pieces = pieces_of(items, units, 2)
    assert [units[10] in inside(pieces[0], units), units[11] in inside(pieces[0], units), units[60] in inside(pieces[1], units)] == [True] * 3


def test_a_table_is_not_read_for_its_header() -> None:
    text = "Pump | Oil | Pressure\nNorth | 4 litres | 8 bar\nSouth | 5 litres | 9 bar"
    items = [evidence(text)]
    units = scored(items, [9.0, 0.1, 0.2])
    assert [unit.unit.role for unit in units] == [Role.HEADER, Role.ROW, Role.ROW]
    assert [text_of(items, piece) for piece in pieces_of(items, units)] == [text]
    assert pieces_of(items, units[:1]) == []


async def test_offsets_are_those_of_the_document() -> None:
    items = [evidence(sentences(4), document="a", start=70), evidence(f"Die Größe 😀 steht hier. {CRANE}", document="b", start=1234)]
    units = scored(items)
    reader = WordsReader({"on Friday": 3.0, "Line number 2": -1.5, "with a brush": 0.5})
    reading = await read_evidence(reader, QUESTION, items, units)
    assert [(span.text, span.score) for span in reading.spans] == [("on Friday", 3.0), ("with a brush", 0.5), ("Line number 2", -1.5)]
    for span in reading.spans:
        assert text_of(items, span) == span.text
        unit = units[span.unit].unit
        assert unit.source == span.source
        assert unit.start <= span.start < span.end <= unit.end
    assert reading.answerable == pytest.approx(likelihood(3.0))
    assert reading.degraded is None
    assert [question for question, _ in reader.asked] == [QUESTION]
    assert len(reader.asked[0][1]) <= PIECES


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("is oiled on Friday. The men", "is oiled on Friday."),
        ("Friday. The men of the night shift", "The men of the night shift"),
    ],
)
async def test_a_span_over_two_units_is_cut_to_the_one_that_holds_most(words: str, kept: str) -> None:
    items = [evidence(CRANE, start=9)]
    [span] = (await read_evidence(WordsReader({words: 2.0}), QUESTION, items, scored(items))).spans
    assert span.text == text_of(items, span) == kept


async def test_what_stands_in_no_unit_is_no_answer() -> None:
    text = "The crane is oiled on Friday.\nPage 7 of the manual\nThe men do it with a brush."
    foot = (text.index("Page"), text.index("\nThe men"))
    blocks = [(BlockKind.PARAGRAPH, 0, foot[0] - 1), (BlockKind.FURNITURE, *foot), (BlockKind.PARAGRAPH, foot[1] + 1, len(text))]
    items = [evidence(text, blocks=blocks)]
    reader = WordsReader({"Page 7": 4.0, "Friday": 1.0})
    reading = await read_evidence(reader, QUESTION, items, scored(items))
    assert [span.text for span in reading.spans] == ["Friday"]


async def test_a_reader_that_cannot_be_used_leaves_nothing_but_its_reason() -> None:
    items = [evidence(CRANE)]
    units = scored(items)
    reading = await read_evidence(LostReader({}), QUESTION, items, units)
    assert (reading.spans, reading.answerable) == ((), 0.0)
    assert reading.degraded is not None
    assert reading.degraded.part == "reader"
    assert reading.degraded.reason.endswith("The reader's weights are missing.")
    assert with_reading(units, reading) == units


async def test_nothing_to_read_is_nothing_found() -> None:
    reading = await read_evidence(WordsReader({"Friday": 1.0}), QUESTION, [], [])
    assert (reading.spans, reading.answerable, reading.degraded) == ((), 0.0, None)


async def test_the_surer_a_span_the_more_its_unit_promises() -> None:
    items = [evidence(CRANE + " Nobody else may go near it before noon.")]
    units = scored(items, [0.5, 0.5, 0.5])
    read = with_reading(units, await read_evidence(WordsReader({"Friday": 3.0, "east quay": -2.0, "a brush": -4.0}), QUESTION, items, units))
    assert [unit.reader_score for unit in read] == [3.0, -4.0, None]  # of two spans the better one
    assert read[0].score > read[1].score > read[2].score
    assert read[2] is units[2]
    assert [replace(unit, score=0.5, reader_score=None) for unit in read] == units


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_likelihood_rises_from_0_to_1(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= likelihood(low) <= likelihood(high) <= 1
