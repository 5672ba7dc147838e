"""The figures of a report: plain rows in, a Vega-Lite spec with its texts out."""
