"""The agents, each a folder: `agent.py` with the function that runs it, its parts beside it, and its prompt as <name>.md where it asks a model.

    Athena      query_classifier, with document_requests and german
    Proteus     strategy
    Odysseus    planner
    Apollo      graph_expansion
    Sisyphus    retrieval_controller
    Aristotle   comparison; table_qa where figures are computed
    Thoth       summarization
    Prometheus  attached
    Hypatia     document_analyzer
    Mnemosyne   document_insights
    Socrates    clarification
    Hermes      explanation
    Diogenes    critic
    Themis      confidence

Zeus and Daedalus conduct the others and are graphs: `orchestration/zeus.py`, `orchestration/daedalus.py`; what Zeus says without documents is in
general_answer. Agents share `text` and `sources`, import `core` besides, and reach only what they are given.
"""
