"""Who asks: the tenant and person of a request, and the keys that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from core.errors import ConfigurationError
from core.ownership import personal_library

DEFAULT_TENANT = "default"
LOCAL_USER = "local"
Role = Literal["member", "admin"]
_IN_NO_NAME = frozenset("/\\%")  # folders are called after tenants and persons


@dataclass(frozen=True, slots=True)
class Identity:
    """The tenant and person of a request. `has_key` is True where an API key decided; then `user_id` of a request is not believed."""

    tenant: str
    user_id: str
    has_key: bool
    role: Role = "member"

    def person(self, claimed: str | None) -> str:
        """Return the profile to use: the key's person, or the local profile that the request names."""
        return self.user_id if self.has_key else (claimed or self.user_id)

    @property
    def owner(self) -> str | None:
        """The person whose runs and conversations may be seen: the key's. None, everybody's, without keys: then all profiles are one owner's."""
        return self.user_id if self.has_key else None

    @property
    def library(self) -> str:
        """The documents that the caller reads: the tenant's, and with a key what its person uploaded (`core.ownership`)."""
        return personal_library(self.tenant, self.owner)

    @property
    def trace_reader(self) -> str | None:
        """The person whose traces may be read; None for an administrator: all of the tenant. Such views are recorded: `server.trace_views`."""
        return None if self.role == "admin" else self.owner


@dataclass(frozen=True, slots=True)
class ApiKey:
    key: str
    tenant: str
    user_id: str
    role: Role = "member"


def parse_key(text: str) -> ApiKey:
    """Return "key[:tenant[:person[:role]]]". Raises ConfigurationError for an empty or short key and for an unknown role; it names no part of the
    key.
    """
    key, _, rest = text.partition(":")
    tenant, _, rest = rest.partition(":")
    user, _, role = rest.partition(":")
    if any(character in _IN_NO_NAME or not character.isprintable() for character in tenant + user) or {tenant, user} & {".", ".."}:
        raise ConfigurationError(
            'A tenant or person in server.api_keys has a name with "/", "\\", "%" or a control character in it. Choose another name.'
        )
    if len(key) < 16:
        raise ConfigurationError(
            "An API key in server.api_keys has fewer than 16 characters. "
            "Make one with `python -c 'import secrets; print(secrets.token_urlsafe(24))'`."
        )
    return ApiKey(key, tenant or DEFAULT_TENANT, user or LOCAL_USER, _parse_role(role))


def _parse_role(text: str) -> Role:
    for role in get_args(Role):
        if text in {"", role}:  # without one: the first, member
            known: Role = role
            return known
    raise ConfigurationError(
        f'A key in server.api_keys has an unknown role. The roles are {" and ".join(get_args(Role))}; a key reads "key:tenant:person:role".'
    )
