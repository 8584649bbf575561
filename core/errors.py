"""The error tree. Every message says what happened and what to do; `server/error_responses.py` maps the classes to HTTP.

VantageError
├── InvalidInput            the request is not valid (400, 413, 422)
│   ├── PathNotAllowed      a path outside the configured roots (403)
│   └── TooLarge            over a limit of the settings (413)
├── NotFound                no such document, run, job, conversation (404)
├── Conflict                the library is owned by another process, a run is already over (409)
├── TooMany                 one person has as many questions or streams open as one may have (429)
│   └── TooManyTries        too many wrong keys came from one address (429)
├── Unauthorized            no or a wrong API key (401)
├── OtherAccount            without keys: another account of this machine than the one that started the server (403)
├── Forbidden               the API key is known and its role may not do this (403)
├── ConfigurationError      the settings cannot work together (start-up)
├── ExtractionError         a file could not be read; carries a `code` for the ledger
│   ├── Encrypted           needs a password
│   │   └── Sealed          encrypted so that no password opens it here
│   ├── NeedsRecognition    all its text is in pictures: it is read once recognition (OCR) may take its time
│   ├── Unsupported         no reader for this type
│   ├── Malformed           damaged, truncated, mis-named
│   ├── Empty               nothing in it that is text
│   │   ├── Undescribed     nothing but pictures, and the vision model that describes them does not answer
│   │   └── NothingSeen     nothing but pictures, and the vision model has nothing to say of them
│   ├── Vanished            it was deleted or moved before it was read
│   └── LimitExceeded       over the time, memory, page or size limit
├── Unavailable             a part that is configured does not answer (503)
│   ├── ModelUnavailable    the language model is down, slow or talks nonsense
│   ├── Overloaded          all that can run at the same time runs already
│   └── StorageFull         no space left on the disk (507)
└── Cancelled               somebody pressed stop
"""

from __future__ import annotations


class VantageError(Exception):
    """Base of all that Vantage raises on purpose. `code` is a stable word for programs; the message is for people."""

    code = "error"


class InvalidInput(VantageError):
    code = "invalid_input"


class PathNotAllowed(InvalidInput):
    code = "path_not_allowed"


class TooLarge(InvalidInput):
    code = "too_large"


class NotFound(VantageError):
    code = "not_found"


class Conflict(VantageError):
    code = "conflict"


class TooMany(VantageError):
    """`retry_after` are the seconds after which another try makes sense."""

    code = "too_many"
    retry_after = 2


class TooManyTries(TooMany):
    code = "too_many_tries"

    def __init__(self, message: str, retry_after: int = 60) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unauthorized(VantageError):
    code = "unauthorized"


class OtherAccount(VantageError):
    code = "other_account"


class Forbidden(VantageError):
    code = "forbidden"


class ConfigurationError(VantageError):
    code = "configuration"


class ExtractionError(VantageError):
    """A file could not be read. The message becomes the ledger's reason."""

    code = "unreadable"


class Encrypted(ExtractionError):
    code = "encrypted"


class Sealed(Encrypted):
    code = "sealed"


class NeedsRecognition(ExtractionError):
    code = "needs_recognition"


class Unsupported(ExtractionError):
    code = "unsupported"


class Malformed(ExtractionError):
    code = "malformed"


class Empty(ExtractionError):
    code = "empty"


class Undescribed(Empty):
    code = "needs_description"


class NothingSeen(Empty):
    code = "nothing_seen"


class LimitExceeded(ExtractionError):
    code = "limit_exceeded"


class Vanished(ExtractionError):
    code = "vanished"


class Unavailable(VantageError):
    code = "unavailable"


class ModelUnavailable(Unavailable):
    code = "model_unavailable"


class Overloaded(Unavailable):
    """`retry_after` are the seconds after which another try makes sense."""

    code = "overloaded"
    retry_after = 5


class StorageFull(Unavailable):
    code = "storage_full"


class Cancelled(VantageError):
    code = "cancelled"
