"""The whole product with graph.use_model: a file goes through the worker, the rules, the model over HTTP and the store to the graph that is asked."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

from bootstrap import open_services
from core.graph import EntityType
from core.ports import JobRecord
from core.search import Filters
from server.services import Services
from settings import load_settings
from tests.support.ollama_server import Script, ollama_server

pytestmark = pytest.mark.slow

SENTENCE = "Last spring Mara Ellison was lured away by Brightwater."
REPLY = {
    "entities": [{"name": "Brightwater", "type": "ORGANIZATION"}, {"name": "Sir Nobody", "type": "PERSON"}],
    "relationships": [{"source": "Mara Ellison", "type": "WORKS_AT", "target": "Brightwater", "sentence": SENTENCE}],
}


async def indexed(services: Services, folder: Path) -> JobRecord:
    job = await services.jobs.queue_run("default", str(folder), "default")
    with anyio.fail_after(60):
        async for record in services.jobs.events("default", job.id):
            job = record
    return job


async def test_what_the_model_read_is_in_the_graph_with_its_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "note.md").write_text(f"# Staff news\n\n{SENTENCE} Mara Ellison likes it there.\n")
    async with ollama_server(scripts=[Script(pieces=[json.dumps(REPLY)])]) as server:
        environ = {
            "VANTAGE_HOME": str(tmp_path / "home"),
            "VANTAGE_GRAPH__USE_MODEL": "true",
            "VANTAGE_OLLAMA__BASE_URL": server.url,
            "VANTAGE_OLLAMA__UNIFIED_MODEL__NAME": "test-model:latest",
        }
        async with open_services(load_settings(environ=environ, folder=tmp_path)) as services:
            job = await indexed(services, folder)
            assert (job.state, job.error) == ("done", None)
            (document,), _, _ = await services.library.list_documents("default", filters=Filters())
            made = await services.graph.document_entities("default", document.id)
        assert len(server.requests) == 1
        assert server.requests[0]["format"]["title"] == "Claims"
    assert made.generated_by == "test-model:latest"
    named = {each.entity.name: each.entity for each in made.entities}
    assert named["Brightwater"].entity_type is EntityType.ORGANIZATION
    assert "Sir Nobody" not in named
    (works,) = [each for each in made.relationships if each.relationship_type == "WORKS_AT"]
    assert (works.source_id, works.target_id) == (named["Mara Ellison"].id, named["Brightwater"].id)
    assert [each.text for each in works.evidence] == [SENTENCE]
