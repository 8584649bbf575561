"""What is no sentence, and what a label lends: titles, page marks, captions, fields, lists under a label."""

from __future__ import annotations

import pytest

from answers.units.answer_units import Role, Unit, split_units
from answers.units.line_kinds import is_caption, is_field, is_page_mark, is_title
from core.documents import BlockKind
from tests.support.evidence import evidence


def units(*blocks: tuple[BlockKind, str], title: str = "") -> list[Unit]:
    text, placed = "", []
    for kind, block in blocks:
        placed.append((kind, len(text), len(text) + len(block)))
        text += block + "\n\n"
    return split_units([evidence(text, title=title, blocks=placed)])


PARAGRAPH, ITEM, HEADING = BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.HEADING


@pytest.mark.parametrize("line", ["CURRENT MEDICATIONS", "Variance Analysis:", "Hollin & Pryce", "3.2 Terms of Payment", "Total", "Booking summary:"])
def test_a_title_or_label_is_no_sentence(line: str) -> None:
    assert is_title(line)


@pytest.mark.parametrize(
    "line",
    [
        "Rent is due monthly",
        "Total net 79,930",
        "Dated 4 May 2020",
        "pumps and valves",
        "The roof leaks.",
        "Kind regards,",
        "one short line",
        "租约于三月结束",
        "",
        "8",
    ],
)
def test_what_says_something_is_no_title(line: str) -> None:
    assert not is_title(line)


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("Page 4 of 12", True),
        ("THE LONG WINTER. 49", True),
        ("52 THE LONG WINTER.", True),
        ("12", True),
        ("12 trucks came", False),
        ("ROOM 12", False),
        ("Rent 400", False),
    ],
)
def test_page_marks(line: str, mark: bool) -> None:
    assert is_page_mark(line) is mark


def test_captions_and_fields() -> None:
    assert is_caption("Table 3. Rents by site")
    assert not is_caption("Table 3 shows that rents are higher by the harbour, and have been so for ten years now.")
    assert is_field("Deposit: £80,000")
    assert is_field("doors.alarm_delay_minutes: 7")
    assert not is_field("One remark: please check that the ramp is not on its route.")
    assert not is_field("It was late: nobody came")


def test_page_heads_are_left_out_and_a_title_line_is_not_chosen() -> None:
    found = units((PARAGRAPH, "THE LONG WINTER. 49"), (PARAGRAPH, "Snow lay on the pass until the end of May."), title="Winter")
    assert [unit.text for unit in found] == ["Snow lay on the pass until the end of May."]
    titled = units((PARAGRAPH, "Minutes of 6 March 2024"), (PARAGRAPH, "The gate stays shut at night."), title="Minutes of 6 March 2024")
    assert [unit.choosable for unit in titled] == [False, True]


def test_a_label_lends_its_words_to_the_list_under_it() -> None:
    found = units(
        (PARAGRAPH, "REGULAR DUTIES"), (ITEM, "1. Sweep"), (ITEM, "2. Lock the gate"), (PARAGRAPH, "Nobody else may enter the yard at night.")
    )
    label, sweep, lock, other = found
    assert (label.role, label.choosable) == (Role.LABEL, False)
    assert {sweep.lead_in, lock.lead_in} == {"REGULAR DUTIES"}
    assert sweep.list_group == lock.list_group == label.start
    assert sweep.choosable
    assert lock.choosable
    assert (other.lead_in, other.list_group) == ("", None)


def test_a_value_under_its_label_may_be_chosen_and_a_lone_label_may_not() -> None:
    label, value = units((PARAGRAPH, "Total\n£1,240"))
    assert (label.role, value.role, value.lead_in, value.choosable) == (Role.LABEL, Role.ITEM, "Total", True)
    assert not any(unit.choosable for unit in units((PARAGRAPH, "Total")))


def test_lines_that_all_look_like_labels_are_a_list() -> None:
    found = units((HEADING, "Members"), (PARAGRAPH, "Anna Berg\nTom Falk\nIda Moss"))
    assert [unit.role for unit in found] == [Role.HEADING, Role.ITEM, Role.ITEM, Role.ITEM]
    assert {unit.lead_in for unit in found[1:]} == {"Members"}


def test_a_sentence_announces_its_list_only() -> None:
    found = units((PARAGRAPH, "The hut includes:"), (ITEM, "- a stove"), (ITEM, "- two beds"), (PARAGRAPH, "It is closed in winter."))
    assert [unit.lead_in for unit in found] == ["", "The hut includes:", "The hut includes:", ""]


def test_fields_are_choosable_however_short() -> None:
    (unit,) = units((PARAGRAPH, "Deposit: £800"))
    assert (unit.role, unit.choosable) == (Role.FIELD, True)


def test_a_paragraph_parted_by_a_column_is_one_sentence() -> None:
    text = "The engineer found that the second of the two valves on the northern side had been"
    (unit,) = units((PARAGRAPH, text), (PARAGRAPH, "fitted the wrong way round."))
    assert unit.text.endswith("had been\n\nfitted the wrong way round.")
    assert len(units((PARAGRAPH, "A short line"), (PARAGRAPH, "another one that says enough."))) == 2


@pytest.mark.parametrize(
    "text", ["a" + " " * 30_000 + "b", "X " * 25_000, "a. " * 17_000, "\n" * 50_000 + "a", "12 " + "A" * 50_000, "مرحبا بكم " * 5_000]
)
def test_a_passage_of_fifty_thousand_characters_is_read(text: str) -> None:
    assert all(unit.text == text[unit.start : unit.end] for unit in split_units([evidence(text)]))
