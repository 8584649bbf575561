"""Three nodes of a real OpenSearch with replicas, of which any may be killed and started again."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval.opensearch.connection_options import OpenSearchOptions
from tests.support.opensearch_server import OwnServer, free_port, request, wait_until_ready

_SECONDS = 120


@dataclass
class Cluster:
    """Nodes by their names, n1 to n3."""

    nodes: dict[str, OwnServer]

    def reached(self, name: str = "n1") -> OpenSearchOptions:
        return OpenSearchOptions("127.0.0.1", self.nodes[name].port)

    @property
    def environment(self) -> dict[str, str]:
        """The settings with which Vantage reaches it."""
        first, *others = self.nodes.values()
        listed = ", ".join(f"'127.0.0.1:{node.port}'" for node in others)
        return {"VANTAGE_OPENSEARCH__HOST": "127.0.0.1", "VANTAGE_OPENSEARCH__PORT": str(first.port), "VANTAGE_OPENSEARCH__NODES": f"[{listed}]"}

    def primary_of(self, index: str, asked: str = "n1") -> str:
        """Return the name of the node that has the primary of an index."""
        shards = request(self.reached(asked), "GET", f"/_cat/shards/{index}?format=json")
        return next(str(each["node"]) for each in shards if each["prirep"] == "p")

    def manager(self, asked: str = "n1") -> str:
        return str(request(self.reached(asked), "GET", "/_cat/cluster_manager?format=json")[0]["node"])

    def wait_until_green(self, asked: str = "n1", nodes: int = 3) -> Any:
        """Wait until every copy is there."""
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline:
            health = request(self.reached(asked), "GET", f"/_cluster/health?wait_for_status=green&wait_for_nodes={nodes}&timeout=20s")
            if health["status"] == "green" and health["number_of_nodes"] == nodes:
                return health
        raise AssertionError(f"The cluster was not green after {_SECONDS} seconds")


@contextmanager
def three_nodes() -> Iterator[Cluster]:
    """A cluster of its own. Raises NoOpenSearchError."""
    folder = Path(tempfile.mkdtemp(prefix="vantage-nodes-"))
    folder.chmod(0o755)  # a node runs under another account where root starts it
    ports = {f"n{number}": free_port() for number in (1, 2, 3)}
    seeds = ",".join(f"127.0.0.1:{port}" for port in ports.values())
    common = {"discovery__type": "", "cluster__initial_cluster_manager_nodes": ",".join(ports), "discovery__seed_hosts": seeds}
    nodes = {name: OwnServer(folder / name, settings={**common, "node__name": name, "transport__port": str(port)}) for name, port in ports.items()}
    try:
        for node in nodes.values():
            node.begin_start()
        for node in nodes.values():
            wait_until_ready(node.port)
        yield Cluster(nodes)
    finally:
        for node in nodes.values():
            node.kill()
        shutil.rmtree(folder, ignore_errors=True)
