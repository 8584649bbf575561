"""When something happened last, and who wrote a document."""

from __future__ import annotations

import pytest

from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

REPORT = evidence(
    "Last examination: 18 September 2025, report 7. Next examination due not later than 14 September 2027.\n"
    "I examined the gantry described above on 14 September 2026. The signs are put up by 3 October 2026.",
    document="report",
    title="Gantry report",
)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("When was the gantry last examined?", "14 September 2026"),
        ("When was the last examination of the gantry?", "14 September 2026"),
        ("When was the gantry most recently examined?", "14 September 2026"),
        ("When was the gantry last examined before September 2026?", "18 September 2025"),
        ("When was the gantry last examined before 1 January 2025?", ""),
        ("When was the gantry last painted?", ""),
        ("When was the ferry last examined?", ""),
    ],
)
async def test_the_latest_day_of_an_event(question: str, day: str) -> None:
    assert lead_text(await compose_answer(question, [REPORT])) == day


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("The ferry was examined by Ann Low on 3 May 2025.", "3 May 2025"),
        ("The ferry was examined on 3 May 2025. The defects are examined by 9 June 2025.", "3 May 2025"),
        ("The ferry was examined on 3 May 2025. It is examined on 3 May 2999.", "3 May 2025"),
    ],
    ids=["who did it", "a day up to which", "a day to come"],
)
async def test_what_stands_before_a_day(said: str, day: str) -> None:
    assert lead_text(await compose_answer("When was the ferry last examined?", [evidence(said, title="Ferry")])) == day


OFFER = evidence(
    "Two lifts for your hall\nDear Ms Raman,\nwe deliver two lifts in May.\nYours faithfully,\nEmeka Dunn\nSales manager",
    document="offer",
    title="Birch offer",
)
MINUTES = evidence(
    "Written by: Hanna Falk\nThe lifts were discussed. On 3 May Jon Ake wrote:\n> The lifts are late.", document="minutes", title="Minutes of May"
)


@pytest.mark.parametrize(
    ("question", "writer"),
    [
        ("Who wrote the Birch offer?", "Emeka Dunn"),
        ("Who has written the Birch offer?", "Emeka Dunn"),
        ("Who signed the offer of Birch?", "Emeka Dunn"),
        ("Who is the author of the minutes of May?", "Hanna Falk"),
        ("Wer hat das Angebot von Birch unterschrieben?", "Emeka Dunn"),
        ("Who wrote the Alder offer?", ""),
        ("Who wrote to Birch?", ""),
    ],
)
async def test_who_wrote_a_document(question: str, writer: str) -> None:
    assert lead_text(await compose_answer(question, [OFFER, MINUTES])) == writer


async def test_a_labelled_decision_need_not_repeat_the_words_of_choosing() -> None:
    minutes = evidence("Priya presented three offers for lifts. Decision: the order goes to Birch Lifts at £79,930 net.", title="Minutes of May")
    assert lead_text(await compose_answer("Which offer was chosen, and at what price?", [minutes])) == "Birch Lifts"
