"""What the command says of itself: its help, its version, its completion scripts."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli import main
from commands.argument_parser import build_parser
from commands.exit_codes import EXIT_CODES
from commands.shell_completion import completion_script
from core.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
_ASK_BASH = """
source "$1"; shift
compopt() { :; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_vantage
printf '%s\\n' "${COMPREPLY[@]}"
"""


def leaves(top: argparse.ArgumentParser, name: str = "vantage") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every subcommand that has none below it."""
    groups = [action for action in top._actions if isinstance(action, argparse._SubParsersAction)]
    if not groups:
        yield name, top
    for group in groups:
        for word, below in group.choices.items():
            yield from leaves(below, f"{name} {word}")


def test_bare_vantage_prints_the_help_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("usage: vantage")
    assert EXIT_CODES in shown
    assert "130 stopped with Ctrl+C" in shown


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["seach", "crane"], "there is no 'seach' here. Did you mean 'search'?"),
        (["memory", "shwo"], "there is no 'shwo' here. Did you mean 'show'?"),
        (["completion", "fsh"], "there is no 'fsh' here. Did you mean 'fish'?"),
        (["zzz"], "invalid choice: 'zzz'"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_one_that_was_probably_meant(typed: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(typed)
    shown = capsys.readouterr().err
    assert (ended.value.code, said in shown, shown.startswith("usage: vantage")) == (2, True, True)


def test_the_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"vantage {VERSION}\n")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


def test_every_command_that_prints_data_prints_json_too() -> None:
    without = [name for name, each in leaves(build_parser()) if "--json" not in each.format_help()]
    assert without == ["vantage completion"]


def completed(tmp_path: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    file = tmp_path / "vantage.bash"
    file.write_text(completion_script("bash", build_parser()))
    done = subprocess.run(["bash", "-c", _ASK_BASH, "-", str(file), *words], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_what_the_parser_knows(tmp_path: Path) -> None:
    (tmp_path / "Lease.pdf").touch()
    assert completed(tmp_path, "vantage", "s") == ["serve", "search", "status"]
    assert completed(tmp_path, "vantage", "memory", "") == ["show", "forget", "consolidate", "-h", "--help"]
    assert completed(tmp_path, "vantage", "memory", "forget", "--i") == ["--item"]
    assert completed(tmp_path, "vantage", "ledger", "--state", "q") == ["queued", "quarantined"]
    assert completed(tmp_path, "vantage", "--config", "ask", "le") == ["ledger"]  # "ask" is the file's name there
    assert completed(tmp_path, "vantage", "ask", "memory", "--str") == ["--strategy"]
    assert completed(tmp_path, "vantage", "index", "Le") == completed(tmp_path, "vantage", "ask", "--attach", "Le") == ["Lease.pdf"]
    for name, each in leaves(build_parser()):
        flags = {flag for action in each._actions for flag in action.option_strings}
        assert set(completed(tmp_path, *name.split(), "-")) == flags


@pytest.mark.parametrize(("shell", "check"), [("zsh", "-n"), ("fish", "--no-execute")])
def test_the_other_shells_can_read_theirs(shell: str, check: str, tmp_path: Path) -> None:
    """Every subcommand and flag is in it; the shell itself checks it where it is installed."""
    text = completion_script(shell, build_parser())
    for name, each in leaves(build_parser()):
        assert name.split()[-1] in text
        assert all(flag.lstrip("-") in text for action in each._actions for flag in action.option_strings)
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: its script was made, and not read by it")
    file = tmp_path / shell
    file.write_text(text)
    assert subprocess.run([shell, check, str(file)], capture_output=True, text=True, check=False).stderr == ""
