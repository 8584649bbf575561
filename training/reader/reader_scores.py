"""Measures of a reader's answers: exact match and F1 of the best span given the paragraph, and whether it knows unanswered questions.

The measures are those of SQuAD (Rajpurkar et al. 2016, https://arxiv.org/abs/1606.05250): words in lower case without articles and punctuation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from evaluation.answer_metrics import answer_words, auroc, word_f1
from training.reader.reader_model import ReaderModel
from training.reader.training_rows import TrainingRow
from training.reader.training_windows import layout_of, reading_windows

LENGTH, STRIDE, LONGEST_SPAN = 320, 96, 40


@torch.no_grad()
def predict(model: ReaderModel, rows: Sequence[TrainingRow], tokenizer: Tokenizer) -> list[tuple[str, float, float]]:
    """Return for each row the best span's text, its logit over no answer, and the logit of "answered here"."""
    device = next(model.parameters()).device
    model.eval()
    windows, offsets = reading_windows(rows, tokenizer, LENGTH, STRIDE)
    padding = layout_of(tokenizer).padding
    best: dict[int, tuple[str, float, float]] = {}
    windows.sort(key=lambda each: len(each.ids))
    for begin in range(0, len(windows), 16):
        part = windows[begin : begin + 16]
        width = max(len(each.ids) for each in part)
        ids = torch.tensor([each.ids + [padding] * (width - len(each.ids)) for each in part])
        seen = torch.tensor([[True] * len(each.ids) + [False] * (width - len(each.ids)) for each in part])
        with torch.autocast(device.type, torch.bfloat16):
            spans, passages = model(ids.to(device), seen.to(device))
        for window, logits, passage in zip(part, spans.float().cpu().numpy(), passages.float().cpu().numpy(), strict=True):
            first, last, score = best_span(logits, window.text, len(window.ids) - 1)
            own = offsets[window.row]
            text = rows[window.row].context
            said = text[own[first + window.offset][0] : own[last + window.offset][1]].strip() if own else ""
            known = best.get(window.row)
            if known is None or score > known[1]:
                best[window.row] = (said, score, max(float(passage[0]), known[2] if known else -1e9))
    return [best[number] for number in range(len(rows))]


def best_span(logits: NDArray[np.float32], begin: int, end: int) -> tuple[int, int, float]:
    """Return (first, last, score over no answer) of the best span among the tokens begin..end, counted from `begin`."""
    starts, ends = logits[begin:end, 0], logits[begin:end, 1]
    if not len(starts):
        return 0, 0, -1e9
    sums = starts[:, None] + ends[None, :]
    sums[~(np.triu(np.ones_like(sums)) - np.triu(np.ones_like(sums), LONGEST_SPAN)).astype(bool)] = -1e9
    first, last = divmod(int(sums.argmax()), len(starts))
    return first, last, float(sums[first, last] - logits[0].sum())


def measure(model: ReaderModel, rows: Sequence[TrainingRow], tokenizer: Tokenizer) -> dict[str, float]:
    """Return EM and F1 over the answered rows; where there are unanswered ones, AUROC of the span's score and of the passage's head."""
    found = predict(model, rows, tokenizer)
    answered = [(each, row) for each, row in zip(found, rows, strict=True) if row.answers]
    texts = [[row.context[a:b] for a, b in row.answers] for _, row in answered]
    scores = [max(word_f1(each[0], gold) for gold in golds) for (each, _), golds in zip(answered, texts, strict=True)]
    exact = [max(answer_words(each[0]) == answer_words(gold) for gold in golds) for (each, _), golds in zip(answered, texts, strict=True)]
    out = {"rows": float(len(answered)), "em": float(np.mean(exact)), "f1": float(np.mean(scores))}
    labels = [bool(row.answers) for row in rows]
    if not all(labels):
        out["auroc_span"] = auroc([each[1] for each in found], labels)
        out["auroc_head"] = auroc([each[2] for each in found], labels)
    return out


def evaluation_rows(folder: Path, name: str) -> list[TrainingRow]:
    """Return `squad2_500` or `xquad`: every question with its paragraph. Evaluation only: never trained on."""
    inner = ".en" if name == "xquad" else ""
    corpus = {row["id"]: row["text"] for row in _lines(folder / name / f"corpus{inner}.jsonl")}
    pairs = [line.split("\t") for line in (folder / name / "qrels.tsv").read_text(encoding="utf-8").splitlines()]
    paragraph = {pair[0]: pair[1] for pair in pairs}
    rows = []
    for query in _lines(folder / name / f"queries{inner}.jsonl"):
        text = corpus.get(paragraph.get(str(query["id"]), ""), "")
        golds = [str(each) for each in query.get("answers") or []]
        spans = tuple((text.find(gold), text.find(gold) + len(gold)) for gold in golds if gold and gold in text)
        if text and (spans or query.get("is_impossible")):
            rows.append(TrainingRow(str(query["text"]), text, spans, None, name))
    return rows[:500] if name == "xquad" else rows


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
