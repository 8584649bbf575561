"""A member of a container, of whatever kind, and the bound on all that members unpack to."""

from __future__ import annotations

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from email.errors import MessageError
from functools import partial
from typing import IO, TypeVar

from core.errors import ExtractionError, LimitExceeded, Malformed
from ingestion.readers.base.source import MEBIBYTE, ExtractionLimits

# What the standard library's readers of archives and messages raise on damaged or hostile input.
FAILURES = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    struct.error,
    MessageError,
    EOFError,
    OSError,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    AssertionError,
    NotImplementedError,
    RuntimeError,
)
_SMALL = 50 * MEBIBYTE  # what unpacks to less is no bomb, however well it was packed
_LARGE = 512 * MEBIBYTE  # the same for all members together
_BLOCK = 1 << 20
_Step = TypeVar("_Step")


@dataclass(frozen=True, slots=True)
class Member:
    """One file in a container.

    `name` is as the container spells it, `open` gives its bytes (before the next member is taken), `packed_size` is how many bytes of the container
    it takes (0 where that is unknown). `refusal` says why it is not read at all: a link, a device."""

    name: str
    open: Callable[[], IO[bytes]]
    packed_size: int = 0
    refusal: ExtractionError | None = None


def member_of_bytes(name: str, data: bytes) -> Member:
    """Make a member of bytes that are in memory already."""
    return Member(name, lambda: io.BytesIO(data), len(data))


class UnpackingBudget:
    """The bytes that all members of one file, nested ones too, may unpack to together."""

    def __init__(self, limits: ExtractionLimits) -> None:
        self.limits = limits
        self._left = limits.archive_bytes
        self._file_size = 0

    def set_file_size(self, size: int) -> None:
        """Note the size of the file itself: all its members together may unpack to no more than a bomb would."""
        self._file_size = size

    def copy_member(self, member: Member, target: IO[bytes]) -> int:
        """Write the member's bytes to `target`, and return their number.

        Raises:
            LimitExceeded: it is larger than one file may be, unpacks like a bomb, or there is no room left for it.
            Malformed: its bytes are damaged.
        """
        size = 0
        with _run_step(member.open) as stream:
            while block := _run_step(partial(stream.read, _BLOCK)):
                size += len(block)
                self._check_bounds(size, len(block), member.packed_size)
                target.write(block)
        return size

    def _check_bounds(self, size: int, block: int, packed: int) -> None:
        self._left -= block
        if size > self.limits.streamed_bytes:
            raise LimitExceeded(f"It unpacks to more than {self.limits.streamed_bytes / MEBIBYTE:,.0f} MiB (ingestion.max_streamed_file_mb).")
        if packed and size > _SMALL and size > self.limits.ratio * packed:
            raise LimitExceeded(f"It unpacks to more than {self.limits.ratio} times its size, as an archive bomb does.")
        taken = self.limits.archive_bytes - self._left
        if self._file_size and taken > _LARGE and taken > self.limits.ratio * self._file_size:
            raise LimitExceeded(f"All members together unpack to more than {self.limits.ratio} times the archive, as an archive bomb does.")
        if self._left < 0:
            limit = self.limits.archive_bytes / MEBIBYTE
            raise LimitExceeded(f"The members of this archive unpack to more than {limit:,.0f} MiB together (ingestion.max_archive_mb).")


def _run_step(step: Callable[[], _Step]) -> _Step:
    """Run a step of unpacking. Raises Malformed where the packed bytes are damaged; what the disk says goes through."""
    try:
        return step()
    except FAILURES as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise Malformed(f"It is damaged in its archive: {str(error)[:120] or type(error).__name__}.") from error
