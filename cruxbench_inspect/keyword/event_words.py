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


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


KINDS = (
    Kind(
        "approve",
        _listed(
            "approve, clear, authorise, authorize, allow, grant, pass, adopt, accept, endorse, ratify, back, "
            "uphold/upheld, permit/permitted, renew, award, wave through, sign off, support, recommend, say "
            "yes/said yes, give the go-ahead/gave the go-ahead"
        ),
        nouns=("approval", "clearance", "go-ahead"),
        opposites=("reject", "end"),
        tone=1,
    ),
    Kind(
        "reject",
        _listed(
            "reject, refuse, deny, block, dismiss, prohibit, veto, quash, annul/annulled, overturn, turn down, "
            "strike down/struck down, vote down, throw out/threw out/thrown out, defeat, bar/barred, ban/banned, "
            "forbid/forbade/forbidden, rebuff, decline, say no/said no"
        ),
        nouns=("rejection", "refusal"),
        opposites=("approve", "agree"),
        tone=-1,
    ),
    Kind(
        "raise",
        _listed("raise, lift, increase, hike, rise/rose/risen"),
        opposites=("cut", "hold"),
        tone=1,
    ),
    Kind(
        "cut",
        _listed("cut/cut, lower, reduce, trim/trimmed, ease, fall/fell/fallen"),
        opposites=("raise", "hold"),
        tone=-1,
    ),
    Kind(
        "hold",
        _listed("leave/left, keep/kept, hold steady/held steady"),
        nouns=("unchanged",),
        opposites=("raise", "cut"),
    ),
    Kind(
        "stay",
        _listed("stay, remain, keep/kept, retain"),
        opposites=("free", "end"),
    ),
    Kind(
        "free",
        _listed("free, set free/set free, let go/let go, go free/went free"),
        opposites=("stay",),
    ),
    Kind(
        "order",
        _listed("order, impose, require, instruct, mandate"),
        opposites=("end",),
    ),
    Kind(
        "change",
        _listed("change, alter"),
        opposites=("hold",),
        implied_by=("raise", "cut"),
    ),
    Kind(
        "decide",
        _listed("decide, rule, hand down, deliver, determine, give its/gave its, conclude, pronounce"),
        nouns=("verdict",),
        opposites=("end",),
        implied_by=_OUTCOMES,
    ),
    Kind(
        "vote",
        _listed("vote, ballot"),
        opposites=("end",),
        implied_by=("approve", "reject"),
    ),
    Kind(
        "meet",
        _listed("meet/met, convene, sit/sat, gather"),
        opposites=("end",),
        implied_by=("vote", *_OUTCOMES),
    ),
    Kind(
        "publish",
        _listed("publish, release, issue, post"),
        nouns=("publication",),
        opposites=("end",),
        implied_by=("raise", "cut", "total"),
    ),
    Kind(
        "total",
        _listed("total/totalled, stand at/stood at, come to/came to, come in/came in, reach"),
    ),
    Kind(
        "launch",
        _listed("launch, unveil, debut, introduce, go on sale/went on sale/gone on sale, ship/shipped, roll out"),
        opposites=("end",),
        tone=1,
    ),
    Kind(
        "open",
        _listed("open, reopen, resume, restart, restore, enter service, go live/went live, return to service"),
        nouns=("reopening", "resumption"),
        opposites=("end", "close"),
        tone=1,
    ),
    Kind(
        "start",
        _listed("start, begin/began/begun, commence, kick off"),
        opposites=("end",),
        tone=1,
    ),
    Kind(
        "close",
        _listed("close, shut/shut, suspend, halt"),
        nouns=("closure", "suspension"),
        opposites=("open",),
        tone=-1,
    ),
    Kind(
        "arrest",
        _listed("arrest, detain, apprehend, take into custody/took into custody/taken into custody"),
        nouns=("arrest", "arrests"),
    ),
    Kind(
        "charge",
        _listed("charge, indict, prosecute, face charges"),
        nouns=("indictment",),
        opposites=("end",),
    ),
    Kind(
        "find",
        _listed("find/found, recover, retrieve, return, discover, locate, hand over, surface"),
        nouns=("recovery",),
        opposites=("end",),
        tone=1,
    ),
    Kind(
        "agree",
        _listed(
            "agree, sign, settle, strike a deal/struck a deal, reach agreement, seal, conclude a deal, shake "
            "hands/shook hands"
        ),
        nouns=("settlement",),
        opposites=("reject", "end"),
        tone=1,
    ),
    Kind(
        "strike",
        _listed("strike/struck, walk out, stop work/stopped work, down tools"),
        nouns=("walkout", "stoppage"),
        tone=-1,
    ),
    Kind(
        "stop",
        _listed("end, stop/stopped, cease"),
    ),
    Kind(
        "win",
        _listed("win/won, secure, carry, prevail, triumph"),
        nouns=("victory",),
        opposites=("lose",),
        tone=1,
    ),
    Kind(
        "lose",
        _listed("lose/lost, concede"),
        nouns=("defeat",),
        opposites=("win",),
        tone=-1,
    ),
    Kind(
        "register",
        _listed("register, file, submit/submitted, enter, nominate, lodge, apply"),
        opposites=("end", "lapse"),
        tone=1,
    ),
    Kind(
        "appoint",
        _listed("appoint, name, elect, choose/chose/chosen, select"),
        nouns=("appointment",),
        opposites=("end",),
        tone=1,
    ),
    Kind(
        "resign",
        _listed("resign, step down, quit/quit, stand down/stood down"),
        nouns=("resignation",),
        tone=-1,
    ),
    Kind(
        "deliver",
        _listed("complete, finish, install, arrive, deliver, dock, land"),
        nouns=("completion",),
        opposites=("end",),
        tone=1,
    ),
    Kind(
        "depart",
        _listed("depart, sail, leave port/left port, lift off, take off/took off, set off/set off"),
        opposites=("end",),
    ),
    Kind(
        "exhibit",
        _listed("exhibit, show, display, sell/sold, auction"),
        opposites=("end",),
    ),
    Kind(
        "hearing",
        _listed("hear/heard"),
        nouns=("hearing",),
        opposites=("end",),
    ),
    Kind(
        "delay",
        _listed("postpone, delay, defer/deferred, adjourn, put off/put off, push back"),
        nouns=("postponement", "delay"),
        tone=-1,
    ),
    Kind(
        "end",
        _listed(
            "withdraw/withdrew/withdrawn, cancel/cancelled, abandon, scrap/scrapped, revoke, drop/dropped, call "
            "off, sink/sank/sunk, rule out, pull out, void, terminate, rescind, destroy, disband, dissolve, "
            "collapse, die, decommission, disqualify"
        ),
        nouns=("withdrawal", "cancellation", "revocation"),
        tone=-1,
    ),
    Kind(
        "lapse",
        _listed("lapse, expire"),
        tone=-1,
    ),
)
"""Every kind, in the order in which ties are decided."""

BY_NAME = {kind.name: kind for kind in KINDS}

NEGATIONS = frozenset(
    """not no never neither nor without cannot can't won't didn't hasn't haven't wasn't weren't don't doesn't isn't
    aren't fail fails failed failing""".split()
)
"""Words that deny what follows them."""

REFUSALS = frozenset("decline declines declined refuse refuses refused opted".split())
"""Verbs that say that somebody chose not to do what follows."""

DETERMINERS = frozenset("the a an its their his her this that these those no any of our".split())
"""Words after which a verb's base form is a noun."""

HYPOTHETICALS = frozenset(
    """will would could may might should shall can must to if whether unless until before ahead pending expect expects
    expected expecting hope hopes hoped hoping plan plans planned planning due scheduled ask asks asked asking urge
    urges urged want wants wanted propose proposes proposed demand demands demanded seek seeks sought likely unlikely
    possible deadline wait waits waiting await awaits awaiting promise promises promised threaten threatens threatened
    consider considers considering fear fears feared forecast forecasts predicted chance prospect possibility""".split()
)
"""Words before an event word that leave open whether it happens."""

DECISIONS = frozenset("voted decided agreed ruled chose moved opted resolved ordered announced".split())
"""Verbs of deciding: "voted to approve" reports an approval."""
