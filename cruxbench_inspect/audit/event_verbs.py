"""Verbs of the events that questions ask for: their forms, others that tell the same, others that tell the opposite."""

import re
from functools import lru_cache

_IRREGULAR = {
    "win": "won", "beat": "beat beaten", "lose": "lost", "quit": "quit", "step": "stepped", "leave": "left",
    "take": "took taken",
    "strike": "struck", "cut": "cut", "hold": "held", "keep": "kept", "hit": "hit", "fall": "fell fallen",
    "rise": "rose risen",
    "go": "went gone", "come": "came come", "become": "became become", "begin": "began begun", "break": "broke broken",
    "make": "made", "meet": "met", "pay": "paid", "put": "put", "run": "ran run", "say": "said", "see": "saw seen",
    "sell": "sold",
    "send": "sent", "set": "set", "shut": "shut", "speak": "spoke spoken", "steal": "stole stolen",
    "withdraw": "withdrew withdrawn",
    "uphold": "upheld", "overthrow": "overthrew overthrown", "find": "found", "get": "got gotten", "give": "gave given",
    "bring": "brought", "build": "built", "buy": "bought", "catch": "caught", "choose": "chose chosen",
    "drop": "dropped",
    "grow": "grew grown", "lift": "lifted", "ban": "banned", "stop": "stopped", "let": "let",
    "overtake": "overtook overtaken",
    "ship": "shipped", "top": "topped", "trim": "trimmed", "scrap": "scrapped", "veto": "vetoed", "slip": "slipped",
    "split": "split",
    "freeze": "froze frozen", "shoot": "shot", "sink": "sank sunk", "shrink": "shrank shrunk", "defer": "deferred",
    "retake": "retook retaken",
    "withhold": "withheld", "cap": "capped", "skip": "skipped", "curb": "curbed", "rebel": "rebelled",
    "spend": "spent", "write": "wrote written",
    "fly": "flew flown",
    "lead": "led", "be": "was were been", "have": "had", "hike": "hiked", "die": "died", "oversee": "oversaw",
    "swear": "swore sworn",
    "bid": "bid", "draw": "drew drawn", "drive": "drove driven", "spread": "spread", "tie": "tied", "stay": "stayed",
    "remain": "remained",
    "fire": "fired", "flee": "fled", "throw": "threw thrown", "admit": "admitted", "commit": "committed",
    "permit": "permitted",
    "submit": "submitted", "transfer": "transferred", "refer": "referred", "control": "controlled",
    "cancel": "cancelled canceled",
    "fail": "failed", "exit": "exited", "plunge": "plunged", "tear": "tore torn", "undergo": "underwent undergone",
    "deny": "denied", "acquit": "acquitted",
}  # fmt: skip
_REGULAR = (
    "abandon abolish accept acquire add adjourn adopt agree allow amend announce annul appear appoint approve arrest"
    " delay cease blame board broker burn cap cede censure change close condemn contest contract convene convert"
    " cooperate"
    " cripple crush curb damage debate decide declassify decrease deepen default defect defer demolish demote deprive"
    " derail destroy devalue disclose disqualify divert divest divorce double downgrade eject elevate embargo emerge"
    " engage escape evacuate evade exchange exclude exempt explode export expropriate finalise finalize float flood"
    " fund gain gather guarantee hack halve handle ignite import improve indicate inspect install integrate intercept"
    " intervene investigate invest invite jail kick liberate license liquidate loosen lobby locate manage marry mediate"
    " mobilise mobilize monitor murder muzzle oblige occupy offer operate order organise organize orbit overhaul patent"
    " persuade phase plant pledge poison possess present preserve privatise privatize probe produce prohibit promote"
    " propose protest prove provide punish purchase pursue quarantine quash rally reassign rebel receive recommend"
    " reconvene record redeem reelect reform refund register regain reimpose reinstall rejoin relaunch relax relinquish"
    " rename repatriate repay reprieve request require reschedule reserve reshuffle respond retaliate retain retake"
    " return reunite rupture sabotage salvage scale scrutinise search separate serve share shelve shift shorten shrink"
    " skip soften sponsor sustain tackle target tax tighten topple touch trigger triple undermine unite unlock unseal"
    " unseat uncover urge vaccinate vanish violate vow warn weaken welcome widen withhold worsen wound yield"
    " attack"
    " attend authorize authorise back block bomb call capture certify climb jump charge claim clear clinch close"
    " collapse"
    " complete conclude"
    " confirm continue convict crash cross crown cure debut declare decline defeat deliver deploy depart detain"
    " disband dismiss"
    " dissolve download drag edge elect eliminate enact end endorse enter erupt establish evict exceed execute"
    " exonerate expand expel"
    " expire extend extradite face file finish form fine free gain grant halt happen host impeach implement impose"
    " indict increase"
    " infect inaugurate introduce invade invalidate invoke issue join kidnap kill land last launch legalize legalise"
    " list lower maintain"
    " mandate march merge miss move name nationalise nationalize negotiate nominate normalise normalize open oppose"
    " order oust outlaw overturn"
    " own pardon pass pause place play plead postpone prevail proclaim prosecute publish pull qualify raise ratify"
    " reach recall"
    " recognise recognize recover reduce refuse reinstate reject release relegate relocate remove renew reopen repeal"
    " select pick stage suspend replace report rescue"
    " resign resolve restart restore resume retire return reveal reverse revoke revive rule sack sail sanction score"
    " scrub seal secede"
    " seize sentence settle sign slash start succeed sue summon surpass surrender sweep switch terminate test testify"
    " tour trade"
    " triumph try unveil upgrade vacate visit void vote walk waive"
).split()
KNOWN = frozenset(_IRREGULAR) | frozenset(_REGULAR)
"""Verbs in their base form."""

