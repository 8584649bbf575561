"""The HTTP server with its limits: uvicorn over `server.guarded_protocol`."""

from __future__ import annotations

import socket
from functools import partial
from typing import cast

import uvicorn
from starlette.types import ASGIApp

from server.connections import ACCEPTED_AT_ONCE, Connections, ConnectionTimes, connection_limit
from server.guarded_protocol import GuardedProtocol
from settings_server import ServerSettings

_BACKLOG = 2048  # connections that wait in the system to be accepted; it may allow fewer


class LimitedServer(uvicorn.Server):
    """Server of an application within the limits of the settings. Raises ConfigurationError where the system allows too few open files."""

    def __init__(self, app: ASGIApp, server: ServerSettings) -> None:
        times = ConnectionTimes(server.head_seconds, server.body_seconds, server.body_bytes_per_second, server.write_seconds)
        self.open = Connections(connection_limit(server.max_connections), times)
        config = uvicorn.Config(
            app,
            http=cast("type[GuardedProtocol]", partial(GuardedProtocol, self.open)),
            ws="none",
            lifespan="off",
            log_level="warning",
            log_config=None if server.log_format == "json" else uvicorn.config.LOGGING_CONFIG,
            access_log=False,
            server_header=False,
            timeout_keep_alive=server.keep_alive_seconds,
            timeout_graceful_shutdown=5,
            backlog=ACCEPTED_AT_ONCE,
            proxy_headers=bool(server.trusted_proxies),  # by itself uvicorn believes every program on this machine
            forwarded_allow_ips=server.trusted_proxies,
        )
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen. asyncio takes `backlog` for two things: how many connections wait in the system, and how many are accepted in one turn of
        the event loop, before any other can be closed to make room. The second has to be small, the first must not be: a client whose connection
        finds no place there tries again after a whole second.
        """
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(_BACKLOG)
