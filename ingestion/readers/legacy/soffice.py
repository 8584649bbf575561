"""LibreOffice as a converter of old formats, where it is installed: one document, its own profile, no macros, no network, a time limit.

It runs in a confined reader, too (ingestion/workers/confinement.py), which may write in its own folder alone. `soffice` starts by way of a splash
screen that looks for a place for a socket in /tmp and /var/tmp only; `soffice.bin` beside it takes OSL_SOCKET_PATH where it may write in neither
(LibreOffice 7.4: sal/osl/unx/pipe.cxx, desktop/unx/source/start.c)."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from ingestion.readers.base.source import ExtractionLimits

_PROGRAMS = ("soffice", "libreoffice")
# What LibreOffice ends with after it has made a new profile: it wants to be started once more, which else the splash screen's program does.
_AGAIN = 81
_PLACES = ("/usr/lib/libreoffice/program", "/opt/libreoffice/program", "/Applications/LibreOffice.app/Contents/MacOS")
# The rest of a file's time is for reading what was converted, or for the reader of our own if nothing was.
_SHARE = 0.7
_OFF = (
    ("/org.openoffice.Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("/org.openoffice.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("/org.openoffice.Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    ("/org.openoffice.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("/org.openoffice.Office.Writer/Content/Update", "Link", "2"),
    ("/org.openoffice.Inet/Settings", "ooInetProxyType", "2"),
    ("/org.openoffice.Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("/org.openoffice.Inet/Settings", "ooInetHTTPProxyPort", "9"),
    ("/org.openoffice.Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("/org.openoffice.Inet/Settings", "ooInetHTTPSProxyPort", "9"),
)


def program() -> str | None:
    """Return the path of LibreOffice; None where it is not installed."""
    found = (shutil.which(name) for name in _PROGRAMS)
    return next(filter(None, found), None) or shutil.which("soffice", path=os.pathsep.join(_PLACES))


def _started_program(command: str) -> str:
    """Return the program that `soffice` starts in the end, where it lies beside it as on Linux."""
    beside = Path(command).resolve().with_name("soffice.bin")
    return str(beside) if beside.is_file() else command


def convert_document(data: bytes, suffix: str, target: str, limits: ExtractionLimits) -> bytes | None:
    """Convert the document to the format `target` ("docx"); None where LibreOffice is absent, fails or takes too long.

    `suffix` (".doc") tells LibreOffice what the bytes are.
    """
    command = program()
    if command is None:
        return None
    with tempfile.TemporaryDirectory(prefix="vantage-office-") as folder:
        home = Path(folder)
        (home / f"document{suffix}").write_bytes(data)
        _write_profile(home / "profile")
        # The folder of the socket is named from where LibreOffice starts: the whole name of a socket may have 107 characters.
        arguments = [
            _started_program(command),
            "-env:OSL_SOCKET_PATH=.",
            f"-env:UserInstallation={(home / 'profile').as_uri()}",
            "--headless",
            "--norestore",
            "--nolockcheck",
            "--nodefault",
        ]
        arguments += ["--nofirststartwizard", "--convert-to", target, "--outdir", str(home / "out"), str(home / f"document{suffix}")]
        ends_at = time.monotonic() + _SHARE * limits.seconds
        outcome = _run(arguments, home, ends_at)
        if outcome == _AGAIN:
            outcome = _run(arguments, home, ends_at)
        if outcome != 0:
            return None
        result = home / "out" / f"document.{target}"
        if result.is_symlink() or not result.is_file() or result.stat().st_size > limits.file_bytes:
            return None
        return result.read_bytes()


def _write_profile(folder: Path) -> None:
    """Write a profile that runs no macros, updates no links and reaches no network."""
    items = "".join(
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>' for path, name, value in _OFF
    )
    (folder / "user").mkdir(parents=True)
    names = 'xmlns:oor="http://openoffice.org/2001/registry"'
    (folder / "user" / "registrymodifications.xcu").write_text(f'<?xml version="1.0"?><oor:items {names}>{items}</oor:items>', encoding="utf-8")


def _run(arguments: list[str], home: Path, ends_at: float) -> int | None:
    """Run LibreOffice in a session of its own, so that nothing of it is left behind. Return its exit status; None where it did not start, or not end
    in time."""
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8", "SAL_USE_VCLPLUGIN": "svp"}
    try:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=home,
            start_new_session=True,
        )
    except OSError:
        return None
    try:
        return process.wait(max(0.0, ends_at - time.monotonic()))
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end_process(process)


def _end_process(process: subprocess.Popen[bytes]) -> None:
    """End all that was started with it."""
    with contextlib.suppress(ProcessLookupError):  # all of it has ended already
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
