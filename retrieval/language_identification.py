"""The language of a short text by py3langid's letter statistics, restricted to the languages that a question may be in.

The model (naive Bayes over byte sequences; https://github.com/adbar/py3langid after Lui and Baldwin 2012, https://aclanthology.org/P12-3005/) is
read from disk at the first call and then only read, so that any number of threads may ask it.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

from core.language.language_clues import ENCODER_LANGUAGES, NEIGHBOUR_LANGUAGES


class LanguageIdentification:
    """Called with a text it gives (ISO 639-1 code, probability) for each language that matters, best first; they sum to 1."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._model: Any = None

    def __call__(self, text: str) -> list[tuple[str, float]]:
        """Return the likely languages; [] for a text in which the model finds no sign of one. The first call reads the model: about a second."""
        ranked: list[tuple[str, float]] = [(str(code), float(share)) for code, share in self._load_identifier().rank(text)]
        return ranked if ranked[1][1] > ranked[-1][1] else []  # all alike: no letters that it knows; the first may be Serbian, which it has twice

    def _load_identifier(self) -> Any:
        with self._lock:
            if self._model is None:
                from py3langid.langid import MODEL_FILE, LanguageIdentifier

                model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
                model.set_languages(sorted((ENCODER_LANGUAGES | NEIGHBOUR_LANGUAGES) & set(model.labels)))
                model._full_model = None  # what choosing other languages would need: 28 MB
                self._model = model
            return self._model
