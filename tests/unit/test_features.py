"""Features: a row for each, switched for one tenant, kept, and shown with the reason why one does not run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from composition.settings_service import SettingsService
from core.errors import ConfigurationError, Conflict, Forbidden, InvalidInput
from server.request_identity import Identity
from server.schemas import Part
from server.settings_schemas import FeatureOut
from settings import Settings, load_settings, settings_of_tenant
from settings_features import BY_NAME, FEATURES, read_flags, read_setting
from settings_page import PAGE_FILE, nest_values

DECISION = Path(__file__).resolve().parents[2] / "docs" / "decisions" / "0046-features-are-rows-that-a-tenant-switches.md"
LOCAL = Identity("default", "local", has_key=False)
EVE, ANN = Identity("acme", "eve", has_key=True, role="admin"), Identity("acme", "ann", has_key=True)
KEYS = "['{}:acme:ann', '{}:acme:eve:admin', '{}:other:cy']".format("a" * 20, "e" * 20, "c" * 20)


def switch_names(model: type[BaseModel], before: str = "") -> Iterator[str]:
    """Yield the settings that are named as switches are."""
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from switch_names(inner, f"{before}{name}.")
        elif name == "enabled" or name.endswith("_enabled"):
            yield f"{before}{name}"


def service_of(home: Path, file: str = "", **environ: str) -> tuple[SettingsService, list[Settings]]:
    home.mkdir(exist_ok=True)
    if file:
        (home / "config.yaml").write_text(file, encoding="utf-8")
    adopted: list[Settings] = []
    return SettingsService(load(home, **environ), adopted.append), adopted


def load(home: Path, **environ: str) -> Settings:
    return load_settings(environ={"VANTAGE_HOME": str(home), **environ}, folder=home / "elsewhere")


def feature(service: SettingsService, name: str, tenant: str = "acme", *parts: Part, passages: int = 0) -> FeatureOut:
    return next(each for each in service.features(tenant, parts, passages) if each.name == name)


def test_every_switch_of_the_settings_is_a_feature() -> None:
    assert set(switch_names(Settings)) <= {each.setting for each in FEATURES}
    assert len(BY_NAME) == len(FEATURES) == len({each.setting for each in FEATURES})


@pytest.mark.parametrize("each", FEATURES, ids=lambda each: each.name)
def test_a_row_names_a_setting_and_values_that_it_can_have(each: object, tmp_path: Path) -> None:
    row = BY_NAME[getattr(each, "name", "")]
    needed: dict[str, dict[str, object]] = {
        "graph_by_model": {"llm.model": "fake:model"},
        "summaries_by_model": {"llm.model": "fake:model"},
        "entity_classes": {"ontology.support_enabled": True},
    }
    defaults = needed.get(row.name, {})
    for value in (row.off, row.on):
        chosen = Settings.model_validate({"home": tmp_path, **nest_values({**defaults, row.setting: value})})
        assert read_setting(chosen, row.setting) == value
        assert read_flags(chosen)[row.name] is (value == row.on and all(read_flags(chosen)[other] for other in row.needs))


def test_the_decision_has_each_with_its_default(tmp_path: Path) -> None:
    defaults, text = Settings(home=tmp_path), DECISION.read_text(encoding="utf-8")
    rows = {
        f"| {row.name} | `{row.setting}` | {str(read_setting(defaults, row.setting)).lower()} | {row.switch} | {row.effect} |" for row in FEATURES
    }
    assert {line for line in text.splitlines() if line.startswith("| ") and "`" in line} == rows


async def test_a_switch_holds_for_its_tenant_alone_and_after_a_start(tmp_path: Path) -> None:
    service, adopted = service_of(tmp_path / "home", VANTAGE_SERVER__API_KEYS=KEYS)
    await service.switch(EVE, {"rerank": False, "memory": False})
    now = adopted[-1]
    assert [read_flags(settings_of_tenant(now, tenant))["rerank"] for tenant in ("acme", "other")] == [False, True]
    assert settings_of_tenant(now, "other") is now
    shown = feature(service, "rerank")
    assert (shown.enabled, shown.running, shown.why, shown.source) == (False, False, "search.rerank.enabled is false", "tenant")
    assert "memory" in feature(service, "notes").why
    assert feature(service, "rerank", "other").enabled
    again = load(tmp_path / "home", VANTAGE_SERVER__API_KEYS=KEYS)
    assert not read_flags(settings_of_tenant(again, "acme"))["rerank"]
    await service.switch(EVE, {"rerank": None, "memory": None})
    assert feature(service, "rerank").source == "default"
    assert not (tmp_path / "home" / PAGE_FILE).exists()


async def test_the_page_shows_what_the_tenant_has_and_its_change_is_the_last_word(tmp_path: Path) -> None:
    service, adopted = service_of(tmp_path / "home")
    await service.change(LOCAL, {"answers.max_words": 60})
    await service.switch(LOCAL, {"spelling": False, "tables": False})
    shown = next(each for each in service.read(LOCAL).settings if each.key == "search.spelling")
    assert (shown.value, shown.active, shown.change) == (False, False, "now")
    await service.change(LOCAL, {"search.spelling": True})
    own = settings_of_tenant(adopted[-1], "default")
    assert (own.search.spelling, own.answers.tables_enabled, own.answers.max_words) == (True, False, 60)


async def test_who_may_not_switch_and_what_cannot_be(tmp_path: Path) -> None:
    service, adopted = service_of(
        tmp_path / "home", "search: {cross_language: never}\n", VANTAGE_SERVER__API_KEYS=KEYS, VANTAGE_ANSWERS__READER_ENABLED="false"
    )
    with pytest.raises(Forbidden):
        await service.switch(ANN, {"rerank": False})
    refused = {"nothing": InvalidInput, "text_recognition": Conflict, "reader": Conflict, "cross_language": Conflict}
    for name, error in refused.items():
        with pytest.raises(error, match=name):
            await service.switch(EVE, {"rerank": False, name: True})
    assert adopted == []
    await service.switch(EVE, {"cross_language": False})  # to leave out what is not there needs nothing


async def test_a_switch_back_on_takes_the_server_s_value(tmp_path: Path) -> None:
    service, adopted = service_of(tmp_path / "home", "search: {cross_language: always}\ncommunity: {detection_enabled: 'off'}\n")
    await service.switch(LOCAL, {"cross_language": False, "communities": True})
    await service.switch(LOCAL, {"cross_language": True})
    own = settings_of_tenant(adopted[-1], "default")
    assert (own.search.cross_language, own.community.detection_enabled) == ("always", "auto")


def test_what_is_on_and_cannot_run_says_why(tmp_path: Path) -> None:
    service, _ = service_of(tmp_path / "home", "graph: {max_passages: 10}\n")
    away = Part(name="language model", state="off", detail="Ollama does not answer.")
    shown = feature(service, "language_model", "acme", away)
    assert (shown.enabled, shown.running, shown.why) == (True, False, "Ollama does not answer.")
    assert feature(service, "graph", "acme", passages=11).why == "the library has 11 passages, more than graph.max_passages (10)"
    assert feature(service, "graph", "acme", passages=10).running


async def test_a_part_that_is_off_for_the_server_runs_for_a_tenant_that_has_it_on(tmp_path: Path) -> None:
    service, _ = service_of(tmp_path / "home", "search: {rerank: {enabled: false}}\n")
    await service.switch(LOCAL, {"rerank": True})
    part = Part(name="rerank", state="off", detail="search.rerank.enabled is false")
    assert feature(service, "rerank", "default", part).running
    assert not feature(service, "rerank", "other", part).running


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tenants: {acme: {answers: {max_words: 60}}}", "answers.max_words for the tenant acme"),
        ("tenants: {acme: {search: {spelling: perhaps}}}", "search.spelling"),
        ("tenants: [acme]", "a section for each tenant"),
    ],
)
def test_a_file_that_cannot_be_stops_the_start(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / PAGE_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=said):
        load(tmp_path)
