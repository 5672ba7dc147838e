"""A bill on its way through a parliament."""

from cruxbench_inspect.demo.story import Beat, Report, Sibling, Story

BILL = Story(
    kind="bill",
    tags=("politics", "law"),
    casts=(
        {
            "city": "Hraunvik",
            "chamber": "Isfold Assembly",
            "bill": "Harbour Rights Bill",
            "council": "Council of State",
            "party": "Coastal Alliance",
            "leader": "Sunna Hallvard",
            "matter": "the shares of fishing towns in harbour fees",
        },
        {
            "city": "Velmar",
            "chamber": "Sarovian Diet",
            "bill": "Night Train Act",
            "council": "Constitutional Chamber",
            "party": "Civic Union",
            "leader": "Matthis Orlenko",
            "matter": "state money for night trains",
        },
        {
            "city": "Pellagro",
            "chamber": "Quintaran National Chamber",
            "bill": "River Protection Bill",
            "council": "Constitutional Tribunal",
            "party": "Party of the Interior",
            "leader": "Benedito Arruana",
            "matter": "a ban on new dams",
        },
        {
            "city": "Loranth",
            "chamber": "Merrivian House of Delegates",
            "bill": "Open Ledger Act",
            "council": "Legislative Review Board",
            "party": "Prairie Bloc",
            "leader": "Odessa Winthorne",
            "matter": "public registers of company owners",
        },
    ),
    prior=(0.35, 0.65),
    question="Will the {chamber} pass the {bill} by {deadline}?",
    description=(
        "Resolves Yes if the {chamber} adopts the {bill} in its final reading by {deadline}, 23:59 {city} time. "
        "Later signatures are not needed. "
        "Otherwise it resolves No."
    ),
    articles=(
        Report(
            "[Committee to vote on {bill} on {committee_on}|{bill} reaches committee vote|A date for the {bill}]",
            "The justice committee of the {chamber} will vote on the {bill} {committee_plan}. "
            "[The bill settles {matter}.|It is about {matter}.] "
            "[Without a recommendation it may still go to the floor, but rarely does.|A no would not kill it but "
            "would cost it time.]",
        ),
        Report(
            "[{council} examines {bill}|Is the {bill} lawful? The {council} decides|{council} to give its opinion]",
            "The {council} will give its binding opinion on the {bill} {opinion_plan}. "
            "[If it finds the bill unlawful, it cannot be passed in this session.|An unlawful bill would have to wait "
            "for the next session of the {chamber}.] "
            "[Professors disagree on what to expect.|Its earlier opinions point both ways.]",
        ),
        Report(
            "[{party} to settle its line at congress|{party} meets over {bill}|{leader} waits for the party's word]",
            "The {party} will decide at its congress {congress_plan} whether it supports the {bill}. "
            "[Its votes are needed in the {chamber}.|Without its votes there is no majority.] "
            "[{leader} has kept silent about it.|Party leader {leader} has not taken sides.]",
        ),
        Report(
            "[What the {bill} is about|The {bill} explained]",
            "The {bill} [deals with|is about] {matter}. "
            "[It was brought in last autumn by members of three parties.|Three parties wrote it together.] "
            "[Two earlier attempts failed.|A first attempt failed four years ago.]",
        ),
        Report(
            "[{bill}: passage {odds}|Lobbyists see {bill} as {odds}]",
            "[Those who count votes in {city} call its passage {odds}.|Passage by {deadline} is {odds}, say those who "
            "follow the {chamber}.] "
            "[Eleven members are undecided.|A dozen votes are open.]",
        ),
        Report(
            "[March for {bill} in {city}|Thousands walk for the {bill}]",
            "[About six thousand people|Several thousand people] walked through {city} for the {bill}. "
            "[They ask the {chamber} to hurry.|A counter-march drew a few hundred.]",
        ),
    ),
    core=4,
    beats=(
        Beat(
            key="committee",
            asks="Will the justice committee of the {chamber} recommend the {bill} on or before {on}?",
            schedule="scheduled",
            days=(3, 8),
            clock="12:30",
            likelihoods=(0.8, 0.55),
            reporting=("stated", "dated", "stated", "silent"),
            yes=(
                Report(
                    "[Committee backs {bill}|{bill} clears committee]",
                    "The justice committee of the {chamber} [recommended|approved] the {bill} {at}, by [12 votes to "
                    "9|11 votes to 10|13 votes to 8]. "
                    "[The {party} abstained.|Two amendments were added.]",
                ),
            ),
            no=(
                Report(
                    "[Committee against {bill}|Setback for {bill} in committee]",
                    "The justice committee of the {chamber} [did not recommend|voted against] the {bill} {at}, by [12 "
                    "votes to 9|11 votes to 10]. "
                    "[Its authors want to bring it to the floor all the same.|The floor may still take it up.]",
                ),
            ),
        ),
        Beat(
            key="congress",
            asks="Will the {party} decide to support the {bill} at its congress on or before {on}?",
            schedule="scheduled",
            days=(10, 14),
            clock="19:45",
            likelihoods=(0.7, 0.4),
            reporting=("dated", "stated", "dated", "stated"),
            yes=(
                Report(
                    "[{party} backs {bill}|Delegates follow the {bill}]",
                    "The {party} [decided {at} to support|voted {at} to support] the {bill}. "
                    "[Leader {leader} had asked for a free vote.|Leader {leader} spoke of a good day for {country}.]",
                ),
            ),
            no=(
                Report(
                    "[{party} turns from {bill}|Delegates say no to {bill}]",
                    "The {party} [decided {at} not to support|voted {at} against support for] the {bill}. "
                    "[Some of its members want to vote for it anyway.|Leader {leader} said that the door is not shut.]",
                ),
            ),
        ),
        Beat(
            key="opinion",
            asks="Will the {council} find the {bill} lawful on or before {on}?",
            schedule="scheduled",
            days=(18, 24),
            clock="10:00",
            likelihoods=(0.995, 0.72),
            reporting=("stated", "stated", "stated", "dated"),
            yes=(
                Report(
                    "[{council}: {bill} is lawful|Green light for {bill}]",
                    "The {council} [found|declared] the {bill} lawful. "
                    "[It published its opinion {at}.|The opinion was read out {at}.] "
                    "[The final reading can be called.|The {chamber} may now set a date for the final reading.]",
                ),
            ),
            no=(
                Report(
                    "[{council} stops {bill}|{bill} unlawful, says {council}]",
                    "The {council} [rejected the {bill} as unlawful|ruled the {bill} unlawful]. "
                    "[It published its binding opinion {at}.|The binding opinion was read out {at}.] "
                    "[The bill is dead for this session, its authors said.|It can no longer be passed in this "
                    "session.]",
                ),
                Report(
                    "[A new try next year|Authors of {bill} give up for now]",
                    "[After the {council} ruled the {bill} unlawful, its authors withdrew it for good|The authors of "
                    "the {bill}, which the {council} ruled unlawful, have withdrawn it for good]. "
                    "[They plan a new text.|A new text is to follow in the next session.]",
                    delay=(1400, 4000),
                ),
            ),
            no_rule="no_irreversible",
            ends=("No",),
        ),
    ),
    waiting=Report(
        "[No date for {bill}|{bill} waits for the floor]",
        "The {chamber} [has not yet set a date|has no date] for the final reading of the {bill}, [its president said "
        "on {on}|as of {on}]. "
        "[There is time until {deadline}.|The calendar is full.]",
    ),
    aftermath={
        "Yes": Report(
            "[{chamber} passes {bill}|{bill} is law]",
            "The {chamber} [passed|adopted] the {bill} in its final reading, its office said on {on}.",
        ),
        "No": Report(
            "[{bill} not passed|Session ends without {bill}]",
            "The {chamber} did not pass the {bill} by {deadline}, its office said on {on}.",
        ),
    },
    settles=True,
    sibling=Sibling(
        question="Will {leader} lead the {party} at the end of {deadline}?",
        description=(
            "Resolves Yes if {leader} is the elected leader of the {party} on {deadline} at 23:59 {city} time, by the "
            "party's own website. "
            "Otherwise it resolves No."
        ),
        strength=0.5,
    ),
)
