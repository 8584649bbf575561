"""Names of firms in text: with or without their legal form, whatever white space stands between their words."""

from __future__ import annotations

import re

LEGAL_FORM = r"(?:\s+(?:Ltd|Limited|LLP|LLC|Inc|Corp|GmbH|AG|plc|PLC|Co|SA|BV|KG)\b\.?)?"


def name_pattern(name: str) -> str:
    """Return a pattern of the name and its legal form, if one follows."""
    return r"\s+".join(re.escape(word) for word in name.split()) + LEGAL_FORM
