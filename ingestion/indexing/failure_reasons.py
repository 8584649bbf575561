"""Turns errors into what they mean for a run: a line in the ledger, or its end."""

from __future__ import annotations

import logging
import re

from core.documents import DocumentState
from core.errors import Cancelled, ConfigurationError, Conflict, Empty, Encrypted, Malformed, Sealed, Unavailable, Unsupported, Vanished, VantageError
from core.ports import LedgerReason

_log = logging.getLogger(__name__)


def run_ends(error: Exception) -> bool:
    """Return whether no further file could fare better: a full disk, a store or model that does not answer or may not be written, a closed pool."""
    return isinstance(error, Unavailable | Cancelled | ConfigurationError | Conflict)


_UNLOCK_HINT = "with `vantage index FILE --password`, or beside the file in the ledger of the page; it is used for that reading alone."
_REPAIR_HINT = "Open it in the program it was made with and save it anew, or get another copy."
_DAMAGE = re.compile(r"\b(?:damaged|cut off)\b")
_NOT_OPENED = "The password that was given does not open it."


def ledger_entry(error: Exception, path: str, digest: str = "", *, password_given: bool = False) -> tuple[DocumentState, LedgerReason]:
    """Return state and reason of a file that met `error`. A file without text, or of a type that is not read, is skipped; any other has failed."""
    match error:
        case Encrypted() if not isinstance(error, Sealed):
            text = _lock_sentence(str(error), password_given=password_given)
            return DocumentState.FAILED, LedgerReason(text, error.code, digest)
        case Unsupported() | Empty() | Vanished():
            return DocumentState.SKIPPED, LedgerReason(str(error), error.code, digest)
        case Malformed():
            return DocumentState.FAILED, LedgerReason(_damage_sentence(str(error)), error.code, digest)
        case VantageError():
            return DocumentState.FAILED, LedgerReason(str(error), error.code, digest)
        case FileNotFoundError():
            return DocumentState.SKIPPED, LedgerReason("It is gone: it was deleted or moved while its folder was indexed.", Vanished.code, digest)
        case PermissionError():
            return DocumentState.FAILED, LedgerReason("Permission denied. Allow reading it and index again.", "permission_denied", digest)
        case OSError():
            return DocumentState.FAILED, LedgerReason(f"It cannot be read: {error.strerror or error}.", "unreadable", digest)
    _log.error("Indexing %s failed.", path, exc_info=error)
    return DocumentState.FAILED, LedgerReason(
        f"Vantage could not process it ({type(error).__name__}: {error}). Please report this.", "internal", digest
    )


def _damage_sentence(said: str) -> str:
    """Return what a reader says of a damaged file, on one line, with what helps against damage."""
    line = " ".join(said.split())
    return f"{line} {_REPAIR_HINT}" if _DAMAGE.search(line) else line


def _lock_sentence(said: str, *, password_given: bool) -> str:
    """Return what a reader says of a locked file, with what to do."""
    if not password_given:
        return f"{said} Give it {_UNLOCK_HINT}"
    said = said if "given" in said else f"{said} {_NOT_OPENED}"
    return f"{said} Give another {_UNLOCK_HINT}"
