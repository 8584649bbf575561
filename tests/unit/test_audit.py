"""`make audit`: what the registries know of the pinned packages, and what is said when they cannot be asked."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from scripts.audit import CLEAN, FOUND, UNKNOWN, Unreachable, fetch_json, parse_npm_audit, read_versions, report_python

CONSTRAINTS = "# pinned\nalembic==1.20.1\nnumpy==2.3.0 ; python_version >= '3.11'\n\n--extra-index-url https://example.org\n"
REPORT = {"id": "PYSEC-1", "summary": "Reads\nbeyond its end.", "fixed_in": ["2.3.1"], "withdrawn": None}


class Registry:
    """Answers as PyPI does, from what it is given for each package."""

    def __init__(self, **reports: list[dict[str, Any]]) -> None:
        self.reports, self.asked = reports, list[str]()

    def fetch(self, address: str) -> dict[str, Any]:
        self.asked.append(address)
        return {"vulnerabilities": self.reports.get(address.split("/")[-3], [])}


def test_the_pins_are_the_names_and_versions() -> None:
    assert read_versions(CONSTRAINTS) == [("alembic", "1.20.1"), ("numpy", "2.3.0")]


def test_a_known_vulnerability_is_told_with_its_fix() -> None:
    registry = Registry(numpy=[REPORT, {**REPORT, "id": "PYSEC-2", "withdrawn": "2026-01-01"}])
    code, lines = report_python(CONSTRAINTS, registry.fetch)
    assert code == FOUND
    assert lines[1:] == ["numpy 2.3.0: PYSEC-1: Reads beyond its end. (fixed in 2.3.1)"]
    assert sorted(registry.asked) == ["https://pypi.org/pypi/alembic/1.20.1/json", "https://pypi.org/pypi/numpy/2.3.0/json"]


def test_a_mirror_without_records_is_not_clean() -> None:
    code, lines = report_python(CONSTRAINTS, lambda _: {})
    assert code == UNKNOWN
    assert lines == [
        "Python packages: not audited. The registry has no record of any pinned version; a mirror may have none. Run this where pypi.org answers."
    ]


@pytest.mark.parametrize(("reports", "expected"), [([], UNKNOWN), ([REPORT], FOUND)])
def test_a_version_without_a_record_is_named(reports: list[dict[str, Any]], expected: int) -> None:
    code, lines = report_python(CONSTRAINTS, lambda address: {"vulnerabilities": reports} if "/numpy/" in address else {})
    assert code == expected
    assert lines[-1] == "Python packages: 1 of 2 not audited, for the registry has no record of them: alembic 1.20.1."


def test_nothing_known_is_clean() -> None:
    assert report_python(CONSTRAINTS, Registry().fetch) == (CLEAN, ["Python packages: nothing is known against the 2 pinned versions."])


def test_a_registry_that_cannot_be_asked_is_not_clean() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: a connection is refused
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(Unreachable, match="could not be asked"):
            fetch_json(nobody)
        code, lines = report_python(CONSTRAINTS, registry=nobody)
    assert code == UNKNOWN
    assert "not audited" in lines[0]
    assert "Run this where PyPI can be reached" in lines[0]


@pytest.mark.parametrize(
    ("printed", "code", "said"),
    [
        ({"vulnerabilities": {}}, CLEAN, "npm knows nothing against them"),
        ({"vulnerabilities": {"vite": {"severity": "high", "range": "<8", "fixAvailable": True}}}, FOUND, "vite <8: high (a fix is available)"),
        ({"message": "request to the registry failed"}, UNKNOWN, "not audited. request to the registry failed"),
        ("no JSON", UNKNOWN, "npm printed no report"),
    ],
)
def test_what_npm_prints_is_told(printed: object, code: int, said: str) -> None:
    found, lines = parse_npm_audit(printed if isinstance(printed, str) else json.dumps(printed))
    assert (found, said in "\n".join(lines)) == (code, True)
