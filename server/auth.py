"""The identity of a caller. With API keys the tenant and the person come from the key; without (loopback only) there is one tenant and local
profiles.
"""

from __future__ import annotations

import hmac
import ipaddress
from typing import Annotated

from fastapi import Depends, Request

from core.errors import ConfigurationError, OtherAccount, Unauthorized
from core.log_context import set_log_context
from server.local_callers import EXTENSION, SocketCaller
from server.request_identity import DEFAULT_TENANT, LOCAL_USER, ApiKey, Identity, parse_key
from server.services import Services
from server.session_cookies import session_in_cookie
from settings import Settings


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def require_keys_beyond_loopback(settings: Settings) -> None:
    """Check that a server which is reachable from elsewhere has keys. Raises ConfigurationError."""
    for text in settings.server.api_keys:
        parse_key(text)
    if not is_loopback(settings.server.host) and not settings.server.api_keys:
        raise ConfigurationError(
            f"server.host {settings.server.host} can be reached from other machines and server.api_keys is empty. Set API keys, or use 127.0.0.1."
        )


async def services_of(request: Request) -> Services:
    """Return the services. Not a plain function, nor is `identify`: those wait for one of the threads that files are sent with, and /health waits for
    nothing.
    """
    services: Services = request.state.services
    return services


async def identify(request: Request) -> Identity:
    """Return the caller, to whom the request's lines in the log belong from now on. Raises as `_find_caller`."""
    caller = await _find_caller(request)
    set_log_context(caller.tenant, caller.user_id)
    return caller


async def _find_caller(request: Request) -> Identity:
    """Return the caller. Raises Unauthorized where keys are configured and neither one of them nor a session of one was sent, TooManyTries after too
    many wrong ones, OtherAccount where there are no keys and another account of this machine asks.
    """
    services = await services_of(request)
    if not services.settings.server.api_keys:
        await _require_own_account(request, services.token)
        return Identity(DEFAULT_TENANT, LOCAL_USER, has_key=False)
    sent = key_in_headers(request)
    if sent:
        return identify_key(request, services, sent)
    return await _identify_session(services, session_in_cookie(request))


async def _identify_session(services: Services, session_id: str) -> Identity:
    """Return whose session a browser shows. Raises Unauthorized for none. A wrong one is no try: nobody guesses it, and a browser shows an old one
    often.
    """
    keys = {known.key: known for known in reversed(_keys(services))}  # of two entries for one key the first counts, as for a header
    known = keys.get(await services.sessions.find_key(session_id, keys) or "")
    if known is None:
        raise Unauthorized("This server needs an API key.")
    return _identity(known)


async def _require_own_account(request: Request, token: str) -> None:
    """Check that the sender of the token runs under the server's own account: the token's file can only be opened by the owner. Where no connection
    is known the application runs in the process that asks, or on a system that does not say whose a socket is (`docs/deploy.md`).
    """
    caller: SocketCaller | None = request.scope.get("extensions", {}).get(EXTENSION)
    if caller is None or hmac.compare_digest(token.encode(), key_in_headers(request).encode()):
        return
    refusal = await caller.refusal()
    if refusal:
        raise OtherAccount(refusal)


def identify_key(request: Request, services: Services, sent: str) -> Identity:
    """Return whose key it is. Raises Unauthorized for nobody's, TooManyTries where its address sent too many of those."""
    if hmac.compare_digest(services.token.encode(), sent.encode()):
        return Identity(DEFAULT_TENANT, LOCAL_USER, has_key=True)  # however many wrong keys came from this machine
    address = request.client.host if request.client is not None else ""
    services.tries.check_address(address)
    for known in _keys(services):
        if hmac.compare_digest(known.key.encode(), sent.encode()):
            return _identity(known)
    services.tries.record_failure(address)
    raise Unauthorized("This server needs an API key.")


def _keys(services: Services) -> list[ApiKey]:
    """Return the keys of the settings, and the token: the commands on this machine read it from a file that only the owner can open."""
    return [*(parse_key(text) for text in services.settings.server.api_keys), ApiKey(services.token, DEFAULT_TENANT, LOCAL_USER)]


def _identity(known: ApiKey) -> Identity:
    return Identity(known.tenant, known.user_id, has_key=True, role=known.role)


def key_in_headers(request: Request) -> str:
    """Return the key of a program, in a header; "" for none."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    return request.headers.get("x-api-key", "")


Caller = Annotated[Identity, Depends(identify)]
AppServices = Annotated[Services, Depends(services_of)]
