"""What goes wrong with a model beyond what callers need to know: only middleware tells these apart."""

from __future__ import annotations

from core.errors import ModelUnavailable


class ConnectionFault(ModelUnavailable):
    """The connection could not be made or broke: the one fault that is worth a second try."""
