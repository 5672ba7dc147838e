"""Embeddings of cruxes from any endpoint that speaks OpenAI's interface, each paid for once."""
