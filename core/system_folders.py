"""Folders that are never a library's."""

SYSTEM_FOLDERS = ("/proc", "/sys", "/dev")  # what lies there is no document: processes, their memory, devices
