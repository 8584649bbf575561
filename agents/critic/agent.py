"""Diogenes: how good the retrieval is, whether the answer is supported, and whether the documents answer the question at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.answers import Answer, AnswerSentence, Critique
from core.search import FrozenModel

AnswerProbability = Callable[[Mapping[str, float]], float]
_SIGNALS = ("dense_top1", "lexical_ratio", "coverage")
_NAMES = {"dense_top1": "the meaning of the best passage", "lexical_ratio": "the words found", "coverage": "the share of the question covered"}
_SUPPORT = {"quoted": 1.0, "supported": 1.0, "weak": 0.5, "unsupported": 0.0}
_WEAK_MARGIN = 0.15  # this little above the threshold an answer is shown as weak,
_WEAK_BELOW = 0.45  # and wherever Themis calls the confidence low
_LOW_SIGNAL = 0.3


class AnsweredRetrieval(FrozenModel):
    """A retrieval and its answer, to be judged: the retrieval's signals (0..1), how many passages there are, and the answer made of them."""

    signals: dict[str, float]
    passages: int
    answer: Answer


async def criticise(case: AnsweredRetrieval, *, probability: AnswerProbability, threshold: float) -> Critique:
    """Return the verdict with its reasons. `threshold` is the probability of an answer below which the documents count as silent."""
    likely = probability(case.signals) if case.passages else 0.0
    quality = answer_quality(case.answer.sentences)
    unsupported = [index for index, sentence in enumerate(case.answer.sentences) if sentence.support == "unsupported"]
    reasons = _reasons(case, likely, unsupported)
    if not case.passages or likely < threshold or not case.answer.found:
        verdict = "not_found"
    elif likely < max(threshold + _WEAK_MARGIN, _WEAK_BELOW) or quality < 0.5:
        verdict = "weak"
    else:
        verdict = "answered"
    return Critique.model_validate(
        {
            "verdict": verdict,
            "retrieval_quality": retrieval_quality(case.signals) if case.passages else 0.0,
            "answer_quality": quality if case.answer.found else 0.0,
            "probability_answerable": likely,
            "unsupported": unsupported,
            "reasons": reasons,
        }
    )


def retrieval_quality(signals: Mapping[str, float]) -> float:
    """Return the mean of the signals that are present, in 0..1."""
    present = [min(1.0, max(0.0, signals[name])) for name in _SIGNALS if name in signals]
    return sum(present) / len(present) if present else 0.0


def answer_quality(sentences: list[AnswerSentence]) -> float:
    """Return the share of sentences that their citations support; a weakly supported one counts half."""
    return sum(_SUPPORT[sentence.support] for sentence in sentences) / len(sentences) if sentences else 0.0


def _reasons(case: AnsweredRetrieval, likely: float, unsupported: list[int]) -> list[str]:
    if not case.passages:
        return ["No passage was found."]
    reasons = [f"The documents answer this with a probability of {likely:.2f}."]
    low = [name for name in _SIGNALS if name in case.signals and case.signals[name] < _LOW_SIGNAL]
    reasons += [f"Low: {', '.join(f'{_NAMES[name]} ({case.signals[name]:.2f})' for name in low)}."] if low else []
    reasons += [f"{len(unsupported)} of {len(case.answer.sentences)} sentences have no support in what they cite."] if unsupported else []
    return reasons
