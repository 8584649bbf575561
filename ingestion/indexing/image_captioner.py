"""The vision model's part in indexing, over one run: shown each picture once, given up when it does not answer, and reported."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.documents import DocumentFigure
from core.errors import ModelUnavailable, NothingSeen, Undescribed
from core.ports import ImageDescriber
from ingestion.enrichment.image_captions import DescribedFigure, append_descriptions, make_shown_picture, profile_of
from ingestion.workers.worker_protocol import Extraction

_log = logging.getLogger(__name__)
_MAX_FAILURES_IN_A_ROW = 2  # pictures in a row of which the model said nothing for it did not answer; then the run goes on without it
_MAX_REMEMBERED = 20_000
_NOTHING_TO_SAY = "No text was found in it, and the vision model has nothing to say of its pictures."


@dataclass(slots=True)
class ImageCaptioner:
    """Describes the pictures of documents. A failure never fails a document.

    A picture that is not described stays in the document's `figures`, without its bytes, and the document is read again once the model is there
    (`ingestion.indexing.archive_members.NEEDS_DESCRIPTION`).
    """

    describer: ImageDescriber | None = None
    _descriptions: dict[str, str] = field(default_factory=dict)  # by the sha256 of the picture
    _failures_in_a_row: int = 0
    _undescribed: int = 0
    _last_reason: str = ""

    async def check_availability(self) -> tuple[bool, str]:
        """Return whether pictures can be described now, and if not, why."""
        if self.describer is None:
            return False, ""
        if self._failures_in_a_row >= _MAX_FAILURES_IN_A_ROW:
            return False, self._last_reason
        return await self.describer.check_availability()

    def count_missed(self, pictures: int, why: str) -> None:
        """Count pictures that are not described in this run."""
        self._undescribed += pictures
        self._last_reason = why

    async def caption_pictures(self, extraction: Extraction, title: str) -> Extraction:
        """Return the extraction with descriptions of its pictures, or as it is where its pictures were only counted.

        Raises:
            Undescribed: there is nothing but pictures in it, and the model does not answer.
            NothingSeen: there is nothing but pictures in it, and the model has nothing to say of them.
        """
        document = extraction.document
        figures = [figure for figure in document.figures if figure.data]
        if self.describer is None or not figures:
            return extraction
        described, left = await self._describe_figures(extraction, figures, title)
        if not document.text.strip() and not described:
            raise Undescribed(f"It holds nothing but pictures. {_sentence(len(left), self._last_reason)}") if left else NothingSeen(_NOTHING_TO_SAY)
        warnings = (*document.warnings, _sentence(len(left), self._last_reason)) if left else document.warnings
        profile = extraction.profile
        if described and not document.text.strip():
            profile = profile_of(described, profile, self.describer.name)
        if profile.section_languages:  # one for each section, those of the descriptions too
            profile = replace(profile, section_languages=(*profile.section_languages, *("" for _ in described)))
        document = append_descriptions(replace(document, figures=tuple(left), warnings=warnings), described, self.describer.name)
        return replace(extraction, document=document, profile=profile)

    async def _describe_figures(
        self, extraction: Extraction, figures: Sequence[DocumentFigure], title: str
    ) -> tuple[list[DescribedFigure], list[DocumentFigure]]:
        """Return the pictures of which the model says something, and those, without their data, of which it could not be asked."""
        described: list[DescribedFigure] = []
        left: list[DocumentFigure] = []
        for figure in figures:
            text = await self._description(extraction, figure, title)
            if text is None:
                left.append(replace(figure, data=b""))
            elif text:
                described.append(DescribedFigure(figure, text))
        self._undescribed += len(left)
        return described, left

    async def _description(self, extraction: Extraction, figure: DocumentFigure, title: str) -> str | None:
        """Return the description of a picture, "" where the model has nothing to say, None where it does not answer."""
        describer = self.describer
        if describer is None or self._failures_in_a_row >= _MAX_FAILURES_IN_A_ROW:
            return None
        if figure.digest in self._descriptions:
            return self._descriptions[figure.digest]
        try:
            text = await describer.describe(make_shown_picture(extraction.document, figure, title))
        except ModelUnavailable as error:
            _log.warning("The vision model did not describe a picture: %s", error)
            self._failures_in_a_row += 1
            self._last_reason = str(error)
            return None
        self._failures_in_a_row = 0
        if len(self._descriptions) < _MAX_REMEMBERED:
            self._descriptions[figure.digest] = text
        return text

    def notes(self) -> list[str]:
        """Return sentences about undescribed pictures that a person should know at the end of the run."""
        if self.describer is None or not self._undescribed:
            return []
        said = "1 picture" if self._undescribed == 1 else f"{self._undescribed:,} pictures"
        return [f"{self.describer.name} did not describe {said}; indexing tries again once it answers. What went wrong last: {self._last_reason}"]


def _sentence(count: int, why: str) -> str:
    said = "1 picture is not described yet" if count == 1 else f"{count:,} pictures are not described yet"
    return f"{said}: {why} Indexing tries again once the model answers."


def waiting_sentence(figures: Sequence[DocumentFigure], model: str, why: str) -> str:
    """Return what the ledger says of a document whose pictures wait. `why` says what is in the way, "" where it is only their turn."""
    if why:
        return _sentence(len(figures), why)
    return f"1 picture waits to be described by {model}." if len(figures) == 1 else f"{len(figures):,} pictures wait to be described by {model}."
