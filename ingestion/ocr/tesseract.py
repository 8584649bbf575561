"""Recognises text by Tesseract, where its program is installed: for the scripts that RapidOCR's model does not know."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import time
from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from core.recognized_lines import WordPlace
from ingestion.ocr.recognizer import Picture, RecognizedLine, TooSlow

_PROGRAM = "tesseract"
_WORD = "5"
_WORD_SPACE = 2.5  # in heights: what is further apart is another piece


@cache
def installed_packs() -> frozenset[str]:
    """Return the language packs that Tesseract has ("deu", "rus", "osd"); none where it is not installed."""
    program = shutil.which(_PROGRAM)
    if program is None:
        return frozenset()
    try:
        listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return frozenset()
    return frozenset(line.strip() for line in listed.stdout.splitlines()[1:] if line.strip())


@dataclass(frozen=True, slots=True)
class TesseractRecognizer:
    """Implements `ingestion.ocr.recognizer.Recognizer` with the language packs named ("rus", "ell")."""

    packs: tuple[str, ...]
    name: str = "tesseract"

    def recognize(self, picture: Picture, deadline: float) -> list[RecognizedLine]:
        return _lines(_run(picture, ["-l", "+".join(self.packs), "--psm", "3", "tsv"], deadline))


def script_of(picture: Picture, deadline: float) -> str:
    """Return the script that Tesseract takes an upright picture's text for ("Cyrillic"), "" where it cannot tell."""
    if "osd" not in installed_packs():
        return ""
    output = _run(picture, ["-l", "osd", "--psm", "0", "-c", "min_characters_to_try=12"], deadline)
    return next((line.partition(":")[2].strip() for line in output.splitlines() if line.startswith("Script:")), "")


def _run(picture: Picture, arguments: list[str], deadline: float) -> str:
    """Run the program and return what it prints; "" where it fails on the picture. The picture goes in over a pipe, so nothing touches the disk.

    Raises:
        TooSlow: the deadline passed.
    """
    program = shutil.which(_PROGRAM)
    left = deadline - time.monotonic()
    if program is None or left <= 0:
        raise TooSlow
    _, encoded = cv2.imencode(".bmp", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    command = [program, "stdin", "stdout", *arguments]
    try:
        done = subprocess.run(command, input=encoded.tobytes(), capture_output=True, timeout=left, check=False)
    except subprocess.TimeoutExpired as error:
        raise TooSlow from error
    return done.stdout.decode("utf-8", errors="replace") if done.returncode == 0 else ""


def _lines(table: str) -> list[RecognizedLine]:
    """Group words of the same line, parted where a wide gap lies between them."""
    words: dict[tuple[str, ...], list[dict[str, str]]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row.get("level") == _WORD and (row.get("text") or "").strip():
            words[row["block_num"], row["par_num"], row["line_num"]].append(row)
    return [_line(part) for line in words.values() for part in _split_words(line)]


def _split_words(words: list[dict[str, str]]) -> list[list[dict[str, str]]]:
    parts = [[words[0]]]
    height = sorted(int(word["height"]) for word in words)[len(words) // 2]
    for word in words[1:]:
        last = parts[-1][-1]
        if int(word["left"]) - int(last["left"]) - int(last["width"]) > _WORD_SPACE * height:
            parts.append([])
        parts[-1].append(word)
    return parts


def _line(words: list[dict[str, str]]) -> RecognizedLine:
    left, top = min(int(word["left"]) for word in words), min(int(word["top"]) for word in words)
    right = max(int(word["left"]) + int(word["width"]) for word in words)
    bottom = max(int(word["top"]) + int(word["height"]) for word in words)
    texts = [word["text"].strip() for word in words]
    text, places, at = " ".join(texts), [], 0
    for word, piece in zip(words, texts, strict=True):
        begins = (int(word["left"]) - left) / max(1, right - left)
        places.append(WordPlace(at, at + len(piece), begins, begins + int(word["width"]) / max(1, right - left)))
        at += len(piece) + 1
    confidence = sum(float(word["conf"]) * len(word["text"]) for word in words) / sum(len(word["text"]) for word in words) / 100
    box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    return RecognizedLine(text, box, max(0.0, min(1.0, confidence)), tuple(places))
