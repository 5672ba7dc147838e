"""The embedded question set ``demo``: fictional, seeded, and built by ``python -m cruxbench_inspect.demo.build``."""
