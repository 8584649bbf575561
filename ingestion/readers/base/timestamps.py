"""Times as files write them in ISO 8601."""

from __future__ import annotations

from datetime import UTC, datetime


def parse_timestamp(text: str) -> datetime | None:
    """Parse "2024-09-26T08:01:00Z" or "2024-09-26", in UTC where no zone is said; None for anything else."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
