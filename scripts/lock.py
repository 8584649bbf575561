"""`make lock`: writes `locks/*.txt`, the pins of constraints.txt with the hashes of every file that the registry has of each version.

The set-up installs from these files alone, with `--require-hashes`: a file that was exchanged in a registry, a mirror or a cache is refused. Which
packages a lock holds follows from pyproject.toml and from what the installed packages ask for, on each of `ENVIRONMENTS`: run it in an environment
that was set up for the tests. The registry is the one that pip asks (`pip config list`). Exit code 1, and nothing written, where a pin is missing or
has no hash.
"""

from __future__ import annotations

import functools
import importlib.metadata
import json
import os
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, canonicalize_name, parse_sdist_filename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from scripts import setup

ROOT = Path(__file__).resolve().parent.parent
PYPI = "https://pypi.org/simple"
_AT_ONCE, _SECONDS = 4, 60.0
_HEAD = "# Made by `make lock` from constraints.txt and pyproject.toml: do not edit.\n"
# What torch asks for on Linux where it is not the CPU's build; the CPU's build, which is installed here, says nothing of it.
_CUDA = ("cuda-", "nvidia-", "triton")
Fetch = Callable[[str], dict[str, Any]]
Requires = Callable[[str], Sequence[str]]


class LockError(Exception):
    """A lock cannot be made; the message says for want of what."""


@dataclass(frozen=True, slots=True)
class Pin:
    name: str
    version: str
    marker: str = ""

    @property
    def line(self) -> str:
        return f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")


# torch's build for the CPU alone, which PyPI does not have (download.pytorch.org/whl/cpu has) and which spares the CUDA packages. The marker
# says which of its files has this hash.
TORCH_CPU = Pin("torch", "2.13.0+cpu", 'sys_platform == "linux" and platform_machine == "x86_64" and python_version == "3.11"')
TORCH_CPU_HASHES = ("6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b",)


def list_environments() -> Iterator[dict[str, str]]:
    """Yield the systems and versions of Python that a lock has to serve, as the values that markers ask for."""
    linux, mac, windows = ("linux", "Linux", "posix"), ("darwin", "Darwin", "posix"), ("win32", "Windows", "nt")
    systems = ((*linux, "x86_64"), (*linux, "aarch64"), (*mac, "arm64"), (*windows, "AMD64"))
    for version in ("3.11.0", "3.11.9", "3.12.4", "3.13.1"):
        for platform, system, kind, machine in systems:
            yield {
                "implementation_name": "cpython",
                "implementation_version": version,
                "os_name": kind,
                "platform_machine": machine,
                "platform_python_implementation": "CPython",
                "platform_release": "",
                "platform_system": system,
                "platform_version": "",
                "python_full_version": version,
                "python_version": version.rpartition(".")[0],
                "sys_platform": platform,
            }


ENVIRONMENTS = tuple(list_environments())


def read_pins(text: str) -> dict[str, Pin]:
    """Return the pins of a constraints file or of a lock, by canonical name. Raises LockError where a line is no pin."""
    pins = dict[str, Pin]()
    for line in text.replace("\\\n", " ").splitlines():
        wanted = line.partition("#")[0].partition("--hash")[0].strip()
        if not wanted:
            continue
        found = Requirement(wanted)
        [version] = [each.version for each in found.specifier if each.operator == "=="] or [""]
        if not version:
            raise LockError(f"`{wanted}` is no pin: write NAME==VERSION.")
        name = canonicalize_name(found.name)
        pins[name] = Pin(name, version, str(found.marker or ""))
    return pins


@functools.cache
def installed_requirements(name: str) -> Sequence[str]:
    """Return the requirements of an installed package; nothing where it is not installed, as what only another system needs."""
    try:
        return importlib.metadata.requires(name) or ()
    except importlib.metadata.PackageNotFoundError:
        return ()


@functools.cache
def installed_python_range(name: str) -> str:
    """Return the versions of Python that an installed package says it runs with; "" (all) where it says nothing or is not installed."""
    try:
        return str(importlib.metadata.metadata(name).json.get("requires_python") or "")
    except importlib.metadata.PackageNotFoundError:
        return ""


def check_python_ranges(pins: Mapping[str, Pin], python_range: Callable[[str], str] = installed_python_range) -> None:
    """Raise LockError where a pinned package refuses a version of Python that a lock has to serve: there nothing could be installed."""
    for name, pin in pins.items():
        accepted = SpecifierSet(python_range(name))
        for environment in ENVIRONMENTS:
            version = environment["python_full_version"]
            if _is_pinned_in(pin, environment) and version not in accepted:
                raise LockError(f"{name} {pin.version} runs with Python {accepted} alone, and Vantage with {version} too: pin another version of it.")


def required_names(wanted: Iterable[str], environment: Mapping[str, str], requires: Requires = installed_requirements) -> set[str]:
    """Return the names of all packages that these requirements bring in one environment."""
    seen = set[tuple[str, str]]()
    left = [(_parse_requirement(each), "") for each in wanted]
    while left:
        found, extra_of = left.pop()
        if found.marker is not None and not found.marker.evaluate({**environment, "extra": extra_of}):
            continue
        for extra in ("", *found.extras):
            key = (canonicalize_name(found.name), extra)
            if key not in seen:
                seen.add(key)
                left += [(_parse_requirement(each), extra) for each in requires(key[0])]
    return {name for name, _ in seen}


@functools.cache
def _parse_requirement(requirement: str) -> Requirement:
    return Requirement(requirement)  # each is asked for in every environment


