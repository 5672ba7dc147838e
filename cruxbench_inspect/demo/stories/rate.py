"""A central bank that may lower its rate."""

from cruxbench_inspect.demo.story import Beat, Report, Sibling, Story

RATE = Story(
    kind="rate",
    tags=("economy", "central banks"),
    casts=(
        {
            "city": "Kasumori",
            "bank": "Bank of Takemira",
            "statistics": "Takemiran Statistics Office",
            "governor": "Haruo Tenzaki",
            "current": "1.75",
            "goal": "1.50",
            "inflation": "2.3",
        },
        {
            "city": "Pellagro",
            "bank": "Central Bank of Quintara",
            "statistics": "Quintaran Institute of Statistics",
            "governor": "Marisol Tavendra",
            "current": "9.25",
            "goal": "8.75",
            "inflation": "5.1",
        },
        {
            "city": "Dunmarrow",
            "bank": "Bank of Eskland",
            "statistics": "Esklander Office for Figures",
            "governor": "Fergus Thelwick",
            "current": "4.25",
            "goal": "3.75",
            "inflation": "3.4",
        },
        {
            "city": "Wirranook",
            "bank": "Reserve Bank of Tarrabee",
            "statistics": "Tarrabean Bureau of Statistics",
            "governor": "Maud Ellerslie",
            "current": "3.85",
            "goal": "3.35",
            "inflation": "2.9",
        },
    ),
    prior=(0.3, 0.7),
    question="Will the {bank}'s key rate be {goal} percent or lower on {deadline}?",
    description=(
        "Resolves Yes if the key rate published by the {bank} for {deadline} is {goal} percent or lower. "
        "The rate at the time of writing is {current} percent. "
        "Otherwise it resolves No."
    ),
    articles=(
        Report(
            "[{bank} board meets on {board_on}|All eyes on the {bank}|Next rate decision on {board_on}]",
            "The [monetary board|board] of the {bank} will announce its next rate decision {board_plan}. "
            "The key rate has been at {current} percent [since last autumn|for half a year]. "
            "[A cut would be the first in two years.|It has not been lowered for two years.]",
        ),
        Report(
            "[Inflation figures due on {prices_on}|New consumer prices before the board meets|{statistics} to report "
            "on prices]",
            "The {statistics} will publish the {people} inflation rate for last month {prices_plan}. "
            "[It always publishes at {prices_clock} local time.|Its releases come out at {prices_clock} local time.] "
            "In the month before, inflation was {inflation} percent. "
            "[Economists are split over whether it will have fallen.|Most economists expect little change.]",
        ),
        Report(
            "[Minutes to show how divided the {bank} is|What the minutes may tell|{bank} minutes on {minutes_on}]",
            "The {bank} will release the minutes of its meeting {minutes_plan}. "
            "[They show how each member voted and whether a majority leans towards further cuts.|Readers will look "
            "for a majority that leans towards lower rates.]",
        ),
        Report(
            "[{governor} keeps options open|{governor}: no hurry|{bank} governor gives little away]",
            "[Governor {governor} of the {bank} said that the board decides from meeting to meeting.|The {bank} does "
            "not commit itself, governor {governor} told a parliamentary committee.] "
            "[Prices are still rising faster than planned, {governor} added.|{governor} called the economy weaker "
            "than the bank had hoped.]",
        ),
        Report(
            "[Traders see lower rates as {odds}|Market view: {goal} percent {odds}]",
            "[A key rate of {goal} percent by {deadline} is {odds}, traders in {city} say.|Among traders in {city} a "
            "rate of {goal} percent by {deadline} counts as {odds}.] "
            "[Two steps would be needed, or one large one.|Much depends on the next figures.]",
        ),
        Report(
            "[Builders call for cheaper money|Loans too dear, say builders]",
            "[The builders' association of {country}|{people} builders] [asked|urged] the {bank} to lower its rate. "
            "[Orders are down by a tenth since last year.|One site in eight stands still.]",
        ),
    ),
    core=4,
    beats=(
        Beat(
            key="prices",
            asks="Will the {statistics} report an inflation rate below {inflation} percent on or before {on}?",
            schedule="scheduled",
            days=(4, 8),
            clock="08:30",
            likelihoods=(0.64, 0.42),
            reporting=("convention", "stated", "convention", "convention"),
            yes=(
                Report(
                    "[{people} inflation falls|Prices rise more slowly in {country}]",
                    "The {statistics} [reported {at} that inflation fell|published figures {at}: inflation fell] "
                    "below {inflation} percent last month. "
                    "[Energy and rents made the difference.|Food prices barely moved.]",
                ),
            ),
            no=(
                Report(
                    "[{people} inflation does not fall|Prices in {country} rise as fast as before]",
                    "The {statistics} [reported {at} that inflation stayed|published figures {at}: inflation stayed] "
                    "at or above {inflation} percent last month. "
                    "[Rents rose most.|Services have become dearer.]",
                ),
            ),
        ),
        Beat(
            key="board",
            asks="Will the {bank} lower its key rate on or before {on}?",
            schedule="scheduled",
            days=(11, 17),
            clock="14:15",
            likelihoods=(0.75, 0.32),
            reporting=("stated", "stated", "stated", "stated"),
            yes=(
                Report(
                    "[{bank} lowers its rate|First cut in two years|{bank} cuts key rate]",
                    "The {bank} [lowered|cut] its key rate by a quarter of a point. "
                    "[The decision was announced {at}.|The board published its decision {at}.] "
                    "[{governor} did not say whether more will follow.|A further step is possible, {governor} said.]",
                ),
                Report(
                    "[Banks pass on the cut|Cheaper loans after the cut]",
                    "[Two large lenders in {city} lowered their rates|Lenders in {city} made loans cheaper] after the "
                    "{bank} cut its key rate. "
                    "[Savers get less as well.|Builders welcomed it.]",
                    delay=(1300, 3000),
                ),
            ),
            no=(
                Report(
                    "[{bank} leaves rate unchanged|No cut in {city}|{bank} waits]",
                    "The {bank} [left|kept] its key rate unchanged at {current} percent. "
                    "[The decision was announced {at}.|The board published its decision {at}.] "
                    "[The board wants to see more figures first, {governor} said.|{governor} spoke of a close vote.]",
                ),
            ),
        ),
        Beat(
            key="minutes",
            asks="Will the minutes of the {bank} show a majority for further cuts, if released on or before {on}?",
            schedule="scheduled",
            days=(22, 26),
            clock="16:00",
            likelihoods=(0.66, 0.4),
            reporting=("dated", "silent", "stated", "dated"),
            yes=(
                Report(
                    "[Minutes: majority leans towards cuts|{bank} members want lower rates]",
                    "The {bank} [released|published] its minutes {at}. "
                    "They [showed|show] a majority of members who favour lower rates [in the coming months|before "
                    "long].",
                ),
            ),
            no=(
                Report(
                    "[Minutes: majority wants to wait|No majority for cuts at the {bank}]",
                    "The {bank} [released|published] its minutes {at}. "
                    "[No majority for lower rates can be seen in them.|Most members wanted to wait, and only two "
                    "spoke for lower rates.]",
                ),
            ),
        ),
    ),
    waiting=Report(
        "[{bank} rate: the next date counts|Waiting for the {bank}]",
        "[As of {on} the question of how low the {bank}'s rate will be on {deadline} is open.|Nothing is settled, "
        "{governor} said on {on} about the path of the {bank}'s rate.] "
        "[The board meets once more before then.|One more meeting falls before that date.]",
    ),
    aftermath={
        "Yes": Report(
            "[{bank} reaches {goal} percent|Rate at {goal}]",
            "With its latest decision the {bank} [lowered|brought] its key rate to {goal} percent, it said on {on}.",
        ),
        "No": Report(
            "[{bank} stays above {goal} percent|No {goal} percent in {country}]",
            "The key rate of the {bank} was above {goal} percent on {deadline}, its website showed on {on}.",
        ),
    },
    settles=False,
    at_deadline=True,
    sibling=Sibling(
        question="Will the {statistics} report inflation below 2 percent for any month by {deadline}?",
        description=(
            "Resolves Yes if the {statistics} reports an inflation rate below 2.0 percent for at least one month in a "
            "first release by {deadline}, 23:59 {city} time. "
            "Otherwise it resolves No."
        ),
        strength=0.6,
    ),
)
