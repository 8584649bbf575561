"""Two levels of an answer: passages with their entities, and the communities that these belong to, told theme by theme.

agent  the whole: low and high level -> a synthesis, each sentence cited
"""
