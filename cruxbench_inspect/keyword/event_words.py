"""The table of event words: what kinds of events the baseline knows, how they are said, and what contradicts them."""

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of event.

    Attributes:
        name: The base form that a question uses.
        verbs: Verbs that report it, as "base" or "base/past" or "base/past/participle"; the first word of several is
            inflected.
        nouns: Nouns that report it by themselves ("the arrest of two suspects").
        opposites: Kinds whose happening means that this one did not happen.
        implied_by: Kinds whose happening means that this one happened.
        tone: +1 for something granted, reached or found, -1 for something refused, ended or lost, 0 for neither.
    """

    name: str
    verbs: tuple[str, ...]
    nouns: tuple[str, ...] = ()
    opposites: tuple[str, ...] = ()
    implied_by: tuple[str, ...] = ()
    tone: int = 0


_OUTCOMES = ("approve", "reject", "raise", "cut", "hold", "win", "lose", "stay", "order")

KINDS = (
    Kind(
        "approve",
        (
            "approve", "clear", "authorise", "authorize", "allow", "grant", "pass", "adopt", "accept", "endorse", "ratify",
            "back", "uphold/upheld", "permit/permitted", "renew", "award", "wave through",
            "sign off", "support", "recommend", "say yes/said yes", "give the go-ahead/gave the go-ahead",
        ),
        ("approval", "clearance", "go-ahead"),
        ("reject", "end"),
        tone=1,
    ),
    Kind(
        "reject",
        (
            "reject", "refuse", "deny", "block", "dismiss", "prohibit", "veto", "quash", "annul/annulled", "overturn",
            "turn down", "strike down/struck down", "vote down", "throw out/threw out/thrown out", "defeat", "bar/barred",
            "ban/banned", "forbid/forbade/forbidden", "rebuff", "decline", "say no/said no",
        ),
        ("rejection", "refusal"),
        ("approve", "agree"),
        tone=-1,
    ),
    Kind("raise", ("raise", "lift", "increase", "hike", "rise/rose/risen"), (), ("cut", "hold"), tone=1),
    Kind("cut", ("cut/cut", "lower", "reduce", "trim/trimmed", "ease", "fall/fell/fallen"), (), ("raise", "hold"), tone=-1),
    Kind("hold", ("leave/left", "keep/kept", "hold steady/held steady"), ("unchanged",), ("raise", "cut")),
    Kind("stay", ("stay", "remain", "keep/kept", "retain"), (), ("free", "end")),
    Kind("free", ("free", "set free/set free", "let go/let go", "go free/went free"), (), ("stay",)),
    Kind("order", ("order", "impose", "require", "instruct", "mandate"), (), ("end",)),
    Kind("change", ("change", "alter"), (), ("hold",), ("raise", "cut")),
    Kind(
        "decide",
        ("decide", "rule", "hand down", "deliver", "determine", "give its/gave its", "conclude", "pronounce"),
        ("verdict",),
        ("end",),
        _OUTCOMES,
    ),
    Kind("vote", ("vote", "ballot"), (), ("end",), ("approve", "reject")),
    Kind("meet", ("meet/met", "convene", "sit/sat", "gather"), (), ("end",), ("vote", *_OUTCOMES)),
    Kind("publish", ("publish", "release", "issue", "post"), ("publication",), ("end",), ("raise", "cut", "total")),
    Kind("total", ("total/totalled", "stand at/stood at", "come to/came to", "come in/came in", "reach", "count", "record", "put/put")),
    Kind(
        "launch",
        ("launch", "unveil", "debut", "introduce", "go on sale/went on sale/gone on sale", "ship/shipped", "roll out"),
        (),
        ("end",),
        tone=1,
    ),
    Kind(
        "open",
        ("open", "reopen", "resume", "restart", "restore", "enter service", "go live/went live", "return to service"),
        ("reopening", "resumption"),
        ("end", "close"),
        tone=1,
    ),
    Kind("start", ("start", "begin/began/begun", "commence", "kick off"), (), ("end",), tone=1),
    Kind("close", ("close", "shut/shut", "suspend", "halt"), ("closure", "suspension"), ("open",), tone=-1),
    Kind("arrest", ("arrest", "detain", "apprehend", "take into custody/took into custody/taken into custody"), ("arrest", "arrests")),
    Kind("charge", ("charge", "indict", "prosecute", "face charges"), ("indictment",), ("end",)),
    Kind("find", ("find/found", "recover", "retrieve", "return", "discover", "locate", "hand over", "surface"), ("recovery",), ("end",), tone=1),
    Kind(
        "agree",
        ("agree", "sign", "settle", "strike a deal/struck a deal", "reach agreement", "seal", "conclude a deal", "shake hands/shook hands"),
        ("settlement",),
        ("reject", "end"),
        tone=1,
    ),
    Kind("strike", ("strike/struck", "walk out", "stop work/stopped work", "down tools"), ("walkout", "stoppage"), tone=-1),
    Kind("stop", ("end", "stop/stopped", "cease")),
    Kind("win", ("win/won", "secure", "carry", "prevail", "triumph"), ("victory",), ("lose",), tone=1),
    Kind("lose", ("lose/lost", "concede"), ("defeat",), ("win",), tone=-1),
    Kind("register", ("register", "file", "submit/submitted", "enter", "nominate", "lodge", "apply"), (), ("end", "lapse"), tone=1),
    Kind("appoint", ("appoint", "name", "elect", "choose/chose/chosen", "select"), ("appointment",), ("end",), tone=1),
    Kind("resign", ("resign", "step down", "quit/quit", "stand down/stood down"), ("resignation",), tone=-1),
    Kind("deliver", ("complete", "finish", "install", "arrive", "deliver", "dock", "land"), ("completion",), ("end",), tone=1),
    Kind("depart", ("depart", "sail", "leave port/left port", "lift off", "take off/took off", "set off/set off"), (), ("end",)),
    Kind("exhibit", ("exhibit", "show", "display", "sell/sold", "auction"), (), ("end",)),
    Kind("hearing", ("hear/heard",), ("hearing",), ("end",)),
    Kind("delay", ("postpone", "delay", "defer/deferred", "adjourn", "put off/put off", "push back"), ("postponement", "delay"), tone=-1),
    Kind(
        "end",
        (
            "withdraw/withdrew/withdrawn", "cancel/cancelled", "abandon", "scrap/scrapped", "revoke", "drop/dropped",
            "call off", "sink/sank/sunk", "rule out", "pull out", "void", "terminate", "rescind", "destroy", "disband",
            "dissolve", "collapse", "die", "decommission", "disqualify",
        ),
        ("withdrawal", "cancellation", "revocation"),
        tone=-1,
    ),
    Kind("lapse", ("lapse", "expire"), (), tone=-1),
)  # fmt: skip
"""Every kind, in the order in which ties are decided."""

BY_NAME = {kind.name: kind for kind in KINDS}

NEGATIONS = frozenset(
    "not no never neither nor without cannot can't won't didn't hasn't haven't wasn't weren't don't doesn't isn't aren't fail "
    "fails failed failing".split()
)
REFUSALS = frozenset("decline declines declined refuse refuses refused opted".split())
DETERMINERS = frozenset("the a an its their his her this that these those no any of our".split())
HYPOTHETICALS = frozenset(
    """will would could may might should shall can must to if whether unless until before ahead pending expect expects
    expected expecting hope hopes hoped hoping plan plans planned planning due scheduled ask asks asked asking urge urges
    urged want wants wanted propose proposes proposed demand demands demanded seek seeks sought likely unlikely possible
    deadline wait waits waiting awaits await awaiting promise promises promised threaten threatens threatened consider
    considers considering fear fears feared forecast forecasts predicted chance prospect possibility for'll""".split()
)
DECISIONS = frozenset("voted decided agreed ruled chose moved opted resolved ordered announced".split())
