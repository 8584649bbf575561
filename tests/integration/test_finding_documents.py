"""Documents that are asked for are listed, whole and exact: by kind, words, time and language; what is not there is said to be not there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from bootstrap import open_services
from core.search_schemas import SearchRequest, SearchResponse
from server.services import Services
from settings import load_settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

FILES = {
    "boathouse lease.txt": "Lease of the boathouse\n\nDated 22 March 2021\n\nThe parties agree. Tar is kept in the yard, and tar is not burnt.\n",
    "crane report.md": "# Report on the crane\n\nDate: 4 May 2024\n\nThe findings: the crane lifts five tonnes. No tar was found on its ropes.\n",
    "brief.txt": "Sehr geehrte Frau Holm,\n\nder Kran wurde geprüft und ist in Ordnung. Danke!\n\nMit freundlichen Grüßen\nJon\n",
    "legal/notice.txt": "Notice to the tenant\n\nDated 3 June 2024\n\nThe tenant clears the slipway within nine days, says Ada Holm.\n",
    "budget.csv": "item,year,pounds\ncrane,2026,1200\nyard,2026,300\n",
}

ROPES = {
    "fatigue.txt": "Wear of steel wire ropes on cranes\n\nSteel wire ropes on cranes show wear of their outer wires after some thousand bends.\n",
    "strands.txt": "Abrasion of hoisting cables\n\nThe steel strands of the cables that lift loads are worn thin by the pulleys of the crane.\n",
    "inspection.txt": "When a rope is replaced\n\nWire ropes of cranes are taken off when worn: when the steel rope has shrunk by a tenth.\n",
    "soup.txt": "Lentil soup\n\nThe lentils are boiled with carrots, leek and a bay leaf for forty minutes and served with vinegar.\n",
}


@asynccontextmanager
async def opened_library(place: Path) -> AsyncIterator[Services]:
    """The services over a library of FILES."""
    folder = place / "docs"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    settings = load_settings(environ={"VANTAGE_HOME": str(place / "home"), "VANTAGE_OLLAMA__ENABLED": "off"}, folder=place)
    async with open_services(settings) as opened:
        await index_folder(opened, folder)
        yield opened


async def index_folder(services: Services, folder: Path) -> None:
    job = await services.jobs.queue_run("default", str(folder), "default")
    async for record in services.jobs.events("default", job.id):
        if record.state in {"done", "failed", "cancelled"}:
            break


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def services(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Services]:
    """For the tests that only ask."""
    async with opened_library(tmp_path_factory.mktemp("finding")) as opened:
        yield opened


async def asked(services: Services, text: str, tenant: str = "default", top_k: int = 5) -> SearchResponse:
    run = await services.runs.start(SearchRequest(query=text, use_memory=False, top_k=top_k), tenant, "test")
    return await services.runs.result(tenant, run)


def names(response: SearchResponse) -> list[str]:
    return [citation.filename for citation in response.citations]


async def test_documents_are_listed_by_what_is_asked_of_them(services: Services) -> None:
    mentioned = await asked(services, "which documents mention tar?")
    assert (mentioned.status, mentioned.answer_kind) == ("success", "documents")
    assert names(mentioned) == ["boathouse lease.txt", "crane report.md"]
    assert mentioned.answer.startswith("2 documents with “tar”.\n\n")
    assert "twice in its text" in mentioned.answer_sentences[0].text
    assert [result.filename for result in mentioned.results] == names(mentioned)
    for citation in mentioned.citations:
        assert "tar" in citation.quote.lower()
        assert citation.quote in FILES[citation.filename]

    assert names(await asked(services, "show me my spreadsheets")) == ["budget.csv"]
    both = await asked(services, "spreadsheets and letters")
    assert sorted(names(both)) == ["brief.txt", "budget.csv"]
    assert both.answer.startswith("2 documents (spreadsheets and letters).")
    assert names(await asked(services, "find the boathouse lease")) == ["boathouse lease.txt"]
    assert (await asked(services, "where is tar kept?")).answer_kind == "answer"
    assert names(await asked(services, "documents from 2021")) == ["boathouse lease.txt"]
    assert names(await asked(services, "which files are in German?")) == ["brief.txt"]
    about = await asked(services, "show me documents about the crane")
    assert names(about)[0] == "crane report.md"
    assert about.confidence < mentioned.confidence

    absent = await asked(services, "which documents mention herring?")
    assert (absent.status, absent.citations, absent.results) == ("not_found", [], [])
    assert absent.answer == "No documents with “herring”. 5 documents of your library looked through."


async def test_a_topic_in_many_words_lists_what_says_it_otherwise_in_the_order_of_the_search(tmp_path: Path) -> None:
    folder = tmp_path / "ropes"
    folder.mkdir()
    for name, text in ROPES.items():
        (folder / name).write_text(text, encoding="utf-8")
    async with opened_library(tmp_path) as services:
        await index_folder(services, folder)
        found = await asked(services, "papers on the wear of steel wire ropes on cranes")
        assert found.answer_kind == "documents"
        assert set(names(found)) >= {"fatigue.txt", "strands.txt", "inspection.txt"}, found.answer
        assert not set(names(found)) & {"budget.csv", "boathouse lease.txt", "soup.txt"}
        assert [result.filename for result in found.results] == names(found)[:5]
        fallen_back = await asked(services, "obtain all papers that contain steel wire rope wear measurements")
        assert fallen_back.answer_kind != "documents"
        assert fallen_back.results


async def test_a_list_is_counted_whole_and_shown_as_far_as_is_asked_for(services: Services) -> None:
    everything = await asked(services, "recent documents", top_k=2)
    assert everything.answer.startswith("5 documents.")
    assert len(everything.results) == 2
    assert len(everything.citations) == 5


async def test_a_folder_that_is_named_bounds_the_list(services: Services) -> None:
    inside = await asked(services, "show me the documents in the legal folder")
    assert names(inside) == ["notice.txt"]
    assert inside.answer.startswith("1 document in the folder legal.")
    assert inside.searched["listed"] == 1


async def test_a_part_of_a_question_that_nothing_answers_is_told(services: Services) -> None:
    answer = await asked(services, "Within how many days does the tenant clear the slipway? Which surgeon removed the appendix of the astronaut?")
    assert answer.status == "success"
    assert "nine days" in answer.answer
    assert answer.answer_notes == ["Nothing was found about “Which surgeon removed the appendix of the astronaut”."]


async def test_another_tenants_documents_are_not_there(services: Services) -> None:
    foreign = await asked(services, "which documents mention tar?", tenant="other")
    assert foreign.status == "not_found"
    assert "tar" not in " ".join(citation.quote for citation in foreign.citations)


async def test_a_topic_is_found_in_another_language_and_an_absent_one_is_not(services: Services) -> None:
    cranes = await asked(services, "Dokumente über Kräne")
    assert (cranes.status, cranes.answer_kind) == ("success", "documents")
    assert names(cranes)[0] == "crane report.md"
    assert cranes.answer.startswith("2 documents about “Kräne” (“cranes”).")
    assert (await asked(services, "documents about volcanoes")).status == "not_found"
    assert (await asked(services, "Dokumente über Vulkane")).status == "not_found"
