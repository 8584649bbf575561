"""Makes names of members safe to show and to store, unique within their container, and matches them with the ignore rules.

Nothing is ever written under these names. They are part of the path under which a member's document is known.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from ingestion.readers.base.charset import encoding_of

_LONGEST = 1000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
_DRIVE = re.compile(r"^[A-Za-z]:")
# Encodings that archive programs of other regions write names in; Western names are cp437, as the format says.
_REGIONAL = frozenset({"cp932", "euc_jp", "gb18030", "big5", "euc_kr", "cp1251", "koi8_r"})
_WORD = re.compile(r"[^\W\d_]+")


def safe_name(name: str) -> str:
    """Make a relative name with "/" between its parts: no drive, no "..", no control or direction characters, and no "!/", which parts containers."""
    name = _CONTROL.sub("_", name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))
    parts = [part.strip() for part in _DRIVE.sub("", name.replace("\\", "/")).split("/")]
    parts = [part for part in parts if part not in {"", ".", ".."}] or ["unnamed"]
    folders = [f"{part[:-1]}\uff01" if part.endswith("!") else part for part in parts[:-1]]
    return _shorten("/".join([*folders, parts[-1]]))


def _shorten(name: str) -> str:
    if len(name) <= _LONGEST:
        return name
    suffix = PurePosixPath(name).suffix[:20]
    return f"{name[: _LONGEST - 40]}…{hashlib.sha256(name.encode()).hexdigest()[:12]}{suffix}"


class MemberNames:
    """The names of one container: a name that comes again gets a number."""

    def __init__(self) -> None:
        self._times: dict[str, int] = {}

    def make_unique(self, name: str) -> str:
        made = safe_name(name)
        while made in self._times:
            self._times[made] += 1
            path = PurePosixPath(made)
            made = str(path.with_name(f"{path.stem} ({self._times[made]}){path.suffix}"))
        self._times[made] = 1
        return made


def matching_ignore_rule(name: str, rules: Sequence[str]) -> tuple[str, str] | None:
    """Return the part of `name` from its beginning that an ignore rule matches, and that rule; None where none does.

    A rule with a slash is for the whole name, any other for each of its parts, as for files in a folder.
    """
    parts = name.split("/")
    for depth, part in enumerate(parts, 1):
        upto = "/".join(parts[:depth])
        rule = next((rule for rule in rules if fnmatchcase(upto if "/" in rule else part, rule)), None)
        if rule is not None:
            return upto, rule
    return None


def guess_code_page(names: Sequence[bytes]) -> str:
    """Guess the encoding of names whose archive does not say it, from all of them together: one alone is too short to tell."""
    sample = b"\n".join(name for name in names if not name.isascii())[: 1 << 16]
    if not sample:
        return "ascii"
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError:
        if _is_cyrillic(sample):
            return "cp866"
        guess = encoding_of(sample)
        return guess if guess in _REGIONAL and _is_decodable(sample, guess) else "cp437"
    return "utf-8"


def _is_cyrillic(sample: bytes) -> bool:
    """Return whether words with letters above 127 are Russian throughout under the code page of DOS, and long enough not to be so by chance."""
    words = [word for word in _WORD.findall(sample.decode("cp866")) if not word.isascii()]
    return bool(words) and all("\u0400" <= letter <= "\u04ff" for word in words for letter in word) and sum(map(len, words)) >= 3 * len(words)


def _is_decodable(sample: bytes, encoding: str) -> bool:
    try:
        sample.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
