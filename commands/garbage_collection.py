"""Postponement of garbage collection while a command starts.

Importing the application and opening the library makes some hundred thousand objects that all stay, and the collector goes through them again each
time that their number has grown by a quarter: that was a sixth of the processor time of `vantage ask` without a server.
"""

from __future__ import annotations

import gc


def postpone_collections() -> None:
    """Switch the collector off until `resume_collections`."""
    gc.disable()


def resume_collections() -> None:
    """Collect again, but what was made meanwhile is looked at no more: it stays for as long as the process. Nothing where it was not postponed."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
