"""What the ledger says of a file that could not be read: one true sentence about each cause, and what to do."""

from __future__ import annotations

import pytest

from core.documents import DocumentState
from core.errors import Encrypted, Malformed, Sealed
from ingestion.indexing.failure_reasons import ledger_entry
from ingestion.readers.base.source import Source
from ingestion.readers.pdf.pdf_metadata import locked_message


@pytest.mark.parametrize(("password", "verb"), [("", "Give it"), ("wrong", "Give another")])
def test_a_locked_file_says_once_how_to_open_it(password: str, verb: str) -> None:
    said = locked_message(Source(b"", "a.pdf", password=password))
    state, reason = ledger_entry(Encrypted(said), "/a.pdf", password_given=bool(password))
    assert (state, reason.code) == (DocumentState.FAILED, "encrypted")
    assert reason.text.startswith("The PDF is protected")
    assert reason.text.count("--password") == 1
    assert verb in reason.text
    assert reason.text.count("does not open it") == (1 if password else 0)


def test_a_reader_that_does_not_say_so_is_told_that_the_password_was_wrong() -> None:
    _, reason = ledger_entry(Encrypted("The file is encrypted: it needs a password."), "/a.docx", password_given=True)
    assert "does not open it" in reason.text


def test_no_password_is_asked_for_where_none_would_help() -> None:
    state, reason = ledger_entry(Sealed("It is protected by digital rights management."), "/a.epub", password_given=True)
    assert (state, reason.code, reason.text) == (DocumentState.FAILED, "sealed", "It is protected by digital rights management.")


def test_a_damaged_file_says_what_helps_on_one_line() -> None:
    state, reason = ledger_entry(Malformed("This workbook is damaged (it says:\nnothing)."), "/a.xlsx")
    assert (state, reason.code) == (DocumentState.FAILED, "malformed")
    assert reason.text == (
        "This workbook is damaged (it says: nothing). Open it in the program it was made with and save it anew, or get another copy."
    )


def test_what_is_not_damaged_is_not_to_be_saved_anew() -> None:
    _, reason = ledger_entry(Malformed("The workbook defines XML entities, as an entity bomb does: it was not opened."), "/a.xlsx")
    assert reason.text.endswith("it was not opened.")
