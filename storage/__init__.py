"""The library's truth in SQL: SQLite in VANTAGE_HOME by default, PostgreSQL by URL. Imports `core` only."""
