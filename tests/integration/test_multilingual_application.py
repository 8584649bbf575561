"""The multilingual encoder in the whole application: without it, by the setting, and beside a switch of the embedding model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from core.errors import ConfigurationError
from server.services import Services
from tests.support.model_switch import FILES, ModelOpener, ask_question, embedder_state, index_folder, question_of, wait_for_detail, write_files
from tests.support.model_switch import open_model_library as switching_library
from tests.support.multilingual_library import COMMAND, MISSING, looks_often
from tests.support.word_encoder import WordEncoder

__all__ = ["looks_often"]


# ------------------------------------------------------------------------------------------------------------------- in the whole application
@dataclass
class Opening:
    """Stands in the place of the encoder's class."""

    missing: str = ""
    opened: list[WordEncoder] = field(default_factory=list)

    def __call__(self, **_: object) -> WordEncoder:
        if self.missing:
            raise ConfigurationError(self.missing)
        self.opened.append(WordEncoder({"hütet": "keeps", "Wer": "who"}))
        return self.opened[-1]


@pytest.fixture
def opening(monkeypatch: pytest.MonkeyPatch) -> Opening:
    made = Opening()
    monkeypatch.setattr("retrieval.embedders.universal_encoder.MultilingualEncoder", made)
    return made


async def part_of(services: Services) -> tuple[str, str]:
    (part,) = [part for part in await services.parts() if part.name == "other languages"]
    return part.state, part.detail


async def until_complete(services: Services, documents: int) -> None:
    with anyio.fail_after(60):
        while f"{documents} of {documents} documents" not in (await part_of(services))[1]:  # noqa: ASYNC110
            await anyio.sleep(0.02)


GERMAN = "Die Kaution für die Lagerhalle beträgt achtzigtausend Euro und wird von der Maklerin verwahrt.\n"


async def test_a_search_is_answered_without_the_encoder_and_says_why(tmp_path: Path, opening: Opening) -> None:
    opening.missing = MISSING
    folder = write_files(tmp_path / "docs")
    (folder / "german.txt").write_text(GERMAN)
    async with switching_library(tmp_path, "alpha", ModelOpener({"alpha": 128})) as services:
        await index_folder(services, folder)
        response = await ask_question(services, "Wie hoch ist die Kaution für die Lagerhalle?")
        assert response.status == "success"
        assert response.results[0].filename == "german.txt"
        reasons = [each.reason for each in response.degraded if each.part == "multilingual"]
        assert [COMMAND in reason for reason in reasons] == [True, True]  # the search, and the choice of sentences
        assert await part_of(services) == ("degraded", MISSING)
        opening.missing = ""
        response = await ask_question(services, "Wie hoch ist die Kaution für die Lagerhalle jetzt?")  # who asks has it opened
        await until_complete(services, FILES + 1)
        response = await ask_question(services, "Wie hoch ist die Kaution für die Lagerhalle heute?")
        assert (response.degraded, response.results[0].filename) == ([], "german.txt")


@pytest.mark.parametrize(("mode", "state"), [("never", "off"), ("always", "ok"), ("auto", "off")])
async def test_the_setting_says_when(tmp_path: Path, opening: Opening, mode: str, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.yaml").write_text(f"search: {{cross_language: {mode}}}\n")
    folder = write_files(tmp_path / "docs")
    async with switching_library(tmp_path, "alpha", ModelOpener({"alpha": 128})) as services:
        assert services.settings.search.cross_language == mode
        await index_folder(services, folder)
        if mode == "always":
            await until_complete(services, FILES)
        assert (await part_of(services))[0] == state
        assert len(opening.opened) == (mode == "always")
        if mode == "never":
            assert "search.cross_language is never" in (await part_of(services))[1]
            response = await ask_question(services, "Wer hütet den harboura und die Miete?")
            assert (response.degraded, opening.opened) == ([], [])


async def test_another_embedding_model_takes_over_and_the_multilingual_vectors_stay(tmp_path: Path, opening: Opening) -> None:
    models, folder = ModelOpener({"alpha": 128, "beta": 192}), write_files(tmp_path / "docs")
    (folder / "german.txt").write_text(GERMAN)
    async with switching_library(tmp_path, "alpha", models) as services:
        await index_folder(services, folder)
        await until_complete(services, FILES + 1)
    async with switching_library(tmp_path, "beta", models) as services:
        await wait_for_detail(services, "beta")
        await until_complete(services, FILES + 1)
        encoder = opening.opened[-1]
        assert not any("Lagerhalle" in text and "Euro" in text for text in encoder.passages)  # nothing is made again
        response = await ask_question(services, "Wie hoch ist die Kaution für die Lagerhalle?")
        assert (response.degraded, response.results[0].filename) == ([], "german.txt")
        (folder / "late.txt").write_text("Die Pumpe im Keller braucht jede Woche frisches Öl und einen neuen Filter.\n")
        await index_folder(services, folder)  # by the new model's index
        await until_complete(services, FILES + 2)
        (folder / "german.txt").unlink()
        await index_folder(services, folder)
        await until_complete(services, FILES + 1)
        response = await ask_question(services, "Was braucht die Pumpe im Keller jede Woche?")
        assert (response.degraded, response.results[0].filename) == ([], "late.txt")
        assert (await ask_question(services, question_of(3))).results[0].filename == "3.txt"
        assert await embedder_state(services) == ("ok", "beta")
