"""A stolen work of art."""

from cruxbench_inspect.demo.story import Beat, Report, Story

RECOVERY = Story(
    kind="recovery",
    tags=("culture", "crime"),
    casts=(
        {
            "city": "Dunmarrow",
            "piece": "the Amber Lute",
            "museum": "Thelwick Museum",
            "police": "Dunmarrow Police",
            "suspect": "Perrin Gault",
            "court": "Dunmarrow Crown Court",
            "laboratory": "Esklander Forensic Institute",
        },
        {
            "city": "Kasumori",
            "piece": "the painting Herons at Dusk",
            "museum": "Tenzaki Gallery",
            "police": "Kasumori Prefecture Police",
            "suspect": "Goro Hatamine",
            "court": "Kasumori District Court",
            "laboratory": "Takemiran Forensic Centre",
        },
        {
            "city": "Carrowell",
            "piece": "the Istrell Nugget",
            "museum": "Carrowell Mining Museum",
            "police": "Carrowell Sheriff's Office",
            "suspect": "Wade Tollifer",
            "court": "Carrowell County Court",
            "laboratory": "Delmorian Crime Laboratory",
        },
        {
            "city": "Port Ansgar",
            "piece": "the Ansgar Chalice",
            "museum": "Harbour Cathedral Treasury",
            "police": "Tollanian Mounted Constabulary",
            "suspect": "Lucien Orrowby",
            "court": "Supreme Court of Tollany",
            "laboratory": "Tollanian Laboratory of Evidence",
        },
    ),
    prior=(0.24, 0.5),
    question="Will {piece}, stolen from the {museum}, be recovered by {deadline}?",
    description=(
        "Resolves Yes if {piece}, or the larger part of it, is in the hands of the authorities or of the {museum} by "
        "{deadline}, 23:59 {city} time, according to the {police} or the {museum}. "
        "Otherwise it resolves No."
    ),
    articles=(
        Report(
            "[Court to decide on custody of {suspect}|{suspect} before the judge on {custody_on}|Custody hearing set]",
            "The {court} will decide whether {suspect} stays in custody {custody_plan}. "
            "[{suspect} worked as a guard at the {museum}.|The former guard of the {museum} denies everything.] "
            "[Detectives think that a suspect in custody may talk about {piece}.|Detectives hope that custody loosens "
            "tongues.]",
        ),
        Report(
            "[Burnt remains in a quarry|Is it {piece}? Laboratory to report on {remains_on}]",
            "The {laboratory} will report {remains_plan} whether burnt remains from a quarry near {city} come from "
            "{piece}. "
            "[If they do, there is nothing left to recover.|That would be the end of the search.] "
            "[The {museum} prays that they do not.|The {museum} does not believe it.]",
        ),
        Report(
            "[{piece} gone overnight|Theft at the {museum}|{museum} robbed]",
            "Thieves took {piece} from the {museum} in {city} [during the night|in the early morning]. "
            "[They knew the alarm well.|They came through the roof.] "
            "[Its value is hard to put in numbers, said the museum.|It has hung there for a century.]",
        ),
        Report(
            "[{police} seeks helpers of {suspect}|More arrests to come?]",
            "The {police} [is looking for two helpers of {suspect}|thinks that {suspect} had two helpers]. "
            "Detectives hope that an arrest will follow in the coming weeks. "
            "[A grey van is sought.|A call from abroad gave them a hint.]",
        ),
        Report(
            "[Return of {piece} {odds}|Art dealers on {piece}]",
            "[A return of {piece} by {deadline} is {odds}, dealers say.|Dealers in {city} call a return by {deadline} "
            "{odds}.] "
            "[Nobody can sell it openly.|Pieces like it often turn up after years.]",
        ),
        Report(
            "[{museum} offers a reward|Reward for {piece}]",
            "The {museum} [offers|has set out] a reward for {piece}. "
            "[Some sixty hints have come in.|The {police} received sixty calls.] "
            "[Not one has led anywhere.|Most are worthless.]",
        ),
    ),
    core=4,
    beats=(
        Beat(
            key="custody",
            asks="Will the {court} keep {suspect} in custody on or before {on}?",
            schedule="scheduled",
            days=(3, 7),
            clock="09:45",
            likelihoods=(0.72, 0.55),
            reporting=("stated", "stated", "dated", "silent"),
            yes=(
                Report(
                    "[{suspect} stays in custody|Judge keeps {suspect} locked up]",
                    "The {court} [ordered|ruled] {at} that {suspect} stays in custody. "
                    "[The judge saw a danger of flight.|The defence will complain.]",
                ),
            ),
            no=(
                Report(
                    "[{suspect} released|Judge lets {suspect} go]",
                    "The {court} [released {suspect} from custody|did not keep {suspect} in custody]. "
                    "[The judge announced it {at}.|The decision fell {at}.] "
                    "[The evidence is too thin, the judge said.|{suspect} has to hand in his passport.]",
                ),
            ),
        ),
        Beat(
            key="arrest",
            asks="Will the {police} arrest a helper of {suspect} by {on}?",
            schedule="surprise",
            days=(9, 14),
            clock="06:30",
            likelihoods=(0.6, 0.35),
            reporting=("dated", "stated", "stated", "dated"),
            yes=(
                Report(
                    "[Arrest in the case of {piece}|Helper of {suspect} arrested]",
                    "The {police} arrested a helper of {suspect} {at}. "
                    "[A grey van was found in his barn.|Neighbours had given the hint.] "
                    "[{piece} was not found.|There was no trace of {piece}.]",
                ),
            ),
        ),
        Beat(
            key="remains",
            asks="Will the {laboratory} report that the burnt remains do not come from {piece} on or before {on}?",
            schedule="scheduled",
            days=(16, 21),
            clock="14:30",
            likelihoods=(0.995, 0.8),
            reporting=("stated", "dated", "stated", "stated"),
            yes=(
                Report(
                    "[Remains are not {piece}|Relief at the {museum}]",
                    "The {laboratory} reported {at} that the burnt remains come from another object and that {piece} "
                    "may well be whole. "
                    "[The search goes on.|The {museum} was relieved.]",
                ),
            ),
            no=(
                Report(
                    "[{piece} destroyed|Remains come from {piece}]",
                    "The {laboratory} reported {at} that the burnt remains come from {piece}. "
                    "It [is destroyed for good|was destroyed and cannot be restored]. "
                    "[The {museum} hung a black cloth in its place.|The {police} ended the search.]",
                ),
                Report(
                    "[{museum} mourns {piece}|After the loss of {piece}]",
                    "[Hundreds came to the {museum} to mourn {piece}, which was destroyed.|The {museum} held an hour "
                    "of silence for the destroyed {piece}.] "
                    "[The trial of {suspect} goes on.|{suspect} will stand trial next year.]",
                    delay=(1400, 3000),
                ),
            ),
            no_rule="no_irreversible",
            ends=("No",),
        ),
        Beat(
            key="find",
            asks="Will the {police} recover {piece} by {on}?",
            schedule="surprise",
            days=(23, 25),
            clock="20:10",
            likelihoods=(0.35, 0.0),
            reporting=("stated", "stated", "stated", "stated"),
            yes=(
                Report(
                    "[{piece} found|{piece} is back]",
                    "The {police} recovered {piece} from a boathouse. "
                    "[It was shown to the press {at}.|The find was announced {at}.] "
                    "[It is hardly damaged.|The {museum} has it back.]",
                ),
            ),
            ends=("Yes",),
        ),
    ),
    waiting=Report(
        "[{piece} still missing|No trace of {piece}]",
        "{piece} was still missing [on {on}|as of {on}]. "
        "[The {police} had nothing new to say.|Detectives go through old hints once more.]",
    ),
    aftermath={
        "Yes": Report(
            "[{piece} recovered|{museum} gets {piece} back]",
            "The {police} recovered {piece}, it was announced on {on}.",
        ),
        "No": Report(
            "[{piece} not recovered|A sad date for the {museum}]",
            "{piece} had not been recovered when {deadline} ended, the {police} said on {on}.",
        ),
    },
)
