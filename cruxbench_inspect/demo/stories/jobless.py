"""A statistics agency's figures of the labour market."""

from cruxbench_inspect.demo.story import Beat, Report, Series, Story

JOBLESS = Story(
    kind="jobless",
    tags=("economy", "statistics"),
    casts=(
        {
            "city": "Loranth",
            "agency": "Merrivian Labor Bureau",
            "rate": "4.6",
            "sector": "furniture",
            "minister": "Clement Varley-Sook",
        },
        {
            "city": "Ostrellin",
            "agency": "Kaldrian Statistics Centre",
            "rate": "7.2",
            "sector": "paper",
            "minister": "Aino Raskeva",
        },
        {
            "city": "Nuvela",
            "agency": "Oronuian Department of Figures",
            "rate": "5.1",
            "sector": "wool",
            "minister": "Piripi Tawhanga",
        },
        {
            "city": "Velmar",
            "agency": "Sarovian Employment Agency",
            "rate": "6.3",
            "sector": "glass",
            "minister": "Bruno Hallasch",
        },
    ),
    prior=(0.35, 0.62),
    question="Will the jobless rate that the {agency} reports last before {deadline} be below {rate} percent?",
    description=(
        "Resolves Yes if the most recent monthly jobless rate in a first release of the {agency} at the end of "
        "{deadline} ({city} time) is below {rate} percent. "
        "Otherwise it resolves No."
    ),
    articles=(
        Report(
            "[Jobless rate due on {monthly_on}|{agency} to publish monthly rate|New monthly figures on {monthly_on}]",
            "The {agency} will publish the monthly jobless rate {monthly_plan}. "
            "[Its monthly release always comes at {monthly_clock} local time.|The release hour is {monthly_clock} "
            "local time.] "
            "The last rate was {rate} percent. "
            "[A first fall in a year is possible.|Forecasts lie on both sides of it.]",
        ),
        Report(
            "[Weekly claims at {claims_last}|{claims_last} thousand new claims in {country}|Claims: {claims_before}, "
            "now {claims_last}]",
            "The {agency} publishes new jobless claims every {claims_weekday} at {claims_clock} local time. "
            "The last weekly figure was {claims_last} thousand, [after|following] {claims_before} thousand in the "
            "week before. "
            "[Claims foreshadow the monthly rate.|The weekly claims are the first sign of where the monthly rate "
            "goes.]",
        ),
        Report(
            "[{people} labour market at a turn|Where are the jobs in {country}?]",
            "[Hiring has slowed in {country}.|{people} firms hire with care.] "
            "[The {sector} industry alone cut two thousand jobs in spring.|The makers of {sector} have let people "
            "go.] "
            "[Yet shops and hospitals look for staff.|At the same time hotels can't find workers.]",
        ),
        Report(
            "[{sector} plant in {city} may close|Jobs at risk in {sector}]",
            "[The largest {sector} plant near {city}|{city}'s largest {sector} plant] may close, and with it nine "
            "hundred jobs. "
            "The owner of the {sector} plant will announce {plant_plan} whether it closes the site. "
            "[The works council has offered lower wages.|Minister {minister} has offered help.]",
        ),
        Report(
            "[{minister}: rate will fall|Economists call a lower rate {odds}]",
            "[A rate below {rate} percent is {odds}, say economists in {city}.|Economists whom we asked call a rate "
            "below {rate} percent {odds}.] Minister {minister} [expects it to fall|is confident].",
        ),
        Report(
            "[New method at the {agency}|How the {agency} counts]",
            "The {agency} [counts everybody without work who looked for it in the last four weeks.|asks eight "
            "thousand households each month.] "
            "[First releases are often corrected later.|It does not adjust for the weather.]",
        ),
    ),
    core=4,
    beats=(
        Beat(
            key="claims",
            asks="Will the {agency} report weekly jobless claims above {previous} thousand on or before {on}?",
            schedule="repeated",
            days=(2, 24),
            clock="09:00",
            likelihoods=(0.4, 0.6),
            reporting=("stated", "convention", "stated", "convention"),
            yes=(
                Report(
                    "[Claims rise to {value} thousand|More new jobless claims in {country}]",
                    "The {agency} [reported {value} thousand new jobless claims {at}|put new jobless claims at "
                    "{value} thousand {at}]. "
                    "They [rose|went up] from {previous} thousand in the week before.",
                ),
            ),
            no=(
                Report(
                    "[Claims fall to {value} thousand|Fewer new jobless claims in {country}]",
                    "The {agency} [reported {value} thousand new jobless claims {at}|put new jobless claims at "
                    "{value} thousand {at}]. "
                    "They [fell|went down] from {previous} thousand in the week before.",
                ),
            ),
            series=Series(weekday=3, releases=3, level=(180, 460), step=(3, 19)),
        ),
        Beat(
            key="plant",
            asks="Will the owner announce that it closes the {sector} plant near {city} on or before {on}?",
            schedule="scheduled",
            days=(5, 9),
            clock="18:00",
            likelihoods=(0.42, 0.58),
            reporting=("dated", "stated", "silent", "stated"),
            yes=(
                Report(
                    "[{sector} plant near {city} closes|The end of {sector} near {city}]",
                    "The owner of the {sector} plant near {city} [announced {at} that it will close|said {at} that it "
                    "closes] the site. "
                    "[Nine hundred people lose their jobs.|Talks about lower wages had failed.]",
                ),
            ),
            no=(
                Report(
                    "[{sector} plant near {city} stays|Jobs in {sector} saved]",
                    "The owner of the {sector} plant near {city} [announced {at} that it will keep|said {at} that it "
                    "keeps] the site. "
                    "[The plant was not closed after all, thanks to lower wages.|No job is lost, minister {minister} "
                    "said.]",
                ),
            ),
        ),
        Beat(
            key="monthly",
            asks="Will the {agency} report a monthly jobless rate below {rate} percent on or before {on}?",
            schedule="scheduled",
            days=(12, 18),
            clock="10:30",
            likelihoods=(0.72, 0.36),
            reporting=("convention", "convention", "stated", "stated"),
            yes=(
                Report(
                    "[Jobless rate falls below {rate} percent|{people} jobless rate down]",
                    "The {agency} [reported {at} that the monthly jobless rate fell|published a monthly jobless rate "
                    "{at} that fell] below {rate} percent. "
                    "[It is the lowest in a year.|Minister {minister} was pleased.]",
                ),
            ),
            no=(
                Report(
                    "[Jobless rate no lower|{people} jobless rate at {rate} or more]",
                    "The {agency} [reported {at} that the monthly jobless rate did not fall|published a monthly "
                    "jobless rate {at} that did not fall] below {rate} percent. "
                    "[The {sector} industry is to blame, it said.|Minister {minister} asked for patience.]",
                ),
            ),
        ),
    ),
    waiting=Report(
        "[One more monthly figure to come|{people} jobless rate: the last word is out]",
        "[The {agency} said on {on} that one more monthly release falls before {deadline}.|Before {deadline} there "
        "will be one more monthly release, the {agency} confirmed on {on}.] "
        "[Nobody dares a forecast.|It has no date yet.]",
    ),
    aftermath={
        "Yes": Report(
            "[Jobless rate below {rate}|{country} at work]",
            "The last monthly jobless rate before {deadline} was below {rate} percent, the {agency} reported on {on}.",
        ),
        "No": Report(
            "[Jobless rate not below {rate}|No relief in {country}]",
            "The last monthly jobless rate before {deadline} was not below {rate} percent, the {agency} reported on "
            "{on}.",
        ),
    },
    settles=False,
    at_deadline=True,
)
