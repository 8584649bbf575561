"""The router: whether a question is answered from passages, from the library as a whole, or from both.

agent               the whole: signals -> QueryRoute, before the search and after it
overview_questions  whole questions that an overview of the library answers
word_signals        the words that speak for the one or the other
"""
