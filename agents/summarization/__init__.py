"""Thoth: what one, several or all documents on a matter say, in their own sentences, within the length that was asked for. In reading order:

agent             the whole: the documents' sentences as an answer, and what a model is asked that writes the summary
summary_length    the question -> SummaryLength: how many words and sentences
document_choice   the question -> the documents that it means
sentence_choice   a document -> the sentences that carry it
"""
