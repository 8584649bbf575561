"""Calls of the C library that report an error by a negative result and `errno`."""

from __future__ import annotations

import ctypes
import os


def check_result(result: int) -> int:
    """Return what a call returned. Raises OSError where that is an error; the library has to be opened with `use_errno`."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
