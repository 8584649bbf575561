"""The settings: shown to everybody, changed by administrators; the language models that there are, and a test of one."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from server.auth import AppServices, Caller, identify
from server.health_report import make_report
from server.request_identity import Identity
from server.services import Services
from server.settings_schemas import FeatureList, FeatureSwitches, LanguageModelsOut, ModelTestOut, ModelTestRequest, SettingsChange, SettingsOut

router = APIRouter(prefix="/settings", tags=["system"], dependencies=[Depends(identify)])


@router.get("")
async def read_settings(caller: Caller, services: AppServices) -> SettingsOut:
    """Every setting with its value, its default and where it is set. Secrets are only told to be set."""
    return services.preferences.read(caller)


@router.patch("")
async def change_settings(body: SettingsChange, caller: Caller, services: AppServices) -> SettingsOut:
    """Change settings that may be changed while the server runs. They are kept in VANTAGE_HOME/page-settings.yaml."""
    return await services.preferences.change(caller, body.values)


@router.get("/features")
async def read_features(caller: Caller, services: AppServices) -> FeatureList:
    """Every feature as the caller's tenant has it: on or off, by what, and why one that is on cannot run."""
    return await _list_features(caller, services)


@router.patch("/features")
async def switch_features(body: FeatureSwitches, caller: Caller, services: AppServices) -> FeatureList:
    """Switch features on or off for the caller's tenant, from the next question on; with keys an administrator's is needed."""
    await services.preferences.switch(caller, body.features)
    return await _list_features(caller, services)


async def _list_features(caller: Identity, services: Services) -> FeatureList:
    report = await make_report(services, caller.library)
    return FeatureList(features=report.features)


@router.get("/models")
async def read_language_models(services: AppServices) -> LanguageModelsOut:
    """Return the models that Ollama has, where it answers."""
    return await services.preferences.language_models()


@router.post("/models/test")
async def test_language_model(body: ModelTestRequest, caller: Caller, services: AppServices) -> ModelTestOut:
    """Ask a language model one short thing: its reply and the time it took, or what is wrong."""
    return await services.preferences.test_model(caller, body.model)
