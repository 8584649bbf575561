"""Memory of a person: the session's window, episodes, notes, and what is learned from ratings."""
