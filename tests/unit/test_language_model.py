"""The model that identifies languages is the same however a process comes by it, and whoever reads files takes it ready to use."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ingestion.enrichment.language_model import identify_language, share_model
from tests.support.warm_start import ROOT

TEXTS = {
    "en": "The lock keeper opens the upper gate at dawn and closes it when the last barge has passed.",
    "de": "Der Schleusenwärter öffnet das obere Tor bei Tagesanbruch und schließt es nach dem letzten Kahn.",
    "es": "El guarda de la esclusa abre la compuerta superior al amanecer y la cierra tras la última barcaza.",
    "ru": "Смотритель шлюза открывает верхние ворота на рассвете и закрывает их после последней баржи.",
}
_RECEIVES = """
import os, sys
from ingestion.enrichment.language_model import identify_language, receive_model
receive_model(int(sys.argv[1]))
try:
    os.fstat(int(sys.argv[1]))
except OSError:
    print("closed")
for text in sys.argv[2:]:
    print(*identify_language(text))
"""


@pytest.mark.parametrize("language", TEXTS)
def test_a_language_is_known_by_its_letters(language: str) -> None:
    found, probability = identify_language(TEXTS[language])
    assert found == language
    assert 0.9 < probability <= 1


def test_another_process_that_receives_it_says_the_same() -> None:
    model = share_model()
    assert share_model() == model
    command = [sys.executable, "-c", _RECEIVES, str(model), *TEXTS.values()]
    done = subprocess.run(command, cwd=ROOT, pass_fds=[model], capture_output=True, text=True, check=True)
    closed, *found = done.stdout.splitlines()
    assert closed == "closed"
    assert [tuple(line.split()) for line in found] == [(name, str(value)) for name, value in map(identify_language, TEXTS.values())]


def test_what_is_shared_cannot_be_written_to() -> None:
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.write(share_model(), b"another model")
