"""The model that identifies the language of a document, unpacked once for all processes that read files.

py3langid keeps it compressed: unpacking took half of the processor time in which a reader starts, and each reader kept the tables of all languages.
"""

from __future__ import annotations

import mmap
import os
import pickle
import threading
from functools import cache, lru_cache
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# Two-letter codes of languages with much writing: among 140, short texts with many names land anywhere.
_LANGUAGES = (
    "af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko la lo lt lv mk ml mn mr "
    "ms mt nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur vi xh zh zu"
).split()
_received: list[LanguageIdentifier] = []
_unpacking = threading.Lock()


def identify_language(text: str) -> tuple[str, float]:
    """Return the ISO 639-1 code of the language that a text is in, and the probability of it."""
    language, probability = (_received[0] if _received else _unpacked_identifier()).classify(text)
    return str(language), float(probability)


def share_model() -> int:
    """Return a descriptor of a file that has the model as `receive_model` reads it: of the same file each time. Raises OSError."""
    with _unpacking:
        return _open_shared_file()


def receive_model(descriptor: int) -> None:
    """Take the model that the process which started this one shares, and close the descriptor."""
    with mmap.mmap(descriptor, 0, prot=mmap.PROT_READ) as data:
        _received[:] = [pickle.loads(data)]  # noqa: S301  (written by our parent, and nothing hostile was read yet)
    os.close(descriptor)


@cache
def _open_shared_file() -> int:
    with NamedTemporaryFile() as file:
        pickle.dump(_unpack(), file, protocol=5)
        file.flush()
        return os.open(file.name, os.O_RDONLY)  # it stays open, without a name, for as long as this process lives


@lru_cache(maxsize=1)
def _unpacked_identifier() -> LanguageIdentifier:
    return _unpack()


def _unpack() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    whole = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    whole.set_languages([language for language in _LANGUAGES if language in set(whole.labels)])
    tables = (whole.nb_ptc, whole.nb_pc, whole.nb_classes, whole.tk_nextmove, whole.tk_output)
    return LanguageIdentifier(*tables, norm_probs=True, tk_row=whole.tk_row)
