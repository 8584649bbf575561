"""Numbers that are never given twice."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from storage.schema import counters


def reserve_ids(connection: Connection, name: str, number: int) -> int:
    """Reserve `number` ids of that name that nothing ever had, and return the first. A rolled back transaction gives its ids back, for nobody has
    seen them.
    """
    raise_by = update(counters).where(counters.c.name == name).values(value=counters.c.value + number)
    if connection.execute(raise_by).rowcount == 0:
        connection.execute(insert(counters).values(name=name, value=number))
        return 1
    return int(connection.execute(select(counters.c.value).where(counters.c.name == name)).scalar_one()) - number + 1
