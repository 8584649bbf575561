"""Odysseus: whether a question takes several searches, which, and how what they found comes together.

agent                  the plan of a question, its open steps, and the account of them
decomposition          rules that cut a question into parts, with `descriptions`, `clause_ends` and `trailing_questions`
bridge_entity          the name that one step found and the next one asks about, with `wanted_names`
"""
