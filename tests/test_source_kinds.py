"""Which kinds of sources resolution criteria name, and in which order."""

import pytest

from cruxbench_inspect.source_kinds import KINDS, source_kinds


@pytest.mark.parametrize(
    ("criteria", "kinds"),
    [
        (
            "Resolves Yes if the Federal Reserve cuts its rate, by its official statement or credible reporting.",
            ["officials", "news media"],
        ),
        ("Yes if Reuters or another major outlet reports that the ministry signed.", ["news media", "officials"]),
        ("Yes if the BLS reports a CPI above 3.0%.", ["published data"]),
        ("Yes if the docket shows a ruling of the Supreme Court.", ["courts"]),
        ("Yes if the company announces it in a press release or an 8-K.", ["companies"]),
        ("Yes if he posts on X or Truth Social that he resigns.", ["social networks"]),
        (
            "YES if the Bureau's data on bls.gov, as covered by BLOOMBERG, says so.",
            ["published data", "officials", "news media"],
        ),
    ],
)
def test_kinds_in_the_order_in_which_they_are_named(criteria: str, kinds: list[str]) -> None:
    assert source_kinds(criteria) == kinds
    assert set(kinds) <= set(KINDS)


@pytest.mark.parametrize(
    "criteria", ["", "Resolves Yes if it happens.", "Indexed, mediate, newsy, courtesy, agencyless."]
)
def test_none_where_none_is_named(criteria: str) -> None:
    assert source_kinds(criteria) == []
