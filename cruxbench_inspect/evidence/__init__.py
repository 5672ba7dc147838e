"""Dated evidence: documents, the cutoff that guards them, sources behind one protocol, and the tools of a judge."""
