"""Athena: what a question wants, what it names, and the text that is searched.

In reading order:

    agent                  the whole: from the words as they were typed to a classification
    followups              "and in 2023?" as a question that stands alone, with `antecedents` and `elliptical_questions`
    shorthand              "whats" and "5k" written out
    keyword_questions      a few words as the question that they are short for
    own_company            "the company" as the library's own
    required_words         words that a passage must or must not have
    intent_rules           the rules by which an intent is told, tried in order
    memory_requests        "remember that …"
"""
