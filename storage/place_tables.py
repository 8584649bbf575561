"""The table of places of recognised text on its pages: a row for each page that was read from a picture."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table

from storage.schema import blob_column, document_column, integer_column, metadata, text_column

# Apart from the structure, which is read with every text: a scan of a hundred pages has half a million bytes of places.
page_places = Table(
    "page_places",
    metadata,
    document_column(primary_key=True),
    Column("page", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    integer_column("start"),  # the code points that its lines reach over
    integer_column("end"),
    blob_column("places"),
)
