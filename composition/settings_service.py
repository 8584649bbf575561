"""The settings while a server runs: they are shown, a few are changed on the page and kept, and a language model is tried."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anyio
import anyio.to_thread

from composition.feature_rows import feature_rows
from composition.search_engine import make_model
from composition.settings_rows import FOR_ADMINISTRATORS, key_holders, setting_rows
from core.errors import ConfigurationError, Conflict, Forbidden, InvalidInput, ModelUnavailable
from core.ports import ModelMessage
from llm.ollama_http import OllamaHttp
from server.request_identity import Identity, parse_key
from server.schemas import Part
from server.settings_schemas import FeatureOut, LanguageModelsOut, ModelTestOut, SettingsOut
from settings import Settings, apply_page_values, find_source, settings_of_tenant
from settings_features import BY_NAME, Feature, read_setting
from settings_page import CHANGEABLE, dotted_names, find_value, nest_values, read_page_values, variable_name
from storage.page_settings import write_page_settings

logger = logging.getLogger(__name__)
TEST_SECONDS = 60.0
_TEST = ModelMessage("user", "Reply with the one word: ready")
_NO_ADMINISTRATOR = "Settings are for an administrator's key: its role is `admin` in server.api_keys."
_SEVERAL_TENANTS = "This server has several tenants, and its settings are theirs together: change them in config.yaml."

ApplySettings = Callable[[Settings], None]


class SettingsService:
    """Implements `server.services.SettingsChoice`. `adopt` passes the settings that take effect at once to the parts that use them."""

    def __init__(self, settings: Settings, adopt: ApplySettings) -> None:
        self._begun, self._active, self._stored, self._adopt = settings, settings, settings, adopt
        self.tell_changed: Callable[[str], None] = lambda what: None  # of other servers with the same VANTAGE_HOME
        self._changing = asyncio.Lock()

    def read(self, caller: Identity) -> SettingsOut:
        why_not = self._refusal_reason(caller)
        insider = not caller.has_key or caller.role == "admin"
        rows = setting_rows(settings_of_tenant(self._active, caller.tenant), settings_of_tenant(self._stored, caller.tenant))
        holders = key_holders(self._active) if caller.role == "admin" else None
        return SettingsOut(
            may_change=not why_not,
            why_not=why_not,
            config_file=str(self._active.config_file or "") if insider else "",
            settings=[row for row in rows if insider or row.key not in FOR_ADMINISTRATORS],
            keys=[holder for holder in holders if holder.tenant == caller.tenant] if holders is not None else None,
        )

    async def change(self, caller: Identity, values: Mapping[str, Any]) -> SettingsOut:
        self._require_permission(caller)
        async with self._changing:
            for key in values:
                self._check(key)
            # What the tenant had switched otherwise is taken back: the last change holds.
            await self._keep(_merge(_flatten(self._stored.layers.page), values), self._tenants(caller.tenant, dict.fromkeys(values)))
        return self.read(caller)

    def features(self, tenant: str, parts: Sequence[Part], passages: int) -> list[FeatureOut]:
        return feature_rows(self._active, tenant, parts, passages)

    async def switch(self, caller: Identity, values: Mapping[str, bool | None]) -> None:
        if caller.has_key and caller.role != "admin":
            raise Forbidden(_NO_ADMINISTRATOR)
        async with self._changing:
            features = {name: self._find_feature(name) for name in values}
            switched = {features[name].setting: self._value(features[name], value) for name, value in values.items()}
            await self._keep(_flatten(self._stored.layers.page), self._tenants(caller.tenant, switched))

    async def _keep(self, page: Mapping[str, Any], tenants: Mapping[str, Any]) -> None:
        """Keep these values of the page and of each tenant, and use those that need no start. Raises InvalidInput."""
        stored, active = self._with_page(page, tenants)
        await anyio.to_thread.run_sync(write_page_settings, active.home, nest_values(page), tenants)
        self._use(stored, active)
        self.tell_changed("")

    async def read_again(self) -> None:
        """Use what another server kept. What cannot be used here is logged, and stays as it was."""
        async with self._changing:
            try:
                page, tenants = await anyio.to_thread.run_sync(read_page_values, self._active.home)
                self._use(*self._with_page(_flatten(page), tenants))
            except (ConfigurationError, InvalidInput) as error:
                logger.warning("Settings that another server changed are not in force here: %s", error)

    def _use(self, stored: Settings, active: Settings) -> None:
        self._stored, self._active = stored, active
        self._adopt(active)

    def _with_page(self, page: Mapping[str, Any], tenants: Mapping[str, Any]) -> tuple[Settings, Settings]:
        """Return the settings as stored and as in force with these values. Raises InvalidInput."""
        try:
            stored = apply_page_values(self._stored, nest_values(page), tenants)
            active = apply_page_values(self._active, nest_values(self._active_values(page)), tenants)
            for tenant in tenants:
                settings_of_tenant(active, tenant)
        except ConfigurationError as error:
            raise InvalidInput(str(error)) from error
        return stored, active

    def _tenants(self, tenant: str, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Return what all tenants switched, with other values of one; None takes one back."""
        known = self._stored.layers.tenants
        changed = nest_values(_merge(_flatten(known.get(tenant, {})), values))
        return {name: own for name, own in {**known, tenant: changed}.items() if own}

    def _find_feature(self, name: str) -> Feature:
        """Return a feature that a tenant may switch now. Raises InvalidInput, Conflict."""
        feature = BY_NAME.get(name)
        if feature is None:
            raise InvalidInput(f"There is no feature {name[:100]!r}. The features are: {', '.join(BY_NAME)}.")
        if feature.switch == "start":
            raise Conflict(f"{name} is switched by {feature.setting} when the server starts, for all tenants.")
        self._require_no_environment(feature.setting)
        return feature

    def _value(self, feature: Feature, switched_on: bool | None) -> Any:
        """Return the value of the feature's setting. Raises Conflict where it needs what was not opened when the server started."""
        if switched_on is None:
            return None
        if not switched_on:
            return feature.off
        if feature.is_opened and read_setting(self._begun, feature.setting) == feature.off:
            raise Conflict(f"{feature.setting} was {feature.off} when the server started, so what {feature.name} needs is not there. Start it anew.")
        value = read_setting(self._active, feature.setting)
        return feature.on if value == feature.off else value

    def _active_values(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings in force: of the settings that wait for the next start those that the page had set when this server started."""
        begun = self._active.layers.page
        waiting = {key: find_value(begun, key) for key in dotted_names(begun) if CHANGEABLE[key] == "start"}
        return {**waiting, **{key: value for key, value in kept.items() if CHANGEABLE[key] == "now"}}

    async def language_models(self) -> LanguageModelsOut:
        chosen = self._active.ollama
        server = OllamaHttp(chosen.base_url, chosen.unified_model.name, chosen.timeout)
        try:
            return LanguageModelsOut(reachable=True, models=await server.list_models(), detail="")
        except ModelUnavailable as error:
            return LanguageModelsOut(reachable=False, models=[], detail=str(error))
        finally:
            await server.close()

    async def test_model(self, caller: Identity, name: str) -> ModelTestOut:
        self._require_permission(caller)
        settings = self._name_model(name)
        model, close = make_model(settings)
        if model is None:
            raise Conflict("ollama.enabled is off and llm.model is empty: there is no language model to test.")
        began = time.monotonic()
        try:
            there, detail = await model.check_availability()
            if not there:
                return _make_test_result(model.name, began, detail=detail)
            with anyio.fail_after(TEST_SECONDS):
                reply = await model.complete([_TEST], max_tokens=64)
        except ModelUnavailable as error:
            return _make_test_result(model.name, began, detail=str(error))
        except TimeoutError:
            return _make_test_result(model.name, began, detail=f"No reply within {TEST_SECONDS:.0f} seconds. A smaller model may be fast enough.")
        finally:
            await close()
        return _make_test_result(model.name, began, reply=reply.text.strip()[:400])

    def _name_model(self, name: str) -> Settings:
        """Return the settings with another model of Ollama."""
        if not name:
            return self._stored
        unified = self._stored.ollama.unified_model.model_copy(update={"name": name})
        ollama = self._stored.ollama.model_copy(update={"unified_model": unified, "enabled": "on"})
        return self._stored.model_copy(update={"ollama": ollama, "llm": self._stored.llm.model_copy(update={"model": ""})})

    def _check(self, key: str) -> None:
        if key not in CHANGEABLE:
            raise InvalidInput(f"{key[:100]} cannot be changed on the page. Set it in config.yaml or by {variable_name(key[:100])}.")
        self._require_no_environment(key)

    def _require_no_environment(self, key: str) -> None:
        if find_source(self._stored, key) in {"environment", "flag"}:
            raise Conflict(f"{key} is set by {variable_name(key)}, which beats the page. Take the variable away first.")

    def _require_permission(self, caller: Identity) -> None:
        why_not = self._refusal_reason(caller)
        if why_not:
            raise Forbidden(why_not)

    def _refusal_reason(self, caller: Identity) -> str:
        if not caller.has_key:
            return ""
        if caller.role != "admin":
            return _NO_ADMINISTRATOR
        tenants = {parse_key(text).tenant for text in self._active.server.api_keys}
        return _SEVERAL_TENANTS if len(tenants) > 1 else ""


def _flatten(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: find_value(values, key) for key in dotted_names(values)}


def _merge(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with the changes; None takes one away."""
    return {key: value for key, value in {**before, **changes}.items() if value is not None}


def _make_test_result(model: str, began: float, *, reply: str = "", detail: str = "") -> ModelTestOut:
    return ModelTestOut(model=model, answered=not detail, seconds=round(time.monotonic() - began, 2), reply=reply, detail=detail)
