"""A process that finds a library's communities anew and stops before it has written all of them, to be killed there.

    python -m tests.support.refreshing_child HOME

It prints "writing" when the earlier communities are removed and the new ones inserted, but nothing is committed, and then waits for its end.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from graph.communities.library_communities import CommunityOptions, LibraryCommunities
from graph.graph_view import GraphView
from storage.database import open_database
from storage.sql_communities import SqlCommunities
from storage.sql_graph import SqlGraphStore

LAST = "INSERT INTO community_states"  # the last statement of the transaction


def wait_for_the_end(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
    if statement.startswith(LAST):
        sys.stdout.write("writing\n")
        sys.stdout.flush()
        signal.pause()


async def refresh(home: Path) -> None:
    database = open_database(home)
    store, graphs = SqlCommunities(database), SqlGraphStore(database)
    await LibraryCommunities(GraphView(graphs), graphs, store, CommunityOptions(enabled="on"), store.count_documents).refresh("default")
    sys.stdout.write("done\n")


def main() -> int:
    event.listen(Engine, "before_cursor_execute", wait_for_the_end)
    asyncio.run(refresh(Path(sys.argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
