"""Tables of PDFs, with lines around their cells and without.

The way: words and drawn lines of a page (geometry) -> cells that lines close (rulings, lattice, grids) -> what stands between horizontal rules
or in runs of divided lines (regions) as columns by white space (columns, unruled) -> what is no table left out (plausible) -> headings and
captions (headings) -> parts of one table on following pages joined (continuation).
"""

from ingestion.extractors.pdf.tables.finder import TableFinder, find_tables
from ingestion.extractors.pdf.tables.model import FoundTable

__all__ = ["FoundTable", "TableFinder", "find_tables"]
