"""When something ends: what says so, and not when somebody may end it."""

from __future__ import annotations

import pytest

from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

LEASE = evidence(
    "The term of the lease is ten years, ending on 30 April 2031.\n\nThe tenant may end this lease on 30 April 2027 by nine months' notice.",
    document="lease",
    title="Boathouse lease",
)
OFFER = evidence("This offer stands for sixty days, that is until 23 October 2026.", document="offer", title="Offer of Falke Pumps")
OTHER = evidence("Our quotation is valid until 15 October 2026 for all pumps.", document="other", title="Quotation of Meva Pumps")
FERRY = evidence(
    "Ferry contract\n\nThe ferry contract expires on 31 December 2026 and is looked after by Ada Holm.", document="people", title="People"
)
ALL = [LEASE, OFFER, OTHER, FERRY]


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("When does the lease end?", "30 April 2031"),
        ("When does the boathouse lease expire?", "30 April 2031"),
        ("When does the Falke quotation expire?", "23 October 2026"),
        ("Until when is the Meva offer valid?", "15 October 2026"),
        ("when does the ferry contract run out", "31 December 2026"),
    ],
)
async def test_the_day_that_is_said(question: str, day: str) -> None:
    assert lead_text(await compose_answer(question, ALL)) == day


@pytest.mark.parametrize("question", ["When does the insurance of the hall end?", "When does the end come?", "When does the pumps policy expire?"])
async def test_of_what_nothing_or_several_days_are_said(question: str) -> None:
    assert lead_text(await compose_answer(question, ALL)) == ""
