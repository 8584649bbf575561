"""Values that need no reader: under their very label, alone in their sentence, in the clause that is asked about."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from answers.composer import ExtractiveComposer, OptionalParts
from answers.selection import Bounds
from answers.vectors import UnitVectors
from core.answers import Answer, Evidence
from core.documents import BlockKind
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.reading import WordsReader


async def composed(question: str, items: Sequence[Evidence], words: dict[str, float] | None = None) -> Answer:
    parts = OptionalParts(reader=WordsReader(words or {}))
    return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), parts).compose("default", question, items)


def lead_of(answer: Answer) -> str:
    return answer.lead.text if answer.lead is not None else ""


FORM = evidence("Registration number: 44-81-A\n\nCourt of registration: Marl\n\nNumber of boats: 7", document="form", title="Marl Ferry Ltd")
OTHER = evidence("Registration number: 99-10-B\n\nNumber of boats: 12", document="other", title="Tern Ferry Ltd")


async def test_the_value_under_the_very_label_that_is_asked_for() -> None:
    answer = await composed("What is the registration number of Marl Ferry?", [OTHER, FORM])
    assert lead_of(answer) == "44-81-A"
    assert answer.citations[0].document_id == "form"


async def test_two_values_under_one_label_decide_nothing() -> None:
    assert lead_of(await composed("What is the registration number?", [OTHER, FORM])) == ""


async def test_a_label_on_a_line_of_its_own_has_its_value_below() -> None:
    text = "Commission file number:\n\n000-30653\n\nMarl Ferry Ltd\n\n(Exact name as in its charter)"
    answer = await composed("What is the commission file number of Marl Ferry?", [evidence(text, document="report")])
    assert lead_of(answer) == "000-30653"


async def test_a_label_of_one_word_is_shared_by_chance() -> None:
    assert lead_of(await composed("What is the number?", [evidence("Number: 7\n\nColour: red")])) == ""


async def test_who_somebody_is_stands_under_one_word() -> None:
    text = "Landlord: Elver Estates LLP, Harbour Office, North Mole.\n\nLandlord's agent: Ms Ada Holm\n\nColour: dark red"
    answer = await composed("Who is the landlord?", [evidence(text)])
    assert lead_of(answer) == "Elver Estates LLP"
    assert lead_of(await composed("What is the colour?", [evidence(text)])) == ""


async def test_the_only_figure_of_a_sentence_that_says_all_of_the_question_leads() -> None:
    rule = "1.2 The deposit for the boathouse is £80,000 and is held by the agent."
    answer = await composed("How much is the deposit for the boathouse?", [evidence(rule)])
    assert (lead_of(answer), answer.lead.chance if answer.lead else 0) == ("£80,000", 0.5)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When does the board of the school meet?", "The board of the school meets in 1309 Mary Avenue."),  # a house's number
        ("How much is the deposit for the boathouse?", "The deposit for the boathouse is £80,000, of which £20,000 are paid."),
        ("How much is the deposit for the boathouse?", "The boathouse costs £80,000 and is white, large and old, as boats are."),
    ],
)
async def test_a_figure_among_others_or_of_something_else_does_not_lead(question: str, text: str) -> None:
    assert lead_of(await composed(question, [evidence(text)])) == ""


CLAUSES = "In the year of the study Hungary found mould in 14 samples, and Germany found mould in none of its samples."


async def test_a_value_in_the_clause_of_another_thing_does_not_lead() -> None:
    assert lead_of(await composed("How many samples with mould did the study of Germany find?", [evidence(CLAUSES)], {"14 samples": 12.0})) == ""
    assert (
        lead_of(await composed("How many samples with mould did the study of Hungary find?", [evidence(CLAUSES)], {"14 samples": 12.0}))
        == "14 samples"
    )


async def test_of_a_span_over_several_cells_the_one_that_is_asked_for_leads() -> None:
    table = "Part | 2025 | 2026 | Limit\nBrake lining of the crane | 2.4 mm | 1.9 mm | 3.0 mm"
    item = evidence(table, blocks=[(BlockKind.TABLE, 0, len(table))])
    answer = await composed("What is the limit of the brake lining of the crane?", [item], {"2.4 mm | 1.9 mm | 3.0 mm": 12.0})
    assert lead_of(answer) == "3.0 mm"


async def test_whom_a_sentence_says_to_do_it() -> None:
    rule = "The Tenant pays the deposit to the Agent, who holds it apart."
    answer = await composed("Who holds the deposit apart?", [evidence(rule)], {"The Tenant": 12.0})
    assert lead_of(answer) == "the Agent"
