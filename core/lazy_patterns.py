"""Regular expressions that are compiled when they are first used.

Compiling all of Vantage's took an eighth of what importing it costs, and most questions use a third of them. A module whose patterns serve some kinds
of questions only makes them here; one whose patterns every question meets gains nothing by it.
"""

from __future__ import annotations

import re
from typing import Any, cast

_COPIED = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn", "flags", "groups", "groupindex")


class LazyPattern:
    """A stand-in for a compiled pattern. Its attributes become its own with the first that is asked for, so that the next call is no slower than the
    pattern's."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the compiled pattern; called only for what is not there yet. Raises re.error where the pattern is no pattern,
        AttributeError for what patterns do not have."""
        if name.startswith("__"):
            raise AttributeError(name)  # copying and pickling ask for these, and get this object's own
        compiled = re.compile(self.pattern, self._flags)
        self.__dict__.update({each: getattr(compiled, each) for each in _COPIED})
        return getattr(compiled, name)


def compile_when_used(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used, else as `re.compile`. The functions of `re` do not take what this returns: call its
    methods."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))
