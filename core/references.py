"""References between documents: how names are compared, and what GET /documents/{id}/references returns."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath

from pydantic import BaseModel, ConfigDict

from core.documents import ReferenceKind

_WORD = re.compile(r"\w+")
_VERSIONED = re.compile(r"v(\d+)")
# Words that say nothing about which document is meant; "version 2", "v2" and "rev. 2" are the same.
_IDLE = frozenset("the a an of to our this der die das le la les el los version ver v rev revision edition issue no nr fassung ausgabe".split())
_LONGEST = 200
_ADDITION = re.compile(r"\s+[–—|-]\s+|:\s")


def reference_key(name: str) -> str:
    """Return a title or file name as it is compared: words in lower case without accents, articles and the word "version"; at most 200 characters."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(each)).replace("_", " ")
    words = [_VERSIONED.sub(r"\1", word) for word in _WORD.findall(plain)]
    kept = [word for word in words if word not in _IDLE]
    return " ".join(kept or words)[:_LONGEST]


def name_keys(filename: str, title: str) -> tuple[str, str, str]:
    """Return the keys under which others may refer to a document: its file name, that without the suffix, its title up to the first dash or colon."""
    stem = filename.rpartition(".")[0] or filename
    short = _ADDITION.split(title, maxsplit=1)[0] if len(title) > 3 else title
    return reference_key(filename), reference_key(stem), reference_key(short)


def title_from_name(filename: str) -> str:
    """Return the title of a document that has none of its own: its file's name without suffix and joining marks."""
    stem = PurePath(filename).stem or filename
    return re.sub(r"[\s_]+", " ", re.sub(r"(?<=[^\W\d])-(?=[^\W\d])", " ", stem)).strip() or filename


class Reference(BaseModel):
    """One reference: [start, end) of the document `document_id` names `target`. `target_document_id` is None where no document of the library,
    or more than one, goes by that name."""

    model_config = ConfigDict(frozen=True)

    kind: ReferenceKind
    document_id: str
    filename: str
    generation: int
    start: int
    end: int
    page: int | None
    text: str
    target: str
    target_document_id: str | None
    target_filename: str | None


class DocumentReferences(BaseModel):
    """References of a document to others, and of others to it."""

    model_config = ConfigDict(frozen=True)

    document_id: str
    refers_to: list[Reference]
    referred_by: list[Reference]
