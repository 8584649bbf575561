"""How a question is put: its parts, the kind of answer that it promises, the limits and the things that it names."""
