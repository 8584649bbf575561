"""Exit codes that scripts can use."""

DONE, FAILED, USAGE, NOTHING_FOUND, PARTLY, STOPPED = 0, 1, 2, 3, 4, 130
