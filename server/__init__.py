"""HTTP: routers, schemas, the SSE mapping, authentication and the error table."""
