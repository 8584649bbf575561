"""Who asks. With API keys the tenant and the person come from the key; without (loopback only) there is one tenant and local profiles."""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from core.errors import ConfigurationError, Unauthorized
from server.services import Services
from settings import Settings

DEFAULT_TENANT = "default"
LOCAL_USER = "local"
COOKIE = "vantage_key"


@dataclass(frozen=True, slots=True)
class Identity:
    """`keyed` is True where an API key decided; then `user_id` of a request is not believed."""

    tenant: str
    user_id: str
    keyed: bool

    def person(self, claimed: str | None) -> str:
        """The profile to use: the key's person, or the local profile that the request names."""
        return self.user_id if self.keyed else (claimed or self.user_id)

    @property
    def owner(self) -> str | None:
        """Whose runs and conversations may be seen: the key's person's. None, everybody's, without keys: then all profiles are one owner's."""
        return self.user_id if self.keyed else None


@dataclass(frozen=True, slots=True)
class ApiKey:
    key: str
    tenant: str
    user_id: str


def parse_key(text: str) -> ApiKey:
    """ "key", "key:tenant" or "key:tenant:person". Raises ConfigurationError for an empty or short key."""
    key, _, rest = text.partition(":")
    tenant, _, user = rest.partition(":")
    if len(key) < 16:
        raise ConfigurationError(
            "An API key in server.api_keys has fewer than 16 characters. "
            "Make one with `python -c 'import secrets; print(secrets.token_urlsafe(24))'`."
        )
    return ApiKey(key, tenant or DEFAULT_TENANT, user or LOCAL_USER)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def require_keys_beyond_loopback(settings: Settings) -> None:
    """Raises ConfigurationError when the server would be reachable from elsewhere without keys."""
    for text in settings.server.api_keys:
        parse_key(text)
    if not is_loopback(settings.server.host) and not settings.server.api_keys:
        raise ConfigurationError(
            f"server.host {settings.server.host} can be reached from other machines and server.api_keys is empty. Set API keys, or use 127.0.0.1."
        )


async def services_of(request: Request) -> Services:
    """Not a plain function, nor is `identify`: those wait for one of the threads that files are sent with, and /health waits for nothing."""
    services: Services = request.state.services
    return services


async def identify(request: Request) -> Identity:
    """The caller. Raises Unauthorized where keys are configured and none of them was sent."""
    services = await services_of(request)
    if not services.settings.server.api_keys:
        return Identity(DEFAULT_TENANT, LOCAL_USER, keyed=False)
    return known_caller(services, _sent_key(request))


def known_caller(services: Services, sent: str) -> Identity:
    """Whose key it is. Raises Unauthorized for nobody's."""
    keys = [parse_key(text) for text in services.settings.server.api_keys]
    # The commands on this machine read the token from a file that only the owner can open.
    for known in (*keys, ApiKey(services.token, DEFAULT_TENANT, LOCAL_USER)):
        if hmac.compare_digest(known.key.encode(), sent.encode()):
            return Identity(known.tenant, known.user_id, keyed=True)
    raise Unauthorized("This server needs an API key.")


def _sent_key(request: Request) -> str:
    """The key of a program (a header) or of the page (a cookie that no script can read)."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    return request.headers.get("x-api-key") or request.cookies.get(COOKIE, "")


Caller = Annotated[Identity, Depends(identify)]
Reach = Annotated[Services, Depends(services_of)]
