"""Questions over tables: read, linked to columns and cells, carried out by SQL over the stored rows, and answered with the rows. In reading order:

agent              the whole: which tables a question is about, its plan for each, and the best answer
table_question     the question without any table, with `operations`, `difference_parser` and `time_parser`
candidate_tables   a table as questions are matched with it
schema_linking     which columns and cells the question names, with `heading_words` and `table_vocabulary`
query_plan         over which column, groups and rows to compute: `plan_drafts` by `counts`, `superlatives`, `difference_columns`;
                   the rows by `row_conditions`
plan_execution     the plan as a TableQuery, and what comes back
result_wording     the result as a sentence with the rows to cite; `difference_wording` where two figures are set against each other
"""
