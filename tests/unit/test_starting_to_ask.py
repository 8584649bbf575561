"""What `vantage ask` without a server imports before it can ask: a module that no plain question needs costs each of them its time."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

import pytest

from server.app import ROUTERS
from tests.support.serving import ROOT

_STARTED = """
import gc, json, sys
import cli, api
from commands.question_commands import ASK_OPTIONS
from server.app import build_app
build_app(routers=ASK_OPTIONS.routers)
from core.lazy_patterns import LazyPattern
late = [each for each in gc.get_objects() if isinstance(each, LazyPattern)]
print(json.dumps({"modules": sorted(sys.modules), "late": len(late), "compiled": [each.pattern for each in late if "search" in vars(each)]}))
"""
_SPARED = ("alembic", "docx", "lxml", "openpyxl", "PIL", "pypdfium2", "sqlalchemy.dialects.postgresql", "torch", "uvicorn.protocols", "watchdog")


@dataclass(frozen=True, slots=True)
class Started:
    """The modules that are imported, how many patterns wait for their use, and those that have been compiled although nothing used them."""

    modules: list[str]
    late: int
    compiled: list[str]


@pytest.fixture(scope="module")
def started() -> Started:
    """The state of a process that has imported all of it."""
    done = subprocess.run([sys.executable, "-c", _STARTED], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    return Started(**json.loads(done.stdout))


def test_of_the_routes_only_those_that_a_question_takes(started: Started) -> None:
    routers = {name.removeprefix("server.routers.").removesuffix("_router") for name in started.modules if name.startswith("server.routers.")}
    assert routers == {"search", "library"}
    assert routers < set(ROUTERS)


def test_nothing_that_reads_files_or_serves_a_network(started: Started) -> None:
    assert not set(_SPARED) & set(started.modules)


def test_no_pattern_that_waits_for_its_use_is_compiled_by_importing(started: Started) -> None:
    assert started.compiled == []
    assert started.late >= 200
