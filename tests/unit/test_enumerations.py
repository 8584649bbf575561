"""What a sentence enumerates, what is told "respectively", and what a number counts."""

from __future__ import annotations

import pytest

from answers.calibration.unknown_names import find_unknown_names
from answers.reading.counted_things import make_count_check
from answers.scoring.unit_scores import prepare_question, score_units
from answers.units.answer_units import split_units
from tests.support.evidence import WordIndex, evidence
from tests.support.extractive_answers import compose_answer, lead_text

FAIR = "The fair takes place in Elver in May. Expected firms include Tern, Holm & Sons, Marl Ltd and Brisling. Guests are welcome."
RATES = "For lead times of 1, 2 and 10 years the errors of the forecast were 0.3, 0.6 and 2.6 percent, respectively."
PAID = "The mill, the kiosk and the ferry cost £300, £40 and £5,000, respectively, in repairs."

SENT = "Each port got the boats and crews of Marl and Tern, respectively, and sail and row in turn across the bay to Elver."


@pytest.mark.parametrize(
    ("question", "text", "lead"),
    [
        ("Which firms are expected at the fair?", FAIR, "Tern, Holm & Sons, Marl Ltd and Brisling"),
        ("What firms are expected?", FAIR, "Tern, Holm & Sons, Marl Ltd and Brisling"),
        ("Which guests are expected at the fair?", FAIR, ""),
        ("Which firm is expected at the fair?", FAIR, ""),
        ("What was the error of the forecast for a lead time of 10 years?", RATES, "2.6"),
        ("What was the error of the forecast for a lead time of 2 years?", RATES, "0.6"),
        ("What did the repairs of the kiosk cost?", PAID, "£40"),
        ("What did the repairs of the ferry cost?", PAID, "£5,000"),
        ("What did the repairs of the mill and the ferry cost?", PAID, ""),
        ("How many boats does Tern send to Elver?", SENT, ""),
        ("How is Tern reached?", "We took two sets of sailors of Marl and Tern, respectively, and rerank all of them by age.", ""),
    ],
)
async def test_what_a_sentence_enumerates(question: str, text: str, lead: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(text)])) == lead


SURVEY = ["A total of 14,253 students were listed.", "370 participating schools at grade 4 were asked."]


@pytest.mark.parametrize(
    ("question", "text", "answer", "other"),
    [
        ("How many schools took part?", SURVEY[0], "14,253", True),
        ("How many schools took part?", SURVEY[0], "14,253 students", True),
        ("How many schools took part?", SURVEY[1], "370", False),
        ("How many students were listed?", SURVEY[0], "14,253", False),
        ("How many guards took part?", SURVEY[0], "14,253", False),  # no text counts guards: they may be called otherwise
        ("When did the schools take part?", SURVEY[0], "14,253", False),
    ],
)
def test_what_a_number_counts(question: str, text: str, answer: str, other: bool) -> None:
    start = text.index(answer)
    assert make_count_check(question, SURVEY)(text, start, start + len(answer)) is other


async def test_a_number_of_something_else_does_not_lead() -> None:
    answer = await compose_answer("How many schools took part?", [evidence(" ".join(SURVEY))], {"14,253": 6.0, "370": 3.0})
    assert lead_text(answer) == "370 participating schools"


async def test_names_are_not_missed_in_texts_of_other_letters() -> None:
    index, question = WordIndex(), "How many guests came to Rotterdam?"
    prepared = await prepare_question(index, "default", question)

    async def unknown(text: str) -> list[str]:
        item = evidence(text)
        return await find_unknown_names(index, "default", question, score_units(prepared, index, [item], split_units([item])))

    assert await unknown("В Роттердам приехали двести гостей из разных стран. Они остались на три дня.") == []
    assert await unknown("Two hundred guests came to Elver. They stayed for three days.") == ["Rotterdam"]
