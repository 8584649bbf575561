"""The rows that are read under the name of a library."""

from __future__ import annotations

from sqlalchemy import ColumnElement

from core.ownership import libraries_read


def is_readable_in(column: ColumnElement[str], library: str) -> ColumnElement[bool]:
    """Return the condition that the row belongs to one of the libraries that are read under this name. For reading alone: what writes names one
    library exactly.
    """
    libraries = libraries_read(library)
    return column == library if len(libraries) == 1 else column.in_(libraries)
