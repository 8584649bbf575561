"""The hashes of what is installed: complete, made from what a registry says, and a file with another hash is refused."""

from __future__ import annotations

import hashlib
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name

from scripts import lock, setup
from scripts.lock import (
    ENVIRONMENTS,
    LockError,
    Pin,
    check_python_ranges,
    format_torch_cpu_lock,
    load_hashes,
    lock_names,
    pinned_names,
    read_pins,
    required_names,
    write_locks,
)

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINS = read_pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
LOCKED = {path.stem: path.read_text(encoding="utf-8") for path in setup.LOCKS.glob("*.txt")}
PAGE = {
    "files": [
        {"filename": "tiny-1.0-py3-none-any.whl", "hashes": {"sha256": "a" * 64}},
        {"filename": "tiny-1.0.tar.gz", "hashes": {"sha256": "b" * 64}},
        {"filename": "tiny-1.0.1-py3-none-any.whl", "hashes": {"sha256": "c" * 64}},
        {"filename": "tiny-1.0.win32.exe", "hashes": {"sha256": "d" * 64}},
    ]
}


def test_every_pin_is_locked_with_a_hash_and_nothing_else_is() -> None:
    found: dict[str, Pin] = {}
    for name, text in LOCKED.items():
        if name == "torch-cpu":
            continue  # the one build that has no pin of its own
        pins = read_pins(text)
        assert not found.keys() & pins.keys(), f"{name} repeats a package"
        found |= pins
        for entry in text.replace("\\\n", " ").splitlines()[1:]:
            assert "--hash=sha256:" in entry, f"{name}: {entry} has no hash"
    assert found == PINS


def test_the_locks_hold_what_pyproject_asks_for_in_every_environment() -> None:
    assert {name: set(read_pins(text)) for name, text in LOCKED.items()} == {**lock_names(PROJECT, PINS), "torch-cpu": {"torch"}}


def test_the_cpu_build_of_torch_is_of_the_pinned_version() -> None:
    assert LOCKED["torch-cpu"] == format_torch_cpu_lock(PINS)
    with pytest.raises(LockError, match="another version than torch"):
        format_torch_cpu_lock(read_pins("torch==2.14.0"))


def test_the_set_up_asks_for_versions_that_are_pinned() -> None:
    for packages in setup.PACKAGES_OF_THEIR_OWN:
        assert setup.lock_file(packages).is_file()
        for name, pin in read_pins("\n".join(packages)).items():
            assert pin == PINS[name]


def test_wheels_of_each_python_are_locked() -> None:
    """A compiled package has other files for each version of Python: the lock must not hold those of this one alone."""
    [numpy] = [entry for entry in LOCKED["run"].replace("\\\n", " ").splitlines() if entry.startswith("numpy==")]
    assert numpy.count("--hash=") > 3 * len({each["python_version"] for each in ENVIRONMENTS})


def test_what_only_some_systems_need_is_found_there() -> None:
    asked = {"tool": ['colours; sys_platform == "win32"', 'old; python_full_version < "3.11.3"', 'more; extra == "all"'], "more": ["deep"]}
    names = [required_names(["tool[all]"], each, lambda name: asked.get(name, [])) for each in ENVIRONMENTS]
    assert all({"tool", "more", "deep"} <= each for each in names)
    assert {"colours" in each for each in names} == {"old" in each for each in names} == {True, False}


def test_a_package_that_is_not_pinned_where_it_is_needed_is_named() -> None:
    pins = read_pins('tool==1\ncolours==2 ; sys_platform == "linux"\n')
    with pytest.raises(LockError, match=r"colours is needed with Python 3\.11\.0 on Darwin arm64, and constraints\.txt does not pin it there"):
        pinned_names(["tool"], pins, lambda name: ["colours"] if name == "tool" else [])


def test_every_pin_runs_with_the_oldest_python_that_is_promised() -> None:
    """Debian 12 has Python 3.11.2: one package that asked for 3.11.5 kept Vantage from being installed there."""
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f"{oldest}.0" in {each["python_full_version"] for each in ENVIRONMENTS}
    check_python_ranges(PINS)


def test_a_pin_that_refuses_a_promised_python_is_named() -> None:
    ranges = {"soup": ">=3.11.5", "bread": ">=3.9"}
    with pytest.raises(LockError, match=r"soup 4\.1 runs with Python >=3\.11\.5 alone, and Vantage with 3\.11\.0 too"):
        check_python_ranges(read_pins("bread==1.0\nsoup==4.1"), ranges.__getitem__)
    check_python_ranges(read_pins('bread==1.0\nsoup==4.1 ; python_version >= "3.12"'), ranges.__getitem__)


def test_all_files_of_a_version_are_locked() -> None:
    asked: list[str] = []

    def fetch(address: str) -> dict[str, Any]:
        asked.append(address)
        return PAGE

    assert load_hashes(Pin("tiny", "1.0"), fetch, "https://example.org/simple") == ["a" * 64, "b" * 64]
    assert asked == ["https://example.org/simple/tiny/"]


@pytest.mark.parametrize(
    ("page", "said"),
    [({}, "tiny 1.0 has no hash: no such version"), ({"files": [{"filename": "tiny-1.0.tar.gz", "hashes": {}}]}, "gives none for tiny-1.0.tar.gz")],
)
def test_a_pin_without_a_hash_is_told_and_nothing_is_written(page: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(LockError, match=said):
        write_locks(tmp_path / "locks", {"run": {"tiny"}}, read_pins("tiny==1.0"), lambda _: page, "")
    assert not (tmp_path / "locks").exists()


def test_a_line_that_is_no_pin_is_refused() -> None:
    with pytest.raises(LockError, match="`tiny>=1` is no pin"):
        read_pins("tiny>=1\n")


def tiny_wheel(folder: Path) -> str:
    """A package of one module; the SHA-256 of its file."""
    path, info = folder / "vantage_tiny-1.0-py3-none-any.whl", "vantage_tiny-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("vantage_tiny.py", "VALUE = 1\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: vantage-tiny\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes as its only registry, and another that it installs into."""
    for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(tmp_path), "TARGET": str(tmp_path / "into"), "CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.setattr(setup, "PYTHON", Path(sys.executable))
    return tmp_path


def test_a_file_with_its_hash_is_installed(index: Path) -> None:
    written = index / "run.txt"
    written.write_text(lock.format_lock([Pin("vantage-tiny", "1.0")], {"vantage-tiny": [tiny_wheel(index)]}), encoding="utf-8")
    assert setup.install_lock(written)
    assert (index / "into" / "vantage_tiny.py").is_file()


def test_a_file_with_another_hash_is_refused(index: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tiny_wheel(index)
    written = index / "run.txt"
    written.write_text(lock.format_lock([Pin("vantage-tiny", "1.0")], {"vantage-tiny": ["0" * 64]}), encoding="utf-8")
    with pytest.raises(SystemExit, match=r"not the one whose hash is in run\.txt.*It was not installed"):
        setup.install_lock(written)
    assert "vantage-tiny" in capfd.readouterr().err  # pip's own words name the package
    assert not (index / "into").exists()


def test_a_package_that_cannot_be_had_is_no_wrong_hash(index: Path) -> None:
    written = index / "run.txt"
    written.write_text(lock.format_lock([Pin("vantage-tiny", "1.0")], {"vantage-tiny": ["0" * 64]}), encoding="utf-8")
    assert not setup.install_lock(written)


def test_names_are_canonical() -> None:
    assert all(name == canonicalize_name(name) for name in PINS)
