"""Questions over tables: read, linked to columns and cells, carried out by SQL over the stored rows, and told with the rows."""
