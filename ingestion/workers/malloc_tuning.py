"""Tunes glibc's malloc to give freed memory back to the system, where it would otherwise keep it for the next time.

Python's large objects, the buffers of the embedding model and those of the search engine are allocated by the C library, which keeps an arena for
each of dozens of threads and learns from every large object that is freed to keep larger ones. While 133 varied files were read, a server of 594
MiB held 1,143 for that reason, at the same processor time. Other C libraries (macOS, Windows, musl) are left as they are.
"""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache

_MEBIBYTE = 1 << 20
# name in the environment (see mallopt(3)) -> its number and our value: from a mebibyte on, memory is mapped by itself and unmapped when it is freed
_MALLOPT_VALUES = {"MALLOC_ARENA_MAX": (-8, 2), "MALLOC_MMAP_THRESHOLD_": (-3, _MEBIBYTE), "MALLOC_TRIM_THRESHOLD_": (-1, _MEBIBYTE)}

MALLOC_ENVIRONMENT = {name: str(value) for name, (_, value) in _MALLOPT_VALUES.items()}
"""The same for a process that is started: its environment."""


@cache
def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "gnu_get_libc_version") else None


def tune_malloc() -> bool:
    """Tune this process; what the environment says of the allocator stands. Return False where the C library is another."""
    library = _glibc()
    if library is None:
        return False
    taken = [library.mallopt(number, value) for name, (number, value) in _MALLOPT_VALUES.items() if name not in os.environ]
    return all(taken)


def trim_heap() -> None:
    """Return the free pages between what is still in use to the system. Blocks for some ten milliseconds, without the interpreter's lock."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)
