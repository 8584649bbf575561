"""Mnemosyne: summary, key points, names, `action_items` and open questions of a document, every line the document's own.

`quote_locator` finds where words that a model says it copied really stand.
"""
