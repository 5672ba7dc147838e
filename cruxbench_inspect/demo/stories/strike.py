"""A strike and the talks that may end it."""

from cruxbench_inspect.demo.story import Beat, Report, Series, Story

STRIKE = Story(
    kind="strike",
    tags=("labour", "transport"),
    casts=(
        {
            "city": "Port Ansgar",
            "union": "Dockers' Union of Tollany",
            "employer": "Ansgar Harbour Company",
            "site": "the container port of Port Ansgar",
            "waiting_for": "ships",
            "speaker": "Noreen Castellow",
            "mediator": "Tollanian Mediation Board",
            "fund": "40 million dollars",
        },
        {
            "city": "Dunmarrow",
            "union": "Esklander Rail Workers' Union",
            "employer": "Norrgate Lines",
            "site": "the railways around Dunmarrow",
            "waiting_for": "freight trains",
            "speaker": "Callum Brackwater",
            "mediator": "Esklander Conciliation Office",
            "fund": "3 million pounds",
        },
        {
            "city": "Sundarin",
            "union": "Vaskaran Mill Workers' League",
            "employer": "Sundarin Spinning Mills",
            "site": "the spinning mills of Sundarin",
            "waiting_for": "cotton wagons",
            "speaker": "Lalita Vemurane",
            "mediator": "Labour Commissioner of Vaskara",
            "fund": "200 million vask",
        },
        {
            "city": "Carrowell",
            "union": "Copper Miners' Federation",
            "employer": "Istrell Mining",
            "site": "the Istrell copper mine near Carrowell",
            "waiting_for": "ore trucks",
            "speaker": "Hank Dellavoy",
            "mediator": "Delmorian Labor Mediation Service",
            "fund": "12 million dollars",
        },
    ),
    prior=(0.4, 0.68),
    question="Will the strike at {site} end by {deadline}?",
    description=(
        "Resolves Yes if the {union} declares the strike at {site} over, or work is taken up again under an agreement "
        "with {employer}, by {deadline}, 23:59 {city} time. "
        "A pause alone does not count. "
        "Otherwise it resolves No."
    ),
    articles=(
        Report(
            "[Members to vote on offer on {ballot_on}|{union} puts offer to a vote|Strike: ballot on {ballot_on}]",
            "The {union} will announce the result of its ballot on the employer's offer {ballot_plan}. "
            "{employer} [offers five percent more pay|has offered five percent]; the union wants nine. "
            "[A yes would not end the strike at once, but talks about details could begin.|If members accept, details "
            "remain to be settled before work begins.]",
        ),
        Report(
            "[Mediators call both sides to {city}|{mediator} steps in|A date for talks]",
            "The {mediator} will meet the {union} and {employer} {talks_plan}. "
            "[It can propose a settlement but not impose one.|It hopes to present a proposal on that day.] "
            "[Earlier talks broke off after two hours.|The sides last met a month ago.]",
        ),
        Report(
            "[{queue_last} {waiting_for} held up|Queue at {queue_last}, was {queue_before}|The count: {queue_last} "
            "{waiting_for} wait]",
            "{employer} publishes every {queue_weekday} at {queue_clock} local time how many {waiting_for} are held "
            "up at {site}. "
            "The last count was {queue_last}, [against|after] {queue_before} a week before. "
            "[The queue puts pressure on both sides.|Customers grow impatient.]",
        ),
        Report(
            "[Strike at {site} goes on|{union}: we can wait|No end in sight at {employer}]",
            "[Members of the {union} have stopped work|Work has stopped] at {site}. "
            "[{speaker}, who speaks for the {union}, said that nobody is in a hurry.|We can hold out, said {speaker} "
            "of the {union}.] "
            "The strike fund has {fund} to spend, [and less than half of it is gone|and more than half is left].",
        ),
        Report(
            "[End of strike {odds}|How long will it last?]",
            "[An end by {deadline} is {odds}, say those who know both sides.|Observers in {city} call an end by "
            "{deadline} {odds}.] "
            "[The offers are four points apart.|Pensions, too, are in dispute.]",
        ),
        Report(
            "[Traders count their losses|Shops near {site} suffer]",
            "[Shopkeepers|Traders] in {city} [ask for help|have written to the government]. "
            "[Business is down by a third since the strike began.|Some have sent staff home.] "
            "{employer} [did not comment|had no answer].",
        ),
    ),
    core=4,
    beats=(
        Beat(
            key="queue",
            asks="Will {employer} report more than {previous} {waiting_for} held up on or before {on}?",
            schedule="repeated",
            days=(1, 24),
            clock="11:00",
            likelihoods=(0.45, 0.55),
            reporting=("stated", "convention", "convention", "stated"),
            yes=(
                Report(
                    "[Queue grows to {value}|{value} {waiting_for} wait]",
                    "{employer} [counted|reported] {value} {waiting_for} held up at {site} {at}. "
                    "The number [rose|grew] from {previous} a week before.",
                ),
            ),
            no=(
                Report(
                    "[Queue shrinks to {value}|Only {value} {waiting_for} wait]",
                    "{employer} [counted|reported] {value} {waiting_for} held up at {site} {at}. "
                    "The number [fell|shrank] from {previous} a week before.",
                ),
            ),
            series=Series(weekday=0, releases=3, level=(30, 90), step=(2, 9)),
        ),
        Beat(
            key="ballot",
            asks="Will members of the {union} accept the offer of {employer} on or before {on}?",
            schedule="scheduled",
            days=(6, 11),
            clock="18:30",
            likelihoods=(0.62, 0.3),
            reporting=("stated", "stated", "dated", "stated"),
            yes=(
                Report(
                    "[Members accept offer|{union} says yes]",
                    "Members of the {union} [accepted|approved] the offer of {employer} with [54|57|63] percent. "
                    "[{speaker} announced the result {at}.|The result was announced {at}.] "
                    "[The strike goes on until details are signed.|Work does not begin before an agreement is signed.]",
                ),
            ),
            no=(
                Report(
                    "[Members reject offer|{union} says no]",
                    "Members of the {union} [rejected|turned down] the offer of {employer} with [56|61|70] percent. "
                    "[{speaker} announced the result {at}.|The result was announced {at}.] "
                    "[The strike goes on.|{employer} called the result a pity.]",
                ),
            ),
        ),
        Beat(
            key="fund",
            asks="Will the {union} have spent half of its strike fund by {on}?",
            schedule="surprise",
            days=(9, 17),
            clock="12:00",
            likelihoods=(1.0, 1.0),
            reporting=("undated", "undated", "silent", "undated"),
            yes=(
                Report(
                    "[Strike fund under strain|Money talk at the {union}]",
                    "The {union} has by now spent more than half of its strike fund of {fund}. "
                    "[When that mark was passed, {speaker} would not say.|{speaker} did not say when that happened.] "
                    "[Donations keep coming in.|The union still pays every week.]",
                    delay=(3000, 9000),
                ),
            ),
        ),
        Beat(
            key="talks",
            asks="Will the {mediator} present a settlement proposal in the strike at {site} on or before {on}?",
            schedule="scheduled",
            days=(13, 19),
            clock="21:00",
            likelihoods=(0.7, 0.45),
            reporting=("dated", "silent", "stated", "stated"),
            yes=(
                Report(
                    "[Mediators present proposal|A proposal is on the table]",
                    "The {mediator} [presented|put forward] a settlement proposal to the {union} and {employer} {at}. "
                    "[Both sides have two weeks to answer.|{speaker} called it a beginning.]",
                ),
            ),
            no=(
                Report(
                    "[Talks end with nothing|No proposal from mediators]",
                    "The {mediator} [ended talks without a settlement proposal|did not present a settlement "
                    "proposal]. "
                    "[The {union} and {employer} left {at}.|The talks broke up {at}.] "
                    "[No new date was set.|They may meet again.]",
                ),
            ),
        ),
        Beat(
            key="end",
            asks="Will the {union} declare the strike at {site} over by {on}?",
            schedule="surprise",
            days=(22, 25),
            clock="16:20",
            likelihoods=(0.3, 0.0),
            reporting=("stated", "stated", "stated", "stated"),
            yes=(
                Report(
                    "[Strike at {site} over|{union} ends strike]",
                    "The {union} [ended|declared over] the strike at {site}. "
                    "[{speaker} and {employer} signed an agreement {at}.|An agreement with {employer} was signed "
                    "{at}.] "
                    "[Pay rises by seven percent.|Work begins with the next shift.]",
                ),
            ),
            ends=("Yes",),
        ),
    ),
    waiting=Report(
        "[Strike still on|No agreement at {employer}]",
        "[On {on} the strike at {site} was still on.|The strike at {site} was still on as of {on}.] "
        "[There was no agreement between the {union} and {employer}, {speaker} said.|{employer} had nothing new to "
        "report.]",
    ),
    aftermath={
        "Yes": Report(
            "[Strike at {site} has ended|Back to work at {site}]",
            "The {union} [declared|has declared] the strike at {site} over, it said on {on}.",
        ),
        "No": Report(
            "[Strike outlasts {deadline}|Still no work at {site}]",
            "The strike at {site} was not over at the end of {deadline}, the {union} said on {on}.",
        ),
    },
)
