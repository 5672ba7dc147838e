"""Writing a report: the page, and files of its tables and figures."""
