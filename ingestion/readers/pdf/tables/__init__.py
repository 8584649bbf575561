"""Tables of PDFs, with lines around their cells and without.

The way: words and drawn lines of a page (geometry) -> cells that lines close (rulings, lattice, ruled_tables) -> what stands between
horizontal rules or in runs of divided lines (table_regions) as columns by white space (columns, unruled_tables) -> what is no table left out
(table_filter) -> headings and captions (table_headings) -> parts of one table on following pages joined (continuation).
"""

from ingestion.readers.pdf.tables.table_finder import TableFinder, find_tables
from ingestion.readers.pdf.tables.table_model import FoundTable

__all__ = ["FoundTable", "TableFinder", "find_tables"]
