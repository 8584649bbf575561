"""The base class of a section of the settings, and the sections for the server, for what it stores and for the search engine beside it."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=1)]
Days = Annotated[int, Field(ge=0, le=36_500)]


class SettingsSection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ServerSettings(SettingsSection):
    """The address at which the page and the API are served. Another address than loopback needs `api_keys` ("key[:tenant[:person[:role]]]", roles
    member and admin).

    Without keys the page's folder picker shows the folders in `picker_roots` and in `ingestion.roots`, and no others.

    Beyond `max_connections` (fewer, where the system allows fewer open files) the connection that has waited longest without a request gives way.
    A request's head has to be there after `head_seconds`, its body after `body_seconds` and one more for each `body_bytes_per_second` that came.
    What a client does not take for `write_seconds` is given up. A person who has `max_questions_per_person` running, or `max_streams_per_person`
    open, gets 429; beyond `max_questions` and `max_streams` of all persons the answer is 503, both with Retry-After.
    A browser that is signed in stays so for `session_hours`. An address that sent `failed_tries` wrong keys within `failed_tries_seconds` gets 429.
    `trusted_proxies` (addresses or networks) are believed what they say of a client: its address, and whether it speaks TLS.
    `log_format` json writes the log as a line of JSON for each event, on standard error as the text.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    api_keys: list[str] = Field(default_factory=list)
    picker_roots: list[Path] = Field(default_factory=lambda: [Path("~")])
    max_query_characters: Count = 20_000
    max_upload_mb: Count = 512
    heartbeat_seconds: Annotated[float, Field(gt=0)] = 15.0
    stream_seconds: Annotated[float, Field(gt=0)] = 900.0
    max_connections: Annotated[int, Field(ge=16, le=100_000)] = 1000
    head_seconds: Annotated[float, Field(gt=0)] = 10.0
    body_seconds: Annotated[float, Field(gt=0)] = 30.0
    body_bytes_per_second: Count = 1024
    write_seconds: Annotated[float, Field(gt=0)] = 60.0
    keep_alive_seconds: Annotated[int, Field(ge=1)] = 5
    max_questions: Count = 8
    max_questions_per_person: Count = 4
    max_streams: Count = 256
    max_streams_per_person: Count = 64
    session_hours: Annotated[float, Field(gt=0, le=87_600)] = 720.0
    failed_tries: Count = 10
    failed_tries_seconds: Annotated[float, Field(gt=0)] = 60.0
    trusted_proxies: list[str] = Field(default_factory=list)
    log_format: Literal["text", "json"] = "text"

    @field_validator("trusted_proxies")
    @classmethod
    def _check_addresses(cls, proxies: list[str]) -> list[str]:
        for each in proxies:
            try:
                ipaddress.ip_network(each)
            except ValueError as error:
                raise ValueError(f"{each!r} is no IP address or network, such as 127.0.0.1 or 10.0.0.0/8") from error
        return proxies


class TelemetrySettings(SettingsSection):
    """Runs as OpenTelemetry traces (extra `otel`): sent to `endpoint` by OTLP over HTTP, or printed (`console`)."""

    exporter: Literal["none", "otlp", "console"] = "none"
    endpoint: str = "http://localhost:4318/v1/traces"


class StorageSettings(SettingsSection):
    """`url` empty: SQLite in VANTAGE_HOME; otherwise an SQLAlchemy URL such as postgresql+psycopg://localhost/vantage.

    `…_days` is how long something is kept: runs (also at most `traces_mb`), conversations since they were last used, feedback, what memory has of
    single runs, finished indexing jobs, and uploaded files with their documents. 0 keeps it until somebody deletes it.
    """

    url: str = ""
    traces_days: Count = 90
    traces_mb: Count = 512
    conversations_days: Days = 0
    feedback_days: Days = 0
    episodes_days: Days = 0
    jobs_days: Days = 0
    uploads_days: Days = 0


class WorkersSettings(SettingsSection):
    """Who does the indexing jobs. `queue` in_process: the server itself. postgres: `vantage worker` processes on any host that sees the same folders,
    VANTAGE_HOME among them; the library is then in PostgreSQL (`storage.url`) and searched by OpenSearch (`search.engine`), and any number of servers
    may answer over it.

    A worker or server that was not heard of for three times `heartbeat_seconds` is taken for dead; a worker's job is done again. A job whose run
    failed for want of something that may come back, or whose worker died, is tried `attempts` times, after `retry_seconds` and then twice as long
    each time. A worker that is asked to stop has `drain_seconds` to end its job; then it gives the job back.
    """

    queue: Literal["in_process", "postgres"] = "in_process"
    attempts: Count = 5
    retry_seconds: Annotated[float, Field(gt=0, le=3600)] = 10.0
    heartbeat_seconds: Annotated[float, Field(ge=0.1, le=600)] = 10.0
    drain_seconds: Annotated[float, Field(ge=0, le=86_400)] = 60.0


class OpenSearchAuthSettings(SettingsSection):
    """Without a username nothing is said of who asks."""

    username: str = ""
    password: SecretStr = SecretStr("")


class OpenSearchSettings(SettingsSection):
    """OpenSearch, where `search.engine` names it. Its indices are named `<index_name>-words-…` and `<index_name>-vectors-…`. `nodes` ("name:port")
    are others of the same cluster: what one does not answer another is asked.

    `ca_file`: a certificate authority that is trusted beside the system's. `verify_certificate` false takes any certificate: for one that was made
    for a demonstration, on a network where nobody else is. `timeout_seconds` bounds a search; writing may take six times as long.
    """

    host: Annotated[str, Field(pattern=r"^[A-Za-z0-9._:\-]+$")] = "localhost"
    port: Annotated[int, Field(ge=1, le=65535)] = 9200
    nodes: list[Annotated[str, Field(pattern=r"^[A-Za-z0-9._\-]+:[0-9]{1,5}$")]] = Field(default_factory=list)
    index_name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")] = "vantage"
    use_ssl: bool = False
    ca_file: str = ""
    verify_certificate: bool = True
    timeout_seconds: Annotated[float, Field(gt=0, le=600)] = 10.0
    auth: OpenSearchAuthSettings = OpenSearchAuthSettings()
