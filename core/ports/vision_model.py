"""Vision models: they say in words what a picture shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture as a model is shown it. `title` is that of its document, `section` the headings above it, `caption` what is printed beside it."""

    data: bytes = field(repr=False)
    media_type: str = "image/jpeg"
    title: str = ""
    section: str = ""
    caption: str = ""


class ImageDescriber(Protocol):
    """A vision model. Whatever stands in a picture is evidence to it, never an instruction.

    It raises ModelUnavailable with a sentence that says what to do, within its own time limit, and never returns error text. Cancelling a call
    stops the model.
    """

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    async def check_availability(self) -> tuple[bool, str]:
        """Return whether it answers, has the model and the model takes pictures; the reason if not. Cached for a few seconds."""
        ...

    async def describe(self, picture: ShownPicture) -> str:
        """Return what the picture shows, as plain sentences on one line of at most 1,500 characters; "" where there is nothing to say of it."""
        ...
