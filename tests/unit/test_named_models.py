"""Language models that a section of the settings names beside the unified one."""

from __future__ import annotations

from pathlib import Path

import pytest

from composition.named_models import SUMMARY_TEMPERATURE, NamedModels
from settings import OllamaSettings, Settings, UnifiedModelSettings
from tests.support.models import ScriptedModel


def models(home: Path, temperature: float = SUMMARY_TEMPERATURE) -> NamedModels:
    unified = UnifiedModelSettings(name="first", temperature=temperature)
    return NamedModels(Settings(home=home, ollama=OllamaSettings(enabled="on", unified_model=unified)))


async def test_without_a_name_the_unified_model_serves(tmp_path: Path) -> None:
    unified, made = ScriptedModel(), models(tmp_path)
    assert made.find("", unified) is unified
    assert made.find("", unified, SUMMARY_TEMPERATURE) is unified
    await made.close()


@pytest.mark.parametrize(("name", "temperature", "expected"), [("second", None, "second"), ("", 0.9, "first"), ("second", 0.1, "second")])
async def test_another_name_or_temperature_is_a_model_of_its_own_opened_once(
    tmp_path: Path, name: str, temperature: float | None, expected: str
) -> None:
    unified, made = ScriptedModel(), models(tmp_path)
    found = made.find(name, unified, temperature)
    assert found is not None
    assert (found.name, found is unified) == (expected, False)
    assert made.find(name, unified, temperature) is found
    await made.close()


async def test_where_no_model_is_configured_there_is_none(tmp_path: Path) -> None:
    assert models(tmp_path).find("second", None) is None
