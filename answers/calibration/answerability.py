"""The probability that the library answers a question at all, and the answer that says it does not.

The probability is a logistic of up to three signals of the retrieval (`Retrieval.signals`): dense_top1, the best (scaled) cosine, or where the
multilingual encoder found the first passage its own, multilingual_top1; lexical_ratio, the best BM25 over the query's upper bound; coverage, the
query's idf mass in the first passage. A strategy that runs one leg alone lacks a signal, and so does a search across languages, so each set of
signals has its own coefficients. They were fitted by `benchmarks/answers.py --fit-answerability` on questions of four sets (short and long, in one
step and several) with their paragraphs, against others with every paragraph that answers them taken out; near-misses that only a reader can recognise
are beyond these signals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.answers import OTHER_KIND, Answer, Evidence

SIGNALS = ("dense_top1", "multilingual_top1", "lexical_ratio", "coverage")

# Signals present -> (intercept, one weight for each in the order of SIGNALS).
COEFFICIENTS: dict[tuple[str, ...], tuple[float, ...]] = {
    ("dense_top1", "lexical_ratio", "coverage"): (-7.206, 6.859, 0.0, 6.185),  # AUROC 0.902, ECE 0.023: beside the coverage the ratio says nothing
    ("dense_top1", "lexical_ratio"): (-5.644, 5.394, 5.502),  # AUROC 0.856, ECE 0.031
    ("dense_top1", "coverage"): (-7.206, 6.859, 6.185),  # AUROC 0.902, ECE 0.023
    ("lexical_ratio", "coverage"): (-4.328, 2.480, 5.763),  # AUROC 0.882, ECE 0.023
    ("dense_top1",): (-5.262, 9.424),  # AUROC 0.801, ECE 0.057
    ("lexical_ratio",): (-3.542, 7.396),  # AUROC 0.843, ECE 0.050
    ("coverage",): (-3.908, 7.206),  # AUROC 0.875, ECE 0.018
    # Questions and documents in other languages, the words those of the translation; fitted on XQuAD, across languages and within one. Nothing reads
    # there: the intercepts are .4 higher than fitted, so that .16 refuses no more of them than .12 did before.
    ("multilingual_top1",): (-3.422, 7.308),  # AUROC 0.690, ECE 0.024
    ("multilingual_top1", "lexical_ratio", "coverage"): (
        -4.195,
        5.252,
        0.0,
        5.533,
    ),  # AUROC 0.815, ECE 0.041: beside the coverage the ratio says nothing
    ("multilingual_top1", "lexical_ratio"): (-4.115, 6.276, 4.167),  # AUROC 0.763, ECE 0.038
    ("multilingual_top1", "coverage"): (-4.195, 5.252, 5.533),  # AUROC 0.815, ECE 0.041
}

# Where passages were read: (intercept, the weight of the logit of the above, those of the logits of the reader's probabilities, of COVERAGE_SIGNALS).
# `benchmarks/confidence.py --fit`, over "open squad" alone, gives the reader .646; what people write so that a text nearly answers it, the reader
# takes for answered more often than what a rule made, so its weight is .7 of that, and the others were set for it by hand over the judged sets.
# Beside the reader and what the sentences hold, the search's own probability and the lead's chance say nothing more.
READER_SIGNALS = ("reader_answerable", "lead")
# What the sentence holds of the question, as it is (answers/calibration/question_coverage.py). Without both the question was not read.
WORDS_HELD, MEANING_HELD = "words_held", "meaning_held"
COVERAGE_SIGNALS = (WORDS_HELD, MEANING_HELD)
READER_COEFFICIENTS = (-3.6, 0.0, 0.45, 0.0, 1.9, 2.3)
# A question that says more than it asks: its words are not those of an answer, so the search's signals say little. The intercept is set by
# hand so that one in twenty of those with an answer is refused at .16; of those without nearly all are let through.
LONG_COEFFICIENTS = (0.7, 0.0, 0.405, 0.325, 0.0, 0.0)
LONG_QUESTION = "told_long"
# Nothing found has a word of what is asked, beside names. Set by hand, so that nothing is said of the Finance Director's salary, nor of a person's
# whose name stands everywhere. One question in fifty of the sets is of this kind, so it changes none of their figures by more than .01.
UNSAID, UNSAID_WEIGHT = "unsaid", -3.0
# A question in another language that the reader was asked in rough English: (as READER_COEFFICIENTS), fitted on the odd half of XQuAD's.
WORDED = "worded"
WORDED_COEFFICIENTS = (1.86, 0.55, 0.41, 1.1, 0.0, 0.0)
WORDED_AT_MOST = 0.85  # over real files two of nine that it was surer of were wrong
# A question in another language without a lead: sentences that are near it in meaning are no answer to be sure of ("medium").
WITHOUT_LEAD, WITHOUT_LEAD_AT_MOST = "without_lead", 0.74
# An English question, and nothing leads the answer though passages were read. Over real files such answers are right in a third, whatever the other
# signals say (benchmarks/real_files.py); over paragraphs of encyclopedias, where hardly any is above .75, in .6 of those from .45 on.
SENTENCES_ONLY, SENTENCES_ONLY_AT_MOST = "sentences_only", 0.55
# A figure is asked for, and nothing in the answer holds one of its kind: whatever speaks for it, that is an answer at which to look oneself ("low").
OTHER_KIND_AT_MOST = 0.44
_LARGEST_LOGIT = 8.0  # logits are cut to this

_LONGEST_SHOWN = 200


def probability(signals: Mapping[str, float]) -> float:
    """Return the probability in 0..1 that the library answers the question; 0 without any signal. Values are clipped to 0..1, other signals
    ignored."""
    replaced = "dense_top1" if "multilingual_top1" in signals else ""
    present = tuple(name for name in SIGNALS if name in signals and name != replaced)
    if not present:
        return 0.0
    intercept, *weights = COEFFICIENTS[present]
    total = intercept + sum(weight * min(1.0, max(0.0, signals[name])) for weight, name in zip(weights, present, strict=True))
    if all(name in signals for name in (*READER_SIGNALS, *COVERAGE_SIGNALS)):
        parts = (total, *(_logit(signals[name]) for name in READER_SIGNALS), *(min(1.0, max(0.0, signals[name])) for name in COVERAGE_SIGNALS))
        first, *others = _reader_coefficients(signals)
        total = first + sum(weight * part for weight, part in zip(others, parts, strict=True)) + UNSAID_WEIGHT * bool(signals.get(UNSAID))
    chance = 1.0 / (1.0 + math.exp(-total))
    caps = {
        WORDED: WORDED_AT_MOST, WITHOUT_LEAD: WITHOUT_LEAD_AT_MOST, SENTENCES_ONLY: SENTENCES_ONLY_AT_MOST, OTHER_KIND: OTHER_KIND_AT_MOST,
    }  # fmt: skip
    return min(chance, *(most for name, most in caps.items() if signals.get(name)), 1.0)


def _reader_coefficients(signals: Mapping[str, float]) -> tuple[float, ...]:
    if signals.get(WORDED):
        return WORDED_COEFFICIENTS
    return LONG_COEFFICIENTS if signals.get(LONG_QUESTION) else READER_COEFFICIENTS


def _logit(probability: float) -> float:
    inside = min(1 - 1e-6, max(1e-6, probability))
    return max(-_LARGEST_LOGIT, min(_LARGEST_LOGIT, math.log(inside / (1 - inside))))


def not_found_answer(question: str, evidence: Sequence[Evidence], unknown_names: Sequence[str] = ()) -> Answer:
    """Return an answer with `found` False, whose text names the question, the names in it that stand in no document, and the nearest files; it
    invents nothing and cites nothing."""
    asked = " ".join(question.split())
    asked = asked if len(asked) <= _LONGEST_SHOWN else asked[: _LONGEST_SHOWN - 1].rstrip() + "…"
    text = f"I did not find an answer to “{asked}” in your documents."
    if unknown_names:
        stand = "stands" if len(unknown_names) == 1 else "stand"
        text += f" {_join_names([f'“{name}”' for name in unknown_names])} {stand} in none of them."
    names = list(dict.fromkeys(item.filename for item in evidence))[:3]
    if names:
        text += f" The nearest passages are in {_join_names(names)}."
    return Answer(text=text, generated_by="none", found=False)


def _join_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
