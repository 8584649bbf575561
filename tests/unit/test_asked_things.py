"""Clauses named by their number, definitions, the value that is asked for, and what is typed instead of a question."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.questions.answer_kinds import AnswerKind, answer_kind_of
from answers.questions.question_parts import as_question, asked_part
from answers.reading.evidence_reading import read_evidence
from answers.scoring.definitions import defined_thing
from answers.scoring.named_clauses import named_clauses
from answers.scoring.unit_scores import prepare_question, score_units
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from answers.units.answer_units import split_units
from core.answers import Answer, Evidence
from core.labels import labelled_values
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.word_reader import WordsReader

RULES = (
    "8 Repairs\n\n8.3 The survey is sent within ten days.\n\n"
    "8.4 The Tenant pays for a repair below £500. A dearer one is shared. Otherwise nobody pays.\n\n"
    "8.5 No work begins before the price is agreed.\n\n9 Notices\n\nA notice is in writing."
)
MAIL = "I regard the conditions of clause 8.4 as met for the joint of the east runway."


async def composed(question: str, items: Sequence[Evidence], words: dict[str, float]) -> Answer:
    parts = OptionalParts(reader=WordsReader(words))
    return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), parts).compose("default", question, items)


# ------------------------------------------------------------------------------------------------------------------------ clauses
@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("Explain clause 8.4", {"8.4"}),
        ("What do sections 3 and section 12.1 say?", {"3", "12.1"}),
        ("Was steht in § 5?", {"5"}),
        ("Was regelt Ziffer 4.2.1?", {"4.2.1"}),
        ("Is the service charge in clause 5.3 above 3%?", {"5.3"}),
        ("Which article 12% of people read?", set()),
        ("What happened in 8.4 seconds?", set()),
    ],
)
def test_clauses_are_named_by_their_number(question: str, numbers: set[str]) -> None:
    assert named_clauses(question) == numbers


async def test_a_named_clause_is_told_whole_and_first() -> None:
    answer = await composed("Explain clause 8.4", [evidence(MAIL, document="mail"), evidence(RULES, score=0.5)], {"conditions": 8.0})
    assert [sentence.text for sentence in answer.sentences] == [
        "8.4 The Tenant pays for a repair below £500.",
        "A dearer one is shared.",
        "Otherwise nobody pays.",
    ]
    assert answer.lead is None
    assert min(answer.signals.values()) >= 0.9


async def test_a_clause_that_is_not_there_changes_nothing() -> None:
    asked = "What does clause 11.2 say about the conditions of the joint?"
    answer = await composed(asked, [evidence(MAIL, document="mail"), evidence(RULES, score=0.5)], {"conditions": 8.0})
    assert answer.sentences[0].text == MAIL
    assert answer.signals["reader_answerable"] > 0.9


async def test_a_chapter_is_named_by_the_number_of_its_heading() -> None:
    answer = await composed("What does section 9 say?", [evidence(RULES)], {})
    assert [sentence.text for sentence in answer.sentences] == ["A notice is in writing."]


# -------------------------------------------------------------------------------------------------------------------- definitions
@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("What is TraceMonkey?", "TraceMonkey"),
        ("what is a topological space", "topological space"),
        ("Who was Ada Lovelace?", "Ada Lovelace"),
        ("Was ist ein Raum?", "Raum"),
        ("What does LIR mean?", "LIR"),
        ("What is the rent of Quay 7?", ""),
        ("What is TraceMonkey used for?", ""),
        ("What is Merrow's address?", ""),
        ("When is the crane oiled?", ""),
    ],
)
def test_what_is_to_be_defined(question: str, thing: str) -> None:
    assert defined_thing(question) == thing


@pytest.mark.parametrize(
    "sentence",
    [
        "TraceMonkey is a compiler for loops.",
        "The TraceMonkey (2009) was a compiler.",
        "We show TraceMonkey, a compiler for loops.",
        "TraceMonkey: a compiler for loops.",
    ],
)
async def test_the_sentence_that_defines_comes_first(sentence: str) -> None:
    other = "TraceMonkey starts where TraceMonkey finds what TraceMonkey has seen in TraceMonkey."
    answer = await composed("What is TraceMonkey?", [evidence(f"{other} {sentence}")], {})
    assert answer.sentences[0].text == sentence


# ------------------------------------------------------------------------------------------------------------------------- values
async def test_of_two_values_in_a_sentence_the_one_that_is_asked_for_leads() -> None:
    text = "The speed limit is 10 km/h inside the building and 15 km/h in the yard."
    for asked, value in (("inside the building", "10 km/h"), ("in the yard", "15 km/h")):
        answer = await composed(f"What is the speed limit {asked}?", [evidence(text)], {"15 km/h": 9.0, "10 km/h": 8.0})
        assert answer.lead is not None
        assert answer.lead.text == value


async def test_an_earlier_value_of_the_same_thing_is_no_rival() -> None:
    before, after = "The yearly rent of the mill is £900.", "The yearly rent of the mill is now £950."
    items = [evidence(before, document="a", title="Lease of the mill"), evidence(after, document="b", title="Lease of the mill, amendment")]
    both = await composed("What is the yearly rent of the mill?", items, {"£900": 6.0, "£950": 6.0})
    alone = await composed("What is the yearly rent of the mill?", items[:1], {"£900": 6.0})
    assert both.lead is not None
    assert alone.lead is not None
    assert both.lead.chance >= alone.lead.chance


# ---------------------------------------------------------------------------------------------------------------------- questions
@pytest.mark.parametrize(
    ("typed", "question"),
    [
        ("Rent of Quay 7?", "What is the rent of Quay 7?"),
        ("speed limit inside the building", "What is the speed limit inside the building?"),
        ("our opening hours", "What is our opening hours?"),
        ("DHL address", "What is DHL address?"),
        ("Who holds the deposit?", "Who holds the deposit?"),
        ("tell me about the deposit", "tell me about the deposit"),
        ("whats the rent", "whats the rent"),
        ("Höhe der Kaution", "Höhe der Kaution"),
        ("", ""),
    ],
)
def test_a_few_words_become_the_question_that_a_reader_knows(typed: str, question: str) -> None:
    assert as_question(typed) == question


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("what to do with a damaged battery, please", "what to do with a damaged battery"),
        ("Could you please tell me how notices are sent?", "how notices are sent?"),
        ("Hello, who holds the deposit? Thanks!", "who holds the deposit?"),
        ("hi, what is the rent?", "what is the rent?"),
        ("Please", "Please"),
        ("What did the board please?", "What did the board please?"),
    ],
)
def test_politeness_is_no_part_of_a_question(typed: str, asked: str) -> None:
    assert asked_part(typed) == asked


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who proposes new order points, and by when?", AnswerKind.NAME),
        ("When was it signed and by whom?", AnswerKind.TIME),
        ("Who may act when a state fails?", AnswerKind.NAME),
        ("What can be seen when the hall is dark?", AnswerKind.ANYTHING),
        ("What share of the repair does the landlord bear?", AnswerKind.SHARE),
        ("At what temperature does the alarm go off?", AnswerKind.TEMPERATURE),
    ],
)
def test_the_kind_of_answer_is_that_of_what_is_asked_first(question: str, kind: AnswerKind) -> None:
    assert answer_kind_of(question) is kind


async def test_of_a_row_the_other_cells_are_told_too_where_two_things_are_asked() -> None:
    table = "Shipment | To | Status\nS1 | Vessen | late\nS2 | Karlshavn | in time\nS3 | Ostrava | in time"
    one = await composed("Where did shipment S1 go?", [evidence(table)], {"Vessen": 8.0})
    both = await composed("Where did shipment S1 go and was it late?", [evidence(table)], {"Vessen": 8.0})
    assert "late" not in one.sentences[0].text
    assert "late" in both.sentences[0].text


@given(st.text(max_size=60))
def test_no_word_of_what_is_typed_is_lost(typed: str) -> None:
    asked = as_question(typed)
    assert all(word.strip("?？.! ").lower() in asked.lower() for word in typed.split())


# ------------------------------------------------------------------------------------------------------------------------- titles
async def test_the_reader_knows_what_a_passage_is_of_and_its_spans_keep_their_place() -> None:
    reader = WordsReader({"£900": 5.0, "mill": 4.0})
    items = [evidence("The rent is £900.", title="Lease of the mill", start=40), evidence("The price is £900.", document="price_list-2026", start=7)]
    asked = "What is the rent of the mill?"
    units = score_units(await prepare_question(WordIndex(), "default", asked), WordIndex(), items, split_units(items))
    reading = await read_evidence(reader, asked, items, units)
    assert sorted(reader.asked[0][1]) == ["Lease of the mill. The rent is £900.", "price list 2026. The price is £900."]
    assert sorted((span.source, span.start, span.end, span.text) for span in reading.spans) == [(0, 52, 56, "£900"), (1, 20, 24, "£900")]


async def test_a_sentence_that_names_a_document_is_read_in_front_of_it() -> None:
    reader = WordsReader({"Oregon": 5.0, "album": 4.0})
    items = [
        evidence("Vincent is the third album by a singer, M. Ward.", document="album", title="Vincent"),
        evidence("Oregon is his home, where he began to sing.", document="ward", title="M. Ward", score=0.9),
    ]
    asked = "Vincent is the third album by a singer from what state?"
    units = score_units(await prepare_question(WordIndex(), "default", asked), WordIndex(), items, split_units(items))
    reading = await read_evidence(reader, asked, items, units)
    assert "Vincent is the third album by a singer, M. Ward. M. Ward. Oregon is his home, where he began to sing." in reader.asked[0][1]
    found = [(span.source, span.start, span.end, span.text) for span in reading.spans]
    assert (1, 0, 6, "Oregon") in found  # also at the very start of a document
    assert all(source == 0 for source, _, _, text in found if text == "album")  # what stands in front is no answer


# -------------------------------------------------------------------------------------------------------------------------- lists
CRANE = (
    "3 Defects\n\nNo. | Defect | Estimate £\n1 | Hoist brake worn | 2,350\n2 | Buffers cracked | 1,180\n3 | Joint loose | 7,900\n\n"
    "Remarks\n\nDefect 2 was to be made good before the crane is used again. C1 is without defects."
)
PATIENT = (
    "FOLLOW-UP\n\nThe patient comes for medication review in May.\n\nCURRENT MEDICATIONS\n\n"
    "1. Lisinopril 10mg - once daily\n2. Metformin 500mg - twice daily\n"
)


@pytest.mark.parametrize(
    "question", ["What are the defects of crane C2?", "Defects of C2 and what they cost?", "list the defects of C2", "Which defects?"]
)
async def test_the_rows_of_a_table_that_is_asked_for_by_its_name_are_told_whole(question: str) -> None:
    answer = await composed(question, [evidence(CRANE, title="Report on crane C2")], {"without defects": 7.0})
    assert [sentence.text.splitlines()[-1] for sentence in answer.sentences] == CRANE.splitlines()[3:6]
    assert answer.sentences[0].text.startswith("No. | Defect | Estimate £\n")
    assert answer.lead is None


async def test_the_items_under_a_label_that_is_asked_for_are_told_whole() -> None:
    answer = await composed("What medication does the patient take?", [evidence(PATIENT)], {"medication review": 5.0})
    assert [sentence.text for sentence in answer.sentences] == ["CURRENT MEDICATIONS: Lisinopril 10mg - once daily", "Metformin 500mg - twice daily"]


@pytest.mark.parametrize(
    "question", ["When were the defects found?", "How many defects has C2?", "Which defect is loose?", "What are the costs of the yard?"]
)
async def test_a_question_for_one_thing_or_for_another_gets_no_list(question: str) -> None:
    answer = await composed(question, [evidence(CRANE, title="Report on crane C2")], {"Joint loose": 7.0})
    assert sum("|" in sentence.text for sentence in answer.sentences) < 3


# -------------------------------------------------------------------------------------------------------------------------- forms
FORM = "Name: Premier Group Contact: Michael Chen Billing Contact: accounts@premier.example 555 Broadway"


@pytest.mark.parametrize(
    ("question", "text", "read", "value"),
    [
        ("Who is the billing contact?", FORM, "Michael Chen", "accounts@premier.example 555 Broadway"),
        ("What is the total variance cost?", "Total Variance Cost: £4,287 Critical Items: 1", "£4,287 Critical Items: 1", "£4,287"),
        ("Who is the contact?", FORM, "Michael Chen", "Michael Chen"),
    ],
)
async def test_the_value_of_the_label_that_is_asked_for_leads(question: str, text: str, read: str, value: str) -> None:
    answer = await composed(question, [evidence(text)], {read: 9.0})
    assert answer.lead is not None
    assert answer.lead.text == value


@given(st.text(st.sampled_from("Ab: \n4"), max_size=60))
def test_labelled_values_stand_in_their_text(text: str) -> None:
    for each in labelled_values(frozenset({"ab", "aba", "abb"}), text):
        assert 0 <= each.label_start < each.start <= each.end <= len(text)
        assert ":" in text[each.label_start : each.start]


async def test_a_line_that_only_names_something_stands_behind_one_that_says_it() -> None:
    text = "Mechanical properties of the grade NB22\n\nThe grade is rolled for bolts and washers."
    answer = await composed("What is the grade NB22 used for?", [evidence(text)], {})
    assert answer.sentences[0].text == "The grade is rolled for bolts and washers."


async def test_a_figure_of_another_column_is_no_answer() -> None:
    table = "Approver | Limit for one order | Room\nTeam leads | £2,500 | 12\nFinance Director | £100,000 | 14"
    salary = await composed("What is the salary of the Finance Director?", [evidence(table)], {"£100,000": 9.0})
    limit = await composed("What is the order limit of the Finance Director?", [evidence(table)], {"£100,000": 9.0})
    assert salary.lead is None
    assert limit.lead is not None
