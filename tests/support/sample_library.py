"""The sample library, indexed once for a whole run of the tests: whoever serves it begins with a copy."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

from tests.support.serving import ServedVantage
from tests.support.warm_start import SHARED


def serve_sample(home: Path, settings: dict[str, str] | None = None) -> ServedVantage:
    """Start a server over a library that holds the sample library, as `vantage serve --with-sample` has it once it is indexed."""
    copy_sample(home)
    return ServedVantage(home, settings or {}).start("--with-sample")


def copy_sample(home: Path) -> None:
    """Make a home that holds the sample library."""
    shutil.copytree(_indexed_home(Path(os.environ[SHARED])), home)


def _indexed_home(shared: Path) -> Path:
    home = shared / "sample" / "home"
    with (shared / "sample.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            shutil.rmtree(shared / "being-made", ignore_errors=True)  # what one left that failed
            made = ServedVantage(shared / "being-made" / "home").start("--with-sample")  # it answers once everything is indexed
            made.stop()
            (shared / "being-made").rename(shared / "sample")
    return home
