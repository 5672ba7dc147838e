import pytest

from cruxbench_inspect.evidence.services.wiki_titles import canonical_title, linked_article


@pytest.mark.parametrize(
    ("target", "title"),
    [
        ("paris", "Paris"),
        ("Paris#History", "Paris"),
        ("  new_york  city ", "New york city"),
        ("Caf%C3%A9", "Café"),
        ("CSI: Miami", "CSI: Miami"),
        (":Paris", "Paris"),
        ("#Here", None),
        ("", None),
        ("Category:Cities", None),
        (":Category:Cities", None),
        ("fr:Paris", None),
        ("zh-min-nan:Paris", None),
        ("wikt:strike", None),
        ("Portal talk:X", None),
        ("A{{b}}", None),
        ("é" * 200, None),
    ],
)
def test_the_article_that_a_link_names(target: str, title: str | None) -> None:
    assert linked_article(target) == title


def test_every_namespace_has_titles() -> None:
    assert canonical_title("portal:Current events/2025_October_26") == "Portal:Current events/2025 October 26"
