"""How OpenSearch is reached."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class OpenSearchOptions:
    """`index_name` begins the names of the indices and their aliases. Without a `username` nothing is said of who asks. `ca_file` holds the
    certificate authority that is trusted beside the system's; `timeout_seconds` bounds a search, and a bulk request takes six times as long. `nodes`
    are others of the same cluster (name, port)."""

    host: str = "localhost"
    port: int = 9200
    index_name: str = "vantage"
    use_ssl: bool = False
    username: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""
    verify_certificate: bool = True
    timeout_seconds: float = 10.0
    nodes: tuple[tuple[str, int], ...] = ()

    @property
    def hosts(self) -> list[dict[str, str | int]]:
        return [{"host": host, "port": port} for host, port in ((self.host, self.port), *self.nodes)]

    @property
    def address(self) -> str:
        scheme = "https" if self.use_ssl else "http"
        others = f" (and {len(self.nodes)} more)" if self.nodes else ""
        return f"{scheme}://{self.host}:{self.port}{others}"
