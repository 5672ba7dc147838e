"""An election, and who may stand in it."""

from cruxbench_inspect.demo.story import Beat, Report, Series, Sibling, Story

CANDIDACY = Story(
    kind="candidacy",
    tags=("politics", "elections"),
    casts=(
        {
            "city": "Loranth",
            "office": "governor of Merrivia",
            "person": "Delphine Carrow",
            "rival": "Augustus Penrell",
            "commission": "Merrivian Election Commission",
            "pollster": "Plumline Polling",
            "goal": "60,000",
        },
        {
            "city": "Sundarin",
            "office": "mayor of Sundarin",
            "person": "Kirtan Olavesh",
            "rival": "Meenal Shastrane",
            "commission": "Vaskaran Election Board",
            "pollster": "Lotus Survey",
            "goal": "25,000",
        },
        {
            "city": "Ostrellin",
            "office": "president of Kaldria",
            "person": "Veera Launis-Holt",
            "rival": "Markku Terasvene",
            "commission": "Kaldrian Electoral Committee",
            "pollster": "Kaarna Research",
            "goal": "30,000",
        },
        {
            "city": "Pellagro",
            "office": "mayor of Pellagro",
            "person": "Inacio Moraleda",
            "rival": "Teresa Valdoura",
            "commission": "Electoral Court of Pellagro",
            "pollster": "Data Pampeira",
            "goal": "50,000",
        },
    ),
    prior=(0.32, 0.6),
    question="Will {person} win the election for {office} on {deadline}?",
    description=(
        "Resolves Yes if {person} is declared the winner of the election for {office} held on {deadline}, or elected "
        "in a run-off that follows from it. "
        "If {person} is not on the ballot it resolves No."
    ),
    articles=(
        Report(
            "[Papers due on {filing_on}|{commission} reminds of the deadline|Who will file?]",
            "The {commission} will close the list of candidates for {office} {filing_plan}. "
            "[Papers that come later are not accepted.|After that nobody can be added.] "
            "{person} [has not filed yet|has yet to file], [and {goal} signatures are needed|with {goal} signatures "
            "to collect].",
        ),
        Report(
            "[{person} at {poll_last} percent|Poll: {poll_last} percent for {person}|{pollster} sees {person} at "
            "{poll_last}]",
            "{pollster} publishes its poll for {office} every {poll_weekday} at {poll_clock} local time. "
            "In the last one {person} stood at {poll_last} percent, [after|following] {poll_before} a week earlier. "
            "[{rival} is close behind.|{rival} leads by a little.]",
        ),
        Report(
            "[{person} and {rival} to debate on {debate_on}|A debate before the election|{rival} agrees to debate]",
            "{person} and {rival} will debate on television {debate_plan}. "
            "{pollster} [will ask viewers who won and publish the answer the same night|is to ask viewers, with a "
            "result the same night]. "
            "[{rival} is thought the better speaker.|Neither has debated before.]",
        ),
        Report(
            "[{person} wants to be {office}|Portrait: {person}|From teacher to candidate: {person}]",
            "{person} [wants to become|has set out to become] {office}. "
            "[The former teacher promises cheaper homes.|Housing is the main theme of the campaign.] "
            "[{rival}, who holds the office, promises the same.|The office is held by {rival}.]",
        ),
        Report(
            "[Bookmakers: {person} {odds}|{person}'s victory {odds}]",
            "[A victory of {person} is {odds}, bookmakers in {city} say.|Bookmakers in {city} call a victory of "
            "{person} {odds}.] "
            "[Turnout may decide.|Much hangs on the villages.]",
        ),
        Report(
            "[Signatures: {person} collects|{person}'s helpers on the streets]",
            "Helpers of {person} collect signatures on every corner of {city}. "
            "[At the last count they had about two thirds of the {goal} that they need.|About two thirds of the "
            "{goal} are there, they said.]",
        ),
    ),
    core=6,
    beats=(
        Beat(
            key="poll",
            asks="Will {pollster} report more than {previous} percent for {person} on or before {on}?",
            schedule="repeated",
            days=(1, 26),
            clock="12:00",
            likelihoods=(0.58, 0.42),
            reporting=("stated", "convention", "convention", "stated"),
            yes=(
                Report(
                    "[{person} gains|Poll: {person} up to {value} percent]",
                    "{pollster} [reported {value} percent|published a poll with {value} percent] for {person} {at}. "
                    "{person} [rose|climbed] from {previous} percent.",
                ),
            ),
            no=(
                Report(
                    "[{person} loses ground|Poll: {person} down to {value} percent]",
                    "{pollster} [reported {value} percent|published a poll with {value} percent] for {person} {at}. "
                    "{person} [fell|slipped] from {previous} percent.",
                ),
            ),
            series=Series(weekday=2, releases=3, level=(31, 44), step=(0.3, 2.4), decimals=1),
        ),
        Beat(
            key="signatures",
            asks="Will {person} have collected {goal} signatures by {on}?",
            schedule="surprise",
            days=(4, 6),
            clock="12:00",
            likelihoods=(1.0, 1.0),
            reporting=("undated", "silent", "undated", "silent"),
            yes=(
                Report(
                    "[Signatures in hand|{person} has the signatures]",
                    "{person} has by now passed {goal} signatures, a helper said. "
                    "[The mark was reached some time ago.|Nobody wrote down the day.] "
                    "[The {commission} has yet to check them.|They are kept in a cellar in {city}.]",
                    delay=(3000, 5000),
                ),
            ),
        ),
        Beat(
            key="filing",
            asks="Will {person} be on the {commission}'s list of candidates for {office} on or before {on}?",
            schedule="scheduled",
            days=(12, 16),
            clock="18:00",
            likelihoods=(0.999, 0.85),
            reporting=("stated", "stated", "stated", "dated"),
            yes=(
                Report(
                    "[{person} on the ballot|{person} files in time]",
                    "{person} [filed|handed in] all papers in time, and the {commission} put the name on its list of "
                    "candidates for {office}. "
                    "[The list was closed {at}.|It closed the list {at}.]",
                ),
            ),
            no=(
                Report(
                    "[{person} not on the ballot|Deadline passes without {person}]",
                    "The deadline passed without papers from {person}. "
                    "[The {commission} closed the list of candidates for {office} {at}.|The list of candidates for "
                    "{office} was closed {at} by the {commission}.] "
                    "[No candidate can be added any more.|{person} is out of the race for good.]",
                ),
                Report(
                    "[{person}'s supporters look for another name|After {person}]",
                    "Supporters of {person} [are at a loss|look for another candidate] since the {commission} closed "
                    "its list. "
                    "[{rival} offered them a talk.|{person} gave no reason for not filing.]",
                    delay=(1300, 3000),
                ),
            ),
            no_rule="no_irreversible",
            ends=("No",),
        ),
        Beat(
            key="debate",
            asks="Will viewers name {person} the winner of the debate with {rival} on or before {on}?",
            schedule="scheduled",
            days=(19, 24),
            clock="22:15",
            likelihoods=(0.62, 0.42),
            reporting=("stated", "dated", "stated", "silent"),
            yes=(
                Report(
                    "[{person} wins debate|Viewers prefer {person}]",
                    "{person} won the debate with {rival}: [52|55|58] percent of viewers said so, {pollster} "
                    "announced {at}. "
                    "[Homes and rents were the main theme.|{rival} seemed tired.]",
                ),
            ),
            no=(
                Report(
                    "[{rival} wins debate|Viewers prefer {rival}]",
                    "{rival} won the debate with {person}: [51|54|57] percent of viewers said so, {pollster} "
                    "announced {at}. "
                    "[{person} did not convince on taxes.|{person} came second in every group.]",
                ),
            ),
            called_off=Report(
                "[No debate|Debate struck from the programme]",
                "The debate between {person} and {rival}, planned for {debate_on}, was called off. "
                "[{person} is not a candidate.|Without {person} on the list there is nothing to debate.]",
                delay=(400, 1300),
            ),
        ),
    ),
    waiting=Report(
        "[{person} and {rival}: all open|Campaign for {office} goes on]",
        "The election for {office} is still ahead. "
        "[On {on} both {person} and {rival} spoke in {city}.|{person} spoke on {on} in front of two thousand people.] "
        "[No result can be told yet.|Polls are close.]",
    ),
    aftermath={
        "Yes": Report(
            "[{person} elected|{person} is {office}]",
            "{person} won the election for {office}, the {commission} said on {on}.",
        ),
        "No": Report(
            "[{person} not elected|{office}: not {person}]",
            "{person} did not win the election for {office}, the {commission} said on {on}.",
        ),
    },
    at_deadline=True,
    sibling=Sibling(
        question="Will turnout in the election for {office} on {deadline} be above 60 percent?",
        description=(
            "Resolves Yes if the first official count of the {commission} puts turnout in the election for {office} "
            "held on {deadline} above 60.0 percent. "
            "Otherwise it resolves No."
        ),
        strength=0.6,
    ),
)
