"""Seeded draws that come out the same on every platform and NumPy version."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


class Draws:
    """One stream of random choices, all of them made from PCG64's uniform doubles.

    NumPy promises the bit stream of a ``BitGenerator`` but not the algorithms of ``Generator``'s distributions, so
    every choice here is arithmetic on uniforms.
    """

    def __init__(self, *seed: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed))

    def uniform(self) -> float:
        """A number in [0, 1)."""
        # The upper 53 bits, as a double: NumPy's own conversion, written out.
        return (int(self._bits.random_raw()) >> 11) / 2**53

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.uniform() < probability

    def integer(self, low: int, high: int) -> int:
        """A whole number in [low, high]."""
        return low + int(self.uniform() * (high - low + 1))

    def between(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + (high - low) * self.uniform()

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, all equally likely."""
        return options[self.integer(0, len(options) - 1)]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """``count`` different options, in their original order."""
        left = list(range(len(options)))
        chosen = sorted(left.pop(self.integer(0, len(left) - 1)) for _ in range(count))
        return [options[index] for index in chosen]

    def bell(self) -> float:
        """A number with mean 0 and variance 1 that is nearly normal: twelve uniforms less six."""
        return sum(self.uniform() for _ in range(12)) - 6.0