DONE_TO = frozenset("oust fire dismiss remove sack crown elect".split())
"""Verbs whose object is the subject of the question: who is ousted leaves, who is crowned wins."""

# The first tells the same as the others; after "=", each tells the same as each other.
_SAME = (
    "win take clinch claim capture triumph prevail beat defeat crown elect sweep edge",
    "resign quit leave depart step",
    "leave resign quit depart step oust fire dismiss remove sack",
    "sign seal conclude reach agree",
    "release launch ship unveil debut",
    "launch fly",
    "approve clear pass authorise authorize adopt grant",
    "pass adopt approve enact ratify clear",
    "strike overturn void annul invalidate",
    "= cut lower reduce slash trim",
    "= raise hike increase lift",
    "end finish conclude",
    "= reach hit exceed surpass top cross break",
    "declare proclaim",
    "= complete close finish conclude",
    "= arrest catch capture detain",
    "= fire dismiss sack oust remove",
    "charge indict",
    "appoint name nominate elect confirm",
    "ban outlaw prohibit",
    "repeal abolish revoke scrap",
    "invade attack",
    "cancel scrap",
    "= choose pick select",
    "choose name elect",
    "suspend halt pause stop",
    "= acquire buy",
    "host stage hold",
    "restart resume reopen",
    "= rise climb increase jump",
    "= fall drop decline sink",
)
_OPPOSITE = {
    "win": "lose fall",
    "resign": "remain stay", "quit": "remain stay", "leave": "remain stay",
    "approve": "block reject refuse veto abandon withdraw scrap terminate", "clear": "block reject",
    "confirm": "reject block withdraw", "appoint": "reject block withdraw", "nominate": "reject",
    "elect": "reject lose",
    "choose": "reject", "hold": "cancel postpone scrap", "host": "cancel postpone scrap",
    "visit": "cancel postpone scrap",
    "merge": "abandon cancel", "pass": "reject defeat veto", "adopt": "reject defeat veto", "ratify": "reject",
    "enact": "reject veto",
    "strike": "uphold", "overturn": "uphold", "annul": "uphold",
    "cut": "hold keep leave maintain raise hike", "lower": "hold keep leave maintain raise hike",
    "raise": "hold keep leave maintain cut lower", "hike": "hold keep leave maintain cut lower",
    "increase": "hold keep leave maintain cut lower",
    "end": "continue last drag", "complete": "abandon cancel collapse terminate withdraw scrap",
    "close": "abandon cancel collapse terminate",
    "acquire": "abandon withdraw terminate", "buy": "abandon withdraw", "launch": "scrub cancel postpone",
    "release": "postpone delay cancel",
    "convict": "acquit", "sign": "reject refuse collapse veto", "fire": "remain stay", "remove": "remain stay",
    "oust": "survive remain stay",
    "extend": "expire", "break": "miss", "reach": "miss", "hit": "miss", "qualify": "miss", "ban": "reject allow",
    "block": "allow permit",
}  # fmt: skip
_NOUNS = {
    "win": "winner winners victory victor champion champions triumph", "end": "over",
    "resign": "resignation departure exit",
    "launch": "liftoff lift-off", "approve": "approval", "sign": "signing", "declare": "declaration",
    "arrest": "arrest",
    "pass": "passage", "release": "release", "acquire": "acquisition takeover", "complete": "completion",
    "elect": "election",
    "convict": "conviction", "remove": "removal", "fire": "firing dismissal", "dismiss": "dismissal", "oust": "ouster",
}  # fmt: skip


def same(verb: str) -> frozenset[str]:
    """A verb with those that tell the same event."""
    return frozenset([verb]).union(*(group.split() for group in _SAME if group.split()[0] == verb), *_mutual(verb)) - {
        "="
    }


def _mutual(verb: str) -> list[list[str]]:
    return [group.split() for group in _SAME if group.startswith("= ") and verb in group.split()]


def opposite(verb: str) -> frozenset[str]:
    """Verbs that tell that the event did not come."""
    return frozenset(_OPPOSITE.get(verb, "").split())


def nouns(verb: str) -> frozenset[str]:
    """Nouns that name the event."""
    return frozenset(_NOUNS.get(verb, "").split())


@lru_cache(maxsize=4096)
def past_forms(verb: str) -> frozenset[str]:
    """The past tense and the participle of a verb."""
    if verb in _IRREGULAR:
        return frozenset(_IRREGULAR[verb].split())
    if verb.endswith("e"):
        return frozenset([f"{verb}d"])
    if re.search(r"[^aeiou]y$", verb):
        return frozenset([f"{verb[:-1]}ied"])
    doubled = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb)
    return frozenset([f"{verb}{verb[-1] if doubled else ''}ed"])


@lru_cache(maxsize=4096)
def present_form(verb: str) -> str:
    """The third person of a verb."""
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


@lru_cache(maxsize=4096)
def base_of(participle: str) -> str | None:
    """The known verb of a past form."""
    return next((verb for verb in sorted(KNOWN) if participle in past_forms(verb)), None)
