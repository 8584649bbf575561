"""Units: exact spans, whatever the text; rows, items, turns, headings, questions and running heads."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.scoring.unit_scores import header_of
from answers.units.answer_units import MOST_UNIT_WORDS, Role, split_units
from core.documents import BlockKind
from tests.support.evidence import evidence

_TEXT = st.text(alphabet=st.sampled_from("aB c.\n|\t;:?!-*1 。？é你\U0001f600"), max_size=400) | st.text(max_size=200)


@given(text=_TEXT, start=st.integers(0, 1000))
def test_every_unit_is_its_span(text: str, start: int) -> None:
    item = evidence(text, start=start)
    for unit in split_units([item]):
        assert unit.text == text[unit.start - start : unit.end - start]
        assert unit.text == unit.text.strip() != ""


@given(text=_TEXT, kind=st.sampled_from(BlockKind), cuts=st.tuples(st.integers(-20, 420), st.integers(-20, 420)))
def test_units_stay_inside_the_passage_when_blocks_reach_out(text: str, kind: BlockKind, cuts: tuple[int, int]) -> None:
    item = evidence(text, start=50, blocks=[(kind, min(cuts), max(cuts))])
    spans = [(unit.start, unit.end) for unit in split_units([item])]
    assert all(50 <= start < end <= 50 + len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def texts(text: str, role: Role | None = None) -> list[str]:
    return [unit.text for unit in split_units([evidence(text)]) if role is None or unit.role is role]


def test_a_line_break_ends_a_sentence_but_a_wrapped_line_goes_on() -> None:
    assert texts("One short line\nAnother short line.") == ["One short line", "Another short line."]
    wrapped = "The tenant may end the lease by giving notice in\nwriting three months before the day. The landlord may not."
    assert texts(wrapped) == [wrapped.split(". ", maxsplit=1)[0] + ".", "The landlord may not."]


def test_a_long_piece_is_cut_at_semicolons() -> None:
    clause = "the party of the second part shall deliver the goods in good order and without any delay at the place named"
    found = texts("; ".join([clause] * 5) + ".")
    assert len(found) == 5
    assert all(len(piece.split()) <= MOST_UNIT_WORDS for piece in found)


def test_rows_know_their_header() -> None:
    units = split_units([evidence("Costs by year\n\nYear | Rent\n-----|-----\n2023 | 400\n2024 | 420\n\nThat is all we know.")])
    header, *rows = [unit for unit in units if unit.role in {Role.HEADER, Role.ROW}]
    assert [row.text for row in rows] == ["2023 | 400", "2024 | 420"]
    assert (header.text, header.role, header.choosable, header.header) == ("Year | Rent", Role.HEADER, False, None)
    assert all(row.header == (header.start, header.end) and row.choosable for row in rows)
    assert header.lead_in == rows[0].lead_in == "Costs by year"


@pytest.mark.parametrize(
    "header", ["Area | £ until 30 April 2026 | £ from 1 May 2026", "Site\t2024\t2025", "Name | Role | Since"], ids=["dates", "years", "words"]
)
def test_a_header_may_hold_dates(header: str) -> None:
    units = split_units([evidence(f"{header}\nBonded store\t34,560\t£36,700".replace("\t", " | "))])
    assert [unit.role for unit in units] == [Role.HEADER, Role.ROW]


def test_a_table_of_names_and_values_has_no_header() -> None:
    units = split_units([evidence("Landlord | Elver Quay Estates\nTenant | Merrow Chandlers\nAgent | Trevanion and Holt")])
    assert [unit.role for unit in units] == [Role.ROW] * 3


def test_table_blocks_are_rows_whatever_they_look_like() -> None:
    text = "31\n204\nProse follows the table here."
    units = split_units([evidence(text, blocks=[(BlockKind.TABLE, 0, 6), (BlockKind.PARAGRAPH, 7, len(text))])])
    assert [(unit.text, unit.role) for unit in units[:2]] == [("31", Role.ROW), ("204", Role.ROW)]


@pytest.mark.parametrize("mark", ["- ", "* ", "• ", "1. ", "(b) ", "iv) "])
def test_list_items_are_units(mark: str) -> None:
    found = texts(f"{mark}Bring the signed form. It must be new.\n{mark}Bring a photo of yourself.", Role.ITEM)
    assert len(found) == 2


def test_dialogue_turns_keep_their_speaker() -> None:
    found = texts("Anna: I moved to Lisbon in May. It rains.\nBen: Good for you, really.\nAnna: Thank you so much!", Role.TURN)
    assert found[0] == "Anna: I moved to Lisbon in May. It rains."


def test_questions_and_headings_are_not_chosen_and_speak_for_the_next_unit() -> None:
    units = split_units([evidence("# Notice period\nThree months in writing are needed.\nWho pays the water? The landlord pays for it.")])
    assert [unit.choosable for unit in units] == [False, True, False, True]
    assert units[1].lead_in == "# Notice period"
    assert units[3].lead_in == "Who pays the water?"


def test_running_heads_and_furniture_are_left_out() -> None:
    pages = [evidence(f"Annual report page {page}\nSentence number {page} says enough here.", document="r", start=page * 100) for page in range(3)]
    assert [unit.text for unit in split_units(pages)] == [f"Sentence number {page} says enough here." for page in range(3)]
    marked = evidence("Page 4\nA sentence that says enough.", blocks=[(BlockKind.FURNITURE, 0, 6)])
    assert [unit.text for unit in split_units([marked])] == ["A sentence that says enough."]


def test_chinese_sentences_need_no_spaces() -> None:
    assert texts("租约于三月结束。房东必须在三个月前通知租户。") == ["租约于三月结束。", "房东必须在三个月前通知租户。"]


def test_what_two_passages_share_counts_once() -> None:
    assert len(split_units([evidence("The same sentence stands here.")] * 2)) == 1


def test_the_header_of_a_table_that_begins_before_the_passage() -> None:
    rows = "Ada Holm | skipper | 12\nJon Ake | mate | 13"
    item = evidence(rows, start=100, blocks=[(BlockKind.TABLE, 0, len(rows))])
    within = item.model_copy(update={"blocks": [item.blocks[0].model_copy(update={"header": "Name | Role | Ext", "header_start": 40})]})
    units = split_units([within])
    assert [(unit.role, unit.header) for unit in units] == [(Role.ROW, (40, 57))] * 2
    assert header_of(units[1], within) == "Name | Role | Ext"
    without = item.model_copy(update={"blocks": [item.blocks[0].model_copy(update={"header_start": 40})]})
    assert [unit.header for unit in split_units([without])] == [None, None]
