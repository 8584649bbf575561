"""Types, ports and errors that every other package speaks. Imports the standard library and pydantic only."""
