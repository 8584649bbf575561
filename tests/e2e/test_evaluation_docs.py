"""Every command of docs/evaluation.md does what the page shows: the same lines, whatever their figures are on this machine."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli import main
from tests.support.serving import ROOT, ServedVantage, make_environment

PAGE = ROOT / "docs" / "evaluation.md"
# What depends on figures or on what the library holds by now: steps of a question, which questions moved or are made, which settings were better.
_BY_FIGURES = re.compile(
    r"\s*(?:step\s|\d+ questions, made|field\s|Kept in|What moved most|as it is|Best there|the halves|Refused|Accepted|Nothing was better|Kept as)"
)


def documented_commands() -> Iterator[tuple[str, list[str]]]:
    """Each command of the page with the lines that it shows below."""
    command, shown = "", list[str]()
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, shown
                command, shown = line[2:], []
            else:
                shown.append(line)
        yield command, shown
        command, shown = "", []


def mask_figures(lines: list[str]) -> list[str]:
    """The lines without figures and spaces, up to what depends on them in each paragraph."""
    kept, skipped = [], False
    for line in lines:
        skipped = bool(_BY_FIGURES.match(line)) or (skipped and bool(line.strip()))
        bare = " ".join(re.sub(r"[-+−]?\d[\d.,:-]*", "#", line).split())
        kept += [bare] if bare and not skipped else []
    return kept


def test_the_page_shows_what_its_commands_print(
    sample_server: ServedVantage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("VANTAGE_HOME", str(sample_server.home))
    monkeypatch.setenv("VANTAGE_OLLAMA__ENABLED", "off")
    monkeypatch.chdir(ROOT)
    commands = list(documented_commands())
    assert len(commands) >= 5
    for command, shown in commands:
        words = shlex.split(command)[1:]
        if "--data" in words:  # opens a library in its own process
            done = subprocess.run(
                [sys.executable, "-m", "cli", *words, "--cache", str(tmp_path)],
                env=make_environment(sample_server.home), cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
            )  # fmt: skip
            code, printed = done.returncode, done.stdout
        else:
            code, printed = main(words), capsys.readouterr().out
        assert code == 0, command
        missing = [line for line in mask_figures(shown) if line not in mask_figures(printed.splitlines())]
        assert missing == [], f"{command} printed\n{printed}"
        assert Path(sample_server.home, "evaluation").is_dir()
