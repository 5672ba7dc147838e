"""Import of the authors' public release: its questions as a question set, its runs as Inspect logs."""
