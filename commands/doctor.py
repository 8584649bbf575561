"""`vantage doctor`: what is installed, configured and reachable, and what to do about the rest."""

from __future__ import annotations

import json
import platform
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from commands.client import connect
from commands.exit_codes import DONE, FAILED
from core.errors import VantageError
from ingestion.readers.legacy import soffice
from ingestion.workers.confinement import available_confinement
from retrieval.embedders.transformer_models import MODELS
from server.app import PAGE
from settings import AUTO_MODEL, Settings, load_settings

_SYMBOLS = {"ok": "✓", "off": "·", "degraded": "!", "down": "✗"}


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """`state`: ok, off (optional, not there), degraded, down. `advice` says what to do where there is something to do."""

    name: str
    state: str
    detail: str
    advice: str = ""


async def doctor(config: Path | None, *, as_json: bool) -> int:
    """Print the findings; fails when something is down."""
    settings = load_settings(config)
    findings = [*_check_installation(settings), *_places(settings), *await _parts(config)]
    if as_json:
        sys.stdout.write(json.dumps([asdict(item) for item in findings], ensure_ascii=False) + "\n")
    else:
        for item in findings:
            sys.stdout.write(f"{_SYMBOLS.get(item.state, '?')} {item.name}: {item.detail}\n" + (f"    → {item.advice}\n" if item.advice else ""))
    return FAILED if any(item.state == "down" for item in findings) else DONE


def _check_installation(settings: Settings) -> list[DoctorFinding]:
    found = [DoctorFinding("Python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")]
    found += [_package(name) for name in ("langgraph", "tantivy", "openvino", "faiss-cpu", "pypdf", "sqlalchemy")]
    wanted = settings.embedding.model not in {AUTO_MODEL, *(model.name for model in MODELS)} or bool(settings.search.rerank.cross_encoder)
    found.append(_extra("models", "sentence_transformers", "other embedding models and cross-encoders", wanted=wanted))
    found.append(_extra("langchain", "langchain", "other LangChain chat models", wanted=bool(settings.llm.model)))
    found.append(_extra("postgres", "psycopg", "PostgreSQL as the store", wanted=settings.storage.url.startswith("postgresql")))
    found.append(_extra("otel", "opentelemetry.sdk", "runs as OpenTelemetry traces", wanted=settings.telemetry.exporter != "none"))
    found.append(_extra("opensearch", "opensearchpy", "OpenSearch as the search engine", wanted=settings.search.engine == "opensearch"))
    return found


def _package(name: str) -> DoctorFinding:
    try:
        return DoctorFinding(name, "ok", version(name))
    except PackageNotFoundError:
        return DoctorFinding(name, "down", "not installed", "run `make run` again, or `pip install -e .`")


def _extra(extra: str, module: str, purpose: str, *, wanted: bool) -> DoctorFinding:
    if find_spec(module) is not None:
        return DoctorFinding(f"extra {extra}", "ok", f"installed ({purpose})")
    state = "down" if wanted else "off"
    return DoctorFinding(f"extra {extra}", state, f"not installed ({purpose})", f"pip install 'vantage[{extra}]'" if wanted else "")


def _places(settings: Settings) -> list[DoctorFinding]:
    home = settings.home
    free = shutil.disk_usage(next(path for path in (home, *home.parents) if path.exists())).free
    state = "degraded" if free < 1 << 30 else "ok"
    built = (PAGE / "index.html").is_file()
    return [
        DoctorFinding("settings", "ok", str(settings.config_file or "defaults and the environment")),
        DoctorFinding("VANTAGE_HOME", state, f"{home}, {free / 1e9:.1f} GB free", "free some space" if state != "ok" else ""),
        _readers(settings),
        _office(),
        DoctorFinding("page", "ok" if built else "degraded", "built" if built else "not built", "" if built else "run `make run`"),
    ]


def _readers(settings: Settings) -> DoctorFinding:
    """Check what confines the processes that read files."""
    if not settings.ingestion.confine_readers:
        return DoctorFinding(
            "readers", "degraded", "ingestion.confine_readers is false: they may do what you may", "set it to true, or remove the line"
        )
    found = available_confinement()
    advice = "" if found.is_complete else "a Linux kernel from 5.13 on has both; a container's profile may have to allow them"
    return DoctorFinding("readers", "ok" if found.is_complete else "degraded", found.summary, advice)


def _office() -> DoctorFinding:
    """Check LibreOffice, which readers start for the old formats of Word and PowerPoint; confined ones, too."""
    found = soffice.program()
    if found is None:
        return DoctorFinding(
            "LibreOffice", "off", "not installed: Word and PowerPoint 97-2003 are read without charts, formulas and numbers of lists"
        )
    return DoctorFinding("LibreOffice", "ok", f"{found} (Word and PowerPoint 97-2003)")


async def _parts(config: Path | None) -> list[DoctorFinding]:
    try:
        async with connect(config) as client:
            health = await client.get("/health", thorough="true")
            where = "running" if client.is_remote else "not running"
    except VantageError as error:
        return [DoctorFinding("library", "down", str(error))]
    library = health["library"]
    found = [
        DoctorFinding("server", "ok" if where == "running" else "off", where),
        DoctorFinding("library", "ok", f"{library['documents']} documents, {library['chunks']} passages, {library['bytes_on_disk'] / 1e6:.1f} MB"),
    ]
    return found + [DoctorFinding(part["name"], part["state"], part["detail"], part.get("advice", "")) for part in health["parts"]]
