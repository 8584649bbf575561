"""Apollo's summaries: what the documents together say of a question, made of the graph's sentences when it is asked, never while indexing.

agent            the whole: the question's entities, what is related to them, its communities, and the sentences that are told
subject_words    the words of a question that say what it is about, with those that say the same
graph_sentences  a sentence of the graph or of a community as it is weighed, chosen and cited
"""
