"""Clusters of what has something in common, against a search by hand."""

from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.inference.linked_clusters import linked_clusters


def test_chains_join_and_nothing_joins_nothing() -> None:
    assert linked_clusters([]) == []
    assert linked_clusters([(), (), ()]) == [0, 1, 2]
    assert linked_clusters([("a",), ("b",), ("a", "b"), ("c",), ()]) == [0, 0, 0, 1, 2]
    assert linked_clusters([("c",), (), ("c",)]) == [0, 1, 0]


@given(st.lists(st.sets(st.integers(0, 12), max_size=3), max_size=14))
def test_two_are_together_if_and_only_if_a_chain_leads_from_one_to_the_other(shared: list[set[int]]) -> None:
    found = linked_clusters(shared)
    for start in range(len(shared)):
        reached, names = {start}, set(shared[start])
        for _ in shared:
            reached |= {other for other, own in enumerate(shared) if own & names}
            names |= {name for one in reached for name in shared[one]}
        assert {other for other, cluster in enumerate(found) if cluster == found[start]} == reached
    assert list(dict.fromkeys(found)) == list(range(len(set(found))))
