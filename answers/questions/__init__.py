"""The wording of a question: its parts, the kind of answer that it promises, the limits and the things that it names."""
