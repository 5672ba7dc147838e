"""From logs to a study: what is read, what counts, and whether it may stand together."""
