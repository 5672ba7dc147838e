"""Reports: from logs to tables, figures, and one page."""
