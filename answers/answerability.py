"""Whether the library answers a question at all, and the answer that says it does not.

The probability is a logistic of up to three signals of the retrieval (`Retrieval.signals`): dense_top1, the best cosine; lexical_ratio, the best
BM25 over the query's upper bound; coverage, the query's idf mass in the first passage. A strategy that runs one leg alone lacks a signal, so
each set of signals has its own coefficients. They were fitted by `benchmarks/answers.py --fit-answerability` on SQuAD 2.0 questions against the
same questions with every paragraph that answers them taken out; near-misses that only a reader can tell are beyond these signals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.answers import Answer, Evidence

SIGNALS = ("dense_top1", "lexical_ratio", "coverage")

# Signals present -> (intercept, one weight for each in the order of SIGNALS).
COEFFICIENTS: dict[tuple[str, ...], tuple[float, ...]] = {
    ("dense_top1", "lexical_ratio", "coverage"): (-7.127, 6.153, 0.414, 6.620),  # AUROC 0.919, ECE 0.021
    ("dense_top1", "lexical_ratio"): (-6.445, 6.335, 5.102),  # AUROC 0.880, ECE 0.029
    ("dense_top1", "coverage"): (-7.110, 6.351, 6.873),  # AUROC 0.918, ECE 0.024
    ("lexical_ratio", "coverage"): (-5.031, 2.105, 6.630),  # AUROC 0.908, ECE 0.056
    ("dense_top1",): (-5.640, 10.926),  # AUROC 0.822, ECE 0.035
    ("lexical_ratio",): (-4.269, 6.813),  # AUROC 0.858, ECE 0.040
    ("coverage",): (-4.534, 8.120),  # AUROC 0.904, ECE 0.038
}

_SHOWN = 200


def probability(signals: Mapping[str, float]) -> float:
    """The probability in 0..1 that the library answers the question; 0 without any signal. Values are cut to 0..1, other signals ignored."""
    present = tuple(name for name in SIGNALS if name in signals)
    if not present:
        return 0.0
    intercept, *weights = COEFFICIENTS[present]
    total = intercept + sum(weight * min(1.0, max(0.0, signals[name])) for weight, name in zip(weights, present, strict=True))
    return 1.0 / (1.0 + math.exp(-total))


def not_found_answer(question: str, evidence: Sequence[Evidence]) -> Answer:
    """`found` False, with a text that names the question and the nearest files; it invents nothing and cites nothing."""
    asked = " ".join(question.split())
    asked = asked if len(asked) <= _SHOWN else asked[: _SHOWN - 1].rstrip() + "…"
    text = f"I did not find an answer to “{asked}” in your documents."
    names = list(dict.fromkeys(item.filename for item in evidence))[:3]
    if names:
        text += f" The nearest passages are in {_listed(names)}."
    return Answer(text=text, generated_by="none", found=False)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
