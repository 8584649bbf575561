"""The generative answer: a model writes from numbered evidence, and each of its sentences is checked before it is shown."""
