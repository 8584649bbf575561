"""The vision model that describes pictures while folders are indexed, where the settings ask for it."""

from __future__ import annotations

from contextlib import AsyncExitStack

from core.ports import ImageDescriber
from core.prompts import load_prompt
from server.schemas import Part
from settings import Settings

PROMPT = "picture_description"
_NAME = "vision model"


def make_describer(stack: AsyncExitStack, settings: Settings) -> ImageDescriber | None:
    """Return the describer, closed with `stack`; None where pictures are not to be described. Opens no connection."""
    if not settings.ingestion.ocr.describe_images:
        return None
    from llm.ollama_vision import OllamaDescriber, VisionOptions

    ollama = settings.ollama
    describer = OllamaDescriber(VisionOptions(ollama.base_url, ollama.vision_model or ollama.unified_model.name, ollama.timeout), load_prompt(PROMPT))
    stack.push_async_callback(describer.close)
    return describer


async def image_describer_part(describer: ImageDescriber | None) -> Part:
    """Report the model for /health. One that was asked for and is not there is degraded: documents wait for it."""
    if describer is None:
        return Part(name=_NAME, state="off", detail="ingestion.ocr.describe_images is false: pictures are not described")
    there, why = await describer.check_availability()
    if there:
        return Part(name=_NAME, state="ok", detail=describer.name)
    return Part(name=_NAME, state="degraded", detail=f"{why} Pictures stay undescribed until then; all else is indexed.")
