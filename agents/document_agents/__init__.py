"""Daedalus's three: Prometheus reads an attached document, Hypatia analyses it, Mnemosyne keeps what matters in it."""
