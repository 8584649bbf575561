"""Questions that ask for documents instead of an answer out of them: a list by kind, name, content, time, or what the library holds.

request_parser         the question -> DocumentRequest, with `document_kinds`, `content_restrictions` and `document_times`
document_selection     the request and the library's documents -> which are meant, why, and in what order
library_overview       "What are these documents about?"
"""
