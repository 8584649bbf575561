"""Exit codes that scripts can use."""

DONE, FAILED, USAGE, NOTHING_FOUND, PARTLY, STOPPED = 0, 1, 2, 3, 4, 130

EXIT_CODES = f"""exit codes:
  {DONE:<4}done
  {FAILED:<4}failed; the reason is on standard error
  {USAGE:<4}wrong use: an unknown command or flag
  {NOTHING_FOUND:<4}nothing found, or nothing to forget
  {PARTLY:<4}done, but some files could not be read
  {STOPPED:<4}stopped with Ctrl+C
"""
