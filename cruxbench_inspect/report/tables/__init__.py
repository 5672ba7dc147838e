"""The tables of a report, one idea in each file."""
