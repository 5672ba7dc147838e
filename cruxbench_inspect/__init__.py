"""CruxBench, the benchmark of information discovery, for Inspect AI."""

__version__ = "0.1.0"
"""Version of the software."""

BENCHMARK_VERSION = "1-A"
"""Version of the benchmark, N-X: N changes when scores stop being comparable, X when an interface changes."""