def pinned_names(wanted: Sequence[str], pins: Mapping[str, Pin], requires: Requires = installed_requirements) -> set[str]:
    """Return the same over all environments. Raises LockError where one of them needs what is not pinned there."""
    found = set[str]()
    for environment in ENVIRONMENTS:
        for name in required_names(wanted, environment, requires):
            if name not in pins or not _is_pinned_in(pins[name], environment):
                where = f"Python {environment['python_full_version']} on {environment['platform_system']} {environment['platform_machine']}"
                raise LockError(f"{name} is needed with {where}, and constraints.txt does not pin it there.")
            found.add(name)
    return found


def _is_pinned_in(pin: Pin, environment: Mapping[str, str]) -> bool:
    marker = Requirement(pin.line).marker
    return marker is None or marker.evaluate(dict(environment))


def lock_names(project: Mapping[str, Any], pins: Mapping[str, Pin]) -> dict[str, set[str]]:
    """Return which packages each lock holds, by the lock's name. Raises LockError where one is not pinned, or a pin is in no lock."""
    extras, needs = project["project"]["optional-dependencies"], project["project"]["dependencies"]
    run = pinned_names([*project["build-system"]["requires"], *needs], pins)
    postgres = pinned_names(extras["postgres"], pins) - run
    opensearch = pinned_names(extras["opensearch"], pins) - run - postgres  # they are installed together (Dockerfile, setup.py)
    cuda = {name for name in pins if name.startswith(_CUDA)}
    tested = ("models", "langchain", "leiden", "ontologies", "raptor", "otel", "dev")
    test = pinned_names([each for name in tested for each in extras[name]], pins) - run - postgres - opensearch - cuda
    names = {"run": run, "postgres": postgres, "opensearch": opensearch, "test": test - {"torch"}, "torch": {"torch"}, "cuda": cuda}
    for packages in setup.PACKAGES_OF_THEIR_OWN:
        names[setup.lock_file(packages).stem] = set(read_pins("\n".join(packages)))
    unused = set(pins) - set().union(*names.values())
    if unused:
        raise LockError(f"Nothing needs these pins of constraints.txt: {', '.join(sorted(unused))}.")
    return names


def registry_address() -> str:
    """Return the address of the index that pip asks."""
    asked = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False)
    return (os.environ.get("PIP_INDEX_URL") or asked.stdout.strip() or PYPI).rstrip("/")


def fetch_record(address: str) -> dict[str, Any]:
    """Return the record of a project (https://peps.python.org/pep-0691/). Raises LockError."""
    request = urllib.request.Request(address, headers={"Accept": "application/vnd.pypi.simple.v1+json"})  # noqa: S310  (the configured registry)
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
            found: dict[str, Any] = json.load(answer)
            return found
    except (OSError, ValueError) as error:
        raise LockError(f"{address} could not be read: {error}. Run this where the registry answers in JSON.") from error


def load_hashes(pin: Pin, fetch: Fetch, index: str) -> list[str]:
    """Return the SHA-256 of every file of this version. Raises LockError where there is none, or a file without one."""
    files = [each for each in fetch(f"{index}/{pin.name}/").get("files", ()) if _version_of(each["filename"]) == Version(pin.version)]
    bare = [each["filename"] for each in files if not each.get("hashes", {}).get("sha256")]
    if bare or not files:
        raise LockError(
            f"{pin.name} {pin.version} has no hash: " + (f"the registry gives none for {', '.join(bare)}." if bare else "no such version.")
        )
    return sorted({each["hashes"]["sha256"] for each in files})


def _version_of(filename: str) -> Version | None:
    try:
        return parse_wheel_filename(filename)[1] if filename.endswith(".whl") else parse_sdist_filename(filename)[1]
    except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
        return None


def format_lock(pins: Iterable[Pin], found: Mapping[str, Sequence[str]]) -> str:
    return _HEAD + "".join(" \\\n    ".join([pin.line, *(f"--hash=sha256:{each}" for each in found[pin.name])]) + "\n" for pin in pins)


def format_torch_cpu_lock(pins: Mapping[str, Pin]) -> str:
    """Return the lock of torch's CPU build. Raises LockError where it is of another version than the pin."""
    if TORCH_CPU.version.partition("+")[0] != pins["torch"].version:
        raise LockError("TORCH_CPU in scripts/lock.py is of another version than torch in constraints.txt.")
    return format_lock([TORCH_CPU], {TORCH_CPU.name: TORCH_CPU_HASHES})


def write_locks(folder: Path, names: Mapping[str, set[str]], pins: Mapping[str, Pin], fetch: Fetch, index: str) -> None:
    """Write one file a lock; others in the folder are removed. Raises LockError before anything is written."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = dict(zip(pins, pool.map(lambda pin: load_hashes(pin, fetch, index), pins.values()), strict=True))
    texts = {f"{lock}.txt": format_lock((pins[name] for name in sorted(each)), found) for lock, each in names.items()}
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.txt"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def main() -> int:
    try:
        pins = read_pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
        check_python_ranges(pins)
        names = lock_names(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8")), pins)
        others = {"torch-cpu": format_torch_cpu_lock(pins)}
        write_locks(setup.LOCKS, names, pins, fetch_record, registry_address())
        for name, text in others.items():
            (setup.LOCKS / f"{name}.txt").write_text(text, encoding="utf-8")
    except LockError as error:
        sys.stderr.write(f"Nothing was locked. {error}\n")
        return 1
    sys.stdout.write(f"{len(pins)} pins are locked in {len(names) + len(others)} files of {setup.LOCKS.name}/.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
