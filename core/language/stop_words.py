"""Words that are left out, one list for each use: what says nothing in a question may be what a search looks for, and the other way round."""

from __future__ import annotations

from core.language.months import full_months, short_months
from core.language.weekdays import weekdays
from core.language.word_files import read_word_file


def _words(use: str, *languages: str) -> frozenset[str]:
    return frozenset(word for language in languages for word in read_word_file(language, "stop_words")[use].split())


# Of a question, and of what is compared with it: articles, pronouns, question words, courtesies.
STOP_WORDS = _words("questions", "en")
# Of the lexical field and of late interaction: function words, which carry no topic.
SEARCH_STOP_WORDS = _words("search", "en")
# Of a question over a table, as far as they are no English words.
FOREIGN_TABLE_STOP_WORDS = _words("table_questions", "es", "fr", "it", "nl", "de")
# Function words of which no keyword, topic or title is made.
ENGLISH_KEYWORD_STOP_WORDS = _words("keywords", "en")
KEYWORD_STOP_WORDS = _words("keywords", "en", "de", "fr", "es", "it", "pt", "nl")
# They stand in nearly every document, and count for less as keywords.
COMMON_KEYWORDS = _words("documents", "en").union(full_months("en"), short_months("en"), weekdays("en"))
# They begin sentences and questions with a capital and name nothing.
NAMELESS_WORDS = _words("names", "en", "de", "fr", "es")
# Of a question that is compared with the headings of columns, unless a column is called just so ("Who", "By").
COLUMN_STOP_WORDS = _words("columns", "en", "de", "es")
# Of a question that looks up what it only describes: they may stand around the description.
LOOKUP_STOP_WORDS = _words("lookups", "en")
ARTICLES = _words("articles", "en", "de", "fr", "es", "it")
