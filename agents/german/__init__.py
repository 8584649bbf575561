"""German questions in English, for a library whose documents are all in English.

translation            the whole: a question, and the words that nobody knows
question_phrases       courtesies, tasks and question words
word_kinds             tokens, and what kind of word each is
word_forms             nouns and adjectives: endings and compounds
verb_forms             verbs: weak and strong forms, separable ones
noun_phrases           phrases word by word: articles, numbers, genitives
clause_parts           the verbs of a clause, and what stands before, between and behind them
clause_chunks          phrases of a clause
clause_subject         who does it
verb_groups            auxiliaries and main verb in English
clause_order           a clause in English order
task_requests          requests for a comparison, a summary or an analysis alone
"""
