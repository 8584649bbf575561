"""Settings: order of precedence, clear errors, and config.yaml in step with the defaults."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from composition.search_engine import opensearch_options
from core.errors import ConfigurationError
from settings import Settings, load_settings
from settings_page import dotted_names, variable_name
from settings_sources import SECRETS

ROOT = Path(__file__).resolve().parents[2]
DEFINED_IN = {"settings", "settings_graph", "settings_ingestion", "settings_search", "settings_server"}


def shown() -> dict[str, Any]:
    """config.yaml with its setting lines uncommented."""
    lines = (ROOT / "config.yaml").read_text(encoding="utf-8").splitlines()
    setting = re.compile(r"^# ( *[a-z0-9_]+:(\s.*)?)$")
    return dict(yaml.safe_load("\n".join(match.group(1) for line in lines if (match := setting.match(line)))))


def plain(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json", exclude={"home", "config_file"})


def test_config_yaml_shows_every_setting_with_its_default(tmp_path: Path) -> None:
    assert shown() == plain(Settings(home=tmp_path))


def test_every_key_is_read_somewhere() -> None:
    """A setting that nothing reads is a promise that nothing keeps."""
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for path in ROOT.rglob("*.py")
        if not {".venv", "tests", "node_modules", "benchmarks", "build"} & set(path.relative_to(ROOT).parts) and path.stem not in DEFINED_IN
    )

    def leaves(model: type[BaseModel], section: str = "settings") -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for name, field in model.model_fields.items():
            inner = field.annotation
            found += leaves(inner, name) if isinstance(inner, type) and issubclass(inner, BaseModel) else [(section, name)]
        return found

    keys = leaves(Settings)
    names = [name for _, name in keys]
    # A name that stands in several sections must be read with its section: one that is read does not speak for the others.
    patterns = {(section, name): rf"\b{section}\.{name}\b" if names.count(name) > 1 else rf"\.{name}\b" for section, name in keys}
    unread = [key for key, pattern in patterns.items() if not re.search(pattern, sources) and key[1] != "config_file"]
    assert unread == []


def test_a_root_is_a_path_or_names_its_tenant(tmp_path: Path) -> None:
    roots = "[/srv/first, {path: /srv/acme, tenant: acme}, {path: /srv/all, tenant: '*'}]"
    settings = load_settings(environ={"VANTAGE_HOME": str(tmp_path), "VANTAGE_INGESTION__ROOTS": roots}, folder=tmp_path)
    assert [(str(root.path), root.tenant) for root in settings.ingestion.roots] == [("/srv/first", ""), ("/srv/acme", "acme"), ("/srv/all", "*")]
    with pytest.raises(ConfigurationError, match=r"ingestion\.roots"):
        load_settings(environ={"VANTAGE_HOME": str(tmp_path), "VANTAGE_INGESTION__ROOTS": "[{tenant: acme}]"}, folder=tmp_path)


@pytest.mark.parametrize(
    ("weights", "total"), [("{bm25_weight: 0.4}", "1.1"), ("{bm25_weight: 0, vector_weight: 0}", "0"), ("{vector_weight: 0.702}", "1.002")]
)
@pytest.mark.parametrize("group", ["hybrid", "semantic"])
def test_weights_of_a_group_sum_to_one(tmp_path: Path, group: str, weights: str, total: str) -> None:
    (tmp_path / "config.yaml").write_text(f"search: {{{group}: {weights}}}\n")
    with pytest.raises(
        ConfigurationError, match=rf"search\.{group}: vector_weight .* and bm25_weight .* sum to {re.escape(total)}, and must sum to 1 \(±0\.001\)"
    ):
        load_settings(environ={"VANTAGE_HOME": str(tmp_path)}, folder=tmp_path)
    (tmp_path / "config.yaml").write_text(f"search: {{{group}: {{vector_weight: 0.3331, bm25_weight: 0.6667}}}}\n")
    assert load_settings(environ={"VANTAGE_HOME": str(tmp_path)}, folder=tmp_path).search.hybrid.enabled


def test_environment_beats_file_beats_default(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("search:\n  min_score: 0.1\n  rrf_k: 10\nserver:\n")
    environ = {"VANTAGE_HOME": str(tmp_path / "home"), "VANTAGE_SEARCH__MIN_SCORE": ".4", "VANTAGE_SERVER__API_KEYS": "[a, b]"}
    found = load_settings(environ=environ, folder=tmp_path)
    assert (found.search.min_score, found.search.rrf_k, found.search.recall_top_k) == (0.4, 10, 50)
    assert found.server.api_keys == ["a", "b"]
    assert load_settings(environ=environ, folder=tmp_path, overrides={"search": {"min_score": 0.9}}).search.min_score == 0.9


def test_the_file_is_found_in_the_stated_order(tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("named.yaml", "environ.yaml", "here/config.yaml", "home/config.yaml")]
    for number, place in enumerate(places):
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"search: {{rrf_k: {number + 1}}}\n")
    environ = {"VANTAGE_HOME": str(tmp_path / "home"), "VANTAGE_CONFIG": str(places[1])}
    assert load_settings(places[0], environ, folder=tmp_path / "here").search.rrf_k == 1
    assert load_settings(None, environ, folder=tmp_path / "here").search.rrf_k == 2
    del environ["VANTAGE_CONFIG"]
    assert load_settings(None, environ, folder=tmp_path / "here").search.rrf_k == 3
    assert load_settings(None, environ, folder=tmp_path).search.rrf_k == 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("search: {min_scor: 1}", "search.min_scor"),
        ("search: {min_score: much}", "search.min_score"),
        ("search: {parents: stored}", "search.parents: larger chunks are no longer stored, passages are always windows round what matched. Remove"),
        ("ingestion: {chunk_levels: [512]}", "ingestion.chunk_levels: larger chunks are no longer stored"),
        ("ingestion: {larger_overlap: 0.1}", "ingestion.larger_overlap: larger chunks are no longer stored"),
        ("- a\n", "must hold sections"),
        ("a: [", "not valid YAML"),
        ("home: /tmp", "VANTAGE_HOME"),
    ],
)
def test_a_bad_file_is_explained(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "config.yaml").write_text(text)
    with pytest.raises(ConfigurationError, match=re.escape(says)):
        load_settings(environ={"VANTAGE_HOME": str(tmp_path)}, folder=tmp_path)


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="does not exist"):
        load_settings(tmp_path / "none.yaml", {}, folder=tmp_path)


@pytest.mark.parametrize(("text", "expected"), [("off", "off"), ("on", "on"), ("auto", "auto")])
def test_the_switch_of_the_model_survives_yaml(tmp_path: Path, text: str, expected: str) -> None:
    environ = {"VANTAGE_HOME": str(tmp_path), "VANTAGE_OLLAMA__ENABLED": text}
    assert load_settings(environ=environ, folder=tmp_path).ollama.enabled == expected


HIDDEN = "Hunter2-at-the-gate"
_BROKEN = {
    "of the wrong kind": "server: {api_keys: SECRET}",
    "a whole section": "server: SECRET",
    "in a list": "server: {api_keys: [[SECRET]]}",
    "beside its place": "opensearch: {password: SECRET}",
    "misspelt": "opensearch: {auth: {pasword: SECRET}}",
    "in an unknown section": "open_search: {auth: {password: SECRET}}",
    "above its place": "opensearch: {auth: SECRET}",
    "a section of it": "opensearch: {auth: {password: {of: SECRET}}}",
    "a store": "storage: {url: [SECRET]}",
    "a store above": "storage: [SECRET]",
    "sessions": "memory: {session: {redis_url: [SECRET]}}",
    "sessions above": "memory: {session: SECRET}",
    "a login in an address": "opensearch: {host: 'https://admin:SECRET@search'}",
    "a login elsewhere": "ollama: {timeout: 'http://me:SECRET@host'}",
    "YAML that breaks off": 'opensearch: {auth: {password: "SECRET',
    "YAML with a sign too many": "opensearch:\n  auth:\n    password: @SECRET\n",
}


@pytest.mark.parametrize("case", _BROKEN)
def test_no_error_about_settings_shows_a_secret(tmp_path: Path, case: str) -> None:
    (tmp_path / "config.yaml").write_text(_BROKEN[case].replace("SECRET", HIDDEN))
    with pytest.raises(ConfigurationError, match=r"config\.yaml") as refused:
        load_settings(environ={"VANTAGE_HOME": str(tmp_path)}, folder=tmp_path)
    assert HIDDEN not in str(refused.value)


@pytest.mark.parametrize("secret", sorted(SECRETS))
def test_no_error_shows_what_the_environment_has_for_a_secret(tmp_path: Path, secret: str) -> None:
    name = variable_name(secret)
    with pytest.raises(ConfigurationError, match=re.escape(secret)) as refused:
        load_settings(environ={"VANTAGE_HOME": str(tmp_path), f"{name}__FURTHER": HIDDEN}, folder=tmp_path)
    assert HIDDEN not in str(refused.value)


def test_whatever_sounds_like_a_secret_is_one(tmp_path: Path) -> None:
    named = {key for key in dotted_names(plain(Settings(home=tmp_path))) if re.search(r"keys?$|password|secret|token$|url$", key.rpartition(".")[2])}
    assert named - SECRETS == {"ollama.base_url"}  # an address, which is shown without its login
    assert named >= SECRETS


@pytest.mark.parametrize("password", ["12345", "0123", "true", "", "[x", "a: b", "#x", "'", " p ", "null", "geheim-ß"])
def test_a_password_in_the_environment_is_taken_as_it_is(tmp_path: Path, password: str) -> None:
    environ = {"VANTAGE_HOME": str(tmp_path), "VANTAGE_OPENSEARCH__AUTH__PASSWORD": password, "VANTAGE_OPENSEARCH__AUTH__USERNAME": "007"}
    settings = load_settings(environ=environ, folder=tmp_path)
    assert (settings.opensearch.auth.password.get_secret_value(), settings.opensearch.auth.username) == (password, "007")


def test_the_section_of_the_contract_is_read(tmp_path: Path) -> None:
    text = "search: {engine: opensearch}\nopensearch:\n  host: search.internal\n  port: 9201\n  index_name: papers\n  use_ssl: true\n"
    (tmp_path / "config.yaml").write_text(text + f"  auth: {{username: vantage, password: {HIDDEN}}}\n")
    settings = load_settings(environ={"VANTAGE_HOME": str(tmp_path)}, folder=tmp_path)
    options = opensearch_options(settings)
    assert (settings.search.engine, options.address, options.index_name) == ("opensearch", "https://search.internal:9201", "papers")
    assert (options.username, options.password) == ("vantage", HIDDEN)
    assert HIDDEN not in repr(settings) + repr(options) + str(plain(settings))
    (tmp_path / "config.yaml").write_text("opensearch: {auth: {password: 12345}}")
    with pytest.raises(ConfigurationError, match="put it in quotes") as refused:
        load_settings(environ={"VANTAGE_HOME": str(tmp_path)}, folder=tmp_path)
    assert "12345" not in str(refused.value)


def test_a_graph_that_wants_a_model_needs_one_and_no_other_setting_is_shown(tmp_path: Path) -> None:
    environ = {"VANTAGE_HOME": str(tmp_path), "VANTAGE_GRAPH__USE_MODEL": "true", "VANTAGE_MEMORY__SESSION__REDIS_URL": "redis://:secret@host"}
    assert load_settings(environ=environ, folder=tmp_path).graph.use_model
    with pytest.raises(ConfigurationError, match=r"graph\.use_model is on") as refused:
        load_settings(environ={**environ, "VANTAGE_OLLAMA__ENABLED": "off"}, folder=tmp_path)
    assert "secret" not in str(refused.value)
    assert load_settings(environ={**environ, "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_LLM__MODEL": "a:b"}, folder=tmp_path).llm.model == "a:b"
