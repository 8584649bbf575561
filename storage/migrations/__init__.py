"""The schema's history. `HEAD` is the newest revision: an open library that stands there needs no Alembic (its import costs a third of a second)."""

HEAD = "0023"
