"""Tables of documents as typed rows: columns, units, figures, dates, sums."""
