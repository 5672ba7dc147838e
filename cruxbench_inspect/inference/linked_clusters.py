"""Clusters of what is linked by anything in common, such as an event, a day or a source."""

from collections.abc import Collection, Hashable, Sequence


def linked_clusters(shared: Sequence[Collection[Hashable]]) -> list[int]:
    """The cluster of each of some things: two are in one if a chain of things that share something leads to the other.

    Args:
        shared: For each thing, what it may share with others. One without anything is a cluster by itself.

    Returns:
        Numbers of clusters from 0, shape (things,), in the order of their first things.
    """
    # A forest of disjoint sets: for the few hundred things of a table SciPy's graphs take many times as long.
    parents = list(range(len(shared)))
    first: dict[Hashable, int] = {}
    for thing, own in enumerate(shared):
        for name in own:
            one, other = _root(parents, first.setdefault(name, thing)), _root(parents, thing)
            # The earlier thing is the root.
            parents[max(one, other)] = min(one, other)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(_root(parents, thing), len(numbers)) for thing in range(len(shared))]


def _root(parents: list[int], thing: int) -> int:
    while parents[thing] != thing:
        parents[thing] = parents[parents[thing]]
        thing = parents[thing]
    return thing
