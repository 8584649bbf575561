"""German questions in English, for a library whose documents are all in English.

translation            the whole: a question, and the words that nobody knows
question_phrases       courtesies, tasks and question words
word_forms             endings, compounds and verb forms
clause_order           the order of clauses
task_requests          requests for a comparison, a summary or an analysis alone
"""
