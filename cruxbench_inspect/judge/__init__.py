"""The judge: a resolver that settles a crux from dated evidence, and a verifier that checks the time."""
