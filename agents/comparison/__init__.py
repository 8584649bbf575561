"""Aristotle: documents set side by side in a table, a cited cell for each side and each attribute, "not found" where there is nothing.

Nothing is concluded that the documents do not say: a cell quotes the unit of its side that speaks best of the attribute, and two cells differ
where their figures, or else their words, do. In reading order:

    agent                the whole: from the question to the table and the answer
    comparison_request   the question -> ComparisonRequest: what is compared, on which attributes
    sides                the request and the library's documents -> Side: a name with the document that speaks for it
    attributes           what the sides are compared on where the question does not say
    side_sources         the documents of the sides, opened and searched for each attribute
    cell_selection       one row: for each side the unit that speaks best of an attribute
    comparison_table     the rows as a table and as the sentences of an answer
    model_wording        what a model is asked that tells the table in its own words, and one numbering for both
    trends               an analysis instead of a comparison: how the figures of a table's columns develop
"""
