"""Rules of the offline baseline: proposing, resolving and verifying cruxes without a language model.

It knows a table of event words, a few dozen sentence patterns and the calendar, and nothing about the world. It reads
the same prompts and answers in the same forms as a language model, so that the benchmark runs end to end without a
key or a network; its scores are those of a keyword baseline and its judgments are not those of a careful reader.
Every function maps text to a structure and keeps no state.
"""
