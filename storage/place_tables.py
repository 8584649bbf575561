"""Where recognised text stands on its pages: a row for each page that was read from a picture."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table

from storage.schema import _blob, _document, _integer, _text, metadata

# Apart from the structure, which is read with every text: a scan of a hundred pages has half a million bytes of places.
page_places = Table(
    "page_places",
    metadata,
    _document(primary_key=True),
    Column("page", Integer(), primary_key=True, autoincrement=False),
    _text("tenant"),
    _integer("start"),  # the code points that its lines reach over
    _integer("end"),
    _blob("places"),
)
