"""The questions that `docs/asking.md`, `docs/sample-library.md` and README name, asked of the sample library, each with words that its answer has."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bootstrap import open_services
from core.search_schemas import SearchRequest, SearchResponse
from server.services import Services
from settings import load_settings

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "asking.md").read_text(encoding="utf-8")
GUIDES = (ROOT / "docs" / "sample-library.md").read_text(encoding="utf-8") + (ROOT / "README.md").read_text(encoding="utf-8")
pytestmark = [pytest.mark.integration, pytest.mark.slow]

QUESTIONS = {
    "What is the rent of Quay 7?": ["£341,500", "before: £321,760"],
    "rent of Quay 7": ["£341,500"],
    "whats the rent": ["£341,500"],
    "show me documents about the cost of shipping goods": ["near “cost of shipping goods” in meaning", "Sea freight"],
    "Dokumente über Gabelstapler": ["2 documents about", "Forklift and lifting safety policy v2.md"],
    "How large is the deposit and who holds it?": ["£80,000; the Agent"],
    "Who is called second when a cold store alarm is not answered, and what is that person's extension?": ["Tobias Renn; 220"],
    "At what temperature does the alarm of Chamber 1 go off?": ["-18"],
    "What is Amina's extension?": ["240"],
    "What does defect 1 cost?": ["2,350"],
    "How much of the repair of the runway joint does the landlord pay?": ["£4,740"],
    "What does the lease of Quay 7 say about the deposit?": ["£80,000", "thirty days"],
    "What does the agent say must happen before work on the runway joint starts?": ["valley is tight"],
    "What were the hours of access to Quay 7 before the amendment?": ["06:00 to 20:00"],
    "Does the landlord insure the building?": ["reinstatement value"],
    "Whom do we call when the cold store alarm goes off?": ["Wren Halloran", "Polarwerk service line"],
    "Cold store limits": ["-18.0", "6.5"],
    "Cold store limits and whom to call?": ["-18.0", "Wren Halloran", "Polarwerk service line"],
    "Explain clause 8.4": ["sixty per cent by the Landlord"],
    "What are the defects of crane C2?": ["Buffers", "Lettering"],
    "When was the lease signed?": ["22 March 2021"],
    "How does the landlord want to receive notices?": ["by hand or by recorded delivery"],
    "Why did freight cost more than budgeted?": ["ordered too late"],
    "Why was Kestrel's offer not chosen?": ["ran out on 30 September"],
    "Tell me about Trevanion & Holt": ["Property consultants in Port Elver"],
    "What does Stannard Lifting Surveys do?": ["Examine our cranes every September"],
    "Who is Amina Yusuf?": ["Health and Safety Manager"],
    "Tell me about the company": ["Merrow Chandlers Ltd"],
    "What are these documents about?": ["3 quotes"],
    "which documents mention Pallas?": ["Quote Pallas Materials Handling.txt"],
}
# The ten of docs/sample-library.md and README's; "" where nothing is found, which is what the page promises.
TOUR: dict[str, list[str]] = {
    "How large is the deposit for Quay 7 and who holds it?": ["£80,000", "Agent"],
    "What hours may we use the warehouse these days?": ["05:00 to 23:00"],
    "Compare the three offers for reach trucks: total net price.": ["82,720", "71,580", "79,930"],
    "What is the difference between version 1 and version 2 of the safety policy about speed inside the building?": ["8 km/h", "10 km/h"],
    "Which firm does the landlord's agent for Quay 7 work for?": ["Trevanion & Holt"],
    "What share of the £7,900 repair of crane C2 does the landlord bear under the lease?": ["sixty per cent"],
    "What did air freight cost in August 2026?": ["8,200"],
    "How many near misses in Q3?": ["seven"],
    "Summarise the minutes of the operations meeting of 6 October.": ["Pallas"],
    "What is the salary of the Finance Director?": [],
    "How much notice must we give to leave Quay 7?": ["nine months"],
}
# What is asked first, what is asked then, and what the last answer has.
DIALOGUES = (
    ("Who is the landlord's agent for Quay 7?", "Which firm does she work for?", "Trevanion & Holt"),
    ("When does the lease end?", "When was it signed?", "22 March 2021"),
    ("Which offer for the reach trucks was chosen?", "At what price?", "79,930"),
    ("Who does Wren Halloran report to?", "And who does he report to?", "Ines Okafor"),
    ("Who examined crane C2?", "When?", "14 September 2026"),
)


@asynccontextmanager
async def _sample(home: Path) -> AsyncIterator[Services]:
    settings = load_settings(environ={"VANTAGE_HOME": str(home), "VANTAGE_OLLAMA__ENABLED": "off"}, folder=home)
    async with open_services(settings) as services:
        job = await services.jobs.queue_run("default", str(ROOT / "examples" / "library"), "default")
        async for record in services.jobs.events("default", job.id):
            if record.state in {"done", "failed", "cancelled"}:
                break
        yield services


async def _asked(services: Services, question: str, conversation: str | None = None) -> SearchResponse:
    request = SearchRequest(query=question, use_memory=False, conversation_id=conversation)
    return await services.runs.result("default", await services.runs.start(request, "default", "test"))


async def test_what_the_docs_say_can_be_asked_is_answered(tmp_path: Path) -> None:
    wrong: dict[str, str] = {}
    async with _sample(tmp_path) as services:
        for question, words in (QUESTIONS | TOUR).items():
            response = await _asked(services, question)
            if response.status != ("success" if words else "not_found") or not all(word in response.answer for word in words):
                wrong[question] = response.answer[:200]
        for first, then, words_then in DIALOGUES:
            conversation = (await services.conversations.create("default", "test", "")).id
            await _asked(services, first, conversation)
            response = await _asked(services, then, conversation)
            if words_then not in response.answer:
                wrong[f"{first} {then}"] = response.answer[:200]
    assert not wrong


@pytest.mark.parametrize("question", TOUR)
def test_the_tour_names_these_questions(question: str) -> None:
    assert question in GUIDES


def test_every_question_of_the_sample_s_page_is_asked() -> None:
    page = (ROOT / "docs" / "sample-library.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\d+\. \*\*(.+?)\*\*", page, re.MULTILINE)) <= set(TOUR)


@pytest.mark.parametrize("question", [*QUESTIONS, *(text for first, then, _ in DIALOGUES for text in (first, then))])
def test_the_docs_name_these_questions(question: str) -> None:
    assert question in DOCS
