"""Settings that are changed on the page: precedence, who may change them, what is kept and what takes effect at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml

from composition.settings_service import SettingsService
from core.errors import ConfigurationError, Conflict, Forbidden, InvalidInput
from server.request_identity import Identity
from server.settings_schemas import SettingOut, SettingsOut
from settings import Settings, find_source, load_settings
from settings_page import CHANGEABLE, PAGE_FILE, dotted_names, find_value
from tests.support.ollama_server import Script, ollama_server

LOCAL = Identity("default", "local", has_key=False)
KEYS = "['{}:acme:ann', '{}:acme:eve:admin']".format("a" * 20, "e" * 20)


def loaded(home: Path, file: str = "", **environ: str) -> Settings:
    home.mkdir(exist_ok=True)
    if file:
        (home / "config.yaml").write_text(file, encoding="utf-8")
    return load_settings(environ={"VANTAGE_HOME": str(home), **environ}, folder=home / "elsewhere")


def desk_of(settings: Settings) -> tuple[SettingsService, list[Settings]]:
    adopted: list[Settings] = []
    return SettingsService(settings, adopted.append), adopted


def row(shown: SettingsOut, key: str) -> SettingOut:
    return next(each for each in shown.settings if each.key == key)


def test_environment_beats_page_beats_config_yaml_beats_default(tmp_path: Path) -> None:
    home = tmp_path / "home"
    settings = loaded(home, "answers: {max_words: 90, max_sentences: 5}\nstorage: {jobs_days: 9}\n")
    assert (settings.answers.max_words, find_source(settings, "answers.max_words")) == (90, "config.yaml")
    (home / PAGE_FILE).write_text("answers: {max_words: 70, max_sentences: 4}\n", encoding="utf-8")
    settings = loaded(home, VANTAGE_ANSWERS__MAX_WORDS="50")
    assert (settings.answers.max_words, find_source(settings, "answers.max_words")) == (50, "environment")
    assert (settings.answers.max_sentences, find_source(settings, "answers.max_sentences")) == (4, "page")
    assert (settings.storage.jobs_days, find_source(settings, "storage.jobs_days")) == (9, "config.yaml")
    assert find_source(settings, "storage.feedback_days") == "default"


def test_a_key_that_the_page_cannot_set_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / PAGE_FILE).write_text("server: {port: 1}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"server\.port, which the page cannot set"):
        loaded(tmp_path)


def test_what_may_be_changed_are_settings(tmp_path: Path) -> None:
    known = Settings(home=tmp_path).model_dump(mode="json")
    assert set(CHANGEABLE) <= set(dotted_names(known))


async def test_a_change_takes_effect_at_once_and_at_the_next_start(tmp_path: Path) -> None:
    desk, adopted = desk_of(loaded(tmp_path, "answers: {max_words: 90}\n"))
    shown = await desk.change(LOCAL, {"answers.max_words": 60, "search.cross_language": "never"})
    words, crossing = row(shown, "answers.max_words"), row(shown, "search.cross_language")
    assert (words.value, words.active, words.default, words.source, words.change) == (60, 60, 120, "page", "now")
    assert (crossing.value, crossing.active, crossing.change) == ("never", "auto", "start")
    assert [(each.answers.max_words, each.search.cross_language) for each in adopted] == [(60, "auto")]
    again = loaded(tmp_path)
    assert (again.answers.max_words, again.search.cross_language) == (60, "never")
    assert (tmp_path / PAGE_FILE).stat().st_mode & 0o777 == 0o600


async def test_a_change_is_taken_back(tmp_path: Path) -> None:
    desk, adopted = desk_of(loaded(tmp_path, "answers: {max_words: 90}\n"))
    await desk.change(LOCAL, {"answers.max_words": 60})
    shown = await desk.change(LOCAL, {"answers.max_words": None})
    assert (row(shown, "answers.max_words").value, row(shown, "answers.max_words").source) == (90, "config.yaml")
    assert adopted[-1].answers.max_words == 90
    assert not (tmp_path / PAGE_FILE).exists()


async def test_a_setting_that_waited_since_the_last_start_stays_in_force(tmp_path: Path) -> None:
    (tmp_path / PAGE_FILE).write_text("search: {cross_language: never}\n", encoding="utf-8")
    desk, adopted = desk_of(loaded(tmp_path))
    shown = await desk.change(LOCAL, {"search.cross_language": None, "answers.max_words": 60})
    assert (row(shown, "search.cross_language").value, row(shown, "search.cross_language").active) == ("auto", "never")
    assert (adopted[-1].search.cross_language, adopted[-1].answers.max_words) == ("never", 60)


@pytest.mark.parametrize(
    ("values", "error", "says"),
    [
        ({"answers.max_words": 5}, InvalidInput, "answers.max_words"),
        ({"server.port": 1}, InvalidInput, "VANTAGE_SERVER__PORT"),
        ({"nothing.there": 1}, InvalidInput, "cannot be changed on the page"),
        ({"storage.jobs_days": 3}, Conflict, "VANTAGE_STORAGE__JOBS_DAYS"),
    ],
)
async def test_a_change_that_cannot_be_changes_nothing(tmp_path: Path, values: dict[str, Any], error: type[Exception], says: str) -> None:
    desk, adopted = desk_of(loaded(tmp_path, VANTAGE_STORAGE__JOBS_DAYS="7"))
    with pytest.raises(error, match=says):
        await desk.change(LOCAL, {"answers.max_sentences": 3, **values})
    assert row(desk.read(LOCAL), "answers.max_sentences").source == "default"
    assert adopted == []
    assert not (tmp_path / PAGE_FILE).exists()


async def test_members_see_settings_without_keys_and_folders_and_change_none(tmp_path: Path) -> None:
    desk, _ = desk_of(loaded(tmp_path, VANTAGE_SERVER__API_KEYS=KEYS))
    ann, eve = Identity("acme", "ann", has_key=True), Identity("acme", "eve", has_key=True, role="admin")
    member, admin = desk.read(ann), desk.read(eve)
    assert (member.may_change, member.keys) == (False, None)
    assert not {"server.api_keys", "ingestion.roots"} & {each.key for each in member.settings}
    assert admin.may_change
    assert [(holder.person, holder.role, holder.keys) for holder in admin.keys or []] == [("ann", "member", 1), ("eve", "admin", 1)]
    assert "aaaa" not in admin.model_dump_json()
    with pytest.raises(Forbidden):
        await desk.change(ann, {"answers.max_words": 60})
    with pytest.raises(Forbidden):
        await desk.test_model(ann, "")


async def test_an_administrator_of_one_of_several_tenants_changes_nothing_of_the_others(tmp_path: Path) -> None:
    keys = "['{}:acme:eve:admin', '{}:other:cy']".format("e" * 20, "c" * 20)
    desk, _ = desk_of(loaded(tmp_path, VANTAGE_SERVER__API_KEYS=keys))
    eve = Identity("acme", "eve", has_key=True, role="admin")
    shown = desk.read(eve)
    assert (shown.may_change, [holder.person for holder in shown.keys or []]) == (False, ["eve"])
    with pytest.raises(Forbidden, match="several tenants"):
        await desk.change(eve, {"storage.conversations_days": 1})


def test_secrets_are_told_to_be_set_and_nothing_more(tmp_path: Path) -> None:
    settings = loaded(tmp_path, VANTAGE_STORAGE__URL="postgresql://me:hunter2@host/db", VANTAGE_OLLAMA__BASE_URL="http://me:hunter2@host:1")
    shown = desk_of(settings)[0].read(LOCAL)
    assert row(shown, "storage.url").value is True
    assert row(shown, "ollama.base_url").value == "http://…@host:1"
    assert "hunter2" not in shown.model_dump_json()


def test_every_line_for_config_yaml_is_one_that_it_takes(tmp_path: Path) -> None:
    for each in desk_of(loaded(tmp_path))[0].read(LOCAL).settings:
        if each.kind != "secret":
            assert find_value(yaml.safe_load(each.line), each.key) == each.value, each.key


async def test_the_models_of_ollama_are_listed_and_one_is_tested(tmp_path: Path) -> None:
    async with ollama_server(models=("small:1b", "qwen3-vl:8b"), scripts=[Script(pieces=["ready"])]) as server:
        desk, _ = desk_of(loaded(tmp_path, VANTAGE_OLLAMA__BASE_URL=server.url))
        assert (await desk.language_models()).models == ["qwen3-vl:8b", "small:1b"]
        tested = await desk.test_model(LOCAL, "small:1b")
        missing = await desk.test_model(LOCAL, "large:70b")
    assert (tested.model, tested.answered, tested.reply) == ("small:1b", True, "ready")
    assert tested.seconds >= 0
    assert not missing.answered
    assert "ollama pull large:70b" in missing.detail


async def test_where_ollama_does_not_answer_the_reason_is_told(tmp_path: Path) -> None:
    desk, _ = desk_of(loaded(tmp_path, VANTAGE_OLLAMA__BASE_URL="http://127.0.0.1:9"))
    found = await desk.language_models()
    assert not found.reachable
    assert "http://127.0.0.1:9" in found.detail
    with anyio.fail_after(30):
        assert not (await desk.test_model(LOCAL, "")).answered
