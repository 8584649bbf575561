"""Profiles a document by a language model, in the place of what statistics say. Its reply is held against the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Protocol

import anyio
from pydantic import BaseModel, Field

from core.documents import BlockKind, DocumentProfile, ExtractedDocument
from core.language.sentences import split_sentences
from core.language.stop_words import KEYWORD_STOP_WORDS
from core.ports import ChatModel
from core.prompt_safety import sanitise_for_prompt
from core.prompts import Prompt
from core.structured_output import ask_model

_READ_CHARACTERS = 6_000  # characters of the beginning that the model is given
_TITLE, _SUMMARY, _PHRASE = 200, 900, 60
_REPLY_TOKENS = 600
_SENTENCES, _KEYWORDS, _TOPICS = 4, 10, 4
_SUPPORTED_SHARE = 0.6  # part of a summary's words that must stand in the text: the rest are its own connecting words
_WORD = re.compile(r"[^\W_]{3,}")


class ProfileClaims(BaseModel):
    """The model's reply, before it is checked."""

    summary: Annotated[str, Field(max_length=4_000)] = ""
    keywords: list[str] = Field(default_factory=list, max_length=50)
    topics: list[str] = Field(default_factory=list, max_length=50)


class Profiler(Protocol):
    """Port of what describes documents better than statistics do."""

    @property
    def name(self) -> str: ...
    async def profile(self, document: ExtractedDocument, profile: DocumentProfile) -> DocumentProfile:
        """Return the profile with what was understood of the document. Raises ModelUnavailable."""
        ...


class ModelProfiler:
    """Implements `Profiler` over a chat model. `prompt` is document_profile.md. One call at a time: a person's question must not
    wait."""

    def __init__(self, model: ChatModel, prompt: Prompt) -> None:
        self._model, self._prompt = model, prompt
        self._turn = anyio.Lock()

    @property
    def name(self) -> str:
        return self._model.name

    async def profile(self, document: ExtractedDocument, profile: DocumentProfile) -> DocumentProfile:
        """Return the profile with what the model says and the text bears out.

        Raises ModelUnavailable where the model does not answer, or not in the form that was asked for.
        """
        text = sanitise_for_prompt(_beginning(document))
        if document.parser == "code" or not text.strip():
            return profile
        variables = {"title": " ".join(sanitise_for_prompt(profile.title).split())[:_TITLE], "text": text}
        async with self._turn:
            asked = await ask_model(self._model, self._prompt, variables, ProfileClaims, max_tokens=_REPLY_TOKENS)
        return _check_claims(asked.reply, text, profile, self.name)


def _beginning(document: ExtractedDocument) -> str:
    pieces, length = [], 0
    for block in document.blocks:
        if block.kind in (BlockKind.FURNITURE, BlockKind.DESCRIPTION):
            continue
        pieces.append(document.text[block.start : min(block.end, block.start + _READ_CHARACTERS - length)])
        length += len(pieces[-1]) + 1
        if length >= _READ_CHARACTERS:
            break
    return "\n".join(pieces)


def _check_claims(claims: ProfileClaims, text: str, profile: DocumentProfile, name: str) -> DocumentProfile:
    """Return the profile with what of the reply the text bears out; as it was where nothing of it does."""
    lower = text.casefold()
    summary = _clean_line(claims.summary)
    sentences = [summary[start:end] for start, end in split_sentences(summary)][:_SENTENCES]
    summary = " ".join(sentences)[:_SUMMARY]
    summary = summary if _is_supported(summary, set(_WORD.findall(lower))) else ""
    keywords = tuple(word for word in _list_phrases(claims.keywords) if word.casefold() in lower)
    topics = tuple(topic for topic in _list_phrases(claims.topics) if len(topic.split()) <= 4)
    if not (summary or keywords):
        return profile
    return replace(
        profile,
        summary=summary or profile.summary,
        keywords=keywords[:_KEYWORDS] or profile.keywords,
        topics=topics[:_TOPICS] or profile.topics,
        generated_by=name,
    )


def _list_phrases(said: Iterable[str]) -> dict[str, None]:
    """Return what is no longer than a phrase, each once."""
    return dict.fromkeys(phrase for each in said if (phrase := _clean_line(each)) and len(phrase) <= _PHRASE)


def _is_supported(summary: str, words: set[str]) -> bool:
    said = [word for word in _WORD.findall(summary.casefold()) if word not in KEYWORD_STOP_WORDS]
    return bool(said) and sum(word in words for word in said) >= _SUPPORTED_SHARE * len(said)


def _clean_line(text: str) -> str:
    return " ".join(sanitise_for_prompt(text).split())
