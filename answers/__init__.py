"""Answers from evidence: composed of the documents' own sentences, or written by a model and checked sentence by sentence.

In the order in which they build on each other:

    questions     the parts of a question, and the kind of answer that it promises
    units         the evidence as units that can be quoted
    scoring       scores of how well a unit answers, and the choice of units
    calibration   the probability that the documents answer at all
    reading       the reader's findings, and the lead
    finders       rules that find an answer without a reader
    citations     numbered citations, and the check of a sentence against its span
    extractive    the answer in the documents' own sentences
    generative    the answer that a model writes
"""
