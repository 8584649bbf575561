"""The settings: shown to everybody, changed by administrators; the language models that there are, and a test of one."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from server.auth import AppServices, Caller, identify
from server.settings_schemas import LanguageModelsOut, ModelTestOut, ModelTestRequest, SettingsChange, SettingsOut

router = APIRouter(prefix="/settings", tags=["system"], dependencies=[Depends(identify)])


@router.get("")
async def read_settings(caller: Caller, services: AppServices) -> SettingsOut:
    """Every setting with its value, its default and where it is set. Secrets are only told to be set."""
    return services.preferences.read(caller)


@router.patch("")
async def change_settings(body: SettingsChange, caller: Caller, services: AppServices) -> SettingsOut:
    """Change settings that may be changed while the server runs. They are kept in VANTAGE_HOME/page-settings.yaml."""
    return await services.preferences.change(caller, body.values)


@router.get("/models")
async def read_language_models(services: AppServices) -> LanguageModelsOut:
    """Return the models that Ollama has, where it answers."""
    return await services.preferences.language_models()


@router.post("/models/test")
async def test_language_model(body: ModelTestRequest, caller: Caller, services: AppServices) -> ModelTestOut:
    """Ask a language model one short thing: its reply and the time it took, or what is wrong."""
    return await services.preferences.test_model(caller, body.model)
