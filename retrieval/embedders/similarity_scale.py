"""Measuring where a model's cosines lie: on a few dozen questions and the passages that answer them, which ship with the code.

Both numbers of a `SimilarityScale` are means over these pairs, so they are known to about .01. The models of `transformer_models` carry theirs;
a test measures them again. Any other model is measured when it is opened.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

from core.ports import SimilarityScale

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def read_probes() -> tuple[list[str], list[str]]:
    """Return questions and, in the same order, a passage that answers each."""
    pairs = json.loads(files("retrieval.embedders").joinpath("data", "probes.json").read_text(encoding="utf-8"))
    return [question for question, _ in pairs], [passage for _, passage in pairs]


def measure_scale(questions: NDArray[np.float32], passages: NDArray[np.float32]) -> SimilarityScale:
    """Measure the scale from the unit vectors [pairs, dimension] of the probes: the mean cosine of a question with its passage, and with all the
    others.
    """
    cosines = questions @ passages.T
    count = len(cosines)
    related = float(cosines.trace())
    return SimilarityScale(unrelated=(float(cosines.sum()) - related) / (count * count - count), related=related / count)
