"""What `vantage index` says at the end."""

from __future__ import annotations

from typing import Any

import pytest

from commands.index_command import print_report

NOTHING: dict[str, Any] = {"state": "done", "files_total": 4, "files_done": 4, "chunks": 3, "error": None} | {
    f"files_{each}": 0 for each in ("indexed", "unchanged", "partial", "skipped", "failed", "removed")
}


def test_the_states_to_ask_the_ledger_for_are_those_that_happened(capsys: pytest.CaptureFixture[str]) -> None:
    print_report(NOTHING | {"files_indexed": 3, "files_failed": 1})
    assert capsys.readouterr().out == (
        "4 of 4 files: 3 indexed, 1 not readable; 3 passages written.\n`vantage ledger --state failed --state quarantined` says why.\n"
    )
    print_report(NOTHING | {"files_indexed": 2, "files_partial": 1, "files_skipped": 1})
    assert capsys.readouterr().out.endswith("`vantage ledger --state partial --state skipped` says why.\n")
    print_report(NOTHING | {"files_indexed": 4})
    assert "says why" not in capsys.readouterr().out


def test_a_job_that_never_began_has_no_figures(capsys: pytest.CaptureFixture[str]) -> None:
    print_report(NOTHING | {"state": "failed", "files_total": 0, "files_done": 0, "error": "/nope does not exist."})
    assert capsys.readouterr() == ("", "vantage: /nope does not exist.\n")
