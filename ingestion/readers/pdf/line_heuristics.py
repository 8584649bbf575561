"""Signs by which a line says what it is: a bullet, a number, a caption's word."""

from __future__ import annotations

import re

NUMBERED = re.compile(
    r"^(?:(?:chapter|section|part|article|annex|appendix|kapitel|abschnitt)\s+)?(\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z]|[IVX]{1,4})[.):]?\s+[A-ZÀ-ÞА-Я]",
    re.I,
)
BULLET = re.compile(r"^(?:[•‣◦▪▫■□●○–·*►➢✓-]|\(?\d{1,2}[.)]|\(?[a-z][.)]|\((?:i|ii|iii|iv|v|vi|vii|viii|ix|x)\))\s+\S")
CAPTION = re.compile(
    r"^(?:table|figure|fig\.|exhibit|chart|box|tabelle|abbildung|abb\.|tableau|tabla|figura)\s*(?:[A-Z]{1,2}[-.]?)?[\dIVX]+(?:[-.]\d+)*(?:[.:\s]|$)",
    re.I,
)
# What a glyph of several letters, or of a symbol font, stands for.
LETTERS = str.maketrans(
    {
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "ft",
        "ﬆ": "st",
        "\uf0b7": "•",
        "\uf0a7": "•",
        "\uf0fc": "✓",
        "\u00ad": None,
    }
)
