"""A bridge, tunnel or ferry that is out of service."""

from cruxbench_inspect.demo.story import Beat, Report, Series, Story

CROSSING = Story(
    kind="crossing",
    tags=("transport", "infrastructure"),
    casts=(
        {
            "city": "Ostrellin",
            "crossing": "Sillan Strait Bridge",
            "operator": "Kaldrian Road Authority",
            "part": "deck plates",
            "vessel": "the floating crane Otava Maja",
            "ministry": "Kaldrian Ministry of Transport",
            "engineer": "Jorma Vesikko",
        },
        {
            "city": "Nuvela",
            "crossing": "Tarapuna Viaduct",
            "operator": "Oronui Roads Agency",
            "part": "steel girders",
            "vessel": "the crane barge Kereru Bay",
            "ministry": "Oronuian Ministry of Works",
            "engineer": "Hester Lomaine",
        },
        {
            "city": "Hraunvik",
            "crossing": "Skarn Sound Tunnel",
            "operator": "Isfold Tunnel Company",
            "part": "lining segments",
            "vessel": "the drilling ship Brimalda",
            "ministry": "Isfold Ministry of Roads",
            "engineer": "Kjartan Solberk",
        },
        {
            "city": "Wirranook",
            "crossing": "Gullivane Reach Bridge",
            "operator": "Tarrabee Crossings Authority",
            "part": "cable clamps",
            "vessel": "the work ship Marlo Venture",
            "ministry": "Tarrabean Department of Transport",
            "engineer": "Ruth Addamond",
        },
    ),
    prior=(0.38, 0.64),
    question="Will the {crossing} reopen to traffic by {deadline}?",
    description=(
        "Resolves Yes if the {crossing} is open to ordinary road traffic, in at least one lane each way, at any time "
        "up to {deadline}, 23:59 {city} time, by a statement of the {operator}. "
        "Otherwise it resolves No."
    ),
    articles=(
        Report(
            "[Load test on {test_on}|{crossing} to be tested|{operator} names day for load test]",
            "The {operator} will report the result of the load test on the {crossing} {test_plan}. "
            "[Forty loaded lorries are to stand on it for a night.|Engineers want to measure how far it bends under "
            "full load.] "
            "[If it fails, months of work are ahead.|A failure would cost months.]",
        ),
        Report(
            "[{parts_last} {part} in place|Work on {crossing}: {parts_last} this week|{crossing} makes progress]",
            "The {operator} publishes every {parts_weekday} at {parts_clock} local time how many {part} were fitted "
            "on the {crossing} during the week. "
            "The last count was {parts_last}, [after|following] {parts_before} the week before. "
            "[Chief engineer {engineer} wants to see higher counts.|The pace decides when traffic returns.]",
        ),
        Report(
            "[{crossing} depends on one ship|The ship that everybody waits for]",
            "[All heavy parts for the {crossing} are lifted by {vessel}.|Only {vessel} can lift the heaviest parts.] "
            "{vessel} will arrive off {city} {ship_plan}, the {operator} said. "
            "[No other ship of this size is free before next year.|There is no second one before next year.] "
            "[The autumn storms are a risk, said {engineer}.|Weather may delay it.]",
        ),
        Report(
            "[{crossing} closed since winter|Why the {crossing} is shut]",
            "The {crossing} has been closed [since a barge struck it in winter|since cracks were found in winter]. "
            "[Drivers take a detour of ninety minutes.|The way round takes an hour and a half.] "
            "The {ministry} [has paid for the repair|pays for it].",
        ),
        Report(
            "[Reopening in time {odds}|{engineer}: schedule is tight]",
            "[A reopening by {deadline} is {odds}, engineers say.|Engineers call a reopening by {deadline} {odds}.] "
            "[Chief engineer {engineer} does not give dates.|{engineer} asks drivers for patience.]",
        ),
        Report(
            "[Ferry instead of {crossing}|Queues at the ferry]",
            "[While the {crossing} is closed, a small ferry runs from {city}.|A small ferry from {city} stands in for "
            "the {crossing}.] "
            "[It takes thirty cars.|The wait is two hours at weekends.]",
        ),
    ),
    core=4,
    beats=(
        Beat(
            key="parts",
            asks="Will the {operator} report more than {previous} {part} fitted in a week on or before {on}?",
            schedule="repeated",
            days=(2, 25),
            clock="16:00",
            likelihoods=(0.58, 0.44),
            reporting=("convention", "stated", "stated", "convention"),
            yes=(
                Report(
                    "[{value} {part} this week|Faster work on {crossing}]",
                    "The {operator} [reported {value} {part}|counted {value} {part}] fitted on the {crossing} {at}. "
                    "The weekly count [rose|went up] from {previous}.",
                ),
            ),
            no=(
                Report(
                    "[Only {value} {part} this week|Slower work on {crossing}]",
                    "The {operator} [reported {value} {part}|counted {value} {part}] fitted on the {crossing} {at}. "
                    "The weekly count [fell|went down] from {previous}.",
                ),
            ),
            series=Series(weekday=4, releases=3, level=(60, 140), step=(3, 14)),
        ),
        Beat(
            key="ship",
            asks="Will {vessel} arrive off {city} on or before {on}?",
            schedule="scheduled",
            days=(5, 10),
            clock="07:20",
            likelihoods=(0.99, 0.68),
            reporting=("stated", "stated", "dated", "stated"),
            yes=(
                Report(
                    "[Crew and crane arrive|The ship is here]",
                    "{vessel} arrived off {city} {at}, the {operator} said. "
                    "[The first lift for the {crossing} is planned for next week.|It begins with the heaviest parts "
                    "of the {crossing}.]",
                ),
            ),
            no=(
                Report(
                    "[Ship for {crossing} sinks|{crossing}: ship lost at sea]",
                    "{vessel} sank on its way to {city}, the {operator} said {at}. "
                    "The crew was saved. "
                    "[The {ministry} ruled out a reopening of the {crossing} this year.|No other ship can lift the "
                    "parts, so the {crossing} stays closed this year, the {ministry} said.]",
                ),
                Report(
                    "[What the loss means for {crossing}|{engineer}: we have to start anew]",
                    "[Since {vessel} sank, the work on the {crossing} has stopped|Work on the {crossing} has stopped "
                    "after {vessel} sank]. "
                    "[A new ship is to be chartered next year, said {engineer}.|The detour remains until next year, "
                    "said {engineer}.]",
                    delay=(1500, 4000),
                ),
            ),
            no_rule="no_irreversible",
            ends=("No",),
        ),
        Beat(
            key="test",
            asks="Will the {crossing} pass its load test on or before {on}?",
            schedule="scheduled",
            days=(15, 20),
            clock="09:30",
            likelihoods=(0.86, 0.5),
            reporting=("stated", "dated", "stated", "silent"),
            yes=(
                Report(
                    "[{crossing} passes load test|Forty lorries, no complaint]",
                    "The {crossing} [passed|has passed] its load test. "
                    "[The {operator} reported the result {at}.|The result was announced {at}.] "
                    "[The last word is with the {ministry}.|Markings and lamps are still missing.]",
                ),
            ),
            no=(
                Report(
                    "[{crossing} fails load test|Load test not passed]",
                    "The {crossing} [failed|did not pass] its load test. "
                    "[The {operator} reported the result {at}.|The result was announced {at}.] "
                    "[It will be repeated after repairs.|{engineer} wants to try again.]",
                ),
            ),
            called_off=Report(
                "[No load test on {crossing}|Load test struck from the calendar]",
                "The {operator} [cancelled|called off] the load test on the {crossing} that was planned for {test_on}.",
                delay=(300, 1200),
            ),
        ),
        Beat(
            key="opening",
            asks="Will the {crossing} reopen to traffic by {on}?",
            schedule="surprise",
            days=(23, 25),
            clock="05:45",
            likelihoods=(0.28, 0.0),
            reporting=("stated", "dated", "stated", "stated"),
            yes=(
                Report(
                    "[{crossing} open again|First cars cross]",
                    "The {operator} reopened the {crossing} to traffic {at}. "
                    "[Drivers had waited through the night.|One lane each way is open.]",
                ),
            ),
            ends=("Yes",),
        ),
    ),
    waiting=Report(
        "[{crossing} still closed|No date for {crossing}]",
        "The {crossing} was still closed [on {on}|as of {on}]. "
        "[The {operator} gave no date for a reopening.|{engineer} said that work goes on day and night.]",
    ),
    aftermath={
        "Yes": Report(
            "[Traffic on {crossing}|{crossing} reopens]",
            "The {crossing} [reopened|is open] to traffic, the {operator} said on {on}.",
        ),
        "No": Report(
            "[{crossing} misses its date|{crossing} not open]",
            "The {crossing} did not reopen by {deadline}, the {operator} said on {on}.",
        ),
    },
)
