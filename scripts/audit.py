"""`make audit`: asks PyPI which of the pinned packages have known vulnerabilities, and npm the same of the page's.

PyPI says so in each version's own record (https://docs.pypi.org/api/json/), so that nothing has to be installed for it. Exit code 1 where something
was found, 2 where a registry could not be asked or has no record of a version, as some mirrors of PyPI have none: then nothing is known, which is not
the same as nothing found.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PYPI = "https://pypi.org"
_SECONDS, _AT_ONCE = 20.0, 4
CLEAN, FOUND, UNKNOWN = 0, 1, 2
Fetch = Callable[[str], dict[str, Any]]


_MAX_LISTED = 10  # packages without a record that are listed


class Unreachable(Exception):
    """A registry did not answer."""


class Unrecorded(Exception):
    """The registry answered that it has no record of a version's vulnerabilities."""


@dataclass(frozen=True, slots=True)
class Vulnerability:
    package: str
    version: str
    id: str
    summary: str
    fixed_in: tuple[str, ...]

    @property
    def line(self) -> str:
        fix = f"fixed in {', '.join(self.fixed_in)}" if self.fixed_in else "no fixed version yet"
        return f"{self.package} {self.version}: {self.id}: {self.summary} ({fix})"


def read_versions(text: str) -> list[tuple[str, str]]:
    """Return the packages and versions of a constraints file; comments, markers and options are left out."""
    lines = (line.partition("#")[0].partition(";")[0].strip() for line in text.splitlines())
    return [(name.strip(), version.split()[0]) for name, equals, version in (line.partition("==") for line in lines) if equals and version.split()]


def known_vulnerabilities(package: str, version: str, fetch: Fetch, registry: str = PYPI) -> list[Vulnerability]:
    """Return the vulnerabilities that PyPI knows of this version; withdrawn reports are left out. Raises Unreachable, Unrecorded."""
    found = fetch(f"{registry}/pypi/{package}/{version}/json").get("vulnerabilities")
    if found is None:
        raise Unrecorded(f"{package} {version}")
    return [
        Vulnerability(
            package, version, str(each["id"]), " ".join(str(each.get("summary") or each.get("details") or "").split())[:160], _fixed_versions(each)
        )
        for each in found
        if not each.get("withdrawn")
    ]


def _fixed_versions(report: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(version) for version in report.get("fixed_in") or ())


def fetch_json(address: str) -> dict[str, Any]:
    """Return the JSON at an address; {} where there is no such record: a version that PyPI does not have, a mirror without records. Raises
    Unreachable.
    """
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:  # noqa: S310  (ours, never a stranger's)
            found: dict[str, Any] = json.load(answer)
            return found
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return {}
        raise Unreachable(f"{address} answered {error.code}") from error
    except (OSError, ValueError) as error:
        raise Unreachable(f"{address} could not be asked: {error}") from error


def report_python(text: str, fetch: Fetch = fetch_json, registry: str = PYPI) -> tuple[int, list[str]]:
    """Return the exit code and the lines to print for the packages of a constraints file."""
    packages = read_versions(text)
    try:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            reports = list(pool.map(lambda pin: _version_report(pin, fetch, registry), packages))
    except Unreachable as error:
        return UNKNOWN, [f"Python packages: not audited. {error}. Run this where PyPI can be reached."]
    found = [each for report in reports if report is not None for each in report]
    unknown = [" ".join(pin) for pin, report in zip(packages, reports, strict=True) if report is None]
    lines = _format_unknown(unknown, len(packages))
    if found:
        asked = len(packages) - len(unknown)
        return FOUND, [f"Python packages: {len(found)} known vulnerabilities in {asked} packages.", *(each.line for each in found), *lines]
    if lines:
        return UNKNOWN, lines
    return CLEAN, [f"Python packages: nothing is known against the {len(packages)} pinned versions."]


def _version_report(pin: tuple[str, str], fetch: Fetch, registry: str) -> list[Vulnerability] | None:
    """Return the known weaknesses of a version; None where the registry has no record of it."""
    try:
        return known_vulnerabilities(*pin, fetch, registry)
    except Unrecorded:
        return None


def _format_unknown(unknown: list[str], packages: int) -> list[str]:
    """Return the sentences about the versions that the registry has no record of."""
    if len(unknown) == packages:
        return [
            "Python packages: not audited. The registry has no record of any pinned version; a mirror may have none. Run this where pypi.org answers."
        ]
    more = ", ..." if len(unknown) > _MAX_LISTED else ""
    listed = ", ".join(unknown[:_MAX_LISTED]) + more
    return [f"Python packages: {len(unknown)} of {packages} not audited, for the registry has no record of them: {listed}."] if unknown else []


def report_page(folder: Path) -> tuple[int, list[str]]:
    """Return the same for the page's packages, by `npm audit`."""
    npm = shutil.which("npm")
    if npm is None:
        return UNKNOWN, ["Page packages: not audited. npm was not found; install Node 20 or newer."]
    done = subprocess.run([npm, "audit", "--json"], cwd=folder, capture_output=True, text=True, check=False)
    return parse_npm_audit(done.stdout)


def parse_npm_audit(printed: str) -> tuple[int, list[str]]:
    """Return the output of `npm audit --json` as exit code and lines."""
    try:
        report = json.loads(printed)
    except ValueError:
        report = {}
    if "vulnerabilities" not in report:
        said = report.get("message") or (report.get("error") or {}).get("summary") or "npm printed no report"
        return UNKNOWN, [f"Page packages: not audited. {said}. Run this where the npm registry can be reached."]
    found = report["vulnerabilities"]
    if found:
        return FOUND, [f"Page packages: {len(found)} with known vulnerabilities.", *_npm_lines(found)]
    return CLEAN, ["Page packages: npm knows nothing against them."]


def _npm_lines(found: dict[str, Any]) -> Iterator[str]:
    for name, each in found.items():
        fix = "a fix is available" if each.get("fixAvailable") else "no fixed version yet"
        yield f"{name} {each.get('range', '')}: {each.get('severity', 'unknown severity')} ({fix})"


def main() -> int:
    codes = []
    for code, lines in (report_python((ROOT / "constraints.txt").read_text(encoding="utf-8")), report_page(ROOT / "ui")):
        codes.append(code)
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    return FOUND if FOUND in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
