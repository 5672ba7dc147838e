"""Which kinds of sources a crux's resolution criteria name: told by words, since cruxes have no field for it."""

import re

_WORDS = {
    "courts": r"court|docket|judges?|rulings?|verdicts?|indictments?|pacer|tribunal|prosecutors?",
    "published data": (
        r"bls|bea|eurostat|index|indices|closing (?:price|value|level)s?|settlement price|yahoo finance|tradingview|"
        r"coinmarketcap|coingecko|binance|nasdaq|nyse|cme|s&p|opinion polls?|polls|polling|polling averages?|"
        r"box office mojo|dataset|databases?|statistics|statistical (?:office|agency|bureau)|data (?:release|series)s?"
    ),
    "companies": (
        r"press releases?|investor relations|sec filings?|(?:form )?(?:8-k|10-k|10-q)|"
        r"earnings (?:report|release|call)s?|company(?:'s)?|corporate|shareholders?|blog posts?"
    ),
    "social networks": (
        r"twitter|tweets?|truth social|x\.com|x posts?|posts? on x|instagram|facebook|telegram|youtube|tiktok"
    ),
    "officials": (
        r"government(?:al|'s)?|ministry|minist(?:er|ers)|white house|federal register|federal reserve|central bank|"
        r"congress(?:ional|\.gov)?|senate|house of representatives|parliament(?:ary)?|departments?|agency|agencies|"
        r"commission|council|regulators?|authorit(?:y|ies)|official (?:statement|website|announcement|source|record|"
        r"result|data|gazette|communication|confirmation)s?|\w+\.gov|police|military|united nations|nato|embassy|"
        r"kremlin|election commission|public record"
    ),
    "news media": (
        r"media|news(?:paper)?s?|outlets?|press (?:report|coverage)s?|reuters|associated press|bloomberg|bbc|cnn|"
        r"new york times|washington post|wall street journal|financial times|guardian|politico|axios|"
        r"(?:credible|reliable|reputable) (?:report|source)(?:s|ing)?|journalists?|broadcasters?|wire services?"
    ),
}
_PATTERNS = {kind: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for kind, words in _WORDS.items()}

KINDS = tuple(_WORDS)
"""All kinds."""


def source_kinds(criteria: str) -> list[str]:
    """The kinds of sources that resolution criteria name, in the order of their first mention; often none.

    It knows words and not meanings: "the company's government contract" names a company and a government.
    """
    found = {kind: match.start() for kind, pattern in _PATTERNS.items() if (match := pattern.search(criteria))}
    return sorted(found, key=lambda kind: found[kind])
