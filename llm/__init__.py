"""Language models behind core.ports.ChatModel: Ollama over HTTP, any other LangChain provider, and what wraps every one of them."""
